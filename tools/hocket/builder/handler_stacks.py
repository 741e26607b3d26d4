"""Checks that the stack of an interrupt handler holds the handler's own variables.

The compiler reports the stack use of a function, inlined functions included (-fstack-usage). The call that
attaches a handler determines its stack. Handlers without a name and sizes that are not literal numbers are
not checked. A run detects every overflow at the instruction that causes it.
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
# Bytes that the call of a handler takes in addition, for the size that the message proposes.
_BESIDE = 512
# On the Uno: the return addresses and the saved registers, in bytes (arduino/cores/avr8/interrupts.cpp).
_UNO_FRAME = 19


@dataclass(frozen=True)
class Attached:
    """A call that attaches a handler. stack: the value of its stackBytes(), in bytes. None: the call has
    none."""

    call: str
    handler: str
    line: int
    stack: int | None


@dataclass(frozen=True)
class Stack:
    """The stack that a handler runs on, its owner, and how to enlarge it."""

    bytes: int
    whose: str
    more: str  # {size}: the size for the checked handler


def check_handler_stacks(
    sketch: Sketch, objects: Iterable[Path], toolchain: Toolchain, program: Path
) -> None:
    """Raises HocketError for the first handler whose own variables exceed its stack."""
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
    """Yields the calls of a source that attach a handler by its name."""
    lines = Lines(text)
    for word, arguments in _calls(text, (*_SHARED, _OWN, _DIRECT)):
        if len(arguments) < 3:
            continue
        name = arguments[1][1:] if arguments[1][0].is_mark("&") else arguments[1]
        if len(name) == 1 and name[0].kind is Kind.WORD:
            yield Attached(word.text, name[0].text, lines.line(word.start), _said(arguments))


def frames_of(objects: Iterable[Path]) -> dict[str, int]:
    """Returns the stack use, in bytes, of the sketch's functions that may be handlers, by name. If several
    functions have one name, the largest counts."""
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
    """Returns `seen` for `_Z4seenv`, `_ZL4seenPv` and the like. Empty: the symbol cannot be a handler."""
    match = re.fullmatch(r"_Z(?:L|N12_GLOBAL__N_1L?)?(\d+)(\w+)", symbol)
    if match is None:
        return symbol if re.fullmatch(r"(?!_Z)\w+", symbol) else ""  # a C function
    name, rest = match[2][: int(match[1])], match[2][int(match[1]) :]
    return name if rest.removeprefix("E") in ("v", "Pv") else ""


def _calls(text: str, names: tuple[str, ...]) -> Iterator[tuple[Token, list[list[Token]]]]:
    """Yields each of these words that is followed by an argument list, with the arguments."""
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
    """Returns the value of a stackBytes(…) among the arguments, if it is a literal number."""
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
    """Returns the smallest stack that a handler without its own stack may run on."""
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
