"""Reads the kernel's event log (docs/reference/event-log.md).

Header, 16 bytes: `HKLOG1\\0\\0`, number of cores, flags. Then records of 24 bytes, little-endian:
    u64 time_ns · u8 core · u8 kind · u16 thread (0xffff: none) · u32 arg · u64 value
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from hocket.errors import HocketError, system_error

# The notice in every output for loops that were refused and ran with `run --anyway`.
NOT_GUARANTEED = (
    "NOT GUARANTEED: admission control refuses these loops; they ran all the same (--anyway)"
)
MAGIC = b"HKLOG1\0\0"
HEADER = struct.Struct("<8sII")
REFUSED = 1  # flag: the loops were refused but ran; nothing is guaranteed
RECORD = struct.Struct("<QBBHIQ")
NO_THREAD = 0xFFFF
MOST_CORES = 256  # the record's core field


class EventKind(IntEnum):
    DISPATCH = 1
    WAKE = 2
    BLOCK = 3
    SLEEP = 4
    EXHAUSTED = 5
    REPLENISH = 6
    TIMER = 7
    IPI = 8
    FAULT = 9
    RELEASE = 10
    ITERATION = 11
    NAMED = 12
    HANDLER_BEGINS = 13
    HANDLER_ENDS = 14
    HANDLER_NAMED = 15
    PIN_INTERRUPT = 16
    EDGES_TAKEN = 17
    EDGE_DELIVERED = 18
    PIN_WATCHED = 19


KIND_NAMES = {
    EventKind.DISPATCH: "dispatch",
    EventKind.WAKE: "wake",
    EventKind.BLOCK: "block",
    EventKind.SLEEP: "sleep",
    EventKind.EXHAUSTED: "budget exhausted",
    EventKind.REPLENISH: "replenish",
    EventKind.TIMER: "timer interrupt",
    EventKind.IPI: "inter-processor interrupt",
    EventKind.FAULT: "fault",
    EventKind.RELEASE: "release",
    EventKind.ITERATION: "iteration done",
    EventKind.NAMED: "thread named",
    EventKind.HANDLER_BEGINS: "handler begins",
    EventKind.HANDLER_ENDS: "handler ends",
    EventKind.HANDLER_NAMED: "interrupt named",
    EventKind.PIN_INTERRUPT: "pin interrupt",
    EventKind.EDGES_TAKEN: "edges taken",
    EventKind.EDGE_DELIVERED: "edge delivered",
    EventKind.PIN_WATCHED: "pin watched",
}
THREAD_KINDS = {0: "loop", 1: "periodic", 2: "setup", 3: "kernel", 4: "isr", 5: "io"}


@dataclass(frozen=True, slots=True)
class Event:
    """One record. kind is a plain number, so that kinds unknown to this version are kept."""

    time_ns: int
    core: int
    kind: int
    thread: int
    arg: int
    value: int


@dataclass(frozen=True)
class EventLog:
    cores: int
    events: list[Event]
    guaranteed: bool = True

    def thread_names(self) -> dict[int, str]:
        """Returns the name of each thread of the log: from its `thread named` record, else its number."""
        names: dict[int, str] = {}
        for event in self.events:
            if event.thread == NO_THREAD:
                continue
            if event.kind == EventKind.NAMED:
                names[event.thread] = _name(event)
            else:
                names.setdefault(event.thread, f"thread {event.thread}")
        return names

    def interrupt_names(self) -> dict[int, str]:
        """Returns the name of each interrupt whose handler ran: from the log, else its number."""
        names: dict[int, str] = {}
        for event in self.events:
            if event.kind == EventKind.HANDLER_NAMED:
                text = event.value.to_bytes(8, "little").rstrip(b"\0")
                names[event.arg] = text.decode("ascii", errors="replace")
        ran = {e.arg for e in self.events if e.kind == EventKind.HANDLER_BEGINS}
        return {number: names.get(number, f"interrupt {number}") for number in sorted(ran)}


def _name(event: Event) -> str:
    kind = THREAD_KINDS.get(event.value, "thread")
    if kind in ("loop", "periodic", "isr", "io"):
        return f"{kind} {event.arg}"
    return kind if kind == "setup" else f"{kind} {event.thread}"


def read_log(file: Path) -> EventLog:
    """Reads a log. Raises HocketError if it is not a log, truncated, or inconsistent."""
    try:
        data = file.read_bytes()
    except OSError as problem:
        raise system_error("the event log cannot be read", problem, file) from problem
    try:
        return parse_log(data)
    except ValueError as problem:
        raise HocketError(
            "this is not a usable event log",
            str(problem),
            "make one with: hocket run SKETCH --trace FILE.hklog",
            file,
        ) from problem


def parse_log(data: bytes) -> EventLog:
    """Returns the events in a log's bytes. Raises ValueError with the reason if they are not a log."""
    if len(data) < HEADER.size:
        raise ValueError(f"it has {len(data)} bytes; the header alone has {HEADER.size}")
    magic, cores, flags = HEADER.unpack_from(data)
    if magic != MAGIC:
        raise ValueError("it does not start with HKLOG1")
    if not 1 <= cores <= MOST_CORES:
        raise ValueError(f"its header says {cores} cores")
    rest = len(data) - HEADER.size
    if rest % RECORD.size:
        raise ValueError(f"its last record is cut off after {rest % RECORD.size} bytes")
    events = []
    for number, fields in enumerate(RECORD.iter_unpack(data[HEADER.size :]), 1):
        event = Event(*fields)
        if event.core >= cores:
            raise ValueError(f"record {number} names core {event.core} of {cores}")
        events.append(event)
    return EventLog(cores, events, not flags & REFUSED)


