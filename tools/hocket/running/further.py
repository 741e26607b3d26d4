"""Runs a second board that the scenario wires to the first: builds its sketch, passes it to the simulator,
and adds its report and its waves to those of the first board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hocket.boards import Board
from hocket.builder import Image, build_sketch
from hocket.costs import add_exceeded
from hocket.faults import add_places
from hocket.no_room import add_no_room
from hocket.report import Report, make_report, read_facts, with_further
from hocket.sketch.folder import find_sketch

if TYPE_CHECKING:
    from hocket.scenario.further import Further

_SCENARIO, _FACTS, _WAVES = "further.flat", "further.json", "further.vcd"


def build_further(further: Further, board: Board) -> Image:
    """Returns the second board's image."""
    return build_sketch(find_sketch(str(further.sketch)), board)


def further_options(further: Further, image: Image, folder: Path, waves: bool) -> list[str | Path]:
    """Returns the simulator's options for the second board. Its files lie in `folder`."""
    options: list[str | Path] = ["--second-image", image.program]
    options += ["--second-flash", image.flash_file, "--second-name", further.name]
    options += ["--second-facts", folder / _FACTS]
    if further.flat:
        (folder / _SCENARIO).write_text(further.flat, encoding="utf-8")
        options += ["--second-scenario", folder / _SCENARIO]
    if waves:
        options += ["--second-vcd", folder / _WAVES]
    for here, there in further.wires:
        options += ["--wire", f"{here}:{there}"]
    return options


def add_further(
    report: Report, further: Further, image: Image, folder: Path, waves: Path | None
) -> Report:
    """Returns the report with the second board's results, and adds its signals to the wave file. The report
    is unchanged if a board was refused."""
    if not (folder / _FACTS).is_file():
        return report
    facts = read_facts(folder / _FACTS)
    add_places(facts.get("faults") or [], image.sketch_elf, image.sketch.folder)
    add_exceeded(facts, image.sketch_elf, image.sketch.folder)
    add_no_room(facts, image.sketch_elf, image.sketch.folder)
    other = make_report(
        facts, image.sketch.name, image.board.name, image.board.clock, image.compiler
    )
    if waves is not None and (folder / _WAVES).is_file():
        from hocket.trace.two_waves import join_waves

        join_waves(waves, folder / _WAVES, further.name, waves)
    return with_further(report, further.name, other)
