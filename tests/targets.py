"""CMake targets in tests: brought up to date, one build at a time."""

from __future__ import annotations

from pathlib import Path

from hocket.builder.board import bring_up_to_date


def build_target(preset: str, target: str) -> Path:
    """Builds the target with the preset; the build's folder."""
    return bring_up_to_date(preset, target, target)
