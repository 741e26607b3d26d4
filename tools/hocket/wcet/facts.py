"""Facts about functions of Hocket's core, libgcc and avr-libc that their code alone does not tell.

- A wait is no work. It counts as one wake-up, whose cost admission declares.
- Writing to Serial costs by the number of bytes. The loop that writes also pays for the interrupts that send
  them (docs/decisions/interrupts-on-a-budget.md), and may have to wait for room. That another loop writes at
  the same time, for which it would wait as well, is left out.
- The kernel's own work at the end of a section belongs to the loop that it wakes, and admission counts it.
- A loop of a library function has a most number of rounds, by its name or by a register's value.

tests/wcet searches for the worst input of each cost here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log

from hocket.wcet.avr8.state import State
from hocket.wcet.longest import Fact

CYCLES_OF_A_TICK = 8  # kTickHz of arduino/cores/avr8/kernel_costs.h
TICKS_OF_A_CHARACTER = 17  # kCharacterTicks, there

# Functions in which a loop waits, by their symbols.
WAITS = re.compile(
    r"_ZN6hocket3uno10wait_untilEm|_ZN6hocket3uno5pauseEv|_ZN6hocket3uno4waitE\w+"
    r"|_ZN6hocket3uno17park_until_ticksEy|_ZN6hocket3sys13park_until_nsEy"
)
# The kernel's work for other loops, which is not the caller's.
KERNEL = re.compile(r"hocket_work|hocket_switch|hocket_pending|hocket_iteration")
# Functions that print a number: its bits.
_DIGITS = (
    (re.compile(r"_ZN5Print11printDigitsImE\w+"), 32),
    (re.compile(r"_ZN5Print11printDigitsIyE\w+"), 64),
)
_OWN_PRINT = re.compile(r"_Z(?:Th\w+_)?NK?(?:5Print|14HardwareSerial|14SoftwareSerial|6hocket)")
_FLOAT_TEXT = re.compile(r"_ZN5Print10printFloatE\w+")
_LONGEST_FLOAT = 46
_PAUSE_MS = 0.5  # pause() of arduino/cores/avr8/kernel.cpp
_BITS_OF_A_CHARACTER = 10


@dataclass(frozen=True)
class Serial:
    """rate: bits a second, the slowest that the program sets."""

    rate: int = 300

    def waits(self, size: int) -> int:
        """Returns how often a loop pauses at most until the bytes have found room."""
        in_a_pause = self.rate / _BITS_OF_A_CHARACTER * _PAUSE_MS / 1000
        return ceil(size / in_a_pause)


def pay(state: State) -> Fact | None:
    """hocket_pay(ticks): charges the caller's budget."""
    ticks = state.pair(24)
    return None if ticks is None else Fact(_PAY, paid=ticks * CYCLES_OF_A_TICK)


# Cycles of hocket_pay() itself; of a write to Serial, for each time that it finds room, and for each byte.
_PAY = 900
_WRITE, _WRITE_PIECE, _WRITE_BYTE = 260, 1800, 62


def longest_text(name: str, state: State) -> int | None:
    """Returns the most bytes of the texts that a function of Print writes: digits, a sign, the end of a
    line."""
    for pattern, bits in _DIGITS:
        if pattern.fullmatch(name):
            base = state.pair(16)
            return _digits_in(bits, base) + 3
    return _LONGEST_FLOAT if _FLOAT_TEXT.fullmatch(name) else None


def passes_text(name: str) -> bool:
    """Returns whether a function writes nothing but the text that it is given. A Print of the sketch may
    write more."""
    return bool(_OWN_PRINT.match(name))


def _digits_in(bits: int, base: int | None) -> int:
    return bits if base is None or base < 2 else ceil(bits * log(2, base))


def write(serial: Serial, state: State, text: int | None) -> Fact | None:
    """serial_write(port, data, size). text: the most bytes, by a caller."""
    size = state.pair(20)
    size = text if size is None else size
    if size is None:
        return None
    pauses = serial.waits(size)
    # Each pause lets some bytes go, for which there is room then.
    cycles = _WRITE + size * _WRITE_BYTE + (pauses + 1) * _WRITE_PIECE
    return Fact(cycles, pauses, size * TICKS_OF_A_CHARACTER * CYCLES_OF_A_TICK)


# analogRead(): a conversion that another loop has begun, and its own. Each may be the first one, of 25 clocks
# of 128 cycles, and waits for such a clock (data sheet, 24.4).
_CONVERSION, _ANALOG_READ = 26 * 128, 260
_CYCLES_OF_A_MICROSECOND = 16
_PULSE_IN = 1500  # beyond its timeout: reading the pin and the clock once more, and a division
_SERIAL_BUFFER = 64


def analog_read() -> Fact:
    return Fact(2 * _CONVERSION + _ANALOG_READ)


