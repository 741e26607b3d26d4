"""Shell completion of option values and of SKETCH. It must be fast, and errors are not shown."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import typer

_HIDDEN = ("build", "node_modules", "__pycache__")


def complete_board(incomplete: str) -> list[tuple[str, str]]:
    from hocket.boards import BOARDS

    # The shell's script breaks long lines, and fish treats each piece as a word.
    return [(b.name, b.what.partition(",")[0]) for b in BOARDS if b.name.startswith(incomplete)]


def complete_policy(incomplete: str) -> list[str]:
    from hocket.boards import POLICIES

    return [name for name in POLICIES if name.startswith(incomplete)]


def complete_profile(context: typer.Context, incomplete: str) -> list[str]:
    """Completes the profiles of the sketch that was named before. The parser stops at the option without a
    value, and leaves the words before it unparsed."""
    from hocket.errors import HocketError
    from hocket.project_file import project_file

    words = (word for word in context.args if not word.startswith("-"))
    given = context.params.get("sketch", ".")
    sketch = next(words, ".") if given == "." else given
    with contextlib.suppress(HocketError, OSError):
        profiles = project_file(sketch).profiles
        return [name for name in profiles if name.startswith(incomplete)]
    return []


def complete_sketch(incomplete: str) -> list[str]:
    """Completes folders of sketches and sketch files. Other folders, which may contain sketches, end in /."""
    with contextlib.suppress(OSError):
        return sorted(_places(incomplete))
    return []


def complete_test(incomplete: str) -> list[str]:
    """Completes the arguments of `test`: sketches, and the scenarios of a sketch."""
    with contextlib.suppress(OSError):
        return sorted(_places(incomplete, scenarios=True))
    return []


def complete_experiment(context: typer.Context, incomplete: str) -> list[str]:
    """Completes the experiments of `bench` that were not named before."""
    from hocket.bench import experiments

    named = (*context.args, *(context.params.get("names") or ()))
    return [name for name in experiments() if name.startswith(incomplete) and name not in named]


def _places(incomplete: str, scenarios: bool = False) -> Iterator[str]:
    before, slash, begun = incomplete.rpartition("/")
    folder = Path(f"{before}/" if slash else ".")
    for place in folder.iterdir():
        if not place.name.startswith(begun) or place.name in _HIDDEN:
            continue
        if place.name.startswith(".") and not begun:
            continue
        name = f"{before}{slash}{place.name}"
        if place.is_dir():
            yield name if _is_sketch(place) else f"{name}/"
        elif place.suffix in (".ino", ".pde", ".cpp") or (scenarios and _is_scenario(place)):
            yield name


def _is_scenario(file: Path) -> bool:
    """Returns whether the file lies where a sketch's scenarios do. Its content is not read, because that
    takes long."""
    if file.suffix not in (".yaml", ".yml"):
        return False
    folder = file.resolve().parent
    return _holds_sketch(folder.parent if folder.name == "scenarios" else folder)


def _holds_sketch(folder: Path) -> bool:
    return _is_sketch(folder) or any(file.suffix == ".cpp" for file in folder.iterdir())


def _is_sketch(folder: Path) -> bool:
    return any(file.suffix in (".ino", ".pde") for file in folder.iterdir())
