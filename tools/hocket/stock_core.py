"""Builds sketches with Debian's package of the Arduino core, for comparison with Hocket.

Files, compiler and flags are those of the Arduino IDE 1.8 for an Uno (platform.txt of the core): `-Os -flto`,
with the core in an archive. build_stock() compiles a folder's .ino without translation, so the sketch must
declare what it uses first. build_stock_sketch() builds a whole sketch, with tabs, prototypes, sources and
libraries.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hocket.boards import board_named, first_of
from hocket.builder.compile import Unit, compile_unit
from hocket.builder.libraries import around_example, sketchbook_libraries
from hocket.builder.lock import locked
from hocket.confinement import tool
from hocket.errors import EXIT_DEFECT, HocketError
from hocket.inside import allowed
from hocket.packages import install_command
from hocket.paths import BUILD
from hocket.sketch.folder import Sketch
from hocket.sketch.translate import translate
from hocket.stock_prototypes import NotTranslatedError, as_the_ide, has_ide
from hocket.whole_files import made_aside

PLATFORM = Path("/usr/share/arduino/hardware/arduino/avr")
CORE = PLATFORM / "cores" / "arduino"
VARIANT = PLATFORM / "variants" / "standard"
FOLDER = BUILD / "stock"
# The libraries of the core and of the IDE.
LIBRARIES = (PLATFORM / "libraries", Path("/usr/share/arduino/libraries"))

# The first board of Arduino's own processor: the core is built for it.
STOCK_BOARD = first_of("avr8")
_BOARD = board_named(STOCK_BOARD)
assert _BOARD is not None
_MCU = f"-mmcu={_BOARD.chip}"
_CHIP = [
    *(_MCU, f"-DF_CPU={_BOARD.f_cpu}L", "-DARDUINO=10819"),
    *(f"-DARDUINO_{_BOARD.arduino_name}", "-DARDUINO_ARCH_AVR"),
]
# Both builds of a compared sketch get the same build time, because a printed time would differ. (avr-gcc 5.4
# does not support SOURCE_DATE_EPOCH.)
TIME_OF_BUILD = ('-D__DATE__="Jan  1 2026"', '-D__TIME__="12:00:00"')
_SMALL = ["-c", "-g", "-Os", "-w", "-ffunction-sections", "-fdata-sections", "-flto"]
# The flags for a source, by its suffix. avr-gcc 5.4 lacks C++'s DECIMAL_DIG, which the core needs.
_FLAGS = {
    ".c": [*_SMALL, "-std=gnu11", "-fno-fat-lto-objects"],
    ".S": ["-c", "-g", "-x", "assembler-with-cpp", "-flto"],
    ".cpp": [
        *_SMALL,
        *("-std=gnu++11", "-fpermissive", "-fno-exceptions", "-fno-threadsafe-statics"),
        "-DDECIMAL_DIG=__DECIMAL_DIG__",
    ],
}
# The first error, in the formats of gcc and of GNU ld.
_COMPILER_SAYS = re.compile(r"([^\s`]+):(\d+):\d+: (?:fatal )?error: (.*)")
_LINKER_SAYS = re.compile(
    r"((?:undefined reference to|multiple definition of) [^\n]+?"
    r"|section [^\n:]*(?:will not fit in|is not within) region [^\n]+"
    r"|region [^\n]+ overflowed by [^\n]+)(?:\n|$)"
)
_LINK = ["-w", "-Os", "-g", "-flto", "-fuse-linker-plugin", "-Wl,--gc-sections"]


class StockBuildError(HocketError):
    """The stock core's compiler or linker does not accept something. said: all of its messages."""

    def __init__(self, command: Sequence[str | Path], said: str) -> None:
        super().__init__(
            "a sketch could not be built with the stock core",
            f"`{' '.join(map(str, command))}`: {said[-1500:]}",
            "if hocket doctor finds nothing, this is a defect of Hocket",
            exit_code=EXIT_DEFECT,
        )
        self.said = said

    def reason(self) -> str:
        """Returns the first error in one line, with its place."""
        compiler = _COMPILER_SAYS.search(self.said)
        if compiler:
            return f"{Path(compiler[1]).name}:{compiler[2]}: {compiler[3]}"
        linker = _LINKER_SAYS.search(self.said)
        if linker:
            return linker[1]
        lines = [line.strip() for line in self.said.splitlines() if line.strip()]
        return lines[0] if lines else self.fact


