"""The files of unpacked packages as one tree, which is not written to this computer's file system.

Invariants: a path begins with `/` and has no `.` or `..`. Its folders are no links (a package's /bin/x is
/usr/bin/x, as on a merged Debian). A file of a later package replaces one of an earlier package. The contents
are in one temporary file, which is removed with the object.
"""

from __future__ import annotations

import os
import posixpath
import stat
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hocket.errors import HocketError

# Folders that are links into /usr on a merged Debian.
MERGED = ("bin", "sbin", "lib")
_MOST_LINKS = 40  # in a row, as in the kernel


@dataclass(frozen=True)
class Node:
    """mode: kind and permissions, as in stat(2). where: of a file in the store. link: target of a symbolic
    link."""

    mode: int
    where: tuple[int, int] = (0, 0)  # offset, size
    link: str = ""

    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)

    def is_file(self) -> bool:
        return stat.S_ISREG(self.mode)


class Tree:
    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self._store: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as the tree
        self._end = 0

    def add_deb(self, deb: Path, wanted: Callable[[str], bool] = lambda path: True) -> list[str]:
        """Unpacks the package's files that are wanted, and returns their paths. Raises HocketError if it is
        not a package."""
        command = ["dpkg-deb", "--fsys-tarfile", str(deb)]
        added = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stderr is not None
            try:
                with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
                    for member in archive:
                        path = merged(member.name)
                        if wanted(path) and self._add_member(path, member, archive):
                            added.append(path)
            except tarfile.TarError as problem:
                said = process.stderr.read().decode(errors="replace").strip()
                raise HocketError(
                    f"the package {deb.name} cannot be unpacked",
                    said or str(problem),
                    f"remove {deb} and try again",
                ) from problem
        return added

    def add_file(self, path: str, content: bytes, mode: int = 0o644) -> None:
        self.nodes[path] = Node(stat.S_IFREG | mode, self._keep(content))

    def add_link(self, path: str, target: str) -> None:
        self.nodes[path] = Node(stat.S_IFLNK | 0o777, link=target)

    def add_folder(self, path: str, mode: int = 0o755) -> None:
        self.nodes[path] = Node(stat.S_IFDIR | mode)

    def read(self, path: str) -> bytes:
        """Returns the content of the file at this path, which must not be a link."""
        offset, size = self.nodes[path].where
        return os.pread(self._store.fileno(), size, offset)

    def resolve(self, path: str) -> str | None:
        """Returns the path behind all links, or None if it does not exist."""
        steps = self.steps(path)
        return steps[-1] if steps and not self.nodes[steps[-1]].is_link() else None

    def steps(self, path: str) -> list[str]:
        """Returns the links on the way, and their destination. Empty if the path does not exist."""
        found: list[str] = []
        for _ in range(_MOST_LINKS):
            path = self._through_folders(path)
            node = self.nodes.get(path)
            if node is None:
                return []
            found.append(path)
            if not node.is_link():
                return found
            path = self._behind(path, node)
        return []

    def below(self, folder: str) -> Iterator[str]:
        """Yields paths of files and links below the folder, in order."""
        prefix = folder.rstrip("/") + "/"
        for path in sorted(self.nodes):
            node = self.nodes[path]
            if path.startswith(prefix) and (node.is_file() or node.is_link()):
                yield path

    def _behind(self, path: str, node: Node) -> str:
        return merged(posixpath.normpath(posixpath.join(posixpath.dirname(path), node.link)))

    def _through_folders(self, path: str) -> str:
        """Returns the path with links among its folders followed."""
        for _ in range(_MOST_LINKS):
            folder = posixpath.dirname(path)
            while folder != "/":
                node = self.nodes.get(folder)
                if node is not None and node.is_link():
                    path = merged(self._behind(folder, node) + path[len(folder) :])
                    break
                folder = posixpath.dirname(folder)
            else:
                return path
        return path

    def _add_member(self, path: str, member: tarfile.TarInfo, archive: tarfile.TarFile) -> bool:
        mode = member.mode & 0o777  # root is the only user: no set-user-ID
        if member.isdir():
            self.nodes.setdefault(path, Node(stat.S_IFDIR | mode))
            return False
        if member.issym():
            self.nodes[path] = Node(stat.S_IFLNK | 0o777, link=member.linkname)
        elif member.islnk():
            first = self.nodes.get(merged(member.linkname))
            if first is None:
                return False
            self.nodes[path] = first
        elif member.isfile():
            stream = archive.extractfile(member)
            assert stream is not None
            self.nodes[path] = Node(stat.S_IFREG | mode, self._keep(stream.read()))
        else:
            return False  # the kernel makes device files
        return True

    def _keep(self, content: bytes) -> tuple[int, int]:
        """Stores a content. Raises OSError if the temporary folder is full."""
        where = (self._end, len(content))
        self._store.seek(self._end)
        self._store.write(content)
        self._store.flush()
        self._end += len(content)
        return where


def merged(name: str) -> str:
    """Returns the path of a name in a package, with Debian's merged folders."""
    path = posixpath.normpath("/" + name.lstrip("/"))
    first, _, rest = path[1:].partition("/")
    return f"/usr/{first}/{rest}" if first in MERGED and rest else path
