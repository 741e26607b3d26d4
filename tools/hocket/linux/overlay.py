"""The files that a run adds to the root of the Linux system: a job, files, modules. All of them lie in
/hocket.

They are a second archive after the root's, so that the root, which is large, is the same in all runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hocket.errors import HocketError
from hocket.linux import cpio

JOB = "job"
_MOST = 64 * 1024 * 1024  # bytes; larger content belongs into the root


@dataclass(frozen=True)
class Overlay:
    """files: by their paths below /hocket, content and whether it is a program. `job` is run when Linux has
    started (init.sh). modules: of the running kernel, in the order of loading."""

    files: Mapping[str, tuple[bytes, bool]] = field(default_factory=dict)
    modules: Mapping[str, bytes] = field(default_factory=dict)

    def has_job(self) -> bool:
        return JOB in self.files

    def entries(self) -> list[cpio.Entry]:
        found = [
            cpio.file(f"/hocket/{name}", content, 0o755 if program else 0o644)
            for name, (content, program) in self.files.items()
        ]
        for name, content in self.modules.items():
            found.append(cpio.file(f"/hocket/modules/{name}.ko", content))
        if self.modules:
            order = "".join(f"{name}\n" for name in self.modules).encode()
            found.append(cpio.file("/hocket/modules/order", order))
        return found

    def archive(self) -> bytes:
        return b"".join(cpio.archive(self.entries()))

    def unpacked(self) -> int:
        """Returns the bytes that its files take in memory: whole pages."""
        return sum(cpio.whole_pages(len(entry.content)) for entry in self.entries())


def job(text: str, **files: bytes) -> Overlay:
    """Returns a shell script as the job, with files beside it. In their names `__` stands for a dot."""
    named = {name.replace("__", "."): (content, False) for name, content in files.items()}
    return Overlay({JOB: (text.encode(), True), **named})


def from_folder(folder: Path) -> Overlay:
    """Returns all files of a sketch's folder `linux`. Empty if there is no such folder. Raises HocketError if
    it is too big or has a link that leads out of it."""
    files: dict[str, tuple[bytes, bool]] = {}
    size = 0
    for file in sorted(folder.rglob("*")) if folder.is_dir() else []:
        if not file.is_file() or any(
            part.startswith(".") for part in file.relative_to(folder).parts
        ):
            continue
        if not file.resolve().is_relative_to(folder.resolve()):
            raise HocketError(
                "a file for the Linux beside is a link that leads out of its folder",
                f"it leads to {file.resolve()}",
                "put the file itself there",
                file,
            )
        size += file.stat().st_size
        if size > _MOST:
            raise HocketError(
                "the files for the Linux beside are too big",
                f"{folder} holds more than {_MOST // 2**20} MiB",
                "make them a package and add it: hocket linux build --add PACKAGE",
                file,
            )
        program = bool(file.stat().st_mode & 0o111)
        files[str(file.relative_to(folder))] = (file.read_bytes(), program)
    return Overlay(files)
