"""What the command line says of its own work where lines stay: once at the start, then now and then."""

from __future__ import annotations

import pytest

from hocket import console
from hocket.console import Progress, without_progress


class Clock:
    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(console, "time", made)
    monkeypatch.setattr(console, "on_terminal", lambda: False)
    return made


def test_a_step_that_lasts_says_how_far_it_is(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = Progress("building the board sim")
    for step in range(1, 62):
        clock.now += 1
        shown.update(f"({step} of 90)")
    assert capsys.readouterr().err.splitlines() == [
        "hocket: building the board sim",
        "hocket: building the board sim (20 of 90)",
        "hocket: building the board sim (40 of 90)",
        "hocket: building the board sim (60 of 90)",
    ]


def test_one_of_many_says_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with without_progress():
        shown = Progress("building")
        clock.now += 1000
        shown.update("(1 of 2)")
    assert capsys.readouterr().err == ""
