"""E15: a loop of a sketch above Debian that sleeps until instants, as cyclictest's thread does on Linux.

It counts itself how late it wakes, on the board's clock. So the time covers the timer's interrupt, the
decision, the switch to EL0, the end of the system call, and a reading of the clock.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hocket.bench import Context, load_experiment
from hocket.errors import EXIT_DEFECT, HocketError
from hocket.linux.beside import Beside
from hocket.linux.loads import Load

TELLING_S = 1  # what it needs to print


def late(context: Context, load: Load, seconds: int, memory: str) -> Counter[int]:
    """How late its wake-ups are while Debian has this load. HocketError: Debian had not begun in time."""
    pins: Any = load_experiment(context.name, "pin_to_pin")
    text = (context.folder / "sleeper" / "sleeper.ino").read_text(encoding="utf-8")
    begin, end = (second * 1_000_000_000 for second in (pins.BEGIN_S, pins.BEGIN_S + seconds))
    text = f"#define BEGIN_NS {begin}ull\n#define END_NS {end}ull\n{text}"
    sketch = pins.with_load(context, f"sleeper-{load.name}", text, load)
    with tempfile.TemporaryDirectory(prefix="hocket-bench-") as folder:
        console = Path(folder) / "console"
        run = context.run_sketch(
            sketch,
            duration=f"{pins.BEGIN_S + seconds + TELLING_S}s",
            beside=Beside("linux", memory, console),
        )
        pins.check_begun(console.read_text(errors="replace"), load)
    return read(run.serial)


def read(serial: str) -> Counter[int]:
    """Its lines `NANOSECONDS COUNT`, which are instructions. HocketError: it did not come to its end."""
    found = Counter({int(at): int(n) for at, n in re.findall(r"(?m)^(\d+) (\d+)\r?$", serial)})
    end = re.search(r"(?m)^beyond (\d+) worst (\d+)", serial)
    if end is None or not found:
        raise HocketError(
            "the sleeping loop did not tell all that it has measured",
            serial[-200:] or "it printed nothing",
            exit_code=EXIT_DEFECT,
        )
    if int(end[1]) > 0:
        found[int(end[2])] += int(end[1])
    return found
