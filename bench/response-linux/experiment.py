"""E12 on Linux: from a rising edge on a pin to the answer on another, by Šolc's ways, beside ours.

All of it in QEMU's virt with one core. What comes to the pins, and when it is answered, is decided and seen
outside of the machine (hocket.linux.pins): instants are instructions, and each run repeats to the byte.
"""

from __future__ import annotations

import json
import math
import random
import statistics
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from hocket.bench import Context, Result
from hocket.emulator import with_words
from hocket.errors import EXIT_FAULT, HocketError
from hocket.linux.build import Linux, build, usual
from hocket.linux.guest import Guest
from hocket.linux.guest import run as run_guest
from hocket.linux.loads import LOADS, STRESS, Load, overlay
from hocket.linux.module import module
from hocket.linux.overlay import Overlay
from hocket.linux.pins import Edge, Pins
from hocket.linux.programs import program

HERE = Path(__file__).parent
BOARD = "virt"
MEMORY = "512M"
KERNELS = {"linux": "Linux", "linux-rt": "PREEMPT_RT"}
IDLE = LOADS[0]
END, IN, OUT = 0, 1, 2  # lines of Linux's pin block
OWN_IN = 7  # ours: that of the first pin with a handler
PRIORITY = 80  # of the programs with real-time preemption, as its users have it
MS = 1_000_000  # instructions


@dataclass(frozen=True)
class Size:
    """How many edges; which kernels, ways and loads."""

    edges: int = 300
    kernels: Sequence[str] = tuple(KERNELS)
    ways: Sequence[str] = ()  # by the names of their files; none: all
    loads: Sequence[Load] = (IDLE, STRESS)


SIZES = {BOARD: Size()}
QUICK = {BOARD: Size(edges=30, loads=(IDLE,))}


@dataclass(frozen=True)
class Way:
    """file: below ways/, or a module's name. memory: it maps the block's registers out of /dev/mem."""

    file: str
    label: str
    memory: bool = False


MODULE = Way("module", "kernel module")
WAYS = (
    MODULE,
    Way("character_device.c", "character device, C"),
    Way("sysfs.c", "sysfs, C"),
    Way("sysfs.py", "sysfs, Python"),
    Way("libgpiod.py", "libgpiod, Python"),
    Way("poll_registers.c", "poll() and registers, C", True),
    Way("rpi_gpio.py", "RPi.GPIO's method, Python", True),
    Way("registers.c", "registers, polling, C", True),
    Way("registers.py", "registers, polling, Python", True),
)
# Sketches, and what they are to the reader.
OURS = {
    "direct": "direct handler",
    "virtual-cpu": "handler on a virtual CPU",
    "woken-loop": "loop, woken by a handler",
    "polling-loop": "loop, polling for half of the core",
}
# Beside ours: one computes for all the time that nobody wants, one calls the kernel, one comes and goes.
NEIGHBOURS = """
volatile unsigned long sum;
void loop(11, 10, 50, background()) { sum += 1; }
void loop(12, 4, 20) { sum += digitalRead(8); }
void loop(13, 50us, 1ms) { delayMicroseconds(10); delay(1); }
"""
# By names of bench/response/published: of a Raspberry Pi Zero with Linux 4.1, and of a Raspberry Pi Pico. The
# processor's clock changes with the load (governor ondemand), or stays at 1 GHz (performance).
PUBLISHED = {
    "01_rpi_c_kmod": ("kernel module", "idle"),
    "01_rpi_c_kmod_busy": ("kernel module", "busy"),
    "01_rpi_c_userspace": ("sysfs, C", "idle"),
    "01_rpi_c_userspace_busy": ("sysfs, C", "busy"),
    "02_rpi_c_userspace": ("sysfs, C, second series", "idle"),
    "02_rpi_c_userspace_busy": ("sysfs, C, second series", "busy"),
    "02_rpi_c_userspace_performance": ("sysfs, C, governor performance", "idle"),
    "02_rpi_c_userspace_performance_busy": ("sysfs, C, governor performance", "busy"),
    "02_rpi_c_mmap": ("poll() and registers, C", "idle"),
    "01_rpi_python": ("RPi.GPIO, Python", "idle"),
    "01_rpi_python_busy": ("RPi.GPIO, Python", "busy"),
    "02_rpi_python": ("RPi.GPIO, Python, second series", "idle"),
    "03_rp2040_pio": ("RP2040, PIO", "idle"),
    "04_rp2040_mbed": ("RP2040, Mbed", "idle"),
    "03_rp2040_python": ("RP2040, MicroPython", "idle"),
}


