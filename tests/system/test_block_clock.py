"""What costs virtual time on the simulated board: the sketch and the kernel, never the hardware."""

from __future__ import annotations

import json
from pathlib import Path

from tests.commands import run_hocket

ROOT = Path(__file__).resolve().parents[2]

SKETCH = """
#include <string>
#include <vector>
void setup() { Serial.begin(2000000); }
void loop(1, 10, 100) { Serial.println("more than the sixteen letters that a string holds"); delay(1); }
"""
# The simulated devices use these templates of the C++ library too. A program has one copy of each: were
# it the sketch's, devices would cost time, and other cores could come in the middle of an access.
NEVER_CALLED = """
[[gnu::used]] void never() {
  std::string text;
  for (int i = 0; i < 100; i++) { text += (char)i; text.reserve(i); text.append("x").insert(0, "y"); }
  std::vector<std::string> texts;
  texts.push_back(text);
  std::vector<uint8_t> bytes;
  bytes.resize(33);
  bytes.insert(bytes.begin(), 3);
  Serial.println(texts[0].c_str());
}
"""


def run(text: str, folder: Path) -> tuple[str, dict[str, object]]:
    sketch = folder / "clock"
    sketch.mkdir(exist_ok=True)
    (sketch / "clock.ino").write_text(text, encoding="utf-8")
    facts = folder / "facts.json"
    done = run_hocket("run", sketch, "--cores", "2", "--for", "1s", "--json", facts)
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads(facts.read_text(encoding="utf-8"))


def test_code_that_is_never_called_costs_no_time(tmp_path: Path) -> None:
    without = run(SKETCH, tmp_path)
    assert run(SKETCH + NEVER_CALLED, tmp_path) == without
