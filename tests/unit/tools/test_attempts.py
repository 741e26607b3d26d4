"""`hocket try`: which sketches are found, how their outcomes are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocket.attempts import tell
from hocket.attempts.find import Found, find_sketches
from hocket.attempts.perform import Attempt, Outcome, Performer, sentence
from hocket.builder.compile_error import CompileError
from hocket.errors import HocketError

BLINK, CLOCK = Found("Blink", Path("/s/Blink")), Found("more/Clock", Path("/s/more/Clock"))


def write(top: Path, *names: str) -> None:
    for name in names:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text("")


def test_sketches_of_a_sketchbook_and_of_its_libraries(tmp_path: Path) -> None:
    write(
        tmp_path,
        *("a/a.ino", "a/tab.ino", "a/src/part.ino", "a/data/b/b.ino"),
        *("libraries/Sensor/src/Sensor.h", "libraries/Sensor/examples/deep/er/read/read.ino"),
        *("old/old.pde", "old/examples/one/one.ino", "build/x/x.ino", ".git/y/y.ino", "no/z.cpp"),
    )
    assert [found.name for found in find_sketches([str(tmp_path)])] == [
        *("a", "libraries/Sensor/examples/deep/er/read", "old", "old/examples/one"),
    ]


def test_a_sketch_is_found_once_and_by_its_own_name(tmp_path: Path) -> None:
    write(tmp_path, "a/a.ino", "b/b.ino")
    names = [str(tmp_path / "a"), str(tmp_path), str(tmp_path / "b" / "b.ino")]
    assert [found.name for found in find_sketches(names)] == ["a", "b", "b.ino"]


def test_a_folder_without_sketches(tmp_path: Path) -> None:
    with pytest.raises(HocketError, match="there is no sketch in"):
        find_sketches([str(tmp_path)])
    with pytest.raises(HocketError, match="there is no file or folder"):
        find_sketches([str(tmp_path / "gone")])


def rows() -> list[list[Outcome]]:
    why = "Clock.ino:3: no library here has Clock.h"
    outcomes = [
        Outcome(Attempt(CLOCK, "sim"), why, "what was said\n", 0.1234),
        Outcome(Attempt(BLINK, "uno"), "Blink.ino:1: too big"),
        Outcome(Attempt(BLINK, "sim")),
        Outcome(Attempt(CLOCK, "uno"), why),
    ]
    return tell.in_order([BLINK, CLOCK], ["uno", "sim"], outcomes)


def test_table_reasons_and_counts() -> None:
    assert list(tell.lines_of(rows())) == [
        "sketch      uno    sim\n"
        "----------  -----  ------\n"
        "Blink       fails  builds\n"
        "more/Clock  fails  fails",
        "",
        "Blink:",
        "  uno: Blink.ino:1: too big",
        "more/Clock:",
        "  uno, sim: Clock.ino:3: no library here has Clock.h",
        "",
        "uno: 0 of 2 build",
        "sim: 1 of 2 build",
    ]


def test_json() -> None:
    told = tell.as_json(rows())
    assert told["builds"] == {"uno": 0, "sim": 1}
    assert told["tried"] == 2
    blink, clock = told["sketches"]
    assert blink["boards"]["sim"] == {"builds": True, "reason": None, "said": "", "seconds": 0.0}
    assert clock["path"] == "/s/more/Clock"
    assert clock["boards"]["sim"]["seconds"] == 0.123


def test_the_sentence_has_its_place_as_seen_from_the_sketch() -> None:
    folder = Path("/s/Blink")
    inside = CompileError("no 'x'", "does not compile", "1 error", "", "/s/Blink/Blink.ino", 7)
    assert sentence(inside, folder) == "Blink.ino:7: no 'x'"
    outside = CompileError("no 'x'", "does not compile", "1 error", "", "/l/src/L.h", 7)
    assert sentence(outside, folder) == "/l/src/L.h:7: no 'x'"
    assert sentence(HocketError("too big", "by far"), folder) == "too big"


def test_a_builder_that_dies_is_an_outcome_and_the_others_go_on() -> None:
    """Its toolchain is none: what no builder expects."""
    performer = Performer({}, (), 2)
    attempts = [Attempt(Found(name, Path(__file__).parent), "sim") for name in ("one", "two")]
    outcomes = {each.attempt.sketch.name: each for each in performer.outcomes(attempts)}
    assert all(not each.builds for each in outcomes.values())
    assert set(outcomes) == {"one", "two"}
