"""The options of a run, and the checks of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hocket.boards import DEFAULT_BOARD, Board, boards_with
from hocket.builder.policies import check_policy
from hocket.durations import parse_duration
from hocket.errors import HocketError
from hocket.inside import OPTION, allowed
from hocket.output import STANDARD
from hocket.own_files import check_not_own
from hocket.started import word

if TYPE_CHECKING:
    from hocket.coverage.asking import Coverage
    from hocket.linux.beside import Beside
    from hocket.scenario import Scenario
    from hocket.scenario.settings import Setting

WATCHED = boards_with("watched")
ENDLESS = "1000000h"
ENDINGS = {  # of the files that are written for other programs
    "--html": (".htm", ".html"),
    "--vcd": (".vcd",),
    "--trace": (".hklog", ".vcd", ".pftrace"),
}
_OF_OTHER_FORMATS = frozenset(
    [
        ".csv",
        ".gif",
        ".hklog",
        ".htm",
        ".html",
        ".jpeg",
        ".jpg",
        ".json",
        ".md",
        ".pdf",
        ".pftrace",
        ".png",
        ".svg",
        ".txt",
        ".vcd",
        ".webp",
        ".xml",
    ]
)
SERIAL_LIMIT = 16 * 1024 * 1024  # default limit in bytes


@dataclass(frozen=True)
class Request:
    """The options of `run`. duration: as written."""

    sketch: str
    board: str = DEFAULT_BOARD
    cores: int | None = None  # None: the scenario's, else 1
    duration: str | None = None  # None: the scenario's, else 10 s
    seed: int = 1
    report: Path | None = None
    trace: Path | None = None
    vcd: Path | None = None
    scenario: Path | None = None
    expect_text: tuple[str, ...] = ()
    fail_text: tuple[str, ...] = ()
    serial_limit: int = SERIAL_LIMIT
    policy: str | None = None  # None: the sketch's declaration
    beside: Beside | None = None
    settings: tuple[Setting, ...] = ()
    html: Path | None = None
    coverage: Coverage | None = None
    input: Path | None = None  # for Serial; None: the content of a pipe
    live: bool = False  # keeps to this computer's clock; Serial gets typed keys
    touches: Path | None = None  # of a recorded lab, to be repeated
    anyway: bool = False  # run refused loops, too, without guarantees

    def outputs(self) -> list[tuple[str, Path]]:
        """Returns the requested output files, each with its option."""
        console = self.beside.console if self.beside is not None else None
        named = [("--json", self.report), ("--trace", self.trace), ("--vcd", self.vcd)]
        named += [("--console", console), ("--html", self.html)]
        return [(option, file) for option, file in named if file is not None]

    def inputs(self) -> list[Path]:
        """Returns the files that the options name as inputs."""
        named = (self.scenario, self.input, self.touches)
        return [file for file in named if file is not None and file != STANDARD]

    def words(self) -> list[str]:
        """Returns the command line of this run as a user would type it, without the options for output files.
        It always has the board and the seed, because the sketch's hocket.toml may set others."""
        named: list[tuple[str, object]] = [
            ("--board", self.board),
            ("--cores", self.cores),
            ("--for", self.duration),
            ("--scenario", self.scenario),
            ("--policy", self.policy),
        ]
        if self.beside is not None:
            named += [("--beside", self.beside.word), ("--memory", self.beside.memory)]
        named += [("--expect-text", text) for text in self.expect_text]
        named += [("--fail-text", text) for text in self.fail_text]
        if self.serial_limit != SERIAL_LIMIT:
            named.append(("--serial-limit", self.serial_limit))
        named += [("--input", self.input), ("--touches", self.touches), ("--seed", self.seed)]
        named += [("--set", setting) for setting in self.settings]
        named += [(OPTION, folder) for folder in allowed()]
        given = [(option, str(value)) for option, value in named if value is not None]
        flags = ["--live"] * self.live + ["--anyway"] * self.anyway
        return [word(), "run", self.sketch, *(each for pair in given for each in pair), *flags]


def check_request(request: Request, board: Board) -> None:
    """Refuses options that cannot work, before anything is built."""
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
    if request.anyway and board.name not in WATCHED:
        raise HocketError(
            f"--anyway is not for the board {board.name}",
            "its image checks its loops itself, and starts none of a set that it refuses",
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


def check_outputs(outputs: list[tuple[str, Path]], inputs: Iterable[Path]) -> None:
    """Checks that each output has a file of its own, which is not an input of the run."""
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
    """Checks before the run that the file can be written. Otherwise the results would be lost."""
    cause = ""
    if file == STANDARD:
        if option == "--json":
            return
        cause = "only --json can be written to standard output"
    elif str(file) == ".":  # Path("") becomes "."
        raise HocketError(f"{option} names no file", next_step="name a file in a folder of yours")
    elif file.is_dir():
        cause = "that is a folder"
    elif not file.parent.is_dir():
        cause = f"there is no folder {file.parent}"
    elif not os.access(file if file.exists() else file.parent, os.W_OK) or not _replaceable(file):
        cause = "permission denied"
    if cause:
        raise HocketError(
            f"{option} {file} cannot be written", cause, "name a file in a folder of yours"
        )
    check_not_own(f"{option} {file}", file)
    check_ending(option, file, ENDINGS.get(option, ()))


def check_ending(option: str, file: Path, endings: Sequence[str]) -> None:
    """Refuses a file whose name promises another format than those of the option. A name without a known
    ending promises none, and devices and pipes may have any name."""
    if not endings or (file.exists() and not file.is_file()):
        return
    if file.suffix.lower() not in _OF_OTHER_FORMATS.difference(endings):
        return
    raise HocketError(
        f"{option} {file}: {file.suffix} is none of its formats",
        f"the ending says what is written: {', '.join(endings)}",
        f"write {option} {file.with_suffix(endings[-1])}",
    )


def _replaceable(file: Path) -> bool:
    """Returns whether the file can be replaced in its folder (hocket.whole_files). Devices and pipes are not
    replaced."""
    odd = file.exists() and not file.is_file()
    return odd or os.access(file.resolve().parent, os.W_OK)


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


def cores_of(asked: int | None, scenario: Scenario, board: Board) -> int:
    """Returns the number of cores: the requested one, else the scenario's, else 1."""
    wished = asked or scenario.cores or 1
    if wished > board.most_cores:
        has = "one core" if board.most_cores == 1 else f"{board.most_cores} cores"
        raise HocketError(
            f"the scenario has {wished} cores, and the board {board.name} has {has}",
            next_step=f"add --cores {board.most_cores}",
            file=scenario.file,
        )
    return wished


def duration_of(request: Request, scenario: Scenario) -> int:
    """Returns the time to run in nanoseconds: the requested one, else the scenario's, else 10 s. A run with
    live input or with touches has no end of its own."""
    if request.duration is not None:
        return parse_duration(request.duration, "--for")
    if request.live or request.touches is not None:
        return parse_duration(ENDLESS, "--for")
    return scenario.duration or 10_000_000_000
