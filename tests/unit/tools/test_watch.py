"""`--watch`: once for each change, whatever is printed, until it is interrupted. No clock is waited for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hocket.errors import HocketError
from hocket.watch import state_of, watch


class Enough(Exception):
    """Nothing more happens in this test."""


def pauses(*changes: Callable[[], object]) -> Callable[[], None]:
    """At each pause the next of these happens."""
    waiting: Iterator[Callable[[], object]] = iter(changes)

    def pause() -> None:
        change = next(waiting, None)
        if change is None:
            raise Enough
        change()

    return pause


def nothing() -> None:
    pass


def test_once_for_each_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sketch = tmp_path / "s.ino"
    sketch.write_text("1")
    seen = []

    def once() -> int:
        seen.append(sketch.read_text())
        return 1

    steps = (
        *(nothing, lambda: sketch.write_text("22"), nothing),  # changed, then quiet
        *(nothing, lambda: sketch.write_text("333"), lambda: sketch.write_text("4444"), nothing),
    )
    with pytest.raises(Enough):
        watch(lambda: [tmp_path], once, pauses(*steps))
    assert seen == ["1", "22", "4444"]
    said = capsys.readouterr().err
    assert said.count("hocket: waiting for a change (Ctrl-C ends)\n") == 3
    assert said.count("hocket: changed: s.ino\n") == 2


def test_a_change_while_it_runs_counts(tmp_path: Path) -> None:
    sketch = tmp_path / "s.ino"
    sketch.write_text("1")
    seen = []

    def once() -> int:
        seen.append(sketch.read_text())
        if len(seen) == 1:
            sketch.write_text("while it ran")
        return 0

    with pytest.raises(Enough):
        watch(lambda: [tmp_path], once, pauses(nothing))
    assert seen == ["1", "while it ran"]


def test_what_is_refused_is_said_and_waited_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def once() -> int:
        raise HocketError("this is wrong", next_step="mend it")

    with pytest.raises(Enough):
        watch(lambda: [tmp_path], once, pauses())
    assert capsys.readouterr().err.startswith("hocket: this is wrong\n  next:  mend it\n")


def test_an_interrupted_run_ends_it(tmp_path: Path) -> None:
    assert watch(lambda: [tmp_path], lambda: 130, pauses()) == 130

    def interrupted() -> int:
        raise HocketError("interrupted", exit_code=130)

    with pytest.raises(HocketError):
        watch(lambda: [tmp_path], interrupted, pauses())


def test_only_inputs_count(tmp_path: Path) -> None:
    for name in ("s.ino", "a.h", "src/b.cpp", "scenario.yaml", "scenarios/c.yml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    for name in ("report.json", "pins.vcd", "build/x.cpp", ".git/y.h"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    found = state_of([tmp_path, tmp_path / "is-not-there.yaml"])
    assert sorted(str(path.relative_to(tmp_path)) for path in found) == [
        *("a.h", "s.ino", "scenario.yaml", "scenarios/c.yml", "src/b.cpp")
    ]
