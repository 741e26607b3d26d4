"""The commands `report` and `trace`, which show a previous run, and the option of `run` for its page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from hocket.report import Report

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

    if html is None:
        _print(load_report(file))
        return 0
    from hocket.console import say
    from hocket.running.request import check_outputs, check_writable
    from hocket.webreport.material import Material
    from hocket.webreport.page import write_page

    check_writable("--html", html)
    check_outputs([("--html", html)], [file])
    write_page(Material(load_report(file)), html)
    say(f"wrote {html}")
    return 0


def _print(found: Report) -> None:
    """Prints a report as the command did that wrote it: `run`, `check`, or either of them with a refusal."""
    from hocket.timing import print_analysis, print_timing

    if found["end"] in ("refused", "check"):
        print_analysis(found)
        if found["admission"]["accepted"] is False:
            from hocket.running.telling import print_reasons

            sys.stdout.flush()
            print_reasons(found)
        return
    print_timing(found)
    for name, other in (found.get("boards") or {}).items():
        print(f"\n{name}, wired to it:")
        print_timing(other)


def trace(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="An event log (.hklog).")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help=".hklog, .vcd or .pftrace (Perfetto)."),
    ] = None,
) -> int:
    """Convert an event log, or print it."""
    from hocket.commands.trace import trace_command

    return trace_command(log, output)
