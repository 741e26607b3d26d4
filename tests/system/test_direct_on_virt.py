"""Direct handlers of the AArch64 kernel: at EL0, in the interrupt, for as long as they have declared.

The sketches are those of the simulated board (test_direct_interrupts.py), and one that does all that a
protected handler must not.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import run_hocket
from tests.interrupts import interrupts, loop
from tests.interrupts import run as run_on
from tests.sketches import Report, kept

BOARD = ("--board", "virt")


def run(
    tmp_path: Path, name: str, sketch: str, scenario: str, time: str, *options: str
) -> tuple[int, str, Report]:
    return run_on(tmp_path, name, sketch, scenario, time, *BOARD, *options)


def generator(*pins: int, what: str = "frequency: 200 Hz") -> str:
    rows = (f"  g{pin}: {{type: generator, pin: {pin}, {what}}}\n" for pin in pins)
    return "parts:\n" + "".join(rows)


STORM = """
volatile unsigned long calls, work;
void seen() { ++calls; delayMicroseconds(15); }
void setup() { if (CONNECTED) attachInterruptDirect(2, seen, CHANGE, 20us, 500us); }
void loop(1, 70, 100) { for (volatile int i = 0; i < 1000; ++i) { } ++work; }
void loop(2, 10, 100) { delay(5); }
"""


@one_in(2)
@pytest.mark.parametrize("frequency", [900, 20_000])
def test_a_storm_of_direct_interrupts_takes_what_was_declared(
    tmp_path: Path, frequency: int
) -> None:
    storm = generator(2, what=f"frequency: {frequency} Hz, start: 3 ms")
    done = {}
    for connected in (0, 1):
        text = f"#define CONNECTED {connected}\n{STORM}"
        status, said, report = run(tmp_path, "dstorm", text, storm, "301ms")
        assert status == 0, said
        done[connected] = report
    (entry,) = interrupts(done[1]).values()
    assert entry["loop"] is None
    assert 0 < entry["max_delay_us"] <= entry["delay_bound_us"]
    assert 15 <= entry["longest_us"] <= 20
    assert entry["edges"] == entry["delivered"] + entry["pending"] + entry["lost"]
    if frequency * 2 * 500e-6 < 1:
        assert entry["delivered"] == entry["edges"] >= 500
    else:
        assert entry["lost_because"]["too_soon"] == entry["lost"] > 0
        assert 0.45 * 600 <= entry["delivered"] <= 602
    quiet, victim = loop(done[0], 1), loop(done[1], 1)
    assert victim["deadline_misses"] == loop(done[1], 2)["deadline_misses"] == 0
    assert victim["min_cpu_per_period_us"] >= 70_000
    assert victim["iterations"] >= 0.99 * quiet["iterations"]
    assert victim["max_response_us"] <= victim["response_bound_us"]
    assert done[1]["counters"]["pin_interrupts"] <= 3 * 602


WRONG = """
volatile unsigned long calls[12];
volatile float sum = 1;
void quick() { ++calls[2]; sum = sum * 1.5f; }
void endless() { ++calls[3]; if (calls[3] == 5) for (;;) { } }
void waits() { ++calls[4]; delay(1); Serial.println("never"); noInterrupts(); interrupts(); yield(); }
void gives() { ++calls[5]; detachInterrupt(5); }
void wild() { if (++calls[6] == 5) *(volatile int*)(1L << 40) = 1; }
void wakes_and_stays() { ++calls[7]; hocket::sys::unpark(2); if (calls[7] == 9) for (;;) { } }
void calls_endlessly() { ++calls[8]; if (calls[8] == 5) for (;;) digitalRead(9); }
int deep(int n) { volatile char room[512]; room[0] = n; return n == 0 ? room[0] : deep(n - 1) + 1; }
void recursive() { if (++calls[9] == 5) deep(100000); }
void setup() {
  Serial.begin(115200);
  attachInterruptDirect(2, quick, RISING, 20us, 1ms);
  attachInterruptDirect(3, endless, RISING, 20us, 1ms);
  attachInterruptDirect(4, waits, RISING, 40us, 1ms);
  attachInterruptDirect(5, gives, RISING, 20us, 1ms);
  attachInterruptDirect(6, wild, RISING, 20us, 1ms);
  attachInterruptDirect(7, wakes_and_stays, RISING, 20us, 1ms);
  attachInterruptDirect(8, calls_endlessly, RISING, 40us, 1ms);
  attachInterruptDirect(9, recursive, RISING, 20us, 1ms);
  attachInterruptDirect(99, quick, RISING, 10us, 1ms);
}
float other = 2;
void loop(1, 30, 100) { other = other * 1.0001f; if (other > 1e6f) other = 2; }
void loop(2, 10, 100) { hocket::sys::park_until_ns(~0ull); ++calls[10]; }
void loop(3, 5, 100) {
  if (millis() < 450) return delay(10);
  Serial.print(calls[10]); Serial.println(" woken");
  delay(9999);
}
"""


@long_form
def test_what_direct_handlers_do_wrong_is_told_and_stops_nothing_else(tmp_path: Path) -> None:
    text = WRONG.replace("attachInterruptDirect(99, quick, RISING, 10us, 1ms);", "")
    status, said, report = run(tmp_path, "dwrong", text, generator(*range(2, 10)), "501ms")
    assert status == 1, said  # two of them faulted
    assert "never" not in said.split("notice")[0]
    found = interrupts(report)
    assert found[2]["delivered"] == found[2]["edges"] >= 98
    assert found[3]["delivered"] == 5
    assert 20 <= found[3]["longest_us"] <= 21
    assert found[4]["delivered"] == found[4]["edges"] >= 98
    assert found[5]["delivered"] == 1
    assert found[6]["delivered"] == 5
    assert found[7]["delivered"] == 9
    assert 20 <= found[7]["longest_us"] <= 22
    assert found[8]["delivered"] == 5
    assert found[9]["delivered"] == 5
    for entry in found.values():
        assert entry["edges"] == entry["delivered"] + entry["pending"] + entry["lost"]
    notices = " ".join(report["notices"])
    for pin in (3, 7, 8):
        assert f"the direct handler of pin {pin} took" in notices
    assert "the direct handler of pin 4 called a function that may wait" in notices
    faults = {fault["kind"]: fault for fault in report["faults"]}
    assert set(faults) == {"bad access", "stack overflow"}
    assert faults["bad access"]["address"] == 1 << 40
    assert (faults["bad access"]["loop"], faults["bad access"]["pin"]) == (None, 6)
    assert (faults["stack overflow"]["loop"], faults["stack overflow"]["pin"]) == (None, 9)
    assert "fault: the direct handler of pin 6: bad access" in said
    assert loop(report, 1)["min_cpu_per_period_us"] >= 30_000
    assert loop(report, 1)["deadline_misses"] == 0
    assert "9 woken" in said.splitlines()


GROUPS = """
volatile unsigned long calls[8];
void one() { ++calls[0]; }
void two() { ++calls[1]; }
void now() { ++calls[2]; }
void setup() {
  interruptsVcpu(100us, 10);
  interruptsVcpu(300us, 10, forPins(4, 5));
  attachInterruptVcpu(2, one, RISING, 1, 10);
  attachInterruptVcpu(4, two, RISING, 1, 10);
  attachInterruptDirect(6, now, RISING, 20us, 500us);
}
void loop(1, 50, 100) { }
"""


@long_form
@pytest.mark.parametrize("cores", [pytest.param(1, marks=long_form), 2])
def test_a_storm_on_a_group_of_pins_takes_nothing_of_the_others(tmp_path: Path, cores: int) -> None:
    scenario = (
        "parts:\n  storm: {type: generator, pin: 4, frequency: 50 kHz, start: 3 ms}\n"
        "  calm: {type: generator, pin: 2, frequency: 500 Hz, start: 3 ms}\n"
        "  direct: {type: generator, pin: 6, frequency: 500 Hz, start: 3.3 ms}\n"
    )
    status, said, report = run(
        tmp_path, "dgroups", GROUPS, scenario, "201ms", "--cores", str(cores)
    )
    assert status == 0, said
    found = interrupts(report)
    assert found[2]["delivered"] == found[2]["edges"] >= 97
    assert found[6]["delivered"] == found[6]["edges"] >= 97
    assert found[4]["delivered"] > 100
    if cores == 1:
        for pin in (2, 6):
            assert found[pin]["max_delay_us"] <= found[pin]["delay_bound_us"]
    ios = [each for each in report["loops"] if each["kind"] == "io"]
    assert [each["core"] for each in ios] == [0, 0]
    assert loop(report, 1)["deadline_misses"] == 0


@long_form
def test_direct_handlers_and_groups_are_admitted(tmp_path: Path) -> None:
    done = run_hocket("check", kept("dgroups", GROUPS), *BOARD)
    assert done.returncode == 0, done.stderr
    assert "direct" in done.stdout
    full = GROUPS.replace("20us, 500us", "300us, 500us")
    done = run_hocket("check", kept("dgroups-full", full), *BOARD)
    assert done.returncode == 3
    assert "direct handlers" in done.stderr
