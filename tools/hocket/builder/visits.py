"""Links a sketch's program for coverage. The sources are compiled as usual."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from hocket.builder.board import Toolchain
from hocket.builder.compile import Unit, compile_unit
from hocket.errors import EXIT_DEFECT, HocketError

SOURCE = Path(__file__).parent / "visits.cpp"
_FLAGS = ("-std=gnu++20", "-O2", "-fomit-frame-pointer", "-fno-exceptions", "-fno-rtti")
# The linker keeps the relocations, so that the calls of the blocks can be found in the program, and functions
# that nobody calls: none of their lines has run.
_LINK = ("-Wl,--wrap=__sanitizer_cov_trace_pc", "-Wl,--emit-relocs", "-Wl,--no-gc-sections")


def with_visits(toolchain: Toolchain, folder: Path) -> Toolchain:
    """Returns the toolchain whose programs record which blocks run. The object is made in the folder, outside
    the sketch's own objects, because it starts before the board does."""
    unit = Unit(SOURCE, folder / "visits.o", (toolchain.cxx, *_FLAGS))
    outcome = compile_unit(unit)
    if outcome.failed:
        raise HocketError(
            "what marks the lines that run cannot be compiled",
            outcome.messages,
            "if hocket doctor finds nothing, this is a defect of Hocket",
            exit_code=EXIT_DEFECT,
        )
    return dataclasses.replace(
        toolchain,
        link=(*toolchain.link, str(unit.object), *_LINK),
        inputs=(*toolchain.inputs, unit.object),
    )
