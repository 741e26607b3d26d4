"""That loops wait for a bus which others use, beside what the admission test counts.

A loop that waits for a transfer or for a transaction of another has stopped by itself: its response bound is
about the processor and does not hold that time. Which buses a sketch uses is seen from its image: the
libraries' objects are there or not (docs/reference/buses.md).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hocket.builder.symbols import defined

# What waits for what, by the object's name.
_WAITS = {
    "Wire": "Wire: a loop waits for its transfer, and for at most one of each other loop at the bus",
    "SPI": "SPI: a loop that begins a transaction waits until each loop before it has ended its own",
}
# What is linked with code that waits for it (on the Uno SPI is no object that anything needs).
_NAMES = {"Wire": ("Wire",), "SPI": ("SPI", "hocket_spi_take")}
_BEHIND = (
    "No bound shown here has that time in it: add it to the bound of each loop that uses the bus"
)


def buses_of(sketch_elf: Path) -> list[str]:
    """The buses that code of the sketch or of its libraries uses."""
    names = defined([sketch_elf])
    return [bus for bus, objects in _NAMES.items() if not names.isdisjoint(objects)]


def note_buses(report: dict[str, Any], sketch_elf: Path) -> None:
    """Puts into the report what its bounds leave out, where several loops may use a bus."""
    if len(report["loops"]) < 2:
        return
    buses = buses_of(sketch_elf)
    if buses:
        report["bus_waits"] = buses


def bus_lines(report: dict[str, Any]) -> list[str]:
    """The same in words."""
    return [f"{_WAITS[bus]}. {_BEHIND}" for bus in report.get("bus_waits", []) if bus in _WAITS]
