"""Loads the experiments of bench/, whose counting the tests here use."""

from collections.abc import Callable
from functools import cache
from types import ModuleType

import pytest

from hocket.bench import load_experiment


@pytest.fixture(scope="session")
def experiment() -> Callable[[str], ModuleType]:
    return cache(load_experiment)
