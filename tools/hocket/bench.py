"""The interface for experiments of `hocket bench`.

    bench/<name>/experiment.py:
        SIZES = {"sim": Size(), "virt": Size(…)}     the boards that it supports, with the work on each
        QUICK = {"sim": Size(…)}                     the same for --quick; without SIZES: SIZE
        def run(context: Context) -> Result: …

Without --board an experiment runs on the first of its boards. An experiment without SIZES takes no --board:
it chooses its boards itself. `run` runs sketches through the context. It returns a table with the paper's
figures beside those measured, notes, and a function that draws the plot. The command prints the table and
writes `results/<name>.json`, `.png` and `.svg`. On another board than the first the files are named
`<name>-<board>`. Nothing here reads the host's clock: the same seed gives the same results.

An experiment with an `on_linux.py` beside it can also measure Linux, on the board with which Linux is
comparable. `run` gets the module from Context.on_linux(). Its programs for Linux are in bench/<name>/linux.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from hocket import plots
from hocket.boards import DEFAULT_BOARD, find_board, first_with
from hocket.builder import Image, build_sketch
from hocket.builder.board import bring_up_to_date
from hocket.builder.lock import locked
from hocket.console import progress
from hocket.errors import EXIT_DEFECT, EXIT_INTERRUPTED, EXIT_REFUSED, HocketError
from hocket.inside import allow
from hocket.linux.beside import Beside
from hocket.paths import BUILD, RESULTS, ROOT
from hocket.report import Report
from hocket.running.performing import run_image
from hocket.running.request import Request
from hocket.running.scenarios import find_scenario
from hocket.sketch.folder import find_sketch
from hocket.trace.eventlog import EventLog, read_log
from hocket.whole_files import write_result

EXPERIMENTS = ROOT / "bench"
BOARD = DEFAULT_BOARD  # of an experiment that chooses its boards itself
LINUX_BOARD = first_with("beside")  # the board with the same emulator and clock as Linux
LINUX = "on_linux"
_DEFECT = "an experiment's own sketches are meant to run: please report it"
QUICK = "QUICK, fewer points"
# The kind of a board's clock, beside its name.
CLOCKS = {"virtual": "virtual time", "emulated": "emulated: instructions"}


@dataclass(frozen=True)
class Run:
    """One run of a sketch: exit status, report, the output of Serial (port 0), and the event log and the
    waves if they were requested."""

    status: int
    report: Report
    serial: str
    log: EventLog | None
    vcd: str | None

    def loop(self, number: int) -> dict[str, Any]:
        """Returns the report's entry of the loop with this id."""
        for loop in self.report["loops"]:
            if loop["id"] == number:
                entry: dict[str, Any] = loop
                return entry
        raise KeyError(f"the report has no loop {number}")

    def conditions(self) -> str:
        """Returns the conditions of the measurement for the notes: board, cores, clock and seed."""
        report = self.report
        cores = f"{report['cores']} core{'s' if report['cores'] > 1 else ''}"
        text = f"board {report['board']}, {cores}, {report['clock']} clock, seed {report['seed']}"
        model = report["model"]
        if model is None:
            return f"{text}; {report['tick']}" if "tick" in report else text
        return (
            f"{text}; {model['block_ns']} ns per basic block: a model, not a measurement of a board"
        )


