"""Reads `hocket.toml` in a sketch's folder: settings such as the board and the number of cores that its
commands use where the command line sets nothing, and profiles with other settings (`--profile NAME`).

A setting has the name of its option. All errors are reported together, each with its line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

from hocket.boards import BOARDS, NAMES, POLICIES, find_board, listed, policy_written
from hocket.durations import parse_duration
from hocket.errors import HocketError, check_names, near_name, raise_all, system_error
from hocket.inside import check as check_inside

_EXAMPLE = NAMES[1]  # a board that is not the default
NAME = "hocket.toml"
MOST_BYTES = 64 * 1024
MOST_PARTS = 16  # of a key: a.b.c has three
Value = str | int | Path | tuple[Path, ...]

# Names that other tools use for these settings.
_OTHERS = {"time": "for", "duration": "for", "fqbn": "board", "default_fqbn": "board"} | {
    "libs": "libraries",
    "lib_extra_dirs": "libraries",
    "upload_port": "port",
    "default_port": "port",
}


@dataclass(frozen=True)
class ProjectFile:
    """settings: by name. profiles: the settings of each, by name. path: None if there is no file."""

    path: Path | None = None
    settings: Mapping[str, Value] = field(default_factory=dict)
    profiles: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)

    def chosen(self, profile: str | None) -> dict[str, Value]:
        """Returns the settings, with those of a profile taking precedence. Raises HocketError if there is no
        such profile."""
        if profile is None:
            return dict(self.settings)
        if self.path is None:
            raise HocketError(
                f"there is no profile {profile!r}",
                f"this sketch has no {NAME}",
                f"write it: [profiles.{profile}] and below that what differs (docs/guide/project-file.md)",
            )
        try:
            check_names("profile", [profile], self.profiles, f"add [profiles.{profile}]")
        except HocketError as wrong:
            raise HocketError(wrong.fact, wrong.cause, wrong.next_step, self.path) from None
        return {**self.settings, **self.profiles[profile]}

    @property
    def libraries(self) -> tuple[Path, ...]:
        found = self.settings.get("libraries", ())
        return found if isinstance(found, tuple) else ()


def project_file(sketch: str | Path) -> ProjectFile:
    """Returns the file of a sketch, which is named as on the command line. Empty for a sketch that does not
    exist."""
    place = Path(sketch)
    file = (place if place.is_dir() else place.parent) / NAME
    if not file.is_file():
        return ProjectFile()
    check_inside(f"this {NAME}", file, file.parent, file)
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        text = re.sub("\r\n?", "\n", _small(data, file).decode("utf-8-sig"))
    except OSError as problem:
        raise system_error(f"{NAME} cannot be read", problem, file) from problem
    except UnicodeDecodeError as problem:
        raise HocketError(
            f"{NAME} cannot be read", "it is not UTF-8", "save it as UTF-8", file
        ) from problem
    return read_settings(text, file)


def _small(data: bytes, file: Path) -> bytes:
    if len(data) > MOST_BYTES:
        raise HocketError(
            f"{NAME} is larger than 64 KiB",
            "such a file has a few lines",
            "remove what is not a setting",
            file,
        )
    return data


def read_settings(text: str, file: Path) -> ProjectFile:
    """Parses the text. Raises HocketError or SeveralErrors, with the line of each error."""
    _check_keys(text, file)
    try:
        top = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        found = re.fullmatch(
            r"(.*?) \(at (?:line (\d+), column \d+|end of document)\)", str(problem)
        )
        line = (int(found[2]) if found[2] else len(text.splitlines())) if found else None
        raise HocketError(
            "this is not TOML",
            _not_closed(text, line) or (found[1] if found else str(problem)),
            f'write for instance: board = "{_EXAMPLE}"',
            file,
            line,
        ) from problem
    except (ValueError, RecursionError) as problem:  # TOML's grammar has no such limits
        many = "a number has too many digits"
        raise HocketError(
            f"{NAME} cannot be read",
            many
            if isinstance(problem, ValueError)
            else "its lists or tables are nested too deeply",
            f'write for instance: board = "{_EXAMPLE}"',
            file,
        ) from problem
    errors: list[HocketError] = []

    def read(table: dict[str, Any], path: tuple[str, ...]) -> dict[str, Value]:
        settings = {}
        for key, value in table.items():
            try:
                _check_table(key, value, path)
                _check_key(key, path)
                settings[key] = _CHECKS[key](value, file.parent)
            except HocketError as wrong:
                line = line_of(text, (*path, key))
                errors.append(HocketError(wrong.fact, wrong.cause, wrong.next_step, file, line))
        return settings

    profiles = {}
    for name, table in _profiles(top.pop("profiles", {}), text, file, errors):
        profiles[name] = read(table, ("profiles", name))
    settings = read(top, ())
    raise_all(errors)
    return ProjectFile(file, settings, profiles)


def _not_closed(text: str, line: int | None) -> str:
    """Returns which quote lacks at the end of a text in this line, or an empty string. The parser's own words
    are about the character that it met instead."""
    lines = text.split("\n")
    if line is None or not 0 < line <= len(lines):
        return ""
    for piece in _PIECES.finditer(lines[line - 1]):
        quote = piece[0][0]
        if quote in "\"'" and (len(piece[0]) == 1 or piece[0][-1] != quote):
            return f"the text is not closed by {quote}"
    return ""


# TOML elements that can continue over a line end, and texts and comments that contain their characters. A
# text without an end extends to the end of the line or the file, so that nothing is scanned twice.
_PIECES = re.compile(
    r'''#[^\n]*+|"""(?:\\[\s\S]|(?!""")[^\\])*+(?:"{3,5}|\\?\Z)|"(?:\\.|[^"\\\n])*+"?|'''
    r"""'{3}(?:(?!'{3})[\s\S])*+(?:'{3,5}|\Z)|'[^'\n]*+'?|[\[\]{}\n]"""
)
_SIMPLE_KEY = r"""(?:[A-Za-z0-9_-]++|"(?:\\.|[^"\\\n])*+"|'[^'\n]*+')"""
# At the beginning of a line: the name of a table, or a key.
_NAMED = re.compile(
    rf"[ \t]*+(?P<table>\[\[?)?[ \t]*+(?P<key>{_SIMPLE_KEY}(?:[ \t]*+\.[ \t]*+{_SIMPLE_KEY})*+)"
)
_KEY_OR_DOT = re.compile(rf"{_PIECES.pattern}|(?P<key>[A-Za-z0-9_-]++)|(?P<dot>\.)|[^\s]")


def _check_keys(text: str, file: Path) -> None:
    """Raises HocketError for a key with many parts, because the time to parse it grows faster than its
    length."""
    parts, line = 0, 1
    for piece in _KEY_OR_DOT.finditer(text):
        if piece["dot"]:
            parts += 1
        elif not piece["key"] and piece[0][0] not in "\"'":
            parts = 0
        if parts > MOST_PARTS:
            raise HocketError(
                f"a key here has more than {MOST_PARTS} parts",
                "a setting has one, and one of a profile three: profiles.NAME.cores",
                "remove it",
                file,
                line,
            )
        line += piece[0].count("\n")


def line_of(text: str, path: tuple[str, ...]) -> int:
    """Returns the line of the key at this path in a valid document. For a key inside a value, returns the
    value's line."""
    lines = _lines_of_keys(text)
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


@lru_cache(maxsize=1)
def _lines_of_keys(text: str) -> dict[tuple[str, ...], int]:
    lines = text.split("\n")
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    start = 1
    for end in _ends(text):
        named = _NAMED.match(lines[start - 1])
        if named is not None:
            key = _parts(named["key"])
            path = key if named["table"] else (*table, *key)
            table = path if named["table"] else table
            for length in range(1, len(path) + 1):
                found.setdefault(path[:length], start)
        start = end + 1
    return found


def _parts(key: str) -> tuple[str, ...]:
    """Returns the parts of a key as it is written."""
    value: Any = tomllib.loads(f"{key} = 0")
    parts = []
    while isinstance(value, dict):
        ((part, value),) = value.items()
        parts.append(part)
    return tuple(parts)


def _ends(text: str) -> list[int]:
    """Returns the lines (from 1) that end a key's value or a table's name, or have neither: the text up to
    there can be parsed."""
    ends, depth, line = [], 0, 1
    for piece in _PIECES.finditer(text):
        found = piece[0]
        if found == "\n" and depth == 0:
            ends.append(line)
        depth += (found in "[{") - (found in "]}")
        line += found.count("\n")
    return [*ends, line]


def _profiles(
    value: object, text: str, file: Path, errors: list[HocketError]
) -> Iterator[tuple[str, dict[str, Any]]]:
    if not isinstance(value, dict):
        line = line_of(text, ("profiles",))
        errors.append(_error("profiles is not a table", "write: [profiles.NAME]", file, line))
        return
    for name, table in value.items():
        if isinstance(table, dict):
            yield name, table
        else:
            line = line_of(text, ("profiles", name))
            way_out = f"write: [profiles.{name}]"
            errors.append(_error(f"the profile {name!r} is not a table", way_out, file, line))


def _error(fact: str, way_out: str, file: Path, line: int) -> HocketError:
    return HocketError(fact, "a profile is a table of settings", way_out, file, line)


def _check_table(key: str, value: object, path: tuple[str, ...]) -> None:
    """Raises HocketError for a table that was meant as a profile: `[profile.ci]`, `[ci]`."""
    if path or key in _CHECKS or not isinstance(value, dict):
        return
    inner = [name for name, table in value.items() if isinstance(table, dict)]
    raise HocketError(
        f"there is no table {key!r}",
        "the only tables are profiles",
        f"did you mean [profiles.{inner[0] if inner else key}]?",
    )


def _check_key(key: str, path: tuple[str, ...]) -> None:
    if key == "libraries" and path:
        raise HocketError(
            "a profile has no libraries of its own",
            "a sketch is built with the same libraries in all profiles",
            "name them above the first table",
        )
    if key not in _CHECKS:
        near = [_OTHERS[key]] if key in _OTHERS else get_close_matches(key, _CHECKS, 1)
        raise HocketError(
            f"there is no setting {key!r}",
            f"there are: {', '.join(_CHECKS)}",
            f"did you mean {near[0]}?" if near else "remove it",
        )


def _text(what: str, example: str) -> Callable[[object, Path], str]:
    def check(value: object, _: Path) -> str:
        if not isinstance(value, str) or not value:
            raise HocketError(f"{what} is not text", next_step=f'write for instance: "{example}"')
        return value

    return check


def _number(what: str, least: int, most: int) -> Callable[[object, Path], int]:
    def check(value: object, _: Path) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            shown = value if isinstance(value, int) else repr(value)
            raise HocketError(
                f"{what} = {str(shown).lower() if isinstance(value, bool) else shown} cannot be used",
                next_step=f"write a whole number from {least} to {most}",
            )
        return value

    return check


def _board(value: object, folder: Path) -> str:
    name = _text("board", _EXAMPLE)(value, folder)
    names = [board.name for board in BOARDS]
    if name not in names:
        near = near_name(name, names)
        way_out = f'did you mean "{near}"?' if near else f"use board = {_listed(names)}"
        raise HocketError(
            f"there is no board {name!r}", f"the boards are {', '.join(names)}", way_out
        )
    return find_board(name).name


def _listed(names: list[str]) -> str:
    return listed(f'"{name}"' for name in names)


def _policy(value: object, folder: Path) -> str:
    name = policy_written(_text("policy", "edf")(value, folder))
    check_names("policy", [name], tuple(POLICIES), "use one of these")
    return name


def _time(value: object, folder: Path) -> str:
    text = _text("for", "10s")(value, folder)
    parse_duration(text, "for =")
    return text


def _file(value: object, folder: Path) -> Path:
    file = folder / _text("scenario", "bench.yaml")(value, folder)
    check_inside("scenario", file, folder)
    return file


def _port(value: object, folder: Path) -> Path:
    """Checks the port of a board, to which flash writes."""
    port = Path(_text("port", "/dev/ttyACM0")(value, folder))
    if port.exists() and not port.is_char_device():
        raise HocketError(
            f"port {port} is not a serial port",
            "it is a file",
            "name one: hocket boards lists them",
        )
    return port


def _folders(value: object, folder: Path) -> tuple[Path, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) and name for name in value):
        raise HocketError(
            "libraries is not a list of folders", next_step='write for instance: ["../libraries"]'
        )
    for name in value:
        check_inside("libraries", folder / name, folder)
        if not (folder / name).is_dir():
            raise HocketError(
                f"there is no folder {name}",
                "libraries names folders of libraries, as seen from this file",
                "make it, or name another one",
            )
    return tuple((folder / name).resolve() for name in value)


_CHECKS: dict[str, Callable[[object, Path], Value]] = {
    "board": _board,
    "cores": _number("cores", 1, 64),
    "policy": _policy,
    "for": _time,
    "seed": _number("seed", 0, 2**64 - 1),
    "scenario": _file,
    "port": _port,
    "libraries": _folders,
}
