"""Thirty sketches with many loops as people write them: String, parsers, tables, sensors, settings. They run
on the Uno with the stacks that the build gives, and say there what they say on the simulated board.

The first lines of each say what it gets and must say: `// sends:` (Serial's input, at 50 ms), `// part:` (of
the scenario), `// for:` (how long it runs; 700 ms), `// says:` (texts in this order, between bars)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.campaign import one_in
from tests.interrupts import on, run

SKETCHES = sorted((Path(__file__).parent / "ordinary").glob("*.ino"))


def told(text: str, key: str) -> list[str]:
    return re.findall(rf"^// {key}: (.*)$", text, re.MULTILINE)


def scenario(text: str) -> str:
    lines = [f"  {part}\n" for part in told(text, "part")]
    lines += [
        f'  line: {{type: serial, port: 0, send: [{{at: 50 ms, text: "{sent}"}}]}}\n'
        for sent in told(text, "sends")
    ]
    return "parts:\n" + "".join(lines) if lines else "parts: {}\n"


def test_there_are_thirty() -> None:
    assert len(SKETCHES) >= 30
    for path in SKETCHES:
        text = path.read_text(encoding="utf-8")
        assert 10 <= len(text.splitlines()) <= 100, path.name
        assert len(re.findall(r"^void loop\(\d", text, re.MULTILINE)) >= 2, path.name
        assert "HOCKET_STACK" not in text and "stack" not in text.lower(), path.name


@one_in(11)
@pytest.mark.parametrize("board", ["uno", "sim"])
@pytest.mark.parametrize("path", SKETCHES, ids=lambda path: path.stem)
def test_an_ordinary_sketch(tmp_path: Path, path: Path, board: str) -> None:
    text = path.read_text(encoding="utf-8")
    time = (told(text, "for") or ["700 ms"])[0]
    (says,) = told(text, "says")
    status, said, report = run(tmp_path, path.stem, text, scenario(text), time, *on(board))
    assert status == 0, said
    rest = said
    for words in says.split("|"):
        before, found, rest = rest.partition(words)
        assert found, f"{words!r} is missing behind {before!r}"
    for loop in report["loops"]:
        assert loop["deadline_misses"] == 0, loop
        assert loop["stack_used"] < loop["stack_size"], loop
