"""E15: how late interrupts are while Linux works: ours above it, and Linux's own, stock and real-time (THIN).

Two measures. From an alarm's instant to what waits for it: ours to its handler's first instruction, in an
image at EL3 (aarch64/alarms.cpp) with a Debian beside it, and to a sketch's loop (thread.py); Linux's to
cyclictest's thread, alone in the same emulator.
And from pin to pin (pin_to_pin.py): a sketch above Debian, and a program of Linux. One core, 1 ns for each
instruction; each run repeats to the byte.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from hocket.bench import Context, Result, build_targets, load_experiment
from hocket.errors import EXIT_DEFECT, HocketError
from hocket.linux.beside import Beside, prepare_with
from hocket.linux.build import build, usual
from hocket.linux.guest import Guest
from hocket.linux.guest import run as run_guest
from hocket.linux.loads import LOADS, Load, overlay
from hocket.linux.repeated import repeated
from hocket.paths import BUILD
from hocket.plots import COLOURS

BOARD = "virt"
IMAGE = "bench_two_level"
MEMORY = "1G"  # mplayer is in that root
KERNELS = ("linux-rt", "linux")
LATEST = 30_000  # cyclictest's histogram ends there, in us; what is later is counted apart

# Worst latencies of the paper's text, in us: idle, mplayer, disk, network. Of Linux it states one.
PAPER: dict[str, tuple[float | None, ...]] = {
    "THIN, locked cache": (4.31, 6.15, 6.15, 9.23),
    "THIN": (7.69, 12.0, 9.54, 12.92),
    "RTAI": (12.31, 42.77, 68.0, 23.08),
    "Linux": (None, None, 11_353.0, None),
}


@dataclass(frozen=True)
class Size:
    """How long each load is measured, in seconds of the board; which loads; edges for Linux's programs."""

    seconds: int = 1
    loads: tuple[Load, ...] = LOADS
    edges: int = 200


SIZES = {BOARD: Size()}
QUICK = {BOARD: Size(edges=20, loads=LOADS[:1])}

Late = Counter[int]  # how many were so many instructions late


@dataclass(frozen=True)
class Case:
    """busy: of the time that was measured, the share in which Linux had something to do. lost: edges that
    were never answered."""

    system: str
    load: str
    late: Late
    busy: float | None = None
    lost: int = 0

    def worst(self) -> int:
        return max(self.late)

    def median(self) -> int:
        middle, seen = (sum(self.late.values()) + 1) // 2, 0
        for late, count in sorted(self.late.items()):
            seen += count
            if seen >= middle:
                return late
        raise ValueError("nothing was measured")


def run(context: Context) -> Result:
    size = SIZES[BOARD]
    cases = measure(size) + measure_thread(context, size) + measure_pins(context, size)
    rows: list[list[str | int | float | None]] = []
    for system in dict.fromkeys(case.system for case in cases):
        of_system = [case for case in cases if case.system == system]
        for case in of_system:
            count = sum(case.late.values())
            busy = None if case.busy is None else f"{case.busy * 100:.0f} %"
            figures = (min(case.late), case.median(), case.worst())
            rows.append([system, case.load, count, case.lost, *figures, busy])
    for name, worst in PAPER.items():
        for load, figure in zip(LOADS, worst, strict=True):
            rows.append([f"paper: {name}, us", load.label, *[None] * 4, figure, None])
    return Result(
        "E15: lateness of interrupts while Linux works, in instructions",
        ("system", "load", "events", "lost", "least", "median", "worst", "Linux busy"),
        rows,
        [
            "board virt, 1 core, 1 ns per instruction: a count, not a measurement of a board; no caches",
            "handler: an alarm's instant to its first instruction. Loop, and cyclictest's thread: to the "
            "code behind its sleep, by a reading of the clock; cyclictest counts in steps of 1,000",
            "pin to pin: from an edge to the answer on another pin, seen from outside; ours with a call of "
            "digitalWrite(), Linux's by the character device in C (with PREEMPT_RT: SCHED_FIFO, priority 80)",
            "Linux busy: of the time that was measured, by its own account",
            "the paper's figures are microseconds of a PXA270 at 520 MHz, from the interrupt to its handler; "
            "of Linux the text has the disk's only",
        ],
        lambda figure: draw(figure, cases),
        {
            f"{case.system}, {case.load}": {str(late): n for late, n in sorted(case.late.items())}
            for case in cases
        },
    )


