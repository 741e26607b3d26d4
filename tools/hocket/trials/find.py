"""Finds the tests below a folder: sketches, and those of their scenarios that have expectations.

In a sketch's folder these are scenario.yaml (or one with the sketch's name), *.test.yaml, and all of
scenarios/. A scenario without expectations is not a test, unless its name says so.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hocket.boards import DEFAULT_BOARD, find_board
from hocket.errors import HocketError, shorten
from hocket.inside import check
from hocket.project_file import project_file
from hocket.scenario.document import read
from hocket.sketch.folder import COMPILED, INO

YAML = (".yaml", ".yml")
_SKIPPED = ("build", "node_modules", "libraries", "__pycache__")


@dataclass(frozen=True)
class Trial:
    """One scenario on one board. skipped: why it is not run there. Empty: it is run. broken: an error of the
    sketch's hocket.toml or of the scenario's place, with which this test cannot be run."""

    sketch: Path
    scenario: Path
    board: str
    skipped: str = ""
    broken: str = ""

    def name(self) -> str:
        return f"{shorten(self.scenario)} on {self.board}"


def find_trials(
    names: Iterable[str], boards: Iterable[str], profile: str | None = None
) -> list[Trial]:
    """Returns the tests of files and folders, each once. boards: empty: the board of the sketch's
    hocket.toml, else of each scenario, else sim. A sketch without the profile is skipped if another one has
    it.

    Raises HocketError for a name that does not exist or has no tests, and for a profile that no sketch has.
    """
    chosen = [find_board(name).name for name in boards]
    found: dict[Trial, None] = {}
    without: list[HocketError] = []
    for name in names:
        if not name or not Path(name).exists():
            raise HocketError(
                f"there is no file or folder {name or 'without a name'}",
                next_step="name a sketch, a folder of sketches or a scenario",
            )
        trials = [
            trial
            for sketch, scenario in _scenarios(Path(name))
            for trial in _of_scenario(sketch, scenario, chosen, profile, without)
        ]
        if not trials and _is_without_sketch(Path(name)):
            raise HocketError(
                f"there is no sketch in {name}",
                "no folder there holds an .ino file",
                "name a sketch, a folder of sketches or a scenario",
            )
        if not trials:
            raise HocketError(
                f"there are no tests in {name}",
                "no sketch there has a scenario that expects something",
                "add expect: to its scenario.yaml (docs/guide/testing.md)",
            )
        found |= dict.fromkeys(trials)
    if without and all(trial.skipped for trial in found):
        raise min(without, key=lambda wrong: wrong.file is None)  # one that names other profiles
    return list(found)


def _scenarios(path: Path) -> Iterator[tuple[Path, Path]]:
    """Yields pairs of sketch and scenario."""
    path = path.resolve()
    if path.is_file() and path.suffix in YAML:
        folder = path.parent.parent if path.parent.name == "scenarios" else path.parent
        sketch = _sketch_in(folder)
        if sketch is None:
            raise HocketError(
                f"there is no sketch for {shorten(path)}",
                f"{shorten(folder)} holds no .ino file",
                "put the scenario into the sketch's folder, or into scenarios/ there",
            )
        yield sketch, path
    elif path.name == "scenarios" and (sketch := _sketch_in(path.parent)) is not None:
        yield from ((sketch, scenario) for scenario in _in_scenarios(path))
    elif path.is_file():
        yield from ((path, scenario) for scenario in _of_sketch(path.parent, path.stem))
    else:
        for folder in _folders(path):
            sketch = _sketch_in(folder)
            if sketch is not None:
                name = folder.name if sketch == folder else sketch.stem
                yield from ((sketch, scenario) for scenario in _of_sketch(folder, name))


def _folders(top: Path) -> Iterator[Path]:
    for folder, names, _ in os.walk(top):
        names[:] = sorted(n for n in names if n not in _SKIPPED and not n.startswith("."))
        yield Path(folder)


def _is_without_sketch(place: Path) -> bool:
    if not place.is_dir():
        return False
    files = (file for folder in _folders(place) for file in folder.iterdir())
    return not any(file.suffix.lower() in (*INO, *COMPILED[:3]) for file in files)


def _sketch_in(folder: Path) -> Path | None:
    """Returns the folder if it is a sketch, or its .cpp file if it is the only one beside a scenario."""
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    if any(file.suffix.lower() in INO for file in files):
        return folder
    compiled = [file for file in files if file.suffix in COMPILED[:3]]
    return compiled[0] if len(compiled) == 1 and any(f.suffix in YAML for f in files) else None


def _of_sketch(folder: Path, name: str) -> Iterator[Path]:
    for own in ("scenario.yaml", "scenario.yml", f"{name}.yaml", f"{name}.yml"):
        if (folder / own).is_file():
            if _expects(folder / own):
                yield folder / own
            break
    yield from sorted(file for file in folder.iterdir() if _is_called_test(file))
    yield from _in_scenarios(folder / "scenarios")


def _in_scenarios(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        if file.suffix in YAML and (_is_called_test(file) or _expects(file)):
            yield file


def _is_called_test(file: Path) -> bool:
    return file.suffix in YAML and Path(file.stem).suffix == ".test"


def _expects(file: Path) -> bool:
    """Returns whether a scenario has expectations. A file that cannot be read counts as a test, which fails
    with the reason."""
    value = _top(file)
    if value is None or "expect" in value or "never" in value:
        return True
    parts = value.get("parts")
    return isinstance(parts, dict) and any(
        isinstance(part, dict)
        and part.get("type") in ("serial", "serial_pins", "fifo")
        and "expect" in part
        for part in parts.values()
    )


def _top(file: Path) -> dict[str, Any] | None:
    """Returns the keys of a scenario, or None if it cannot be read."""
    try:
        value = read(file).value
    except HocketError:
        return None
    return value if isinstance(value, dict) else {}


def _of_scenario(
    sketch: Path, scenario: Path, chosen: list[str], profile: str | None, without: list[HocketError]
) -> Iterator[Trial]:
    """without: receives an error for a sketch that lacks the profile."""
    folder = sketch if sketch.is_dir() else sketch.parent
    try:
        check("this test", scenario, folder, scenario)
        settings = project_file(sketch)
    except HocketError as wrong:
        for trial in _on_boards(sketch, scenario, chosen):
            yield replace(trial, broken=str(wrong))
        return
    try:
        board = settings.chosen(profile).get("board")
    except HocketError as wrong:
        without.append(wrong)
        for trial in _on_boards(sketch, scenario, chosen):
            yield replace(trial, skipped=f"its sketch has no profile {profile!r}")
        return
    yield from _on_boards(sketch, scenario, chosen or ([str(board)] if board is not None else []))


def _on_boards(sketch: Path, scenario: Path, boards: list[str]) -> Iterator[Trial]:
    only = (_top(scenario) or {}).get("board")
    if not isinstance(only, str):  # any board, or an error that the run reports
        only = None
    for board in boards or [only or DEFAULT_BOARD]:
        other = only is not None and only != board
        yield Trial(sketch, scenario, board, f"it is for the board {only}" if other else "")
