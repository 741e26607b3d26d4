"""Builds a board's libraries with CMake and reads how a sketch is compiled and linked against them.

CMake writes `build/<board>/sketch-build.json`:
    cxx      the compiler
    linker   the linker, if it is not the compiler
    compile  the compiler's flags for a source of a sketch
    inline_assembly  further flags for a source with assembler that clang cannot read by default
    link     arguments of the link, after the objects
    inputs   files whose change requires a new link
    plain    for each archive of sketches with loops, the archive that replaces it in sketches without loops
    standard_streams  the object for sketches that use standard output, and the object for those that also
        read standard input
    any_change  the object for sketches that compute the number of a pin-change interrupt (pin_numbers.py)
    kernels  the linked libraries that exist once for each policy (policies.py)
    kernel_for  for a symbol that the sketch names, the kernel that replaces the first of `kernels`. If
        several symbols match, the last one counts (linking.py)
    loop_states  for each policy whose value differs from that of `memory`: the RAM of a loop besides its
        stack, in bytes. The sketch is compiled with it
    around   the kernel libraries that are put around a linked sketch (kernel.py), by name, on boards that
        have them. Each is built when a sketch first needs it
    join     the commands that combine the two: {sketch} is the linked sketch, {kernel} the library,
        {program} the result, and {folder} the folder of the result
    join_beside  the same for kernels beside another system. Their flash image is {program}.flash
    memory   the board's memory sizes (room.py), if the linker does not know them
    gcc      the compiler of sketches without loops (avr_gcc.py): the fields of Gcc
    stack    the default stack of a loop in bytes, if it is not in `memory`
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
import subprocess
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hocket.boards import BOARDS_FOLDER, Board, board_named, first_of
from hocket.builder import products
from hocket.builder.lock import LOCK, locked
from hocket.builder.room import Memory
from hocket.confinement import LAUNCHER
from hocket.console import Progress, progress, say
from hocket.errors import EXIT_DEFECT, HocketError
from hocket.packages import require
from hocket.paths import BUILD, ELSEWHERE, INSTALLED, ROOT

# The preset for a processor's boards, where it has another name.
PRESETS = {"host": "sim"}


@dataclass(frozen=True)
class Kernel:
    """A kernel library. target: the CMake target that builds it. Empty: it is already built."""

    library: Path
    target: str = ""


@dataclass(frozen=True)
class Gcc:
    """The board's second compiler (avr_gcc.py).

    whole: flags of link-time optimisation, for compiling and linking. prefix_map: the option that sets a
    file's name. instead_of: the linked library that `library` replaces, or `library_apart` without link-time
    optimisation.
    """

    cxx: str
    version: str
    compile: tuple[str, ...]
    whole: tuple[str, ...]
    prefix_map: str
    instead_of: str
    library: str
    library_apart: str

    @property
    def name(self) -> str:
        return f"avr-gcc {self.version}"


@dataclass(frozen=True)
class Toolchain:
    cxx: str
    compile: tuple[str, ...]
    link: tuple[str, ...]
    inputs: tuple[Path, ...]
    linker: str = ""
    memory: Memory | None = None
    inline_assembly: tuple[str, ...] = ()
    kernels: tuple[str, ...] = ()
    around: Mapping[str, Kernel] = field(default_factory=dict)
    join: tuple[tuple[str, ...], ...] = ()
    join_beside: tuple[tuple[str, ...], ...] = ()
    stack: int = 0
    loop_states: Mapping[str, int] = field(default_factory=dict)
    plain: Mapping[str, str] = field(default_factory=dict)
    kernel_for: Mapping[str, str] = field(default_factory=dict)
    standard_streams: tuple[str, ...] = ()
    any_change: str = ""
    own: tuple[str, ...] = ()  # replaces `compile` for the sketch's own sources
    gcc: Gcc | None = None

    @property
    def name(self) -> str:
        """The name of the compiler: clang and its release."""
        release = re.search(r"clang\+\+-(\d+)$", self.cxx)
        return f"clang {release[1]}" if release else Path(self.cxx).name

    @property
    def for_sketch(self) -> tuple[str, ...]:
        return self.own or self.compile

    def unoptimized(self) -> Toolchain:
        """Returns the toolchain for a debugger: the sketch's own sources are compiled without optimisation.
        Libraries are optimised as usual."""
        own = tuple("-O0" if re.fullmatch("-O[123sz]", flag) else flag for flag in self.compile)
        return dataclasses.replace(self, own=own)

    def at_fixed_time(self, definitions: Sequence[str]) -> Toolchain:
        """Returns the toolchain with a fixed __DATE__ and __TIME__."""
        flags = ("-Wno-builtin-macro-redefined", *definitions)
        gcc = self.gcc and dataclasses.replace(self.gcc, compile=(*self.gcc.compile, *flags))
        own = self.own and (*self.own, *flags)
        return dataclasses.replace(self, compile=(*self.compile, *flags), own=own, gcc=gcc)


def jobs() -> int:
    return os.cpu_count() or 2


def prepare_board(board: Board) -> Toolchain:
    """Brings the board's libraries up to date and returns the toolchain for sketches."""
    folder = bring_up_to_date(board.name, f"the board {board.name}")
    return read_toolchain(folder / "sketch-build.json")


