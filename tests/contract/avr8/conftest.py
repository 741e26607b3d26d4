"""What tests of bare AVR images share: building one, and running it in simavr."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.targets import build_target

Runner = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def avr_contract() -> Runner:
    """avr_contract(image, turns): runs this CMake target's image until it ends by itself."""
    simulator = build_target("sim", "avr_contract") / "simulation" / "avr" / "avr_contract"

    def run(image: str, turns: int = 0) -> subprocess.CompletedProcess[str]:
        file = (
            build_target("uno", image) / "arduino" / "cores" / "avr8" / "contract" / f"{image}.elf"
        )
        command: list[str | Path] = [simulator, file, str(turns)]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    return run
