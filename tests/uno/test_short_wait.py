"""delayMicroseconds() counts instructions: a pulse's length says how well."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.uno.conftest import Built, Measure

CYCLES_PER_US = 16


@pytest.mark.parametrize("microseconds", [2, 10, 1000, 20_000])
def test_it_takes_what_it_says(
    built: Built, measure: Measure, tmp_path: Path, microseconds: int
) -> None:
    folder = tmp_path / "waits"
    folder.mkdir()
    (folder / "waits.ino").write_text(
        "void setup() { pinMode(3, OUTPUT); }\n"
        "void loop() {\n"
        f"  digitalWrite(3, HIGH); delayMicroseconds({microseconds}); digitalWrite(3, LOW);\n"
        "}\n"
    )
    found = measure(built(folder), 3)
    assert abs(found.most - microseconds * CYCLES_PER_US) <= 8  # the pin, the call
