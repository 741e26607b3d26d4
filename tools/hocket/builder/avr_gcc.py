"""Compiles plain sketches for the Uno with avr-gcc, the compiler of the stock Arduino core.

AVR libraries are written for avr-gcc: they use 32-bit operands in assembler, and naked functions with C in
them. Link-time optimisation (-flto) over the sketch, the libraries and the core's classes brings the flash
use down to that of the stock core. So a sketch without loops is compiled with avr-gcc if it includes nothing
of Hocket's own and avr-gcc knows its C++. If avr-gcc rejects a source, clang compiles the whole sketch,
because the two compilers pass structures and classes differently (tests/uno/test_border.py). Sketches with
loops are always compiled with clang, because the analyses know clang's code. There a library file that clang
rejects is compiled with avr-gcc. Clang reports the errors of a sketch in any case: it checks the sketch's own
sources.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from hocket.builder.board import Gcc, Toolchain
from hocket.builder.border import crossings, members_taken
from hocket.builder.compile import Outcome, Unit, fingerprint, load_stamp, unchanged
from hocket.errors import HocketError, shorten
from hocket.sketch.folder import Sketch, read_source
from hocket.sketch.scopes import walk
from hocket.sketch.tokens import Kind, directive_name, directive_rest, tokens_of
from hocket.sketch.translate import HOCKET_PREAMBLE, Translation
from hocket.whole_files import write_whole

CHECKED = "-fsyntax-only"
_ERROR = re.compile(r"^(?P<place>[^\n:]+:\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.+)$", re.M)
_ASSEMBLERS = ("asm", "__asm__", "__asm")
_OURS = re.compile(r'[<"](?:Hocket|epos|TimeServices)\.h[>"]|[<"]hocket/')
# The clang errors in a sketch that are Hocket's own text (arduino/variants/atmega328p/pins.h).
_REFUSAL = "-Wuser-defined-warnings"


def speaks_hocket(sketch: Sketch, translation: Translation) -> str:
    """Returns, in words, what in a sketch without loops only Hocket has. Empty: nothing."""
    for path in (*sketch.tabs, *sketch.sources, *sketch.headers):
        text = read_source(path)
        if _OURS.search(text) is None:
            continue
        for token in tokens_of(text):
            if token.kind is not Kind.DIRECTIVE or directive_name(token.text) != "include":
                continue
            if _OURS.match(directive_rest(token.text)):
                return f"{path.name} includes {directive_rest(token.text)}"
    if translation.text is not None and HOCKET_PREAMBLE in translation.text:
        return "it calls functions that only Hocket has"
    return ""


def linked_with(toolchain: Toolchain, gcc: Gcc, whole: bool) -> Toolchain:
    """Returns the toolchain that links a sketch of avr-gcc's objects. The linker does not relax, because
    clang's objects, which are in every such link, do not mark the jumps whose distance is already
    computed."""
    library = gcc.library if whole else gcc.library_apart
    flags = ("-Os", "-g", "-gdwarf-4", "-w", *gcc.whole, "-fuse-linker-plugin") if whole else ()
    plain = {**toolchain.plain, gcc.instead_of: library}
    return replace(toolchain, plain=plain, link=(*flags, *toolchain.link))


def as_gcc(unit: Unit, toolchain: Toolchain, gcc: Gcc, whole: bool) -> Unit:
    """Returns the unit for the same source with avr-gcc. whole: with link-time optimisation."""
    taken = {*toolchain.compile, *gcc.compile}
    own = [word for word in unit.command if word.startswith(("-I", "-D")) and word not in taken]
    own += [
        word.replace("-fmacro-prefix-map", gcc.prefix_map)
        for word in unit.command
        if word.startswith("-fmacro-prefix-map")
    ]
    words = [gcc.cxx, *gcc.compile, *own]
    if unit.source.suffix in (".c", ".S"):
        words = [word for word in words if not word.startswith("-std=") and word != "-fno-rtti"]
        words += ["-x", "c", "-std=gnu11"] if unit.source.suffix == ".c" else []
        words += ["-x", "assembler-with-cpp"] if unit.source.suffix == ".S" else []
    if whole and unit.source.suffix != ".S" and not has_its_own_assembly(unit.source):
        words += gcc.whole
    product = unit.object.with_suffix(".gcc.o" if whole else ".apart.o")
    return replace(
        unit, object=product, command=tuple(words), inline_assembly=(), as_it_is=True, compiler=()
    )


def beside_clang(unit: Unit, toolchain: Toolchain, gcc: Gcc) -> Unit:
    """Returns the avr-gcc unit for a program that clang compiles otherwise. Functions are aligned so that
    their addresses leave the bit free with which clang marks a virtual function."""
    other = as_gcc(unit, toolchain, gcc, whole=False)
    return replace(other, command=(*other.command, "-falign-functions=4"))


def check_border(outcomes: Sequence[Outcome], gcc: Gcc, symbols: str, folder: Path) -> None:
    """Raises HocketError if a library file compiled by avr-gcc and an object compiled by clang exchange a
    value that the two compilers pass differently."""
    gccs = [outcome.unit for outcome in outcomes if outcome.unit.command[0] == gcc.cxx]
    if not gccs:
        return
    objects = [outcome.unit.object for outcome in outcomes]
    memory = Memory(folder / "border.stamp", [outcome.unit for outcome in outcomes])
    if memory.known():
        return
    own = sorted(unit.object for unit in gccs)
    clangs = [path for path in objects if path not in own]
    for found in (
        crossings(own, clangs, symbols),
        crossings(clangs, own, symbols),
        members_taken(own, symbols),
    ):
        for crossing in found:
            raise HocketError(
                f"{crossing.function}() {crossing.what}, between code of clang and of {gcc.name}",
                f"clang refuses a file of the library {gccs[0].library}, and the two compilers pass that in "
                "different places",
                "pass a pointer to it or a reference, or use the library in a sketch without loops",
                crossing.file or None,
                crossing.line or None,
            )
    memory.keep("checked", objects)


def as_check(unit: Unit) -> Unit:
    """Returns the unit with which clang only checks the source for errors."""
    product = unit.object.with_suffix(".checked")
    return replace(unit, object=product, command=(*unit.command, CHECKED), inline_assembly=())


def is_checked(unit: Unit) -> bool:
    """Returns whether clang checks this source. It checks the sketch's own sources only, because the author
    of the sketch cannot correct a library."""
    return unit.library is None and unit.source.suffix != ".S"


def counts(outcome: Outcome) -> bool:
    """Returns whether clang's messages about a source that avr-gcc has compiled are to be shown."""
    return not outcome.failed or _REFUSAL in outcome.messages


