"""In gdb: reads memory, and names of places in the program."""

from __future__ import annotations

import re

import gdb


def word(address: int, size: int) -> int:
    """Returns the number at an address. Raises gdb.MemoryError if there is no memory."""
    read = gdb.selected_inferior().read_memory(address, size)
    return int.from_bytes(bytes(read), "little")


def symbol_at(address: int) -> tuple[str, int]:
    """Returns the symbol at or before the address, and the distance in bytes. The name is empty if there is
    none."""
    text = gdb.execute(f"info symbol {address:#x}", to_string=True)
    found = re.match(r"(.+?)(?: \+ (\d+))? in section", text)
    return (found[1], int(found[2] or 0)) if found else ("", 0)
