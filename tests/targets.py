"""CMake targets in tests: brought up to date, one build at a time."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hocket.builder.lock import locked
from hocket.paths import BUILD, ROOT


def build_target(preset: str, target: str) -> Path:
    """Builds the target with the preset; the build's folder."""
    folder = BUILD / preset
    with locked(folder):
        for command in (
            ["cmake", "--preset", preset, "--log-level=WARNING"],
            ["ninja", "-C", str(folder), target],
        ):
            done = subprocess.run(
                command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
            )
            assert done.returncode == 0, done.stdout + done.stderr
    return folder
