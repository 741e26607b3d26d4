"""Pin interrupts on the simulated board: every edge is accounted for, and budgets hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run_hocket
from tests.sketches import kept

from hocket.trace.eventlog import EventKind, in_order, read_log

Report = dict[str, Any]


def run(
    tmp_path: Path, name: str, sketch: str, scenario: str, time: str, *options: str
) -> tuple[int, str, Report]:
    """Exit status, Serial's text with what was said, and the report of a run."""
    file, facts = tmp_path / "scenario.yaml", tmp_path / "report.json"
    file.write_text(scenario, encoding="utf-8")
    words: list[str | Path] = ["--scenario", file, "--for", time, "--json", facts, *options]
    done = run_hocket("run", kept(name, sketch), *words)
    report = json.loads(facts.read_text()) if facts.is_file() else {}
    return done.returncode, done.stdout + done.stderr, report


def interrupts(report: Report) -> dict[int, Report]:
    """By pin; each account must balance."""
    for entry in report["interrupts"]:
        if entry["edges"] is not None:
            gone = entry["delivered"] + entry["pending"] + entry["lost"]
            assert entry["edges"] == gone, entry
            assert entry["lost"] == sum(entry["lost_because"].values()), entry
    return {entry["pin"]: entry for entry in report["interrupts"] if entry["edges"] is not None}


def loop(report: Report, number: int) -> Report:
    (found,) = (loop for loop in report["loops"] if loop["id"] == number)
    return dict(found)


MODES = """
volatile unsigned long calls[70];
template <int pin> void seen() { ++calls[pin]; }
void seen_param(void* where) { ++*static_cast<volatile unsigned long*>(where); }
void setup() {
  attachInterrupt(digitalPinToInterrupt(2), seen<2>, RISING);
  attachInterrupt(digitalPinToInterrupt(3), seen<3>, FALLING);
  attachInterruptParam(digitalPinToInterrupt(4), seen_param, CHANGE, (void*)&calls[4]);
  attachInterruptVcpu(5, seen<5>, CHANGE, 500us, 10ms);
  attachInterruptVcpu(6, seen<6>, RISING, 500us, 20ms);
}
void loop(1, 20, 100) {
  if (millis() < 900) return delay(10);
  Serial.begin(115200);
  for (int pin = 2; pin <= 6; ++pin) { Serial.print(calls[pin]); Serial.print(' '); }
  Serial.println("calls");
  delay(100000);
}
"""


def test_each_mode_counts_its_edges(tmp_path: Path) -> None:
    scenario = "parts:\n" + "".join(
        f"  g{pin}: {{type: generator, pin: {pin}, gaps: {{shortest: 0.1 ms, longest: 2.3 ms}}, "
        f"start: 2 ms, count: {600 + pin}}}\n"
        for pin in range(2, 7)
    )
    status, said, report = run(tmp_path, "modes", MODES, scenario, "1s")
    assert status == 0, said
    found = interrupts(report)
    # A generator's first edge rises: of n edges (n + 1) / 2 do.
    count = {pin: report["parts"][f"g{pin}"]["edges"] for pin in range(2, 7)}
    wanted = {
        2: (count[2] + 1) // 2,
        3: count[3] // 2,
        4: count[4],
        5: count[5],
        6: (count[6] + 1) // 2,
    }
    assert {pin: entry["edges"] for pin, entry in found.items()} == wanted
    assert all(count[pin] == 600 + pin for pin in wanted)
    assert all(entry["delivered"] == entry["edges"] for entry in found.values())
    line = next(line for line in said.splitlines() if line.endswith("calls"))
    assert [int(word) for word in line.split()[:5]] == [wanted[pin] for pin in range(2, 7)]
    assert [found[pin]["mode"] for pin in range(2, 7)] == [
        *("RISING", "FALLING", "CHANGE", "CHANGE", "RISING"),
    ]
    assert {found[2]["loop"], found[3]["loop"], found[4]["loop"]} == {254}
    assert found[5]["loop"] != found[6]["loop"]
    # Those with a virtual CPU of their own keep their bounds.
    for pin in (5, 6):
        assert 0 < found[pin]["max_delay_us"] <= found[pin]["delay_bound_us"]


