"""Ordinary interrupts beside real-time ones, on QEMU's `virt`: latencies to the instruction, order as text.

docs/reference/interrupt-levels.md names the figures that are checked here; its picture is drawn from the same
image (docs/pictures/levels.py).
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import long_form

from hocket.paths import ROOT

Virt = Callable[..., subprocess.CompletedProcess[str]]
Distribution = dict[int, int]

ENTRY = 20  # from an alarm's instant to its handler's first instruction
PIN = 25  # from the clock's reading before the edge to the handler's first instruction
WAY_IN, WAY_OUT = 4, 7  # most that an ordinary interrupt adds, where it begins and where it ends
SECTION = 3  # most that the end of an ordinary section adds
ROUNDS = 4_000  # levels/order.cpp, kRounds: a quarter of them raise the line
ALARMS = 40_000  # levels/kernel_latency.cpp, kAlarms


def _distributions(text: str) -> dict[str, Distribution]:
    found: dict[str, Distribution] = {}
    for name, late, count in re.findall(r"^([\w-]+) (\d+) (\d+)$", text, re.M):
        found.setdefault(name, {})[int(late)] = int(count)
    return found


def _declared() -> dict[str, int]:
    """The board's declared costs, in instructions."""
    board = (ROOT / "boards/virt/costs.h").read_text()
    costs = re.search(r"kByPriorityCosts\{(.*?)\}", board, re.S)
    assert costs is not None
    return {
        name: int(value.replace("'", ""))
        for name, value in re.findall(r"\.(\w+) = ([\d']+)", costs[1])
    }


def _served(text: str, name: str, what: str = "served") -> int:
    match = re.search(rf"^{name} {what} (\d+)$", text, re.M)
    assert match is not None, text
    return int(match[1])


def _run(virt: Virt, image: Path) -> str:
    done = virt(image)
    text = done.stdout + done.stderr
    assert done.returncode == 0 and text.endswith("end\n"), text
    return text


@pytest.fixture(scope="module")
def latency(bare_image: Callable[[str], Path]) -> Path:
    return bare_image("levels_latency")


@pytest.fixture(scope="module")
def figures(latency: Path, virt: Virt) -> str:
    """Bytes come from a model of the line, so this is the same in every run."""
    return _run(virt, latency)


def test_an_ordinary_interrupt_delays_where_it_begins_and_ends_only(figures: str) -> None:
    """An alarm at each instant around one line interrupt: late by a few instructions in two windows."""
    found = re.findall(r"^(idle|sweep) (\d+) (\d+) (\d+)$", figures, re.M)
    late = {name: [0] * 1500 for name in ("idle", "sweep")}
    for name, begin, end, ticks in found:
        late[name][int(begin) : int(end) + 1] = [int(ticks)] * (int(end) - int(begin) + 1)
    assert set(late["idle"]) == {ENTRY}
    extra = [ticks - ENTRY for ticks in late["sweep"]]
    first = next(phase for phase, ticks in enumerate(extra) if ticks)
    assert extra[first : first + WAY_IN] == list(range(WAY_IN, 0, -1))
    last = max(phase for phase, ticks in enumerate(extra) if ticks)
    assert extra[last - WAY_OUT + 1 : last + 1] == list(range(WAY_OUT, 0, -1))
    between = extra[first + WAY_IN : last - WAY_OUT + 1]
    assert len(between) > 200, "the handler has run"
    assert sum(extra) == sum(range(WAY_IN + 1)) + sum(range(WAY_OUT + 1))


def test_a_storm_adds_these_instructions_and_no_others(figures: str) -> None:
    found = _distributions(figures)
    quiet, storm = found["quiet"], found["storm"]
    assert (min(quiet), max(quiet)) == (ENTRY, ENTRY + SECTION)
    assert (min(storm), max(storm)) == (ENTRY, ENTRY + WAY_OUT)
    assert sum(quiet.values()) == sum(storm.values()) == 20_000
    assert _served(figures, "quiet") == 0
    assert _served(figures, "storm") > 20_000, "at full rate: more line interrupts than alarms"
    in_time = sum(count for late, count in storm.items() if late <= ENTRY + SECTION)
    assert in_time > 0.97 * 20_000


def test_the_storm_does_not_reach_the_longest_masked_section(figures: str) -> None:
    """Where sections mask both levels, the worst is theirs, with the storm as without."""
    found = _distributions(figures)
    quiet, storm = found["quiet-system"], found["storm-system"]
    assert max(quiet) > ENTRY + 50
    assert max(storm) <= max(quiet)


