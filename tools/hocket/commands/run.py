"""`hocket run`: build, check, run on the board, stream Serial, end with the timing table."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hocket.boards import Board, find_board
from hocket.builder import Image, attaches_handlers, build_sketch, prepare_uno, prepare_world
from hocket.builder.policies import DEFAULT, check_policy
from hocket.bus_waits import note_buses
from hocket.card import KERNEL, flatten
from hocket.commands.further import add_further, build_further, further_options
from hocket.console import Progress, on_terminal, say
from hocket.durations import parse_duration
from hocket.errors import (
    EXIT_DEFECT,
    EXIT_DONE,
    EXIT_FAULT,
    EXIT_INTERRUPTED,
    EXIT_REFUSED,
    EXIT_TIME_OUT,
    EXIT_USAGE,
    HocketError,
    shorten,
)
from hocket.faults import add_longest_masked, add_places
from hocket.output import STANDARD, kept_for
from hocket.report import Report, make_report, read_facts, write_report
from hocket.scenario import Scenario, read_scenario
from hocket.simulator import Ended, simulate
from hocket.sketch.folder import Sketch, find_sketch
from hocket.timing import print_timing

WATCHED = ("sim", "uno")  # boards that can be watched and touched
ENDLESS = "1000000h"

if TYPE_CHECKING:
    from hocket.campaign.settings import Setting
    from hocket.coverage.asking import Coverage
    from hocket.coverage.lines import Lines
    from hocket.linux.beside import Beside, Neighbour


@dataclass(frozen=True)
class Request:
    """The options of `run`; `duration` as written."""

    sketch: str
    board: str = "sim"
    cores: int | None = None  # None: as the scenario says, else 1
    duration: str | None = None  # None: as the scenario says, else 10 s
    seed: int = 1
    report: Path | None = None
    trace: Path | None = None
    vcd: Path | None = None
    scenario: Path | None = None
    expect_text: tuple[str, ...] = ()
    fail_text: tuple[str, ...] = ()
    serial_limit: int = 16 * 1024 * 1024
    policy: str | None = None  # None: as the sketch declares
    beside: Beside | None = None
    settings: tuple[Setting, ...] = ()
    html: Path | None = None
    coverage: Coverage | None = None
    input: Path | None = None  # for Serial; None: what a pipe holds
    live: bool = False  # in step with this computer's clock, and Serial gets what is typed
    touches: Path | None = None  # of a lab, to be repeated

    def outputs(self) -> list[tuple[str, Path]]:
        """The files that are asked for, each with its option."""
        console = self.beside.console if self.beside is not None else None
        named = [("--json", self.report), ("--trace", self.trace), ("--vcd", self.vcd)]
        named += [("--console", console), ("--html", self.html)]
        return [(option, file) for option, file in named if file is not None]


@dataclass(frozen=True)
class Finished:
    """A run that came to its end: what the program said, the report, and the exit status of the command: 1
    when what the scenario expects was not seen, else the program's. lines: that ran, where that was asked."""

    ended: Ended
    report: Report
    status: int
    lines: Lines | None = None


def run_command(request: Request, watching: bool = False) -> int:
    """Runs once; `watching`: again after each change of the sketch or its scenario, until Ctrl-C."""
    if not watching:
        return _run_once(request)
    if request.input == STANDARD or request.live:
        raise HocketError(
            "--watch does not go with --live, nor with --input -",
            "standard input can be read once",
            "name a file: --input FILE",
        )
    from hocket.watch import watch

    return watch(lambda: _watched(request), lambda: _run_once(request, input_of_pipe=False))


def _watched(request: Request) -> list[Path]:
    """Where a change starts a run again: the sketch's folder and the scenario."""
    place = Path(request.sketch)
    folder = place if place.is_dir() else place.parent
    return [folder, *([request.scenario] if request.scenario else [])]


def _run_once(request: Request, input_of_pipe: bool = True) -> int:
    with kept_for(request.report):
        return _run(request, input_of_pipe)


def _run(request: Request, input_of_pipe: bool) -> int:
    """With the coverage of its lines, whatever the run came to."""
    covered: list[Lines] = []
    try:
        status = _run_and_tell(request, covered, input_of_pipe)
    except HocketError as error:
        if request.coverage is None or not covered:
            raise
        print(error, file=sys.stderr)
        status = error.exit_code
    return status if request.coverage is None else _tell_lines(request.coverage, covered, status)


