"""What the scenario tests share: a file writer, and the devices as a program (built here, once)."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "scenario-tests"

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(scenario_tests CXX)
enable_testing()
add_subdirectory({root}/boards/sim/devices devices)
add_subdirectory({root}/tests/devices tests)
"""


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
    source = BUILD / "source"
    source.mkdir(parents=True, exist_ok=True)
    project = PROJECT.format(root=ROOT.as_posix())
    lists = source / "CMakeLists.txt"
    if not lists.exists() or lists.read_text() != project:
        lists.write_text(project)
    configure = ["cmake", "-S", str(source), "-B", str(BUILD), "-G", "Ninja"]
    for command in (
        [*configure, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_COMPILER=clang++-19"],
        ["cmake", "--build", str(BUILD), "--target", "device_script", "-j2"],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return BUILD / "tests" / "device_script"
