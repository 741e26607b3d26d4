"""Building: what is compiled again and what is not, and the compiler's messages in the sketch's words.

The toolchain here is the real compiler with a small header in place of the board's.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import hocket.builder.sketch as builder
from hocket.boards import find_board
from hocket.builder import Image, Toolchain, build_sketch, precompiled, shared_objects
from hocket.builder.board import Kernel, read_toolchain
from hocket.builder.compile import Outcome, Sharing, Unit, compile_unit
from hocket.builder.diagnostics import Source, clean
from hocket.errors import HocketError, shorten
from hocket.sketch.folder import find_sketch

ROOT = Path(__file__).resolve().parents[3]
Maker = Callable[[str, dict[str, str | bytes]], Path]

ARDUINO = """\
#pragma once
#include "arduino/runtime/loops.h"
void setup();
"""
MAIN = """\
#include <stdio.h>
void setup(); void loop() __attribute__((weak));
int main() { setup(); if (loop) loop(); return 0; }
"""


@pytest.fixture
def toolchain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toolchain:
    monkeypatch.setattr(builder, "SKETCHES", tmp_path / "build")
    monkeypatch.setattr(precompiled, "BUILD", tmp_path / "build")
    include = tmp_path / "include"
    include.mkdir()
    (include / "Arduino.h").write_text(ARDUINO)
    (include / "Hocket.h").write_text('#include "Arduino.h"\n')
    (include / "main.cpp").write_text(MAIN)
    main = include / "main.o"
    subprocess.run(["clang++-19", "-c", str(include / "main.cpp"), "-o", str(main)], check=True)
    flags = ("-std=gnu++20", f"-I{include}", f"-I{ROOT}")
    return Toolchain("clang++-19", flags, (str(main),), (main,))


def build(folder: Path, toolchain: Toolchain) -> Image:
    return build_sketch(find_sketch(str(folder)), find_board("sim"), toolchain)


def output(image: Image) -> str:
    return subprocess.run([str(image.program)], capture_output=True, text=True, check=True).stdout


def stamps(image: Image) -> dict[str, int]:
    """When each object and the program were written."""
    files = [*image.program.parent.rglob("*.o"), image.program]
    return {file.name: file.stat().st_mtime_ns for file in files}


PRINTING = (
    '#include <stdio.h>\n#include "part.h"\nvoid setup() { puts(part()); }\nvoid loop() { }\n'
)


def test_only_what_changed_is_built_again(sketch: Maker, toolchain: Toolchain) -> None:
    folder = sketch(
        "s",
        {
            "s.ino": PRINTING,
            "part.h": 'const char* part();\n#define TEXT "one"\n',
            "part.cpp": '#include "part.h"\nconst char* part() { return TEXT; }\n',
            "c.c": "int plain_c(void) { int *new = 0; return new != 0; }\n",
        },
    )
    first = build(folder, toolchain)
    assert output(first) == "one\n"
    before = stamps(first)
    assert stamps(build(folder, toolchain)) == before

    (folder / "part.h").touch()  # the same content: nothing to do
    assert stamps(build(folder, toolchain)) == before

    (folder / "part.h").write_text('const char* part();\n#define TEXT "two"\n')
    again = stamps(build(folder, toolchain))
    assert output(first) == "two\n"
    assert again["c.c.o"] == before["c.c.o"]
    assert again["part.cpp.o"] != before["part.cpp.o"]
    assert again["s"] != before["s"]

    other = Toolchain(toolchain.cxx, (*toolchain.compile, "-DX"), toolchain.link, toolchain.inputs)
    assert stamps(build(folder, other))["c.c.o"] != before["c.c.o"]


def test_file_names_do_not_depend_on_the_place(sketch: Maker, toolchain: Toolchain) -> None:
    text = "#include <stdio.h>\nvoid setup() { puts(__FILE__); }\nvoid loop() { }\n"
    assert output(build(sketch("a/s", {"s.ino": text}), toolchain)) == "s/s.ino\n"


@pytest.mark.parametrize(
    ("text", "messages", "line"),
    [
        (
            "void setup() {}\nvoid loop(1, 70, 100) { int x = y; }\n",
            [
                "s.ino:2:33: error: use of undeclared identifier 'y'",
                "    2 | void loop(1, 70, 100) { int x = y; }",
            ],
            2,
        ),
        (
            "void setup() { later(1); }\nvoid loop() { }\nint later(int x) { return z; }\n",
            ["s.ino:3:27: error: use of undeclared identifier 'z'"],
            3,
        ),
        (
            "void setup() {}\n\nvoid loop(1, 2 * 60, 100) { }\n",
            ["s.ino:3:1: error: a loop's budget must not be longer than its period or deadline"],
            3,
        ),
        ("#include <Nope.h>\nvoid setup() {}\nvoid loop() {}\n", ["'Nope.h' file not found"], 1),
    ],
)
def test_errors_point_into_the_sketch(
    sketch: Maker,
    toolchain: Toolchain,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    messages: list[str],
    line: int,
) -> None:
    folder = sketch("s", {"s.ino": text})
    monkeypatch.chdir(folder)
    with pytest.raises(HocketError, match="the sketch does not compile") as caught:
        build(folder, toolchain)
    said = capsys.readouterr().err
    for message in messages:
        assert message in said
    for noise in ("HOCKET_LOOP", "loops.h", "scratch space", ".ino.cpp", "generated."):
        assert noise not in said
    assert caught.value.line == line
    assert caught.value.exit_code == 2


def test_a_failed_build_is_tried_again(sketch: Maker, toolchain: Toolchain) -> None:
    folder = sketch("s", {"s.ino": "void setup() { oops }\nvoid loop() {}\n"})
    for _ in range(2):
        with pytest.raises(HocketError):
            build(folder, toolchain)
    (folder / "s.ino").write_text("void setup() {}\nvoid loop() {}\n")
    assert output(build(folder, toolchain)) == ""


def test_warnings_are_shown_each_time(
    sketch: Maker, toolchain: Toolchain, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = sketch("s", {"s.ino": "#warning mind this\nvoid setup() {}\nvoid loop() {}\n"})
    for _ in range(2):
        build(folder, toolchain)
        assert "s.ino:1:2: warning: mind this" in capsys.readouterr().err


def test_link_errors_are_the_users(sketch: Maker, toolchain: Toolchain) -> None:
    folder = sketch("s", {"s.ino": "void gone();\nvoid setup() { gone(); }\nvoid loop() {}\n"})
    with pytest.raises(HocketError, match="does not link") as caught:
        build(folder, toolchain)
    assert caught.value.exit_code == 2


@pytest.fixture
def kernels(toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toolchain:
    """A board with kernels, each a file whose text stands before the flat sketch in the program."""
    join = (
        ("cp", "{sketch}", "{folder}/flat"),
        (
            "sh",
            "-c",
            f"cat {{kernel}} {{folder}}/flat > {{program}}; echo {{program}} >> {tmp_path}/log",
        ),
    )
    monkeypatch.setattr("hocket.builder.kernel.attaches_handlers", lambda _: False)
    around = {}
    for name in ("peer", "peer_one", "peer_pins", "peer_pins_one", "native"):
        around[name] = Kernel(tmp_path / f"lib{name}.a")
        around[name].library.write_text(f"{name} ")
    return replace(toolchain, around=around, join=join)


PLAIN = PRINTING.replace("part.h", "stdio.h").replace("part()", '"x"')


def test_a_kernel_is_put_around_the_linked_sketch(
    sketch: Maker, kernels: Toolchain, tmp_path: Path
) -> None:
    """When a program is asked for, and again when the sketch, the kernel or a command has changed."""
    folder = sketch("s", {"s.ino": PLAIN})
    image = build(folder, kernels)
    assert image.sketch_elf.name == "s.elf"
    assert not (tmp_path / "log").exists()
    assert image.program_for(4).read_bytes() == b"peer " + image.sketch_elf.read_bytes()
    assert build(folder, kernels).program_for(2) == image.program_for(4)
    made = (tmp_path / "log").read_text().splitlines()
    assert made == [str(image.program_for(4))]

    (tmp_path / "libpeer.a").write_text("second ")
    assert image.program_for(4).read_bytes() == b"second " + image.sketch_elf.read_bytes()
    (folder / "s.ino").write_text("void setup() {}\nvoid loop() {}\n")
    image = build(folder, kernels)
    assert image.program_for(4).read_bytes() == b"second " + image.sketch_elf.read_bytes()
    image.program_for(4).unlink()
    assert image.program_for(4).is_file()
    assert len((tmp_path / "log").read_text().splitlines()) == 4

    with pytest.raises(HocketError, match="image cannot be made") as caught:
        build(folder, replace(kernels, join=(("false",),))).program_for(4)
    assert caught.value.exit_code == 70


def test_which_kernel_that_is(
    sketch: Maker, kernels: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = build(sketch("s", {"s.ino": PLAIN}), kernels)

    def first(program: Path) -> bytes:
        return program.read_bytes().split()[0]

    assert first(image.program_for(4)) == b"peer"
    assert first(image.program_for(1)) == b"peer_one"
    assert first(image.native_for(1)) == first(image.native_for(4)) == b"native"
    monkeypatch.setattr("hocket.builder.kernel.attaches_handlers", lambda _: True)
    assert first(image.program_for(4)) == b"peer_pins"
    assert first(image.program_for(1)) == b"peer_pins_one"
    assert first(image.native_for(4)) == b"native"


def test_without_a_kernel_the_program_is_the_linked_sketch(
    sketch: Maker, toolchain: Toolchain
) -> None:
    image = build(sketch("s", {"s.ino": "void setup() {}\nvoid loop() {}\n"}), toolchain)
    assert image.sketch_elf == image.program


def test_the_boards_own_conditions_speak_for_themselves(
    sketch: Maker, toolchain: Toolchain, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "limits.ld"
    script.write_text(
        'ASSERT(1 > 2, "hocket: it is too big | there is room for 1 | make it small")'
    )
    link = ("-fuse-ld=lld", f"-Wl,{script}", *toolchain.link)
    small = Toolchain(toolchain.cxx, toolchain.compile, link, toolchain.inputs)
    with pytest.raises(HocketError, match="it is too big") as caught:
        build(sketch("s", {"s.ino": "void setup() {}\nvoid loop() {}\n"}), small)
    assert (caught.value.cause, caught.value.next_step) == ("there is room for 1", "make it small")
    assert "ld.lld" not in capsys.readouterr().err


def test_a_broken_build_description_is_a_defect(tmp_path: Path) -> None:
    for text in ("", "{}", '{"cxx": 1}'):
        file = tmp_path / "sketch-build.json"
        file.write_text(text)
        with pytest.raises(HocketError) as caught:
            read_toolchain(file)
        assert caught.value.exit_code == 70


def test_columns_behind_several_loops_of_one_line() -> None:
    own = "void loop(1, 1, 9) {} void loop(2, 1, 9) { x; }"
    shown = own.replace("void loop", "HOCKET_LOOP")
    column = shown.index("x;")
    raw = f"/s/s.ino:1:{column + 1}: error: no x\n    1 | {shown}\n      | {' ' * column}^\n"
    second = shown.rindex("(")
    source = Source([own], {1: [(11, 2), (second, 2)]})
    cleaned = clean(raw, set(), {Path("/s/s.ino"): source}).text.splitlines()
    assert cleaned == [
        f"/s/s.ino:1:{own.index('x;') + 1}: error: no x",
        f"    1 | {own}",
        f"      | {' ' * own.index('x;')}^",
    ]


def test_notes_do_not_lead_into_the_systems_own_headers() -> None:
    """But of where it declares what the error names already; what else could be called stays, and so does all
    of the sketch's own."""
    header = ROOT / "arduino" / "api" / "Common.h"
    error = "/s/s.ino:1:1: error: no 'dely'; did you mean 'delay'?\n    1 | dely();"
    declared = f"{header}:107:6: note: 'delay' declared here\n  107 | void delay();"
    candidate = f"{header}:107:6: note: candidate function not viable: too few"
    own = "/s/s.ino:3:1: note: 'delay' declared here"
    raw = "\n".join((error, declared, error, candidate, own))
    cleaned = clean(raw, set(), {Path("/s/s.ino"): Source([])}).text.splitlines()
    assert [line for line in cleaned if "note" in line] == [
        f"{shorten(header)}:107:6: note: candidate function not viable: too few",
        own,
    ]
    assert "  107 | void delay();" not in cleaned


