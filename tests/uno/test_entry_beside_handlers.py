"""The entry of an interrupt, where all that can come comes in it: another handler of a pin, and the clock's
overflow while the alarm is far; where a handler gives to a loop, and where it unparks the last of seven."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.uno.conftest import Run
from tests.uno.waves import edges

# Pin 4 is the highest bit of the clock's counter, as the loop sees it.
SKETCH = """#include "hocket/Semaphore.h"
Semaphore gate(0);
volatile unsigned seen;
void gives() { gate.v(); }
void counts() { seen = seen + 1; }
void setup() {
  DDRD |= 16;
  attachInterrupt(digitalPinToInterrupt(@), gives, CHANGE);
  attachInterrupt(digitalPinToInterrupt(8), counts, CHANGE);
}
void loop(1, 2ms, 30ms) { gate.p(); }
void loop(2, 120ms, 200ms) {
  for (;;) { if (TCNT1 & 0x8000) PORTD |= 16; else PORTD &= ~16; }
}
"""
# The last loop waits with a time limit, so the handler unparks it.
UNPARKS = (
    SKETCH.replace("void loop(1, 2ms, 30ms) { gate.p(); }\n", "")
    + "".join(
        f"void loop({i}, 1ms, 100ms, stackBytes(150)) {{ for (;;) delay(30000); }}\n"
        for i in (1, 3, 4, 5, 6)
    )
    + "void loop(7, 1500us, 100ms, stackBytes(190)) { gate.p(20000000); }\n"
)
TURN = 32_768_000  # ns, of the counter
STEP = 2_000


@pytest.mark.parametrize(
    ("pin", "sketch", "starts"), [(2, SKETCH, (-32, 2)), (9, SKETCH, (-32, 2)), (2, UNPARKS, (2,))]
)
def test_an_entry_is_as_short_as_declared(
    uno: Run, tmp_path: Path, pin: int, sketch: str, starts: tuple[int, ...]
) -> None:
    folder = tmp_path / "entry"
    folder.mkdir()
    (folder / "entry.ino").write_text(sketch.replace("@", str(pin)))
    scenario, vcd = folder / "scenario.yaml", tmp_path / "clock.vcd"
    scenario.write_text("parts: {}\n")
    done = uno(folder, "80ms", "--vcd", vcd)
    assert done.status == 0, done.said
    wraps = [at for at, level in edges(vcd, "D4")[1:] if level == 0]
    found = 0.0
    for first in starts:  # us, from the edge to the overflow
        comes: dict[int, list[int]] = {pin: [], 8: []}
        for turn in range(1, 18):
            at = wraps[0] + turn * TURN - 1_000 * first - STEP * turn
            comes[pin].append(at)
            comes[8].append(at + 2_500)
        scenario.write_text(
            "parts:\n"
            + "".join(
                f"  g{of}: {{type: generator, pin: {of}, edges: [{', '.join(f'{t}ns' for t in times)}]}}\n"
                for of, times in comes.items()
            )
        )
        done = uno(folder, "600ms")
        assert done.status == 0, done.said
        overheads = done.report["overheads"]
        assert overheads["exceeded"] == [], overheads
        found = max(found, overheads["kernel_seen"]["interrupt_entry_us"])
    assert found > 15, found  # the overflow has come in one
