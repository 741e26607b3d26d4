"""Lists the sources of a sketch on a board, with the command of each and the files that its compiler may
read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hocket.boards import Board
from hocket.builder import permissive
from hocket.builder.board import Toolchain
from hocket.builder.compile import Sharing, Unit
from hocket.builder.found_libraries import command_of
from hocket.builder.handler_stacks import USAGE_FLAG
from hocket.builder.includes import named_by
from hocket.builder.libraries import Library
from hocket.builder.loop_stacks import STACKS_MACRO
from hocket.builder.precompiled import precompiled
from hocket.confinement import tool
from hocket.inside import allowed
from hocket.sketch.folder import Sketch
from hocket.sketch.translate import Translation, preamble_of
from hocket.stand_ins import stand_in_flags
from hocket.whole_files import keep_current

# An error on boards whose compiler passes structures behind `...` wrongly.
_WRONG_CODE = "-Werror=class-varargs"
# Flags for a sketch with its own main(), which is renamed: like main() it need not return a value, and it may
# test `if (serialEventRun)` as the main() of every Arduino core does.
_OF_MAIN = ("-fno-strict-return", "-Wno-return-type", "-Wno-pointer-bool-conversion")
# The board whose pin numbers all boards have.
_KNOWN_BOARD = ("-DARDUINO_AVR_UNO",)


@dataclass(frozen=True)
class Means:
    """The toolchain, the number of concurrent compilers, and the libraries of a build. sharing: of their
    objects with other builds."""

    toolchain: Toolchain
    threads: int
    libraries: Sequence[Library]
    sharing: Sharing | None = None


def kept_in(unit: Unit, sketch: Sketch, means: Means) -> Unit:
    """Returns the unit with a compiler that may read only the files of the sketch, its libraries and the
    compiler."""
    libraries = (each.folder for each in means.libraries)
    named = named_by(unit.command)
    reads = (unit.source.parent, sketch.folder, *libraries, *named, *allowed())
    words = tool(unit.command[0], reads, unit.object.parent)
    return replace(unit, compiler=tuple(map(str, words)))


def commands_of(
    sketch: Sketch, board: Board, toolchain: Toolchain, libraries: Sequence[Library]
) -> list[tuple[Path, tuple[str, ...]]]:
    """Returns each source and its command for an editor. A tab is compiled as C++."""
    means = Means(toolchain, 1, libraries)
    sources = replace(sketch, tabs=())
    units = units_of(sources, board, Translation(None, ()), means, Path("/nowhere"), {})
    plain = [(unit.source, (*unit.command, "-c", str(unit.source))) for unit in units]
    flags = (toolchain.cxx, *toolchain.for_sketch, f"-I{sketch.folder}")
    flags += tuple(f"-I{path}" for library in libraries for path in library.includes)
    flags += ("-include", "Arduino.h", "-x", "c++", "-c")
    return [(tab, (*flags, str(tab))) for tab in sketch.tabs] + plain


def units_of(
    sketch: Sketch,
    board: Board,
    translation: Translation,
    means: Means,
    folder: Path,
    stacks: dict[int, int],
) -> list[Unit]:
    toolchain = means.toolchain
    libraries = means.libraries
    includes = [f"-I{sketch.folder}"]
    offered = [path for library in libraries for path in library.includes]
    includes += [f"-I{path}" for path in offered]
    includes += stand_in_flags(offered, board.name)
    # `__FILE__` (and with it a report) must not depend on the place of the sketch.
    further = [f"-fmacro-prefix-map={sketch.folder.parent}/=", "-fno-color-diagnostics"]
    further += [USAGE_FLAG, *permissive.FLAGS, *includes]
    base = (toolchain.cxx, *toolchain.for_sketch, *further)
    sizes = "".join(f", {{{loop}, {size}}}" for loop, size in sorted(stacks.items()))
    units = []
    main = None if board.own_main else translation.main
    if translation.text is not None:
        source = folder / ".src" / f"{sketch.name}.ino.cpp"
        preamble = preamble_of(translation.text)
        told = f"#undef {STACKS_MACRO}\n#define {STACKS_MACRO} {sizes}\n" if stacks else ""
        told += main.before if main is not None else ""
        _write_if_changed(source, preamble + told + translation.text[len(preamble) :])
        headers = precompiled(toolchain, preamble)
        units.append(Unit(source, folder / ".obj" / f"{sketch.name}.ino.o", (*base, *headers)))
    sized = (*base, f"-D{STACKS_MACRO}={sizes}") if stacks else base
    if translation.main is not None:
        units = [replace(unit, command=(*unit.command, *_OF_MAIN)) for unit in units]
        sized = (*sized, *_OF_MAIN)
    if main is not None:
        before, beside = folder / ".src" / "own_main.h", folder / ".src" / "own_main.c"
        _write_if_changed(before, main.before)
        _write_if_changed(beside, main.beside)
        sized = (*sized, f"-include{before}")
        units.append(Unit(beside, folder / ".obj" / "own_main.o", command_of(base, beside)))
    for path in sketch.sources:
        inside = path.relative_to(sketch.folder)
        units.append(
            Unit(path, folder / ".obj" / "sketch" / f"{inside}.o", command_of(sized, path))
        )
    if board.architecture != "avr":
        units = [replace(unit, known_board=_KNOWN_BOARD) for unit in units]
    plain = (toolchain.cxx, *toolchain.compile, *further)
    # Sorted, so that the order does not depend on how the libraries were found.
    for library in sorted(libraries, key=lambda each: each.name):
        units += _library_units(library, plain, folder, means.sharing)
    return [replace(unit, inline_assembly=toolchain.inline_assembly) for unit in units]


def _library_units(
    library: Library, base: tuple[str, ...], folder: Path, sharing: Sharing | None
) -> list[Unit]:
    base = (*base, *(f"-I{path}" for path in library.own_includes))
    units = []
    for path in library.sources:
        inside = path.relative_to(library.includes[0])
        product = folder / ".obj" / "libraries" / library.name / f"{inside}.o"
        command = command_of(base, path)
        # Warnings of libraries are hidden, because the author of the sketch cannot correct them, except where
        # the compiler would generate wrong code. (`-w` would hide that warning, too.)
        wrong = [flag for flag in command if flag == _WRONG_CODE]
        command = (*command, "-Wno-everything", *wrong)
        units.append(Unit(path, product, command, library.name, shared=sharing))
    return units


def _write_if_changed(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    keep_current(path, text.encode("utf-8", "surrogatepass"))
