"""What the tests of the experiments share: an experiment's module, and a context to run it with."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from hocket.bench import Context, load_experiment

Load = Callable[..., tuple[ModuleType, Context]]


@pytest.fixture(scope="module")
def load() -> Load:
    """load("rover", board) gives the module of bench/rover/experiment.py and a context with seed 1."""

    def by_name(name: str, board: str = "sim") -> tuple[ModuleType, Context]:
        return load_experiment(name), Context(name, 1, board)

    return by_name
