"""The command `hocket bench`."""

from __future__ import annotations

from typing import Annotated

import typer

from hocket.boards import first_with
from hocket.cli.values import complete_experiment


def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="Experiments. Left out: all.",
            autocompletion=complete_experiment,
        ),
    ] = None,
    only_list: Annotated[bool, typer.Option("--list", help="List the experiments.")] = False,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the runs.")] = 1,
    board: Annotated[
        str | None,
        typer.Option("--board", help="The board. Left out: the one that each experiment means."),
    ] = None,
    linux: Annotated[
        bool,
        typer.Option(
            "--linux",
            help=f"On {first_with('beside')}, and beside it the same work on Linux, stock and rt.",
        ),
    ] = False,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Measure fewer points, and write files named NAME-quick."),
    ] = False,
) -> int:
    """Run the papers' experiments: a table, a JSON file and a plot of each."""
    from hocket.commands.bench import bench_command

    return bench_command(names or [], only_list, seed, board, linux, quick)
