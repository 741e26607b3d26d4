"""Storm control beside what tests/uno/test_shares.py has of the loops' shares: in what it is, when its
budget is back, and whose timer 0 is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in
from tests.commands import run_hocket
from tests.uno.conftest import ROOT, Built, Run
from tests.uno.waves import edges

from hocket.uno_images import symbols

HANDLER = """
volatile unsigned edges;
void count() { ++edges; delayMicroseconds(100); }
void setup() { pinMode(2, INPUT); attachInterrupt(digitalPinToInterrupt(2), count, RISING); }
"""
OWN = """
volatile unsigned matches;
ISR(TIMER0_COMPA_vect) { ++matches; }
void start_timer() { OCR0A = 100; TCCR0B = 3; TIMSK0 = 1 << OCIE0A; }
"""
LOOPS = "void loop(1, 5, 100) { delay(50); }\n"


def sketch(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / f"{folder.name}.ino").write_text(text)
    return folder


def names(image: Path) -> str:
    return " ".join(symbol.name for symbol in symbols(image))


def test_it_is_only_where_handlers_and_loops_are(built: Built, tmp_path: Path) -> None:
    plain = "void loop() {}\n"
    limits = re.compile("hocket_look_at_handlers|hocket_handler_ended|hocket_refill(?!_vector)")
    for number, text in enumerate((HANDLER + plain, "void setup() {}\n" + LOOPS)):
        found = [s for s in symbols(built(sketch(tmp_path / f"s{number}", text))) if s.size > 0]
        assert not any(limits.search(symbol.name) for symbol in found)
    assert limits.search(names(built(sketch(tmp_path / "both", HANDLER + LOOPS))))
    changes = HANDLER.replace("(2)", "(8)")
    assert limits.search(names(built(sketch(tmp_path / "change", changes + LOOPS))))


def test_a_budget_used_long_ago_has_come_back(uno: Run, tmp_path: Path) -> None:
    """Nine handlers use most of 1 ms. 8.388 s later, a turn of 16 bits of 128 us, all of it is back."""
    folder = sketch(tmp_path / "again", HANDLER + LOOPS)
    scenario = tmp_path / "edges.yaml"
    turn = 65_536 * 128_000
    bursts = (100_000_000, 200_000_000, 200_000_000 + turn + 1_000_000)
    times = [begin + k * 200_000 for begin in bursts for k in range(8)]
    edges = ", ".join(f"{t}ns, {t + 50_000}ns" for t in times)
    scenario.write_text(f"parts:\n  edges: {{type: generator, pin: 2, edges: [{edges}]}}\n")
    done = uno(folder, "8700ms", "--scenario", scenario)
    assert done.status == 0, done.said
    (entry,) = done.report["interrupts"]
    assert entry["delivered"] == entry["edges"] == len(times)
    assert entry["max_delay_us"] < 500, entry


def test_an_edge_that_waits_as_the_run_ends_has_waited_until_then(uno: Run, tmp_path: Path) -> None:
    text = HANDLER.replace("attach", "interruptsVcpu(10ms, 500ms); attach") + LOOPS
    folder = sketch(tmp_path / "waits", text)
    (folder / "scenario.yaml").write_text(
        "parts: {g: {type: generator, pin: 2, frequency: 5 kHz}}\n"
    )
    (entry,) = uno(folder, "200ms").report["interrupts"]
    assert entry["pending"] == 1
    assert 150_000 < entry["max_delay_us"] < 200_000


def test_timer_0_is_the_sketchs_where_nothing_is_attached(uno: Run, tmp_path: Path) -> None:
    text = OWN + "void setup() { Serial.begin(115200); start_timer(); }\n"
    text += "void loop(1, 5, 100) { delay(100); Serial.println(matches); }\n"
    done = uno(sketch(tmp_path / "own", text), "250ms")
    assert done.status == 0, done.said
    counts = [int(line) for line in done.serial.splitlines() if line.isdigit()]
    assert len(counts) == 2 and 95 <= counts[1] - counts[0] <= 100  # one in 1.024 ms


def test_both_are_refused_with_who_wants_it(tmp_path: Path) -> None:
    folder = sketch(tmp_path / "both", OWN + HANDLER + LOOPS)
    done = run_hocket("build", "--board", "uno", folder, cwd=ROOT)
    assert done.returncode == 2
    assert "the interrupt TIMER0_COMPA is wanted twice" in done.stderr
    assert "attachInterrupt()" in done.stderr and "the sketch" in done.stderr


BESIDE_A_STORM = """
volatile unsigned storms, singles;
void storm() { ++storms; }
void single() { ++singles; }
void setup() {
  attachInterrupt(digitalPinToInterrupt(STORMS), storm, CHANGE);
  attachInterrupt(digitalPinToInterrupt(SINGLE), single, RISING);
}
void loop(1, 40, 100) {}
"""


@one_in(7)
@pytest.mark.parametrize(("storms", "single"), [(2, 3), (3, 2), (2, 8), (8, 2), (8, 4)])
def test_a_storm_on_one_pin_does_not_starve_another(
    uno: Run, tmp_path: Path, storms: int, single: int
) -> None:
    """Each edge of the other one is handled within its bound, which check tells before: two lines."""
    text = BESIDE_A_STORM.replace("STORMS", str(storms)).replace("SINGLE", str(single))
    folder = sketch(tmp_path / "two", text)
    scenario = tmp_path / "two.yaml"
    scenario.write_text(
        f"parts:\n  storm: {{type: generator, pin: {storms}, frequency: 50 kHz}}\n"
        f"  single: {{type: generator, pin: {single}, frequency: 17 Hz}}\n"
    )
    done = uno(folder, "2s", "--scenario", scenario)
    assert done.status == 0, done.said
    lines = done.report["interrupts"]
    assert len(lines) == 2
    of_storm, of_single = sorted(lines, key=lambda line: -line["edges"])
    # (A port's handler sees nothing where the pin is as it was before: in half of its calls.)
    assert of_storm["edges"] > 90_000 and of_storm["delivered"] > (5_000 if storms < 8 else 2_500)
    assert of_single["lost"] == 0 and of_single["delivered"] >= of_single["edges"] - 1 >= 30
    for line in lines:
        assert 21_000 < line["delay_bound_us"] < 22_000
        assert line["max_delay_us"] <= line["delay_bound_us"]
    file = tmp_path / "check.json"
    said = run_hocket("check", "--board", "uno", folder, "--json", file, cwd=ROOT)
    assert said.returncode == 0, said.stderr
    (told,) = json.loads(file.read_text())["interrupts"]
    assert told["delay_bound_us"] == of_single["delay_bound_us"]


@long_form
def test_five_lines_that_storm_have_their_turns(uno: Run, tmp_path: Path) -> None:
    pins = (2, 3, 8, 14, 4)
    text = "volatile unsigned n;\nvoid f() { ++n; }\nvoid setup() {\n"
    text += "".join(f"attachInterrupt(digitalPinToInterrupt({p}), f, CHANGE);\n" for p in pins)
    folder = sketch(tmp_path / "five", text + "}\nvoid loop(1, 40, 100) {}\n")
    scenario = tmp_path / "five.yaml"
    scenario.write_text(
        "parts:\n"
        + "".join(f"  s{p}: {{type: generator, pin: {p}, frequency: 20 kHz}}\n" for p in pins)
    )
    done = uno(folder, "2s", "--scenario", scenario)
    assert done.status == 0, done.said
    lines = done.report["interrupts"]
    assert len(lines) == 5
    for line in lines:
        assert line["delivered"] >= 2_000 / 10.112 / 5 - 2
        assert line["max_delay_us"] <= line["delay_bound_us"] < 53_000
        assert line["edges"] == line["delivered"] + line["pending"] + line["lost"]


def _attack(uno: Run, tmp_path: Path, text: str, frequencies: dict[int, int]) -> Any:
    sketch = tmp_path / "attack"
    sketch.mkdir()
    (sketch / "attack.ino").write_text(text)
    waves = "".join(
        f"  storm{pin}: {{type: generator, pin: {pin}, frequency: {hertz} Hz}}\n"
        for pin, hertz in frequencies.items()
    )
    (sketch / "scenario.yaml").write_text(f"parts:\n{waves}")
    done = uno(sketch, "1s")
    assert done.status == 0, done.said
    return done.report


VICTIM = """
void periodic(2, 10, 50) { for (unsigned long i = 0; i < 8000UL; i++) asm volatile("" ::: "memory"); }
"""


@one_in(2)
@pytest.mark.parametrize("pin", [2, 8])
def test_attaching_again_and_again_does_not_lift_it(uno: Run, tmp_path: Path, pin: int) -> None:
    text = f"""
        volatile unsigned n;
        void tick() {{ delayMicroseconds(200); n++; }}
        void again() {{ attachInterrupt(digitalPinToInterrupt({pin}), tick, RISING); }}
        void setup() {{ again(); }}
        void loop(1, 1, 50) {{ again(); }}
    """
    report = _attack(uno, tmp_path, text + VICTIM, {pin: 100_000})
    victim = report["loops"][1]
    assert victim["iterations"] >= 19 and victim["deadline_misses"] == 0
    assert victim["max_response_us"] <= victim["response_bound_us"]


@one_in(7)
@pytest.mark.parametrize("length_us", [20_000, 32_740, 32_766, 32_780, 33_000, 45_000])
def test_a_handler_that_takes_longer_than_the_counter_goes_round(
    uno: Run, tmp_path: Path, length_us: int
) -> None:
    """It is late for everybody, once: what it took is taken from the budgets that follow."""
    pieces = f"delayMicroseconds({length_us // 3});" * 3
    text = f"""
        volatile unsigned n;
        void tick() {{ {pieces} n++; }}
        void setup() {{ attachInterrupt(0, tick, RISING); }}
    """
    report = _attack(uno, tmp_path, text + VICTIM, {2: 10_000})
    # In 1 s: as often as there are ten times as long between.
    assert (
        2 <= report["interrupts"][0]["delivered"] <= 2 + 1_000_000 // (9 * min(length_us, 32_767))
    )
    assert report["loops"][0]["iterations"] >= 14


def test_a_handler_longer_than_can_be_counted_is_paid_for(uno: Run, tmp_path: Path) -> None:
    """40 ms of 2 in every 50: 16 budgets are gone, what can be counted of it, and not none."""
    text = """
        volatile unsigned n;
        void tick() { delayMicroseconds(10000); delayMicroseconds(10000); delayMicroseconds(10000);
                      delayMicroseconds(10000); n++; }
        void setup() { interruptsVcpu(2, 50); attachInterrupt(0, tick, RISING); }
    """
    report = _attack(uno, tmp_path, text + VICTIM, {2: 10_000})
    assert 1 <= report["interrupts"][0]["delivered"] <= 2


@pytest.mark.parametrize(
    ("limit", "why"),
    [
        ("1700us, 100ms", "use a C of at least 1.87 % of T and 89 us"),
        ("15ms, 3s", "use a C of at least 1.87 % of T and 89 us"),
        ("16500us, 50ms", "less than 16 ms"),
        ("0, 50ms", "C is more than 0"),
    ],
)
def test_a_budget_that_would_not_come_back_is_refused(tmp_path: Path, limit: str, why: str) -> None:
    text = HANDLER.replace("attach", f"interruptsVcpu({limit}); attach") + LOOPS
    done = run_hocket("check", "--board", "uno", sketch(tmp_path / "small", text), cwd=ROOT)
    assert done.returncode == 2
    assert why in re.sub(r"\s+", " ", done.stderr)


@one_in(2)
@pytest.mark.parametrize(
    ("budget_us", "period_us"), [(1_960, 100_000), (1_025, 50_000), (150, 500)]
)
def test_a_small_budget_comes_back_within_its_bound(
    uno: Run, tmp_path: Path, budget_us: int, period_us: int
) -> None:
    """A handler takes more than one budget, and looking whether it is back the most of another."""
    text = f"""
        volatile unsigned n;
        void tick() {{ delayMicroseconds(280); n++; }}
        void setup() {{ interruptsVcpu({budget_us}us, {period_us}us); attachInterrupt(0, tick, RISING); }}
    """
    (line,) = _attack(uno, tmp_path, text + LOOPS, {2: 10_000})["interrupts"]
    assert line["delivered"] >= 2
    assert 0 < line["max_delay_us"] <= line["delay_bound_us"]


@long_form
def test_a_burst_behind_a_release_is_not_the_loops(uno: Run, tmp_path: Path) -> None:
    """Handlers that come in the midst of the kernel's work for a release take nothing of its budget."""
    text = """
        volatile unsigned n;
        void tick() { n++; }
        void setup() { attachInterrupt(0, tick, CHANGE); attachInterrupt(1, tick, CHANGE); }
        void periodic(1, 1, 8) {
          for (unsigned long i = 0; i < 960; i++) asm volatile("" ::: "memory");
        }
    """
    report = _attack(uno, tmp_path, text, {2: 77_000, 3: 55_000})
    loop = report["loops"][0]
    assert loop["iterations"] >= 122 and loop["deadline_misses"] == 0
    assert loop["budget_exhausted"] == 0
    assert loop["max_response_us"] <= loop["response_bound_us"]


