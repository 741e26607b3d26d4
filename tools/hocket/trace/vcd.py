"""Writes the event log as a VCD file (GTKWave, sigrok-cli): the running loop, and the state of each loop.

Each core has the number of its running thread (z: idle), a wire that pulses at each interrupt of the kernel,
and, if the board reports it, the number of the running interrupt handler. Each thread has four wires:
running, ready, throttled, and asleep (sleeping or waiting).
"""

from __future__ import annotations

import re

from hocket.trace.eventlog import NOT_GUARANTEED, EventKind, EventLog, in_order
from hocket.trace.states import (
    READY,
    RUNNING,
    SLEEPING,
    THROTTLED,
    WAITING,
    handlers,
    timeline,
)

REFUSED_COMMENT = f"$comment {NOT_GUARANTEED} $end"
_STATES: dict[str, tuple[str, ...]] = {
    "running": (RUNNING,),
    "ready": (READY,),
    "throttled": (THROTTLED,),
    "asleep": (SLEEPING, WAITING),
}


def to_vcd(log: EventLog) -> bytes:
    """Returns the log as VCD text, in nanoseconds. The same log gives the same bytes."""
    line = timeline(log)
    interrupts = handlers(log)
    pulses: dict[int, list[int]] = {core: [] for core in line.cores}  # the interrupts' times
    for event in in_order(log):
        if event.kind in _INTERRUPTS:
            pulses[event.core].append(event.time_ns)
    header = [] if log.guaranteed else [REFUSED_COMMENT]
    header += ["$version Hocket $end", "$timescale 1 ns $end", "$scope module board $end"]
    start: list[str] = []
    changes: list[tuple[int, int, str]] = []  # time, order (off before on), change
    count = 0

    def wire(name: str, width: int) -> str:
        nonlocal count
        code = _code(count)
        count += 1
        header.append(f"$var wire {width} {code} {name} $end")
        start.append(f"0{code}" if width == 1 else f"bz {code}")
        return code

    for core, spans in line.cores.items():
        code = wire(f"core{core}_thread", 16)
        for span in spans:
            changes.append((span.start, 1, f"b{span.thread:b} {code}"))
            changes.append((span.end, 0, f"bz {code}"))
        changes += _pulses(pulses[core], wire(f"core{core}_interrupt", 1))
        if core in interrupts:
            code = wire(f"core{core}_handler", 8)
            for span in interrupts[core]:
                changes.append((span.start, 1, f"b{span.thread:b} {code}"))
                changes.append((span.end, 0, f"bz {code}"))
    for thread, spans in line.threads.items():
        for name, states in _STATES.items():
            code = wire(f"{re.sub(r'[^A-Za-z0-9]+', '_', line.names[thread])}_{name}", 1)
            for span in spans:
                if span.what in states:
                    changes.append((span.start, 1, f"1{code}"))
                    changes.append((span.end, 0, f"0{code}"))
    header += ["$upscope $end", "$enddefinitions $end"]
    return "\n".join([*header, "$dumpvars", *start, "$end", *_timed(changes, line.end)]).encode()


_INTERRUPTS = (EventKind.TIMER, EventKind.IPI, EventKind.PIN_INTERRUPT)


def _pulses(times: list[int], code: str) -> list[tuple[int, int, str]]:
    """Returns a pulse of one nanosecond at each time."""
    pulses = []
    for now in times:
        pulses.append((now, 1, f"1{code}"))
        pulses.append((now + 1, 0, f"0{code}"))
    return pulses


def _timed(changes: list[tuple[int, int, str]], end: int) -> list[str]:
    lines: list[str] = []
    now: int | None = None
    for time, _, change in sorted(changes, key=lambda c: (c[0], c[1])):
        if time != now:
            lines.append(f"#{time}")
            now = time
        lines.append(change)
    if now is None or now < end:
        lines.append(f"#{end}")
    return [*lines, ""]


def _code(number: int) -> str:
    """Returns a VCD identifier: printable characters, from ! on."""
    code = ""
    while True:
        number, digit = divmod(number, 94)
        code += chr(33 + digit)
        if number == 0:
            return code
        number -= 1
