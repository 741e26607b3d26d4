"""Checks that a linked sketch fits into its board's memory. If not, lists what takes the space, and what
helps.

Sizes come from the linker's map, names of variables and functions from the symbols. Only boards whose build
description gives the memory sizes are checked (`memory`, see board.py).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from hocket.avr_chips import ATMEGA328P, CHIPS
from hocket.builder.compile import run
from hocket.builder.origins import WHOLE, origin_of
from hocket.errors import HocketError
from hocket.intel_hex import flash_contents


@dataclass(frozen=True)
class Memory:
    """A board's memory and what its loops take, in bytes.

    main_stack: the smallest stack for setup() and interrupts. A loop takes loop_state and its stack. The
    stack is default_stack if the sketch declares no size, and at least least_stack.
    """

    name: str
    flash: int
    ram: int
    main_stack: int
    loop_state: int
    default_stack: int
    least_stack: int
    symbols: str  # the program that lists symbols (nm)
    chip: str = ATMEGA328P.name


@dataclass
class Taken:
    """Bytes by origin, and the total of RAM, which is larger because sections have gaps."""

    flash: Counter[str] = field(default_factory=Counter)
    ram: Counter[str] = field(default_factory=Counter)
    ram_in_all: int = 0


class NoRoom(HocketError):
    """The sketch's loops and variables do not fit into the board's RAM."""


# Output sections: f lies in flash, r in RAM, and fr (initial values of variables) in both.
SECTIONS = {
    **dict.fromkeys((".text", ".hocket_clock", ".hocket_loops"), "f"),
    ".data": "fr", ".bss": "r", ".noinit": "r",
}  # fmt: skip
_LOOP = re.compile(r"^hocket_loop_(\d+)_memory$")
_SHOWN = 6


def check_room(program: Path, map_file: Path, memory: Memory) -> None:
    """Raises HocketError if the program does not fit."""
    taken = read_map(map_file.read_text(errors="replace"))
    # All sections of the program count, not only those listed in SECTIONS.
    in_flash = sum(len(content) for _, content in flash_contents(program))
    if in_flash > memory.flash:
        raise _too_much_flash(in_flash, taken, _symbols(program, memory, "tTwW"), memory)
    variables = _symbols(program, memory, "bBdD")
    loops = _loop_memories(variables)
    least = memory.main_stack
    if loops and _has_plain_loop(program, memory):
        least += memory.loop_state + memory.default_stack
    if taken.ram_in_all + least > memory.ram:
        raise _too_much_ram(taken, loops, variables, least, memory)


def check_main_stack(program: Path, memory: Memory, need: int) -> None:
    """Raises NoRoom if the variables leave less for the stack of main() than it needs (in bytes)."""
    end = re.search(r"^0080([0-9a-f]{4}) . _end$", _plain_list(program, memory), re.MULTILINE)
    begin = CHIPS[memory.chip].data_begin
    free = begin + memory.ram - int(end[1], 16) if end else memory.ram
    if need > free:
        raise NoRoom(
            f"the stack of setup(), interrupts and the kernel's work needs {need} bytes, and the sketch's "
            f"variables and loops leave {free} of the {memory.ram} bytes of RAM of the {memory.name}",
            "it begins at the end of the RAM, behind all that has a place of its own",
            "make arrays smaller in setup() and in handlers; or have fewer loops, or smaller variables",
        )


def loops_of(program: Path, memory: Memory) -> dict[int, int]:
    """Returns the stack sizes of a linked sketch's loops in bytes, by number. The plain loop is 0. Returns
    none if the sketch declares no loops: then all its code runs on the stack of setup()."""
    memories = _loop_memories(_symbols(program, memory, "bBdD"))
    loops = {number: size - memory.loop_state for number, size in memories.items()}
    if loops and _has_plain_loop(program, memory):
        loops[0] = memory.default_stack
    return loops


def _loop_memories(variables: Counter[str]) -> dict[int, int]:
    """Returns the bytes of each declared loop for its state and its stack."""
    return {int(m[1]): size for name, size in variables.items() if (m := _LOOP.match(name))}


def _has_plain_loop(program: Path, memory: Memory) -> bool:
    return bool(re.search(r" [Tt] loop$", _listed(program, memory), re.MULTILINE))


def read_map(text: str) -> Taken:
    """Returns what each origin (origins.py) takes, according to the map of GNU ld."""
    taken = Taken()
    where = ""
    _, _, laid_out = text.partition("\nLinker script and memory map\n")
    # A long name stands on a line of its own, before its address.
    for line in re.sub(r"\n(?: *)(?=0x)", " ", re.sub(r"\r", "", laid_out)).splitlines():
        output = re.match(r"(\.\w+)\b(?:\s+0x[0-9a-f]+\s+0x([0-9a-f]+))?", line)
        if output:
            where = SECTIONS.get(output[1], "")
            taken.ram_in_all += int(output[2] or "0", 16) if "r" in where else 0
            continue
        part = re.match(r" \S+\s+0x[0-9a-f]+\s+0x([0-9a-f]+) (\S.*)$", line)
        if not part or not where:
            continue
        size, origin = int(part[1], 16), origin_of(part[2])
        if "f" in where:
            taken.flash[origin] += size
        if "r" in where:
            taken.ram[origin] += size
    return taken


def _listed(program: Path, memory: Memory) -> str:
    return run([memory.symbols, "-C", "-S", str(program)]).stdout


def _plain_list(program: Path, memory: Memory) -> str:
    return run([memory.symbols, str(program)]).stdout


def _symbols(program: Path, memory: Memory, kinds: str) -> Counter[str]:
    """Returns the sizes of the defined symbols, by name."""
    sizes: Counter[str] = Counter()
    for line in _listed(program, memory).splitlines():
        match = re.match(rf"[0-9a-f]+ ([0-9a-f]+) [{kinds}] (.+)$", line)
        if match:
            sizes[match[2]] += int(match[1], 16)
    return sizes


def _table(rows: list[tuple[str, int]]) -> str:
    """Returns rows of a name and its bytes, one per line."""
    width = max(len(name) for name, _ in rows)
    return "".join(f"\n    {name:<{width}}  {size:>6}" for name, size in rows)


def _most(sizes: Counter[str]) -> list[tuple[str, int]]:
    """Returns the largest sizes, with the others added up in one row."""
    shown = [row for row in sizes.most_common(_SHOWN) if row[1] > 0]
    rest = sum(sizes.values()) - sum(size for _, size in shown)
    return [*shown, ("everything else", rest)] if rest > 0 else shown


def _largest(sizes: Counter[str]) -> str:
    """Returns the largest names of the sketch and its libraries: neither the memory of loops nor the C
    library."""
    own = [row for row in sizes.most_common() if not row[0].startswith(("__", "hocket_"))]
    names = [f"{_short(name)} {size}" for name, size in own[:4]]
    return f"\n    largest of all: {', '.join(names)}" if names else ""


def _short(name: str) -> str:
    """Returns a name without its namespaces and arguments."""
    return re.sub(r"\(.*", "", name.replace("(anonymous namespace)::", "")).rpartition("::")[2]


def _too_much_flash(
    size: int, taken: Taken, functions: Counter[str], memory: Memory
) -> HocketError:
    return HocketError(
        f"the sketch has {size} bytes, {size - memory.flash} more than the {memory.flash} of flash that the "
        f"{memory.name} has for it",
        f"the room is taken by{_table(_most(taken.flash))}{_largest(functions)}",
        "leave a library out, or shorten tables and texts",
    )


def _too_much_ram(
    taken: Taken, loops: dict[int, int], variables: Counter[str], least: int, memory: Memory
) -> NoRoom:
    size = taken.ram_in_all + least
    others = Counter(taken.ram)
    others["variables of the sketch"] = others.pop("the sketch", 0) - sum(loops.values())
    others[f"variables of {WHOLE}"] = others.pop(WHOLE, 0)
    rows = [(f"loop {number}: its stack, and {memory.loop_state} for its state", bytes_)
            for number, bytes_ in sorted(loops.items())]  # fmt: skip
    rows += [("stack of setup() and interrupts, at least", least), *_most(+others)]
    return NoRoom(
        f"the sketch needs {size} bytes of RAM, {size - memory.ram} more than the {memory.ram} of the "
        f"{memory.name}",
        f"the room is taken by{_table(rows)}{_largest(variables)}",
        _way_out(size, loops, memory),
    )


def _way_out(size: int, loops: dict[int, int], memory: Memory) -> str:
    """Returns the stack sizes with which the loops would fit, or other advice if stacks cannot solve it."""
    if not loops:
        return 'make arrays smaller, put constant tables into PROGMEM and texts into F("…")'
    beside = size - sum(loops.values())
    each = (memory.ram - beside) // len(loops) - memory.loop_state
    if each >= memory.least_stack:
        return (
            f"write stackBytes({each}) or less for each loop; what a loop has used is in the last column "
            "of `hocket run`"
        )
    most = (memory.ram - beside) // (memory.loop_state + memory.least_stack)
    if most > 0:
        return (
            f"even with stackBytes({memory.least_stack}), the least, there is room for {most} of the "
            f"{len(loops)} loops: have fewer of them, or smaller arrays"
        )
    return 'make arrays smaller, put constant tables into PROGMEM and texts into F("…")'
