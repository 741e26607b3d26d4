"""The examples on the board virt: what does not depend on a processor's speed is as on the board sim.

Both run on one core, where the emulated clock is exact.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in
from tests.sketches import kept

from hocket.boards import find_board
from hocket.builder import Image, build_sketch
from hocket.running.performing import run_image
from hocket.running.request import Request
from hocket.running.scenarios import find_scenario
from hocket.sketch.folder import find_sketch

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

Report = dict[str, Any]
Broken = Callable[..., list[str]]

# What each has to do: the same in every run, so that its output may be compared. The rovers meet their wall
# sooner than in their own scenario: time in QEMU is dear.
NEAR_WALL = (EXAMPLES / "rover" / "scenario.yaml").read_text().replace(": 3 m", ": 130 cm")
SAME_OUTPUT = {
    "blink": "3s",
    "rover-single": "3s",
    "cpp-rover/cpp-rover.cpp": "3s",
    "many-loops": "2s",
    "knob-servo": "6s",
    "exact-test": "150ms",
    "epos-periods/epos-periods.cpp": "130ms",
}


@cache
def built(sketch: str, board: str) -> Image:
    return build_sketch(find_sketch(str(EXAMPLES / sketch)), find_board(board))


def run(
    sketch: str, board: str, duration: str, folder: Path | None = None, scenario: Path | None = None
) -> tuple[str, Report]:
    """Serial's text and the report; leaves report, trace and waves in the folder, if there is one."""
    image = built(sketch, board)
    request = Request(
        sketch,
        board,
        1,
        duration,
        report=folder / "r.json" if folder else None,
        trace=folder / "r.pftrace" if folder else None,
        vcd=folder / "r.vcd" if folder else None,
    )
    found = find_scenario(scenario, image.sketch, image.board)
    done = run_image(image, request, found, show_serial=False)
    assert done.ended.status == 0, done.ended.messages
    return done.ended.serial.decode(), done.report


def promises(report: Report) -> list[tuple[Any, ...]]:
    """What was asked for and granted to each loop, and where."""
    fields = ("id", "kind", "core", "budget_us", "period_us", "deadline_us")
    return [tuple(loop[field] for field in fields) for loop in report["loops"]]


def same_admission(one: Report, other: Report) -> None:
    """Accepted, with the same shares on the same core. The bounds differ by the boards' overheads only:
    each time that a loop is held up, by less than a millisecond."""
    assert one["admission"]["accepted"] and other["admission"]["accepted"]
    assert promises(one) == promises(other)
    for ours, theirs in zip(one["admission"]["cores"], other["admission"]["cores"], strict=True):
        for field in ("core", "utilization", "liu_layland_bound"):
            assert ours[field] == theirs[field]
    for ours, theirs in zip(one["loops"], other["loops"], strict=True):
        most = 1000 * len(one["loops"])
        assert ours["response_bound_us"] == pytest.approx(theirs["response_bound_us"], abs=most)


@one_in(7)
@pytest.mark.parametrize("sketch", SAME_OUTPUT)
def test_the_same_output_and_all_promises_kept(sketch: str, broken: Broken, tmp_path: Path) -> None:
    near = None
    if "rover" in sketch:
        near = tmp_path / "near.yaml"
        near.write_text(NEAR_WALL)
    said, sim = run(sketch, "sim", SAME_OUTPUT[sketch], scenario=near)
    text, virt = run(sketch, "virt", SAME_OUTPUT[sketch], scenario=near)
    # (An age in whole milliseconds is another where the boards' microseconds are.)
    age = re.compile(r"\d+ ms ago")
    if "epos-periods" in sketch:
        # Each interval is the difference of two times in whole microseconds, of which the part that is
        # left out is another on each board.
        ours, theirs = ([int(line) for line in lines.split()] for lines in (text, said))
        assert ours == pytest.approx(theirs, abs=1)
    else:
        assert age.sub("ago", text) == age.sub("ago", said)
        assert [sent["bytes_sent"] for sent in virt["serial"]] == [
            sent["bytes_sent"] for sent in sim["serial"]
        ]
    assert broken(virt) == []
    same_admission(virt, sim)
    if sketch == "exact-test":
        for loop in virt["loops"][:2]:  # the third has no whole period in this time
            assert loop["min_cpu_per_period_us"] == pytest.approx(loop["budget_us"], abs=10)
        return
    for ours, theirs in zip(virt["loops"], sim["loops"], strict=True):
        assert ours["iterations"] == pytest.approx(theirs["iterations"], abs=1)
    if "rover" in sketch:
        assert re.search(r"^wall.*\n.*clear", text)
        ours, theirs = virt["parts"]["wheels"], sim["parts"]["wheels"]
        assert not ours["collided"]
        assert ours["min_distance_cm"] == pytest.approx(theirs["min_distance_cm"], abs=5)


