"""Tables that stand behind `<!-- figures: bench NAME -->` in a document are what that experiment prints.

Each number of a row must be in one row that the experiment prints, as exactly as the document says it; with
`, in any row` in any of them. Cells that begin with a word are words. The columns of papers are numbers as
well: experiments print those, too. Experiments that take minutes are run with --long.
"""

from __future__ import annotations

import re
from functools import cache

import pytest
from tests.campaign import long_form
from tests.tree.test_figures import PAGES, ROOT

from hocket.bench import Result, board_meant, run_experiment

TIED = re.compile(r"^<!-- figures: bench ([a-z-]+)(, in any row)? -->\n((?:\|.*\n)+)", re.M)
QUICK = ("led-jitter",)
NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


def tables() -> list[object]:
    """Parameters: document, experiment, whether any row will do, the rows of the table."""
    found: list[object] = []
    for page in PAGES:
        for name, anyhow, text in TIED.findall((ROOT / page).read_text(encoding="utf-8")):
            case = (page, name, bool(anyhow), text.splitlines())
            marks = () if name in QUICK else long_form
            found.append(pytest.param(*case, marks=marks, id=f"{page}: {name}"))
    return found


@pytest.mark.parametrize(("page", "experiment", "anyhow", "rows"), tables())
def test_a_table_is_what_its_experiment_prints(
    page: str, experiment: str, anyhow: bool, rows: list[str]
) -> None:
    printed = printed_rows(experiment)
    wrong = [row for row in rows[2:] if not stands_in(row, printed, anyhow)]
    assert not wrong, f"{page}: `hocket bench {experiment}` does not print these: {wrong}"


@cache
def printed_rows(experiment: str) -> tuple[tuple[str, ...], ...]:
    """The numbers of each row of all of its tables."""
    return _rows(run_experiment(experiment, 1, board_meant(experiment)))


def _rows(result: Result) -> tuple[tuple[str, ...], ...]:
    own = tuple(numbers(" ".join(map(str, row))) for row in result.rows)
    return own + tuple(row for table in result.more for row in _rows(table))


def numbers(text: str) -> tuple[str, ...]:
    """All of a text's numbers, without the commas between thousands. What stands in backticks is a name."""
    text = re.sub(r"`[^`]*`", "", text).replace("−", "-").replace("µ", "u")
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    text = re.sub(r"(?<=[\w.])[-–](?=\d)", " ", text)  # from … to, and a name's part
    return tuple(NUMBER.findall(text))


def stands_in(row: str, printed: tuple[tuple[str, ...], ...], anyhow: bool) -> bool:
    """Whether all numbers of a document's row are those of a row that was printed, or of several."""
    cells = [cell.strip().strip("*") for cell in row.strip("|").split("|")]  # bold or not
    wanted = numbers(" ".join(cell for cell in cells if re.match(r"[+−-]?\d", cell)))
    places = [tuple(number for each in printed for number in each)] if anyhow else printed
    return any(all(any(same(n, one) for one in place) for n in wanted) for place in places)


def same(shown: str, printed: str) -> bool:
    """Equal as far as the document goes: half a unit of its last digit. +0.00 is 0.00."""
    digits = len(shown.partition(".")[2])
    return bool(abs(float(shown) - float(printed)) <= 0.5 * 10**-digits + 1e-9)


def test_the_comparison_itself_notices_differences() -> None:
    printed = (("10", "100", "50035", "50035.7"), ("30", "150076", "-0.78"))
    assert stands_in("| 10 ms | 50,035 | 50,036 |", printed, anyhow=False)
    assert stands_in("| 30 ms | 150,076 | −0.8 |", printed, anyhow=False)
    assert not stands_in("| 10 ms | **50,037** |", printed, anyhow=False)
    assert not stands_in("| 10 ms | 150,076 |", printed, anyhow=False)
    assert stands_in("| 10 ms | 150,076 |", printed, anyhow=True)
    assert not stands_in("| 10 ms | 50,034 |", printed, anyhow=True)
    assert not stands_in("| 30 ms | 0.78 |", printed, anyhow=True)
    assert numbers("4.68 us, 7200 Hz; 27.5–139.6, `digitalWrite(8)` 1,000,000.00") == (
        *("4.68", "7200", "27.5", "139.6", "1000000.00"),
    )
