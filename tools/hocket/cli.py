"""The command line: one function for each command, which only reads options and calls its module.

Modules are loaded when their command runs, so that `hocket --help` and small commands start fast.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hocket import __version__
from hocket.cli_arduino import arduino_app
from hocket.cli_campaign import sweep, tune
from hocket.cli_coverage import CoverageMinOption, CoverageOption, CoverageToOption
from hocket.cli_debug import debug
from hocket.cli_editor import clangd
from hocket.cli_html import HtmlOption
from hocket.cli_html import report as report_command
from hocket.cli_lab import lab
from hocket.cli_linux import linux_app
from hocket.cli_options import (
    BesideOption,
    BoardOption,
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
from hocket.cli_platformio import platformio_app
from hocket.cli_settings import ProfileOption, of_sketch
from hocket.cli_try import try_folders
from hocket.cli_values import complete_board, complete_sketch
from hocket.errors import EXIT_INTERRUPTED, EXIT_NOBODY_READS, EXIT_USAGE, HocketError
from hocket.started import as_started

if TYPE_CHECKING:
    from hocket.campaign.settings import Setting

app = typer.Typer(
    name="hocket",
    help="Arduino sketches with many loops, each with a guaranteed share of a core.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(linux_app, name="linux")
app.add_typer(arduino_app, name="arduino")
app.add_typer(platformio_app, name="platformio")


def main() -> None:
    """Runs the command line and exits; what the user can mend is printed without a traceback."""
    from hocket import output

    output.mend_streams()
    _end_by_signals()
    try:
        status = app(prog_name="hocket", standalone_mode=False)
        sys.stdout.flush()
        if (
            status == EXIT_INTERRUPTED
        ):  # a run told what came before; typer, of a step, says nothing
            print("hocket: interrupted", file=sys.stderr)
    except HocketError as error:
        _flush_output()
        print(error, file=sys.stderr)
        status = error.exit_code
    except typer.TyperException as error:
        message = error.format_message()
        if message:  # none when `hocket` alone has printed its help
            print(f"hocket: {plainly(message, sys.argv[1:])}", file=sys.stderr)
            print(f"  next:  {as_started(_help_line(sys.argv[1:]))}", file=sys.stderr)
        status = EXIT_USAGE
    except (KeyboardInterrupt, typer.Abort):
        output.tell_interrupted()
        status = EXIT_INTERRUPTED
    except (BrokenPipeError, SystemExit):  # whoever read our output has gone: typer exits then
        if "_HOCKET_COMPLETE" in os.environ:  # it has answered a shell
            raise
        output.nobody_reads()
        status = EXIT_NOBODY_READS
    except Exception as problem:  # what has no sentence is a defect
        if output.is_interruption(problem):
            output.tell_interrupted()
            sys.exit(EXIT_INTERRUPTED)
        told = output.explain(problem) if isinstance(problem, OSError) else None
        status = output.defect() if told is None else told
    sys.exit(status if isinstance(status, int) else 0)


def _end_by_signals() -> None:
    """SIGTERM and a terminal that goes away end a command as Ctrl-C does; nohup's SIGHUP stays ignored.

    Python itself, of `python -m`, sends itself SIGINT at its very end when an interruption has come through
    exec(), as in the making of a dataclass, whoever has dealt with it since. It does not get that one, and
    ends with the command's status.
    """
    import atexit
    import signal

    atexit.register(signal.pthread_sigmask, signal.SIG_BLOCK, {signal.SIGINT})
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def plainly(message: str, words: list[str]) -> str:
    """What the option parser says of a value that is no number, as a person would say it."""
    found = re.match(r"Invalid value for '(--[a-z-]+)'.* valid (integer|number|float)", message)
    if found is None:
        return message
    option, kind = found[1], "a whole number" if found[2] == "integer" else "a number"
    after = [words[i + 1] for i, word in enumerate(words[:-1]) if word == option]
    joined = [word.partition("=")[2] for word in words if word.startswith(f"{option}=")]
    given = next(iter(after + joined), None)
    return f"{option} takes {kind}" + (f", not {given!r}" if given is not None else "")


def _flush_output() -> None:
    import contextlib

    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()


def _help_line(arguments: list[str]) -> str:
    known = {c.name or getattr(c.callback, "__name__", "") for c in app.registered_commands}
    word = next((argument for argument in arguments if argument in known), "")
    return f"hocket {word} --help lists the options" if word else "hocket --help lists the commands"


def _version(wanted: bool) -> None:
    if wanted:
        print(f"hocket {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
@of_sketch
def run(
    sketch: SketchArgument,
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
        typer.Option(metavar="FILE", help="Write the trace: .hklog, .vcd, otherwise Perfetto."),
    ] = None,
    vcd: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the waves of the pins.")
    ] = None,
    scenario: ScenarioOption = None,
    seed: SeedOption = 1,
    expect_text: Annotated[
        list[str] | None,
        typer.Option(metavar="T", help="End well when Serial has sent this text."),
    ] = None,
    fail_text: Annotated[
        list[str] | None, typer.Option(metavar="T", help="Fail when Serial sends this text.")
    ] = None,
    serial_limit: Annotated[
        int, typer.Option(metavar="BYTES", help="Most bytes that Serial may send.")
    ] = 16 * 1024 * 1024,
    policy: PolicyOption = None,
    beside: BesideOption = None,
    memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Memory of the Linux beside: 512M (left out) or 1G."),
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
            "--live", help="In step with the clock, and what is typed goes to Serial (sim, uno)."
        ),
    ] = False,
    touches: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Repeat what was touched in a lab (sim, uno)."),
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
        ),
        watch,
    )


def _settings(texts: list[str] | None) -> tuple[Setting, ...]:
    if not texts:
        return ()
    from hocket.campaign.settings import read_setting

    return tuple(read_setting(text) for text in texts)


app.command()(clangd)
for of_one in (debug, lab, sweep, tune):
    app.command()(of_sketch(of_one))


@app.command()
@of_sketch
def check(
    sketch: SketchArgument,
    board: BoardOrItsOption = None,
    cores: CoresOption = None,
    json: ReportOption = None,
    policy: PolicyOption = None,
    beside: BesideOption = None,
) -> int:
    """Say whether a sketch's loops can be guaranteed, with the bounds; run nothing."""
    from hocket.commands.check import check_command

    return check_command(sketch, board_meant(board, beside), cores, json, policy, beside)


