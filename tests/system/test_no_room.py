"""A String that cannot grow is named in the report, with its loop and line, as on the Uno."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import run_hocket

GROWS = """
String all[8];
void grow(unsigned which) {
  if (!all[which].reserve(%s)) Serial.println("refused");
}
void loop(5, 10, 20) {
  static unsigned which;
  if (which < 8) grow(which++);
  delay(1);
}
void setup() { Serial.begin(115200); }
"""
BYTES = {"sim": 3_500_000_000, "virt": 2_000_000}


@pytest.mark.parametrize("board", BYTES)
def test_a_string_that_can_grow_no_further(tmp_path: Path, board: str) -> None:
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "full.ino").write_text(GROWS % BYTES[board])
    report = tmp_path / "report.json"
    done = run_hocket("run", folder, "--board", board, "--for", "300ms", "--json", report)
    assert done.returncode == 0, done.stderr
    refused = done.stdout.count("refused")
    assert 2 <= refused < 8
    (notice,) = (
        each for each in json.loads(report.read_text())["notices"] if "bytes of memory" in each
    )
    asked = (BYTES[board] | 15) + 1
    said = f"loop 5 asked for {asked} bytes of memory and got none (full/full.ino:4, in grow"
    assert notice.startswith(said), notice
    assert f"the first of {refused} times" in notice
