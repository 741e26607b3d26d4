"""A servo's angle at each instant, as expectations see it, against a model that knows the pin's pulses."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

import pytest
from tests.commands import run_hocket
from tests.uno.waves import edges

from hocket.trace.wavefile import read_signals

MS = 1_000_000
SKETCH = """
#include <Servo.h>
Servo arm;
void setup() { arm.attach(9); arm.write(0); }
void loop(1, 5, 50) {
  static int turn;
  const int angles[] = {120, 40, 41, 180, 0};
  delay(turn == 0 ? 400 : 110);
  if (turn < 5) arm.write(angles[turn++]);
}
"""
SCENARIO = """
parts:
  arm: {type: servo, pin: 9}
expect:
  - {part: arm, angle: below 1 deg, at: 0.4 s}
  - {part: arm, angle: above 60 deg, by: 0.56 s}
  - {part: arm, angle: 0 deg to 130 deg, from: 0 s}
  - {part: arm, angle: below 0.1 deg, by: 1.5 s, from: 1 s}
never:
  - {part: arm, angle: above 130 deg}
"""
SLEW = 600  # deg/s
SHORTEST, LONGEST = 544_000, 2_400_000  # ns


def modelled(wave: Path, instants: list[int]) -> list[float]:
    """From the middle on it turns to where each pulse's width says, from that pulse's end on."""
    angle, target, since = 90.0, 90.0, 0
    found: list[float] = []

    def at(instant: int) -> float:
        way = SLEW * (instant - since) / 1e9
        return angle + max(-way, min(way, target - angle))

    rose = 0
    left = list(reversed(instants))
    for when, high in edges(wave, "D9"):
        while left and left[-1] <= when:
            found.append(at(left.pop()))
        if high:
            rose = when
        elif rose:
            angle, since = at(when), when
            target = 180 * (when - rose - SHORTEST) / (LONGEST - SHORTEST)
            target = max(0.0, min(180.0, target))
    return found + [at(each) for each in reversed(left)]


@pytest.mark.parametrize("board", ["sim", "uno"])
def test_where_it_is_while_it_turns(tmp_path: Path, board: str) -> None:
    folder = tmp_path / "arm"
    folder.mkdir()
    (folder / "arm.ino").write_text(SKETCH)
    (folder / "scenario.yaml").write_text(SCENARIO)
    wave = tmp_path / "arm.vcd"
    done = run_hocket("run", folder, "--board", board, "--for", "1.5 s", "--vcd", wave)
    assert "5 expectations met" in done.stderr, done.stderr
    changes = read_signals(wave, {"arm.angle_deg"})["arm.angle_deg"]
    times = [when for when, _ in changes]
    instants = [*range(0, 1_400 * MS, 777_777)]
    for instant, wanted in zip(instants, modelled(wave, instants), strict=True):
        place = bisect_right(times, instant) - 1
        (begin, low), (end, high) = changes[place], changes[min(place + 1, len(changes) - 1)]
        share = (instant - begin) / (end - begin) if end > begin else 0
        seen = float(low) + (float(high) - float(low)) * share
        assert seen == pytest.approx(wanted, abs=0.003), instant
