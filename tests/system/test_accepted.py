"""Sketches that only Arduino's compiler accepts (gcc -fpermissive) run on every board, with warnings."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import one_in
from tests.commands import run_hocket

SKETCH = """\
enum Mode { Slow, Fast };
char text[4] = "ab";
char *cmd = text;
void fill(unsigned char *bytes) { bytes[0] = 1; }
void setup() {
  Serial.begin(115200);
  int x[] = {1, 2.5};
  int *p = malloc(10);
  p[0] = x[1];
  fill(malloc(3));
  Mode m = 1;
  register int r = m;
  if (cmd == 'a') r++;
  switch (p[0]) {
    case 2:
      int y = 3;
      String s = "abc";
      Serial.println(s + y);
      break;
    default:
      Serial.println(r);
  }
}
void loop(1, 2, 100) { int *q = malloc(2); free(q); Serial.println("round"); delay(10); }
"""
WARNED = {7: 17, 8: 8, 10: 3, 11: 8, 12: 3, 13: 11, 17: 14, 24: 29}


@one_in(4)
@pytest.mark.parametrize("board", ["sim", "virt", "uno"])
def test_a_sketch_as_people_write_them(board: str, tmp_path: Path) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    (folder / "people.ino").write_text(SKETCH)
    done = run_hocket("run", folder, "--board", board, "--for", "50ms")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("abc3\nround\n")
    for line, column in WARNED.items():
        assert f"people.ino:{line}:{column}: warning: " in done.stderr, (line, done.stderr)
    assert " error: " not in done.stderr
