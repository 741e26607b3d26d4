"""Each measured figure in a document is checked against a run, or says when and with what it was measured.

A table of figures, and a sentence with one, stands
    under a mark, in its section or before the page's first one:  Figures of November 2026, Hocket 0.1.0
    or behind a comment:  <!-- figures: bench NAME -->  (tests/bench/test_figures_of_documents.py compares the
                          table with what the experiment prints; `, in any row`: a row of the table is made of
                          several of the experiment's)
    or its figures are those of a console block of the page, which tests/system/test_documentation.py runs,
    or behind a comment that says that nothing was measured:  <!-- figures: declared -->  (a paragraph, too)
What looks like a figure and is none (a standard's, an option's) is told apart by its kind: tables of options
and keys have few numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hocket import __version__

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*.md"))]

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
MARK = re.compile(
    rf"Figures of (?:\d{{1,2}} )?(?:{'|'.join(MONTHS)}) 20\d\d, Hocket (?P<version>\d+\.\d+\.\d+)"
)
COMMENT = re.compile(r"<!-- figures: (?P<what>bench [a-z-]+(?:, in any row)?|declared) -->")
UNIT = r"(?:ns|us|µs|ms|s|%|kHz|MHz|Hz|cycles|instructions|bytes|kB|MB|ticks|°|m/s)"
NUMBER = rf"[~+−-]?\**\d[\d.,]*(?:–\d[\d.,]*)?(?: ?{UNIT})?\**(?: \(.*\))?"
# In a sentence: what only a measurement has.
SENTENCE = re.compile(
    r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d{2,}) (?:cycles|instructions|thread switches)\b"
    r"|(?<![\w.,])\d[\d.,]* (?:bytes|kB) of (?:flash|RAM)\b"
    r"|(?<![\w.,])\d+\.\d{3} (?:ms|us|µs|s)\b"
)
FEWEST, SHARE = 4, 0.3  # of the cells: from there on a table is one of figures


@dataclass(frozen=True)
class Block:
    """A table, or a sentence's line; `marked`: a mark or a comment stands over it."""

    line: int
    rows: list[str]
    marked: bool


def blocks(text: str) -> Iterator[Block]:
    """Tables and lines of prose of a section, outside of code. A comment counts for what it stands over: a
    table, or a paragraph."""
    lines = without_code(text).splitlines()
    commented, index = False, 0
    while index < len(lines):
        line = lines[index]
        table = line.startswith("|")
        end = index + 1
        while table and end < len(lines) and lines[end].startswith("|"):
            end += 1
        if COMMENT.search(line):
            commented = True
        elif line:
            yield Block(index + 1, lines[index:end], commented)
        if table or (
            not line and lines[index - 1 : index] != [""] and not _is_comment(lines, index)
        ):
            commented = False
        index = end


def _is_comment(lines: list[str], index: int) -> bool:
    """Is the line before a blank one the comment itself?"""
    return index > 0 and COMMENT.search(lines[index - 1]) is not None


def without_code(text: str) -> str:
    """The same number of lines, empty where code is."""
    return re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), text, flags=re.M | re.S)


def all_blocks(text: str) -> list[Block]:
    """Those of a page. A mark counts for all of its section, before its first `##` for the whole page."""
    plain = without_code(text)
    found: list[Block] = []
    start = 0
    for part in re.split(r"^(?=#+ )", plain, flags=re.M):
        marked = MARK.search(part) is not None
        found += [Block(b.line + start, b.rows, b.marked or marked) for b in blocks(part)]
        start += part.count("\n")
    if MARK.search(re.split(r"^(?=## )", plain, maxsplit=1, flags=re.M)[0]):
        return [Block(b.line, b.rows, marked=True) for b in found]
    return found


def figures_in_table(rows: list[str]) -> list[str]:
    """The cells that are figures, when there are so many that the table is one of figures."""
    cells = [cell.strip() for row in rows[2:] for cell in row.strip("|").split("|")[1:]]
    cells = [cell for cell in cells if cell]
    figures = [cell for cell in cells if _is_figure(cell)]
    enough = len(figures) >= FEWEST and len(figures) >= SHARE * len(cells)
    return figures if enough else []


def _is_figure(cell: str) -> bool:
    parts = re.split(r"; | / |, | · ", cell.replace("`", ""))
    return any(re.fullmatch(NUMBER, part.strip()) for part in parts)


def shown(text: str) -> str:
    """What a page's blocks of commands and their output say."""
    return "\n".join(re.findall(r"^```console\n(.*?)^```", text, flags=re.M | re.S))


def unmarked(text: str) -> list[tuple[int, str]]:
    """Lines with figures of which nobody says where they come from."""
    run, wrong = shown(text), []
    for block in all_blocks(text):
        if block.marked:
            continue
        if block.rows[0].startswith("|"):
            figures = figures_in_table(block.rows) or SENTENCE.findall("\n".join(block.rows))
        else:
            figures = SENTENCE.findall(block.rows[0])
        missing = [figure for figure in figures if figure not in run]
        if missing:
            wrong.append((block.line, ", ".join(missing[:4])))
    return wrong


@pytest.mark.parametrize("page", PAGES)
def test_figures_say_where_they_come_from(page: str) -> None:
    wrong = unmarked((ROOT / page).read_text(encoding="utf-8"))
    assert not wrong, f"{page}: figures without a mark (see this test's first lines): {wrong}"


@pytest.mark.parametrize("page", PAGES)
def test_marks_name_a_version_that_there_was(page: str) -> None:
    for mark in MARK.finditer((ROOT / page).read_text(encoding="utf-8")):
        version = [int(part) for part in mark["version"].split(".")]
        assert version <= [int(part) for part in __version__.split(".")], mark[0]


@pytest.mark.parametrize("page", PAGES)
def test_marks_and_comments_have_their_form(page: str) -> None:
    """One that is written in another way would mark nothing."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert len(re.findall(r"<!-- *figures", text)) == len(COMMENT.findall(text))
    assert len(re.findall(r"\bFigures of\b", text)) == len(MARK.findall(text))


def test_the_check_itself_notices_figures() -> None:
    table = "| a | b | c |\n|---|---|---|\n| x | 1.2 ms | 3 |\n| y | 4 % | 1,234 |\n"
    mark = "Figures of 3 November 2026, Hocket 0.1.0.\n\n"
    assert unmarked(f"# T\n\n## S\n\n{table}") == [(5, "1.2 ms, 3, 4 %, 1,234")]
    assert unmarked(f"# T\n\n## S\n\n{table}\n## Other\n\n{mark}") != []
    for right in (
        f"# T\n\n{mark}## S\n\n{table}",
        f"# T\n\n## S\n\n{mark}{table}",
        f"# T\n\n## S\n\n{table}\n{mark}",
        f"# T\n\n## S\n\n<!-- figures: bench x -->\n\n{table}",
        f"# T\n\n## S\n\n{table}\n```console\n$ x\n1.2 ms 3 4 % 1,234\n```\n",
    ):
        assert unmarked(right) == [], right
    assert unmarked("# T\n\n## S\n\nIt takes 54 cycles.\n") == [(5, "54 cycles")]
    assert unmarked(f"# T\n\n## S\n\n<!-- figures: bench x -->\n\n{table}\n{table}") != []
    assert unmarked("# T\n\n<!-- figures: declared -->\nIt takes\n54 cycles.\n\nYes.\n") == []
    assert unmarked("# T\n\n<!-- figures: declared -->\nYes.\n\nIt takes 54 cycles.\n") != []