@dataclass(frozen=True)
class Case:
    """late: of the edges that were answered, after how many instructions, in their order."""

    system: str
    way: str
    load: str
    late: tuple[int, ...]
    lost: int

    def row(self) -> list[str | int | float | None]:
        named: list[str | int | float | None] = [self.system, self.way, self.load, self.lost]
        if not self.late:
            return [*named, None, None, None]
        middle = statistics.median_low(self.late)
        return [*named, min(self.late), middle, max(self.late)]


def run(context: Context) -> Result:
    size = SIZES[BOARD]
    cases = measure(context, size)
    published = read_published()
    rows = [case.row() for case in cases]
    for name, (way, load) in PUBLISHED.items():
        p = published[name]
        values = (p["least_us"], median_us(p), p["most_us"])
        figures = (round(value, 1 if value >= 1 else 3) for value in values)
        rows.append(["another machine, us", way, load, p["lost"], *figures])
    return Result(
        "E12 on Linux: a rising edge at a pin to the answer at another, in instructions",
        ("system", "way", "load", "lost", "least", "median", "most"),
        rows,
        [
            f"board virt, 1 core, {size.edges} edges 3 to 7 ms apart, high for half of that, seed "
            f"{context.seed}; 1 ns per instruction: a count, not a measurement of a board; no caches",
            "edges are made and answers seen outside of the machine; lost: no answer until the next edge",
            "Linux: Debian's own kernels; in PREEMPT_RT the programs have SCHED_FIFO, priority "
            f"{PRIORITY}, and the module's handler is a thread, as that kernel has it",
            "stress-ng: --cpu 1 --io 1 --vm 1; with loops: one that computes in all time left over, one "
            "that calls the kernel, one that comes and goes every 1 ms",
            "registers: mapped out of /dev/mem, which these kernels allow with iomem=relaxed only",
            "RPi.GPIO's method: epoll for the edge, a mapped register for the answer, in Python; the library "
            "itself runs on a Raspberry Pi only",
            "another machine: Šolc's oscilloscope on a Raspberry Pi Zero, Linux 4.1, 700 MHz when idle and "
            "1 GHz when busy (governor ondemand) or always 1 GHz (performance); RP2040: a Raspberry Pi Pico. "
            "Microseconds, not comparable",
        ],
        lambda figure: draw(figure, cases, published),
        {"cases": [case.__dict__ for case in cases]},
    )


def measure(context: Context, size: Size) -> list[Case]:
    """Ours, then Linux's ways."""
    edges = edges_of(size.edges, context.seed)
    cases = [ours(context, name, loaded, edges) for name in OURS for loaded in (False, True)]
    ways = [way for way in WAYS if not size.ways or way.file in size.ways]
    jobs = []
    for word in size.kernels:
        linux = build(usual(word, MEMORY))  # here, and not by two of the runs at once
        jobs += [(linux, way, load, edges) for way in ways for load in size.loads]
    with ThreadPoolExecutor(2) as pool:
        return [*cases, *pool.map(lambda job: on_linux(*job), jobs)]


