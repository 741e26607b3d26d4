"""What the warning about numbers of several bytes says is so: unguarded they tear, guarded they do not."""

from __future__ import annotations

from pathlib import Path

from tests.campaign import long_form
from tests.uno.conftest import Run

SKETCH = """
volatile int shared = 0;
volatile byte torn = 0;
void setup() { Serial.begin(115200); }
void loop(1, 3, 10) { %s shared = shared == 0 ? 0x0101 : 0; %s }
void loop(2, 3, 10) {
  %s const int seen = shared; %s
  if (seen != 0 && seen != 0x0101 && torn < 255) torn++;
}
void loop(3, 1, 100) { Serial.println(torn); delay(100); }
"""


@long_form
def test_an_int_tears_where_nothing_guards_it(uno: Run, tmp_path: Path) -> None:
    folder = tmp_path / "tears"
    folder.mkdir()
    guarded = ("noInterrupts();", "interrupts();")
    for guards, expected in ((("", ""), True), (guarded, False)):
        (folder / "tears.ino").write_text(SKETCH % (*guards, *guards))
        done = uno(folder, "3s")
        assert done.status == 0, done.said
        counts = [int(line) for line in done.serial.splitlines()[:25]]
        assert (counts[-1] > 0) == expected
        warning = "tears.ino:2: warning: loop 1 and loop 2 use `shared`, whose 2 bytes"
        assert (warning in done.said) == expected
        assert "`torn`" not in done.said