def prepare_world() -> Path:
    """Brings the simulated world of the boards in QEMU (simulation/peer) up to date and returns its
    program."""
    folder = bring_up_to_date("sim", "the simulated parts", "hocket_world")
    return folder / "simulation" / "peer" / "hocket_world"


def prepare_launcher() -> None:
    """Builds the launcher that confines compilers and the boards' programs, if it is missing."""
    if not LAUNCHER.is_file():
        bring_up_to_date("sim", "the sandbox of sketches", LAUNCHER.name)


def prepare_avr_simulator() -> Path:
    """Brings the simulator of AVR boards (simulation/avr) up to date and returns its program."""
    return prepare_avr_program("hocket_avr")


def prepare_avr_check() -> Path:
    """Brings the admission of AVR boards up to date and returns its program, which needs no simulator."""
    return prepare_avr_program("avr_check", "the admission of AVR boards")


def prepare_avr_program(program: str, what: str = "the simulator of AVR boards") -> Path:
    """As prepare_avr_simulator(), for any program of simulation/avr."""
    folder = bring_up_to_date("sim", what, program)
    return folder / "simulation" / "avr" / program


def prepare_uno_image(name: str) -> Path:
    """Brings an image of arduino/cores/avr8/CMakeLists.txt (the kernel's paths) up to date and returns the
    file."""
    folder = bring_up_to_date(first_of("avr8"), f"the image {name}", name)
    return folder / "arduino" / "cores" / "avr8" / f"{name}.elf"


def bring_up_to_date(preset: str, what: str, *targets: str) -> Path:
    """Builds targets of a preset of CMakePresets.json and returns the build folder.

    Configures the preset first if it is not configured yet, or if it lacks one of the targets because a
    library was installed since then. targets: empty: the default targets. what: the name of the build in
    messages.
    """
    folder = BUILD / preset
    require("run", what)
    if ELSEWHERE and not INSTALLED and not folder.is_dir():
        say(f"{ROOT} cannot be written, so builds go to {BUILD}")
    _make(folder)
    with locked(folder):
        forget_another_place(folder)
        if not _knows(folder, targets):
            with progress(f"configuring {what}"):
                _run(configuration(preset, folder), None)
        damaged = products.remove_damaged(folder)
        if damaged:
            names = ", ".join(sorted(file.name for file in damaged)[:3])
            say(f"{what} is damaged ({names}): it is built again")
        stale = bool(damaged) or _out_of_date(folder, targets)
        if stale:
            with progress(f"building {what}") as shown:
                build = ["cmake", "--build", str(folder), "--parallel", str(jobs())]
                _run([*build, "--target", *(targets or ("all",))], shown)
        products.remember(folder, anew=stale)
    return folder


def configuration(name: str, folder: Path) -> list[str]:
    """Returns the command that configures a build: of a board, or of a preset of CMakePresets.json that is no
    board's."""
    board = board_named(name)
    preset = name if board is None else PRESETS.get(board.processor, board.processor)
    command = ["cmake", "--preset", preset, "-B", str(folder)]
    if board is not None and name != preset:
        command += [f"-DHOCKET_BOARD={name}", f"-DHOCKET_BOARDS={_own_folder(name)}"]
    return command


def _own_folder(name: str) -> str:
    """Returns the folder of HOCKET_BOARDS that has the board. Empty: it is one of Hocket's own."""
    board = board_named(name)
    own = board is not None and board.folder.parent != BOARDS_FOLDER
    return str(board.folder.parent) if board is not None and own else ""