STORM = """
volatile unsigned long received;
void edge() { ++received; }
static bool prime(unsigned n) {
  for (unsigned d = 3; d * d <= n; d += 2) if (n % d == 0) return false;
  return true;
}
void setup() {
  interruptsVcpu(1, 20);
  if (CONNECTED) attachInterruptVcpu(2, edge, CHANGE, 1, 20);
}
void loop(1, 70, 100) { static unsigned n = 3; prime(n); n += 2; }
"""


@pytest.mark.parametrize("cores", [1, 2])
def test_a_storm_takes_no_more_than_its_budgets(tmp_path: Path, cores: int) -> None:
    """One edge each microsecond: the loop's useful work is as without, to within the top halves."""
    storm = "parts:\n  storm: {type: generator, pin: 2, frequency: 500 kHz}\n"
    done = {}
    for connected in (0, 1):
        text = f"#define CONNECTED {connected}\n{STORM}"
        status, said, report = run(tmp_path, "storm", text, storm, "1001ms", "--cores", str(cores))
        assert status == 0, said
        done[connected] = report
    quiet, stormy = loop(done[0], 1), loop(done[1], 1)
    assert stormy["deadline_misses"] == 0
    assert stormy["max_response_us"] <= stormy["response_bound_us"]
    assert stormy["min_cpu_per_period_us"] >= 70_000
    # Each period has its 70 ms; what is more is what was declared and not taken (who-pays.md).
    assert stormy["iterations"] >= 0.995 * quiet["iterations"]
    (entry,) = interrupts(done[1]).values()
    assert entry["edges"] >= 990_000
    assert entry["delivered"] > 10_000
    assert entry["lost_because"]["no_room"] == entry["lost"] > 0
    (io,) = (each for each in done[1]["loops"] if each["kind"] == "io")
    # In any window of T a bandwidth-preserving server has C, and U of the rest.
    assert io["max_cpu_per_period_us"] <= io["budget_us"] * (2 - io["budget_us"] / io["period_us"])


SECTIONS = """
volatile unsigned long first, second, torn, calls;
void edge() {
  unsigned long a = first;
  if (a != second) ++torn;
  first = a + 1;
  for (volatile int i = 0; i < 40; ++i) { }
  second = a + 1;
  ++calls;
}
void setup() {
  Serial.begin(115200);
  attachInterruptVcpu(2, edge, CHANGE, 2, 10, onCore(1));
  attachInterruptVcpu(3, edge_of_another, RISING, 2, 10, onCore(0));
}
void edge_of_another() { delayMicroseconds(30); }
void loop(1, 30, 100, onCore(0)) {
  for (int i = 0; i < 100; ++i) {
    noInterrupts();
    unsigned long a = first;
    if (a != second) ++torn;
    delayMicroseconds(50);
    if (a != first || a != second) ++torn;
    first = second = a + 1;
    interrupts();
    delayMicroseconds(20);
  }
  Serial.print("torn "); Serial.print(torn); Serial.print(" calls "); Serial.println(calls);
}
"""


def test_sections_are_protected_from_handlers_on_all_cores(tmp_path: Path) -> None:
    scenario = (
        "parts:\n  a: {type: generator, pin: 2, gaps: {shortest: 0 ms, longest: 0.3 ms}}\n"
        "  b: {type: generator, pin: 3, gaps: {shortest: 0 ms, longest: 0.7 ms}}\n"
    )
    text = "void edge_of_another();\n" + SECTIONS
    status, said, report = run(tmp_path, "sections", text, scenario, "500ms", "--cores", "2")
    assert status == 0, said
    lines = [line for line in said.splitlines() if line.startswith("torn")]
    assert lines, said
    assert all(line.startswith("torn 0 ") for line in lines), lines
    found = interrupts(report)
    assert found[2]["delivered"] > 500
    assert found[2]["lost"] == 0
    sections = report["no_interrupts"]
    assert sections["sections"] >= 100
    assert sections["longest_us"] >= 50


# The handler gives loop 1 its permit while that waits for the handler's end.
PERMIT = """
volatile bool inside;
void edge() { inside = true; delay(10); hocket::sys::unpark(1); delay(10); inside = false; }
void say(bool permit) { Serial.println(permit ? "has it" : "has lost it"); }
bool park() { return hocket::sys::park_until_ns(hocket::sys::now_ns() + 1000000); }
void setup() {
  Serial.begin(115200);
  attachInterruptVcpu(2, edge, RISING, 5, 50);
}
void loop(1, 10, 100) {
  park();
  while (!inside) delay(1);
  noInterrupts();
  Serial.println(inside ? "too early" : "in order");
  interrupts();
  say(park());
  say(park());
  delay(10000);
}
"""


