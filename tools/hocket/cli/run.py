"""The command `hocket run`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hocket.boards import names_with
from hocket.cli.coverage import CoverageMinOption, CoverageOption, CoverageToOption
from hocket.cli.options import (
    BesideOption,
    BoardOrItsOption,
    CoresOption,
    PolicyOption,
    ReportOption,
    ScenarioOption,
    SeedOption,
    SketchArgument,
    WatchOption,
    board_meant,
)
from hocket.cli.reports import HtmlOption

if TYPE_CHECKING:
    from hocket.scenario.settings import Setting


def run(
    sketch: SketchArgument = ".",
    board: BoardOrItsOption = None,
    cores: CoresOption = None,
    duration: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="TIME",
            help="Board time to run: 10s, 500ms, 1h30m. Left out: the scenario's, else 10s.",
        ),
    ] = None,
    json: ReportOption = None,
    trace: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the trace: .hklog, .vcd or .pftrace (Perfetto)."),
    ] = None,
    vcd: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the waves of the pins.")
    ] = None,
    scenario: ScenarioOption = None,
    seed: SeedOption = 1,
    expect_text: Annotated[
        list[str] | None,
        typer.Option(metavar="T", help="End with status 0 when Serial has sent this text."),
    ] = None,
    fail_text: Annotated[
        list[str] | None, typer.Option(metavar="T", help="Fail when Serial sends this text.")
    ] = None,
    serial_limit: Annotated[
        int,
        typer.Option(
            metavar="BYTES", help="The most bytes that Serial may send before the run is ended."
        ),
    ] = 16 * 1024 * 1024,
    policy: PolicyOption = None,
    beside: BesideOption = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE", help="Memory of the Linux beside: 512M or 1G. Left out: 512M."
        ),
    ] = None,
    console: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the console of the Linux beside.")
    ] = None,
    html: HtmlOption = None,
    coverage: CoverageOption = False,
    coverage_to: CoverageToOption = None,
    coverage_min: CoverageMinOption = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="WHAT",
            help="For this run: 'loop 2 C = 12 ms' (sim), 'obstacle.speed = 2 m/s'. May be repeated.",
        ),
    ] = None,
    watch: WatchOption = False,
    input: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Send it to Serial; - is standard input. Left out: what a pipe holds.",
        ),
    ] = None,
    live: Annotated[
        bool,
        typer.Option(
            "--live",
            help=f"Run in step with the clock, and send what you type to Serial ({names_with('watched')}).",
        ),
    ] = False,
    anyway: Annotated[
        bool,
        typer.Option(
            "--anyway",
            help="Run loops that are refused, too: shows what would happen, guarantees nothing "
            f"({names_with('watched')}).",
        ),
    ] = False,
    touches: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help=f"Replay the touches that a lab saved ({names_with('watched')})."
        ),
    ] = None,
) -> int:
    """Build a sketch, check that its loops can be guaranteed, run it, print the timing table."""
    from hocket.commands.run import run_command
    from hocket.coverage.asking import wished as wished_coverage
    from hocket.running.request import Request

    neighbour = None
    if (beside, memory, console) != (None, None, None):
        from hocket.linux.beside import wished

        neighbour = wished(beside, memory, console)
    return run_command(
        Request(
            sketch,
            board_meant(board, beside),
            cores,
            duration,
            seed,
            report=json,
            trace=trace,
            vcd=vcd,
            scenario=scenario,
            expect_text=tuple(expect_text or ()),
            fail_text=tuple(fail_text or ()),
            serial_limit=serial_limit,
            policy=policy,
            beside=neighbour,
            settings=_settings(settings),
            html=html,
            coverage=wished_coverage(
                coverage, coverage_to, coverage_min, board_meant(board, beside)
            ),
            input=input,
            live=live,
            touches=touches,
            anyway=anyway,
        ),
        watch,
    )


def _settings(texts: list[str] | None) -> tuple[Setting, ...]:
    if not texts:
        return ()
    from hocket.scenario.settings import read_setting

    return tuple(read_setting(text) for text in texts)
