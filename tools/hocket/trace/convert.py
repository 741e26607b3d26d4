"""Writes an event log in the format of the output file's suffix."""

from __future__ import annotations

from pathlib import Path

from hocket.trace.eventlog import read_log
from hocket.whole_files import not_written, write_result


def convert(log_file: Path, output: Path) -> str:
    """Writes the log itself (`.hklog`), waves (`.vcd`), or Perfetto's format (`.pftrace`, devices).
    Returns the format's name."""
    ending = output.suffix.lower()
    if ending == ".hklog":
        data, what = log_file.read_bytes(), "event log"
    elif ending == ".vcd":
        from hocket.trace.vcd import to_vcd

        data, what = to_vcd(read_log(log_file)), "VCD"
    else:
        from hocket.trace.perfetto import to_perfetto

        data, what = to_perfetto(read_log(log_file)), "Perfetto trace"
    try:
        write_result(output, data)
    except OSError as problem:
        raise not_written("the trace", problem, output) from problem
    return what
