"""Tables in terminals of every width: columns go, digits never."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocket import tables
from hocket.tables import fitting, plain_table

COLUMNS = ("loop", "core", "C/T", "response (bound)", "misses", "stack")
ROWS = [("1 loop", "0", "70/100 ms", "30.014 ms (90.134 ms)", "0", "704/262144")]
DROP = ("stack", "core")


def shown(width: int) -> str:
    kept = fitting(COLUMNS, ROWS, DROP, width)
    return plain_table([COLUMNS[i] for i in kept], [[row[i] for i in kept] for row in ROWS])


def test_what_has_room_is_there_whole() -> None:
    assert fitting(COLUMNS, ROWS, DROP, 200) == list(range(6))
    needed = len(shown(200).splitlines()[1])
    assert fitting(COLUMNS, ROWS, DROP, needed) == list(range(6))
    assert fitting(COLUMNS, ROWS, DROP, needed - 1) == [0, 1, 2, 3, 4]


@given(width=st.integers(1, 120))
def test_a_cell_is_whole_or_away(width: int) -> None:
    text = shown(width)
    for name, cell in zip(COLUMNS, ROWS[0], strict=True):
        assert (cell in text.splitlines()[2]) == (name in text.splitlines()[0]) or cell == "0"
    assert "30.014 ms (90.134 ms)" in text  # what was promised and what came of it always stay
    if fitting(COLUMNS, ROWS, DROP, width) != [0, 2, 3, 4]:
        assert len(text.splitlines()[1]) <= width


@pytest.mark.parametrize(
    ("said", "width"), [("132", 132), ("0", 80), ("-3", 80), ("wide", 80), ("", 80)]
)
def test_the_width_that_a_terminal_says(
    monkeypatch: pytest.MonkeyPatch, said: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", said)
    assert tables.terminal_width() == width


@given(
    words=st.lists(st.text("ab-/:(),.µ", min_size=1, max_size=30), min_size=1, max_size=40),
    width=st.integers(20, 120),
)
def test_a_line_of_words_is_broken_between_them(words: list[str], width: int) -> None:
    lines = tables._broken(" ".join(words), width)
    assert " ".join(lines).split() == words
    assert all(len(line) <= width or len(line.split()) == 1 for line in lines)
    assert all(line.startswith("  ") for line in lines[1:])


def test_what_goes_into_a_file_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    text = "overheads: interrupt entry 2 us, context switch 4 us, " * 5
    tables.print_words(text)
    assert capsys.readouterr().out == f"{text}\n"


def test_a_missed_deadline_is_marked_and_red_in_a_terminal() -> None:
    rows = [("1 loop", "0"), ("2 loop", f"12{tables.MARK}")]
    assert plain_table(("loop", "misses"), rows).splitlines()[2:] == [
        "1 loop       0",
        "2 loop    12 !",
    ]
    red = plain_table(("loop", "misses"), rows, colour=True).splitlines()
    assert red[2:] == ["1 loop       0", "2 loop  \033[31;1m  12 !\033[0m"]


def test_no_colours_where_none_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert tables.in_colour()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not tables.in_colour()