@pytest.mark.parametrize("board", ["sim", "virt"])
@pytest.mark.parametrize("cores", ["1", "2"])
def test_a_section_leaves_a_loop_its_permit(tmp_path: Path, board: str, cores: str) -> None:
    scenario = "parts:\n  g: {type: generator, pin: 2, frequency: 2 Hz}\n"
    options = ("--board", board, "--cores", cores)
    status, said, _ = run(tmp_path, "section-permit", PERMIT, scenario, "700ms", *options)
    assert status == 0, said
    lines = [line for line in said.splitlines() if line.startswith(("has", "in order", "too"))]
    assert lines == ["in order", "has it", "has lost it"]


HELD = """
volatile unsigned long calls;
void edge() { ++calls; }
void setup() { Serial.begin(115200); attachInterrupt(2, edge, RISING); }
void loop(1, 10, 100) {
  noInterrupts();
  unsigned long before = calls;
  delay(250);
  Serial.print("held "); Serial.print(calls - before);
  interrupts();
  delay(50);
  Serial.print(" then "); Serial.println(calls - before);
}
"""


def test_edges_are_remembered_while_handlers_are_held(tmp_path: Path) -> None:
    scenario = "parts:\n  g: {type: generator, pin: 2, frequency: 1 kHz}\n"
    status, said, report = run(tmp_path, "held", HELD, scenario, "700ms")
    assert status == 0, said
    lines = [line.split() for line in said.splitlines() if line.startswith("held 0")]
    assert len(lines) == 2
    for line in lines:
        assert 295 <= int(line[3]) <= 301  # 250 ms of them, and those of the 50 ms after it
    (entry,) = interrupts(report).values()
    assert entry["lost"] == 0
    assert report["no_interrupts"]["longest_us"] >= 250_000
    assert entry["max_delay_us"] <= entry["delay_bound_us"]  # counted from interrupts() on


WRONG = """
volatile unsigned long good;
void fine() { ++good; }
void faulty() { if (millis() > 100) *(volatile int*)16 = 1; }
void endless() { for (;;) { } }
void sleeper() { delay(3); }
void again() { attachInterruptVcpu(7, fine, RISING, 500us, 20); detachInterrupt(7); }
void setup() {
  attachInterrupt(99, fine, RISING);
  attachInterrupt(NOT_AN_INTERRUPT, fine, RISING);
  attachInterrupt(2, fine, 77);
  attachInterrupt(2, nullptr, RISING);
  detachInterrupt(8);
  attachInterrupt(2, fine, RISING);
  attachInterruptVcpu(3, faulty, RISING, 1, 10);
  attachInterruptVcpu(4, endless, RISING, 1, 10);
  attachInterruptVcpu(5, sleeper, RISING, 500us, 10);
  attachInterruptVcpu(6, again, RISING, 500us, 20);
}
void loop(1, 40, 100) { }
"""


def test_what_goes_wrong_is_told_and_stops_nothing_else(tmp_path: Path) -> None:
    scenario = "parts:\n" + "".join(
        f"  g{pin}: {{type: generator, pin: {pin}, frequency: 200 Hz}}\n" for pin in range(2, 7)
    )
    status, said, report = run(tmp_path, "wrong", WRONG, scenario, "501ms")
    found = interrupts(report)
    assert status == 1, said  # a handler faulted
    notices = " ".join(report["notices"])
    assert "setup() attached a handler to pin 99, which has no interrupt on this board" in notices
    assert "pin -1, which has no interrupt" in notices
    assert "with the mode 77, which nobody knows" in notices
    assert "attached a null pointer to pin 2" in notices
    assert "detached pin 8, to which nothing is attached" in notices
    assert [fault["loop"] for fault in report["faults"]] == [found[3]["loop"]]
    assert found[2]["delivered"] == found[2]["edges"] >= 95
    assert 15 <= found[3]["delivered"] <= 22
    assert found[4]["delivered"] == 1
    assert found[4]["pending"] == found[4]["edges"] - 1
    endless = loop(report, found[4]["loop"])
    assert endless["max_cpu_per_period_us"] <= 1_000 + 100
    assert endless["min_cpu_per_period_us"] >= 1_000
    assert found[5]["delivered"] >= 95
    assert found[6]["delivered"] == found[6]["edges"] >= 95  # attaching in a handler is legal
    assert found[7]["edges"] == 0
    assert loop(report, 1)["min_cpu_per_period_us"] >= 40_000
    assert loop(report, 1)["deadline_misses"] == 0


