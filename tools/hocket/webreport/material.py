"""What a page is made from. A saved report alone is enough; a run has its log, waves and Serial besides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hocket.errors import HocketError
from hocket.report import Report
from hocket.trace.eventlog import HEADER, RECORD, EventLog, parse_log

# So much is read; a page says what it leaves out. An event has 24 bytes.
MOST_EVENTS = 1_500_000
MOST_WAVE_BYTES = 24 * 1024 * 1024


@dataclass(frozen=True)
class Serial:
    """What port 0 sent, and when each of its first lines had ended (ns)."""

    sent: bytes
    line_ends: Sequence[int] = ()


@dataclass(frozen=True)
class Material:
    """report: of the run. command: the words that repeat it. log, waves, serial: None where nothing was
    kept, as of a saved report. log_left_out: events that were not read; waves_cut: the wave file was too
    long. pinned: loops with onCore(); None: not known. pictures: of parts, by name: files that they wrote."""

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
    """The first events of a log, and how many more there are; None: there is no log."""
    if not file.is_file() or not file.stat().st_size:  # opened, and nothing has run
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
    """The wave file up to a whole line, and whether that is not all."""
    if not file.is_file():
        return None, False
    with file.open("rb") as source:
        data = source.read(most + 1)
    cut = len(data) > most
    if cut:
        data = data[: data.rfind(b"\n") + 1]
    return data.decode("utf-8", "replace"), cut
