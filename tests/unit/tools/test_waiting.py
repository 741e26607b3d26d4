"""Builds at the same time: one waits for the other, says so when that lasts, and no test can notice."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import long_form
from tests.commands import ENTRY, PROGRESS, Done, apart, run_entry

from hocket.boards import find_board
from hocket.builder import build_sketch, lock
from hocket.builder.lock import locked
from hocket.sketch.folder import find_sketch

ROOT = Path(__file__).resolve().parents[3]
WAITING = "hocket: waiting for another build: "


def named(folder: Path) -> str:
    """What is said while this process holds the lock of the folder."""
    return f"{WAITING}process {os.getpid()} works in {folder}"


@long_form
def test_a_wait_that_lasts_is_said(tmp_path: Path) -> None:
    """While somebody else holds the sketch's folder; then the command goes on as if nothing had been."""
    assert run_entry("new", "waiter", cwd=tmp_path).returncode == 0
    folder = build_sketch(find_sketch(str(tmp_path / "waiter")), find_board("sim")).program.parent
    command = [str(ENTRY), "run", "waiter", "--for", "100ms"]
    with locked(folder):
        process = subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stderr is not None
        said = process.stderr.readline()
    output, rest = process.communicate(timeout=300)
    assert (process.returncode, said) == (0, f"{named(folder)}\n")
    alone = run_entry("run", "waiter", "--for", "100ms", cwd=tmp_path)
    assert Done(0, output, *apart(said + rest)) == alone


class Clock:
    """In the place of threading.Timer: the test decides whether its time has come."""

    def __init__(self, _seconds: float, function: Callable[[], None]) -> None:
        self.ring = function
        self.cancelled = False
        self.daemon = False

    def start(self) -> None:
        clocks.append(self)
        waiting.set()

    def cancel(self) -> None:
        self.cancelled = True


clocks: list[Clock] = []
waiting = threading.Event()


@pytest.mark.parametrize("lasts", [False, True])
def test_only_a_wait_that_lasts_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lasts: bool
) -> None:
    said: list[str] = []
    clocks.clear()
    waiting.clear()
    monkeypatch.setattr(lock, "say", said.append)
    monkeypatch.setattr(lock.threading, "Timer", Clock)  # type: ignore[attr-defined]

    def other() -> None:
        with locked(tmp_path):
            pass

    thread = threading.Thread(target=other)
    with locked(tmp_path):
        assert clocks == []  # nobody has to wait
        thread.start()
        assert waiting.wait(60)
        if lasts:
            clocks[0].ring()
    thread.join(60)
    assert not thread.is_alive()
    assert clocks[0].cancelled
    here = f"waiting for another build: this command itself works in {tmp_path}"
    assert said == ([here] if lasts else [])


def test_the_process_that_holds_the_lock_is_named_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each holder writes its own number over that of the one before, whichever is longer."""
    for number in (1_234_567, 89):
        with monkeypatch.context() as changed:
            changed.setattr(os, "getpid", lambda number=number: number)
            with locked(tmp_path):
                pass
        with (tmp_path / lock.LOCK).open("a+") as waits:
            assert f": process {number} works in " in lock._waiting(waits)
    (tmp_path / lock.LOCK).write_text("")  # the lock is taken, and nothing is written yet
    with (tmp_path / lock.LOCK).open("a+") as waits:
        assert ": another process works in " in lock._waiting(waits)


def test_all_that_the_command_says_about_its_own_work_is_known() -> None:
    """What is said with progress() is what tests/commands.py keeps apart."""
    words = []
    for file in (ROOT / "tools" / "hocket").rglob("*.py"):
        words += re.findall(r'\b[pP]rogress\(\s*f?"([\w ]+)', file.read_text(encoding="utf-8"))
    assert len(words) >= 4
    assert [word for word in words if not PROGRESS.match(f"hocket: {word}it")] == []
    assert PROGRESS.match(WAITING)


def test_tests_start_the_command_in_one_place() -> None:
    """So that no test compares what depends on the others. (Installed copies, and copies with boards of their
    own, are other commands.)"""
    by_hand = re.compile(r'ROOT / "hocke[t]"|"-m",\s*"hocke[t]"')
    files = [
        f
        for f in (ROOT / "tests").rglob("*.py")
        if f.name not in ("commands.py", "test_installed.py", "test_own_board.py", "test_boards.py")
    ]
    assert [str(f) for f in files if by_hand.search(f.read_text(encoding="utf-8"))] == []