@app.command()
@of_sketch
def build(
    sketch: SketchArgument,
    board: BoardOption = "sim",
    cores: CoresOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            *("--output", "-o"),
            metavar="FILE",
            help="Copy the program there. uno: FILE.hex or FILE.elf. rpi3: a folder for the files "
            "of its memory card.",
        ),
    ] = None,
    policy: PolicyOption = None,
) -> int:
    """Build a sketch and say where the program is."""
    from hocket.commands.build import build_command

    return build_command(sketch, board, output, cores, policy)


# As other tools call them.
app.command("compile", help="The same as build.")(build)
app.command("try")(try_folders)


@app.command()
def clean(
    everything: Annotated[
        bool, typer.Option("--all", help="The boards' libraries, too: all that was ever built.")
    ] = False,
) -> int:
    """Remove what was built from sketches; it is built again when it is needed."""
    from hocket.commands.clean import clean_command

    return clean_command(everything)


@app.command()
def test(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SKETCH]...",
            help="Sketches, folders of sketches, or scenarios. In Hocket's own checkout also steps of "
            "its suite; left out: all of it.",
            autocompletion=complete_sketch,
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

    covering = wished_coverage(coverage, coverage_to, coverage_min)
    return test_command(
        names or [], only_list, changed, long, board, jobs, junit, seed, watch, profile, covering
    )


@app.command()
def bench(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Experiments. Left out: all.")
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
            "--linux", help="On virt, and beside it the same work on Linux, stock and rt."
        ),
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer points: a look, in files named NAME-quick.")
    ] = False,
) -> int:
    """Run the papers' experiments: a table, a JSON file and a plot of each."""
    from hocket.commands.bench import bench_command

    return bench_command(names or [], only_list, seed, board, linux, quick)


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The sketch's folder.")],
    loops: Annotated[int, typer.Option(metavar="N", help="Number of loops.")] = 2,
) -> int:
    """Make a sketch that runs at once."""
    from hocket.commands.new import new_command

    return new_command(name, loops)


@app.command()
def boards() -> int:
    """List the boards."""
    from hocket.commands.boards import boards_command

    return boards_command()


@app.command()
def doctor() -> int:
    """Check the tools that Hocket uses, and say how to mend what is missing."""
    from hocket.commands.doctor import doctor_command

    return doctor_command()


@app.command()
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


app.command("report")(report_command)


@app.command()
@of_sketch
def flash(
    sketch: SketchArgument,
    board: Annotated[
        str | None, typer.Option("--board", help="The board to write to: uno or rpi3.")
    ] = None,
    card: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where the memory card is mounted (rpi3)."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write to a folder that looks like no card, too.")
    ] = False,
    port: Annotated[
        Path | None,
        typer.Option(metavar="P", help="The board's serial port, such as /dev/ttyACM0 (uno)."),
    ] = None,
) -> int:
    """Build a sketch and put it onto a real board: uno, by its port; rpi3, by its memory card."""
    from hocket.commands.flash import flash_command

    return flash_command(sketch, board, card, force, port)


app.command("upload", help="The same as flash.")(flash)


@app.command()
def monitor(
    port: Annotated[
        Path | None, typer.Option(metavar="P", help="The serial port, such as /dev/ttyUSB0.")
    ] = None,
    baud: Annotated[int, typer.Option(metavar="N", help="Rate of Serial.begin().")] = 115_200,
) -> int:
    """Show the Serial of a real board, and send it what is typed. Ctrl-C ends it."""
    from hocket.commands.monitor import monitor_command

    return monitor_command(port, baud)
