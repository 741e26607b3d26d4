"""How large the stacks of a sketch's loops must be, where the board has no room to give each plenty.

The linked program says what each loop's calls take (stack_depth.py). A loop that says no number gets what it
needs, if that is more than the default: the sketch is compiled once more, with the sizes. One that says too
small a number is refused with the calls that need more. What cannot be known is left to the default and to
`hocket run`, which sees an overflow at its instruction.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hocket.builder.board import Toolchain
from hocket.builder.compile import current, run
from hocket.builder.handler_stacks import attached_in
from hocket.builder.linking import write_stamp
from hocket.builder.room import Memory, NoRoom, loops_of
from hocket.builder.stack_depth import Depth, Program
from hocket.errors import HocketError
from hocket.sketch.annotations import Loop
from hocket.whole_files import write_whole

# What lies on a loop's stack besides: under its body the thread's start and the byte whose paint is looked
# at, and on top, when it is preempted in its deepest call, the registers of the clock's interrupt and of the
# switch (ports/avr8/switch.S).
_BENEATH = 4 + 1
_PREEMPTED = 2 + 15 + 4 + 18
# What a handler of attachInterrupt() has below it: its interrupt's registers and times.
_BELOW_HANDLER = 2 + 15 + 3 + 4
_SHOWN = 6
# What tells a sketch's sources the sizes: `, {loop, bytes}` for each (arduino/cores/avr8/board_loops.h).
STACKS_MACRO = "HOCKET_NEEDED_STACKS_"


@dataclass(frozen=True)
class Need:
    """bytes: what the loop's own calls take at most. with_interrupts: the stack that holds those, too."""

    bytes: int
    with_interrupts: int
    chain: tuple[tuple[str, int], ...]
    certain: bool  # the way is one that the program can go, and no way into itself


def read_sizes(program: Path) -> dict[int, int]:
    """The sizes that the program was built with the last time."""
    try:
        rows = json.loads(_sizes_file(program).read_text())
    except (OSError, ValueError):
        return {}
    return {int(loop): int(size) for loop, size in rows}


def write_sizes(program: Path, sizes: dict[int, int]) -> None:
    write_whole(_sizes_file(program), json.dumps(sorted(sizes.items())))


def _sizes_file(program: Path) -> Path:
    return program.with_name(f"{program.name}.sizes.json")


def needed_stacks(
    loops: Iterable[Loop], texts: Iterable[str], program: Path, toolchain: Toolchain
) -> dict[int, Need]:
    """The loops (by id) that say no size and need more than the default; HocketError for one that says too
    little for its calls."""
    memory = toolchain.memory
    if memory is None:
        return {}
    given = loops_of(program, memory)
    needs = _needs(program, memory, list(texts), sorted(given))
    declared = {loop.id: loop for loop in loops if loop.id is not None}
    wanted: dict[int, Need] = {}
    for number, need in needs.items():
        loop = declared.get(number)
        says = loop is not None and _says_size(loop)
        if not says and number != 0:
            if need.with_interrupts > memory.default_stack:
                wanted[number] = need
        elif need.bytes > given[number] and need.certain:
            raise _too_small(number, loop, given[number], need)
    return wanted


def _says_size(loop: Loop) -> bool:
    return any(token.is_word("stackBytes") for part in loop.arguments for token in part)