def test_the_boards_headers_are_compiled_once(
    sketch: Maker, toolchain: Toolchain, tmp_path: Path
) -> None:
    """For all sketches; anew when one of them says something else, not when it was only touched."""

    def compiled() -> int:
        (file,) = (tmp_path / "build" / "precompiled").rglob("*.pch")
        return file.stat().st_mtime_ns

    header = tmp_path / "include" / "Arduino.h"
    header.write_text(ARDUINO + "#define NUMBER 1\n#include <stdio.h>\nstruct Once {};\n")
    text = 'void setup() { printf("%d", NUMBER); }\nvoid loop() {}\n'
    folders = [sketch(name, {f"{name}.ino": text}) for name in ("one", "two", "three")]
    assert output(build(folders[0], toolchain)) == "1"
    first = compiled()
    assert output(build(folders[1], toolchain)) == "1"
    assert compiled() == first
    written = header.stat().st_mtime
    os.utime(header, (written + 100, written + 100))  # the compiler counts whole seconds
    assert output(build(folders[2], toolchain)) == "1"
    assert compiled() == first
    header.write_text(header.read_text().replace("NUMBER 1", "NUMBER 2"))
    assert output(build(folders[0], toolchain)) == "2"
    assert compiled() != first


def test_headers_that_do_not_compile_are_told_with_the_sketch(
    sketch: Maker, toolchain: Toolchain, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "include" / "Arduino.h").write_text(ARDUINO + "int broken = nothing;\n")
    with pytest.raises(HocketError, match="does not compile"):
        build(sketch("s", {"s.ino": "void setup() {}\nvoid loop() {}\n"}), toolchain)
    assert "use of undeclared identifier 'nothing'" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["src", "obj"])
