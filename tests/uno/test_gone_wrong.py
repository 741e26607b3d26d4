"""Loops that go wrong on the Uno, which protects nothing: the report names them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in

Run = Callable[..., Any]

HEAD = """\
#include <stdlib.h>
volatile unsigned sink;
int deep(int n) { volatile char room[20]; room[0] = n; return deep(n + 1) + room[0]; }
__attribute__((noinline)) void beyond(int n) {
  volatile char room[4];
  for (int i = 0; i < n; i++) room[i] = 0x7f;
}
void (*volatile nowhere)();
void setup() {}
void loop(1, 40, 100) { sink++; }
"""

# What the body of loop 2 does after its first rest, the kind of fault, a part of its text.
WRONGS = {
    "write-null": ("*(volatile int*)nullptr = 1;", "bad access", "it wrote through a null pointer"),
    "read-null": ("sink = *(volatile int*)nullptr;", "bad access", "it read through a null"),
    # What a compiler may take for what never happens, and leave out with all that follows it.
    "write-known-null": ("int *p = nullptr; *p = 1;", "bad access", "it wrote through a null"),
    "read-known-null": ("char *s = nullptr; sink = s[0];", "bad access", "it read through a null"),
    "write-wild": ("*(volatile int*)0x4000 = 1;", "bad access", "it wrote where no memory is"),
    "write-last": ("*(volatile char*)0xffff = 1;", "bad access", "it wrote where no memory is"),
    "stack-wild": ('SP = 0x7fff; asm volatile("push r1");', "bad access", "it wrote where no"),
    "read-wild": ("sink = *(volatile int*)0x4000;", "bad access", "it read where no memory is"),
    "jump": ("((void (*)())0x3f00)();", "bad instruction", "jumped to where no program is"),
    "jump-null": ("nowhere();", "restart", "it jumped to address 0"),
    "instruction": ('asm volatile(".word 0x0001");', "bad instruction", "what is no instruction"),
    "recursion": ("sink = deep(1);", "stack overflow", "in deep(int)"),
    "array": (
        # (Of a size that is known the stack would be as large as that.)
        "int size = 300 + (sink & 1); volatile char big[size]; for (int i = 0; i < 300; i++) big[i] = i;",
        "stack overflow",
        "its stack of 192 bytes has overflowed; give it more with stackBytes()",
    ),
    "smashed": ("beyond(12);", "bad instruction", "in beyond(int)"),
    "abort": ("abort();", "ended", "as exit() and abort() do"),
    "masked loop": (
        "noInterrupts(); while (true) {}",
        "ended",
        "or an endless loop with interrupts masked",
    ),
    "unhandled": (
        "TIMSK2 = 1; TCCR2B = 1; delayMicroseconds(50);",
        "restart",
        "the interrupt TIMER2_O came",
    ),
    "asleep": (
        'noInterrupts(); SMCR = 1; asm volatile("sleep");',
        "asleep",
        "nothing will wake it",
    ),
}


def sketch(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / f"{folder.name}.ino").write_text(text)
    return folder


@one_in(5)
@pytest.mark.parametrize("name", WRONGS)
def test_a_loop_gone_wrong_is_named(uno: Run, tmp_path: Path, name: str) -> None:
    body, kind, text = WRONGS[name]
    source = f"{HEAD}void loop(2, 10, 100) {{\n  delay(55);\n  {body}\n}}\n"
    done = uno(sketch(tmp_path / name, source), "500ms")
    assert (done.status, done.report["end"]) == (1, "fault"), done.said
    (fault,) = done.report["faults"]
    assert (fault["loop"], fault["kind"]) == (2, kind)
    assert text in fault["text"]
    line = 1 + source.count("\n", 0, source.index(body))
    if kind in ("bad access", "bad instruction") and name != "smashed":
        assert f"{name}.ino:{line}, in loop 2" in fault["text"]
    if kind in ("bad access", "stack overflow"):
        assert fault["address"] is not None
    assert done.report["duration_us"] < 160_000


def test_a_function_that_returns_nothing_returns(uno: Run, tmp_path: Path) -> None:
    """…and does not go on with the code of whatever function stands behind it."""
    text = "volatile int rounds;\nint lost(int n) { if (n > 900) return 1; }\nvoid setup() {}\n"
    text += "void loop(1, 10, 100) { lost(rounds); rounds++; delay(100); }\n"
    done = uno(sketch(tmp_path / "lost", text), "1s")
    assert (done.status, done.report["end"]) == (0, "time"), done.said
    assert done.report["loops"][0]["iterations"] == 9


@one_in(2)
@pytest.mark.parametrize("where", ["setup", "loop"])
def test_infinite_recursion_of_a_plain_sketch(uno: Run, tmp_path: Path, where: str) -> None:
    bodies = {"setup": "", "loop": "", where: "sink = deep(1);"}
    text = HEAD[: HEAD.index("void setup")]
    text += "".join(f"void {name}() {{ {body} }}\n" for name, body in bodies.items())
    done = uno(sketch(tmp_path / where, text), "1s")
    (fault,) = done.report["faults"]
    assert fault["loop"] == (0 if where == "loop" else None)
    assert fault["kind"] == "stack overflow"
    assert "in deep(int)" in fault["text"]


# Not in the handler itself: that would be known when the sketch is built.
DEEP_HANDLER = """
volatile char seen;
[[gnu::noinline]] void deep() {
  volatile char row[150];
  for (int i = 0; i < 150; i++) row[i] = i;
  seen = row[7];
}
void edge() { deep(); }
void setup() { attachInterrupt(digitalPinToInterrupt(2), edge, RISING); }
"""


@long_form
def test_a_handler_with_too_little_stack_is_named(uno: Run, tmp_path: Path) -> None:
    scenario = tmp_path / "edges.yaml"
    scenario.write_text("parts: {g: {type: generator, pin: 2, frequency: 200 Hz}}\n")
    for stack, refused in ((128, True), (320, False)):
        text = f"{DEEP_HANDLER}void loop(1, 80, 100, stackBytes({stack})) {{ }}\n"
        folder = sketch(tmp_path / f"deep{stack}", text)
        done = uno(folder, "100ms", "--scenario", scenario)
        assert (done.status != 0) == refused, done.said
        assert ("an interrupt on top takes" in done.said + done.serial) == refused, done.said


def six_loops(setup: str, stack: int) -> str:
    return f"void setup() {{ {setup} }}\n" + "".join(
        f"void loop({i}, 1, 100, stackBytes({stack})) {{ delay(9); }}\n" for i in range(1, 7)
    )


@long_form
def test_loops_that_leave_setup_no_stack(uno: Run, tmp_path: Path) -> None:
    """Not even what the kernel needs to start them: that is known when it is built."""
    done = uno(sketch(tmp_path / "full", six_loops("", 258)), "100ms")
    assert (done.status, done.report) == (2, {})
    assert re.search(r"the sketch needs \d+ bytes of RAM, \d+ more than the 2048", done.said)
    assert re.search(r"stack of setup\(\) and interrupts, at least +\d+\n", done.said)
    assert re.search(r"say stackBytes\(2[34]\d\) or less for each loop", done.said)


def test_setup_needs_more_stack_than_the_loops_leave(uno: Run, tmp_path: Path) -> None:
    """Their memory and the stack of main() would meet."""
    wide = "volatile char big[400]; for (int i = 0; i < 400; i++) big[i] = i;"
    done = uno(sketch(tmp_path / "wide", six_loops(wide, 208)), "100ms")
    assert (done.status, done.report) == (2, {})
    assert re.search(r"the stack of setup\(\).* needs \d+ bytes", done.said), done.said


def test_setup_uses_more_stack_than_the_loops_leave(uno: Run, tmp_path: Path) -> None:
    """What the build cannot know: how deep a function calls itself. Nothing would show on a board."""
    deep = (
        "volatile int depth = 30;\n"
        "void deep(int n) {\n  volatile char room[16];\n  room[n & 15] = n;\n"
        "  if (n > 0) deep(n - 1);\n  depth = room[0];\n}\n"
    )
    done = uno(sketch(tmp_path / "deep", deep + six_loops("deep(depth);", 208)), "100ms")
    (fault,) = done.report["faults"]
    assert (fault["loop"], fault["kind"]) == (None, "stack overflow")


MASKS = {
    "noInterrupts();\n  for (unsigned i = 0; i < 5000; i++) sink = i;\n  interrupts();": 5,
}


@pytest.mark.parametrize("body", MASKS)
def test_who_masks_interrupts_for_too_long_is_named(uno: Run, tmp_path: Path, body: str) -> None:
    text = "volatile unsigned sink;\nSpinlock lock; void setup() {}\nvoid loop(1, 10, 100) { delay(10); }\n"
    text += f"void loop(2, 10, 100) {{\n  {body}\n  delay(30);\n}}\n"
    done = uno(sketch(tmp_path / "masks", text), "500ms")
    assert done.status == 0, done.said
    overheads = done.report["overheads"]
    assert overheads["longest_masked_seen_us"] > 3_000
    assert (
        overheads["longest_masked_seen_in"] == f"loop 2 (masks/masks.ino:{MASKS[body]}, in loop 2)"
    )
    (notice,) = done.report["notices"]
    longest = overheads["longest_masked_us"]
    assert f"longer than the {longest} us that the guarantees assume" in notice


def test_a_handler_that_masks_is_named_by_its_own_line(uno: Run, tmp_path: Path) -> None:
    """The instruction before its interrupt is a loop's, and is not where interrupts are masked."""
    text = (
        "volatile unsigned sink;\nvoid seen() {\n  for (unsigned i = 0; i < 60; i++) sink = i;\n}\n"
    )
    text += "void setup() { attachInterrupt(digitalPinToInterrupt(8), seen, CHANGE); }\n"
    text += "void loop(1, 50, 100) { for (;;) ; }\n"
    folder = sketch(tmp_path / "masks", text)
    (folder / "scenario.yaml").write_text(
        "parts: {g: {type: generator, pin: 8, frequency: 210 Hz}}\n"
    )
    overheads = uno(folder, "60ms").report["overheads"]
    assert (
        overheads["longest_masked_seen_in"]
        == "the handler of PCINT0 (masks/masks.ino:3, in seen())"
    )


