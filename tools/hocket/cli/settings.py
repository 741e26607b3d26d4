"""Applies a sketch's `hocket.toml` to every command that takes a sketch, where the command line sets nothing.

The command line has precedence over the profile, and the profile over the rest of the file. After these come
the scenario's values and the defaults, as without a file.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from hocket.cli.options import AllowOption
from hocket.cli.values import complete_profile
from hocket.inside import allow
from hocket.project_file import project_file

ProfileOption = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        help="Settings of this name in the sketch's hocket.toml.",
        autocompletion=complete_profile,
    ),
]

# Settings whose parameter is not named like the option.
_PARAMETERS = {"for": "duration"}


def of_sketch(command: Callable[..., int]) -> Callable[..., int]:
    """Returns a command with a parameter `sketch` that also takes `--profile`, and whose parameters are
    filled from the file."""
    hints = get_type_hints(command, include_extras=True)
    own = [
        parameter.replace(annotation=hints[name])
        for name, parameter in inspect.signature(command).parameters.items()
    ]

    @functools.wraps(command)
    def with_settings(
        context: typer.Context, profile: str | None, allow_path: list[Path], **given: Any
    ) -> int:
        allow(allow_path)
        for name, value in project_file(given["sketch"]).chosen(profile).items():
            parameter = _PARAMETERS.get(name, name)
            source = context.get_parameter_source(parameter)
            if parameter in given and source is not None and source.name == "DEFAULT":
                given[parameter] = value
        return command(**given)

    keyword = inspect.Parameter.KEYWORD_ONLY
    added = [
        inspect.Parameter("context", keyword, annotation=typer.Context),
        inspect.Parameter("profile", keyword, default=None, annotation=ProfileOption),
        inspect.Parameter("allow_path", keyword, default=[], annotation=AllowOption),
    ]
    of_command = [parameter.replace(kind=keyword) for parameter in own]
    with_settings.__signature__ = inspect.Signature([*of_command, *added])  # type: ignore[attr-defined]
    with_settings.__annotations__ = {p.name: p.annotation for p in (*of_command, *added)}
    del with_settings.__wrapped__
    return with_settings
