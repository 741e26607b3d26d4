"""What was run before, again: the commands `report` and `trace`, and the option of `run` for its page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

HtmlOption = Annotated[
    Path | None,
    typer.Option(
        "--html", metavar="FILE", help="Write a page with plots: one file, for a browser."
    ),
]


def report(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A report of `run --json`.")],
    html: HtmlOption = None,
) -> int:
    """Print the timing table of a report, or make a page of it."""
    from hocket.report import load_report
    from hocket.timing import print_timing

    found = load_report(file)
    if html is None:
        print_timing(found)
        return 0
    from hocket.console import say
    from hocket.running.request import check_outputs, check_writable
    from hocket.webreport.material import Material
    from hocket.webreport.page import write_page

    check_writable("--html", html)
    check_outputs([("--html", html)], [file])
    write_page(Material(found), html)
    say(f"wrote {html}")
    return 0


def trace(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="An event log (.hklog).")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help=".vcd, otherwise Perfetto."),
    ] = None,
) -> int:
    """Convert an event log, or print it."""
    from hocket.commands.trace import trace_command

    return trace_command(log, output)
