"""Sections of noInterrupts(): no handler is in the middle, no edge is forgotten, and nobody else waits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.campaign import except_virt, long_form, one_in
from tests.interrupts import HALVES, generators, interrupts, loop, on, run

SECTIONS = """
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


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_sections_are_protected_from_handlers_on_all_cores(tmp_path: Path, board: str) -> None:
    scenario = (
        "parts:\n  a: {type: generator, pin: 2, gaps: {shortest: 0 ms, longest: 0.3 ms}}\n"
        "  b: {type: generator, pin: 3, gaps: {shortest: 0 ms, longest: 0.7 ms}}\n"
    )
    text = "void edge_of_another();\n" + HALVES + SECTIONS
    status, said, report = run(tmp_path, "sections", text, scenario, "300ms", *on(board, 2))
    assert status == 0, said
    lines = [line for line in said.splitlines() if line.startswith("torn")]
    assert lines, said
    assert all(line.startswith("torn 0 ") for line in lines), lines
    found = interrupts(report)
    assert found[2]["delivered"] > 300
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


@one_in(4)
@pytest.mark.parametrize("board", ["sim", "virt"])
@pytest.mark.parametrize("cores", [1, 2])
def test_a_section_leaves_a_loop_its_permit(tmp_path: Path, board: str, cores: int) -> None:
    scenario = generators([2], "frequency: 2 Hz")
    status, said, _ = run(tmp_path, "section-permit", PERMIT, scenario, "700ms", *on(board, cores))
    assert status == 0, said
    lines = [line for line in said.splitlines() if line.startswith(("has", "in order", "too"))]
    assert lines == ["in order", "has it", "has lost it"]


