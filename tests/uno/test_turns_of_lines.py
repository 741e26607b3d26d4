"""Every edge is handled within its bound, whatever keeps its line masked: transactions on the SPI bus,
sections of noInterrupts(), waits in them, attaching anew; beside storms on other lines.

Random sketches: some in every run of the suite, 60 with `hocket self-test --long`, N with
HOCKET_UNO_TURNS=N. A handler holds a pin of its own high, and each transaction does: nothing is judged by the
system's own counting.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from pathlib import Path

import pytest
from tests.campaign import rounds
from tests.uno.conftest import Run
from tests.uno.latch import LATEST, Latch
from tests.uno.waves import edges, pulses

SEEDS = range(1, 1 + rounds(2, 60, "HOCKET_UNO_TURNS"))
MILLISECONDS = 1_500

HEAD = """#include <SPI.h>
uint16_t state = {seed};
uint16_t draw(uint16_t below) {{
  state ^= state << 7; state ^= state >> 9; state ^= state << 8;
  return state % below;
}}
void busy(uint16_t us) {{ while (us > 100) {{ delayMicroseconds(100); us -= 100; }} delayMicroseconds(us); }}
volatile unsigned seen;
void slow() {{ PORTB |= 2; busy({length}); PORTB &= ~2; }}
void storm() {{ seen = seen + 1; }}
"""
# What a loop does again and again. Pin 5 is high in each transaction, pins 6 and 7 in each section with a
# wait.
TRANSACTION = (
    "SPI.beginTransaction(SPISettings()); PORTD |= 32; {inside} PORTD &= ~32; SPI.endTransaction();"
)
INSIDE = (
    "busy({most} - draw({most} / 4));",
    "busy(draw({most}));",
    "delay({most} / 1000 + 1);",
    "busy({most} / 2); noInterrupts(); PORTD |= 64; delay(1); PORTD &= ~64; interrupts(); "
    "busy({most} / 2);",
    "noInterrupts(); PORTD |= 64; delay({most} / 1000 + 1); PORTD &= ~64; interrupts();",
    "attachInterrupt(digitalPinToInterrupt({pin}), slow, RISING); busy({most});",
)
BETWEEN = ("", "busy(draw({gap}));", "busy({gap});", "delay(1);")
OTHERS = (
    "noInterrupts(); busy(draw({masked})); interrupts(); delay(draw(9));",
    "noInterrupts(); PORTD |= 128; delay(draw({waits}) + 1); PORTD &= ~128; interrupts(); "
    "busy(draw(200));",
    "noInterrupts(); PORTD |= 128; delay(draw({waits}) + 1); PORTD &= ~128; interrupts(); "
    "delay(1 + draw(3));",
    "busy(draw(3000)); attachInterrupt(digitalPinToInterrupt({storms}), storm, CHANGE);",
    "delay(5); detachInterrupt(digitalPinToInterrupt({storms})); delay(draw(4)); "
    "attachInterrupt(digitalPinToInterrupt({storms}), storm, CHANGE);",
    "busy(100); EIMSK &= ~{bit}; busy(draw(50)); EIMSK |= {bit}; delay(draw(20));",
    "delay(draw(7));",
)
MASKED = 250  # us, of a section without a wait


class Drawn:
    """A sketch and what comes to its pins."""

    def __init__(self, seed: int) -> None:
        dice = random.Random(f"turns {seed}")
        self.pin = dice.choice((2, 3))
        other = 5 - self.pin
        self.storms = {
            pin: dice.choice((2_500, 10_000, 30_000, 90_000))
            for pin in dice.choice(((other,), (other,), (8,), (other, 8)))
        }
        numbers = {
            "most": dice.choice((300, 1_500, 6_000, 20_000)),
            "gap": dice.choice((20, 300, 900)),
            "masked": MASKED,
            "waits": dice.choice((3, 12)),
            "pin": self.pin,
            "storms": next(iter(self.storms)),
            "bit": self.pin - 1,
        }
        inside = dice.choice(INSIDE)
        self.again = "attach" in inside  # each time, what the line has kept is discarded
        transaction = TRANSACTION.replace("{inside}", inside)
        work = f"{transaction} {dice.choice(BETWEEN)}".format(**numbers)
        uses = [self.pin, *(p for p in self.storms if p < 4 and dice.random() < 0.3)]
        limit = dice.choice(("", "", "600us, 8ms", "2ms, 25ms", "3ms, 50ms"))
        budget = dice.choice(("8ms, 20ms", "30ms, 80ms"))
        other_budget = dice.choice(("3ms, 20ms", "5ms, 50ms"))
        self.text = "".join(
            [
                HEAD.format(seed=dice.randrange(1, 60_000), length=dice.choice((1, 60, 200))),
                "void setup() {\n  DDRB |= 2; DDRD |= 224; SPI.begin();\n",
                f"  interruptsVcpu({limit});\n" if limit else "",
                *(f"  SPI.usingInterrupt(digitalPinToInterrupt({p}));\n" for p in uses),
                f"  attachInterrupt(digitalPinToInterrupt({self.pin}), slow, RISING);\n",
                *(
                    f"  attachInterrupt(digitalPinToInterrupt({p}), storm, CHANGE);\n"
                    for p in self.storms
                ),
                f"}}\nvoid loop(1, {budget}) {{ {work} }}\n",
                f"void loop(2, {other_budget}) {{ {dice.choice(OTHERS).format(**numbers)} }}\n",
            ]
        )
        self.gap = dice.choice((4, 15, 60))

    def scenario(self) -> str:
        storms = (
            f"  s{pin}: {{type: generator, pin: {pin}, frequency: {hertz} Hz}}\n"
            for pin, hertz in self.storms.items()
        )
        slow = (
            f"  slow: {{type: generator, pin: {self.pin}, start: 8 ms, "
            f"gaps: {{shortest: 1 ms, longest: {self.gap} ms}}}}\n"
        )
        return "".join(["parts:\n", slow, *storms])


def within(begins: list[int], begin: int, length: int) -> bool:
    """Whether one of them, which are in order, lies in a pulse."""
    next_one = bisect_right(begins, begin)
    return next_one < len(begins) and begins[next_one] < begin + length


@pytest.mark.parametrize("seed", SEEDS)
def test_no_edge_waits_for_longer_than_its_bound(uno: Run, tmp_path: Path, seed: int) -> None:
    drawn = Drawn(seed)
    folder = tmp_path / "turns"
    folder.mkdir()
    (folder / "turns.ino").write_text(drawn.text)
    (folder / "scenario.yaml").write_text(drawn.scenario())
    vcd = tmp_path / "turns.vcd"
    done = uno(folder, f"{MILLISECONDS}ms", "--vcd", vcd)
    assert done.status == 0, f"{done.said}\n{drawn.text}"
    (line,) = (each for each in done.report["interrupts"] if each["pin"] == drawn.pin)
    calls = pulses(vcd, "D9")
    begins = [begin for begin, _ in calls]
    # Nothing runs in what keeps it out. (A section that is overdue keeps nothing out: a notice says so. Nor
    # does a transaction where another loop writes the bit.)
    overdue = any("waited between noInterrupts()" in notice for notice in done.report["notices"])
    for pin in () if "EIMSK" in drawn.text else ("D5",) if overdue else ("D5", "D6", "D7"):
        assert not any(within(begins, *pulse) for pulse in pulses(vcd, pin)), drawn.text
    if drawn.again:
        assert line["max_delay_us"] <= line["delay_bound_us"] + MASKED, drawn.text
        return
    arrivals = [at for at, level in edges(vcd, f"D{drawn.pin}")[1:] if level == 1]
    latch = Latch(arrivals, calls)
    waits, _ = latch.play()
    waited = max([*waits, latch.left(MILLISECONDS * 1_000_000)])
    bound = 1_000 * (line["delay_bound_us"] + MASKED) + LATEST
    assert waited <= bound, f"{waited} ns, {bound} promised\n{drawn.scenario()}{drawn.text}"
    assert line["max_delay_us"] * 1_000 + LATEST >= waited