def _needs(program: Path, memory: Memory, texts: list[str], loops: list[int]) -> dict[int, Need]:
    """Of a program that is as it was the last time they are read from a file beside it."""
    stamp_file = program.with_name(f"{program.name}.stacks.stamp")
    known_file = program.with_name(f"{program.name}.stacks.json")
    command = ("stacks", *map(str, loops))
    sources = [Path(__file__), Path(__file__).with_name("stack_depth.py")]
    if current(stamp_file, command, known_file):
        rows = json.loads(known_file.read_text())
        return {int(n): Need(a, b, tuple(map(tuple, c)), d) for n, a, b, c, d in rows}
    stamp_file.unlink(missing_ok=True)
    linked = Program(program, memory.symbols)
    on_top = _interrupts(linked, texts)
    needs = {}
    for number in loops:
        body = linked.address(f"_Z{len(f'hocket_loop_{number}')}hocket_loop_{number}v")
        body = linked.address("loop") if number == 0 else body
        if body is not None:
            depth = linked.depth(body)
            bytes_ = _BENEATH + depth.bytes
            needs[number] = Need(bytes_, bytes_ + on_top, depth.chain, not _recursive(depth))
    rows = [[number, n.bytes, n.with_interrupts, n.chain, n.certain] for number, n in needs.items()]
    write_whole(known_file, json.dumps(rows))
    write_stamp(stamp_file, command, [known_file, program, *sources])
    return needs


def _interrupts(program: Program, texts: list[str]) -> int:
    """The most that an interrupt puts on the stack of whoever it comes upon: they do not nest."""
    most = _PREEMPTED
    for text in texts:
        for place in attached_in(text):
            for name in (
                f"_Z{len(place.handler)}{place.handler}v",
                f"_ZL{len(place.handler)}{place.handler}v",
            ):
                handler = program.address(name)
                if handler is not None:
                    most = max(most, _BELOW_HANDLER + program.depth(handler).bytes)
    return most


def _recursive(depth: Depth) -> bool:
    return any("calls itself" in why for why in depth.unknown)


def with_reasons(full: NoRoom, needs: dict[int, Need]) -> NoRoom:
    """The same, with what the stacks are needed for that take more than the default."""
    reasons = "".join(
        f"\n    loop {number} needs {need.with_interrupts} bytes of stack by these calls: {_way(need)}"
        for number, need in sorted(needs.items())
    )
    return NoRoom(
        full.fact,
        f"{full.cause}{reasons}",
        "make arrays in the functions that are named smaller, or `static` where no two loops use them",
    )


def _too_small(number: int, loop: Loop | None, given: int, need: Need) -> HocketError:
    whose = f"loop {number}" if number else "loop()"
    instead = (
        f"say stackBytes({need.with_interrupts}) or more"
        if number
        else "make it a loop with a budget, which can have more: loop(1, 80, 100)"
    )
    return HocketError(
        f"{whose} needs {need.bytes} bytes of stack and has {given}",
        f"by these calls, each with its bytes: {_way(need)}; an interrupt on top takes "
        f"{need.with_interrupts - need.bytes}",
        f"{instead}, or make arrays in these functions smaller, or `static`",
        *((loop.file, loop.line) if loop is not None else ()),
    )


def _way(need: Need) -> str:
    names = _readable([name for name, _ in need.chain])
    steps = [f"{name} {bytes_}" for name, (_, bytes_) in zip(names, need.chain, strict=True)]
    if len(steps) > _SHOWN:
        rest = sum(bytes_ for _, bytes_ in need.chain[_SHOWN - 1 :])
        steps = [*steps[: _SHOWN - 1], f"what that calls {rest}"]
    return ", ".join(steps)


def _readable(names: list[str]) -> list[str]:
    """As the sketch writes them: without namespaces and arguments."""
    told = run(["llvm-cxxfilt-19", *names]).stdout.splitlines()
    return [_short(name) for name in (told if len(told) == len(names) else names)]


def _short(name: str) -> str:
    loop = re.fullmatch(r"hocket_loop_(\d+)(\(\))?", name)
    if loop:
        return f"loop {loop[1]}"
    bare = re.sub(
        r"<[^<>]*>|\(anonymous namespace\)::",
        "",
        re.sub(r"\(.*", "", name.replace("(anonymous namespace)::", "")),
    )
    return re.sub(r"^(?:arduino|hocket)::", "", bare.rpartition(" ")[2]) + "()"
