"""Prints the manual page hocket(1), made from the help texts of the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from hocket import __version__
from hocket.cli.app import app

ENDS = """\
.SH EXIT STATUS
0 done; 1 the sketch faulted, or an expectation was not met; 2 usage or build error; 3 refused by admission
control; 42 the time given by \\-\\-for ran out before every \\-\\-expect\\-text was seen; 130 interrupted.
.SH FILES
.TP
hocket.toml
in a sketch's folder: the board, the number of cores and the like, and profiles of them
.TP
~/.cache/hocket
what was built ($XDG_CACHE_HOME/hocket, where that is set)
"""


def main() -> None:
    group: Any = typer.main.get_command(app)
    print(f'.TH HOCKET 1 "" "hocket {__version__}" "User Commands"')
    print(f".SH NAME\nhocket \\- {escaped(group.help.rstrip('.'))}")
    print(".SH SYNOPSIS\n.B hocket\n.I COMMAND\n[\\fIoptions\\fR]")
    print(".SH COMMANDS")
    for words, command in commands(group, ()):
        print("\n".join(section(words, command)))
    print(ENDS, end="")


def commands(group: Any, before: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in sorted(group.commands.items()):
        if command.hidden:
            continue
        if hasattr(command, "commands"):
            yield from commands(command, (*before, name))
        else:
            yield (*before, name), command


def section(words: tuple[str, ...], command: Any) -> Iterator[str]:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    shown = " ".join(map(argument, arguments))
    yield f".SS hocket {escaped(' '.join((*words, shown)).strip())}"
    yield escaped(command.help or "")
    for option in command.params:
        if option.param_type_name != "option" or option.hidden:
            continue
        names = ", ".join((*option.opts, *option.secondary_opts))
        value = "" if option.is_flag else f" {option.metavar or option.name.upper()}"
        yield f".TP\n.B {escaped(names + value)}\n{escaped(option.help or '')}"


def argument(parameter: Any) -> str:
    name = (parameter.metavar or parameter.name.upper()).strip("{}[].")
    shown = name if parameter.required else f"[{name}]"
    return f"{shown}..." if parameter.nargs < 0 else shown


def escaped(text: str) -> str:
    """Escapes text for roff: no line begins a request, and hyphens are preserved."""
    plain = re.sub(r"\s+", " ", text).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain[:1] in (".", "'") else plain


if __name__ == "__main__":
    main()
