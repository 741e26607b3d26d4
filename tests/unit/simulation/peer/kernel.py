"""The kernel's side of the world's protocol (simulation/peer/protocol.h), for tests.

The world starts this file instead of an emulator (`--client`), with `world=FOLDER`; HOCKET_PLAY names
the function of plays.py that plays the kernel.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from enum import IntEnum

VERSION = 8
NEVER = UNKNOWN = 2**64 - 1
REQUEST = struct.Struct("<IHHQQQQ")
REPLY = struct.Struct("<q7QII")
SETTINGS = struct.Struct("<QQIIIIIIIIII")


class Op(IntEnum):
    HELLO = 1
    LOOK = 2
    PIN_MODE = 10
    PIN_WRITE = 11
    PIN_READ = 12
    ANALOG_READ = 13
    PIN_WATCH = 18
    SERIAL_BEGIN = 20
    SERIAL_END = 21
    SERIAL_READ = 24
    SERIAL_WRITE = 26
    SERIAL_ROOM_AT = 28
    SERIAL_DATA_AT = 29
    I2C_TRANSFER = 30
    SPI_TRANSFER = 31
    EEPROM_READ = 32
    EEPROM_WRITE = 33
    LOG = 40
    FACTS = 50
    CORE_FACTS = 51
    LOOP_FACTS = 52
    FAULT_FACTS = 53
    INTERRUPT_FACTS = 56
    BESIDE_FACTS = 57
    BOUND_COSTS = 70
    BOUND_RANKS = 71
    BOUND_INTERRUPTS = 72
    REASON = 54
    NOTICE = 55
    GOODBYE = 60


class End(IntEnum):
    TIME = 0
    STOPPED = 1
    FAULT = 2
    REFUSED = 3
    CHECK = 4
    UNUSABLE = 5


@dataclass(frozen=True)
class Reply:
    value: int
    quiet_until: int
    look_at: int
    levels: int
    edges: int
    first_edge: int
    stop: bool
    payload: bytes


class Kernel:
    """Speaks to the world; `time` is the board's, in ns."""

    def __init__(self, folder: str) -> None:
        self.request = os.open(f"{folder}/request", os.O_WRONLY)
        self.reply = os.open(f"{folder}/reply", os.O_RDONLY)
        self.time = 0

    def say(self, op: int, a: int = 0, b: int = 0, c: int = 0, payload: bytes = b"") -> Reply:
        head = REQUEST.pack(len(payload), op, 0, self.time, a, b, c)
        os.write(self.request, head)
        if payload:  # in two pieces, as the kernel may
            os.write(self.request, payload)
        value, quiet, look, *bits, first, size, stop = REPLY.unpack(self._read(REPLY.size))
        levels, edges = (low | high << 64 for low, high in (bits[:2], bits[2:]))
        return Reply(value, quiet, look, levels, edges, first, bool(stop), self._read(size))

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = os.read(self.reply, size - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def hello(self, cores: int = 8) -> dict[str, int]:
        names = [
            *("duration", "seed", "cores", "check_only", "log", "pins", "analog_base"),
            *("analog_count", "serial_count", "i2c_count", "spi_count", "eeprom_size"),
        ]
        reply = self.say(Op.HELLO, VERSION, cores)
        return dict(zip(names, SETTINGS.unpack(reply.payload), strict=True))

    def write(self, text: bytes, port: int = 0) -> Reply:
        return self.say(Op.SERIAL_WRITE, port, payload=text)

    def goodbye(self, end: End) -> int:
        return self.say(Op.GOODBYE, end).value


def run_facts(duration: int, cores: int = 1, accepted: int = 1, **known: int) -> bytes:
    """RunFacts; what is not given is a number of its own, so that a mistaken order shows."""
    v = {
        "in_setup": 0,
        "restarts": 0,
        "thread_switches": 11,
        "preemptions": 12,
        "timer_interrupts": 13,
        "sleeps": 14,
        "wakes": 18,
        "ipis": 15,
        "interrupt_entry": 700,
        "context_switch": 1_500,
        "timer_interrupt": 1_600,
        "timer_lateness": 100,
        "longest_masked": 4_000,
        "longest_masked_seen": UNKNOWN,
        "longest_spin_seen": 17,
        "spin_blocking": 0,
        "activation": 4_400,
        "smallest_budget": 4_100,
        "pieces": 256,
        "refills": 8,
        "pin_interrupts": UNKNOWN,
        "sections": 0,
        "longest_section": 0,
        "longest_section_wait": 0,
        "given_up": 0,
        "remembered": 0,
        "section_bound": UNKNOWN,
        "section_declared": 0,
        "revoked": 0,
    } | known
    return struct.pack(
        "<QIIII16QII9Q",
        *(duration, accepted, cores, v["in_setup"], v["restarts"]),
        *(v["thread_switches"], v["preemptions"], v["timer_interrupts"]),
        *(v["sleeps"], v["wakes"], v["ipis"]),
        *(v["interrupt_entry"], v["context_switch"], v["timer_interrupt"]),
        *(v["timer_lateness"], v["longest_masked"], v["longest_masked_seen"]),
        *(v["longest_spin_seen"], v["spin_blocking"], v["activation"], v["smallest_budget"]),
        *(v["pieces"], v["refills"], v["pin_interrupts"], v["sections"]),
        *(v["longest_section"], v["longest_section_wait"], v["given_up"]),
        *(v["remembered"], v["section_bound"], v["section_declared"], v["revoked"]),
    )


def core_facts(utilization: int, bound: int) -> bytes:
    return struct.pack("<II", utilization, bound)


def interrupt_facts(pin: int, mode: int, loop: int, edges: int, delivered: int) -> bytes:
    """Attached, declared in line 7 of a.ino; what is not delivered is pending."""
    return struct.pack(
        "<iiII4QII8Q256s",
        *(pin, mode, loop, 7, 1_000_000, 10_000_000, 20_000_000, 19_000_000, 1, 0),
        *(edges, delivered, edges - delivered, 0, 0, 0, 0, 4_321, b"a.ino"),
    )


def loop_facts(number: int, core: int = 0, periodic: int = 0, bound: int = 33_000_000) -> bytes:
    return struct.pack(
        "<IIII15Q4I2Q",
        *(number, periodic, core, 0, 30_000_000, 100_000_000, 100_000_000),
        *(7, 123_456_789, 1_500, 29_000_000, UNKNOWN, 3, 9, 0, 31_000_500, bound),
        *(4, UNKNOWN, 21, 22, 23, 24, 4096, 512),
    )


def fault_facts(loop: int, kind: bytes, text: bytes, address: int, code: int) -> bytes:
    return struct.pack("<iiIIQQ24s120s", loop, -1, 0, 0, address, code, kind, text)


def bound_costs(ticks_per_second: int = 10**9) -> bytes:
    """stated::Costs, as run_facts() has them."""
    costs = (700, 1_500, 1_600, 100, 4_000)
    return struct.pack("<9Q8B", ticks_per_second, *costs, *[0] * 11)


def bound_rank(loop: int, core: int, budget: int, bound: int) -> bytes:
    """stated::Rank, of a loop with T = D = 100 ms."""
    contract = (budget, 100_000_000, 100_000_000, 0, bound)
    return struct.pack("<3IBBH5QII", loop, core, 0, 0, 0, 0, *contract, 255, loop)


def bound_interrupts(length: int, distance: int) -> bytes:
    return struct.pack("<QQII", length, distance, 2**32 - 1, 255)


def beside_facts(state: int, restarts: int, cores_on: int, *times: int) -> bytes:
    """What another system had of each core, in ns."""
    every = [*times, *[0] * (8 - len(times))]
    return struct.pack("<4I8Q", state, restarts, cores_on, 0, *every)


def log_record(time: int, core: int, kind: int, thread: int, arg: int = 0, value: int = 0) -> bytes:
    return struct.pack("<QBBHIQ", time, core, kind, thread, arg, value)