def mark_refused(file: Path) -> None:
    """Marks a log as that of loops that were refused and ran with --anyway."""
    with file.open("r+b") as log:
        log.seek(HEADER.size - 4)
        log.write(struct.pack("<I", REFUSED))


def in_order(log: EventLog) -> list[Event]:
    """Returns the events by time. Records of one instant keep their order in the log."""
    return sorted(log.events, key=lambda event: event.time_ns)


def pack_log(log: EventLog) -> bytes:
    """Returns the bytes of a log. (The kernel's writer is in C++. This one serves tests and tools.)"""
    body = b"".join(
        RECORD.pack(e.time_ns, e.core, e.kind, e.thread, e.arg, e.value) for e in log.events
    )
    return HEADER.pack(MAGIC, log.cores, 0 if log.guaranteed else REFUSED) + body


def listing(log: EventLog) -> list[str]:
    """Returns one readable line for each event."""
    names = log.thread_names()
    interrupts = log.interrupt_names()
    lines = [] if log.guaranteed else [NOT_GUARANTEED]
    for event in in_order(log):
        if event.kind == EventKind.HANDLER_NAMED:  # shown with the handlers' own events
            continue
        kind = KIND_NAMES.get(EventKind(event.kind)) if event.kind in KIND_NAMES else None
        who = names.get(event.thread, "idle" if event.kind == EventKind.DISPATCH else "")
        text = f"{event.time_ns / 1000:>16.3f} us  core {event.core}  "
        text += f"{kind or f'kind {event.kind}':<26}{who:<14}{_detail(event, interrupts)}"
        lines.append(text.rstrip())
    return lines


_MODES = ("detached", "LOW", "HIGH", "CHANGE", "FALLING", "RISING")


def _detail(event: Event, interrupts: dict[int, str]) -> str:
    if event.kind in (EventKind.HANDLER_BEGINS, EventKind.HANDLER_ENDS):
        return interrupts.get(event.arg, f"interrupt {event.arg}")
    if event.kind == EventKind.SLEEP:
        return f"until {event.value / 1000:.3f} us"
    if event.kind == EventKind.REPLENISH:
        return f"at {event.value / 1000:.3f} us"
    if event.kind == EventKind.EDGES_TAKEN:
        return f"pin {event.arg}: {event.value}"
    if event.kind == EventKind.EDGE_DELIVERED:
        return f"pin {event.arg}"
    if event.kind == EventKind.PIN_WATCHED:
        known = event.value < len(_MODES)
        return f"pin {event.arg}: {_MODES[event.value] if known else f'mode {event.value}'}"
    if event.kind == EventKind.FAULT:
        return f"fault {event.arg}"
    if event.kind in (EventKind.NAMED, EventKind.DISPATCH):
        return ""
    return f"arg {event.arg} value {event.value}" if event.arg or event.value else ""
