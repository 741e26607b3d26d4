"""Loads the experiments of bench/, whose counting the tests here use."""

import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def experiment() -> Callable[[str], ModuleType]:
    return _load


@cache
def _load(name: str) -> ModuleType:
    file = ROOT / "bench" / name / "experiment.py"
    spec = importlib.util.spec_from_file_location(f"experiment_{name}", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look their module up
    spec.loader.exec_module(module)
    return module
