"""All commands, in the order in which `hocket --help` lists them."""

from __future__ import annotations

from typing import Annotated

import typer

from hocket import __version__
from hocket.cli.arduino import arduino_app
from hocket.cli.attempts import try_folders
from hocket.cli.bench import bench
from hocket.cli.building import build, check, flash
from hocket.cli.campaign import sweep, tune
from hocket.cli.debug import debug
from hocket.cli.editor import clangd
from hocket.cli.lab import lab
from hocket.cli.linux import linux_app
from hocket.cli.platformio import platformio_app
from hocket.cli.reports import report, trace
from hocket.cli.run import run
from hocket.cli.settings import of_sketch
from hocket.cli.testing import self_test, test
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


app.command()(of_sketch(run))
app.command()(clangd)
for of_one in (debug, lab, sweep, tune, check, build):
    app.command()(of_sketch(of_one))
app.command("compile", help="The same as build.")(of_sketch(build))
app.command("try")(try_folders)
for of_none in (clean, test, bench, new, boards, doctor, trace, report):
    app.command()(of_none)
app.command("self-test")(self_test)
app.command()(of_sketch(flash))
app.command("upload", help="The same as flash.")(of_sketch(flash))
app.command()(monitor)
app.add_typer(linux_app, name="linux")
app.add_typer(arduino_app, name="arduino")
app.add_typer(platformio_app, name="platformio")
