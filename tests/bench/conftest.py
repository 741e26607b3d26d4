"""What the tests of the experiments share: an experiment's module, and a context to run it with."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType

import pytest

from hocket.bench import EXPERIMENTS, Context

Load = Callable[..., tuple[ModuleType, Context]]


@pytest.fixture(scope="module")
def load() -> Load:
    """load("rover", board) gives the module of bench/rover/experiment.py and a context with seed 1."""

    def by_name(name: str, board: str = "sim") -> tuple[ModuleType, Context]:
        module_name = f"tested_{name.replace('-', '_')}"
        file = EXPERIMENTS / name / "experiment.py"
        spec = importlib.util.spec_from_file_location(module_name, file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module  # dataclasses look their module up
        spec.loader.exec_module(module)
        return module, Context(name, 1, board)

    return by_name