@one_in(3)
@pytest.mark.parametrize(
    "timer",
    ["TCCR0B = TCCR0B & 0xf8 | 1;", "TCCR0A = 2; OCR0A = 1;", "TCCR0B = 9; OCR0A = 3;"],
    ids=["a faster clock", "a low top", "both"],
)
def test_a_sketch_s_timer_0_takes_no_loop_its_time(uno: Run, tmp_path: Path, timer: str) -> None:
    """Its matches give the budget back. The loop's work is counted at its pin, beside the same storm."""
    scenario = tmp_path / "storm.yaml"
    scenario.write_text("parts:\n  storm: {type: generator, pin: 2, frequency: 20 kHz}\n")

    def work(name: str, before: str) -> float:
        text = (
            "volatile unsigned edges;\nvoid count() { ++edges; }\n"
            f"void setup() {{ pinMode(4, OUTPUT); {before}\n"
            "  attachInterrupt(digitalPinToInterrupt(2), count, RISING); }\n"
            "void loop(1, 20, 100) { for (;;) { PIND = 1 << 4; } }\n"
        )
        vcd = tmp_path / f"{name}.vcd"
        done = uno(sketch(tmp_path / name, text), "400ms", "--scenario", scenario, "--vcd", vcd)
        assert done.status == 0, done.said
        (entry,) = done.report["interrupts"]
        assert entry["max_delay_us"] <= entry["delay_bound_us"] + 40, entry
        return len(edges(vcd, "D4"))

    usual = work("usual", "")
    assert 0.99 * usual <= work("own", timer) <= 1.01 * usual


