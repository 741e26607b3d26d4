"""Files that are whole or not there: whoever reads one while it is made anew reads the old one to its end."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def made_aside(file: Path) -> Iterator[Path]:
    """A place beside the file for what it shall be; at the end that takes its name, or goes if there was an
    error. The place is this thread's alone, and its name is short: the file's may be as long as one can be.
    """
    aside = file.with_name(f".new-{os.getpid()}-{threading.get_ident()}")
    try:
        yield aside
        aside.replace(file)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def write_whole(file: Path, content: bytes | str) -> None:
    """Text is UTF-8; what of a name is none stays the byte that it was."""
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    with made_aside(file) as aside:
        aside.write_bytes(data)


def keep_current(file: Path, content: bytes | str) -> Path:
    """The file with this content; not written when it has that already, so that its time stays."""
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    if not file.is_file() or file.read_bytes() != data:
        write_whole(file, data)
    return file
