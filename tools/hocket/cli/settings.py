"""Applies a sketch's `hocket.toml` to every command that takes a sketch, where the command line sets nothing.

The command line has precedence over the profile, and the profile over the rest of the file. After these come
the scenario's values and the defaults, as without a file. The scenario's `for` comes before the profile's.
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
from hocket.running.own_time import has_time

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
# Commands with the scenario's own `for`: it has precedence over that of the file, because what the scenario
# expects is written for its length.
_TIMED_BY_SCENARIO = ("run", "compare", "sweep", "tune")


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
        chosen = project_file(given["sketch"]).chosen(profile)
        if command.__name__ in _TIMED_BY_SCENARIO and "for" in chosen:
            scenario = given["scenario"] or chosen.get("scenario")
            assert scenario is None or isinstance(scenario, Path)
            if has_time(given["sketch"], scenario):
                del chosen["for"]
        for name, value in chosen.items():
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