def edges_of(count: int, seed: int) -> list[tuple[int, int]]:
    """When each begins and ends, after the start."""
    chance = random.Random(seed)
    found, at = [], 50 * MS
    for _ in range(count):
        gap = chance.randrange(3 * MS, 7 * MS)
        found.append((at, at + gap // 2))
        at += gap
    return found


def at_line(edges: Sequence[tuple[int, int]], line: int) -> list[Edge]:
    return [Edge(at, line, level) for begin, end in edges for at, level in ((begin, 1), (end, 0))]


def answers(rises: Sequence[int], answered: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """How late each edge was answered by the first answer before the next edge; how many were not."""
    late, lost = [], 0
    for begin, end in pairwise([*rises, math.inf]):
        first = next((at for at in answered if begin <= at < end), None)
        if first is None:
            lost += 1
        else:
            late.append(first - begin)
    return tuple(late), lost


def _judge(pins: Pins, line: int) -> tuple[tuple[int, ...], int]:
    rises, ups = (
        [at for at, level in row if level] for row in (pins.input(line), pins.output(OUT))
    )
    return answers(rises, ups)


# --- Ours ---


def ours(context: Context, name: str, loaded: bool, edges: Sequence[tuple[int, int]]) -> Case:
    """A sketch alone, or beside loops that use all of the core."""
    sketch = context.folder / name
    if loaded:
        text = (sketch / f"{name}.ino").read_text(encoding="utf-8")
        sketch = context.write_sketch(name, text + NEIGHBOURS)
    with tempfile.TemporaryDirectory(prefix="hocket-pins-") as folder:
        pins = Pins(Path(folder), at_line(edges, OWN_IN), start=OUT)
        with with_words(Path(folder), pins.options()):
            context.run_sketch(sketch, duration=f"{edges[-1][1] // MS + 50}ms")
        late, lost = _judge(pins, OWN_IN)
    return Case("Hocket", OURS[name], "loops" if loaded else "idle", late, lost)


# --- Linux ---

# What starts the way says so when it ends, which only polling does, and only at the end of the edges.
_JOB = """
base=$(cat /sys/class/gpio/gpiochip*/base)
gpiomon -s -r -n 1 gpiochip0 {end} & end=$!
({start}
status=$?; [ $status = 0 ] || echo "the way ended with status $status"
kill $end) 2>&1 &
wait $end
"""


def on_linux(linux: Linux, way: Way, load: Load, edges: Sequence[tuple[int, int]]) -> Case:
    """A way on that Linux under this load. HocketError: it does not run there, or not to the end."""
    with tempfile.TemporaryDirectory(prefix="hocket-pins-") as folder:
        pins = Pins(Path(folder), [*at_line(edges, IN), Edge(edges[-1][1] + 5 * MS, END, 1)], OUT)
        said = run_way(linux, way, load, pins)
        if not pins.started() or not pins.input(END) or "the way ended with" in said:
            lines = "".join(f"\n    {line}" for line in said.splitlines()[-8:])
            raise HocketError(
                f"the way to answer «{way.label}» does not run on {linux.word} ({load.label})",
                f"it says:{lines or ' nothing'}",
                "if the kernel is another than Debian 12's, use that one; else report this",
                exit_code=EXIT_FAULT,
            )
        late, lost = _judge(pins, IN)
    return Case(KERNELS[linux.word], way.label, load.label, late, lost)


def run_way(linux: Linux, way: Way, load: Load, pins: Pins) -> str:
    """Until the edges have come to their end; what was written on the console."""
    arguments = ("iomem=relaxed",) if way.memory else ()
    guest = Guest(linux, arguments=arguments, options=pins.options())
    return run_guest(guest, files_of(linux, way, load)).job_text()


def files_of(linux: Linux, way: Way, load: Load) -> Overlay:
    """The job, and what it needs."""
    priority = PRIORITY if linux.word == "linux-rt" else 0
    words = f"{IN} {OUT} $base {priority}"
    files: dict[str, tuple[bytes, bool]] = {}
    if way is MODULE:
        start = f"insmod response.ko in=$((base + {IN})) out=$((base + {OUT})) && sleep 3600"
        files["response.ko"] = (module(linux, HERE / "module", "response"), False)
    elif way.file.endswith(".py"):
        start = f"python3 {way.file} {words}"
        for name in (way.file, "way.py"):
            files[name] = ((HERE / "ways" / name).read_bytes(), False)
    else:
        start = f"./way {words}"
        files["way"] = (program(HERE / "ways" / way.file), True)
    job = overlay(load, _JOB.format(end=END, start=start))
    return Overlay({**job.files, **files})


# --- The published rows, the picture ---


def read_published() -> dict[str, Any]:
    """The published series by name."""
    file = HERE.parent / "response" / "published" / "samples.json"
    series: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["series"]
    return series


def median_us(series: dict[str, Any]) -> float:
    """Of a histogram: the middle of the bin that has it, and not less than the least sample."""
    seen = 0
    for number, count in enumerate(series["counts"]):
        seen += count
        if 2 * seen >= series["count"]:
            middle = float((series["first"] + number + 0.5) * series["bin_us"])
            return max(middle, float(series.get("least_us", middle)))
    raise ValueError("an empty series")


COLOURS = {"Hocket": "#009e73", "PREEMPT_RT": "#d55e00", "Linux": "#0072b2"}
DASHES = {"Hocket": "-", "PREEMPT_RT": "--", "Linux": ":"}  # with the same names


def draw(figure: Any, cases: Sequence[Case], published: dict[str, Any]) -> None:
    """A line from the least to the most for each case, all in one scale; below, those of another machine in
    its own."""
    figure.set_size_inches(14, 11)
    (above, right), (below, right_below) = figure.subplots(2, 2, height_ratios=[3, 2])
    _histograms(right, cases)
    _published_histograms(right_below, published)
    draw_ranges(above, below, cases, published)


def draw_ranges(above: Any, below: Any, cases: Sequence[Case], published: dict[str, Any]) -> None:
    """The two panels of ranges and medians: of the machine, and of others."""
    ways = list(dict.fromkeys(case.way for case in cases))
    for place, way in enumerate(ways):
        of_way = [case for case in cases if case.way == way]
        for number, case in enumerate(of_way):
            at = place + (number - (len(of_way) - 1) / 2) * 0.2
            _line(above, at, case.row()[4:], case.system, case.load == "idle")
            if case.lost:
                most = max(case.late, default=100)
                above.annotate(f"  {case.lost} lost", (most, at), va="center", fontsize="x-small")
    _axis(above, ways, "instructions (1 ns each)")
    above.margins(x=0.15)
    for system, colour in COLOURS.items():
        above.plot([], [], DASHES[system], color=colour, label=system)
    above.plot([], [], "ok", label="median, idle")
    above.plot([], [], "ok", fillstyle="none", label="median, loaded")
    above.legend(fontsize="x-small", loc="upper right")
    names = list(dict.fromkeys(way for way, _ in PUBLISHED.values()))
    for name, (way, load) in PUBLISHED.items():
        p = published[name]
        at = names.index(way) + (0.2 if load == "busy" else 0)
        _line(below, at, [p["least_us"], median_us(p), p["most_us"]], "", load == "idle")
    _axis(below, names, "us")
    title = "other machines: Raspberry Pi Zero, RP2040, oscilloscope (Šolc)"
    below.set_title(title, loc="left", fontsize="small")


def _histograms(axes: Any, cases: Sequence[Case]) -> None:
    """Idle, of Hocket and of Linux: how many of the answers come how late. A row for each way."""
    shown = [case for case in cases if case.load == "idle" and case.late]
    least = min(min(case.late) for case in shown)
    most = max(max(case.late) for case in shown)
    steps = [least * (most / least) ** (step / 120) for step in range(121)]
    for place, case in enumerate(shown):
        counts = [0] * 120
        for late in case.late:
            counts[min(119, int(120 * math.log(late / least) / math.log(most / least)))] += 1
        _ridge(axes, place, steps, counts, COLOURS[case.system])
    _axis(axes, [f"{case.system}: {case.way}" for case in shown], "instructions (1 ns each)")
    axes.set_title("idle: histograms of all answers", loc="left", fontsize="small")


def _published_histograms(axes: Any, published: dict[str, Any]) -> None:
    for place, name in enumerate(PUBLISHED):
        p = published[name]
        steps = [(p["first"] + number) * p["bin_us"] for number in range(len(p["counts"]) + 1)]
        steps[0] = max(steps[0], p["least_us"], 1e-3)
        _ridge(axes, place, steps, p["counts"], "grey")
    _axis(axes, [", ".join(each) for each in PUBLISHED.values()], "us")
    axes.tick_params(axis="y", labelsize="x-small")
    axes.set_title("other machines: histograms of the samples", loc="left", fontsize="small")


def _ridge(
    axes: Any, place: int, steps: Sequence[float], counts: Sequence[int], colour: str
) -> None:
    """A histogram whose foot is the row's line (rows count downwards), its highest step 0.85 high."""
    high = [place - 0.85 * count / max(counts) for count in counts]
    axes.stairs(high, steps, baseline=place, fill=True, color=colour, linewidth=0.8)


def _line(axes: Any, at: float, figures: Sequence[Any], system: str, idle: bool) -> None:
    colour = COLOURS.get(system, "grey")
    least, median, most = figures
    if least is None:
        return
    axes.plot([least, most], [at, at], "|", linestyle=DASHES.get(system, "-"), color=colour)
    axes.plot([median], [at], "o", color=colour, markersize=4, fillstyle="full" if idle else "none")


def _axis(axes: Any, names: Sequence[str], unit: str) -> None:
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), names, fontsize="small")
    axes.invert_yaxis()
    axes.set_xlabel(unit)
    axes.grid(True, axis="x", alpha=0.3)
