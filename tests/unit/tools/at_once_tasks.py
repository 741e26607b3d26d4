"""Tasks for the tests of hocket.at_once: of modules, so that a process can find them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SLEEPS = [sys.executable, "-c", "import time; time.sleep(3600)"]


def process_of(task: int, folder: Path) -> tuple[int, list[str]]:
    """The process, and what is in its folder."""
    found = [each.name for each in folder.iterdir()]
    (folder / "deep").mkdir()
    (folder / "deep" / "file").write_text("")
    return os.getpid(), found


def dies_at_first(task: Path, folder: Path) -> str:
    if not task.exists():
        task.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return task.name


def dies(task: int, folder: Path) -> int:
    if task == 1:
        subprocess.Popen(SLEEPS)
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def raises(task: int, folder: Path) -> int:
    return 1 // task


def endless(told: Path, folder: Path) -> None:
    """Tells that it goes on, with a process that goes on as well."""
    begun = subprocess.Popen(SLEEPS)
    (folder / "half").write_text("")
    _write(told, f"{os.getpid()} {begun.pid} {folder}")
    time.sleep(3600)


def first_alone(told: Path, folder: Path) -> None:
    """Ends where it was told before."""
    if not told.exists():
        endless(told, folder)


def deaf(told: Path, folder: Path) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    endless(told, folder)


def _write(told: Path, text: str) -> None:
    """All of it at once."""
    with tempfile.NamedTemporaryFile("w", dir=told.parent, prefix=".", delete=False) as file:
        file.write(text)
    Path(file.name).rename(told)
