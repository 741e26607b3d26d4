"""What tests of bare AVR images share: building one, and running it in simavr."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hocket.builder.lock import locked
from hocket.paths import BUILD

ROOT = Path(__file__).resolve().parents[3]
UNO = BUILD / "uno"
SIM = BUILD / "sim"
SIMULATOR = SIM / "boards" / "uno" / "simulator" / "uno_contract"


def _built(folder: Path, preset: str, target: str) -> None:
    with locked(folder):
        commands: list[list[str]] = [
            ["cmake", "--preset", preset, "--log-level=WARNING"],
            ["ninja", "-C", str(folder), target],
        ]
        for command in commands:
            done = subprocess.run(
                command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
            )
            assert done.returncode == 0, done.stdout + done.stderr


Runner = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def uno_contract() -> Runner:
    """uno_contract(image, turns): runs this CMake target's image until it ends by itself."""
    _built(SIM, "sim", "uno_contract")

    def run(image: str, turns: int = 0) -> subprocess.CompletedProcess[str]:
        _built(UNO, "uno", image)
        command: list[str | Path] = [
            SIMULATOR,
            UNO / "boards" / "uno" / "contract" / f"{image}.elf",
            str(turns),
        ]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    return run
