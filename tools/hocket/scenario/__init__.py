"""Scenarios: what is wired to the simulated board (docs/reference/scenario.md).

`read_scenario` checks a scenario file and returns its content. Most of it is the flat text that the board's
program reads:

  YAML ── document ──> values with lines ── structure ──> the schema's shape ── flatten ──> lines

Most sketches have no scenario, so the libraries that read one are loaded only when needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hocket.boards import DEFAULT_BOARD
from hocket.errors import HocketError, raise_all
from hocket.scenario.boards import BOARDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hocket.expect import Expectation
    from hocket.scenario.document import Document
    from hocket.scenario.further import Further
    from hocket.scenario.settings import Setting

__all__ = ["Scenario", "load", "ports_of", "read_scenario"]


@dataclass(frozen=True)
class Scenario:
    """The content of a scenario file.

    flat: the parts, for the board's program. cores: the number of cores, if the file has it. further: a
    second board that is wired to this one. duration: the time to run in nanoseconds, if the file has it.
    expectations: what the run must show. file: the scenario file. keeps: whether files that parts keep are
    replaced at the end of the run (hocket.running.kept).
    """

    flat: str = ""
    cores: int | None = None
    further: Further | None = None
    duration: int | None = None
    expectations: tuple[Expectation, ...] = ()
    file: Path | None = None
    keeps: bool = True


def load(path: Path, board: str = DEFAULT_BOARD) -> str:
    """Returns the flat text of a scenario file for a board. Raises as read_scenario does."""
    return read_scenario(path, board).flat


def ports_of(flat: str) -> dict[str, int]:
    """Returns the serial port of each part that is on one, from the flat text of a scenario."""
    ports, name = {}, ""
    for line in flat.splitlines():
        words = line.split(" ", 2)
        if words[0] == "part":
            name = words[2]
        elif words[0] == "port":
            ports[name] = int(words[1])
    return ports


def read_scenario(
    path: Path,
    board: str = DEFAULT_BOARD,
    settings: Sequence[Setting] = (),
    folder: Path | None = None,
) -> Scenario:
    """Returns the content of a scenario file for a board, with some values of its parts set for one run.

    folder: the sketch's. Files that the scenario names lie there, or in the scenario's own folder
    (hocket.inside). Raises HocketError (exit code 2, with the file and the line) for an error in the file, or
    SeveralErrors for more than one.
    """
    if board not in BOARDS:
        raise HocketError(
            f"the board {board} has no simulated parts",
            "scenarios describe parts around a simulated board",
            f"leave --scenario out, or use the board {' or '.join(BOARDS)}",
            file=path,
        )
    from hocket.scenario.document import read

    document = read(path, folder)
    if settings:
        from hocket.scenario.settings import apply

        apply(settings, document)
    return scenario_of(document, board)


def scenario_of(document: Document, board: str) -> Scenario:
    """Returns the content of a document for a board with simulated parts. Raises as read_scenario does."""
    from hocket.expect.reading import read_expectations
    from hocket.scenario.flatten import Flattener
    from hocket.scenario.further import further_board
    from hocket.scenario.structure import check

    shape = check(document)
    problems = shape.problems
    if shape.rest is None:
        raise_all(problems)
    document = shape.rest or document
    value: Any = document.value  # a mapping with the schema's shape
    if value.get("board", board) != board:
        problems.append(
            document.error(
                ["board"],
                f"this scenario is for the board {value['board']}, not for {board}",
                f"add --board {value['board']}, or remove this line",
            )
        )
        raise_all(problems)
    here = Flattener(document, BOARDS[board])
    flat = here.text(problems)
    expectations = read_expectations(document, BOARDS[board], problems)
    duration = _duration(document, problems)
    further = None
    try:
        further = further_board(document, BOARDS[board], here, problems)
    except HocketError as error:
        problems.append(error)
    raise_all(problems)
    return Scenario(flat, value.get("cores"), further, duration, expectations, document.file)


def _duration(document: Document, problems: list[HocketError]) -> int | None:
    from hocket.scenario import units

    value: Any = document.value
    if "for" not in value:
        return None
    try:
        time = units.parse(value["for"], "time")
    except units.UnitError as error:
        problems.append(document.error(["for"], f"for: {error.fact}", error.next_step))
        return None
    if time < 1:
        problems.append(document.error(["for"], "for is zero", "write for: 10 s"))
    return time
