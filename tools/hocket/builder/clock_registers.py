"""Finds sketches and libraries that set the timer of the clock (boards with an AVR).

The check reads the instructions of the linked program, in the functions that are not Hocket's. It looks for
stores to the timer's registers by address (STS and OUT; ATmega328P data sheet, chapters 15 and 16). In a
sketch with loops one timer is the clock (timer 1 of an Uno), and setting it is refused, because no loop would
get its time. In a
plain sketch the clock is timer 0, as on the stock core. Setting its speed or counter breaks millis() and
delay(), which is a warning. Stores through a pointer are detected at run time (simulation/avr/watcher.h).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hocket.avr_chips import CHIPS, MOST_FLASH, Chip
from hocket.boards import Board
from hocket.builder.board import Toolchain
from hocket.builder.compile import run
from hocket.builder.origins import origin_of
from hocket.errors import HocketError
from hocket.faults import first_line
from hocket.intel_hex import flash_contents

_PLAIN = {0x45: "TCCR0B", 0x46: "TCNT0"}
_STS, _STS_MASK = 0x9200, 0xFE0F
_OUT, _OUT_MASK = 0xB800, 0xF800
_FIRST_IO = 0x20  # the memory address of the first register that OUT reaches


@dataclass(frozen=True)
class _Store:
    code: int
    register: str
    whose: str


def check_clock_registers(
    board: Board, objects: Iterable[Path], toolchain: Toolchain, program: Path
) -> str:
    """Returns a warning, in the compilers' format, for a plain sketch that changes its clock, or an empty
    string. Raises HocketError for a sketch with loops that does so."""
    if toolchain.memory is None or board.chip not in CHIPS:
        return ""
    chip = CHIPS[board.chip]
    listed = run([toolchain.memory.symbols, "-S", str(program)]).stdout
    has_loops = re.search(r" [tT] hocket_run_loops$", listed, re.MULTILINE) is not None
    if not has_loops and re.search(r" [bB] timer0_overflow_count$", listed, re.MULTILINE) is None:
        return ""
    looked_for = chip.clock_registers if has_loops else _PLAIN
    owners = _owners(objects, toolchain.memory.symbols)
    store = _first_store(program, listed, owners, looked_for)
    if store is None:
        return ""
    file, line = first_line(program, store.code) or (None, None)
    if has_loops:
        raise HocketError(
            f"{store.whose} writes {store.register}, a register of timer {chip.clock_timer}",
            f"timer {chip.clock_timer} is the clock of the loops: none of them would get its time",
            f"use {_free_timers(board, chip)}, or a periodic() loop and micros()",
            file,
            line,
        )
    place = f"{file}:{line}: " if file is not None else ""
    return (
        f"{place}warning: {store.whose} writes {store.register}, a register of timer 0, which counts for "
        f"millis(), micros() and delay(): they will be wrong. Timer {chip.clock_timer} is free without "
        "Servo, and timer 2 without tone()"
    )


def _free_timers(board: Board, chip: Chip) -> str:
    pins = " and ".join(map(str, sorted(board.tone_pwm_pins)))
    further = "timer 1, 3 or 4, or " if chip.clock_timer == 5 else ""
    return f"{further}timer 2 (it makes PWM on pins {pins}, and tone())"


def _owners(objects: Iterable[Path], symbols: str) -> dict[str, str]:
    """Returns the functions that the sketch and its libraries define, each with its origin."""
    owners = {}
    for file in objects:
        for line in run([symbols, str(file)]).stdout.splitlines():
            match = re.search(r" [tTwW] (\S+)$", line)
            if match:
                owners[match[1]] = origin_of(str(file))
    return owners


def _first_store(
    program: Path, listed: str, owners: dict[str, str], registers: dict[int, str]
) -> _Store | None:
    flash = bytearray(MOST_FLASH + 4)
    for address, content in flash_contents(program):
        flash[address : address + len(content)] = content
    for line in listed.splitlines():
        match = re.match(r"000(\w{5}) (\w{8}) [tTwW] (\S+)$", line)
        if match is None or match[3] not in owners:
            continue
        at, end = int(match[1], 16), int(match[1], 16) + int(match[2], 16)
        while at < end:
            word = flash[at] | flash[at + 1] << 8
            target = flash[at + 2] | flash[at + 3] << 8
            if word & _OUT_MASK == _OUT:
                target = _FIRST_IO + (word & 0x0F | word >> 5 & 0x30)
            elif word & _STS_MASK != _STS:
                target = 0
            if target in registers:
                return _Store(at, registers[target], owners[match[3]])
            long = word & 0xFE0C == 0x940C or word & 0xFC0F == 0x9000
            at += 4 if long else 2
    return None
