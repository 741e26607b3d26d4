"""The scenario's schema, the parts and pins of the board, and the documentation name the same things."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from tests.part_pages import description_of

from hocket.scenario import load
from hocket.scenario.boards import SIM
from hocket.scenario.structure import schema

ROOT = Path(__file__).resolve().parents[4]
Write = Callable[[str], Path]


def test_the_schema_is_a_schema_and_knows_every_part() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    registry = (ROOT / "simulation/parts/registry.cpp").read_text()
    assert set(re.findall(r"^  PART\((\w+)\)", registry, re.M)) == set(schema()["$defs"]["parts"])


def test_the_pins_are_those_of_the_board() -> None:
    pinout = (ROOT / "simulation/devices/pinout.h").read_text()
    constants = dict(re.findall(r"constexpr unsigned k(\w+) = (\d+);", pinout))
    assert (SIM.pins, SIM.analog_base, SIM.led) == (
        int(constants["Pins"]),
        int(constants["AnalogBase"]),
        int(constants["LedBuiltin"]),
    )
    ranges = re.findall(r"pin >= (\d+) && pin <= (\d+)", pinout)
    assert frozenset().union(*(range(int(low), int(high) + 1) for low, high in ranges)) == SIM.pwm


def test_every_example_of_the_documentation_loads(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path.parent / "pong"  # the second board's sketch, as seen from a scenario
    other.mkdir(exist_ok=True)
    monkeypatch.setenv("HOCKET_ALLOW_PATH", str(other))
    (other / "pong.ino").write_text("void setup() {}\nvoid loop() {}\n", encoding="utf-8")
    examples = 0
    for page in ("scenario.md", "parts.md"):
        text = (ROOT / "docs/reference" / page).read_text(encoding="utf-8")
        for block in re.findall(r"```yaml\n(.*?)```", text, re.S):
            if "parts:" in block:
                load(write(block), "uno" if "boards:" in block else "sim")
                examples += 1
    assert examples >= 10


def test_parts_md_names_every_key() -> None:
    for name, part in schema()["$defs"]["parts"].items():
        section = description_of(name)
        for key in part["properties"]:
            assert key == "type" or f"`{key}" in section, f"{name}: {key}"


def test_the_schema_file_is_valid_json() -> None:
    json.loads((ROOT / "tools/hocket/scenario/schema.json").read_text(encoding="utf-8"))
