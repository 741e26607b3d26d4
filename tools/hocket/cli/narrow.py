"""Help for narrow terminals: each option on a line of its own, its words below it, broken between words.

The usual help has columns. In a terminal as narrow as a phone's they leave a few letters for each word.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from hocket.tables import terminal_width

NARROW = 72  # columns below which this help is printed
_LEAST = 20


def is_narrow() -> bool:
    return terminal_width() < NARROW


def help_of(made: Any, context: Any) -> str:
    """The help of a command, or of a group of commands, for the width of this terminal."""
    width = max(terminal_width() - 1, _LEAST)
    usage = f"Usage: {context.command_path} {' '.join(made.collect_usage_pieces(context))}"
    lines = [*_wrapped(usage, width, 0, 2), ""]
    for paragraph in (made.help or "").split("\n\n"):
        lines += [*_wrapped(paragraph, width, 0, 0), ""]
    params = [each for each in made.get_params(context) if not getattr(each, "hidden", False)]
    lines += _section("Arguments", [each for each in params if _is_argument(each)], width)
    lines += _section("Options", [each for each in params if not _is_argument(each)], width)
    for title, commands in _panels(made, context).items():
        lines.append(f"{title}:")
        for name, said in commands:
            lines += [f"  {name}", *_wrapped(said, width, 4, 4)]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _is_argument(param: Any) -> bool:
    return bool(param.param_type_name == "argument")


def _section(title: str, params: Sequence[Any], width: int) -> Iterator[str]:
    if not params:
        return
    yield f"{title}:"
    for param in params:
        names = (
            [param.metavar or param.name]
            if _is_argument(param)
            else [*param.opts, *param.secondary_opts]
        )
        value = "" if _is_argument(param) or not param.metavar else f" {param.metavar}"
        yield from _wrapped(", ".join(names) + value, width, 2, 4)
        yield from _wrapped(f"{param.help or ''}{_default(param)}", width, 4, 4)
    yield ""


def _default(param: Any) -> str:
    """As the usual help says it: not of a flag, and not where nothing is the default."""
    default = param.default
    plain = isinstance(default, (str, int, float)) and not isinstance(default, bool)
    shown = plain and default != "" and getattr(param, "show_default", True)
    return f" [default: {default}]" if shown else ""


def _panels(made: Any, context: Any) -> dict[str, list[tuple[str, str]]]:
    """The commands of a group by their heading, in the order of the group."""
    panels: dict[str, list[tuple[str, str]]] = {}
    for name, each in getattr(made, "commands", {}).items():
        if each.hidden:
            continue
        title = getattr(each, "rich_help_panel", None)
        said = (each.help or "").split("\n\n")[0]
        panels.setdefault(title if isinstance(title, str) else "Commands", []).append((name, said))
    return panels


def _wrapped(text: str, width: int, first: int, others: int) -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()), width, initial_indent=" " * first, subsequent_indent=" " * others,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