def pulse_in(state: State) -> Fact | None:
    """pulseIn(pin, state, timeout): it may wait as long as its timeout, and works all the time."""
    bytes_ = state.registers[18:22]
    if any(byte is None for byte in bytes_):
        return None
    timeout = sum((byte or 0) << 8 * n for n, byte in enumerate(bytes_))
    return Fact(timeout * _CYCLES_OF_A_MICROSECOND + _PULSE_IN)


def flush(serial: Serial) -> Fact:
    """Waits until all characters have left."""
    pauses = serial.waits(_SERIAL_BUFFER + 2)
    return Fact((pauses + 1) * _WRITE_PIECE, pauses)


def fact_of(name: str, state: State, serial: Serial, text: int | None) -> Fact | None:
    """Returns the fact of a function for which has_fact() holds. None: it depends on what is not known."""
    if name == "hocket_pay":
        return pay(state)
    if name == _WRITES:
        return write(serial, state, text)
    if name == _FLUSHES:
        return flush(serial)
    if name == "analogRead":
        return analog_read()
    if name == _REDUCES:
        return Fact(_BY_HALF_PI)
    if name == "pulseIn":
        return pulse_in(state)
    return Fact(0, 1) if WAITS.fullmatch(name) else Fact(0)


def has_fact(name: str) -> bool:
    return name in _NAMED or bool(WAITS.fullmatch(name) or KERNEL.fullmatch(name))


_WRITES, _FLUSHES = "_ZN6hocket3sys12serial_writeEjPKhj", "_ZN6hocket3sys12serial_flushEj"
_REDUCES = "__fp_rempio2"
_NAMED = {"hocket_pay", _WRITES, _FLUSHES, "analogRead", "pulseIn", _REDUCES}


def _digit_rounds(bits: int) -> Callable[[State], int]:
    """Returns the back edges of a loop that divides a number by the base in r18 until nothing is left."""
    return lambda state: _digits_in(bits, state.registers[18]) - 1


# The most back edges of loops that the code does not bound: by the function's symbol.
ROUNDS: dict[str, int | Callable[[State], int]] = {
    "hocket_digits": _digit_rounds(32),
    # The clock is read again if an interrupt came in between: once, for interrupts are further apart.
    "_ZN6hocket4avr85ClockILj8EE3nowEv": 1,
    # A load of a shared value is repeated once.
    "millis": 1,
    "micros": 1,
}
# Floating point in libgcc and avr-libc: each loop shifts a number of 32 bits, or rounds over its bytes.
_FLOATING = re.compile(
    r"__(?:add|sub|mul|div)sf3\w*|__(?:fix|fixuns)sfsi|__float(?:un)?sisf|__(?:cmp|eq|ne|lt|le|gt|ge|unord)sf2"
    r"|__fp_\w+|sqrt|floor|ceil|round|trunc|lround|fmod|modf|frexp|ldexp"
)
_BITS = 32
# The loops of a product shift a mantissa of 24 bits, by 24 at most where one factor is denormal.
_PRODUCT = re.compile(r"__mulsf3\w*")
# Those of a sum (avr-libc 2.0, addsf3x.S) are told apart by their blocks. They shift the smaller number by
# up to 31 bits: whole bytes first (four blocks), then up to 7 bits (one). The difference of two numbers is
# shifted by up to 24 bits (two blocks).
_SUM, _OF_A_SUM = "__addsf3x", {1: 6, 2: 24, 4: 4}
# The remainder of a division (fmod.S) shifts once for each step between the two exponents: from 2^127 to the
# smallest denormal number, 2^-149. Its loops that normalise have fewer blocks.
_REMAINDER, _OF_A_REMAINDER, _STEPS = "fmod", 4, 277
# That of a division by half of pi (fp_rempio2.S): 128 rounds of 19 cycles, whose two ways to the next round
# would be counted as two loops, and 24 of 8 that normalise, between taking the number apart and together.
_BY_HALF_PI = 128 * 19 + 24 * 8 + 150


def rounds_of(name: str, state: State, local: bool, blocks: int) -> int | None:
    """Returns the most back edges of a loop of a library function. local: it is in a subroutine without a
    name of its own. The division's makes as many bits of the quotient as r30 has room for in front of its
    highest one. blocks: how many it has."""
    if name == _SUM:
        return _OF_A_SUM.get(blocks, _BITS)
    if _PRODUCT.fullmatch(name):
        return 24
    if name == _REMAINDER and blocks >= _OF_A_REMAINDER:
        return _STEPS
    if _FLOATING.fullmatch(name):
        mark = state.registers[30]
        return 8 - mark.bit_length() if local and mark else _BITS
    known = ROUNDS.get(name)
    return known(state) if callable(known) else known
