"""Computes the stack sizes of a sketch's loops, on boards without the memory to give every loop a large
stack.

The linked program shows what the calls of each loop take, and which interrupt takes most on top: the
kernel's, a device's, or a handler with all that it calls (stack_depth.py). Interrupts do not nest, because
they run with interrupts masked, and the kernel continues on main()'s stack. A loop without a declared size
gets what it needs if that exceeds the default: the sketch is then compiled once more with the sizes. A loop
that declares too small a size is refused, and the message lists the calls that need more. Some needs cannot
be computed (recursion, computed sizes, handlers that unmask interrupts). They are reported, and the loop
keeps the default size. `hocket run` detects an overflow at the instruction that causes it.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hocket.avr_chips import CHIPS
from hocket.builder.board import Toolchain
from hocket.builder.compile import current, run
from hocket.builder.linking import write_stamp
from hocket.builder.pointed import Pointed
from hocket.builder.room import Memory, NoRoom, check_main_stack, loops_of
from hocket.builder.stack_depth import POINTER, UNMASKS, Depth, Depths, On, Program
from hocket.errors import HocketError
from hocket.sketch.annotations import Loop
from hocket.whole_files import write_whole

# The painted byte below the stack, which is checked for overflows.
_PAINT = 1
_SHOWN = 6
# The macro that passes the sizes to the sketch's sources: `, {loop, bytes}` for each loop
# (arduino/cores/avr8/board_loops.h).
STACKS_MACRO = "HOCKET_NEEDED_STACKS_"


@dataclass(frozen=True)
class Need:
    """The stack that a loop needs. bytes: the most that its own calls take. with_interrupts: the same with
    the largest interrupt on top. on_top: that interrupt. unknown: reasons why the need may be larger."""

    bytes: int
    with_interrupts: int
    chain: tuple[tuple[str, int], ...]
    on_top: str
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class Needs:
    """The needs of a program: its loops by number, and the stack of main() in bytes."""

    loops: dict[int, Need]
    main: int

    def as_json(self) -> str:
        rows = [[number, *dataclasses.astuple(need)] for number, need in self.loops.items()]
        return json.dumps([self.main, rows])

    @staticmethod
    def of_json(text: str) -> Needs:
        main, rows = json.loads(text)
        loops = {n: Need(a, b, tuple(map(tuple, c)), d, tuple(e)) for n, a, b, c, d, e in rows}
        return Needs(loops, main)


def read_sizes(program: Path) -> dict[int, int]:
    """Returns the stack sizes of the last build, in bytes by loop number."""
    try:
        rows = json.loads(_sizes_file(program).read_text())
    except (OSError, ValueError):
        return {}
    return {int(loop): int(size) for loop, size in rows}


def write_sizes(program: Path, sizes: dict[int, int]) -> None:
    write_whole(_sizes_file(program), json.dumps(sorted(sizes.items())))


def _sizes_file(program: Path) -> Path:
    return program.with_name(f"{program.name}.sizes.json")


def needed_stacks(loops: Iterable[Loop], program: Path, toolchain: Toolchain) -> dict[int, Need]:
    """Returns the needs of the loops (by number) that declare no size and need more than the default. Raises
    HocketError for a loop whose declared size is too small for its calls and an interrupt, or if main()'s
    stack is too small."""
    memory = toolchain.memory
    if memory is None:
        return {}
    given = loops_of(program, memory)
    if not given:
        return {}
    declared = {loop.id: loop for loop in loops if loop.id is not None}
    periodic = [n for n, loop in declared.items() if loop.kind == "periodic"]
    needs = _needs(program, memory, sorted(given), sorted(periodic))
    wanted: dict[int, Need] = {}
    for number, need in needs.loops.items():
        loop = declared.get(number)
        says = loop is not None and _says_size(loop)
        if not says and number != 0:
            if need.with_interrupts > memory.default_stack:
                wanted[number] = need
        elif need.with_interrupts > given[number] and not _recursive(need.unknown):
            raise _too_small(number, loop, given[number], need)
    if not wanted:
        check_main_stack(program, memory, needs.main)
    return wanted


def stack_warnings(loops: Iterable[Loop], program: Path, toolchain: Toolchain) -> Iterator[str]:
    """Yields warnings for loops without a declared size, for what the computed sizes do not cover."""
    memory = toolchain.memory
    if memory is None:
        return
    given = loops_of(program, memory)
    declared = {loop.id: loop for loop in loops if loop.id is not None}
    periodic = sorted(n for n, loop in declared.items() if loop.kind == "periodic")
    for number, need in (
        _needs(program, memory, sorted(given), periodic).loops.items() if given else ()
    ):
        loop = declared.get(number)
        if loop is None or _says_size(loop) or not need.unknown:
            continue
        why = _readable_reason(need.unknown[0])
        yield (
            f"{loop.file}:{loop.line}: warning: loop {number} has {given[number]} bytes of stack, and the "
            f"build cannot know whether they suffice: {why}. Write stackBytes(); the last column of "
            "`hocket run` has what a run has used"
        )


def read_needs(program: Path) -> Needs:
    """Returns the stored needs of a program that has been built."""
    return Needs.of_json(program.with_name(f"{program.name}.stacks.json").read_text())


def _says_size(loop: Loop) -> bool:
    return any(token.is_word("stackBytes") for part in loop.arguments for token in part)


def _needs(program: Path, memory: Memory, loops: list[int], periodic: list[int]) -> Needs:
    """Computes the needs, or reads them from a file beside the program if the program is unchanged."""
    stamp_file = program.with_name(f"{program.name}.stacks.stamp")
    known_file = program.with_name(f"{program.name}.stacks.json")
    command = ("stacks", *map(str, loops), "periodic", *map(str, periodic))
    sources = [
        Path(__file__).with_name(name)
        for name in ("indirect_calls.py", "loop_stacks.py", "pointed.py", "stack_depth.py")
    ]
    if current(stamp_file, command, known_file):
        return Needs.of_json(known_file.read_text())
    stamp_file.unlink(missing_ok=True)
    needs = _worked_out(
        Program(program, memory.symbols, CHIPS[memory.chip]), memory, loops, periodic
    )
    write_whole(known_file, needs.as_json())
    write_stamp(stamp_file, command, [known_file, program, *sources])
    return needs


def _worked_out(linked: Program, memory: Memory, loops: list[int], periodic: list[int]) -> Needs:
    pointed = Pointed(linked)
    top = _interrupt(linked, pointed)
    needs = {}
    begin = pointed.run_loop()
    for number in loops:
        bodies = linked.named(rf"_Z\d+hocket_loop_{number}v" if number else r".*10plain_body\w+")
        if begin is None or not bodies:
            continue
        by = pointed.by(bodies, number in periodic)
        depth = Depths(linked, On.LOOP, by).depth(begin)
        bytes_ = _PAINT + depth.bytes
        chain = tuple(each for each in depth.chain if each[0] != linked.name(begin))
        unknown = sorted((depth.unknown - {POINTER, UNMASKS}) | top.unknown)
        needs[number] = Need(bytes_, bytes_ + top.bytes, chain, top.chain[0][0], tuple(unknown))
    return Needs(needs, _main(linked, pointed, top, memory, 0 in loops))


def _interrupt(program: Program, pointed: Pointed) -> Depth:
    """Returns the interrupt that takes most of the interrupted stack, with the name of its vector."""
    depths = Depths(program, On.INTERRUPT, pointed.by())
    found = [(number, depths.depth(to)) for number, to in program.vectors()]
    unknown = frozenset(why for _, depth in found for why in depth.unknown - {POINTER})
    number, most = max(found, key=lambda each: each[1].bytes)
    name = program.chip.vectors[number]
    # A return address is under the first function.
    return Depth(program.address_bytes + most.bytes, ((name, most.bytes),), unknown)


def _main(program: Program, pointed: Pointed, top: Depth, memory: Memory, plain: bool) -> int:
    """Returns the most that main()'s stack holds, in bytes. That is setup() and the start of the loops, or
    the kernel's work above the memory of the plain loop (in idle time and for calls of loops), with an
    interrupt on top."""
    for_plain = program.named(r".*19run_loops_and_plain\w+")
    depths = Depths(program, On.MAIN, pointed.by(), () if plain else for_plain)
    main = program.address("main")
    start = depths.depth(main).bytes if main is not None else 0
    work = max((depths.depth(function).bytes for function in pointed.on_main), default=0)
    beneath = memory.loop_state + memory.default_stack + 4 * program.address_bytes if plain else 0
    # Under the kernel's work lie three calls to the idle thread, and two of its own.
    return max(start, beneath + 5 * program.address_bytes + work) + top.bytes


def _recursive(unknown: Iterable[str]) -> bool:
    return any("calls itself" in why for why in unknown)


def _readable_reason(why: str) -> str:
    """Returns a reason as the sketch writes its names: `down() calls itself`."""
    name, _, what = why.partition(" calls ")
    return f"{_readable([name])[0]} calls {what}" if what else f"there is {why}"


def with_reasons(full: NoRoom, needs: dict[int, Need]) -> NoRoom:
    """Returns the error with the calls of the loops that need more than the default."""
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
        f"write stackBytes({need.with_interrupts}) or more"
        if number
        else "make it a loop with a budget, which can have more: loop(1, 80, 100)"
    )
    return HocketError(
        f"{whose} needs {need.with_interrupts} bytes of stack and has {given}",
        f"by these calls, each with its bytes: {_way(need)}; an interrupt on top takes "
        f"{need.with_interrupts - need.bytes} ({need.on_top})",
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
    """Returns the names as the sketch writes them: without namespaces and arguments."""
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
