"""The commands `hocket arduino …`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hocket.boards import boards_of, listed, names_with

arduino_app = typer.Typer(
    no_args_is_help=True,
    help="Put Hocket's boards into the Arduino IDE, arduino-builder and arduino-cli.",
)

_RECIPE = "Recipes"  # heading of commands that users need not call
SketchbookArgument = Annotated[
    Path | None,
    typer.Argument(metavar="SKETCHBOOK", help="Left out: the IDE's own, else ~/Arduino."),
]
_BOARDS = listed(board.name for board in boards_of("avr8", "host"))
BoardName = Annotated[str, typer.Option("--board", metavar="B", help=f"{_BOARDS}.")]
FolderOption = Annotated[
    Path, typer.Option("--folder", metavar="FOLDER", help="The builder's folder.")
]
WordsArgument = Annotated[
    list[str] | None, typer.Argument(metavar="-- OPTION", help="The compiler's, as -IFOLDER.")
]


@arduino_app.command("install")
def install(sketchbook: SketchbookArgument = None) -> int:
    """Put Hocket's boards into a sketchbook, for the Arduino IDE."""
    from hocket.arduino.platform import install_command

    return install_command(sketchbook)


@arduino_app.command("uninstall")
def uninstall(sketchbook: SketchbookArgument = None) -> int:
    """Remove them."""
    from hocket.arduino.platform import uninstall_command

    return uninstall_command(sketchbook)


@arduino_app.command("prepare", rich_help_panel=_RECIPE)
def prepare(board: BoardName) -> int:
    """Before a build: bring the board's libraries up to date."""
    from hocket.arduino.recipes import prepare_command

    return prepare_command(board)


@arduino_app.command("preprocess", rich_help_panel=_RECIPE)
def preprocess(board: BoardName, source: Path, output: Path, words: WordsArgument = None) -> int:
    """Resolve a source's includes and macros."""
    from hocket.arduino.recipes import preprocess_command

    return preprocess_command(board, source, output, words or [])


@arduino_app.command("compile", rich_help_panel=_RECIPE)
def compile_source(source: Path, product: Path, words: WordsArgument = None) -> int:
    """Note a source; `link` compiles it, when all are known."""
    from hocket.arduino.each_file import write_note

    write_note(source, product, words or [])
    return 0


@arduino_app.command("prototypes", rich_help_panel=_RECIPE)
def prototypes(source: Path) -> int:
    """Answer the builder that no function needs a prototype: `link` makes them."""
    return 0


@arduino_app.command("link", rich_help_panel=_RECIPE)
def link(
    board: BoardName,
    folder: FolderOption,
    source: Annotated[str, typer.Option(metavar="FOLDER", help="The sketch's folder.")],
    project: Annotated[str, typer.Option(metavar="NAME", help="The sketch: NAME.ino.")],
    objects: Annotated[list[str], typer.Argument(metavar="-- OBJECT")],
    cores: Annotated[int, typer.Option(metavar="N", help="Number of cores.")] = 1,
) -> int:
    """Build the sketch from its notes, and check that its loops can be guaranteed."""
    from hocket.arduino.linking import Build, link_command

    return link_command(Build(board, source, str(folder.absolute()), project, cores, objects))


@arduino_app.command("size", rich_help_panel=_RECIPE)
def size(program: Path) -> int:
    """Print what a program takes of flash and of RAM."""
    from hocket.arduino.recipes import size_command

    return size_command(program)


@arduino_app.command("upload", rich_help_panel=_RECIPE)
def upload(
    folder: FolderOption,
    port: Annotated[
        str, typer.Option(metavar="P", help=f"The serial port ({names_with('programmed')}).")
    ] = "",
    duration: Annotated[
        str, typer.Option("--for", metavar="TIME", help="Board time to run, of a simulated board.")
    ] = "10s",
) -> int:
    """Write what was linked to the board; on the simulated one it runs, and its Serial is shown."""
    from hocket.arduino.recipes import upload_command

    return upload_command(folder.absolute(), Path(port) if port else None, duration)