HELD = """
HOCKET_LONGEST_SECTION(300ms)
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


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_edges_are_remembered_while_handlers_are_held(tmp_path: Path, board: str) -> None:
    scenario = generators([2], "frequency: 1 kHz")
    status, said, report = run(tmp_path, "held", HELD, scenario, "700ms", *on(board))
    assert status == 0, said
    lines = [line.split() for line in said.splitlines() if line.startswith("held 0")]
    assert len(lines) == 2
    for line in lines:
        assert 295 <= int(line[3]) <= 301  # 250 ms of them, and those of the 50 ms after it
    (entry,) = interrupts(report).values()
    assert entry["lost"] == entry["may_have_merged"] == 0
    assert report["no_interrupts"]["longest_us"] >= 250_000
    assert entry["max_delay_us"] <= entry["delay_bound_us"]  # the section's 300 ms are in it


# Loop 2 asks for its section while the handler of pin 2 is in the middle. Loop 1 has the core when that
# returns, so the section begins 10 ms later; it never ends. The edge of pin 3 comes before it has begun.
BEGINS_LATE = """
#include <TimeServices.h>
Semaphore spinner(0), section(0);
volatile unsigned calls;
HOCKET_INTERRUPT_LOOP(254, 100us, 1ms, onCore(0))
void slow() { spinner.v(); section.v(); Alarm::delay(2000); }
void quick() { ++calls; }
void setup() {
  attachInterrupt(2, slow, RISING);
  ATTACH;
}
void loop(1, 12ms, 30ms, onCore(1)) { spinner.p(); Alarm::delay(700); for (;;) {} }
void loop(2, 1ms, 40ms, onCore(1)) { section.p(); noInterrupts(); for (;;) delay(1); }
"""
SECOND_HANDLER = "attachInterruptVcpu(3, quick, RISING, 100us, 1ms, onCore(0))"


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
@pytest.mark.parametrize("attach", ["attachInterrupt(3, quick, RISING)", SECOND_HANDLER])
def test_a_section_that_begins_late_holds_no_longer_than_counted(
    tmp_path: Path, board: str, attach: str
) -> None:
    scenario = (
        "parts:\n  a: {type: generator, pin: 2, start: 20 ms, frequency: 1 Hz}\n"
        "  b: {type: generator, pin: 3, start: 22.5 ms, frequency: 1 Hz}\n"
    )
    text = BEGINS_LATE.replace("ATTACH", attach)
    status, said, report = run(tmp_path, "begins-late", text, scenario, "200ms", *on(board, 2))
    assert status == 0, said
    found, sections = interrupts(report), report["no_interrupts"]
    assert sections["longest_wait_us"] > 10_000  # it did begin late
    assert sections["revoked"] == 1
    assert found[2]["delivered"] == found[3]["delivered"] == 1
    assert found[3]["max_delay_us"] <= found[3]["delay_bound_us"]
    # On virt cores run in turns. The loop of both handlers waits for a core that does not run, uses its
    # budget up by that, and so is not idle when the second edge comes.
    if board == "sim" or attach == SECOND_HANDLER:
        assert found[3]["max_delay_us"] > 40_000


# The handler of pin 2 computes for twice its budget, so it is in the middle of a call for 40 ms, and loop 1,
# a section of which lasts 10 ms at most, waits for its end. Pin 3 does not wait for longer than that section.
WAITED_FOR = """
volatile bool computes;
volatile unsigned begun;
void longer() { computes = true; delayMicroseconds(400); computes = false; }
void quick() {}
void setup() {
  attachInterruptVcpu(2, longer, RISING, 200us, 40, onCore(1));
  attachInterruptVcpu(3, quick, RISING, 200us, 5, onCore(LAST));
}
void loop(1, 1, 10, onCore(0)) {
  if (!computes) return delay(1);
  noInterrupts();
  ++begun;
  interrupts();
}
"""


@one_in(2)
@pytest.mark.parametrize("last", [0, 1])
def test_a_section_that_has_not_begun_is_not_revoked(tmp_path: Path, last: int) -> None:
    scenario = (
        "parts:\n  a: {type: generator, pin: 2, start: 20 ms, frequency: 1 Hz}\n"
        "  b: {type: generator, pin: 3, start: 22.5 ms, frequency: 200 Hz}\n"
    )
    text = f"#define LAST {last}\n{WAITED_FOR}"
    status, said, report = run(tmp_path, "waited-for", text, scenario, "150ms", *on("sim", 2))
    assert status == 0, said
    found, sections = interrupts(report), report["no_interrupts"]
    assert sections["sections"] > 0
    assert sections["longest_wait_us"] > 35_000
    assert 7_000 < found[3]["max_delay_us"] <= found[3]["delay_bound_us"]
    assert found[3]["pending"] == 0
    # Pin 3 went on before the section had begun, and the section began later. Nothing was taken from it.
    assert sections["revoked"] == 0
    assert not report["notices"]


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


# Handlers have turns while loop 1 waits for the endless one: mostly the slow one is in the middle.
SLOW = """
volatile bool inside;
volatile unsigned torn, sections;
void endless() { for (;;) {} }
void slow() { inside = true; delay(40); inside = false; }
void setup() {
  Serial.begin(115200);
  attachInterruptVcpu(2, endless, RISING, 1, 10);
  attachInterruptVcpu(3, slow, CHANGE, 1, 10);
}
void loop(1, 5, 20) {
  noInterrupts();
  ++sections;
  if (inside) ++torn;
  interrupts();
  if (millis() < 2900) return;
  Serial.print(sections); Serial.print(" sections, torn "); Serial.println(torn);
  delay(100000);
}
"""


def test_only_a_handler_that_has_lasted_a_second_is_given_up(tmp_path: Path) -> None:
    scenario = (
        "parts:\n  a: {type: generator, pin: 2, start: 100 ms, frequency: 1 Hz}\n"
        "  b: {type: generator, pin: 3, frequency: 500 Hz}\n"
    )
    status, said, report = run(tmp_path, "slow", SLOW, scenario, "3s")
    assert status == 0, said
    assert " sections, torn 0" in said
    assert report["no_interrupts"]["handlers_given_up"] == 1
    assert interrupts(report)[3]["delivered"] > 30


# Each call lasts longer than sections may keep it back, and the next edge has come before it ends.
LONG_CALLS = """
volatile bool inside;
void slow() { inside = true; delay(150); inside = false; }
void setup() {
  Serial.begin(115200);
  attachInterruptVcpu(3, slow, CHANGE, 1, 10);
}
void loop(1, 5, 20) {
  noInterrupts();
  if (inside) Serial.println("torn");
  interrupts();
  Serial.println("a section");
  delay(1);
}
"""


def test_handlers_that_last_long_do_not_keep_a_section_out(tmp_path: Path) -> None:
    scenario = "parts: {g: {type: generator, pin: 3, frequency: 500 Hz}}\n"
    status, said, report = run(tmp_path, "long", LONG_CALLS, scenario, "3s")
    assert status == 0, said
    assert "torn" not in said
    # One section after each call, and one call after each section.
    assert 15 <= interrupts(report)[3]["delivered"] <= 20
    assert said.count("a section") >= 15
    assert report["no_interrupts"]["handlers_given_up"] == 0
    assert report["no_interrupts"]["longest_wait_us"] < 160_000


BEHIND_A_HANDLER = """
void slow() { for (int i = 0; i < 30; i++) delayMicroseconds(100); }
void setup() { attachInterruptVcpu(2, slow, RISING, 500us, 10ms); }
void periodic(1, 2, 20) { noInterrupts(); delayMicroseconds(500); interrupts(); }
"""


def test_a_miss_behind_a_handler_that_waits_for_budget_names_it(tmp_path: Path) -> None:
    """3 ms of work with 0.5 ms in every 10: its call lasts 50 ms, and noInterrupts() waits for it."""
    status, said, report = run(
        tmp_path, "behind", BEHIND_A_HANDLER, generators([2], "frequency: 5 Hz"), "500ms"
    )
    assert status == 0, said
    assert loop(report, 1)["deadline_misses"] > 0
    words = " ".join(said.split())
    assert re.search(
        r"noInterrupts\(\) waited up to \d[\d.]* ms for a handler that had begun", words
    )
    assert "(delay(), a lock)" not in words


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


@long_form
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


@one_in(2)
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
    assert 95_000 <= sections["longest_us"] <= (110_000 if held else 101_000)
    # The loop's own section is bounded: what waits goes on after that, and the report names the loop.
    assert sections["revoked"] == held
    told = [n for n in report["notices"] if n.startswith("loop 1 (") and "noInterrupts()" in n]
    assert len(told) == held
    (entry,) = interrupts(report).values()
    assert 58 <= entry["delivered"] <= 60
    assert entry["pending"] == entry["edges"] - entry["delivered"]


DIRECT = """
void setup() {
  Serial.begin(115200);
  attachInterruptDirect(2, edge, CHANGE, 20us, 300us);
}
void loop(1, 20, 100, onCore(LAST)) {
  noInterrupts();
  unsigned long a = first;
  delayMicroseconds(50);
  if (a != first || first != second) ++torn;
  if (millis() < 400) delay(7);
  interrupts();
  if (millis() < 950) return delayMicroseconds(400);
  Serial.print(torn); Serial.println(" torn");
  delay(9999);
}
"""


@one_in(5)
@pytest.mark.parametrize("board", ["sim", "virt"])
@pytest.mark.parametrize("cores", [1, 2])
def test_sections_hold_direct_handlers_back(tmp_path: Path, board: str, cores: int) -> None:
    scenario = generators([2], "gaps: {shortest: 0.5 ms, longest: 2 ms}, start: 3 ms, count: 700")
    text = f"#define LAST {cores - 1}\n{HALVES}{DIRECT}"
    status, said, report = run(tmp_path, "dheld", text, scenario, "1100ms", *on(board, cores))
    assert status == 0, said
    assert "0 torn" in said.splitlines()
    (entry,) = interrupts(report).values()
    # Far enough apart: those that came in a section were remembered, and none is lost. (virt's pins have one
    # bit for those of a section.)
    assert entry["edges"] + entry["may_have_merged"] == 700
    assert entry["delivered"] + entry["lost"] == entry["edges"]
    if board == "sim":
        assert entry["delivered"] == 700
    assert report["no_interrupts"]["sections"] > 100


LAST_EDGES = """
void edge() {}
void held(unsigned long us) { noInterrupts(); delayMicroseconds(us); interrupts(); }
void setup() { attachInterruptDirect(2, edge, CHANGE, 20us, 300us); }
void loop(1, 50, 100, onCore(LAST)) {
  if (millis() < 5) return delay(1);
  held(3000);
  delayMicroseconds(100);
  held(1000);
  delay(9999);
}
"""


@one_in(2)
@pytest.mark.parametrize("cores", [1, 2])
def test_edges_that_a_second_section_finds_waiting_are_the_last_ones(
    tmp_path: Path, cores: int
) -> None:
    # The first section's end brings one call; by the second one no edge comes any more. The first edge has
    # waited for the section's end.
    scenario = "parts:\n  g: {type: generator, pin: 2, edges: [6.5 ms, 7 ms, 7.5 ms, 8 ms]}\n"
    text = f"#define LAST {cores - 1}\n{LAST_EDGES}"
    status, said, report = run(tmp_path, "dlast", text, scenario, "50ms", "--cores", str(cores))
    assert status == 0, said
    (entry,) = interrupts(report).values()
    assert entry["edges"] == entry["delivered"] == 4
    assert 1_000 < entry["max_delay_us"] < 3_000
    assert report["no_interrupts"]["sections"] == 2


SECTION = """
HOCKET_LONGEST_SECTION(2ms)
volatile unsigned long calls;
void seen() { ++calls; }
void setup() { attachInterruptVcpu(2, seen, CHANGE, 500us, 10); }
void loop(1, 30, 100) {
  noInterrupts();
  delayMicroseconds(LENGTH);
  interrupts();
  delay(20);
}
"""


ATTACH_SEEN = "attachInterruptVcpu(2, seen, CHANGE, 500us, 10);"
EDGES_OF_SECTION = (
    "parts:\n  g: {type: generator, pin: 2, gaps: {shortest: 11 ms, longest: 19 ms}}\n"
)


@pytest.mark.parametrize("waits", [False, True])
def test_a_long_section_says_that_handlers_went_on_only_where_some_waited(
    tmp_path: Path, waits: bool
) -> None:
    text = SECTION.replace("LENGTH", "4000").replace(ATTACH_SEEN, ATTACH_SEEN if waits else "")
    status, said, report = run(tmp_path, "long-section", text, EDGES_OF_SECTION, "300ms")
    assert status == 0, said
    assert (report["no_interrupts"]["revoked"] > 0) == waits
    (notice,) = [n for n in report["notices"] if "longer than HOCKET_LONGEST_SECTION()" in n]
    assert ("waiting handlers ran after" in notice, "No handler waited" in notice) == (
        waits,
        not waits,
    )


@long_form
def test_a_declared_section_is_in_the_bound_and_measured(tmp_path: Path) -> None:
    bounds, told, held = {}, {}, {}
    for name, text in {
        "without": SECTION.replace("HOCKET_LONGEST_SECTION(2ms)", ""),
        "kept": SECTION,
        "broken": SECTION.replace("LENGTH", "4000"),
    }.items():
        source = text.replace("LENGTH", "1500")
        status, said, report = run(tmp_path, f"section-{name}", source, EDGES_OF_SECTION, "1001ms")
        assert status == 0, said
        (entry,) = interrupts(report).values()
        bounds[name] = entry["delay_bound_us"]
        told[name] = any("longer than HOCKET_LONGEST_SECTION()" in n for n in report["notices"])
        sections = report["no_interrupts"]
        assert sections["edges_remembered"] > 0
        assert sections["declared_us"] == (None if name == "without" else 2_000)
        assert (sections["revoked"] > 0) == (name == "broken")
        held[name] = sections["bound_us"]
    # Without it: what the loop's budget surely comes within, wherever the section begins.
    assert held["kept"] == 2_000
    assert 70_000 < held["without"] < 140_000
    assert bounds["without"] - bounds["kept"] == pytest.approx(held["without"] - held["kept"])
    assert told == {"without": False, "kept": False, "broken": True}