GIVEN_UP = """
volatile uint32_t asked, tries;
void late() {
  delay(1098);
  uint32_t until = asked + 1000000 - 12;
  while ((int32_t)((uint32_t)micros() - until) < 0) {}
  for (volatile unsigned i = 0; i < tries; i++) {}
  noInterrupts();
  interrupts();
}
void setup() {
  Serial.begin(115200);
  pinMode(3, OUTPUT);
  attachInterruptVcpu(2, late, RISING, 10ms, 100ms);
}
void loop(1, 10, 50) {
  digitalWrite(3, HIGH); delay(100); digitalWrite(3, LOW);
  asked = micros();
  noInterrupts();
  interrupts();
  if (++tries == 380) Serial.println("all tries");
  delay(1200);
}
"""


def test_a_handler_may_want_a_section_just_when_it_is_given_up(tmp_path: Path) -> None:
    # Each try calls noInterrupts() an instruction or so later; the loop gives up in one of them.
    scenario = "parts: {w: {type: wire, pins: [2, 3]}}"
    status, said, report = run(tmp_path, "givenup", GIVEN_UP, scenario, "900s")
    assert status == 0, said
    assert "all tries" in said
    given_up = report["no_interrupts"]["handlers_given_up"]
    assert 10 < given_up < 370  # what the tries were to go through lies between
    found = interrupts(report)[2]
    assert found["delivered"] == found["edges"] >= 380


FULL_ROW = """
volatile int boom;
void waits(void*) {
  while (!boom) delayMicroseconds(10);
  *(volatile int*)0 = 1;
}
void setup() {
  for (int p = 0; p < 68; ++p) attachInterruptParam(p, waits, RISING, nullptr);
  pinMode(68, OUTPUT);
}
void periodic(1, 20us, 120us, 60us) { digitalWrite(68, HIGH); digitalWrite(68, LOW); }
void loop(2, 1, 100) { delay(50); boom = 1; delay(100000); }
"""


def test_a_handler_that_stops_with_many_pins_keeps_nobody_waiting(tmp_path: Path) -> None:
    # The last pin that asked is the first one that is let go; some ask again later, some do not.
    scenario = "parts:\n" + "".join(
        f"  g{pin}: {{type: generator, pin: {pin}, edges: [{(269 - pin) / 10} ms{again}]}}\n"
        for pin, again in ((pin, ", 80 ms, 90 ms" if pin % 2 else "") for pin in range(68))
    )
    status, said, report = run(tmp_path, "fullrow", FULL_ROW, scenario, "200ms")
    assert status == 1, said  # the handlers' loop has stopped
    assert loop(report, 1)["deadline_misses"] == 0
    overheads = report["overheads"]
    assert overheads["longest_masked_seen_us"] <= overheads["longest_masked_us"]
    found = interrupts(report)
    for pin in range(68):
        assert found[pin]["pending"] == 0
        assert (
            found[pin]["delivered"] + found[pin]["lost_because"]["stopped"] == found[pin]["edges"]
        )
    assert sum(entry["delivered"] for entry in found.values()) == 1


MANY_LOOPS = """
void endless() { for (;;) delayMicroseconds(100); }
void once() {}
void setup() { attachInterrupt(2, endless, RISING); pinMode(50, OUTPUT); }
void periodic(1, 20us, 120us, 60us) { digitalWrite(50, HIGH); digitalWrite(50, LOW); }
void loop(2, 1, 100) {
  attachInterrupt(4, once, RISING);
  detachInterrupt(4);
  if (millis() < 50) return delay(1);
  noInterrupts();
  interrupts();
  delay(1000000);
}
"""


def test_many_loops_make_no_section_longer(tmp_path: Path) -> None:
    loops = "".join(f"void loop({i}, 20us, 100) {{ delay(1000000); }}\n" for i in range(3, 241))
    scenario = "parts: {g: {type: generator, pin: 2, frequency: 100 Hz}}\n"
    status, said, report = run(tmp_path, "manyloops", MANY_LOOPS + loops, scenario, "1200ms")
    assert status == 0, said
    assert report["no_interrupts"]["handlers_given_up"] == 1
    assert loop(report, 1)["deadline_misses"] == 0
    overheads = report["overheads"]
    assert overheads["longest_masked_seen_us"] <= overheads["longest_masked_us"]