@dataclass(frozen=True)
class Result:
    """The result of an experiment.

    columns, rows  the table; cells are text or numbers; a paper's figure stands beside the measured one
    notes          board, clock, seed, and what the reader must know
    plot           draws into a matplotlib figure; None: no plot
    data           figures behind the plot, for the JSON file
    more           further tables of the same experiment (their plots are not drawn)
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str | int | float | None]]
    notes: Sequence[str]
    plot: Callable[[Any], None] | None = None
    data: dict[str, Any] = field(default_factory=dict)
    more: Sequence[Result] = ()

    def content(self) -> dict[str, Any]:
        """Returns the content of the JSON file."""
        return {
            "title": self.title,
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "notes": list(self.notes),
            "data": self.data,
        }


class Context:
    """What an experiment may use: its folder, the results' folder, the board, the seed, and runs of
    sketches."""

    def __init__(
        self, name: str, seed: int, board: str = BOARD, linux: bool = False, quick: bool = False
    ) -> None:
        self.name = name
        self.seed = seed
        self.board = board
        self.linux = linux
        self.quick = quick
        self.runs = 0
        self.folder = EXPERIMENTS / name
        self.results = RESULTS
        self._images: dict[tuple[Path, str | None], Image] = {}

    def place(self) -> str:
        """Returns board and clock, for titles."""
        return f"board {self.board}, {CLOCKS[find_board(self.board).clock]}"

    def on_linux(self) -> ModuleType | None:
        """Returns the experiment's on_linux.py if Linux was requested."""
        return load_experiment(self.name, LINUX) if self.linux else None

    def run_sketch(
        self,
        sketch: Path | str,
        *,
        cores: int = 1,
        duration: str = "10s",
        seed: int | None = None,
        scenario: Path | None = None,
        scenario_text: str | None = None,
        log: bool = False,
        vcd: bool = False,
        fail_text: tuple[str, ...] = (),
        serial_limit: int = 16 * 1024 * 1024,
        policy: str | None = None,
        beside: str | Beside | None = None,
        expect_text: tuple[str, ...] = (),
    ) -> Run:
        """Builds a sketch (once) and runs it. Relative paths start at the experiment's folder.

        scenario_text: YAML generated by the experiment, instead of a file. policy: None: the sketch's
        declaration. beside: a Linux system, with the sketch's job. expect_text: ends the run. Raises
        HocketError if the sketch is refused or cannot run, because an experiment's sketches are expected to
        run.
        """
        path = Path(sketch) if Path(sketch).is_absolute() else self.folder / sketch
        image = self._image(path, policy)
        with tempfile.TemporaryDirectory(prefix="hocket-bench-") as name:
            folder = Path(name)
            if scenario_text is not None:
                scenario = folder / "scenario.yaml"
                scenario.write_text(scenario_text, encoding="utf-8")
            elif scenario is not None and not scenario.is_absolute():
                scenario = self.folder / scenario
            request = Request(
                str(path),
                self.board,
                cores,
                duration,
                self.seed if seed is None else seed,
                trace=folder / "log.hklog" if log else None,
                vcd=folder / "pins.vcd" if vcd else None,
                fail_text=fail_text,
                serial_limit=serial_limit,
                policy=policy,
                expect_text=expect_text,
                beside=Beside(beside) if isinstance(beside, str) else beside,
            )
            found = find_scenario(scenario, image.sketch, image.board)
            self.runs += 1
            with progress(f"running {self.name}: run {self.runs}, {path.name} on {self.board}"):
                done = run_image(image, request, found, show_serial=False)
            if done.ended.status == EXIT_INTERRUPTED:
                raise KeyboardInterrupt
            if done.ended.status == EXIT_REFUSED:
                reasons = "; ".join(done.report["admission"]["reasons"])
                raise HocketError(
                    f"{path.name} was refused", reasons, _DEFECT, exit_code=EXIT_REFUSED
                )
            return Run(
                done.ended.status,
                done.report,
                done.ended.serial.decode("utf-8", "replace"),
                read_log(folder / "log.hklog") if log else None,
                (folder / "pins.vcd").read_text(encoding="utf-8") if vcd else None,
            )

    def write_sketch(self, name: str, text: str) -> Path:
        """Writes a generated sketch and returns its folder. The sketch finds the libraries of the experiment
        and those of all experiments, as if it were in the experiment's folder."""
        book = BUILD / "bench-sketches" / self.name
        folder = book / hashlib.sha256(text.encode()).hexdigest()[:12] / name
        folder.mkdir(parents=True, exist_ok=True)
        for above, origin in ((book, self.folder), (book.parent, EXPERIMENTS)):
            link, libraries = above / "libraries", origin / "libraries"
            if libraries.is_dir():
                with contextlib.suppress(FileExistsError):
                    link.symlink_to(libraries)
                allow([libraries])
        sketch = folder / f"{name}.ino"
        if not sketch.is_file() or sketch.read_text(encoding="utf-8") != text:
            sketch.write_text(text, encoding="utf-8")
        return folder

    def _image(self, path: Path, policy: str | None) -> Image:
        key = (path, policy)
        if key not in self._images:
            self._images[key] = build_sketch(
                find_sketch(str(path)), find_board(self.board), policy=policy
            )
        return self._images[key]


def build_targets(preset: str, *targets: str) -> None:
    """Builds targets of a preset of the project (CMakePresets.json): programs and images that an experiment
    measures without a sketch."""
    bring_up_to_date(preset, "what is measured", *targets)


