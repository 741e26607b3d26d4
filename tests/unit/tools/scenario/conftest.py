"""What the scenario tests share: a file writer, and the devices as a program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.targets import build_target


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a scenario file and gives its path."""

    def write_file(text: str) -> Path:
        file = tmp_path / "scenario.yaml"
        file.write_text(text, encoding="utf-8")
        return file

    return write_file


@pytest.fixture(scope="session")
def device_script() -> Path:
    """The program that runs a script of accesses against the devices."""
    return (
        build_target("sim", "device_script")
        / "tests"
        / "unit"
        / "simulation"
        / "devices"
        / "script"
        / "device_script"
    )