@dataclass(frozen=True)
class StockImage:
    """A linked sketch, and the core's version."""

    file: Path
    version: str


def build_stock(sketch: Path) -> StockImage:
    """Builds the .ino of a sketch's folder with the stock core.

    Raises HocketError if the core or its compiler is not installed, or if something does not compile.
    """
    require()
    source = sketch / f"{sketch.name}.ino"
    with locked(FOLDER):
        archive = _archive()
        # Sketches of different experiments may have the same name.
        name = f"{sketch.name}-{hashlib.sha256(str(source).encode()).hexdigest()[:8]}"
        unit = FOLDER / f"{name}.cpp"
        text = source.read_text(encoding="utf-8")
        unit.write_text(f'#include <Arduino.h>\n#line 1 "{source}"\n{text}', encoding="utf-8")
        image = FOLDER / f"{name}.elf"
        parts = [_compile(unit, FOLDER / f"{name}.o"), archive]
        with made_aside(image) as fresh:  # another command may be measuring the same sketch
            _run(["avr-gcc", *_LINK, _MCU, "-o", fresh, *parts, "-lm"])
    return StockImage(image, version())


def build_stock_sketch(sketch: Sketch, folder: Path, libraries: Sequence[Path] = ()) -> StockImage:
    """Builds a sketch with the stock core in this folder. libraries: further folders of libraries besides the
    core's.

    Raises HocketError as build_stock() does, StockBuildError for what does not compile or link.
    """
    require()
    (folder / "sketch").mkdir(parents=True, exist_ok=True)
    sources = list(sketch.sources)
    texts = [
        each.read_text(encoding="utf-8", errors="replace")
        for each in (*sketch.tabs, *sources, *sketch.headers)
    ]
    found = (*sketchbook_libraries(sketch.folder), *libraries)
    example_of = around_example(sketch.folder)
    needed = _needed_libraries(texts, example_of, found)
    # The sources are untrusted, as for Hocket's own compilers. The linker compiles them again (-flto).
    reads = (folder, sketch.folder, *needed, *allowed())
    if sketch.tabs:
        sources.insert(0, folder / "sketch" / f"{sketch.name}.ino.cpp")
        text = _joined_tabs(sketch, folder, needed, reads)
        sources[0].write_text(text, encoding="utf-8")
    include = [*TIME_OF_BUILD, *(f"-I{path}" for path in (sketch.folder, *needed))]
    parts = [
        _compile(source, folder / "sketch" / f"{number}-{source.name}.o", include, reads)
        for number, source in enumerate(sources)
    ]
    with locked(FOLDER):  # shared by all sketches
        archive = _archive()
        parts += [
            part
            for library in needed
            for part in _library(
                library, [*TIME_OF_BUILD, *(f"-I{path}" for path in needed)], reads
            )
        ]
    image = folder / f"{sketch.name}.elf"
    linker = tool("avr-gcc", reads, folder)
    _run([*linker, *_LINK, _MCU, "-o", image, *parts, archive, "-lm"])
    return StockImage(image, version())


def _joined_tabs(
    sketch: Sketch, folder: Path, needed: Sequence[Path], reads: Sequence[Path]
) -> str:
    """Returns the tabs as one C++ text, with the prototypes that the stock core's own tools add. (Where those
    are not installed, with Hocket's.)"""
    if not has_ide():
        return translate(sketch).text or ""
    around = folder / "libraries"
    around.mkdir(exist_ok=True)
    roots = [each.parent if each.name == "src" else each for each in needed]
    for library in roots:
        link = around / library.name
        if not link.is_symlink():
            link.symlink_to(library)
    try:
        return as_the_ide(sketch, folder, (around,), (*reads, *roots))
    except NotTranslatedError as error:
        raise StockBuildError(error.command, error.said) from None


