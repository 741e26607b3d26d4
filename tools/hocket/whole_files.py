"""Files that are complete or absent: a process that reads one while it is replaced reads the old content to
its end.

`made_aside` and `write_whole` are for files that can be made again from other files. `KeptFile` and
`write_result` are for files that cannot: the content is flushed to the disk before it gets the name, and a
file that a sketch's scenario names is locked by one run at a time.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from hocket.errors import HocketError, system_error
from hocket.inside import Place
from hocket.own_files import check_not_own

_BETWEEN_TRIES_S = 0.05
PATIENCE_S = 10.0  # for another run to end
_LONGEST_NAME = 255


@contextmanager
def made_aside(file: Path) -> Iterator[Path]:
    """Yields a temporary file beside the file. At the end it takes the file's name. After an error it is
    removed. The temporary file belongs to this thread alone. Its name is short, because the file's name may
    have the maximum length."""
    aside = file.with_name(f".new-{os.getpid()}-{threading.get_ident()}")
    try:
        yield aside
        aside.replace(file)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def write_whole(file: Path, content: bytes | str) -> None:
    """Writes a file. Text is encoded as UTF-8. Bytes of file names that are not UTF-8 are preserved."""
    with made_aside(file) as aside:
        aside.write_bytes(_bytes(content))


def keep_current(file: Path, content: bytes | str) -> Path:
    """Returns the file with this content. It is not written if it has the content already, so that its time
    is unchanged."""
    data = _bytes(content)
    if not file.is_file() or file.read_bytes() != data:
        write_whole(file, data)
    return file


def _bytes(content: bytes | str) -> bytes:
    return content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content


def write_result(file: Path, content: bytes | str | IO[bytes]) -> None:
    """Writes a file that the user named on the command line, which may be a link or a device. After an
    OSError it has its old content. Raises HocketError for a file of the user's own (hocket.own_files)."""
    check_not_own(f"the result {file}", file)
    end = Path(os.path.realpath(file))
    # /dev/stdout may be a file to which others write as well.
    if str(file.absolute()).startswith(("/dev/", "/proc/")) or (end.exists() and not end.is_file()):
        with file.open("wb") as opened:
            _pour(content, opened)
        return
    with KeptFile(Place(end.parent, end.name)) as kept:
        kept.replace(content)


def _pour(content: bytes | str | IO[bytes], to: IO[bytes]) -> None:
    if isinstance(content, (bytes, str)):
        to.write(_bytes(content))
    else:
        shutil.copyfileobj(content, to, 1 << 20)


class KeptFile:
    """A file that is replaced completely or not at all, and by one process at a time. A context manager.

    The new content is written beside it, as `.NAME.new`, flushed to the disk, and renamed. That file is also
    the lock. The file of a killed process is used again. Each folder of the path is opened separately and
    none may be a link, so a name that is changed meanwhile leads nowhere else. Raises OSError if the system
    refuses something. The file has its old content then.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self._name = Path(place.below).name
        beside = f".{self._name}.new"
        self._beside = (
            beside if len(os.fsencode(beside)) <= _LONGEST_NAME else f".new-{hash_of(beside)}"
        )
        self._folder = _opened_folder(place)
        self._file = -1

    def __enter__(self) -> KeptFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Removes a new content that did not replace the file, and releases the lock."""
        if self._file >= 0:
            with contextlib.suppress(OSError):
                if self._has_name(self._beside):
                    os.unlink(self._beside, dir_fd=self._folder)
            os.close(self._file)
            self._file = -1
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1

    def read(self) -> IO[bytes] | None:
        """Returns the content, or None if there is no such file. (O_NONBLOCK: opening a pipe would wait for
        its writer.)"""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            file = os.open(self._name, flags, dir_fd=self._folder)
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise OSError(errno.EINVAL, "it is not a file", str(self.place.path))
        return os.fdopen(file, "rb")

    def reserve(self, patience: float = PATIENCE_S) -> None:
        """Locks the file against other processes. Raises HocketError if another run keeps it locked for too
        long."""
        if self._file >= 0:
            return
        self._check_writable()
        until = time.monotonic() + patience
        while not self._try_reserve():
            if time.monotonic() >= until:
                raise HocketError(
                    f"{self.place.path} is used by another run",
                    f"one run at a time keeps a file, and a second one waits for {patience:g} s",
                    "wait for the other run's end, or give this one a file of its own",
                )
            time.sleep(_BETWEEN_TRIES_S)

    def _check_writable(self) -> None:
        """Raises OSError for a file that the user has made read-only. The folder alone would allow its
        replacement."""
        with contextlib.suppress(FileNotFoundError):
            mode = os.stat(self._name, dir_fd=self._folder, follow_symlinks=False).st_mode
            if not stat.S_ISREG(mode):
                code = errno.EISDIR if stat.S_ISDIR(mode) else errno.ELOOP
                raise OSError(code, os.strerror(code), str(self.place.path))
            if not os.access(self._name, os.W_OK, dir_fd=self._folder):
                raise OSError(errno.EACCES, os.strerror(errno.EACCES), str(self.place.path))

    def _try_reserve(self) -> bool:
        """Tries to lock the file. Returns False if another process has locked it."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            file = os.open(self._beside, flags, 0o666, dir_fd=self._folder)
        except OSError as problem:
            if problem.errno != errno.ELOOP:
                raise
            os.unlink(self._beside, dir_fd=self._folder)  # the lock is never a link
            return False
        try:
            about = os.fstat(file)
            if not stat.S_ISREG(about.st_mode) or about.st_nlink > 1:  # it has another name as well
                os.unlink(self._beside, dir_fd=self._folder)
                return False
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            self._file = file
            if not self._has_name(self._beside):
                return False
            file = -1
            return True
        finally:
            if file >= 0:
                self._file = -1
                os.close(file)

    def _has_name(self, name: str) -> bool:
        """Returns whether the opened file still has this name."""
        try:
            there = os.stat(name, dir_fd=self._folder, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return os.path.samestat(os.fstat(self._file), there)

    def replace(self, content: bytes | str | IO[bytes]) -> None:
        """Replaces the content and releases the lock."""
        self.reserve()
        os.ftruncate(self._file, 0)
        with os.fdopen(os.dup(self._file), "wb") as opened:
            _pour(content, opened)
        with contextlib.suppress(FileNotFoundError, PermissionError):
            about = os.stat(self._name, dir_fd=self._folder, follow_symlinks=False)
            os.fchmod(self._file, stat.S_IMODE(about.st_mode))
        os.fsync(self._file)
        if not self._has_name(self._beside):  # only the file written here may get the name
            raise OSError(errno.EBUSY, "its new content was removed", str(self.place.path))
        os.rename(self._beside, self._name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        os.close(self._file)
        self._file = -1
        with contextlib.suppress(OSError):  # a folder without read permission is not flushed
            os.fsync(self._folder)


def hash_of(name: str) -> str:
    import hashlib

    return hashlib.sha256(os.fsencode(name)).hexdigest()[:16]


def _opened_folder(place: Place) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    folder = os.open(place.folder, flags)
    try:
        for name in Path(place.below).parts[:-1]:
            if name == "..":
                raise OSError(errno.EPERM, "it leads up", str(place.path))
            inner = os.open(name, flags | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
    except BaseException:
        os.close(folder)
        raise
    return folder


def not_written(what: str, problem: OSError, file: Path) -> HocketError:
    """Returns the error for a file that could not be replaced."""
    error = system_error(f"{what} cannot be written", problem, file)
    cause = f"{error.cause}; it is as it was before"
    return HocketError(error.fact, cause, error.next_step, file)
