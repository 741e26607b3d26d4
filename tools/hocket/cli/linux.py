"""The commands `hocket linux …`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

linux_app = typer.Typer(no_args_is_help=True, help="Build the Linux for `run --beside`.")

MemoryOption = Annotated[
    str, typer.Option("--memory", metavar="SIZE", help="Memory of the Linux beside: 512M or 1G.")
]


@linux_app.command("build")
def linux_build(
    kernel: Annotated[
        str,
        typer.Argument(metavar="KERNEL", help="linux, or linux-rt: with real-time preemption."),
    ] = "linux",
    memory: MemoryOption = "512M",
    add: Annotated[
        list[str] | None,
        typer.Option(metavar="PACKAGE", help="Put a package of Debian into it, too."),
    ] = None,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Read the package lists again, and build it again.")
    ] = False,
    sources: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Package sources, as apt has them. Left out: this machine's."
        ),
    ] = None,
) -> int:
    """Make the Debian that runs beside, out of unpacked packages; it is kept."""
    from hocket.commands.linux import linux_build_command

    return linux_build_command(kernel, memory, add or [], refresh, sources)
