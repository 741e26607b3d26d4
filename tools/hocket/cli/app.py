"""All commands, in the groups and the order in which `hocket --help` lists them."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer
import typer.main
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from hocket import __version__
from hocket.cli.arduino import arduino_app
from hocket.cli.attempts import try_folders
from hocket.cli.bench import bench
from hocket.cli.building import build, check, flash
from hocket.cli.campaign import sweep, tune
from hocket.cli.compare import compare
from hocket.cli.debug import debug
from hocket.cli.editor import clangd
from hocket.cli.lab import lab
from hocket.cli.linux import linux_app
from hocket.cli.narrow import help_of, is_narrow
from hocket.cli.platformio import platformio_app
from hocket.cli.reports import report, trace
from hocket.cli.run import run
from hocket.cli.settings import of_sketch
from hocket.cli.testing import self_test, test
from hocket.cli.wcet import wcet
from hocket.cli.workplace import boards, clean, doctor, monitor, new

app = typer.Typer(
    name="hocket",
    help="Arduino sketches with many loops, each with a guaranteed share of a core.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


# The groups of `hocket --help`, in this order.
START, TEST, LOOK, BOARDS, TOOLS = (
    *("Start", "Test and tune", "Look inside", "Boards and builds", "Other tools"),
)

for group, functions in (
    (START, (new, of_sketch(run), of_sketch(check), of_sketch(lab))),
    (TEST, (test, of_sketch(compare), of_sketch(sweep), of_sketch(tune), of_sketch(wcet))),
    (LOOK, (report, trace, of_sketch(debug))),
    (BOARDS, (boards, of_sketch(build), of_sketch(flash), monitor, doctor, clean)),
    (TOOLS, (clangd, bench)),
):
    for function in functions:
        app.command(rich_help_panel=group)(function)
app.command("try", rich_help_panel=TEST)(try_folders)
app.command("self-test", rich_help_panel=TOOLS)(self_test)
for name, function in (("compile", build), ("upload", flash)):
    same = f"The same as {function.__name__}."
    app.command(name, help=same, rich_help_panel=BOARDS)(of_sketch(function))
for name, tool in (
    ("linux", linux_app),
    ("arduino", arduino_app),
    ("platformio", platformio_app),
):
    app.add_typer(tool, name=name, rich_help_panel=TOOLS)


def command() -> TyperGroup:
    """Returns the command line. Its help shows no Python types."""
    made = typer.main.get_command(app)
    assert isinstance(made, TyperGroup)
    _without_types(made, typer.Context(made, **made.context_settings))
    return made


def _without_types(made: TyperCommand | TyperGroup, context: typer.Context) -> None:
    for param in made.get_params(context):
        if isinstance(param, TyperArgument):
            setattr(param, "display_type_rich", lambda ctx: None)  # noqa: B010 (its type is a method's)
        elif isinstance(param, TyperOption) and param.metavar is None:
            param.metavar = "" if param.is_flag else "NAME"
    if is_narrow():
        # (Its type is a method's.)
        setattr(made, "format_help", partial(_narrow_help, made))  # noqa: B010
    for one in getattr(made, "commands", {}).values():
        _without_types(one, typer.Context(one, parent=context))


def _narrow_help(made: TyperCommand | TyperGroup, context: typer.Context, formatter: Any) -> None:
    formatter.write(help_of(made, context))
