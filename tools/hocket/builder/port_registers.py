"""Turns accesses to port registers into calls that reach the pins, on boards without such registers.

`*portOutputRegister(port) |= mask` is a load and a store of a volatile byte whose address is known only at
run time. So if a sketch or one of its libraries has such a register, each access to a volatile byte in their
sources becomes a call in LLVM's text before optimisation. The called functions access any other byte directly
(arduino/api/port_registers.cpp). Sketches without port registers are compiled as usual.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from subprocess import CompletedProcess

from hocket.boards import Board
from hocket.builder.llvm_text import Run, from_text

# Marks a source that is compiled in this way. A sketch may test for it.
FLAG = "-DHOCKET_PORT_REGISTERS"
_SYMBOL = b"hocket_port_registers"
_LOAD = re.compile(r"^(?P<to> *\S+ = )load volatile i8, ptr (?P<at>.+), align 1(?P<rest>.*)$", re.M)
# A value is a name, a number, or an expression in parentheses.
_VALUE = r"[^\s(),]+|[a-z_ ]+\((?:[^()]|\([^()]*\))*\)"
_STORE = re.compile(
    rf"^(?P<to> *)store volatile i8 (?P<value>{_VALUE}), ptr (?P<at>.+), align 1(?P<rest>.*)$", re.M
)
_PLACE = re.compile(r", !dbg !\d+")
_DECLARED = """
declare zeroext i8 @hocket_load_register(ptr)
declare void @hocket_store_register(ptr, i8 zeroext)
"""


def has_registers(objects: Iterable[Path], board: Board) -> bool:
    """Returns whether one of the objects uses a port register, on a board that has none."""
    return board.architecture != "avr" and any(_SYMBOL in path.read_bytes() for path in objects)


def through_calls(
    command: Sequence[str], source: Path, made: Path, run: Run
) -> CompletedProcess[str]:
    """Compiles a source, whose LLVM text has been written, with calls instead of such accesses. made: the
    object."""
    return from_text(command, source, made, run, with_calls)[0]


def with_calls(text: str) -> str:
    """Returns LLVM's text with the calls."""
    text = _LOAD.sub(
        lambda m: f"{m['to']}call zeroext i8 @hocket_load_register(ptr {m['at']}){_place(m)}", text
    )
    text = _STORE.sub(
        lambda m: (
            f"{m['to']}call void @hocket_store_register(ptr {m['at']}, i8 zeroext {m['value']}){_place(m)}"
        ),
        text,
    )
    return text + _DECLARED


def _place(access: re.Match[str]) -> str:
    found = _PLACE.search(access["rest"])
    return found[0] if found else ""
