"""In gdb: reading memory, and the names of places in the program."""

from __future__ import annotations

import re

import gdb


def word(address: int, size: int) -> int:
    """A number as it lies there; gdb.MemoryError where there is nothing."""
    read = gdb.selected_inferior().read_memory(address, size)
    return int.from_bytes(bytes(read), "little")


def symbol_at(address: int) -> tuple[str, int]:
    """The name that begins at or before the address, and how far before; an empty one: there is none."""
    text = gdb.execute(f"info symbol {address:#x}", to_string=True)
    found = re.match(r"(.+?)(?: \+ (\d+))? in section", text)
    return (found[1], int(found[2] or 0)) if found else ("", 0)
