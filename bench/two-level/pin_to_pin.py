"""E15 from pin to pin: what a sketch above Debian needs to answer an edge, and what a program of Linux needs.

Ours: edges are made and answers seen by the world around the board, at instants that are instructions; an
answer is a call of digitalWrite(). Linux's: as in E12 on Linux (bench/response-linux), by the character
device.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from hocket.bench import Context, load_experiment
from hocket.errors import EXIT_DEFECT, HocketError
from hocket.linux.beside import Beside
from hocket.linux.build import Linux
from hocket.linux.loads import Load, overlay
from hocket.trace.wavefile import read_signals

# Ways of the sketch: pins in and out.
WAYS = {
    "direct handler": (2, 8),
    "handler on a virtual CPU": (3, 9),
    "loop, woken by a handler": (4, 10),
}
BEGIN_S = 3  # Linux is up, and its load has begun
# Edges some 4.3 ms apart, not at Linux's own ticks (4 ms); those of the pins are a fifth of that from each
# other. Pin 5 says when all three are over.
_SCENARIO = "parts:\n" + "".join(
    f"  g{pin}: {{type: generator, pin: {pin}, frequency: 233 Hz, duty: 38 %, "
    f"start: {BEGIN_S * 1_000_000 + 858 * turn} us}}\n"
    for turn, pin in enumerate((2, 3, 4, 5))
)
Late = Counter[int]


def above(context: Context, load: Load, seconds: int, memory: str) -> dict[str, Late]:
    """By the ways, how late the answers of a sketch are above a Debian with this load. HocketError: one was
    missing, or Linux had not begun in time."""
    text = (context.folder / "pins" / "pins.ino").read_text(encoding="utf-8")
    sketch = with_load(context, f"pins-{load.name}", text, load)
    with tempfile.TemporaryDirectory(prefix="hocket-bench-") as folder:
        console, waves = Path(folder) / "console", Path(folder) / "pins.vcd"
        run = context.run_sketch(
            sketch,
            duration=f"{BEGIN_S + seconds}s",
            scenario_text=_SCENARIO,
            vcd=True,
            beside=Beside("linux", memory, console),
        )
        check_begun(console.read_text(errors="replace"), load)
        waves.write_text(run.vcd or "", encoding="utf-8")
        names = [f"D{pin}" for pins in WAYS.values() for pin in pins]
        changes = read_signals(waves, names)
    return {
        way: _late(way, load, changes[f"D{given}"], changes[f"D{answer}"])
        for way, (given, answer) in WAYS.items()
    }


def with_load(context: Context, name: str, text: str, load: Load) -> Path:
    """A sketch whose Linux beside it has this load, and says when it begins."""
    sketch = context.write_sketch(name, text)
    files = overlay(load, "echo begin; cat /proc/uptime\n").files
    for file_name, (content, is_program) in files.items():
        file = sketch / "linux" / file_name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.chmod(0o755 if is_program else 0o644)
    return sketch


def check_begun(console: str, load: Load) -> None:
    began = re.search(r"begin\s+(\d+\.\d+)", console)
    if began is None or float(began[1]) >= BEGIN_S:
        raise HocketError(
            f"the load of Linux ({load.label}) had not begun when the edges came",
            console[-500:] or "its console is empty",
            exit_code=EXIT_DEFECT,
        )


def _late(way: str, load: Load, given: Any, answers: Any) -> Late:
    """Of each rise but the last: the answer comes before the next one."""
    rises, answered = ([at for at, level in row[1:] if level == "1"] for row in (given, answers))
    late: Late = Counter()
    for begin, end in pairwise(rises):
        first = next((at for at in answered if begin <= at < end), None)
        if first is None:
            raise HocketError(
                f"{way} above Linux ({load.label}) did not answer an edge", exit_code=EXIT_DEFECT
            )
        late[first - begin] += 1
    return late


def on_linux(context: Context, linux: Linux, load: Load, edges: int) -> tuple[Late, int]:
    """How late a C program by the character device is, alone in that Linux; how many edges it lost."""
    module = load_experiment("response-linux")
    way = next(way for way in module.WAYS if way.file == "character_device.c")
    case = module.on_linux(linux, way, load, module.edges_of(edges, context.seed))
    return Counter(case.late), case.lost