def _tell_lines(asked: Coverage, covered: list[Lines], status: int) -> int:
    from hocket.coverage.merging import merge, write_lines
    from hocket.coverage.telling import tell

    lines = merge(covered)
    if asked.lines_to is not None:
        write_lines(lines, asked.lines_to)
        return status
    return tell(lines, asked, status)


def _run_and_tell(request: Request, covered: list[Lines], input_of_pipe: bool) -> int:
    board = find_board(request.board)
    check_request(request, board)
    sketch = find_sketch(request.sketch)
    scenario = find_scenario(request.scenario, sketch, board, request.settings)
    if scenario.expectations:
        from hocket.expect.judging import check_duration

        check_duration(scenario.expectations, duration_of(request, scenario), scenario.file)
    check_outputs(request.outputs(), inputs_of(sketch, request.scenario))
    image = build_sketch(
        sketch, board, policy=request.policy, coverage=request.coverage is not None
    )
    serial = b""
    if not request.live and (input_of_pipe or request.input is not None):
        from hocket.commands.run_input import read_input

        serial = read_input(request.input)
    finished = run_image(image, request, scenario, serial_input=serial)
    ended, report = finished.ended, finished.report
    if finished.lines is not None:
        covered.append(finished.lines)
    if ended.open_line:
        print()
    if ended.status == EXIT_REFUSED:
        print_refusal(report, ended, at_the_prompt=True)
        tell_expectations(report, scenario)
        return EXIT_REFUSED
    unusable = (
        ended.status == EXIT_USAGE
    )  # it ran, but cannot be used as it is: the notices say why
    print_timing(report | {"notices": []} if unusable else report)
    for name, other in report.get("boards", {}).items():
        print(f"\n{name}, wired to it:")
        print_timing(other)
    sys.stdout.flush()
    for line in ended.messages:
        print(line, file=sys.stderr)
    if unusable:
        tell_expectations(report, scenario)
        raise HocketError(
            " ".join(report["notices"]) or "this sketch cannot be used",
            next_step="change what it names, then run it again",
        )
    if ended.status == EXIT_TIME_OUT:
        say("the time given by --for ran out before every --expect-text was seen")
    tell_expectations(report, scenario)
    return finished.status


def tell_expectations(report: Report, scenario: Scenario) -> None:
    """On standard error: those that were not met, and how many there are."""
    if scenario.expectations and scenario.file is not None:
        from hocket.expect.judging import lines_of

        for line in lines_of(report["expectations"], scenario.file):
            print(line, file=sys.stderr)


