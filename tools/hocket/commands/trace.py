"""`hocket trace`: converts an event log to Perfetto or VCD, or prints it as text."""

from __future__ import annotations

from pathlib import Path

from hocket.console import say
from hocket.errors import shorten
from hocket.running.request import ENDINGS, check_ending, check_outputs, check_writable
from hocket.trace.convert import convert
from hocket.trace.eventlog import listing, read_log


def trace_command(log: Path, output: Path | None) -> int:
    if output is None:
        print("\n".join(listing(read_log(log))))
    else:
        check_writable("-o", output)
        check_outputs([("-o", output)], [log])
        check_ending("-o", output, ENDINGS["--trace"])
        what = convert(log, output)
        say(f"wrote {shorten(output)} ({what})")
    return 0
