"""Compiles sources to objects, only those that changed.

An object is current if its command, its compiler, what mends sources and objects here, and every file it was
made from (the compiler's own list) are unchanged. Files are compared by size and time first, then by content.
An object is not current if one of its files changed during the compilation, because it is unknown which
content the compiler read.
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hocket.builder import avr_code, callers_arguments, llvm_text, permissive, port_registers
from hocket.builder.llvm_text import TO_TEXT, text_of
from hocket.errors import HocketError
from hocket.paths import ROOT
from hocket.whole_files import write_whole

# Clang's message for a cast of an address to a smaller integer.
_LOSES = "error: cast from pointer to smaller type"
_LARGE = 1_000_000  # bytes


@dataclass(frozen=True)
class Sharing:
    """Where objects of libraries are shared between builds (shared_objects.py). sketch: the folder of this
    build's sketch."""

    folder: Path
    sketch: Path


@dataclass(frozen=True)
class Unit:
    """One source, its object, and the full command without `-o`, `-c` and dependency flags."""

    source: Path
    object: Path
    command: tuple[str, ...]
    library: str | None = None  # the library that the source belongs to; None: the sketch
    # Flags for a second try, for a sketch that distinguishes boards by name and does not know this one.
    known_board: tuple[str, ...] = ()
    inline_assembly: tuple[str, ...] = ()  # second try, for other assembler
    as_it_is: bool = False  # for avr-gcc, which needs no mended copy of the source
    # Replaces the compiler in the command: starts it confined, so that it reads only permitted files.
    compiler: tuple[str, ...] = ()
    shared: Sharing | None = None  # None: the object is this build's alone

    @property
    def stamp_file(self) -> Path:
        return self.object.with_suffix(".stamp")

    @property
    def made_by(self) -> tuple[str, ...]:
        """The command, and what mends sources and objects here."""
        return (*self.command, _mends())

    def is_current(self) -> bool:
        return current(self.stamp_file, self.made_by, self.object)


@dataclass(frozen=True)
class Outcome:
    unit: Unit
    built: bool
    failed: bool
    messages: str
    inputs: tuple[str, ...] = ()  # all files that the compiler has read