STORMS = {
    "pin 2, always held back": {2: "frequency: 20 kHz"},
    "pin 2, now and then": {2: "gaps: {shortest: 0 ms, longest: 0.5 ms}"},
    "a port": {8: "frequency: 9 kHz"},
    "pins 2, 3, and a port": {
        2: "gaps: {shortest: 0 ms, longest: 0.3 ms}",
        3: "frequency: 3 kHz",
        8: "frequency: 1 kHz",
    },
}


@one_in(3)
@pytest.mark.parametrize("policy", ["vcpu", "edf"])
@pytest.mark.parametrize("storm", STORMS)
def test_storm_control_takes_no_loop_its_time(
    uno: Run, tmp_path: Path, storm: str, policy: str
) -> None:
    """Neither do handlers, nor holding them back, nor looking whether their budget is back: what the loop
    does is counted at its pin, beside the storm and without it."""
    attach = "".join(
        f"  attachInterrupt(digitalPinToInterrupt({pin}), count, CHANGE);\n"
        for pin in STORMS[storm]
    )
    turn = "PIND = 1 << 4; delayMicroseconds(3);"
    text = (
        f"HOCKET_POLICY({policy})\nvolatile unsigned edges;\nvoid count() {{ ++edges; }}\n"
        f"void setup() {{ pinMode(4, OUTPUT); interruptsVcpu(400us, 8ms);\n{attach}}}\n"
        f"void loop(1, 75, 100) {{ for (;;) {{ {turn}}} }}\n"
    )
    folder = sketch(tmp_path / "spins", text)

    def work(name: str, generators: dict[int, str]) -> int:
        scenario, vcd = tmp_path / f"{name}.yaml", tmp_path / f"{name}.vcd"
        parts = "".join(
            f"  g{pin}: {{type: generator, pin: {pin}, {how}}}\n" for pin, how in generators.items()
        )
        scenario.write_text(f"parts:\n{parts}" if parts else "parts: {}\n")
        done = uno(folder, "300ms", "--scenario", scenario, "--vcd", vcd)
        assert done.status == 0, done.said
        return len(edges(vcd, "D4"))

    quiet = work("quiet", {})
    assert quiet > 3 * 75_000 / 4  # three budgets
    assert 0.9999 * quiet <= work("storm", STORMS[storm]) <= 1.005 * quiet