def run_image(
    image: Image,
    request: Request,
    scenario: Scenario,
    show_serial: bool = True,
    serial_input: bytes = b"",
) -> Finished:
    """Runs a built sketch, and that of a board beside it; writes the files asked for; `serial_input` is
    sent to Serial as soon as it is begun. HocketError when the program left no facts."""
    other = build_further(scenario.further, image.board)
    with tempfile.TemporaryDirectory(prefix="hocket-") as name:
        folder = Path(name)
        neighbour = _neighbour(image, request, scenario, folder)
        command = command_of(image, request, scenario, folder, neighbour)
        if request.coverage is not None:
            from hocket.coverage.asking import VISITS

            command = ["env", f"{VISITS}={folder / 'visits'}", *command]
        if serial_input:
            (folder / "input").write_bytes(serial_input)
            command += ["--input", folder / "input"]
        waves = request.vcd
        if request.html is not None:
            from hocket.webreport.of_run import LINE_ENDS

            command += LINE_ENDS
            waves = waves or folder / "pins.vcd"
        if scenario.expectations:
            from hocket.expect.judging import signals_of, texts_of

            for text in texts_of(scenario.expectations):
                command += ["--note-text", text]
            if waves is None and signals_of(scenario.expectations):
                waves = folder / "pins.vcd"
        if waves is not None:
            command += ["--vcd", waves.absolute()]
        if scenario.further is not None and other is not None:
            command += further_options(scenario.further, other, folder, request.vcd is not None)
        if show_serial:
            # It may be refused yet: a line that stays says no more than what is true then.
            doing = "running" if on_terminal() else "starting"
            shown = Progress(f"{doing} {image.sketch.name} on {image.board.name}")
            try:
                ended = _simulate(command, shown, request.live, request.html is not None)
            finally:
                shown.stop()
        else:
            ended = simulate(command, lambda: None, show_serial=False)
        facts_file = folder / "facts.json"
        if not facts_file.is_file():
            raise unusable(ended)
        facts = read_facts(facts_file)
        add_places(facts.get("faults") or [], image.sketch_elf, image.sketch.folder)
        add_longest_masked(facts, image.sketch_elf, image.sketch.folder)
        if neighbour is not None:
            neighbour.add_to(facts)
        report = make_report(facts, image.sketch.name, image.board.name, image.board.clock)
        note_buses(report, image.sketch_elf)
        if scenario.further is not None and other is not None:
            report = add_further(report, scenario.further, other, folder, request.vcd)
        status = ended.status
        if scenario.expectations:
            from hocket.expect.judging import judge_run

            report["expectations"] = judge_run(scenario.expectations, report, facts, waves)
            if status == EXIT_DONE and not all(each["met"] for each in report["expectations"]):
                status = EXIT_FAULT
        if request.report is not None:
            write_report(report, request.report)
        if request.trace is not None and ended.status != EXIT_REFUSED:
            from hocket.trace.convert import convert

            convert(folder / "log.hklog", request.trace)
        if request.html is not None:
            from hocket.webreport.of_run import write_html

            write_html(request, report, facts, image, ended, folder / "log.hklog", waves)
        lines = None
        if request.coverage is not None:
            from hocket.coverage.lines import lines_of

            lines = lines_of(image.sketch_elf, folder / "visits", image.sketch.folder)
    return Finished(ended, report, status, lines)


def _simulate(command: list[str | Path], shown: Progress, live: bool, keep_serial: bool) -> Ended:
    if not live:
        return simulate(command, shown.stop, keep_serial=keep_serial)
    from hocket.commands.run_input import keys_to_serial

    shown.stop()  # it would write over what the sketch says
    with keys_to_serial() as keys:
        live_command = [*command, *keys.options]
        return simulate(
            live_command, shown.stop, keep_serial=keep_serial, descriptors=keys.descriptors
        )


def print_refusal(report: Report, ended: Ended, at_the_prompt: bool = False) -> None:
    """Why admission control refused, on standard error; at the prompt also what to do about it."""
    reasons = report["admission"]["reasons"]
    for reason in reasons:
        print(f"hocket: refused: {reason}", file=sys.stderr)
    if reasons and at_the_prompt:
        cores = report["cores"]
        more = cores < find_board(report["board"]).most_cores
        also = f", or give it more cores (--cores {cores + 1})" if more else ""
        print(f"  next:  ask for a smaller C or a longer T{also}", file=sys.stderr)
    if not reasons:
        for line in ended.messages:
            print(line, file=sys.stderr)


def find_scenario(
    chosen: Path | None, sketch: Sketch, board: Board, settings: Sequence[Setting] = ()
) -> Scenario:
    """The scenario chosen, else the sketch's own, else an empty one; with parts set for one run."""
    file = chosen or own_scenario(sketch)
    if file is None:
        for setting in settings:
            if setting.target.loop is None:
                raise HocketError(
                    f"'{setting}': there is no scenario, so there are no parts",
                    next_step="name one: --scenario FILE",
                )
        return Scenario()
    if not file.is_file():
        raise HocketError(
            f"{file} is a folder, no scenario" if file.is_dir() else f"there is no scenario {file}",
            next_step="name a YAML file, or leave --scenario out",
        )
    return read_scenario(file, board.name, settings)


def own_scenario(sketch: Sketch) -> Path | None:
    for name in ("scenario.yaml", "scenario.yml", f"{sketch.name}.yaml", f"{sketch.name}.yml"):
        if (sketch.folder / name).is_file():
            return sketch.folder / name
    return None


