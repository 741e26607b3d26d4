"""The commands that take no existing sketch: `new`, `boards`, `doctor`, `clean`, `monitor`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The sketch's folder.")],
    loops: Annotated[int, typer.Option(metavar="N", help="Number of loops.")] = 2,
) -> int:
    """Make a sketch that runs at once, with a test that passes."""
    from hocket.commands.new import new_command

    return new_command(name, loops)


def boards() -> int:
    """List the boards."""
    from hocket.commands.boards import boards_command

    return boards_command()


def doctor() -> int:
    """Check the tools that Hocket uses, and print how to install what is missing."""
    from hocket.commands.doctor import doctor_command

    return doctor_command()


def clean(
    everything: Annotated[
        bool, typer.Option("--all", help="The boards' libraries, too: all that was ever built.")
    ] = False,
) -> int:
    """Remove what was built from sketches; it is built again when it is needed."""
    from hocket.commands.clean import clean_command

    return clean_command(everything)


def monitor(
    port: Annotated[
        Path | None,
        typer.Option(
            metavar="P",
            help="The serial port, such as /dev/ttyACM0. Left out: the only one there is.",
        ),
    ] = None,
    baud: Annotated[int, typer.Option(metavar="N", help="Rate of Serial.begin().")] = 115_200,
) -> int:
    """Show the Serial of a real board, and send it what is typed. Ctrl-C ends it."""
    from hocket.commands.monitor import monitor_command

    return monitor_command(port, baud)