SECTIONS = """
static void spin(uint8_t n) { asm volatile("1: dec %0\\n brne 1b" : "+r"(n)); }
"""


def test_a_budget_that_was_whole_for_long_comes_back_once(uno: Run, tmp_path: Path) -> None:
    """A loop that waits in its sections lets timer 0's matches interrupt. For two seconds no budget was used:
    that is one budget which is whole, and not one for each period."""
    text = (
        SECTIONS
        + """
        void seen() { spin(250); spin(250); spin(250); }
        void setup() { interruptsVcpu(3, 31); attachInterrupt(digitalPinToInterrupt(2), seen, RISING); }
        void loop(1, 14ms, 40ms) {
          if (millis() < 1990) { delay(5); return; }
          noInterrupts(); delay(1); interrupts(); delay(2);
        }
        void loop(2, 12ms, 50ms) { for (;;) spin(45); }
        void loop(3, 14900us, 100ms) { for (;;) spin(45); }
        """
    )
    scenario = tmp_path / "late.yaml"
    storm = "{type: generator, pin: 2, frequency: 4.5 kHz, start: 2 s}"
    scenario.write_text(f"parts: {{g: {storm}}}\n")
    done = uno(sketch(tmp_path / "whole", text), "2300ms", "--scenario", scenario)
    assert done.status == 0, done.said
    for loop in done.report["loops"][1:]:
        assert loop["deadline_misses"] == 0
        assert loop["max_response_us"] <= loop["response_bound_us"]
        assert loop["min_cpu_per_period_us"] >= loop["budget_us"]


def test_sections_in_sequence_do_not_keep_held_lines_for_ever(uno: Run, tmp_path: Path) -> None:
    """The storm on pin 3 ends; pin 2 is held back with it, and only sections come from then on."""
    text = """
        volatile unsigned n;
        void seen() { n++; }
        void setup() {
          attachInterrupt(digitalPinToInterrupt(2), seen, CHANGE);
          attachInterrupt(digitalPinToInterrupt(3), seen, CHANGE);
        }
        void loop(1, 5ms, 25ms) {
          if (millis() < 300) { delay(5); return; }
          noInterrupts(); delay(20); interrupts();
        }
    """
    scenario = tmp_path / "two.yaml"
    scenario.write_text(
        "parts:\n  i: {type: generator, pin: 2, frequency: 10 Hz}\n"
        "  j: {type: generator, pin: 3, frequency: 40 kHz, start: 200 ms, count: 6000}\n"
    )
    done = uno(sketch(tmp_path / "deaf", text), "1200ms", "--scenario", scenario)
    assert done.status == 0, done.said
    line = next(each for each in done.report["interrupts"] if each["pin"] == 2)
    assert line["edges"] - line["delivered"] <= 2
    assert line["max_delay_us"] <= line["delay_bound_us"]
