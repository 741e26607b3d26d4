"""Random sections of noInterrupts() in several loops, and storms at pins: no loop can keep another one's
handlers from running, and what is protected stays protected as long as sections keep within their bounds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.campaign import LONG, rounds
from tests.interrupts import interrupts, on, run
from tests.sketches import Report

# Each handler writes its half of a pair while the loops look at both: `torn` is what was not protected.
HEAD = """
volatile unsigned long first[4], second[4], torn, work, napping;
unsigned long dice = SEED;
unsigned long draw(unsigned long below) { dice = dice * 1664525 + 1013904223; return (dice >> 8) % below; }
void halves(int i, unsigned us) { ++first[i]; delayMicroseconds(us); ++second[i]; }
void section(unsigned us, bool sleeps) {
  noInterrupts();
  unsigned long before[4], torn_before = torn;
  for (int i = 0; i < 4; ++i) {
    before[i] = first[i];
    if (first[i] != second[i]) torn = torn_before + 1;
  }
  if (sleeps) delay(us / 1000 + 1); else delayMicroseconds(us);
  for (int i = 0; i < 4; ++i) {
    if (first[i] != before[i] || second[i] != before[i]) torn = torn_before + 1;
  }
  interrupts();
}
"""


def random_sketch(dice: random.Random, cores: int, exceeds: bool) -> tuple[str, str]:
    """A sketch and a scenario. Where `exceeds`, loop 1 stays in its section for ever from 100 ms on; it may
    ask for that one while a handler naps, so that it begins later than it was asked for."""
    text = f"#define SEED {dice.randrange(1, 1 << 30)}\n{HEAD}"
    pins = dice.sample(range(2, 6), dice.randrange(1, 4))
    attached, parts, naps = [], [], False
    for i, pin in enumerate(pins):
        nap = "++napping; delay(2); --napping; " if exceeds and dice.random() < 0.5 else ""
        naps = naps or bool(nap)
        text += f"void h{pin}() {{ {nap}halves({i}, {dice.choice((0, 5, 40))}); }}\n"
        budget, period = dice.choice(((500, 5), (1000, 10), (2000, 40)))
        core = dice.randrange(cores)
        if dice.random() < 0.4:
            attached.append(f"  attachInterrupt({pin}, h{pin}, RISING);\n")
        else:
            attached.append(
                f"  attachInterruptVcpu({pin}, h{pin}, RISING, {budget}us, {period}ms, onCore({core}));\n"
            )
        rate = dice.choice(
            ("frequency: 20 Hz", "gaps: {shortest: 1 ms, longest: 60 ms}", "frequency: 20 kHz")
        )
        parts.append(
            f"  g{pin}: {{type: generator, pin: {pin}, {rate}, start: {dice.randrange(1, 60)} ms}}\n"
        )
    text += "void setup() {\n" + "".join(attached) + "}\n"
    for number in range(1, dice.randrange(3, 6)):
        period = dice.choice((10, 20, 50, 100))
        budget = period * 1000 // 10
        longest = dice.choice((20, 200, budget // 2))
        body = f"section(1 + draw({longest}), draw(8) == 0 && {int(period >= 50)});"
        pause = dice.choice(("", "", "delay(1);", f"delay({period});"))
        if exceeds and number == 1:
            asks = "while (!napping) delay(1); " if naps else ""
            body = f"if (millis() > 100) {{ {asks}noInterrupts(); for (;;) STUCK; }} {body}"
        text += f"void loop({number}, {budget}us, {period}ms) {{ {body} {pause} }}\n"
    stuck = dice.choice(("{}", "delay(1000)", "delay(1)"))
    return text.replace("STUCK", stuck), "parts:\n" + "".join(parts)


def late(report: Report) -> list[str]:
    """Promises that were not kept: delays of edges that found their handler's loop idle, and responses."""
    found = [
        f"pin {entry['pin']}: {entry['max_delay_us']} of {entry['delay_bound_us']} us"
        for entry in interrupts(report).values()
        if entry["max_delay_us"] > entry["delay_bound_us"]
    ]
    found += [
        f"loop {loop['id']}: {loop['max_response_us']} of {loop['response_bound_us']} us"
        for loop in report["loops"]
        if loop["max_response_us"] > loop["response_bound_us"]
    ]
    return found


def check(tmp_path: Path, seed: str, board: str, cores: int) -> None:
    dice = random.Random(seed)
    exceeds = dice.random() < 0.4
    sketch, scenario = random_sketch(dice, cores, exceeds)
    sketch += (
        "void loop(9, 1ms, 100ms) {\n"
        '  if (torn) { Serial.begin(115200); Serial.println("torn"); }\n'
        "  delay(90);\n}\n"
    )
    status, said, report = run(
        tmp_path, "sections", sketch, scenario, "800ms", "--seed", "1", *on(board, cores)
    )
    assert status == 0, said
    if board == "sim" or cores == 1:  # elsewhere several cores have one clock
        assert not late(report), (seed, late(report))
    for entry in interrupts(report).values():
        # An edge is never out for good: a handler that has budget is called at least once in a bound.
        assert entry["edges"] == 0 or entry["delivered"] >= min(entry["edges"], 2), (seed, entry)
    sections = report["no_interrupts"]
    told = [n for n in report["notices"] if n.startswith("loop 1 (") and "noInterrupts()" in n]
    assert len(told) == (1 if exceeds else 0), (seed, report["notices"])
    assert sections["longest_us"] <= sections["bound_us"] or exceeds
    if not exceeds:
        assert "torn" not in [line.strip() for line in said.splitlines()], seed
        assert sections["revoked"] == 0, (seed, sections)


@pytest.mark.parametrize("cores", [1, 2])
def test_random_sections_keep_no_handler_out(tmp_path: Path, cores: int) -> None:
    for number in range(rounds(4, 150, "HOCKET_SECTIONS")):
        check(tmp_path, f"{cores}-{number}", "sim", cores)


@pytest.mark.skipif(not LONG, reason="virt is in the long form")
@pytest.mark.parametrize("cores", [1, 2])
def test_random_sections_on_virt(tmp_path: Path, cores: int) -> None:
    for number in range(rounds(1, 20, "HOCKET_SECTIONS_ON_VIRT")):
        check(tmp_path, f"virt-{cores}-{number}", "virt", cores)
