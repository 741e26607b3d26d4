"""The command `hocket test`: of sketches, and of Hocket itself."""

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
            metavar="[SKETCH]...",
            help="Sketches, folders of sketches, or scenarios. In Hocket's own checkout also steps of "
            "its suite; left out: all of it.",
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
        typer.Option(metavar="N", help="Tests at once. Left out: one for each processor."),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the outcomes as JUnit XML.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed of all that may vary. Left out: 1.")
    ] = None,
    profile: ProfileOption = None,
    allow_path: AllowOption = [],  # noqa: B006
    coverage: CoverageOption = False,
    coverage_to: CoverageToOption = None,
    coverage_min: CoverageMinOption = None,
    watch: WatchOption = False,
    only_list: Annotated[
        bool, typer.Option("--list", help="List the steps of Hocket's own suite.")
    ] = False,
    changed: Annotated[
        bool,
        typer.Option(
            "--changed",
            help="Own suite: only what a change can have touched; [NAME] is the commit to compare with. "
            "Left out: the last one.",
        ),
    ] = False,
    long: Annotated[
        bool, typer.Option("--long", help="Own suite: with the campaigns that take hours.")
    ] = False,
) -> int:
    """Run the scenarios of sketches as tests."""
    from hocket.commands.test import test_command
    from hocket.coverage.asking import wished as wished_coverage

    allow(allow_path)
    covering = wished_coverage(coverage, coverage_to, coverage_min)
    return test_command(
        names or [], only_list, changed, long, board, jobs, junit, seed, watch, profile, covering
    )
