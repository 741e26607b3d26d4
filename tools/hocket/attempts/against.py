"""Builds sketches with Hocket and with the stock Arduino core, runs both images in the same simulator with
the same scenario, and compares the outputs (outputs.py)."""

from __future__ import annotations

import io
from collections.abc import Generator, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hocket.at_once import Crew, Lost
from hocket.attempts.find import Found as Sketched
from hocket.attempts.outputs import Found, compare_pins, compare_text, edges_of, last_common
from hocket.attempts.perform import sentence
from hocket.boards import find_board
from hocket.builder import Toolchain, build_sketch, prepare_avr_simulator
from hocket.confinement import confined
from hocket.console import without_progress
from hocket.errors import EXIT_DEFECT, HocketError
from hocket.intel_hex import write_hex
from hocket.report import has_facts, read_facts
from hocket.running.scenarios import find_scenario, keeping_nothing
from hocket.running.telling import unusable
from hocket.simulator import simulate
from hocket.sketch.folder import find_sketch
from hocket.stock_core import STOCK_BOARD, TIME_OF_BUILD, StockBuildError, build_stock_sketch
from hocket.uno_images import flash_and_ram

_LOADED = ["hocket.attempts.against"]
_CYCLES_PER_US = 16


@dataclass(frozen=True)
class Side:
    """An image and its run. cycles: until the last line that both images have sent, or the last common edge
    without lines."""

    flash: int
    ram: int
    cycles: int | None = None


@dataclass(frozen=True)
class Compared:
    """The result for one sketch. failed: why it could not be compared, in one line. The other fields are then
    empty."""

    sketch: Sketched
    failed: str = ""
    text: Found | None = None
    pins: Found | None = None
    ours: Side | None = None
    stock: Side | None = None

    @property
    def same(self) -> bool:
        return self.text is not None and self.pins is not None and self.text.same and self.pins.same


@dataclass(frozen=True)
class Comparison:
    """Parameters of the comparison. nanoseconds: the board's time, for both images."""

    toolchain: Toolchain
    libraries: tuple[Path, ...]
    nanoseconds: int
    jobs: int

    def results(self, sketches: Sequence[Sketched]) -> Generator[Compared, None, None]:
        """Yields the results in the order of completion."""
        crew = Crew(partial(_compare, self), self.jobs, _LOADED, fresh=True)
        with closing(crew.results(sketches)) as results:
            for sketch, result in results:
                if isinstance(result, Lost):
                    yield Compared(
                        sketch, f"a defect of Hocket: {(result.said or '?').splitlines()[-1]}"
                    )
                else:
                    yield result


@dataclass(frozen=True)
class _Run:
    text: bytes
    lines: list[int]
    pins: dict[str, Any]
    fault: str


def _compare(comparison: Comparison, sketched: Sketched, folder: Path) -> Compared:
    """Compares one sketch, in a process of its own."""
    with redirect_stderr(io.StringIO()), redirect_stdout(io.StringIO()), without_progress():
        try:
            return _compared(comparison, sketched, folder)
        except HocketError as error:
            if error.exit_code == EXIT_DEFECT:
                return Compared(sketched, f"a defect of Hocket: {error.fact}")
            path = sketched.path
            return Compared(sketched, sentence(error, path if path.is_dir() else path.parent))


def _compared(comparison: Comparison, sketched: Sketched, folder: Path) -> Compared:
    sketch, board = find_sketch(str(sketched.path)), find_board(STOCK_BOARD)
    image = build_sketch(
        sketch,
        board,
        comparison.toolchain.at_fixed_time(TIME_OF_BUILD),
        folder=folder / "hocket",
        threads=1,
        libraries=comparison.libraries,
    )
    if image.translation.loops:
        return Compared(sketched, "it has loops, which the stock core does not know")
    try:
        stock = build_stock_sketch(sketch, folder / "stock", comparison.libraries)
    except StockBuildError as error:
        return Compared(sketched, f"stock core: {error.reason()}")
    stock_hex = stock.file.with_suffix(".hex")
    write_hex(stock.file, stock_hex)
    flat = keeping_nothing(find_scenario(None, sketch, board)).flat
    ours = _run(comparison, image.program, image.flash_file, flat, folder / "of-hocket")
    theirs = _run(comparison, stock.file, stock_hex, flat, folder / "of-stock")
    for whose, run in (("with Hocket", ours), ("with the stock core", theirs)):
        if run.fault:
            return Compared(sketched, f"{whose}: {run.fault}")
    cycles = last_common(ours.lines, theirs.lines) or last_common(
        _instants(ours), _instants(theirs)
    )
    here, there = cycles or (None, None)
    return Compared(
        sketched,
        "",
        compare_text(ours.text, theirs.text),
        compare_pins(ours.pins, theirs.pins),
        Side(*flash_and_ram(image.program), _cycles(here)),
        Side(*flash_and_ram(stock.file), _cycles(there)),
    )


def _cycles(nanoseconds: int | None) -> int | None:
    return None if nanoseconds is None else nanoseconds * _CYCLES_PER_US // 1000


def _instants(run: _Run) -> list[int]:
    return sorted(at for edges in run.pins.values() for at, _ in edges)


def _run(comparison: Comparison, program: Path, flash: Path, scenario: str, folder: Path) -> _Run:
    folder.mkdir()
    facts, waves = folder / "facts.json", folder / "waves.vcd"
    command: list[str | Path] = [prepare_avr_simulator(), "--board", STOCK_BOARD]
    command += ["--image", program, "--flash", flash]
    command += ["--facts", facts, "--vcd", waves, "--for", str(comparison.nanoseconds)]
    command += ["--note-text", "\n"]
    if scenario:
        flat = folder / "scenario.flat"
        flat.write_text(scenario, encoding="utf-8")
        command += ["--scenario", flat]
    confined_command = confined(command, find_board(STOCK_BOARD), folder)
    ended = simulate(confined_command, lambda: None, show_serial=False)
    if not has_facts(facts):
        raise unusable(ended)
    told = read_facts(facts)
    faults = told.get("faults") or []
    lines = [at for text in told.get("texts") or [] for at in text["times_ns"]]
    return _Run(ended.serial, lines, edges_of(waves), str(faults[0]["text"]) if faults else "")
