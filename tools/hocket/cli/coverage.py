"""The options of coverage, which `run` and `test` have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

CoverageOption = Annotated[
    bool, typer.Option("--coverage", help="Show which lines of the sketch have run (sim).")
]
CoverageToOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Write the coverage into this folder, as HTML and lcov. Left out: coverage.",
    ),
]
CoverageMinOption = Annotated[
    float | None,
    typer.Option(metavar="PERCENT", help="Fail when fewer of the lines have run."),
]