def check_request(request: Request, board: Board) -> None:
    """Refuses what cannot work before anything is built."""
    if request.cores is not None:
        check_cores(request.cores, board)
    if request.duration is not None:
        parse_duration(request.duration, "--for")
    if (request.live or request.touches is not None) and board.name not in WATCHED:
        option = "--live" if request.live else "--touches"
        raise HocketError(
            f"{option} is not for the board {board.name}",
            "what runs in QEMU cannot stand still between two instructions",
            f"use --board {' or --board '.join(WATCHED)}",
        )
    if request.touches is not None:
        from hocket.lab.touch_file import check_touches

        check_touches(request.touches, board.name, request.cores, request.seed)
    if request.live and request.input is not None:
        raise HocketError(
            "--live and --input do not go together",
            "--live sends what comes from standard input",
            "leave one of them out",
        )
    if request.beside is not None:
        from hocket.linux.beside import check

        check(request.beside, board.name, request.cores or 1)
    if request.policy is not None:
        check_policy(request.policy, board)
    check_seed(request.seed)
    if request.serial_limit < 1:
        raise HocketError(
            f"--serial-limit {request.serial_limit} is out of range", next_step="use 1 or more"
        )
    for option, texts in (
        ("--expect-text", request.expect_text),
        ("--fail-text", request.fail_text),
    ):
        if "" in texts:
            raise HocketError(f"{option} is empty", "every output holds it", "name a text")
    for option, file in request.outputs():
        check_writable(option, file)


def inputs_of(sketch: Sketch, scenario: Path | None = None) -> list[Path]:
    """The user's files that a run is made from."""
    file = scenario or own_scenario(sketch)
    of_sketch = [*sketch.tabs, *sketch.sources, *sketch.headers]
    return of_sketch if file is None else [*of_sketch, file]


def check_outputs(outputs: list[tuple[str, Path]], inputs: Iterable[Path]) -> None:
    """Each result has a file of its own, and none that the run is made from."""
    taken = {file.resolve(): f"{file.name} is what is run" for file in inputs}
    for option, file in outputs:
        if file == STANDARD:
            continue
        place = file.resolve()
        if place in taken:
            raise HocketError(
                f"{option} {file} would overwrite a file", taken[place], "name another file"
            )
        taken[place] = f"{option} writes it already"


def check_writable(option: str, file: Path) -> None:
    """Said before the run: its results would be lost otherwise."""
    cause = ""
    if file == STANDARD:
        if option == "--json":
            return
        cause = "only --json can be written to standard output"
    elif str(file) == ".":  # as Path says an empty name
        raise HocketError(f"{option} names no file", next_step="name a file in a folder of yours")
    elif file.is_dir():
        cause = "that is a folder"
    elif not file.parent.is_dir():
        cause = f"there is no folder {file.parent}"
    elif not os.access(file if file.exists() else file.parent, os.W_OK):
        cause = "permission denied"
    if cause:
        raise HocketError(
            f"{option} {file} cannot be written", cause, "name a file in a folder of yours"
        )


def check_seed(seed: int) -> None:
    if not 0 <= seed < 2**64:
        raise HocketError(f"--seed {seed} is out of range", next_step=f"use 0 to {2**64 - 1}")


def check_cores(cores: int, board: Board) -> None:
    if not 1 <= cores <= board.most_cores:
        only = board.most_cores == 1
        raise HocketError(
            f"--cores {cores} is out of range",
            f"the board {board.name} has {'one core' if only else f'1 to {board.most_cores} cores'}",
            "leave --cores out" if only else f"use --cores 1 to --cores {board.most_cores}",
        )


def cores_of(asked: int | None, scenario: Scenario) -> int:
    """The number of cores: what was asked for, else what the scenario says, else 1."""
    return asked or scenario.cores or 1


def duration_of(request: Request, scenario: Scenario) -> int:
    """Nanoseconds to run: what was asked for, else what the scenario says, else 10 s; what is typed into
    or was touched has no end of its own."""
    if request.duration is not None:
        return parse_duration(request.duration, "--for")
    if request.live or request.touches is not None:
        return parse_duration(ENDLESS, "--for")
    return scenario.duration or 10_000_000_000