def build_programs(source: Path) -> Path:
    """Builds a CMake project of an experiment, with programs for this computer. Returns the folder of the
    programs."""
    folder = BUILD / f"bench-{source.name}"
    configure: list[str | Path] = ["cmake", "-S", source, "-B", folder, "-G", "Ninja"]
    configure += ["-DCMAKE_CXX_COMPILER=clang++-19", "--log-level=WARNING"]
    with locked(folder):
        for command in (configure, ["ninja", "-C", str(folder)]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise HocketError(
                    f"the programs of {source.name} could not be built",
                    (done.stdout + done.stderr)[-2000:],
                    "if hocket doctor finds nothing, this is a defect of Hocket",
                    exit_code=EXIT_DEFECT,
                )
    return folder


def primes_below(limit: int) -> int:
    """Returns the number of primes below the limit, by the sieve of Eratosthenes: an independent check of the
    experiments' findPrime()."""
    sieve = bytearray([0, 0]) + bytearray([1]) * max(limit - 2, 0)
    for number in range(2, int(limit**0.5) + 1):
        if sieve[number]:
            sieve[number * number :: number] = bytes(len(sieve[number * number :: number]))
    return sum(sieve[:limit])


def experiments() -> list[str]:
    """Returns the names of the experiments: folders of bench/ with an experiment.py."""
    if not EXPERIMENTS.is_dir():
        return []
    return sorted(file.parent.name for file in EXPERIMENTS.glob("*/experiment.py"))


def description(name: str) -> str:
    """Returns the first line of the experiment's docstring."""
    import ast

    source = (EXPERIMENTS / name / "experiment.py").read_text(encoding="utf-8")
    text = ast.get_docstring(ast.parse(source)) or ""
    return text.partition("\n")[0]


def load_experiment(name: str, part: str = "experiment") -> ModuleType:
    """Returns the module of bench/<name>/experiment.py, or of another part of the experiment."""
    file = EXPERIMENTS / name / f"{part}.py"
    spec = importlib.util.spec_from_file_location(f"{part}_{name.replace('-', '_')}", file)
    if spec is None or spec.loader is None:
        raise HocketError("this experiment cannot be loaded", next_step=_DEFECT, file=file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look up their module there
    spec.loader.exec_module(module)
    return module


def boards_for(name: str) -> list[str]:
    """Returns the boards of the experiment. Empty: it takes no --board."""
    sizes = getattr(load_experiment(name), "SIZES", ())  # by board, or by another key
    return [board for board in sizes if isinstance(board, str)]


def has_linux(name: str) -> bool:
    """Returns whether the experiment can measure Linux."""
    return (EXPERIMENTS / name / f"{LINUX}.py").is_file()


def board_meant(name: str) -> str:
    """Returns the board on which the experiment runs without --board."""
    return next(iter(boards_for(name)), BOARD)


def has_quick(name: str, board: str = BOARD) -> bool:
    """Returns whether the experiment has a quick form on this board."""
    fewer = getattr(load_experiment(name), "QUICK", None)
    return board in fewer if isinstance(fewer, dict) else fewer is not None


def run_experiment(
    name: str, seed: int, board: str = BOARD, linux: bool = False, quick: bool = False
) -> Result:
    """Runs bench/<name>/experiment.py on a board. board: one of boards_for(name), or BOARD. linux: also
    measure Linux; requires has_linux() and the board LINUX_BOARD. quick: use QUICK instead of its sizes;
    requires has_quick(). The result is then marked."""
    module = load_experiment(name)
    if quick:
        if isinstance(module.QUICK, dict):
            module.SIZES = module.QUICK  # type: ignore[attr-defined]
        else:
            module.SIZE = module.QUICK  # type: ignore[attr-defined]
    result: Result = module.run(Context(name, seed, board, linux, quick))
    return marked_quick(result) if quick else result


def marked_quick(result: Result) -> Result:
    """Returns the result with a mark in title, notes, plot and data, so that it is not mistaken for a full
    one."""
    own = result.plot

    def plot(figure: Any) -> None:
        assert own is not None
        own(figure)
        figure.supylabel(QUICK, fontsize="x-small", color="#a00000")

    return replace(
        result,
        title=f"{QUICK}: {result.title}",
        notes=[
            f"{QUICK}: a look, no result; without --quick it is measured in full",
            *result.notes,
        ],
        plot=None if own is None else plot,
        data=result.data | {"quick": True},
    )


def save(
    name: str, result: Result, board: str = BOARD, linux: bool = False, quick: bool = False
) -> list[Path]:
    """Writes results/<name>.json and, if there is a plot, .png and .svg. Returns the files. The file names
    contain the board if it is not the experiment's first one, and mark Linux and quick runs."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    if linux:
        name = f"{name}-linux"
    elif board != board_meant(name):
        name = f"{name}-{board}"
    name += "-quick" if quick else ""
    content = {"experiment": name, **result.content()}
    if result.more:
        content["more"] = [table.content() for table in result.more]
    file = RESULTS / f"{name}.json"
    write_result(file, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    return [file, *_plot(name, result)]


def _plot(name: str, result: Result) -> list[Path]:
    if result.plot is None:
        return []
    figure = plots.make(result.plot, name, BUILD / "matplotlib")
    files = [RESULTS / f"{name}.png", RESULTS / f"{name}.svg"]
    figure.savefig(files[0], metadata={"Software": "Hocket"})
    figure.savefig(files[1], metadata={"Date": None, "Creator": "Hocket"})
    return files
