"""Handlers in admission: checked while compiling, admitted with the loops, refused with what would do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import run_hocket
from tests.interrupts import loop, on
from tests.sketches import kept


@one_in(3)
@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("int c = millis(); attachInterruptVcpu(2, f, RISING, c, 10)", "must be constants"),
        ("attachInterruptVcpu(2, f, RISING, 20, 10)", "must not be longer than its period"),
        ("attachInterruptVcpu(2, f, RISING, 0, 10)", "budget must be more than 0"),
        ("int t = millis(); interruptsVcpu(1, t)", "must be constants"),
    ],
)
def test_budgets_are_checked_while_compiling(tmp_path: Path, call: str, said: str) -> None:
    text = f"void f() {{}}\nvoid setup() {{ {call}; }}\nvoid loop() {{}}\n"
    done = run_hocket("check", kept("budget", text))
    assert done.returncode == 2
    assert said in done.stderr, done.stderr


@one_in(4)
@pytest.mark.parametrize(("board", "cores"), [("sim", 1), ("virt", 1), ("virt", 2)])
def test_handlers_are_admitted_with_the_loops(board: str, cores: int) -> None:
    text = "void f() {}\nvoid setup() { attachInterruptVcpu(2, f, RISING, 60, 100); }\n"
    text += "void loop(1, 70, 100, onCore(0)) {}\n"
    done = run_hocket("check", kept("full", text), *on(board, cores))
    if cores == 1:
        assert done.returncode == 3
        assert "cannot guarantee it" in done.stderr
        assert "full.ino:2" in done.stderr, done.stderr
    else:
        assert done.returncode == 0, done.stderr  # the handler is on the other one
    fits = text.replace("60, 100", "2, 10")
    done = run_hocket("check", kept("full", fits), *on(board, cores))
    assert done.returncode == 0, done.stderr
    assert "delay bound" in done.stdout


def test_one_pin_has_one_io_virtual_cpu() -> None:
    text = "void f() {}\nvoid setup() {\n  attachInterruptVcpu(2, f, RISING, 1, 10);\n"
    text += "  interruptsVcpu(1, 10, forPins(1, 3)); interruptsVcpu(1, 20, forPin(2));\n}\n"
    done = run_hocket("check", kept("twice", text + "void loop(1, 70, 100) {}\n"))
    assert done.returncode == 2
    assert "one pin's interruptsVcpu() is written twice" in done.stderr


@one_in(2)
@pytest.mark.parametrize(
    ("period_us", "handlers_us", "least_us"), [(10_000, 1_000, 110), (7_000, 900, 86)]
)
def test_a_small_io_budget_is_refused_with_what_would_do(
    period_us: int, handlers_us: int, least_us: int
) -> None:
    # The smallest budget is that of the shortest period of handlers, which is inherited.
    def check(budget_us: int) -> tuple[int, str]:
        text = "void f() {}\nvoid setup() {\n"
        text += f"  interruptsVcpu({budget_us}us, {period_us}us);\n"
        text += f"  attachInterruptVcpu(2, f, RISING, 100us, {handlers_us}us);\n}}\n"
        done = run_hocket("check", kept("smallio", text + "void loop(1, 1, 100) {}\n"))
        return done.returncode, done.stderr

    status, said = check(least_us - 1)
    assert status == 3
    assert "smallio.ino:3 asks for" in said
    assert "the shortest period of its handlers, and the smallest budget on this board is" in said
    assert f"give it {least_us} us or more" in said
    assert check(least_us)[0] == 0


def test_the_shared_loop_is_as_the_sketch_says(tmp_path: Path) -> None:
    text = "HOCKET_INTERRUPT_LOOP(9, 2ms, 20ms)\nvoid f() { }\n"
    text += "void setup() { attachInterrupt(2, f, RISING); }\nvoid loop(1, 10, 100) { }\n"
    done = run_hocket("check", kept("shared", text), "--json", tmp_path / "r.json")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    assert loop(report, 9)["kind"] == "isr"
    assert (loop(report, 9)["budget_us"], loop(report, 9)["period_us"]) == (2_000, 20_000)
    assert [each["kind"] for each in report["loops"]] == ["loop", "isr", "io"]


@pytest.mark.parametrize(
    ("board", "status"), [pytest.param("rpi3", 3, marks=long_form), ("virt", 0)]
)
def test_a_board_s_own_uart_is_counted(board: str, status: int) -> None:
    """On one core it takes 20 us in every 1.042 ms. (virt is a machine whose ports take no interrupts.)"""
    text = "void setup() {}\nvoid loop(1, 985, 1000) {}\n"
    done = run_hocket("check", kept("nearly", text), *on(board, 1))
    assert done.returncode == status, done.stderr
    told = (
        "interrupts of the board's UART take up to 2 % of core 0 before all loops." in done.stderr
    )
    assert told == (status != 0), done.stderr
    fits = text.replace("985", "975")
    assert run_hocket("check", kept("nearly", fits), *on(board, 1)).returncode == 0
