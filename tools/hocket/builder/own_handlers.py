"""Can an interrupt's handler of the sketch's own, or of a library, wake a loop?

Such a handler (ISR()) interrupts any loop, and the kernel then works for the loop that is woken. An image in
which that can happen contains the code by which that loop pays, and admission counts it
(docs/decisions/who-pays.md). Each way through a handler's code is followed (stack_depth.py). A call through a
pointer whose functions are not known may be a call of v().
"""

from __future__ import annotations

import re
from pathlib import Path

from hocket.avr_chips import Chip
from hocket.builder.pointed import Pointed
from hocket.builder.stack_depth import POINTER, Depths, On, Program

# What wakes a loop, from handlers too (arduino/runtime/system.h).
_WAKES = r"_ZN6hocket3sys(14semaphore_giveE|6unparkE)\w+"
# By which an image has the code that lets the woken loop pay (arduino/cores/avr8/woken_behind.h).
_PAYS = "hocket_pay_for_wake_up"


def own_handlers_wake(program: Path, listed: str, symbols: str, chip: Chip) -> bool:
    """Of a linked program. listed: the symbols of the sketch's objects and its libraries', by `symbols` (nm).
    False as well where the image has the code already."""
    own = {int(number) for number in re.findall(r" [TW] __vector_(\d+)$", listed, re.M)}
    if not own:
        return False
    linked = Program(program, symbols, chip)
    wakes = set(linked.named(_WAKES))
    if not wakes or linked.address(_PAYS) is not None:
        return False
    depths = Depths(linked, On.INTERRUPT, Pointed(linked).by())
    found = [depths.depth(to) for number, to in linked.vectors() if number in own]
    return bool(wakes & depths.reached) or any(POINTER in depth.unknown for depth in found)