def forget_another_place(folder: Path) -> None:
    """Empties a build folder that was configured when the project, the folder or the board's description lay
    at another path: its files contain the old paths."""
    cache = folder / "CMakeCache.txt"
    if not cache.is_file():
        return
    known = dict(re.findall(r"^(\w+):\w+=(.*)$", cache.read_text("utf-8"), re.M))
    places = (known.get("CMAKE_HOME_DIRECTORY"), known.get("CMAKE_CACHEFILE_DIR"))
    own = known.get("HOCKET_BOARDS", "") == _own_folder(folder.name)
    if own and [p and Path(p).resolve() for p in places] == [ROOT.resolve(), folder.resolve()]:
        return
    for file in folder.iterdir():
        if file.name == LOCK:
            continue  # this process holds the lock
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        else:
            file.unlink()


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise HocketError(
            f"{folder} cannot be made",
            problem.strerror or str(problem),
            "builds are stored there: name another folder in XDG_CACHE_HOME"
            if ELSEWHERE
            else "run hocket as its owner",
        ) from problem


def read_toolchain(file: Path) -> Toolchain:
    """Reads sketch-build.json. A missing field is a defect of the build description."""
    try:
        data = json.loads(file.read_text())
        return Toolchain(
            str(data["cxx"]),
            tuple(str(flag) for flag in data["compile"]),
            tuple(str(flag) for flag in data["link"]),
            tuple(Path(path) for path in data["inputs"]),
            str(data.get("linker", "")),
            Memory(**data["memory"]) if "memory" in data else None,
            tuple(str(flag) for flag in data.get("inline_assembly", [])),
            tuple(str(name) for name in data.get("kernels", [])),
            {str(name): _kernel(Path(path)) for name, path in data.get("around", {}).items()},
            tuple(tuple(map(str, command)) for command in data.get("join", [])),
            tuple(tuple(map(str, command)) for command in data.get("join_beside", [])),
            int(data.get("stack", 0)),
            {str(policy): int(size) for policy, size in data.get("loop_states", {}).items()},
            {str(old): str(new) for old, new in data.get("plain", {}).items()},
            {str(symbol): str(name) for symbol, name in data.get("kernel_for", {}).items()},
            tuple(str(path) for path in data.get("standard_streams", [])),
            str(data.get("any_change", "")),
            gcc=_gcc(data["gcc"]) if "gcc" in data else None,
        )
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise HocketError(
            "the board's build description cannot be used",
            f"{type(problem).__name__}: {problem}",
            f"remove {BUILD} and try again",
            file,
            exit_code=EXIT_DEFECT,
        ) from problem


def _gcc(data: Mapping[str, Any]) -> Gcc:
    lists = {key: tuple(map(str, data[key])) for key in ("compile", "whole")}
    return Gcc(**{**{key: str(word) for key, word in data.items()}, **lists})  # type: ignore[arg-type]


def _kernel(library: Path) -> Kernel:
    return Kernel(library, library.stem.removeprefix("lib"))


def _knows(folder: Path, targets: tuple[str, ...]) -> bool:
    """Returns whether the preset is configured and has these targets."""
    if not (folder / "build.ninja").is_file():
        return False
    return "unknown target" not in _asked(folder, targets).stderr


def _out_of_date(folder: Path, targets: tuple[str, ...]) -> bool:
    """Returns whether ninja has work to do. This check avoids announcing a build that does nothing."""
    asked = _asked(folder, targets)
    return asked.returncode != 0 or "no work to do" not in asked.stdout


def _asked(folder: Path, targets: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["ninja", "-n", "-C", str(folder), *targets], capture_output=True, text=True, check=False
    )


@contextmanager
def _ended_with_us(process: subprocess.Popen[str]) -> Iterator[None]:
    """Ends the build when this command ends with an exception. A signal may reach this command alone."""
    try:
        yield
    except BaseException:
        process.terminate()
        raise


def _run(command: list[str], shown: Progress | None) -> None:
    """Runs a build command in the project's folder. On failure the error contains the last lines of its
    output."""
    last: deque[str] = deque(maxlen=40)
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    assert process.stdout is not None
    with process, _ended_with_us(process):
        for line in process.stdout:
            last.append(line.rstrip())
            step = re.match(r"\[(\d+)/(\d+)\]", line)
            if step and shown is not None:
                shown.update(f"({step.group(1)} of {step.group(2)})")
    if process.returncode != 0:
        raise HocketError(
            f"`{' '.join(command)}` failed",
            "its last lines:\n    " + "\n    ".join(last),
            "run: hocket doctor; if all is well there, this is a defect of Hocket",
            exit_code=EXIT_DEFECT,
        )
