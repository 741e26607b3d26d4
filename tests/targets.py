"""CMake targets in tests: brought up to date, one build at a time."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from hocket.boards import find_board
from hocket.builder import Toolchain, prepare_board
from hocket.builder.board import bring_up_to_date

SYSTEM = "hocket_sim_system"


def build_target(preset: str, target: str) -> Path:
    """Builds the target with the preset; the build's folder."""
    return bring_up_to_date(preset, target, target)


def sim_with(variant: str) -> Toolchain:
    """The board sim's toolchain with one of its kernels for tests (simulation/machine/CMakeLists.txt)."""
    toolchain = prepare_board(find_board("sim"))
    bring_up_to_date("sim", f"the kernel for tests, {variant}", f"{SYSTEM}_{variant}")

    def replaced(text: str) -> str:
        return text.replace(f"lib{SYSTEM}.a", f"lib{SYSTEM}_{variant}.a")

    changed = dataclasses.replace(
        toolchain,
        link=tuple(map(replaced, toolchain.link)),
        inputs=tuple(Path(replaced(str(path))) for path in toolchain.inputs),
    )
    assert changed.link != toolchain.link
    return changed