def _neighbour(
    image: Image, request: Request, scenario: Scenario, folder: Path
) -> Neighbour | None:
    """The Linux that is asked for; what is of this run alone lies in the folder."""
    if request.beside is None:
        return None
    from hocket.linux import beside

    cores = cores_of(request.cores, scenario)
    beside.check(request.beside, image.board.name, cores)  # the scenario may say how many
    image.beside_for(cores)  # before anything is downloaded
    console = request.beside.console or image.sketch_elf.with_name("linux-console.txt")
    neighbour = beside.prepare(request.beside, image.sketch.folder, cores, folder, console)
    say(f"the console of Linux goes to {shorten(console.absolute())}")
    return neighbour


def command_of(
    image: Image,
    request: Request,
    scenario: Scenario,
    folder: Path,
    neighbour: Neighbour | None,
) -> list[str | Path]:
    cores = cores_of(request.cores, scenario)
    beside = neighbour.options if neighbour is not None else None
    command: list[str | Path] = [*board_program(image, cores, beside), "--cores", str(cores)]
    command += ["--for", str(duration_of(request, scenario))]
    command += ["--seed", str(request.seed), "--facts", folder / "facts.json"]
    if scenario.flat:
        (folder / "scenario.flat").write_text(scenario.flat, encoding="utf-8")
        command += ["--scenario", folder / "scenario.flat"]
    if request.trace is not None or request.html is not None:
        command += ["--log", folder / "log.hklog"]
    if request.touches is not None:
        command += ["--touches", request.touches.absolute()]
    if request.settings:
        from hocket.campaign.settings import loop_options

        command += loop_options(request.settings, image.board.name)
    for text in request.expect_text:
        command += ["--expect-text", text]
    for text in request.fail_text:
        command += ["--fail-text", text]
    return [*command, "--serial-limit", str(request.serial_limit)]


def board_program(
    image: Image, cores: int, beside: list[str | Path] | None = None
) -> list[str | Path]:
    """The program that runs the image on so many cores, with the options that all its commands have; those
    of a system beside it."""
    other = ["--policy", image.policy] if image.policy != DEFAULT else []
    if beside is not None:
        return [*_program_beside(image, cores), *beside, *other]
    return [*_program(image, cores), *other]


def _program_beside(image: Image, cores: int) -> list[str | Path]:
    flash = image.beside_for(cores)
    return [prepare_world(), "--board", image.board.name, "--image", flash]


def _program(image: Image, cores: int) -> list[str | Path]:
    if image.board.name == "sim":
        return [image.program]
    if image.board.name == "uno":
        return [prepare_uno(), "--image", image.program, "--flash", image.flash_file]
    # On one core what the generator of edges takes is taken out of the board's clock, from EL2.
    made_edges = image.board.name == "virt" and cores == 1 and attaches_handlers(image.sketch_elf)
    world = prepare_world()
    words: list[str | Path] = ["--board", image.board.name, "--image", _startable(image, cores)]
    return [world, *words, *(["--hypervisor"] if made_edges else [])]


def _startable(image: Image, cores: int) -> Path:
    """The file that an emulator starts: for the Pi what lies on a card, so that the emulator does what
    its firmware does."""
    if image.board.name != "rpi3":
        return image.program_for(cores)
    program = image.program_for(cores)
    return _kept(program.with_name(KERNEL), flatten(program))


def _kept(file: Path, content: bytes) -> Path:
    """The file with this content; written only when it has another: some other run may be reading it."""
    if not file.is_file() or file.read_bytes() != content:
        fresh = file.with_name(f"{file.name}.{os.getpid()}")
        fresh.write_bytes(content)
        fresh.replace(file)
    return file


def unusable(ended: Ended) -> HocketError:
    """The error of a program that could not run the sketch, in its own words."""
    said = [line.removeprefix("hocket: ") for line in ended.messages if line.strip()]
    if ended.status == EXIT_INTERRUPTED:
        return HocketError(
            said[-1] if said else "interrupted",
            next_step="run it again",
            exit_code=EXIT_INTERRUPTED,
        )
    if ended.status == EXIT_USAGE and said:
        return HocketError(said[0], "\n".join(said[1:]), "mend what it names, then run it again")
    return HocketError(
        "the board's program left no facts",
        "; ".join(said) or f"it ended with status {ended.status}",
        "this is a defect of Hocket: please report it with the sketch",
        exit_code=EXIT_DEFECT,
    )
