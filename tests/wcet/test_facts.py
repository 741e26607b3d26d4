"""The costs that facts.py gives to functions of the core, against the longest calls in simavr.

One loop alone writes to Serial, as the facts take for granted."""

from __future__ import annotations

import pytest

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.builder.stack_depth import Program
from hocket.running.request import Request
from hocket.sketch.folder import find_sketch
from hocket.wcet.avr8.state import State
from hocket.wcet.facts import KERNEL, WAITS, Serial, fact_of
from hocket.wcet.seen import run_and_see

_MOST = 40  # bytes of the longest text
_SKETCH = """
const char text[] = "0123456789012345678901234567890123456789";
void setup() { Serial.begin(115200); }
void loop(1, 20, 50) {
  static byte n = 0;
  Serial.write(text, n = n == 0 ? 40 : n - 1);
  if (n % 4 == 0) Serial.flush();
  analogRead(A0);
}
void loop(2, 10, 50) {
  analogRead(A1);
  if (millis() % 3 == 0) delay(7);
  pulseIn(4, HIGH, 300);
}
"""


@pytest.fixture(scope="module")
def longest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """The cycles of the longest calls, by symbol."""
    folder = tmp_path_factory.mktemp("facts") / "facts"
    folder.mkdir()
    (folder / "facts.ino").write_text(_SKETCH)
    built = build_sketch(find_sketch(str(folder)), find_board("uno"))
    names = Program(built.sketch_elf, "avr-nm").names
    waits = [at for at, name in names.items() if WAITS.fullmatch(name) or KERNEL.fullmatch(name)]
    timed = [at for at, name in names.items() if name in _TIMED]
    request = Request(str(folder), "uno", 1, "5s", anyway=True)
    seen = run_and_see(built, request, timed, waits)
    return {names[at]: each.longest for at, each in seen.items() if each.calls > 10}


_WRITE, _FLUSH = "_ZN6hocket3sys12serial_writeEjPKhj", "_ZN6hocket3sys12serial_flushEj"
_TIMED = ("hocket_pay", _WRITE, _FLUSH, "analogRead", "pulseIn")


@pytest.mark.parametrize("name", _TIMED)
def test_no_call_takes_longer_than_the_fact_says(name: str, longest: dict[str, int]) -> None:
    state = State()
    state.registers[18:26] = [300 & 0xFF, 300 >> 8, 0, 0, 0, 0, 0, 0]  # pulseIn()'s timeout
    if name != "pulseIn":
        state.registers[20:26] = [_MOST, 0, 0, 0, 0, 0]  # serial_write()'s size, hocket_pay()'s 0
    fact = fact_of(name, state, Serial(115200), None)
    assert fact is not None
    print(f"{name}: {longest[name]} cycles, the fact {fact.cycles}")
    assert longest[name] <= fact.cycles
    if name not in (_WRITE, _FLUSH):  # how often those wait depends on the phase of the run
        assert fact.cycles <= 3 * longest[name]  # else it says little
