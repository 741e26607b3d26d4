"""I/O virtual CPUs: their budgets while a sketch runs, and one for some pins."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import except_virt, long_form, one_in
from tests.interrupts import interrupts, loop, on, run

SWITCHED = """
volatile unsigned long calls;
void seen() { ++calls; }
void setup() {
  Serial.begin(115200);
  attachInterruptVcpu(2, seen, CHANGE, 2, 10);
  interruptsVcpu(500us, 10);
}
void loop(1, 20, 100) {
  unsigned long before;
  delay(200);
  interruptsVcpu(0, 10);
  delay(1);
  before = calls;
  delay(300);
  Serial.print(calls - before); Serial.println(" while off");
  interruptsVcpu(100us, 10);
  delay(400);
  Serial.print(calls); Serial.println(" calls");
  delay(99999);
}
"""


@one_in(2)
@pytest.mark.parametrize("cores", [1, 2])
def test_without_budget_nothing_is_delivered_and_nothing_lost(tmp_path: Path, cores: int) -> None:
    edges = "parts:\n  g: {type: generator, pin: 2, frequency: 500 Hz, start: 10 ms, count: 600}\n"
    status, said, report = run(tmp_path, "off", SWITCHED, edges, "1001ms", "--cores", str(cores))
    assert status == 0, said
    assert "0 while off" in said.splitlines()
    assert "600 calls" in said.splitlines()
    (entry,) = interrupts(report).values()
    assert entry["edges"] == entry["delivered"] == 600
    assert entry["lost"] == entry["pending"] == 0
    assert entry["max_delay_us"] <= entry["delay_bound_us"]


RATES = """
volatile unsigned long calls;
void seen() { ++calls; }
void setup() {
  attachInterruptVcpu(2, seen, CHANGE, 7, 10);
  if (LARGE) interruptsVcpu(1, 10); else interruptsVcpu(200us, 10);
}
void loop(1, 1, 100) { delay(50); }
"""


@long_form
def test_the_interrupts_taken_follow_the_budget_in_force(tmp_path: Path) -> None:
    # (Slower than the bottom half's turns: else that looks again and again, and is not interrupted.)
    storm = "parts:\n  g: {type: generator, pin: 2, frequency: 50 kHz}\n"
    taken = {}
    for large in (0, 1):
        text = f"int LARGE = {large};\n{RATES}"
        status, said, report = run(tmp_path, "rates", text, storm, "1001ms")
        assert status == 0, said
        taken[large] = report["counters"]["pin_interrupts"]
        (io,) = (each for each in report["loops"] if each["kind"] == "io")
        assert io["budget_us"] == 1_000  # the larger one is admitted
        if not large:  # but for the first one, before setup()
            assert io["max_cpu_per_period_us"] <= 1_000 + 1_000
    assert 0 < 2.5 * taken[0] < taken[1]


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_the_interrupts_received_follow_the_io_budget(tmp_path: Path, board: str) -> None:
    """Each turn of the bottom half takes one edge, and the handler has more time than it needs."""
    # (virt's clock counts instructions, so a turn takes a fraction of sim's time.)
    rate = "200 kHz" if board == "sim" else "500 kHz"
    storm = f"parts:\n  g: {{type: generator, pin: 2, frequency: {rate}}}\n"
    received = []
    for budget in ("200us", "1ms"):
        text = RATES.replace("if (LARGE) interruptsVcpu(1, 10); else ", "").replace("200us", budget)
        status, said, report = run(
            tmp_path, f"received-{budget}", text, storm, "501ms", *on(board, 1)
        )
        assert status == 0, said
        (entry,) = interrupts(report).values()
        assert entry["lost"] + entry["pending"] + entry["may_have_merged"] > entry["delivered"]
        received.append(entry["delivered"])
    assert 3 < received[1] / received[0] < 6, received


GROUPS = """
volatile unsigned long calls[8];
template <int pin> void seen() { ++calls[pin]; }
void setup() {
  interruptsVcpu(300us, 10);
  interruptsVcpu(500us, 10, forPins(4, 5));
  attachInterruptVcpu(2, seen<2>, CHANGE, 500us, 10);
  attachInterruptVcpu(4, seen<4>, CHANGE, 500us, 10);
}
void loop(1, 60, 100) { }
"""


@one_in(2)
@pytest.mark.parametrize("cores", [1, 2])
def test_pins_with_an_io_virtual_cpu_of_their_own(tmp_path: Path, cores: int) -> None:
    """A storm on one group leaves the other one its budget, and the loop its own."""
    scenario = "parts:\n  storm: {type: generator, pin: 2, frequency: 500 kHz}\n"
    scenario += "  slow: {type: generator, pin: 4, gaps: {shortest: 11 ms, longest: 19 ms}}\n"
    status, said, report = run(
        tmp_path, "groups", GROUPS, scenario, "1001ms", "--cores", str(cores)
    )
    assert status == 0, said
    assert sum(each["kind"] == "io" for each in report["loops"]) == 2
    found = interrupts(report)
    assert found[2]["lost_because"]["no_room"] > 0
    assert found[4]["edges"] > 50
    assert found[4]["lost"] == 0
    # One at a time, each on an idle handler and within its bound.
    assert found[4]["edges"] - found[4]["delivered"] <= 1
    assert found[4]["max_delay_us"] <= found[4]["delay_bound_us"]
    victim = loop(report, 1)
    assert victim["min_cpu_per_period_us"] >= 60_000
    assert victim["deadline_misses"] == 0


STOPPED = """
volatile unsigned long calls;
void seen() { ++calls; }
void setup() {
  attachInterruptVcpu(2, seen, CHANGE, 2, 10);
  interruptsVcpu(500us, 10);
}
void loop(1, 20, 100) {
  delay(100);
  interruptsVcpu(0, 10);
  delay(99999);
}
"""


@one_in(4)
@pytest.mark.parametrize("where", [("sim", 1), ("sim", 2), ("virt", 1)])
def test_a_storm_is_not_served_when_the_budget_is_gone(
    tmp_path: Path, where: tuple[str, int]
) -> None:
    """A bottom half that finds another edge each time has no budget either, from the call on."""
    board, cores = where
    storm = f"frequency: {'500' if board == 'sim' else '50'} kHz"
    scenario = f"parts:\n  g: {{type: generator, pin: 2, {storm}}}\n"
    status, said, report = run(tmp_path, "stopped", STOPPED, scenario, "601ms", *on(board, cores))
    assert status == 0, said
    (io,) = (each for each in report["loops"] if each["kind"] == "io")
    # 11 periods, each with what comes free in it.
    assert 500 < io["cpu_us"] <= 11 * (500 + 60), io
    (entry,) = interrupts(report).values()
    assert entry["edges"] > 100
