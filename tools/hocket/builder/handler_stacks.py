"""Does the stack of an interrupt's handler hold the handler's own variables?

How much a function takes for them (what is in line in it included) says the compiler (-fstack-usage); which
stack a handler has, the place where it is attached. A handler without a name, or a size that is not written
as a number, is not looked at here: a run finds an overflow anyway, at its instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hocket.builder.board import Toolchain
from hocket.builder.room import loops_of
from hocket.errors import HocketError
from hocket.sketch.folder import Sketch, read_source
from hocket.sketch.tokens import Kind, Lines, Token, tokens_of

USAGE_FLAG = "-fstack-usage"
SHARED_LOOP = "HOCKET_INTERRUPT_LOOP"
_SHARED = ("attachInterrupt", "attachInterruptParam")
_OWN = "attachInterruptVcpu"
_DIRECT = "attachInterruptDirect"
# What a call of a handler takes besides, for the size that is proposed.
_BESIDE = 512
# On the Uno: the return addresses, and the registers that are kept (arduino/cores/avr8/interrupts.cpp).
_UNO_FRAME = 19


@dataclass(frozen=True)
class Attached:
    """A place that attaches a handler. stack: what stackBytes() says there; None: nothing."""

    call: str
    handler: str
    line: int
    stack: int | None


@dataclass(frozen=True)
class Stack:
    """The stack that a handler runs on, whose it is, and what would give it more."""

    bytes: int
    whose: str
    more: str  # {size}: for the handler that is looked at


def check_handler_stacks(
    sketch: Sketch, objects: Iterable[Path], toolchain: Toolchain, program: Path
) -> None:
    """HocketError for the first handler whose variables alone are more than its stack has."""
    sources = [(path, read_source(path)) for path in (*sketch.tabs, *sketch.sources)]
    found = [(path, place) for path, text in sources for place in attached_in(text)]
    if not found:
        return
    frames = frames_of(objects)
    shared = next((size for _, text in sources for size in _stacks(text, SHARED_LOOP)), None)
    for path, place in found:
        need = frames.get(place.handler, 0)
        stack = _stack_of(place, shared, toolchain, program)
        if stack is not None and need > stack.bytes:
            size = -(-(need + _BESIDE) // _BESIDE) * _BESIDE
            raise HocketError(
                f"the handler {place.handler}() needs {need} bytes of stack for its own variables, and "
                f"there are {stack.bytes}",
                stack.whose,
                f"{stack.more.format(size=size)}make its arrays smaller, or `static`",
                path,
                place.line,
            )


def attached_in(text: str) -> Iterator[Attached]:
    """The places of a source that attach a handler by its name."""
    lines = Lines(text)
    for word, arguments in _calls(text, (*_SHARED, _OWN, _DIRECT)):
        if len(arguments) < 3:
            continue
        name = arguments[1][1:] if arguments[1][0].is_mark("&") else arguments[1]
        if len(name) == 1 and name[0].kind is Kind.WORD:
            yield Attached(word.text, name[0].text, lines.line(word.start), _said(arguments))


def frames_of(objects: Iterable[Path]) -> dict[str, int]:
    """What the sketch's functions that may be handlers take, by their names; the most of several."""
    frames: dict[str, int] = {}
    for object_file in objects:
        try:
            usage = object_file.with_suffix(".su").read_text(errors="replace")
        except OSError:
            continue
        for line in usage.splitlines():
            place, _, size = line.partition("\t")
            name = _plain(place.rpartition(":")[2])
            number = size.partition("\t")[0]
            if name and number.isdigit():
                frames[name] = max(frames.get(name, 0), int(number))
    return frames


def _plain(symbol: str) -> str:
    """`seen` of `_Z4seenv`, of `_ZL4seenPv` and the like; empty: no handler is called so."""
    match = re.fullmatch(r"_Z(?:L|N12_GLOBAL__N_1L?)?(\d+)(\w+)", symbol)
    if match is None:
        return symbol if re.fullmatch(r"(?!_Z)\w+", symbol) else ""  # of C
    name, rest = match[2][: int(match[1])], match[2][int(match[1]) :]
    return name if rest.removeprefix("E") in ("v", "Pv") else ""


def _calls(text: str, names: tuple[str, ...]) -> Iterator[tuple[Token, list[list[Token]]]]:
    """Each of these words with a list of arguments behind it, and those."""
    words = [token for token in tokens_of(text) if token.kind is not Kind.COMMENT]
    for at, token in enumerate(words[:-1]):
        if not token.is_word(*names) or not words[at + 1].is_mark("("):
            continue
        arguments: list[list[Token]] = [[]]
        depth = 0
        for word in words[at + 1 :]:
            depth -= word.kind is Kind.MARK and word.text in ")]}"
            if depth == 0 and word.is_mark(")"):
                break
            if depth == 1 and word.is_mark(","):
                arguments.append([])
            elif depth > 0:
                arguments[-1].append(word)
            depth += word.kind is Kind.MARK and word.text in "([{"
        if all(arguments):
            yield token, arguments


def _stacks(text: str, name: str) -> Iterator[int]:
    for _, arguments in _calls(text, (name,)):
        said = _said(arguments)
        if said is not None:
            yield said


def _said(arguments: list[list[Token]]) -> int | None:
    """What a stackBytes(…) among the arguments says, if that is a number."""
    for argument in arguments:
        texts = [token.text for token in argument]
        if texts[:2] == ["stackBytes", "("] and len(texts) == 4:
            digits = texts[2].replace("'", "")
            return int(digits) if digits.isdigit() else None
    return None


def _stack_of(
    place: Attached, shared: int | None, toolchain: Toolchain, program: Path
) -> Stack | None:
    if toolchain.memory is not None:
        return _interrupted(toolchain, program)
    if place.call == _OWN and place.stack is not None:
        return Stack(
            place.stack, "its stackBytes() says so", "write stackBytes({size}) or more, or "
        )
    if place.call in _SHARED and shared is not None:
        whose = f"{SHARED_LOOP}() gives them to all handlers of attachInterrupt()"
        return Stack(shared, whose, "write stackBytes({size}) or more there, or ")
    if toolchain.stack == 0:
        return None
    own = place.call == _OWN
    whose = "this is the default of a loop"
    return Stack(toolchain.stack, whose, "write stackBytes({size}), or " if own else "")


def _interrupted(toolchain: Toolchain, program: Path) -> Stack | None:
    """The smallest of the stacks that a handler may come upon, where it has none of its own."""
    memory = toolchain.memory
    assert memory is not None
    loops = loops_of(program, memory)
    if not loops:
        return None
    number, size = min(loops.items(), key=lambda loop: loop[1])
    name = f"loop {number}" if number else "loop()"
    return Stack(
        size - _UNO_FRAME,
        f"it runs on the stack of the code that it interrupts: {name} has {size}, and the interrupt itself "
        f"takes {_UNO_FRAME}",
        "give every loop stackBytes({size}) or more, or " if number else "",
    )
