"""Builds a board's libraries with CMake and reads how a sketch is compiled and linked against them.

CMake writes `build/<board>/sketch-build.json`:
    cxx      the compiler
    linker   what links, where that is not the compiler
    compile  its flags for a source of a sketch
    inline_assembly  what to add to them for a source whose own assembly clang does not know how to read
    link     arguments of the link, after the objects
    inputs   files whose change needs a new link
    plain    by an archive for sketches with loops the one that takes its place in those without
    standard_streams  the object for sketches that use standard output, and the one for those that read
             standard input, too
    kernels  the libraries it is linked with of which there is one for each policy (policies.py)
    kernel_for  by a symbol that the sketch names, the kernel that it is linked with instead of the first of
             `kernels`; of several the last one (linking.py)
    loop_states  by policy, where it is not that of `memory`: what a loop takes of RAM besides its stack;
             the sketch is compiled with it
    around   by their names, the libraries of kernels that are put around a linked sketch (kernel.py), where
             a board has these; each is made when a sketch first needs it
    join     the commands that do so: in them {sketch} is the linked sketch, {kernel} such a library,
             {program} what comes of it, and {folder} where that lies
    join_beside  the same for kernels beside another system: their image for flash is {program}.flash
    memory   how much memory the board has (room.py), where the linker does not know it
    gcc      the compiler of sketches without loops (avr_gcc.py): the fields of Gcc
    stack    the stack of a loop that says no other number, in bytes, where that is not in `memory`
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

from hocket.boards import Board
from hocket.builder import products
from hocket.builder.lock import LOCK, locked
from hocket.builder.room import Memory
from hocket.confinement import LAUNCHER
from hocket.console import Progress, progress, say
from hocket.errors import EXIT_DEFECT, HocketError
from hocket.packages import require
from hocket.paths import BUILD, ELSEWHERE, INSTALLED, ROOT


@dataclass(frozen=True)
class Kernel:
    """target: what makes the library; empty: it is there."""

    library: Path
    target: str = ""


@dataclass(frozen=True)
class Gcc:
    """The board's second compiler (avr_gcc.py). whole: for one optimisation over all objects, compiled and
    linked. prefix_map: the option that says how a file is called. instead_of: the library of the link whose
    place `library` takes, or without that optimisation `library_apart`."""

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
    own: tuple[
        str, ...
    ] = ()  # instead of `compile`, for sources of the sketch and not of libraries
    gcc: Gcc | None = None

    @property
    def name(self) -> str:
        """The compiler's: clang and its release."""
        release = re.search(r"clang\+\+-(\d+)$", self.cxx)
        return f"clang {release[1]}" if release else Path(self.cxx).name

    @property
    def for_sketch(self) -> tuple[str, ...]:
        return self.own or self.compile

    def unoptimized(self) -> Toolchain:
        """The same for a debugger: each statement and each variable of the sketch is there. Libraries stay
        as they are."""
        own = tuple("-O0" if re.fullmatch("-O[123sz]", flag) else flag for flag in self.compile)
        return dataclasses.replace(self, own=own)

    def at_fixed_time(self, definitions: Sequence[str]) -> Toolchain:
        """The same with a __DATE__ and a __TIME__ that do not change."""
        flags = ("-Wno-builtin-macro-redefined", *definitions)
        gcc = self.gcc and dataclasses.replace(self.gcc, compile=(*self.gcc.compile, *flags))
        own = self.own and (*self.own, *flags)
        return dataclasses.replace(self, compile=(*self.compile, *flags), own=own, gcc=gcc)


def jobs() -> int:
    return os.cpu_count() or 2


def prepare_board(board: Board) -> Toolchain:
    """Brings the board's libraries up to date and returns the sketch's toolchain."""
    folder = bring_up_to_date(board.name, f"the board {board.name}")
    return read_toolchain(folder / "sketch-build.json")


def prepare_world() -> Path:
    """Brings the world around the boards in QEMU up to date (simulation/peer); its program."""
    folder = bring_up_to_date("sim", "the simulated parts", "hocket_world")
    return folder / "simulation" / "peer" / "hocket_world"


def prepare_launcher() -> None:
    """What confines compilers and programs of boards is there."""
    if not LAUNCHER.is_file():
        bring_up_to_date("sim", "the sandbox of sketches", LAUNCHER.name)


def prepare_uno() -> Path:
    """Brings the simulated Uno up to date (simulation/uno); its program."""
    return prepare_uno_target("hocket_uno")


def prepare_uno_target(program: str) -> Path:
    """The same for any program of simulation/uno."""
    folder = bring_up_to_date("sim", "the simulated Uno", program)
    return folder / "simulation" / "uno" / program


def prepare_uno_image(name: str) -> Path:
    """Brings an image of arduino/cores/avr8/CMakeLists.txt up to date (the kernel's paths); the file."""
    folder = bring_up_to_date("uno", f"the image {name}", name)
    return folder / "arduino" / "cores" / "avr8" / f"{name}.elf"


def bring_up_to_date(preset: str, what: str, *targets: str) -> Path:
    """Configures a preset of CMakePresets.json when that was not done yet, or when it was without one of the
    targets (a library that this one needs has come since), and builds targets of it (none: all that it has
    by default); returns the build's folder. `what`: what that is to a user."""
    folder = BUILD / preset
    require("run", what)
    if ELSEWHERE and not INSTALLED and not folder.is_dir():
        say(f"{ROOT} cannot be written, so builds go to {BUILD}")
    _make(folder)
    with locked(folder):
        forget_another_place(folder)
        if not _knows(folder, targets):
            with progress(f"configuring {what}"):
                _run(["cmake", "--preset", preset, "-B", str(folder)], None)
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


def forget_another_place(folder: Path) -> None:
    """Empties a build's folder that was configured while this copy of the project, or the folder, lay
    somewhere else: its files have the other paths in them."""
    cache = folder / "CMakeCache.txt"
    if not cache.is_file():
        return
    known = dict(re.findall(r"^(CMAKE_\w+):INTERNAL=(.*)$", cache.read_text("utf-8"), re.M))
    places = (known.get("CMAKE_HOME_DIRECTORY"), known.get("CMAKE_CACHEFILE_DIR"))
    if [place and Path(place).resolve() for place in places] == [ROOT.resolve(), folder.resolve()]:
        return
    for file in folder.iterdir():
        if file.name == LOCK:
            continue  # held
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
    """Reads sketch-build.json; a file that lacks something is a defect of the build description."""
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
    """Is the preset configured, and with these targets?"""
    if not (folder / "build.ninja").is_file():
        return False
    return "unknown target" not in _asked(folder, targets).stderr


def _out_of_date(folder: Path, targets: tuple[str, ...]) -> bool:
    """Would ninja do anything? Asking is cheaper than announcing a build that does nothing."""
    asked = _asked(folder, targets)
    return asked.returncode != 0 or "no work to do" not in asked.stdout


def _asked(folder: Path, targets: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["ninja", "-n", "-C", str(folder), *targets], capture_output=True, text=True, check=False
    )


@contextmanager
def _ended_with_us(process: subprocess.Popen[str]) -> Iterator[None]:
    """A signal may have come to this command alone: the build ends as well, and cleans up."""
    try:
        yield
    except BaseException:
        process.terminate()
        raise


def _run(command: list[str], shown: Progress | None) -> None:
    """Runs a build command in the tree; on failure its last lines are part of the error."""
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