@long_form
def test_the_kernel_keeps_the_masked_time_it_declares(uno: Run) -> None:
    done = uno(Path(__file__).resolve().parents[2] / "examples" / "three-loops", "1s")
    overheads = done.report["overheads"]
    assert 5 < overheads["longest_masked_seen_us"] <= 20 < overheads["longest_masked_us"]
    assert done.report["notices"] == []


WAITS = """#include <TimeServices.h>
Semaphore none(0);
volatile int edges;
void edge() { if (++edges == 3) @; }
void setup() { pinMode(2, INPUT); attachInterrupt(digitalPinToInterrupt(2), edge, RISING); }
void loop(1, 10, 100) { delay(20); }
"""
SPINS = "void loop(2, 50, 100) { for (;;) {} }\n"


@one_in(5)
@pytest.mark.parametrize("other", [SPINS, ""], ids=["busy", "idle"])
@pytest.mark.parametrize("call", ["none.p()", "none.p(5000)", "delay(5)"])
def test_a_handler_that_waits_is_named(uno: Run, tmp_path: Path, call: str, other: str) -> None:
    """It would be the loop that it interrupted that waits, and nobody would know why."""
    scenario = tmp_path / "edges.yaml"
    scenario.write_text("parts:\n  edges: {type: generator, pin: 2, frequency: 100 Hz}\n")
    text = WAITS.replace("@", call) + other
    done = uno(sketch(tmp_path / "waits", text), "300ms", "--scenario", scenario)
    assert done.status == 1
    (fault,) = done.report["faults"]
    assert fault["kind"] == "stopped" and fault["text"].startswith("the handler of INT0 waited")
    assert fault["loop"] is None and "fault: the handler of INT0 waited" in done.serial


@one_in(2)
@pytest.mark.parametrize("call", ["none.p(0)", "delay(0)"])
def test_a_handler_that_had_nothing_to_wait_for_is_not_blamed(
    uno: Run, tmp_path: Path, call: str
) -> None:
    """What goes wrong later is whose it is."""
    scenario = tmp_path / "edges.yaml"
    scenario.write_text("parts:\n  edges: {type: generator, pin: 2, frequency: 100 Hz}\n")
    wild = "void loop(2, 10, 100) {\n  delay(90);\n  ((void (*)())0x3f00)();\n}\n"
    done = uno(
        sketch(tmp_path / "asks", WAITS.replace("@", call) + wild),
        "300ms",
        "--scenario",
        scenario,
    )
    (fault,) = done.report["faults"]
    assert (fault["loop"], fault["kind"]) == (2, "bad instruction"), done.said
    assert "where no program is" in fault["text"]