def has_its_own_assembly(source: Path) -> bool:
    """Returns whether the source has assembler outside functions. Such assembler may define names or make
    them weak, which link-time optimisation does not see."""
    text = read_source(source)
    return "asm" in text and any(
        place.at_namespace_scope and not place.dead and place.token.is_word(*_ASSEMBLERS)
        for place in walk(tokens_of(text))
    )


def reason(outcomes: Iterable[Outcome]) -> str:
    """Returns, in words, why avr-gcc did not compile these sources. Empty: it did."""
    for outcome in outcomes:
        if outcome.failed:
            found = _ERROR.search(outcome.messages)
            place = shorten(found["place"]) if found else shorten(outcome.unit.source)
            return f"{place}: {found['text'] if found else 'avr-gcc cannot compile it'}"
    return ""


class Memory:
    """Remembers the result of compiling with avr-gcc until a command or a file changes."""

    def __init__(self, file: Path, units: Sequence[Unit]) -> None:
        self._file = file
        self._commands = [list(unit.command) for unit in units]

    def known(self) -> str:
        stamp = load_stamp(self._file)
        files = stamp.get("files")
        if stamp.get("commands") != self._commands or not isinstance(files, dict):
            return ""
        return str(stamp.get("came", "")) if unchanged(files) else ""

    def keep(self, came: str, files: Iterable[str | Path]) -> None:
        """Stores the result `came`. files: the files that it depends on."""
        prints = {str(file): fingerprint(Path(file)) for file in files}
        told = {"commands": self._commands, "files": prints, "came": came}
        write_whole(self._file, json.dumps(told))