KEPT = """
volatile int calls;
void seen() { ++calls; }
void setup() { Serial.begin(115200); noInterrupts(); attachInterrupt(2, seen, RISING); delay(95); }
void loop(1, 10, 100) {
  if (millis() < 290) return delay(1);
  interrupts();
  Serial.print(calls); Serial.println(" calls");
  if (HOLD) noInterrupts();
  delay(100000);
}
"""


@pytest.mark.parametrize("held", [0, 1])
def test_setup_cannot_keep_handlers_back_and_who_does_is_told(tmp_path: Path, held: int) -> None:
    scenario = "parts: {g: {type: generator, pin: 2, frequency: 100 Hz, start: 3 ms}}"
    text = f"#define HOLD {held}\n{KEPT}"
    status, said, report = run(tmp_path, "kept", text, scenario, "600ms")
    assert status == 0, said
    assert "29 calls" in said.splitlines()
    assert [n for n in report["notices"] if "setup() called noInterrupts() and ended without" in n]
    sections = report["no_interrupts"]
    assert sections["sections"] == 1 + held
    longest = sections["longest_us"]  # one that has not ended counts until the run's end
    assert longest >= 300_000 if held else 95_000 <= longest <= 101_000
    (entry,) = interrupts(report).values()
    assert entry["delivered"] == (29 if held else 60)
    assert entry["pending"] == entry["edges"] - entry["delivered"]


LEVEL = """
volatile unsigned long calls;
void low() { ++calls; digitalWrite(8, HIGH); }
void setup() {
  pinMode(8, OUTPUT); digitalWrite(8, HIGH);
  attachInterruptVcpu(2, low, LOW, 1, 10);
}
void loop(1, 10, 100) { digitalWrite(8, LOW); delay(50); }
"""


def test_a_level_interrupts_until_the_handler_has_seen_to_it(tmp_path: Path) -> None:
    scenario = "parts:\n  w: {type: wire, pins: [2, 8]}\n"
    _, said, report = run(tmp_path, "level", LEVEL, scenario, "501ms")
    (entry,) = interrupts(report).values()
    assert entry["delivered"] == 10, said
    assert entry["pending"] == entry["lost"] == 0
    held = LEVEL.replace("digitalWrite(8, HIGH); }\nvoid setup", "}\nvoid setup")
    _, said, report = run(tmp_path, "level", held, scenario, "501ms")
    (entry,) = interrupts(report).values()
    assert entry["delivered"] > 100  # again and again, on its budget
    assert loop(report, entry["loop"])["max_cpu_per_period_us"] <= 1_100


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


def test_handlers_are_admitted_with_the_loops(tmp_path: Path) -> None:
    text = "void f() {}\nvoid setup() { attachInterruptVcpu(2, f, RISING, 60, 100); }\n"
    text += "void loop(1, 70, 100) {}\n"
    done = run_hocket("check", kept("full", text), "--json", tmp_path / "r.json")
    assert done.returncode == 3
    assert "cannot guarantee it" in done.stderr
    assert "full.ino:2" in done.stderr, done.stderr
    done = run_hocket("check", kept("full", text.replace("60, 100", "2, 10")))
    assert done.returncode == 0, done.stderr
    assert "delay bound" in done.stdout
    twice = text.replace(
        "60, 100);",
        "1, 10); interruptsVcpu(1, 10, forPins(1, 3)); interruptsVcpu(1, 20, forPin(2));",
    )
    done = run_hocket("check", kept("full", twice))
    assert done.returncode == 2
    assert "one pin's interruptsVcpu() is written twice" in done.stderr


