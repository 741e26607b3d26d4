"""The commands `hocket platformio …`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

platformio_app = typer.Typer(no_args_is_help=True, help="Put Hocket's boards into PlatformIO.")

_RECIPE = "Recipes"  # heading of commands that users need not call
FolderArgument = Annotated[Path, typer.Argument(help="PlatformIO's build folder.")]
BoardName = Annotated[
    str, typer.Option("--board", metavar="B", help="The board: see `hocket boards`.")
]


@platformio_app.command("install")
def install() -> int:
    """Put Hocket's boards into PlatformIO's core folder."""
    from hocket.platformio.install import install_command

    return install_command()


@platformio_app.command("uninstall")
def uninstall() -> int:
    """Remove them."""
    from hocket.platformio.install import uninstall_command

    return uninstall_command()


@platformio_app.command("tests")
def tests(
    project: Annotated[Path, typer.Argument(metavar="PROJECT", help="Its folder.")] = Path(),
) -> int:
    """Prepare a project for `pio test`."""
    from hocket.platformio.install import runner_command

    return runner_command(project)


@platformio_app.command("build", rich_help_panel=_RECIPE)
def build(folder: FolderArgument, board: BoardName) -> int:
    """Build a project's sketch, and check that its loops can be guaranteed."""
    from hocket.platformio.project import build_command

    return build_command(folder.absolute(), board)


@platformio_app.command("run", rich_help_panel=_RECIPE)
def run(
    folder: FolderArgument,
    board: BoardName,
    duration: Annotated[
        str, typer.Option("--for", metavar="TIME", help="Board time to run.")
    ] = "10s",
) -> int:
    """Run it on the simulated board; its Serial is shown."""
    from hocket.platformio.project import run_command

    return run_command(folder.absolute(), board, duration)


@platformio_app.command("test", rich_help_panel=_RECIPE)
def test(folder: FolderArgument, board: BoardName) -> int:
    """Run a test's sketch with what its scenario expects."""
    from hocket.platformio.project import test_command

    return test_command(folder.absolute(), board)


@platformio_app.command("flash", rich_help_panel=_RECIPE)
def flash(
    folder: FolderArgument,
    board: BoardName,
    port: Annotated[str, typer.Option(metavar="P", help="The serial port.")] = "",
) -> int:
    """Write it to a real board."""
    from hocket.platformio.project import flash_command

    return flash_command(folder.absolute(), board, Path(port) if port else None)


@platformio_app.command("compiledb", rich_help_panel=_RECIPE)
def compiledb(
    folder: FolderArgument,
    board: BoardName,
    output: Annotated[Path, typer.Option(metavar="FILE", help="compile_commands.json")],
) -> int:
    """Write how each source is compiled, for an editor."""
    from hocket.platformio.project import commands_command

    return commands_command(folder.absolute(), board, output)
