"""A rate that a board cannot make leaves the port closed, whatever it was before, and says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import run_hocket

SKETCH = """
void setup() {{
  pinMode(8, OUTPUT);
  Serial.begin(9600);
  Serial.print("before ");
  Serial.begin({rate});
  digitalWrite(8, Serial);
  Serial.print("behind ");
}}
void loop() {{ delay(10); }}
"""

# On the Uno, which divides 2 MHz: what that makes to within 4 %.
OF_UNO = {230_400: True, 250_000: True, 1_000_000: True, 2_000_000: True} | dict.fromkeys(
    (299, 1, 700000, 921600, 1500000, 3000000), False
)
CASES = [
    *(("uno", str(rate), opens) for rate, opens in OF_UNO.items()),
    ("uno", "(unsigned long)analogRead(0) / 1024 + 299", False),
    *(("sim", rate, opens) for rate, opens in (("299", False), ("1500000", True))),
    ("virt", "299", False),
]


@pytest.mark.parametrize(("board", "rate", "opens"), CASES)
def test_a_rate_that_there_is_not(tmp_path: Path, board: str, rate: str, opens: bool) -> None:
    folder = tmp_path / "rates"
    folder.mkdir()
    (folder / "rates.ino").write_text(SKETCH.format(rate=rate))
    scenario = tmp_path / "lamp.yaml"
    scenario.write_text("parts:\n  lamp: {type: led, pin: 8}\n")
    file = tmp_path / "report.json"
    options = ("--board", board, "--for", "50ms", "--scenario", scenario, "--json", file)
    done = run_hocket("run", folder, *options)
    assert done.returncode == 0, done.stderr
    assert ("behind" in done.stdout) == opens
    assert json.loads(file.read_text())["parts"]["lamp"]["lit_at_end"] == opens
