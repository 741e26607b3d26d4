"""From blocks to lines, on made-up programs; and what the options mean."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.campaign import long_form

from hocket.coverage.asking import LINES_TO, Coverage, check_boards, wished
from hocket.coverage.lines import Piece, Program, count
from hocket.coverage.merging import merge, read_lines, write_lines
from hocket.coverage.telling import percent, table_of, tell
from hocket.errors import HocketError

FILE = Path("/sketch/sketch.ino")
# Two functions of code from 100 on: blocks at 110 and 130, and at 210; each call has 5 bytes.
PROGRAM = Program([110, 130, 210], [115, 135, 215], [(100, 160), (200, 240)], first=100)


def visited(*places: int) -> bytes:
    return bytes(int(at + 100 in places) for at in range(200))


def lines(
    pieces: list[tuple[int, int, int]], *ran: int, inlined: set[int] | None = None
) -> dict[int, int]:
    made = [Piece(start, end, FILE, line) for start, end, line in pieces]
    return count(PROGRAM, made, visited(*ran), inlined or set()).get(FILE, {})


def test_a_block_reaches_from_its_call_to_the_next() -> None:
    pieces = [(100, 110, 1), (110, 130, 2), (130, 160, 3), (200, 240, 4)]
    assert lines(pieces) == {1: 0, 2: 0, 3: 0, 4: 0}
    assert lines(pieces, 115) == {1: 1, 2: 1, 3: 0, 4: 0}
    assert lines(pieces, 115, 215) == {1: 1, 2: 1, 3: 0, 4: 1}


def test_a_call_belongs_to_its_own_block_and_not_to_the_one_before() -> None:
    assert lines([(130, 135, 7)], 115) == {7: 0}
    assert lines([(130, 135, 7)], 135) == {7: 1}


def test_a_line_of_several_pieces_has_run_when_one_has() -> None:
    assert lines([(110, 115, 1), (140, 150, 1)], 135) == {1: 1}
    assert lines([(112, 150, 1)], 135) == {1: 1}, "a piece over two blocks"


def test_code_of_no_function_or_without_blocks_is_no_line() -> None:
    assert lines([(160, 170, 1), (50, 60, 2)], 115) == {}


def test_the_own_code_of_a_function_that_was_copied_counts_only_when_it_runs() -> None:
    pieces = [(200, 205, 9), (120, 125, 8)]
    assert lines(pieces, 115, inlined={200}) == {8: 1}
    assert lines(pieces, 115, 215, inlined={200}) == {8: 1, 9: 1}


PIECES = st.lists(
    st.tuples(st.integers(0, 300), st.integers(1, 60), st.integers(1, 9)), max_size=20
)


@given(PIECES, st.sets(st.sampled_from([115, 135, 215])))
def test_more_visits_never_cover_less(drawn: list[tuple[int, int, int]], ran: set[int]) -> None:
    pieces = [(start, start + size, line) for start, size, line in drawn]
    some, every = lines(pieces, *ran), lines(pieces, 115, 135, 215)
    assert some.keys() == every.keys() == lines(pieces).keys()
    assert all(some[line] <= every[line] for line in some)
    assert set(every.values()) <= {1}
    assert not any(lines(pieces).values())


RUNS = st.lists(
    st.dictionaries(
        st.sampled_from([FILE, Path("/sketch/über.cpp")]),
        st.dictionaries(st.integers(1, 9), st.integers(0, 1)),
    ),
    max_size=5,
)


@long_form
@given(RUNS)
def test_runs_together_count_in_how_many_each_line_ran(
    runs: list[dict[Path, dict[int, int]]],
) -> None:
    together = merge(runs)
    for file, each in together.items():
        for line, times in each.items():
            assert times == sum(run.get(file, {}).get(line, 0) for run in runs)
    assert merge(reversed(runs)) == together
    rows, ran, total = table_of(together)
    assert 0 <= ran <= total
    assert (rows[-1][1:3] == (str(total), str(ran))) or len(together) == 0


@given(RUNS)
def test_lines_pass_from_one_command_to_another(
    tmp_path_factory: pytest.TempPathFactory, runs: list[dict[Path, dict[int, int]]]
) -> None:
    file = tmp_path_factory.mktemp("lines") / "lines.json"
    write_lines(merge(runs), file)
    assert read_lines(file) == merge(runs)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"a": 1}', '{"a": {"x": 1}}', "null"])
def test_a_run_that_left_nothing_has_no_lines(tmp_path: Path, content: str) -> None:
    assert read_lines(tmp_path / "none") == {}
    (tmp_path / "lines").write_text(content)
    assert read_lines(tmp_path / "lines") == {}


def test_of_no_lines_all_have_run() -> None:
    assert percent(0, 0) is None, "of no lines"


def test_no_lines_and_sketches_that_did_not_run_are_no_full_coverage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert table_of({}) == ([("all", "0", "0", "–")], 0, 0)
    least = Coverage(least=10)
    assert tell({}, least, 0) == 1
    assert "no line is known" in capsys.readouterr().err
    assert tell({}, Coverage(), 0) == 0
    (tmp_path / "a.ino").write_text("void setup() {}\n")
    full = {tmp_path / "a.ino": {1: 1}}
    assert tell(full, least, 0) == 0
    capsys.readouterr()
    assert tell(full, least, 0, [tmp_path / "broken"]) == 2
    said = capsys.readouterr()
    assert re.search(r"^broken +– +– +–$", said.out, re.MULTILINE)
    assert "hocket: there is no coverage of broken\n" in said.err


def test_boards_whose_lines_are_not_known() -> None:
    assert check_boards([]) == check_boards(["sim"]) == []
    assert check_boards(["uno", "sim", "uno"]) == ["uno"]
    with pytest.raises(HocketError, match="--coverage is not for the board uno or virt"):
        check_boards(["virt", "uno"])


def test_what_the_options_mean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert wished(False, None, None, "virt") is None
    assert wished(True, None, None, "sim") == Coverage()
    assert wished(False, Path("there"), None) == Coverage(Path("there"))
    assert wished(False, None, 80) == Coverage(least=80)
    with pytest.raises(HocketError, match="--coverage is not for the board uno"):
        wished(True, None, None, "uno")
    with pytest.raises(HocketError, match="--coverage-min 101 is out of range"):
        wished(False, None, 101)
    (tmp_path / "coverage").write_text("")
    with pytest.raises(HocketError, match="cannot be written to coverage"):
        wished(True, None, None)
    monkeypatch.setenv(LINES_TO, "x.json")
    assert wished(False, None, None) == Coverage(lines_to=Path("x.json"))
