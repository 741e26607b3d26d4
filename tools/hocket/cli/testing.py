"""The commands `hocket test`, of sketches, and `hocket self-test`, of Hocket itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hocket.cli.coverage import CoverageMinOption, CoverageOption, CoverageToOption
from hocket.cli.options import AllowOption, WatchOption
from hocket.cli.settings import ProfileOption
from hocket.cli.values import complete_board, complete_test
from hocket.inside import allow


def test(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SKETCH",
            help="Sketches, folders of sketches, or scenarios. Left out: the current folder.",
            autocompletion=complete_test,
        ),
    ] = None,
    board: Annotated[
        list[str] | None,
        typer.Option(
            "--board",
            help="The board; may be repeated. Left out: the scenario's, else sim.",
            autocompletion=complete_board,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", help="Tests at the same time. Left out: one for each processor."),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the outcomes as JUnit XML.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed of all random numbers. Left out: 1.")
    ] = None,
    profile: ProfileOption = None,
    allow_path: AllowOption = [],  # noqa: B006
    coverage: CoverageOption = False,
    coverage_to: CoverageToOption = None,
    coverage_min: CoverageMinOption = None,
    watch: WatchOption = False,
) -> int:
    """Run the scenarios of sketches as tests."""
    from hocket.commands.trials import Request, trials_command
    from hocket.coverage.asking import wished as wished_coverage

    allow(allow_path)
    covering = wished_coverage(coverage, coverage_to, coverage_min)
    return trials_command(
        Request(names or ["."], board or (), jobs, junit, seed, watch, profile, covering)
    )


def self_test(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="STEP", help="Steps. Left out: all.")
    ] = None,
    only_list: Annotated[bool, typer.Option("--list", help="List the steps.")] = False,
    changed: Annotated[
        bool,
        typer.Option(
            "--changed",
            help="Only what a change can have touched; [STEP] is then the commit to compare with. "
            "Left out: the last one.",
        ),
    ] = False,
    long: Annotated[
        bool, typer.Option("--long", help="Also the campaigns, which take hours.")
    ] = False,
) -> int:
    """Run Hocket's own test suite (in a checkout of Hocket)."""
    from hocket.commands.self_test import self_test_command

    return self_test_command(names or [], only_list, changed, long)