@pytest.mark.parametrize(
    ("period_us", "handlers_us", "least_us"), [(10_000, 1_000, 160), (7_000, 900, 125)]
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


CROWD = """
void nothing() {}
void setup() {
  pinMode(69, OUTPUT);
  attachInterruptVcpu(2, nothing, RISING, 500us, 5ms);
  interruptsVcpu(500us, 5ms);
}
void periodic(1, 20us, 120us, 60us, onCore(0)) { digitalWrite(69, HIGH); digitalWrite(69, LOW); }
void loop(255, 10, 100, onCore(0)) { attachInterrupt(68, nothing, HIGH); detachInterrupt(68); }
"""


@pytest.mark.parametrize("cores", [4, 64])
def test_many_cores_that_attach_all_the_time_mask_nobody_for_long(
    tmp_path: Path, cores: int
) -> None:
    crowd = "".join(
        f"void loop({core + 1}, 90, 100, onCore({core})) "
        f"{{ attachInterrupt({core + 2}, nothing, HIGH); detachInterrupt({core + 2}); }}\n"
        for core in range(1, cores)
    )
    scenario = "parts: {g: {type: generator, pin: 2, frequency: 1 kHz}}\n"
    status, said, report = run(
        tmp_path, "crowd", CROWD + crowd, scenario, "20ms", "--cores", str(cores)
    )
    assert status == 0, said
    victim = loop(report, 1)
    assert victim["deadline_misses"] == 0
    assert victim["max_response_us"] <= victim["response_bound_us"]
    overheads = report["overheads"]
    assert overheads["longest_masked_seen_us"] <= overheads["longest_masked_us"]
    # Nobody is passed over for good: all get about the same.
    turns = [loop(report, core + 1)["iterations"] for core in range(1, cores)]
    assert min(turns) > 0.5 * max(turns) > 10
    entry = interrupts(report)[2]
    assert entry["delivered"] >= entry["edges"] - 1
    assert entry["max_delay_us"] <= entry["delay_bound_us"]


TURNS = """
void seen() { }
void setup() {
  interruptsVcpu(500us, 10);
  for (int pin = 2; pin < 8; ++pin) attachInterruptVcpu(pin, seen, CHANGE, 1, 10);
}
void loop(1, 30, 100) { noInterrupts(); interrupts(); }
"""


@pytest.mark.parametrize("cores", [1, 3])
def test_halves_take_no_longer_than_declared(tmp_path: Path, cores: int) -> None:
    """boards/sim/board_pins.h declares them, and bounds are reckoned with them."""
    declared = dict(
        re.findall(
            r"k(TopHalf|BottomHalf) = ([\d']+);", Path("boards/sim/board_pins.h").read_text()
        )
    )
    top, bottom = (int(declared[name].replace("'", "")) for name in ("TopHalf", "BottomHalf"))
    half_period = 2_000_000
    scenario = "parts:\n" + "".join(
        f"  g{pin}: {{type: generator, pin: {pin}, frequency: 250 Hz, start: 50 ms}}\n"
        for pin in range(2, 8)
    )
    log = tmp_path / "turns.hklog"
    options = ("--cores", str(cores), "--trace", str(log))
    _, said, report = run(tmp_path, "turns", TURNS, scenario, "1s", *options)
    assert len(interrupts(report)) == 6, said
    switch = 1000 * report["overheads"]["context_switch_us"]
    events = [e for e in in_order(read_log(log)) if e.time_ns >= 50_000_000]
    io = {e.thread for e in events if e.kind == EventKind.EDGES_TAKEN}
    (core,) = {e.core for e in events if e.kind == EventKind.EDGES_TAKEN}
    turns, gaps, firsts, alone = 0, [], [], None
    for event in events:
        if event.core != core:
            continue
        if event.kind == EventKind.PIN_INTERRUPT:
            # All edges come at one instant. From there to here is the way to the handler.
            firsts.append(event.time_ns % half_period)
            alone = None
        elif event.kind == EventKind.EDGES_TAKEN:
            turns += 1
            if alone is not None:
                gaps.append(event.time_ns - alone)
            alone = event.time_ns
        elif event.kind == EventKind.DISPATCH and event.thread not in io:
            alone = None  # somebody else ran between two of its turns
    assert turns > 2_000
    assert len(gaps) > 1_000
    assert max(gaps) <= bottom, max(gaps)
    assert max(gaps) > bottom / 4, "declared far too high"
    masked = 1000 * report["overheads"]["longest_masked_us"]
    assert max(firsts) <= top + switch + masked, max(firsts)


def test_the_shared_loop_is_as_the_sketch_says(tmp_path: Path) -> None:
    text = "HOCKET_INTERRUPT_LOOP(9, 2ms, 20ms)\nvoid f() { }\n"
    text += "void setup() { attachInterrupt(2, f, RISING); }\nvoid loop(1, 10, 100) { }\n"
    done = run_hocket("check", kept("shared", text), "--json", tmp_path / "r.json")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    assert loop(report, 9)["kind"] == "isr"
    assert (loop(report, 9)["budget_us"], loop(report, 9)["period_us"]) == (2_000, 20_000)
    assert [each["kind"] for each in report["loops"]] == ["loop", "isr", "io"]
