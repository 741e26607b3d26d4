"""Reports the memory that a linked sketch takes before it runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

from hocket.builder.room import Memory, loops_of
from hocket.builder.sketch import Image
from hocket.console import say
from hocket.intel_hex import flash_contents

_VARIABLE = SH_FLAGS.SHF_ALLOC | SH_FLAGS.SHF_WRITE


@dataclass(frozen=True)
class Sizes:
    """Sizes in bytes. ram: variables and the stacks of loops."""

    flash: int
    ram: int


def sizes_of(program: Path) -> Sizes:
    flash = sum(len(content) for _, content in flash_contents(program))
    with program.open("rb") as file:
        sections = list(ELFFile(file).iter_sections())
    ram = sum(s["sh_size"] for s in sections if s["sh_flags"] & _VARIABLE == _VARIABLE)
    return Sizes(flash, ram)


def tell_sizes(image: Image) -> None:
    """Prints the sizes, on boards with known memory sizes. The others have more memory than a sketch can
    use."""
    memory = image.toolchain.memory
    if memory is not None:
        by = f", compiled with {image.compiler}," if "gcc" in image.compiler else ""
        say(f"{image.sketch.name}{by} takes {_in_words(image.sketch_elf, memory)}")


def _in_words(program: Path, memory: Memory) -> str:
    """Returns, in words, what a sketch takes of the board's memory, and what remains."""
    sizes = sizes_of(program)
    ram = sizes.ram
    # A plain loop() beside other loops gets its memory when it starts.
    if 0 in loops_of(program, memory):
        ram += memory.loop_state + memory.default_stack
    return (
        f"{_part(sizes.flash, memory.flash)} of flash, {_part(ram, memory.ram)} of RAM; "
        f"{memory.ram - ram} are left for the stack of setup() and interrupts"
    )


def _part(taken: int, there_is: int) -> str:
    return f"{taken} of {there_is} bytes ({taken / there_is:.0%})"
