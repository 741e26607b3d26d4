"""How long a loop may wait for a bus, in addition to what the admission test counts.

A loop that waits for a transfer, or for another loop's transaction, has blocked voluntarily. Its response
bound is about the processor and excludes that time. A sketch's image shows which buses it uses: the
libraries' objects are linked or not (docs/reference/buses.md). The longest call of Wire follows from the
board's buffers, the clock, and the time limit that the sketch sets. The loops' bounds show which loops have
time for such a call before their deadlines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hocket.boards import processor_of
from hocket.builder.symbols import defined
from hocket.sketch.folder import Sketch

# Symbols that are linked with code that waits for the bus (on the Uno no code refers to the object SPI).
_NAMES = {"Wire": ("Wire",), "SPI": ("SPI", "hocket_spi_take")}
_SPI = (
    "SPI: a loop that begins a transaction waits until each loop before it has ended its own. "
    "The bounds shown here do not include this time: add it to the bound of each loop that uses the bus"
)
USUAL_HERTZ = 100_000
USUAL_LIMIT = 25_000  # microseconds


@dataclass(frozen=True)
class _Bus:
    """The Wire of a processor's core: bytes of a transfer each way, the time of a byte besides its clock
    cycles (us), and the longest hanging transfer, in multiples of the time limit."""

    bytes: int
    byte_us: int
    limits: int


_BUSES = {"avr8": _Bus(bytes=32, byte_us=15, limits=2)}
_OTHERS = _Bus(bytes=128, byte_us=0, limits=1)


def buses_of(sketch_elf: Path) -> list[str]:
    """Returns the buses that the code of the sketch or its libraries uses."""
    names = defined([sketch_elf])
    return [bus for bus, objects in _NAMES.items() if not names.isdisjoint(objects)]


def note_buses(report: dict[str, Any], sketch_elf: Path, sketch: Sketch) -> None:
    """Adds to the report what its bounds leave out, if several loops may use a bus."""
    if len(report["loops"]) < 2:
        return
    buses = buses_of(sketch_elf)
    if not buses:
        return
    files = (*sketch.tabs, *sketch.sources, *sketch.headers)
    text = "\n".join(file.read_text(encoding="utf-8", errors="replace") for file in files)
    report["bus_waits"] = [
        wire_wait(report["board"], report["loops"], text) if bus == "Wire" else {"bus": bus}
        for bus in buses
    ]


def wire_wait(board: str, loops: list[dict[str, Any]], text: str) -> dict[str, Any]:
    """Returns the longest call of Wire if every loop uses it: the loop's own transfer, and one of each other
    loop."""
    bus = _BUSES.get(processor_of(board), _OTHERS)
    clocks = _numbers(text, "setClock", USUAL_HERTZ)
    hertz = min((each for each in clocks if each), default=USUAL_HERTZ)
    limits = _numbers(text, "setWireTimeout", USUAL_LIMIT)
    limit = None if 0 in limits else max(limits, default=USUAL_LIMIT)
    moved = 2 * bus.bytes + 2  # includes two addresses; two starts and a stop come on top
    own = (9 * moved + 3) * 1e6 / hertz + moved * bus.byte_us
    call = round(len(loops) * own, 3)
    return {
        "bus": "Wire",
        "bytes": 2 * bus.bytes,
        "hertz": hertz,
        "call_us": call,
        "held_up_us": None if limit is None else round(call + len(loops) * bus.limits * limit, 3),
        "no_room": [loop["id"] for loop in loops if _has_no_room(loop, call)],
    }


def _has_no_room(loop: dict[str, Any], call: float) -> bool:
    bound, deadline = loop.get("response_bound_us"), loop.get("deadline_us")
    return bound is not None and deadline is not None and bound + call > deadline


def _numbers(text: str, call: str, usual: int) -> list[int]:
    """Returns the literal numbers in the calls of this function. A call without a literal number counts as
    `usual`."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    found = []
    for argument in re.findall(rf"\b{call}\s*\(\s*([^,()]*)", code):
        number = re.fullmatch(r"((?:0[xX])?[0-9a-fA-F']+?)[uUlL]*", argument.strip())
        try:
            found.append(int(number[1].replace("'", ""), 0) if number else usual)
        except ValueError:
            found.append(usual)
    return found


def bus_lines(report: dict[str, Any]) -> list[str]:
    """Returns the bus waits of a report in words."""
    return [
        _SPI if wait["bus"] == "SPI" else _wire_line(wait) for wait in report.get("bus_waits", [])
    ]


def _wire_line(wait: dict[str, Any]) -> str:
    held = (
        "for good where a device holds the bus up (setWireTimeout(0))"
        if wait["held_up_us"] is None
        else f"{_milliseconds(wait['held_up_us'])} where a device holds the bus up"
    )
    loops = ", ".join(map(str, wait["no_room"]))
    room = f". No room for it before their deadlines: loops {loops}" if loops else ""
    return (
        f"Wire: a call may wait {_milliseconds(wait['call_us'])} for its own transfer and one of each other "
        f"loop ({wait['bytes']} bytes at {wait['hertz'] // 1000} kHz; fewer take less), {held}. No bound "
        f"shown here has that time in it: add it for each call to the bound of the loop that makes it{room}"
    )


def _milliseconds(microseconds: float) -> str:
    return f"{microseconds / 1000:.3g} ms"
