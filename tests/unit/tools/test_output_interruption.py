"""An interruption is known as one wherever it was raised: also inside a lock of the library, whose complaint
of being half taken comes instead of it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

from tests.commands import ROOT

from hocket.output import is_interruption


def complaint_of_a_lock() -> Exception:
    lock = threading.Lock()
    try:
        with lock:
            lock.release()
            raise KeyboardInterrupt
    except RuntimeError as problem:  # raised by leaving the block: the lock is not held
        return problem


def test_a_lock_complains_instead() -> None:
    assert is_interruption(complaint_of_a_lock())
    assert is_interruption(KeyboardInterrupt())


def test_other_complaints_are_none() -> None:
    assert not is_interruption(None)
    try:
        raise KeyError("a")
    except KeyError as problem:
        assert not is_interruption(problem)


INTERRUPTED = """import sys
from hocket.cli.main import _end_by_signals
_end_by_signals()
try:
    exec("raise KeyboardInterrupt")
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_one_within_exec_leaves_the_status(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(INTERRUPTED)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}
    command = [sys.executable, "-m", "interrupted"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, check=False)
    assert done.returncode == 130
