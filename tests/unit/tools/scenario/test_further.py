"""A second board in a scenario: what is read, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocket.errors import HocketError
from hocket.scenario import read_scenario

HEAD = """\
parts:
  clock: {type: generator, pin: 4, frequency: 1 kHz}
boards:
  pong:
    sketch: pong
    parts:
      lamp: {type: led, pin: 13}
      clock: {type: generator, pin: 5, frequency: 1 kHz}
wires:
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pong").mkdir()
    (tmp_path / "pong" / "pong.ino").write_text("void loop() {}\n")
    return tmp_path


def _written(folder: Path, text: str) -> Path:
    file = folder / "scenario.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_board_and_its_wires(folder: Path) -> None:
    wires = "  - {here: 3, pong: D2}\n  - {pong: A0, here: A1}\n  - {here: TX, pong: RX}\n"
    scenario = read_scenario(_written(folder, HEAD + wires), "uno")
    assert scenario.further is not None
    assert scenario.further.name == "pong"
    assert scenario.further.sketch == folder / "pong"
    assert scenario.further.wires == ((3, 2), (55, 54), (1, 0))
    assert "part led lamp\npin 13\n" in scenario.further.flat
    assert "lamp" not in scenario.flat


def test_without_one(folder: Path) -> None:
    assert read_scenario(_written(folder, "parts: {}\n"), "uno").further is None


@pytest.mark.parametrize(
    ("wires", "line", "message"),
    [
        ("  - {here: 3, pang: 2}", 10, "there is no board pang: did you mean pong?"),
        ("  - {here: 3, pong: 2}\n  - {here: 3, pong: 6}", 11, "pin 3 of here has two wires"),
        ("  - {here: 3, pong: 2}\n  - {here: 6, pong: 2}", 11, "pin 2 of pong has two wires"),
        ("  - {here: TX, pong: RX}\n  - {here: 1, pong: 2}", 11, "pin 1 of here has two wires"),
        ("  - {here: 77, pong: 2}", 10, "the wire ends at pin 77 of here"),
        ("  - {here: TX, pong: TX}", 10, "leads from TX to TX: at both ends a board sends"),
        ("  - {here: RX, pong: RX}", 10, "leads from RX to RX: at both ends a board listens"),
        (
            "  - {here: 4, pong: 5}",
            10,
            "pin of clock and pin of clock of pong both drive this wire",
        ),
        ("  - {here: 4}", 10, "has too few entries"),
        ("  - {here: 4, pong: 5, pang: 6}", 10, "has too many entries"),
        ("  - {here: [3], pong: 5}", 10, "is a list, which does not fit here"),
    ],
)
def test_wires_that_are_wrong(folder: Path, wires: str, line: int, message: str) -> None:
    with pytest.raises(HocketError) as caught:
        read_scenario(_written(folder, f"{HEAD}{wires}\n"), "uno")
    assert message in caught.value.fact
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("parts: {}\nboards: {pong: {sketch: pong}}\n", 2, "boards without wires"),
        ("parts: {}\nwires: [{here: 1, pong: 0}]\n", 2, "wires without boards"),
        (
            "parts: {}\nboards:\n  pong: {sketch: gone}\nwires: [{here: 1, pong: 0}]\n",
            3,
            "there is no sketch gone",
        ),
        (
            "parts: {}\nboards:\n  here: {sketch: pong}\nwires: [{here: 1, pong: 0}]\n",
            3,
            "a board cannot be called here",
        ),
        (
            "parts: {}\nboards:\n  pong: {sketch: pong, parts: {l: {type: led, pin: 99}}}\n"
            "wires: [{here: 1, pong: 0}]\n",
            3,
            "pin of l of pong is pin 99",
        ),
        (
            "parts: {}\nboards:\n  pong: {}\nwires: [{here: 1, pong: 0}]\n",
            3,
            "pong lacks sketch",
        ),
        (
            "parts: {}\nboards:\n  a: {sketch: pong}\n  b: {sketch: pong}\nwires: [{a: 1, b: 0}]\n",
            2,
            "boards has too many entries",
        ),
    ],
)
def test_boards_that_are_wrong(folder: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(HocketError) as caught:
        read_scenario(_written(folder, text), "uno")
    assert message in caught.value.fact
    assert caught.value.line == line


@pytest.mark.parametrize("board", ["sim", "virt", "rpi3"])
def test_other_boards_cannot(folder: Path, board: str) -> None:
    with pytest.raises(HocketError) as caught:
        read_scenario(_written(folder, HEAD + "  - {here: 3, pong: 2}\n"), board)
    assert f"the board {board} cannot be wired to another one" in caught.value.fact
    assert caught.value.line == 3
    assert "--board uno" in caught.value.next_step