def fingerprint(path: Path) -> list[object] | None:
    """Returns size, time and content hash of a file. Returns None if the file cannot be read or is not a
    regular file (a device may have no end). For a large file, which the linker has made, the hash is None:
    reading it would take as long as linking again."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            return None
        content = path.read_bytes() if about.st_size <= _LARGE else None
    except OSError:
        return None
    told = None if content is None else hashlib.sha256(content).hexdigest()
    return [about.st_size, about.st_mtime_ns, told]


def unchanged(files: dict[str, list[object]]) -> bool:
    """Returns whether all these files still match their fingerprints."""
    for name, known in files.items():
        if not known:
            return False  # the file could not be read
        path = Path(name)
        try:
            about = path.stat()
        except OSError:
            return False
        if [about.st_size, about.st_mtime_ns] == known[:2]:
            continue
        now = fingerprint(path)
        if now is None or now[2] is None or now[2] != known[2]:
            return False
    return True


def load_stamp(path: Path) -> dict[str, object]:
    try:
        data = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def current(stamp_file: Path, command: tuple[str, ...], product: Path) -> bool:
    """Returns whether this command made the product, from files that have not changed."""
    stamp = load_stamp(stamp_file)
    files = stamp.get("files")
    return (
        product.is_file()
        and stamp.get("command") == list(command)
        and isinstance(files, dict)
        and str(product) in files  # a truncated product is not current either
        and unchanged(files)
    )


@cache
def _mends() -> str:
    """Returns a name for this version of what changes sources and objects here: another one makes others of
    the same command and files."""
    others = (avr_code, callers_arguments, llvm_text, permissive, port_registers)
    modules = [__file__, *(str(module.__file__) for module in others)]
    content = b"".join(Path(module).read_bytes() for module in modules)
    return "mended by " + hashlib.sha256(content).hexdigest()


def compile_unit(unit: Unit) -> Outcome:
    """Compiles one source unless its object is current."""
    stamp_file = unit.stamp_file
    if unit.is_current():
        stamp = load_stamp(stamp_file)
        files = stamp.get("files")
        read = tuple(files) if isinstance(files, dict) else ()
        return Outcome(unit, False, False, str(stamp.get("messages", "")), read)
    unit.object.parent.mkdir(parents=True, exist_ok=True)
    stamp_file.unlink(missing_ok=True)
    begun = time.time_ns()
    depends = unit.object.with_suffix(".d")
    compiler = unit.compiler or unit.command[:1]
    command = [*compiler, *unit.command[1:], "-MD", "-MF", str(depends), "-c", str(unit.source)]
    through_calls = port_registers.FLAG in command and unit.source.suffix != ".S"
    made = text_of(unit.object) if through_calls else unit.object
    to_text = TO_TEXT if through_calls else ()
    done = run([*command, *to_text, "-o", str(made)])
    if done.returncode != 0 and _LOSES in done.stderr:
        command = _with_casts_to_int(command)
        done = run([*command, *to_text, "-o", str(made)])
    if done.returncode != 0 and unit.known_board and _names_boards(unit.source):
        again = run([*command, *unit.known_board, *to_text, "-o", str(made)])
        if again.returncode == 0:
            command, done = [*command, *unit.known_board], again
    if done.returncode != 0 and unit.inline_assembly and "<inline asm>:" in done.stderr:
        again = run([*command, *unit.inline_assembly, "-o", str(unit.object)])
        done = again if again.returncode == 0 else done
    warnings, source = "", unit.source
    if done.returncode < 0:  # killed by a signal: no second try
        return Outcome(unit, True, True, done.stderr)
    if done.returncode != 0 and not unit.as_it_is:
        mended, warnings, command, source = _mended(unit, command, (*to_text, "-o", str(made)))
        if mended is None:
            return Outcome(unit, True, True, done.stderr, _wanted(unit, depends, done.stderr))
        done = mended
    if done.returncode != 0:
        return Outcome(unit, True, True, done.stderr)
    if "-fsyntax-only" in unit.command:
        unit.object.touch()  # the compiler writes no object for a check
    said = warnings + done.stderr
    if through_calls:
        done = port_registers.through_calls(command, source, unit.object, run)
        if done.returncode != 0 and unit.inline_assembly and "<inline asm>:" in done.stderr:
            command = [*command, *unit.inline_assembly]
            done = port_registers.through_calls(command, source, unit.object, run)
        if done.returncode != 0:
            return Outcome(unit, True, True, done.stderr)
    if avr_code.is_of_clang(command) and source.suffix != ".S":
        told = avr_code.mend(command, source, unit.object, run)
        if told:
            return Outcome(unit, True, True, said + told)
    inputs = [unit.source, *listed(depends)]
    files = {str(path): fingerprint(path) for path in [unit.object, *inputs]}
    stamp = {"command": unit.made_by, "messages": said, "files": files}
    if not any(_changed_since(begun, path) for path in inputs if path.parent != unit.object.parent):
        write_whole(stamp_file, json.dumps(stamp))
    return Outcome(unit, True, False, said, tuple(map(str, inputs)))


def _wanted(unit: Unit, depends: Path, said: str) -> tuple[str, ...]:
    """Returns the files that a unit includes, if the unit failed because it may not read one of them. Only
    the names are looked up."""
    if not unit.compiler or "Permission denied" not in said:
        return ()
    # -MG: a header that is missing as well, of a library that is not found yet, is listed by name only.
    listing = [*unit.command, "-M", "-MG", "-MF", str(depends), str(unit.source)]
    if run(listing).returncode != 0:
        return ()
    return tuple(str(path) for path in listed(depends) if path.is_absolute())


def _names_boards(source: Path) -> bool:
    try:
        return b"ARDUINO_AVR_" in source.read_bytes()
    except OSError:
        return False


def _changed_since(begun: int, path: Path) -> bool:
    try:
        return path.stat().st_mtime_ns >= begun
    except OSError:
        return True


def _with_casts_to_int(command: list[str]) -> list[str]:
    """Returns the command for a source that casts an address to a smaller int. Arduino's compiler accepts
    such a cast. Clang accepts it with a warning if Microsoft's extensions are on. The sketch's precompiled
    headers were made without these extensions, so the command drops them; the source includes the headers
    itself."""
    plain = list(command)
    if "-include-pch" in plain:
        place = plain.index("-include-pch")
        del plain[place : place + 2]
    return [*plain, "-fms-extensions"]


def _mended(
    unit: Unit, command: list[str], product: Sequence[str]
) -> tuple[subprocess.CompletedProcess[str] | None, str, list[str], Path]:
    """Compiles a copy of the source in which the code that only Arduino's compiler accepts is rewritten as
    C++ (permissive.py). product: the words that name what the compiler makes. Returns the compiler's result,
    the warnings, the command without these words, and the copy. The result is None if there is no such copy
    or it does not compile."""
    if unit.source.suffix not in (".cpp", ".cc", ".cxx", ".ino"):
        return None, "", command, unit.source
    copy = unit.object.with_name(f"{unit.object.stem}.mended.cpp")
    named = f'#line 1 "{unit.source}"\n'
    # Files that the source includes by a name in quotes lie beside the original.
    beside = f"-iquote{unit.source.parent}"
    plain = [word if word != str(unit.source) else beside for word in command] + [str(copy)]
    again = [*plain, *product]

    def errors_of(text: str) -> str:
        copy.write_text(text, encoding="utf-8", errors="surrogateescape")
        return run([*again, *permissive.ASKED]).stderr

    text = named + unit.source.read_text(encoding="utf-8", errors="surrogateescape")
    mended = permissive.mend(text, unit.source, errors_of)
    if mended is None:
        return None, "", command, unit.source
    copy.write_text(mended.text, encoding="utf-8", errors="surrogateescape")
    done = run(again)
    # Warnings are shown for the sketch's own sources only.
    warnings = "" if unit.library else "".join(f"{line}\n" for line in mended.warnings)
    return (done if done.returncode == 0 else None), warnings, plain, copy


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs a tool in the project's folder. Raises HocketError if the tool is missing."""
    try:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
    except FileNotFoundError as problem:
        raise HocketError(
            f"{command[0]} is not installed", "sketches are built with it", "run: hocket doctor"
        ) from problem
    _running.add(process)
    try:
        output, errors = process.communicate()
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        _running.discard(process)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


# The tools that run at present, in all threads.
_running: set[subprocess.Popen[str]] = set()


def end_all() -> None:
    """Kills the running tools of all threads. Called when the command ends: a signal to the command alone
    does not reach its compilers."""
    for process in list(_running):
        process.kill()


def listed(depends: Path) -> list[Path]:
    """Returns the files of a dependency list in make's syntax."""
    try:
        text = depends.read_text()
    except OSError:
        return []
    _, _, listed = text.replace("\\\n", " ").partition(": ")
    names = re.findall(r"(?:\\[ #\\]|\$\$|[^\s])+", listed)
    plain = (re.sub(r"\\([ #\\])", r"\1", name).replace("$$", "$") for name in names)
    return [path if path.is_absolute() else ROOT / path for path in map(Path, plain)]