def measure(size: Size) -> list[Case]:
    """All systems under all loads, ours first."""
    flash = _flash()
    for word in KERNELS:
        build(usual(word, MEMORY))  # here, and not by two of the runs at once
    jobs = [(above, ("linux", load, size.seconds, flash)) for load in size.loads]
    jobs += [(alone, (word, load, size.seconds)) for word in KERNELS for load in size.loads]
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(function, *arguments) for function, arguments in jobs]
        return [each.result() for each in waiting]


def measure_thread(context: Context, size: Size) -> list[Case]:
    """A loop of a sketch that sleeps until an instant, under the same loads."""
    thread = load_experiment(context.name, "thread")
    return [
        Case(
            "Hocket above Linux: loop",
            load.label,
            thread.late(context, load, size.seconds, MEMORY),
        )
        for load in size.loads
    ]


def measure_pins(context: Context, size: Size) -> list[Case]:
    """The same loads, from pin to pin. One after the other: where the emulator is found is the process's."""
    pins = load_experiment(context.name, "pin_to_pin")
    found: list[Case] = []
    for load in size.loads:
        for way, late in pins.above(context, load, size.seconds, MEMORY).items():
            found.append(Case(f"Hocket above Linux: {way}, pin to pin", load.label, late))
    names = {"linux-rt": "PREEMPT_RT: program, pin to pin", "linux": "Linux: program, pin to pin"}
    jobs = [(build(usual(word, MEMORY)), load) for word in KERNELS for load in size.loads]
    with ThreadPoolExecutor(2) as pool:
        done = pool.map(lambda job: pins.on_linux(context, *job, size.edges), jobs)
        for (linux, load), (late, lost) in zip(jobs, done, strict=True):
            found.append(Case(names[linux.word], load.label, late, lost=lost))
    return found


# --- Ours, with a Debian beside it ---


def above(word: str, load: Load, seconds: int, flash: Path) -> Case:
    """The image's alarms while that Linux has this load."""
    late = repeated(lambda: _alarms(word, load, seconds, flash))
    return Case("Hocket above Linux: handler", load.label, late)


