"""Writes archives for the kernel's first file system: cpio, "new ASCII" format. The same files give the same
bytes.

Linux, Documentation/driver-api/early-userspace/buffer-format.rst: archives may follow one another, with zeros
between them, each beginning at a multiple of 4 bytes. These archives are padded to whole pages, so that
another one can be appended. All files belong to root and have one time. Inode numbers count from 1.
"""

from __future__ import annotations

import posixpath
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

TIME = 1_767_225_600  # 2026-01-01T00:00:00Z, as the machine's clock
PAGE = 4096


@dataclass(frozen=True)
class Entry:
    """A file, link (content: its target), folder, or device (major, minor)."""

    path: str  # begins with /
    mode: int  # kind and permissions, as in stat(2)
    content: bytes = b""
    device: tuple[int, int] = (0, 0)


def folder(path: str, mode: int = 0o755) -> Entry:
    return Entry(path, stat.S_IFDIR | mode)


def file(path: str, content: bytes, mode: int = 0o644) -> Entry:
    return Entry(path, stat.S_IFREG | mode, content)


def link(path: str, target: str) -> Entry:
    return Entry(path, stat.S_IFLNK | 0o777, target.encode())


def whole_pages(size: int) -> int:
    """Returns the bytes of memory that a file of this size takes."""
    return -(-size // PAGE) * PAGE


def archive(entries: Iterable[Entry]) -> Iterator[bytes]:
    """Yields the bytes of an archive with these entries and the folders above them, in the order of their
    paths. Its length is a multiple of PAGE."""
    length = 0
    for number, entry in enumerate(with_folders(entries), 1):
        piece = _record(number, entry)
        length += len(piece)
        yield piece
    end = _record(0, Entry("/TRAILER!!!", 0))
    yield end + bytes(-(length + len(end)) % PAGE)


def with_folders(entries: Iterable[Entry]) -> list[Entry]:
    """Returns the entries in the order of their paths, each folder before its content. Of two with one path
    the last counts."""
    found = {entry.path: entry for entry in entries}
    for path in list(found):
        above = posixpath.dirname(path)
        while above != "/":
            found.setdefault(above, folder(above))
            above = posixpath.dirname(above)
    return [found[path] for path in sorted(found, key=lambda path: path.split("/"))]


def _record(number: int, entry: Entry) -> bytes:
    name = entry.path[1:].encode() + b"\0"
    time = TIME if entry.mode else 0
    fields = [number, entry.mode, 0, 0, 1, time, len(entry.content), 0, 0]
    fields += [*entry.device, len(name), 0]
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + name
    return _whole_words(head) + _whole_words(entry.content)


def _whole_words(content: bytes) -> bytes:
    return content + bytes(-len(content) % 4)