def test_a_pin_is_as_quick_wherever_the_ordinary_level_is(figures: str) -> None:
    found = dict(re.findall(r"^pin (\w+) (\d+)$", figures, re.M))
    assert found == dict.fromkeys(("thread", "section", "handler"), str(PIN))


@long_form
def test_the_emulators_own_uart_adds_no_more(latency: Path, virt: Virt, tmp_path: Path) -> None:
    """Bytes from the host as fast as the UART takes them: instants that nobody has chosen."""
    pipe = tmp_path / "uart"
    ends = []
    for direction in (".in", ".out"):
        os.mkfifo(f"{pipe}{direction}")
        ends.append(os.open(f"{pipe}{direction}", os.O_RDWR))
    done = threading.Event()

    def feed() -> None:
        with os.fdopen(ends[0], "wb", buffering=0, closefd=False) as end:
            while not done.is_set():
                end.write(bytes(range(250)) * 16)

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    serial = ("-chardev", f"pipe,id=u,path={pipe}", "-serial", "chardev:u")
    run = virt(latency, word="receiving", serial=serial)
    done.set()
    while feeder.is_alive():  # it may wait for room
        os.read(ends[0], 65536)
        feeder.join(timeout=0.01)
    for end in ends:
        os.close(end)
    text = run.stdout + run.stderr
    assert run.returncode == 0, text
    found = _distributions(text)["receiving"]
    assert sum(found.values()) >= 20_000
    assert (min(found), max(found) <= ENTRY + WAY_OUT) == (ENTRY, True), f"{sorted(found.items())}"
    bytes_read = re.search(r"^receiving bytes (\d+)$", text, re.M)
    assert bytes_read is not None and int(bytes_read[1]) >= 1_000  # the host may be slow
    assert _served(text, "receiving") > 20


# What low, the ordinary handler and high did, in order (levels/order.cpp).
MEETINGS = {
    "a handler wakes a thread": "rH.",
    "in a section: the switch waits for its end": "(r)H.",
    "in a nested section: for the end of the outer one": "((r))H.",
    "after a nested section": "(()r)H.",
    "both masked in a section: the handler waits, too": "(-r)H.",
    "a section where both are masked": "()rH.",
    "an ordinary interrupt": "[].",
    "its handler wakes a thread": "[]H.",
    "a real-time handler in it wakes one": "[r]H.",
    "in a section in it": "[(r)]H.",
    "an ordinary interrupt waits for a section": "()[r]H.",
    "both wait: the switch first": "(r)[]H.",
    "a sleep ends": "tH.",
    "it ends in a section": "(t)H.",
    "it ends in an ordinary handler": "[t]H.",
    "a reschedule in a section": "(k).",
    "a reschedule in an ordinary handler": "[k].",
    "both in a section": "(kt)H.",
    "timer, reschedule and a handler": "(ktr)HH.",
}


@long_form
def test_switches_wait_for_the_end_of_ordinary_sections(
    bare_image: Callable[[str], Path], virt: Virt
) -> None:
    """…nothing is lost, and the kernel's own sections are what an alarm may wait for."""
    text = _run(virt, bare_image("levels_order"))
    assert dict(re.findall(r"^ok (.+): (\S+)$", text, re.M)) == MEETINGS
    random = re.search(r"^ok random: (\d+) real-time, (\d+) ordinary, (\d+) switches$", text, re.M)
    # Half of the quarter that raises the line, and of the alarms, which are no rarer.
    assert random is not None and min(map(int, random.groups())) > ROUNDS // 4 // 2, text
    found = _distributions(text)
    costs = _declared()
    # A masked section, and the kernel's own timer behind it, which is served first.
    latest = costs["longest_masked"] + costs["interrupt_entry"] + costs["timer_interrupt"]
    for name in ("kernel-quiet", "kernel-storm"):
        assert min(found[name]) == ENTRY
        assert ENTRY + 200 < max(found[name]) <= ENTRY + latest
    # The two that raise the line have a fifth of the processor each; all alarms may come in their time. A
    # line takes four calls of the kernel (theirs, the line's, the reader's) and what they compute.
    budgets = 2 * _served(text, "kernel-storm", "lasted") // 5
    budgets -= ALARMS * costs["interrupt_entry"]
    line = 4 * (costs["interrupt_entry"] + costs["longest_masked"]) + 1_000
    assert _served(text, "kernel-storm") > budgets // line > 100