def rover(folder: Path) -> tuple[str, Report, list[bytes]]:
    """What the rover sent, its report, and the bytes of the report, the trace and the waves."""
    folder.mkdir()
    near = folder.with_suffix(".yaml")
    near.write_text(NEAR_WALL)
    said, report = run("rover", "virt", "4s", folder, near)
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == ["r.json", "r.pftrace", "r.vcd"]
    return said, report, [file.read_bytes() for file in files]


@long_form
def test_every_byte_repeats(tmp_path: Path) -> None:
    """In every run: test_emulated_boards.py."""
    assert rover(tmp_path / "one") == rover(tmp_path / "two")


@long_form
def test_the_rover_acts_on_time(broken: Broken, tmp_path: Path) -> None:
    said, report, _ = rover(tmp_path / "one")
    assert report["parts"]["wheels"]["max_update_interval_us"] <= 104_000
    assert not report["parts"]["wheels"]["collided"]
    assert broken(report) == []
    text, sim = run("rover", "sim", "4s", scenario=tmp_path / "one.yaml")
    assert said == text and "wall: back and turn right" in text
    same_admission(report, sim)
    for ours, theirs in zip(report["loops"], sim["loops"], strict=True):
        assert ours["iterations"] == theirs["iterations"]
    for field in ("thread_switches", "preemptions", "sleeps"):
        assert report["counters"][field] == sim["counters"][field]


def test_three_loops_have_their_shares(broken: Broken) -> None:
    own = EXAMPLES / "three-loops" / "three-loops.ino"
    # It tells after a second; three periods are as good, and a second of a busy processor is dear.
    sketch = str(kept("three-loops", own.read_text().replace("delay(1000)", "delay(300)")))
    text, virt = run(sketch, "virt", "400ms")
    _, sim = run(sketch, "sim", "400ms")
    same_admission(virt, sim)
    assert broken(virt, {1, 2, 3}) == []
    (counts,) = re.findall(r"counts: (\d+), (\d+), (\d+)", text)
    first, second, third = (int(count) for count in counts)
    assert first / second == pytest.approx(2, rel=0.01)
    assert first / third == pytest.approx(4, rel=0.01)
    for ours, theirs in zip(virt["loops"][:3], sim["loops"][:3], strict=True):
        assert ours["cpu_us"] == pytest.approx(theirs["cpu_us"], rel=0.001)
        assert ours["budget_exhausted"] == theirs["budget_exhausted"]


@long_form
def test_the_periodic_keeps_its_deadline(broken: Broken) -> None:
    text, virt = run("periodic", "virt", "1100ms")
    _, sim = run("periodic", "sim", "1100ms")
    same_admission(virt, sim)
    assert broken(virt, {2}) == []
    assert len(re.findall(r"primes so far: \d+", text)) == 2  # at 0 s and at 1 s
    wave, counting, telling = virt["loops"]
    assert wave["max_response_us"] <= 2000
    assert (wave["releases"], wave["iterations"]) == (110, 110)
    assert telling["iterations"] == 2
    assert counting["cpu_us"] == pytest.approx(sim["loops"][1]["cpu_us"], rel=0.001)