def _needed_libraries(
    texts: Sequence[str], example_of: Path | None, further: Sequence[Path]
) -> list[Path]:
    """Returns the header folders of the included libraries, and of those that these include. example_of: the
    library of which the sketch is an example."""
    folders = [] if example_of is None else [example_of]
    for root in (*further, *LIBRARIES):
        folders += sorted(each for each in root.iterdir() if each.is_dir()) if root.is_dir() else []
    offered = [each / "src" if (each / "src").is_dir() else each for each in folders]
    needed: list[Path] = []
    waiting = list(texts)
    while waiting:
        for name in re.findall(
            r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', waiting.pop(), re.MULTILINE
        ):
            found = next((folder for folder in offered if (folder / name).is_file()), None)
            if found is None or found in needed or (CORE / name).is_file():
                continue
            needed.append(found)
            files = [*_sources_of(found), *found.rglob("*.h")]
            waiting += [file.read_text(encoding="utf-8", errors="replace") for file in files]
    return needed


def _sources_of(library: Path) -> list[Path]:
    """Returns the sources of a library. Without a folder `src` they lie beside its headers and in
    `utility`."""
    found = (
        library.rglob("*")
        if library.name == "src"
        else [*library.glob("*"), *library.glob("utility/*")]
    )
    return sorted(file for file in found if file.suffix in _FLAGS and file.is_file())


def _library(library: Path, include: Sequence[str], reads: Sequence[Path]) -> list[Path]:
    """Returns a library's objects, which are compiled once for each set of libraries that it includes."""
    key = hashlib.sha256("\0".join((str(library), *include)).encode()).hexdigest()[:12]
    folder = FOLDER / "libraries" / key
    folder.mkdir(parents=True, exist_ok=True)
    with_utility = [*include, f"-I{library / 'utility'}"]
    return [
        _compile(source, folder / f"{number}-{source.name}.o", with_utility, reads)
        for number, source in enumerate(_sources_of(library))
    ]


@cache
def version() -> str:
    """Returns the core's version."""
    text = (PLATFORM / "platform.txt").read_text(encoding="utf-8")
    found = re.search(r"^version=(\S+)$", text, re.MULTILINE)
    return found[1] if found else "of unknown version"


def require() -> None:
    """Raises HocketError if the core or its compiler is not installed."""
    missing = []
    if not (CORE / "Arduino.h").is_file():
        missing.append("arduino-core-avr")
    if shutil.which("avr-gcc") is None:
        missing += ["gcc-avr", "avr-libc"]
    if missing:
        raise HocketError(
            "the Arduino core is not installed",
            "the same sketches are built with it, to run and measure both in one simulator",
            f"run: {install_command(missing)}",
        )


@cache
def _archive() -> Path:
    """Returns the core's archive, brought up to date."""
    objects = []
    (FOLDER / "core").mkdir(parents=True, exist_ok=True)
    for source in sorted(CORE.iterdir()):
        if source.suffix in _FLAGS:
            objects.append(_compile(source, FOLDER / "core" / f"{source.name}.o"))
    archive = FOLDER / "core.a"
    newest = max(part.stat().st_mtime_ns for part in objects)
    if not archive.is_file() or archive.stat().st_mtime_ns < newest:
        with made_aside(archive) as fresh:  # another process may be linking with it
            fresh.unlink(missing_ok=True)
            _run(["avr-gcc-ar", "rcs", fresh, *objects])
    return archive


def _compile(
    source: Path, to: Path, further: Sequence[str] = (), reads: Sequence[Path] | None = None
) -> Path:
    """Compiles a source. reads: the only files that the compiler of an untrusted source may read."""
    compiler = "avr-g++" if source.suffix == ".cpp" else "avr-gcc"
    include = [f"-I{CORE}", f"-I{VARIANT}", *further]
    kept = () if reads is None else tuple(map(str, tool(compiler, reads, to.parent)))
    unit = Unit(source, to, (compiler, *_FLAGS[source.suffix], *_CHIP, *include), compiler=kept)
    outcome = compile_unit(unit)
    if outcome.failed:
        raise StockBuildError(unit.command, outcome.messages)
    return to


def _run(command: list[str | Path]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise StockBuildError(command, done.stderr)
