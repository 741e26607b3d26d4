"""Changes at pins of a port, which has one interrupt for all: what is delivered is what its handler has seen.

Each call of the handler is seen at a pin: the report's figures are held against the wave, not against
what the simulator takes for a call.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import one_in
from tests.uno.conftest import Run
from tests.uno.waves import edges

TEXT = """
void storm() {}
void seen() { PINB = 1 << 5; }
void setup() {
  pinMode(13, OUTPUT);
  interruptsVcpu(1, 20);
  attachInterrupt(digitalPinToInterrupt(2), storm, RISING);
  attachInterrupt(digitalPinToInterrupt(7), seen, CHANGE);
  attachInterrupt(digitalPinToInterrupt(6), seen, CHANGE);
}
void loop(1, 20, 100) {}
"""


@one_in(7)
@pytest.mark.parametrize(
    ("storm", "first", "second"),
    [
        (1, 200, 1),  # each is seen
        (1, 200, 200),  # both at once
        (1, 90_000, 1),  # again before the handler has looked
        (100_000, 11, 1),  # held back for less than a half wave
        (100_000, 37, 41),
        (100_000, 50, 1),  # held back for a whole one: it is as before
        (100_000, 3_000, 7_000),
    ],
)
def test_what_is_delivered_has_been_seen(
    uno: Run, tmp_path: Path, storm: int, first: int, second: int
) -> None:
    folder = tmp_path / "port"
    folder.mkdir()
    (folder / "port.ino").write_text(TEXT)
    around, vcd = tmp_path / "edges.yaml", tmp_path / "w.vcd"
    generators = {2: storm, 7: first, 6: second}
    around.write_text(
        "parts:\n"
        + "".join(
            f"  g{pin}: {{type: generator, pin: {pin}, frequency: {frequency} Hz, start: 10 ms}}\n"
            for pin, frequency in generators.items()
        )
    )
    done = uno(folder, "1003ms", "--scenario", around, "--vcd", vcd)
    assert done.status == 0, done.said
    (entry,) = [each for each in done.report["interrupts"] if each["pin"] is None]
    assert entry["edges"] == entry["delivered"] + entry["pending"] + entry["lost"], entry
    arrived = sum(len(edges(vcd, f"D{pin}")) - 1 for pin in (6, 7))
    assert abs(entry["edges"] - arrived) <= 1, entry
    calls = len(edges(vcd, "D13")) - 1
    assert abs(entry["delivered"] - calls) <= 1, (entry, calls)
    assert (entry["lost"] > 0) == (first > 11 and first != 200), entry
