"""Speed of the simulator: instructions of the host per simulated block, and for the rover's 10 seconds.

The table is counted and repeatable. The duration depends on the machine and the moment. It is printed in
addition, as processor time and in relation to a fixed piece of work, and is not a result.
"""

from __future__ import annotations

import json
import resource
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hocket.bench import Context, Result
from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.callgrind import count
from hocket.console import say
from hocket.paths import BUILD, ROOT
from hocket.plots import bars
from hocket.running.scenarios import find_scenario
from hocket.sketch.folder import find_sketch

HERE = Path(__file__).parent
SECOND = 1_000_000_000
CALIBRATION_STEPS = 200_000_000


@dataclass(frozen=True)
class Program:
    """A built sketch, the number of cores on which it runs, and its scenario."""

    path: Path
    cores: int
    flat: str

    def command(self, duration: int, folder: Path) -> list[str | Path]:
        """Returns the command that runs it for `duration` virtual ns and leaves facts.json in the folder."""
        options: list[str | Path] = ["--cores", str(self.cores), "--for", str(duration)]
        options += ["--seed", "1", "--facts", folder / "facts.json"]
        if self.flat:
            (folder / "scenario").write_text(self.flat, encoding="utf-8")
            options += ["--scenario", folder / "scenario"]
        return [self.path, *options]


def program(sketch: Path, cores: int) -> Program:
    found, board = find_sketch(str(sketch)), find_board("sim")
    return Program(
        build_sketch(found, board).program, cores, find_scenario(None, found, board).flat
    )


def counted(one: Program, duration: int) -> tuple[int, int]:
    """Returns the host instructions and the simulated blocks of a run."""
    with tempfile.TemporaryDirectory(prefix="hocket-speed-") as name:
        folder = Path(name)
        counts, _ = count(one.command(duration, folder))
        return sum(c.instructions for c in counts), _blocks(folder)


def per_block(one: Program) -> float:
    """Returns the host instructions per block, from a run and one twice as long, so that the start is
    excluded."""
    shorter, longer = counted(one, SECOND // 50), counted(one, SECOND // 25)
    return (longer[0] - shorter[0]) / (longer[1] - shorter[1])


def processor_time(command: list[str | Path]) -> float:
    """Returns the seconds of processor time that a program takes on this machine now."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def run(context: Context) -> Result:
    busy = {
        cores: program(HERE / f"busy-{name}", cores) for cores, name in ((1, "one"), (4, "four"))
    }
    rover = program(ROOT / "examples" / "rover", 1)
    figures = {cores: per_block(one) for cores, one in busy.items()}
    instructions, blocks = counted(rover, 10 * SECOND)
    _say_times(busy, rover)
    rows: list[list[str | int | float | None]] = [
        [f"{cores} busy", "host instructions per block", round(figure, 2)]
        for cores, figure in figures.items()
    ]
    rows.append(["rover, 10 s", "simulated blocks, millions", round(blocks / 1e6, 2)])
    rows.append(["rover, 10 s", "host instructions, millions", round(instructions / 1e6)])
    rows.append(["rover, 10 s", "host instructions per block", round(instructions / blocks, 2)])
    return Result(
        "What a simulated block costs the host",
        ["load", "figure", "value"],
        rows,
        [
            "board sim, seed 1; instructions of x86-64, counted by callgrind, sketch's own included",
            "busy: a loop per core that computes without waiting; with several cores, changing "
            "between them (at most 1 us of virtual time, 50 blocks, ahead of the next) is included",
        ],
        lambda figure: _plot(figure, figures, instructions / blocks),
        {"per_block": figures, "rover": {"blocks": blocks, "instructions": instructions}},
    )


def _plot(figure: Any, figures: dict[int, float], rover: float) -> None:
    labels = [*(f"{cores} busy" for cores in figures), "rover, 10 s"]
    title = "What a simulated block costs the host (board sim)"
    bars(figure, title, labels, {"host": [*figures.values(), rover]}, "host instructions per block")


def _say_times(busy: dict[int, Program], rover: Program) -> None:
    """Prints times for the reader. They are not part of the results."""
    unit = processor_time([_calibration()])
    with tempfile.TemporaryDirectory(prefix="hocket-speed-") as name:
        folder = Path(name)
        for cores, one in busy.items():
            seconds = processor_time(one.command(2 * SECOND, folder))
            blocks = _blocks(folder)
            ratio = (seconds / blocks) / (unit / CALIBRATION_STEPS)
            say(
                f"on this machine at this moment: {cores} busy: {blocks / seconds / 1e6:.0f} million "
                f"blocks a second; a block takes {ratio:.2f} times a step of plain arithmetic"
            )
        seconds = processor_time(rover.command(10 * SECOND, folder))
        say(
            f"on this machine at this moment: rover's 10 s take {seconds:.2f} s of processor time, "
            f"{seconds / unit:.2f} times the calibration loop"
        )


def _calibration() -> Path:
    folder = BUILD / "bench-speed"
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "calibration"
    command = ["clang++-19", "-std=c++20", "-O2", str(HERE / "calibration.cpp"), "-o", str(made)]
    subprocess.run(command, check=True)
    return made


def _blocks(folder: Path) -> int:
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    return int(facts["model"]["blocks"])