def test_a_sketch_named_as_a_folder_of_its_build(
    sketch: Maker, toolchain: Toolchain, name: str
) -> None:
    folder = sketch(name, {f"{name}.ino": "void setup() {}\nvoid loop() {}\n"})
    assert build(folder, toolchain).program.is_file()


def test_a_debugger_gets_the_sketch_alone_without_optimisation(toolchain: Toolchain) -> None:
    """Libraries stay what they are, and so does the ordinary build beside it."""
    optimised = replace(toolchain, compile=(*toolchain.compile, "-Os"))
    changed = optimised.unoptimized()
    assert changed.for_sketch == (*toolchain.compile, "-O0")
    assert changed.compile == optimised.compile
    assert optimised.for_sketch == optimised.compile


def test_builds_of_one_command_share_the_objects_of_a_library(
    sketch: Maker, toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each object is compiled once, unless a header of the sketch or another content may make it another."""
    library = tmp_path / "libraries" / "Said"
    library.mkdir(parents=True)
    (library / "Said.h").write_text("const char* said();\n")
    (library / "said.cpp").write_text(
        '#include "Said.h"\n#if __has_include("options.h")\n#include "options.h"\n#endif\n'
        '#ifndef TEXT\n#define TEXT "usual"\n#endif\nconst char* said() { return TEXT; }\n'
    )
    text = "#include <stdio.h>\n#include <Said.h>\nvoid setup() { puts(said()); }\nvoid loop() {}\n"
    options: dict[str, str | bytes] = {"options.h": '#define TEXT "mine"\n'}
    further: dict[str, dict[str, str | bytes]] = {"one": {}, "two": {}, "own": options, "new": {}}
    shared = tmp_path / "shared"
    shared.mkdir()
    compiled: list[str] = []

    def counted(unit: Unit) -> Outcome:
        outcome = compile_unit(unit)
        compiled.extend([unit.source.name] if outcome.built and unit.library else [])
        return outcome

    def printed(name: str) -> str:
        folder = sketch(name, {f"{name}.ino": text, **further[name]})
        compiled.clear()
        image = build_sketch(find_sketch(str(folder)), find_board("sim"), toolchain, shared=shared)
        assert image.program.parent.is_relative_to(tmp_path / "build")
        return output(image)

    monkeypatch.setattr(shared_objects, "compile_unit", counted)
    assert (printed("one"), compiled) == ("usual\n", ["said.cpp"])
    assert (printed("two"), compiled) == ("usual\n", [])
    assert (printed("two"), compiled) == ("usual\n", [])
    assert (printed("own"), compiled) == ("mine\n", ["said.cpp"])
    (library / "Said.h").write_text('const char* said();\n#define TEXT "new"\n')
    assert (printed("new"), compiled) == ("new\n", ["said.cpp"])
    assert (printed("one"), compiled) == ("new\n", [])


def test_an_object_that_another_build_compiles_comes_last(tmp_path: Path) -> None:
    source = tmp_path / "library" / "a.c"
    source.parent.mkdir()
    source.write_text("int a;\n")
    sketch = tmp_path / "sketches" / "one"
    sharing = Sharing(tmp_path, sketch)
    command = ("clang-19", f"-I{sketch}")
    unit = Unit(source, tmp_path / "one" / "a.c.o", command, "L", shared=sharing)
    with shared_objects._locked(tmp_path / shared_objects._name(unit, sharing), wait=True):
        assert shared_objects.compile_unless_busy(unit) is None
    assert shared_objects.compile_shared(unit).built
    other = tmp_path / "sketches" / "two"
    unit = replace(
        unit,
        object=tmp_path / "two" / "a.c.o",
        command=("clang-19", f"-I{other}"),
        shared=Sharing(tmp_path, other),
    )
    assert not shared_objects.compile_shared(unit).built
    assert unit.object.read_bytes() == (tmp_path / "one" / "a.c.o").read_bytes()
