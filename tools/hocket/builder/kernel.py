"""Puts the kernel around a linked sketch, on boards where the kernel is a program of its own.

The kernel comes in several variants: for `hocket run` and for a real board, for one core and for more, with
and without pin handlers, and for each scheduling policy. A variant is compiled when a sketch first needs it.
It is put around a sketch when that program is requested.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from hocket.boards import Board, boards_with, first_with, listed
from hocket.builder.board import Kernel, Toolchain, bring_up_to_date
from hocket.builder.compile import current, run
from hocket.builder.linking import write_stamp
from hocket.builder.lock import locked
from hocket.errors import EXIT_DEFECT, HocketError

# What surrounds the board: the emulator's world, that world and another system, or nothing. (The names are
# those of arduino/cores/protected/kernel.)
PEER, BESIDE, NATIVE = "peer", "beside", "native"

# In the header of an AArch64 sketch (sketch/image.h: Header): bits of the flags, a fault policy, and the
# offsets of both fields in bytes.
TRUSTED_PIN_ACCESS, USES_PIN_INTERRUPTS = 2, 4
RESTART_SKETCH = 2
_FLAGS_AT, _POLICY_AT = 12, 128


def attaches_handlers(sketch_elf: Path) -> bool:
    """Returns whether the linked sketch attaches handlers to pins, according to its header."""
    return _header_words(sketch_elf)[0] & USES_PIN_INTERRUPTS != 0


def _header_words(sketch_elf: Path) -> tuple[int, int]:
    """Returns Header::flags and Header::fault_policy."""
    with sketch_elf.open("rb") as file:
        elf = file.read(64)
        file.seek(int.from_bytes(elf[32:40], "little") + 8)  # e_phoff, then p_offset
        file.seek(int.from_bytes(file.read(8), "little"))
        header = file.read(_POLICY_AT + 4)
    flags, policy = header[_FLAGS_AT : _FLAGS_AT + 4], header[_POLICY_AT:]
    return int.from_bytes(flags, "little"), int.from_bytes(policy, "little")


def with_kernel(
    sketch_elf: Path, board: Board, toolchain: Toolchain, around: str, cores: int
) -> Path:
    """Returns the sketch with the kernel for these surroundings and this number of cores, brought up to date.

    For BESIDE, the file with the suffix `.flash` is the image for the machine's flash. Raises HocketError if
    the board has no such kernel, or if the sketch needs a feature that this kernel lacks.
    """
    if around == BESIDE:
        _check_beside(board, toolchain, *_header_words(sketch_elf))
    name, one = _chosen(toolchain, around, attaches_handlers(sketch_elf), cores)
    kernel = toolchain.around[name]
    if kernel.target:
        bring_up_to_date(board.name, f"a kernel of the board {board.name}", kernel.target)
    ending = (".one-core" if one else "") + ("" if around == PEER else f".{around}")
    program = sketch_elf.with_name(sketch_elf.stem + ending)
    with locked(program.parent):
        commands = toolchain.join_beside if around == BESIDE else toolchain.join
        _join(sketch_elf, program, commands, toolchain, kernel)
    return program


def _chosen(toolchain: Toolchain, around: str, pins: bool, cores: int) -> tuple[str, bool]:
    """Returns the kernel's name, and whether it is a variant for one core."""
    name = f"{around}_pins" if pins and f"{around}_pins" in toolchain.around else around
    one = cores == 1 and f"{name}_one" in toolchain.around
    return (f"{name}_one" if one else name), one


def _check_beside(board: Board, toolchain: Toolchain, flags: int, policy: int) -> None:
    if BESIDE not in toolchain.around:
        raise HocketError(
            f"no other system can run beside Hocket on the board {board.name}",
            "the kernel needs a level of the processor above the other system, which only "
            f"{listed(boards_with('beside'))} gives it",
            f"use --board {first_with('beside')}, or leave --beside out",
        )
    if policy == RESTART_SKETCH:
        raise HocketError(
            "a sketch that restarts after a fault cannot run beside another system yet",
            "the restarted threads would keep the other system's registers",
            "use HOCKET_ON_FAULT(StopSketch), or leave it out: then only the loop stops",
        )
    if flags & TRUSTED_PIN_ACCESS:
        raise HocketError(
            "a sketch with HOCKET_TRUSTED_PINS cannot run beside another system",
            "one block of pin registers is the other system's there, the other one is the power switch",
            "leave HOCKET_TRUSTED_PINS out: the pins' calls do the same",
        )


def _join(
    sketch_elf: Path,
    program: Path,
    commands: tuple[tuple[str, ...], ...],
    toolchain: Toolchain,
    kernel: Kernel,
) -> None:
    names = {
        "{sketch}": sketch_elf,
        "{kernel}": kernel.library,
        "{program}": program,
        "{folder}": program.parent,
    }
    commands = tuple(tuple(_filled(word, names) for word in command) for command in commands)
    together = tuple(word for command in commands for word in command)
    stamp_file = program.with_name(f"{program.name}.stamp")
    if current(stamp_file, together, program):
        return
    stamp_file.unlink(missing_ok=True)
    for command in commands:
        done = run(list(command))
        if done.returncode != 0:
            raise HocketError(
                "the board's image cannot be made",
                f"`{' '.join(command)}` failed; its last lines:\n    {done.stderr.strip()}",
                "run: hocket doctor; if all is well there, this is a defect of Hocket",
                exit_code=EXIT_DEFECT,
            )
    write_stamp(stamp_file, together, [program, sketch_elf, kernel.library, *toolchain.inputs])


def _filled(word: str, names: dict[str, Path]) -> str:
    for name, path in names.items():
        word = word.replace(name, str(path))
    return word


def of_policy(kernel: Kernel, policy: str) -> Kernel:
    """Returns the same kernel with another scheduling policy."""
    library = kernel.library.with_name(f"{kernel.library.stem}-{policy}.a")
    return dataclasses.replace(kernel, library=library, target=f"{kernel.target}-{policy}")
