"""The input of a page. A saved report is enough. A run also has its log, waves and Serial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hocket.errors import HocketError
from hocket.report import Report
from hocket.trace.eventlog import HEADER, RECORD, EventLog, parse_log

# The most events and bytes that are read. A page says what it leaves out. An event has 24 bytes.
MOST_EVENTS = 1_500_000
MOST_WAVE_BYTES = 24 * 1024 * 1024


@dataclass(frozen=True)
class Serial:
    """What port 0 sent, and when each of its first lines had been sent (ns)."""

    sent: bytes
    line_ends: Sequence[int] = ()


@dataclass(frozen=True)
class Material:
    """The input of a page.

    report: of the run. command: the words that repeat it. log, waves, serial: None if they were not kept, as
    for a saved report. log_left_out: the number of events that were not read. waves_cut: the wave file was
    too long. pinned: loops with onCore(). None: unknown. pictures: files that parts wrote, by the part's
    name.
    """

    report: Report
    command: Sequence[str] = ()
    log: EventLog | None = None
    log_left_out: int = 0
    waves: str | None = None
    waves_cut: bool = False
    serial: Serial | None = None
    pinned: frozenset[int] | None = None
    pictures: dict[str, bytes] = field(default_factory=dict)


def read_log_bounded(file: Path, most: int = MOST_EVENTS) -> tuple[EventLog | None, int]:
    """Returns the first events of a log, and the number of further ones. None: there is no log."""
    if not file.is_file() or not file.stat().st_size:  # opened, but nothing ran
        return None, 0
    count = max(0, (file.stat().st_size - HEADER.size) // RECORD.size)
    with file.open("rb") as source:
        data = source.read(HEADER.size + min(count, most) * RECORD.size)
    try:
        return parse_log(data), max(0, count - most)
    except ValueError as problem:
        raise HocketError(
            "the run's event log cannot be used", str(problem), "run the sketch again"
        ) from problem


def read_waves_bounded(file: Path, most: int = MOST_WAVE_BYTES) -> tuple[str | None, bool]:
    """Returns the wave file up to a complete line, and whether something was left out."""
    if not file.is_file():
        return None, False
    with file.open("rb") as source:
        data = source.read(most + 1)
    cut = len(data) > most
    if cut:
        data = data[: data.rfind(b"\n") + 1]
    return data.decode("utf-8", "replace"), cut
