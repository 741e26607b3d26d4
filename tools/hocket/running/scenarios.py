"""Finds the scenario of a run, and the user's files that the run depends on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hocket.boards import Board
from hocket.errors import HocketError
from hocket.inside import check
from hocket.scenario import Scenario, read_scenario
from hocket.sketch.folder import Sketch

if TYPE_CHECKING:
    from hocket.scenario.settings import Setting


def find_scenario(
    chosen: Path | None, sketch: Sketch, board: Board, settings: Sequence[Setting] = ()
) -> Scenario:
    """Returns the chosen scenario, else the sketch's own, else an empty one, with parts set for one run."""
    file = chosen or own_scenario(sketch)
    if file is None:
        for setting in settings:
            if setting.target.loop is None:
                raise HocketError(
                    f"'{setting}': there is no scenario, so there are no parts",
                    next_step="name one: --scenario FILE",
                )
        return Scenario()
    if not file.is_file():
        raise HocketError(
            f"{file} is a folder, not a scenario"
            if file.is_dir()
            else f"there is no scenario {file}",
            next_step="name a YAML file, or leave --scenario out",
        )
    return read_scenario(file, board.name, settings, sketch.folder)


def keeping_nothing(scenario: Scenario) -> Scenario:
    """Returns the scenario for one of several concurrent runs: they read the kept files, and do not change
    them."""
    return replace(scenario, keeps=False)


def own_scenario(sketch: Sketch) -> Path | None:
    for name in ("scenario.yaml", "scenario.yml", f"{sketch.name}.yaml", f"{sketch.name}.yml"):
        file = sketch.folder / name
        if file.is_file():
            check("the scenario of this sketch", file, sketch.folder, file)
            return file
    return None


def inputs_of(sketch: Sketch, scenario: Path | None = None) -> list[Path]:
    """Returns the user's files that a run is made from."""
    file = scenario or own_scenario(sketch)
    of_sketch = [*sketch.tabs, *sketch.sources, *sketch.headers]
    return of_sketch if file is None else [*of_sketch, file]
