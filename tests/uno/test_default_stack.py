"""What a loop's stack holds on the Uno where the sketch says nothing: 192 bytes, or what the code of the
program says that its calls take. What is worked out is compared with what a run uses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import run_hocket
from tests.uno.conftest import Outcome, Run

HEAD = """
#include "hocket/Semaphore.h"
Semaphore turn(1);
volatile int v = -12345;
volatile float f = 3.14159;
void edge() { turn.v(); }
void setup() {
  Serial.begin(115200);
  pinMode(2, INPUT);
  attachInterrupt(digitalPinToInterrupt(2), edge, RISING);
}
"""
# Bytes at most, with a handler that gives on top.
FITS = {
    "delay(1);": 145,
    "Serial.println(v); delay(1);": 145,
    "Serial.println(f, 4); delay(1);": 165,
    "analogWrite(6, analogRead(A0) / 4); delay(1);": 145,
    "turn.p(); Serial.println(millis());": 145,
    "Serial.println(String(f, 2)); delay(1);": 175,
    "String s = String(v) + \", \" + String(f, 1); Serial.println(s); delay(1);": 175,
}  # fmt: skip
SCENARIO = "parts:\n  edges: {type: generator, pin: 2, frequency: 1 kHz}\n"


def run_loop(uno: Run, folder: Path, text: str, *options: str | Path) -> Outcome:
    folder.mkdir(exist_ok=True)
    (folder / f"{folder.name}.ino").write_text(text)
    return uno(folder, "200ms", *options)


@one_in(4)
@pytest.mark.parametrize("body", FITS)
def test_fits(uno: Run, tmp_path: Path, body: str) -> None:
    scenario = tmp_path / "edges.yaml"
    scenario.write_text(SCENARIO)
    text = f"{HEAD}void loop(1, 20, 50) {{ {body} }}\n"
    done = run_loop(uno, tmp_path / "fits", text, "--scenario", scenario)
    assert done.status == 0, done.said
    (loop,) = done.report["loops"]
    assert loop["stack_used"] <= FITS[body], loop
    # What is worked out is a bound, and no guess: 192 where less would do.
    assert loop["stack_used"] <= loop["stack_size"] <= max(192, loop["stack_used"] + 140)


BIG = """
volatile int v = 5;
__attribute__((noinline)) int deep(int n) {
  volatile char big[%d];
  for (int i = 0; i < %d; ++i) big[i] = n + i;
  return big[n];
}
struct Shape { virtual int area(int n) { return n; } };
struct Large : Shape { int area(int n) override { return deep(n) + 1; } };
Large large;
Shape* volatile shape = &large;
struct Way { const char* name; int (*run)(int); };
Way ways[] = {{"deep", deep}};
Way* volatile way = ways;
void setup() { Serial.begin(115200); }
"""
WAYS = {
    "Serial.println(deep(v));": "deep() ",
    "Serial.println(shape->area(v));": "Large::area() ",  # by a table of virtual functions
    "Serial.println(way->run(v));": "deep() ",  # by a pointer in a structure, which looks alike
    "volatile char own[250]; own[v] = v; Serial.println(own[v]);": "loop 1 ",
}


@pytest.mark.parametrize("body", WAYS)
def test_a_loop_that_needs_more_gets_it(uno: Run, tmp_path: Path, body: str) -> None:
    text = BIG % (250, 250) + "void loop(1, 5, 50%s) { %s delay(5); }\n"
    done = run_loop(uno, tmp_path / "big", text % ("", body))
    assert done.status == 0, done.said
    (loop,) = done.report["loops"]
    assert 250 < loop["stack_used"] <= loop["stack_size"]
    assert loop["stack_size"] - loop["stack_used"] < 80  # it is no guess
    size = loop["stack_size"]
    # Said by the sketch, the same number is enough, and a small one is refused with the calls.
    assert run_loop(uno, tmp_path / "big", text % (f", stackBytes({size})", body)).status == 0
    done = run_loop(uno, tmp_path / "big", text % (", stackBytes(200)", body))
    assert done.status == 2
    fact, cause, next_ = done.said.splitlines()[-3:]
    found = re.search(r"big.ino:\d+: loop 1 needs (\d+) bytes of stack and has 200", fact)
    assert found and int(found[1]) == size
    assert WAYS[body] in cause and "an interrupt on top takes" in cause
    assert f"write stackBytes({size}) or more" in next_


@long_form
def test_sizes_follow_the_sketch(uno: Run, tmp_path: Path) -> None:
    """A sketch that has become smaller is not held to what it once needed."""
    loops = "".join(f"void loop({n}, 5, 50) {{ Serial.println(deep(v)); }}\n" for n in (1, 2))
    folder = tmp_path / "shrinks"
    first = run_loop(uno, folder, BIG % (400, 400) + loops)
    assert first.status == 0, first.said
    text = "char most[700];\n" + BIG % (40, 40) + loops + "void more() { most[v]++; }\n"
    second = run_loop(uno, folder, text.replace("deep(v)", "deep(most[v])"))
    assert second.status == 0, second.said
    assert all(loop["stack_size"] == 192 for loop in second.report["loops"])


def test_what_does_not_fit_names_the_calls(uno: Run, tmp_path: Path) -> None:
    loops = "".join(f"void loop({n}, 5, 50) {{ Serial.println(deep(v)); }}\n" for n in (1, 2))
    done = run_loop(uno, tmp_path / "much", BIG % (800, 800) + loops)
    assert done.status == 2
    assert re.search(r"the sketch needs \d+ bytes of RAM, \d+ more than the 2048", done.said)
    for n in (1, 2):
        found = re.search(rf"^    loop {n} needs (\d+) bytes of stack by these calls: (.*)$",
                          done.said, re.MULTILINE)  # fmt: skip
        assert found and 800 < int(found[1]) < 1000 and "deep() 8" in found[2]
    assert "`static`" in done.said


@long_form
def test_recursion_is_left_to_the_run(uno: Run, tmp_path: Path) -> None:
    text = (
        "volatile int v = %d;\nint down(int n) { return n == 0 ? v : down(n - 1) + v; }\n"
        "void setup() { Serial.begin(115200); }\n"
        "void loop(1, 5, 50) { Serial.println(down(v)); delay(5); }\n"
    )
    assert run_loop(uno, tmp_path / "down", text % 3).status == 0
    done = run_loop(uno, tmp_path / "down", text % 100)
    (fault,) = done.report["faults"]
    assert (done.status, fault["kind"]) == (1, "stack overflow")


@long_form
def test_sources_of_cpp_get_it_too(tmp_path: Path) -> None:
    folder = tmp_path / "plus"
    folder.mkdir()
    source = folder / "plus.cpp"
    source.write_text(
        "#include <Hocket.h>\n" + BIG % (250, 250)
        + "HOCKET_LOOP(1, 5, 50) { Serial.println(deep(v)); delay(5); }\n"
    )  # fmt: skip
    done = run_hocket("run", source, "--board", "uno", "--for", "100ms")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^1 loop .* 2\d\d/2\d\d$", done.stdout, re.MULTILINE), done.stdout
