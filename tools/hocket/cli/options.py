"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hocket.boards import DEFAULT_BOARD, first_with, names_with, policy_written
from hocket.cli.values import complete_board, complete_policy, complete_sketch
from hocket.inside import OPTION

_BESIDE = first_with("beside")
SketchArgument = Annotated[
    str,
    typer.Argument(
        metavar="SKETCH",
        help="A folder that holds an .ino, or an .ino or .cpp file. Left out: this folder.",
        autocompletion=complete_sketch,
    ),
]
BoardOption = Annotated[
    str,
    typer.Option("--board", help="The board: see `hocket boards`.", autocompletion=complete_board),
]
BoardOrItsOption = Annotated[
    str | None,
    typer.Option(
        "--board",
        help=f"The board. Left out: {DEFAULT_BOARD}; with --beside the one that can, {_BESIDE}.",
        autocompletion=complete_board,
    ),
]
PolicyOption = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="NAME",
        help="The scheduling policy: vcpu, edf, hybrid-edf, mlq, bitmap or lottery. Left out: what "
        "the sketch declares, else vcpu.",
        autocompletion=complete_policy,
        callback=lambda name: None if name is None else policy_written(name),
    ),
]
CoresOption = Annotated[
    int | None,
    typer.Option("--cores", metavar="N", help="Number of cores. Left out: the scenario's, else 1."),
]
BesideOption = Annotated[
    str | None,
    typer.Option(
        metavar="KERNEL",
        help=f"Run a Debian beside the loops ({names_with('beside')}): linux, or linux-rt with "
        "real-time preemption.",
    ),
]
ReportOption = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Write the report; - is standard output."),
]
ScenarioOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Parts on the pins. Left out: the sketch's scenario.yaml."),
]
SeedOption = Annotated[int, typer.Option(metavar="N", help="Seed of all random numbers.")]
AllowOption = Annotated[
    list[Path],
    typer.Option(
        OPTION,
        metavar="DIR",
        help="The sketch and its scenario may use files in this folder as well as their own. Repeatable.",
    ),
]
WatchOption = Annotated[
    bool, typer.Option("--watch", help="Run again after each change of a file, until Ctrl-C.")
]


def board_meant(board: str | None, beside: str | None) -> str:
    """Returns the named board, else the board that supports the options."""
    return board or (DEFAULT_BOARD if beside is None else _BESIDE)
