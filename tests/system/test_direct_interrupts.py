"""Handlers in the top half: counted in admission, checked while they run, and nobody else's loss."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import run_hocket
from tests.interrupts import generators, interrupts, loop, on, run
from tests.sketches import kept

STORM = """
volatile unsigned long calls, soonest = 1000000, last;
void seen() {
  unsigned long now = micros();
  if (calls && now - last < soonest) soonest = now - last;
  last = now;
  ++calls;
  delayMicroseconds(15);
}
void setup() {
  Serial.begin(115200);
  if (CONNECTED) attachInterruptDirect(2, seen, CHANGE, 20us, 500us);
}
void loop(1, 70, 100) {
  static unsigned long n;
  ++n;
  if (n != 1500000) return;
  Serial.print(calls); Serial.print(' '); Serial.print(soonest); Serial.println(" calls");
}
void loop(2, 10, 100) { delay(5); }
"""


@one_in(5)
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("frequency", [500_000, 2_300, 900])
def test_a_storm_of_direct_interrupts_takes_what_was_declared(
    tmp_path: Path, cores: int, frequency: int
) -> None:
    storm = f"parts:\n  storm: {{type: generator, pin: 2, frequency: {frequency} Hz}}\n"
    text = f"#define CONNECTED 1\n{STORM}"
    status, said, report = run(tmp_path, "dstorm", text, storm, "1001ms", "--cores", str(cores))
    assert status == 0, said
    (entry,) = interrupts(report).values()
    assert entry["loop"] is None
    assert 0 < entry["max_delay_us"] <= entry["delay_bound_us"]
    assert 15 <= entry["longest_us"] <= 20
    arriving = 2 * frequency
    assert entry["edges"] == pytest.approx(arriving * 1.001, rel=0.01)
    if arriving * 500e-6 < 1:  # edges come as far apart as declared: all are handled
        assert entry["delivered"] == entry["edges"]
    else:
        assert entry["lost_because"]["too_soon"] == entry["lost"] > 0
        assert 0.45 * 2_000 <= entry["delivered"] <= 2_003
    said_calls = [line.split() for line in said.splitlines() if line.endswith(" calls")]
    assert int(said_calls[0][1]) >= 500 - 40  # no nearer than declared, but for what delayed one
    victim = loop(report, 1)
    assert victim["deadline_misses"] == loop(report, 2)["deadline_misses"] == 0
    assert victim["min_cpu_per_period_us"] >= 70_000
    assert victim["max_response_us"] <= victim["response_bound_us"]
    assert loop(report, 2)["max_response_us"] <= loop(report, 2)["response_bound_us"]
    # No more of the core than the analysis has counted.
    taken = report["counters"]["pin_interrupts"]
    assert taken <= 3 * 2_003


WRONG = """
volatile unsigned long calls[10];
void quick() { ++calls[2]; }
void too_long() { ++calls[3]; if (calls[3] == 50) delayMicroseconds(400); }
void waits() { ++calls[4]; delay(1); Serial.println("never"); noInterrupts(); interrupts(); }
void gives() { ++calls[5]; detachInterrupt(5); }
void pins(int pin) { attachInterruptDirect(pin, quick, RISING, 10us, 1ms); }
// (Constants are refused before the run.)
volatile int nowhere = 99, mode = 12;
void setup() {
  pins(2);
  attachInterruptDirect(3, too_long, RISING, 10us, 1ms);
  attachInterruptDirect(4, waits, RISING, 10us, 1ms);
  attachInterruptDirect(5, gives, RISING, 10us, 1ms);
  pins(6);
  attachInterruptDirect(nowhere, quick, RISING, 10us, 1ms);
  attachInterruptDirect(7, quick, mode, 10us, 1ms);
  attachInterruptDirect(7, nullptr, RISING, 10us, 1ms);
}
void loop(1, 40, 100) { }
"""


def test_what_direct_handlers_do_wrong_is_told_and_stops_nothing_else(tmp_path: Path) -> None:
    scenario = "parts:\n" + "".join(
        f"  g{pin}: {{type: generator, pin: {pin}, frequency: 200 Hz}}\n" for pin in range(2, 7)
    )
    status, said, report = run(tmp_path, "dwrong", WRONG, scenario, "501ms")
    assert status == 0, said
    assert "never" not in said.split("notice")[0]
    found = interrupts(report)
    assert found[2]["delivered"] == found[2]["edges"] >= 99
    assert found[3]["delivered"] == 50
    assert found[3]["longest_us"] >= 400
    assert found[4]["delivered"] == found[4]["edges"] >= 99
    assert found[5]["delivered"] == 1
    assert 6 not in found
    notices = " ".join(report["notices"])
    assert "the direct handler of pin 3 took" in notices
    assert "the direct handler of pin 4 called a function that may wait" in notices
    assert "direct handler to pin 6, whose attachInterruptDirect() has another pin" in notices
    assert "attached a handler to pin 99, which has no interrupt" in notices
    assert "mode 12, which does not exist" in notices
    assert "attached a null pointer to pin 7" in notices
    assert loop(report, 1)["min_cpu_per_period_us"] >= 40_000
    assert loop(report, 1)["deadline_misses"] == 0


FAULTS = {
    "*(volatile int*)16 = 1;": "bad access",
    "sink = deeper(100000);": "stack overflow",
    "abort();": "abort",
    "exit(1);": "call",
}
FAULTY = """
#include <stdlib.h>
volatile int calls, sink;
static int deeper(int n) {
  volatile char row[64];
  row[n & 63] = n;
  return n == 0 ? row[3] : deeper(n - 1) + row[n & 63];
}
void bad() {
  if (++calls % 5 != 0) return;
  WRONG
}
volatile unsigned long good;
void fine() { ++good; }
void setup() {
  attachInterruptDirect(3, fine, CHANGE, 10us, 1ms);
  attachInterruptDirect(2, bad, RISING, 900us, 4ms);
}
void loop(1, 20, 100) { }
void loop(2, 10, 100) {
  delay(100);
  if (calls == 5) attachInterrupt(4, fine, RISING);
}
"""


@one_in(5)
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("wrong", FAULTS)
def test_a_direct_handler_that_faults_stops_nobody_else(
    tmp_path: Path, wrong: str, cores: int
) -> None:
    text = FAULTY.replace("WRONG", wrong)
    scenario = generators([2, 3, 4], "frequency: 200 Hz")
    status, said, report = run(tmp_path, "dfault", text, scenario, "401ms", *on("sim", cores))
    assert status == 1, said
    (fault,) = report["faults"]
    assert (fault["loop"], fault["pin"], fault["kind"]) == (None, 2, FAULTS[wrong])
    if fault["kind"] != "abort":  # that is the C library's code
        assert "dfault.ino:" in fault["text"]
    assert "fault: the direct handler of pin 2: " in said
    found = interrupts(report)
    assert found[2]["delivered"] == 5  # and the pin is detached
    assert found[3]["delivered"] == found[3]["edges"] >= 159
    assert found[4]["delivered"] > 20  # the other ways of attaching work, too
    for number in (1, 2):
        assert loop(report, number)["deadline_misses"] == 0
    assert loop(report, 1)["min_cpu_per_period_us"] >= 20_000


@one_in(3)
@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ("1ms, 1ms", "length must be shorter than its distance"),
        ("0, 1ms", "length must be more than 0"),
        ("some, 10", "must be constants"),
    ],
)
def test_length_and_distance_are_checked_while_compiling(
    tmp_path: Path, numbers: str, said: str
) -> None:
    text = "void f() {}\nint some = millis();\n"
    text += f"void setup() {{ attachInterruptDirect(2, f, RISING, {numbers}); }}\n"
    text += "void loop(1, 70, 100) {}\n"
    done = run_hocket("check", kept("dnumbers", text))
    assert done.returncode == 2
    assert said in done.stderr


@long_form
def test_direct_handlers_are_admitted(tmp_path: Path) -> None:
    text = "void f() {}\nvoid setup() { attachInterruptDirect(2, f, RISING, 300us, 1ms); }\n"
    text += "void loop(1, 70, 100) {}\n"
    done = run_hocket("check", kept("dfull", text))
    assert done.returncode == 3
    assert "direct handlers" in done.stderr
    done = run_hocket("check", kept("dfull", text.replace("300us", "20us")))
    assert done.returncode == 0, done.stderr
    assert "direct" in done.stdout


@pytest.mark.parametrize("policy", ["vcpu", "edf"])
def test_what_waits_for_the_end_of_a_handler_makes_no_interrupt_longer(
    tmp_path: Path, policy: str
) -> None:
    """80 loops ask for a section; when the handler ends, they may ask again, one after the other."""
    sections = "".join(
        f"void loop({i}, 100us, 60ms) {{ noInterrupts(); for (volatile int k = 0; k < 30; k++); "
        "interrupts(); delay(0); }\n"
        for i in range(2, 82)
    )
    text = (
        "volatile int n;\nvoid seen() { n = n + 1; }\n"
        "void setup() { attachInterruptDirect(3, seen, RISING, 5us, 7ms); }\n"
        "void periodic(1, 100us, 1ms) { for (volatile int k = 0; k < 1000; k++); }\n" + sections
    )
    scenario = generators([3], "frequency: 120 Hz")
    status, said, report = run(
        tmp_path, "dwaits", text, scenario, "301ms", "--cores", "1", "--policy", policy
    )
    assert status == 0, said
    assert report["no_interrupts"]["sections"] > 500
    costs = report["overheads"]
    assert costs["longest_masked_seen_us"] <= costs["longest_masked_us"]
    victim = loop(report, 1)
    assert victim["max_response_us"] <= victim["response_bound_us"]
    assert victim["iterations"] >= 299


# The end of a direct handler wakes the loop that waits for a section, and that loop runs at once, in the
# place of one of many whose budgets are nearly used up: all in one masked section.
WAITS_FOR_A_SECTION = """
volatile unsigned sink;
void direct() { sink = sink + 1; }
void slow() { delay(2); }
void setup() {
  attachInterruptDirect(4, direct, CHANGE, 3us, 200us);
  attachInterruptVcpu(6, slow, CHANGE, 200us, 1ms);
}
void loop(1, 400us, 5ms) { noInterrupts(); delayMicroseconds(20); interrupts(); }
"""


def test_what_the_end_of_a_direct_handler_masks_is_within_what_is_declared(tmp_path: Path) -> None:
    """The handler and its top half are counted apart from the switch behind them, and so they are judged."""
    others = "".join(
        f"void loop({number}, 11us, 10ms) {{ for (unsigned n = {number * 7 % 40}; n-- > 0;) sink = n; }}\n"
        for number in range(10, 70)
    )
    scenario = (
        "parts:\n"
        "  a: {type: generator, pin: 4, gaps: {shortest: 200 us, longest: 700 us}}\n"
        "  b: {type: generator, pin: 6, gaps: {shortest: 0 us, longest: 10 us}}\n"
    )
    status, said, report = run(tmp_path, "dwaits", WAITS_FOR_A_SECTION + others, scenario, "600ms")
    assert status == 0, said
    overheads = report["overheads"]
    length = interrupts(report)[4]["longest_us"]
    assert overheads["longest_masked_seen_us"] > overheads["longest_masked_us"] + length
    assert overheads["exceeded"] == []
    # The switch alone is what `longest_masked` is declared for.
    (direct,) = report["bounds"]["direct"]
    top_half = direct["top_half"] * 1e6 / report["bounds"]["ticks_per_second"]
    most = overheads["longest_masked_us"] + length + top_half
    assert overheads["longest_masked_seen_us"] <= most


# Each second edge lets a loop go on that wants more than its budget. The handler's time is in the account
# of admission: neither the loop that it interrupts pays for it, nor is the woken loop spared it.
WAKES = """
#include "TimeServices.h"
Semaphore go(0);
volatile unsigned sink;
void direct() {
  static unsigned edges;
  if (AT == 0) delayMicroseconds(300);
  if (++edges % 2 == 0 && WAKES) WAKE;
  if (AT == 1) delayMicroseconds(300);
}
void setup() { attachInterruptDirect(4, direct, CHANGE, 305us, 2ms); }
void loop(1, 200us, 2ms) {
  PAUSE;
  for (unsigned n = 0; n < 7800; n++) sink = n;
}
void loop(2, 1ms, 4ms) {
  static unsigned rounds, before, least = 1000000000, periods;
  const unsigned long start = micros();
  for (;;) {
    for (unsigned i = 0; i < 50; i++) sink = sink + 1;
    rounds += 50;
    if (micros() - start < (periods + 1) * 4000) continue;
    if (++periods > 2 && rounds - before < least) least = rounds - before;
    before = rounds;
    if (periods != 50) continue;
    Serial.begin(1000000);
    Serial.print("least "); Serial.println(least);
  }
}
"""


@one_in(3)
@pytest.mark.parametrize("policy", ["vcpu", "edf"])
@pytest.mark.parametrize(
    "wake", ["go.v(), go.p()", "hocket::sys::unpark(1), hocket::sys::park_until_ns(~0ull)"]
)
@pytest.mark.parametrize("late", [True, False])
def test_a_direct_handler_that_wakes_a_loop_takes_nothing_of_the_one_that_it_interrupts(
    tmp_path: Path, policy: str, wake: str, late: bool
) -> None:
    """The woken loop's own work stays within its C and what is paid for and not taken (w)."""
    given, awaited = wake.split(", ")
    least = {}
    for wakes in (0, 1):
        defined = {"AT": int(not late), "WAKES": wakes, "WAKE": given, "PAUSE": awaited}
        text = "".join(f"#define {name} {value}\n" for name, value in defined.items()) + WAKES
        scenario = generators([4], "frequency: 249 Hz")
        status, said, report = run(
            tmp_path, "dwakes", text, scenario, "230ms", "--cores", "1", "--policy", policy
        )
        assert status == 0, said
        assert report["overheads"]["exceeded"] == []
        (line,) = [line for line in said.splitlines() if line.startswith("least ")]
        least[wakes] = int(line.split()[1])
    woken, victim = loop(report, 1), loop(report, 2)
    assert woken["budget_exhausted"] > 30
    costs = report["overheads"]
    activation = 2 * (costs["interrupt_entry_us"] + costs["context_switch_us"])
    assert woken["max_cpu_per_period_us"] <= woken["budget_us"] + activation
    assert victim["min_cpu_per_period_us"] >= victim["budget_us"]
    assert least[1] >= 0.97 * least[0]