def _alarms(word: str, load: Load, seconds: int, flash: Path) -> Late:
    with tempfile.TemporaryDirectory(prefix="hocket-bench-") as name:
        folder = Path(name)
        console = folder / "console"
        files = overlay(load, f"echo begin; sleep {seconds}; poweroff -f\n")
        neighbour = prepare_with(Beside(word, MEMORY), files, 1, folder, console)
        options = [str(option) for option in neighbour.options]
        pairs = pairwise(options)
        loads = [value.split(":", 1) for option, value in pairs if option == "--load"]
        words = [
            *(
                "qemu-system-aarch64",
                "-M",
                "virt,secure=on,gic-version=3,acpi=off,dtb-randomness=off",
            ),
            *("-cpu", "cortex-a53,cntfrq=1000000000", "-m", "1024", "-icount", "shift=0,sleep=off"),
            *("-nodefaults", "-display", "none", "-monitor", "none", "-nic", "none"),
            *("-rtc", "base=2026-01-01T00:00:00,clock=vm", "-serial", f"file:{console}"),
        ]
        for number, (address, file) in enumerate(loads):
            words += ["-device", f"loader,addr={address},force-raw=on,file={file}"]
            (folder / f"program-{number}").symlink_to(Path(file).resolve())
        places = ":".join(address for address, _ in loads)
        asked = f"arg=hocket,arg=world={folder},arg=for=60000,arg=beside={places}"
        words += ["-semihosting-config", f"enable=on,target=native,{asked}", "-bios", str(flash)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        text = done.stdout + done.stderr
        if (
            done.returncode != 0
            or not text.endswith("end\n")
            or b"begin" not in console.read_bytes()
        ):
            raise HocketError(
                f"the alarms beside Linux ({load.label}) did not come to an end",
                text[-500:] or "the image said nothing",
                exit_code=EXIT_DEFECT,
            )
    late: Late = Counter()
    for instructions, count in re.findall(r"(?m)^core 0 running (\d+) (\d+)$", text):
        late[int(instructions)] += int(count)
    return late


def _flash() -> Path:
    build_targets(BOARD, IMAGE)
    image = BUILD / BOARD / "bench" / "two-level" / "aarch64" / f"{IMAGE}.elf"
    flash = image.with_suffix(".flash")
    subprocess.run(["llvm-objcopy-19", "-O", "binary", str(image), str(flash)], check=True)
    return flash


# --- Linux alone ---

# Alarms 500 us apart for a thread with the highest priority of its kind, as cyclictest's users have it.
_CYCLIC = (
    "head -1 /proc/stat\n"
    "cyclictest -q -m -p 90 -i 500 -D {seconds} -h {latest} >/tmp/late\n"
    "head -1 /proc/stat\n"
    "grep -v ' 000000$' /tmp/late\n"
)


def alone(word: str, load: Load, seconds: int) -> Case:
    """cyclictest's latencies on that Linux under this load."""
    linux = build(usual(word, MEMORY))
    then = _CYCLIC.format(seconds=seconds, latest=LATEST)
    text = run_guest(Guest(linux), overlay(load, then)).job_text()
    name = "PREEMPT_RT: cyclictest" if word == "linux-rt" else "Linux: cyclictest"
    return Case(name, load.label, read_histogram(text), busy_share(text))


def read_histogram(text: str) -> Late:
    """cyclictest's lines `MICROSECONDS COUNT` in instructions; one that is later than its histogram counts as
    its maximum. HocketError: there is none."""
    late = Counter({1000 * int(us): int(n) for us, n in re.findall(r"(?m)^(\d{6}) (\d{6})$", text)})
    beyond = re.search(r"(?m)^# Histogram Overflows: 0*(\d+)", text)
    worst = re.search(r"(?m)^# Max Latencies: 0*(\d+)", text)
    if beyond and worst and int(beyond[1]) > 0:
        late[1000 * int(worst[1])] += int(beyond[1])
    if not late:
        raise HocketError("cyclictest measured nothing", text[-500:], exit_code=EXIT_DEFECT)
    return late


def busy_share(text: str) -> float | None:
    """Between two first lines of /proc/stat (proc(5)): of all time that which was not idle."""
    lines = re.findall(r"(?m)^cpu +([\d ]+)$", text)
    if len(lines) != 2:
        return None
    before, after = ([int(number) for number in line.split()] for line in lines)
    spent = [late - early for early, late in zip(before, after, strict=True)]
    idle = spent[3] + spent[4]
    return 1 - idle / sum(spent) if sum(spent) else None


def draw(figure: Any, cases: list[Case]) -> None:
    """For each load the cumulative curves of all systems, as in the paper's figures: the share of the events
    within so many instructions. Beside it what is missing to 100 %, on an axis that shows a single event."""
    loads = list(dict.fromkeys(case.load for case in cases))
    figure.set_size_inches(12, 2 + 2.2 * len(loads))
    rows = figure.subplots(len(loads), 2, sharex=True, squeeze=False)
    systems = list(dict.fromkeys(case.system for case in cases))
    from_pins = [name for name in systems if name.endswith("pin to pin")]
    looks = {}
    for of_kind, dash in (
        ([name for name in systems if name not in from_pins], "-"),
        (from_pins, "--"),
    ):
        for colour, name in zip(COLOURS, of_kind, strict=False):
            mark = "o^svDP*X+"[systems.index(name) % 9]
            looks[name] = {"color": colour, "linestyle": dash, "marker": mark, "label": name}
    for (left, right), load in zip(rows, loads, strict=True):
        for case in (case for case in cases if case.load == load):
            at, within, later = cumulative(case.late)
            # (A mark here and there: there are steps by the hundred.)
            look = {"where": "post", "markersize": 4, "markevery": 0.15, **looks[case.system]}
            left.step([at[0], *at], [0.0, *within], **look)
            # The last step would go to 0, which this axis does not have: it ends there.
            right.step(at, [*later[:-1], *(later[-2:-1] or [100.0])], **look)
        left.set(xscale="log", ylabel="% of events", ylim=(0, 103))
        right.set(xscale="log", yscale="log", ylabel="% that come later")
        left.set_title(load, loc="left", fontsize="small")
        for axis in (left, right):
            axis.grid(True, alpha=0.3)
    handles, names = rows[0][0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=3, fontsize="small")
    for axis in rows[-1]:
        axis.set_xlabel("instructions after the instant of the alarm or the edge")


def cumulative(late: Late) -> tuple[list[int], list[float], list[float]]:
    """The steps of the curve; of the events, in percent, those within each and those that come later."""
    total, seen = sum(late.values()), 0
    at, within = [], []
    for instructions, count in sorted(late.items()):
        seen += count
        at.append(instructions)
        within.append(100 * seen / total)
    return at, within, [100 - share for share in within]
