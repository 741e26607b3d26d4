"""SoftwareSerial in a sketch with loops, on a board whose processor generates each bit: it masks interrupts
for a byte, which no bound includes. The image shows whether the sketch uses it, the source text at which
rates."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hocket.boards import processor_of
from hocket.builder.symbols import defined
from hocket.sketch.folder import Sketch, read_source

_MASKING = "SoftwareSerial"
_PROCESSORS = ("avr8",)
_BITS = 10  # of a byte, with its start and its stop bit
_USUAL_RATE = 9600


def note_masked_bytes(report: dict[str, Any], sketch_elf: Path, sketch: Sketch) -> None:
    """Adds to the report what its bounds leave out, if a loop has a bound."""
    loops = [loop for loop in report["loops"] if loop["response_bound_us"] is not None]
    if not loops or processor_of(report["board"]) not in _PROCESSORS:
        return
    begins = f"_ZN{len(_MASKING)}{_MASKING}"
    if not any(name.startswith(begins) for name in defined([sketch_elf])):
        return
    files = (*sketch.tabs, *sketch.sources, *sketch.headers)
    rate = slowest_rate("\n".join(read_source(file) for file in files))
    byte = round(_BITS * 1e6 / rate, 3)
    report["masked_bytes"] = {
        "library": _MASKING,
        "bits_per_second": rate,
        "byte_us": byte,
        "no_room": [
            loop["id"] for loop in loops if loop["response_bound_us"] + byte > loop["deadline_us"]
        ],
    }


def slowest_rate(text: str) -> int:
    """Returns the slowest rate at which the sketch opens a line. A rate that is not a literal number counts
    as the usual one."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    declared = " ".join(re.findall(rf"\b{_MASKING}\s+([^;]*);", code))
    names = set(re.findall(r"(\w+)\s*[({]", declared))
    rates = [
        int(rate) if rate.isdigit() and int(rate) > 0 else _USUAL_RATE
        for name, rate in re.findall(r"\b(\w+)\s*\.\s*begin\s*\(\s*(\w*)", code)
        if name in names
    ]
    return min(rates, default=_USUAL_RATE)


def masked_bytes_lines(report: dict[str, Any]) -> list[str]:
    """Returns the masked bytes of a report in words."""
    masked = report.get("masked_bytes")
    if not masked:
        return []
    loops = ", ".join(map(str, masked["no_room"]))
    before = "its deadline: loop" if len(masked["no_room"]) == 1 else "their deadlines: loops"
    room = f". No room for one before {before} {loops}" if loops else ""
    return [
        f"{masked['library']}: interrupts are masked for {masked['byte_us'] / 1000:.3g} ms for each byte, at "
        f"{masked['bits_per_second']} bits per second. The bounds shown here do not include this "
        f"time: add it to each of them for each byte that is received or sent meanwhile{room}"
    ]
