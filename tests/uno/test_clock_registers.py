"""The timer that is the clock: a sketch with loops that sets timer 1 is refused, or its run ends; a plain one
may have timer 1, and gets a warning where it sets timer 0's speed or counter."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import one_in
from tests.uno.conftest import Outcome, Run

WAYS = {
    "TCCR1A = 1 << WGM10;": "TCCR1A",
    "TCCR1B = 1 << CS12;": "TCCR1B",
    "TCNT1 = 0;": "TCNT1",
    "OCR1A = 100;": "OCR1A",
    "OCR1B = 100;": "OCR1B",
    "TIMSK1 |= 1 << ICIE1;": "TIMSK1",
}


def run_sketch(uno: Run, folder: Path, statement: str, loop: str) -> Outcome:
    folder.mkdir()
    other = f"void other() {{\n  n++;\n  {statement}\n}}\n"
    text = f"volatile int n;\n{other}void setup() {{ n = 3; }}\n"
    text += f"{loop} {{ if (++n == 9) other(); delay(5); }}\n"
    (folder / f"{folder.name}.ino").write_text(text)
    return uno(folder, "100ms")


@one_in(4)
@pytest.mark.parametrize("statement", WAYS)
def test_beside_loops_it_is_refused(uno: Run, tmp_path: Path, statement: str) -> None:
    done = run_sketch(uno, tmp_path / "sets", statement, "void loop(1, 5, 20)")
    assert done.status == 2
    fact, cause, next_ = done.said.splitlines()[-3:]
    assert fact.endswith(f"sets.ino:4: the sketch writes {WAYS[statement]}, a register of timer 1")
    assert "the clock of the loops" in cause and "timer 2" in next_


@one_in(2)
@pytest.mark.parametrize("statement", ["TCCR0B = TCCR0B & 0xf8 | 1;", "TCNT0 = 0;"])
def test_without_loops_it_is_a_warning(uno: Run, tmp_path: Path, statement: str) -> None:
    done = run_sketch(uno, tmp_path / "sets", statement, "void loop()")
    assert done.status == 0, done.said
    assert "sets.ino:4: warning: the sketch writes" in done.said
    assert "millis(), micros() and delay()" in done.said


def test_pwm_of_timer_0_and_timer_1_are_no_warning(uno: Run, tmp_path: Path) -> None:
    statement = "TCCR0A |= 1 << COM0A1; OCR0A = 7; TCCR1A = 0; TCCR1B = 5; TCNT1 = 0; TIMSK1 = 0; n += TCNT0;"
    done = run_sketch(uno, tmp_path / "sets", statement, "void loop()")
    assert done.status == 0, done.said
    assert "warning" not in done.said


def test_without_a_clock_the_timer_is_the_sketchs(uno: Run, tmp_path: Path) -> None:
    done = run_sketch(uno, tmp_path / "sets", "TCCR0B = 1;", "void loop() { n--; }\nvoid unused()")
    assert done.status == 0, done.said
    assert "warning" not in done.said


def test_what_does_not_run_is_nothing(uno: Run, tmp_path: Path) -> None:
    """A function that is not in the program, and registers that are only read or of other timers."""
    statement = (
        "n += TCNT1 + OCR1A; TCCR2A = 1; OCR2A = 3; ICR1 = 5;\n}\nvoid never() {\n  TCCR1A = 1;"
    )
    done = run_sketch(uno, tmp_path / "reads", statement, "void loop(1, 5, 20)")
    assert done.status == 0, done.said


@one_in(4)
@pytest.mark.parametrize("register", ["TCCR1A", "TCCR1B", "TIMSK1", "TCNT1L"])
def test_a_pointer_is_seen_by_the_run(uno: Run, tmp_path: Path, register: str) -> None:
    statement = f"static volatile uint8_t* volatile p = &{register}; *p = 0x44;"
    done = run_sketch(uno, tmp_path / "points", statement, "void loop(1, 5, 20)")
    assert done.status == 1, done.said
    (fault,) = done.report["faults"]
    assert (fault["loop"], fault["kind"]) == (1, "stopped")
    assert "it changed timer 1, which is the clock of the loops" in fault["text"]
    assert "points.ino:4" in fault["text"]


@one_in(3)
@pytest.mark.parametrize("vector", ["TIMER1_COMPA_vect", "TIMER1_COMPB_vect", "TIMER1_OVF_vect"])
def test_its_vectors_are_taken_beside_loops(uno: Run, tmp_path: Path, vector: str) -> None:
    statement = f"n++;\n}}\nISR({vector}) {{\n  n--;"
    done = run_sketch(uno, tmp_path / "vectors", statement, "void loop(1, 5, 20)")
    assert done.status == 2
    assert f"the interrupt {vector.removesuffix('_vect')} is wanted twice" in done.said
    assert "timer 1 is the clock of the loops" in done.said


def test_a_sleep_in_which_the_clock_stands_still(uno: Run, tmp_path: Path) -> None:
    """The simulator's goes on, and the report says so."""
    for mode, told in ((2, True), (0, False)):  # power-down, idle
        statement = f'SMCR = {mode} << SM0 | 1 << SE;\n  asm volatile("sleep");'
        done = run_sketch(uno, tmp_path / f"sleeps{mode}", statement, "void loop(1, 5, 20)")
        assert done.status == 0, done.said
        assert any("timers 0 and 1 stand still" in text for text in done.report["notices"]) is told


def test_a_library_is_named(uno: Run, tmp_path: Path) -> None:
    library = tmp_path / "libraries" / "Ticker1"
    library.mkdir(parents=True)
    (library / "Ticker1.h").write_text("#include <Arduino.h>\nvoid tick();\n")
    (library / "Ticker1.cpp").write_text(
        '#include "Ticker1.h"\nvoid tick() { TCCR1B = 1 << CS12; }\n'
    )
    folder = tmp_path / "uses"
    folder.mkdir()
    (folder / "uses.ino").write_text(
        "#include <Ticker1.h>\nvoid setup() { tick(); }\nvoid loop(1, 5, 20) { delay(1); }\n"
    )
    done = uno(folder, "1ms")
    assert done.status == 2
    assert "Ticker1.cpp:2: the library Ticker1 writes TCCR1B, a register of timer 1" in done.said
