"""Builds a sketch into the program or image that a board runs."""

from hocket.builder.board import (
    Toolchain,
    prepare_avr_check,
    prepare_avr_simulator,
    prepare_board,
    prepare_world,
)
from hocket.builder.kernel import attaches_handlers
from hocket.builder.sketch import Image, build_sketch

__all__ = [
    "Image",
    "Toolchain",
    "attaches_handlers",
    "build_sketch",
    "prepare_avr_check",
    "prepare_avr_simulator",
    "prepare_board",
    "prepare_world",
]
