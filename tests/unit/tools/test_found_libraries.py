"""Which libraries a sketch gets: the preprocessor decides, and what was found is kept as long as it holds."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from hocket.boards import find_board
from hocket.builder import compile, found_libraries, include_lines
from hocket.builder.board import Toolchain
from hocket.builder.found_libraries import needed_libraries
from hocket.builder.libraries import Library, passed_over
from hocket.paths import LIBRARIES
from hocket.sketch.folder import find_sketch, instead_of_files

Write = Callable[[dict[str, str]], None]
BODY = "void setup() {}\nvoid loop() {}\n"


@dataclass
class Sketchbook:
    """A sketch `s` beside a folder of libraries, and a core with an empty Arduino.h."""

    folder: Path
    flags: tuple[str, ...] = ()

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def found(self, board: str = "sim") -> list[Library]:
        flags = (f"-I{self.folder / 'core'}", "-std=gnu++20", *self.flags)
        toolchain = Toolchain("clang++-19", flags, (), ())
        return needed_libraries(find_sketch(str(self.folder / "s")), find_board(board), toolchain)

    def names(self, board: str = "sim") -> list[str]:
        return [library.name for library in self.found(board)]


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sketchbook:
    monkeypatch.setattr(found_libraries, "_PLACE", tmp_path / "kept")
    made = Sketchbook(tmp_path / "book")
    made.write({"core/Arduino.h": "#pragma once\n", "s/s.ino": BODY})
    return made


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that the preprocessor was asked about."""
    files: list[str] = []
    run = compile.run

    def counted(command: list[str]) -> object:
        files.append(Path(command[-1]).name)
        return run(command)

    monkeypatch.setattr(found_libraries, "run", counted)
    return files


def properties(name: str, *lines: str) -> str:
    return "\n".join((f"name={name}", "version=1.0.0", *lines, ""))


def test_headers_of_headers_in_folders_below(book: Sketchbook) -> None:
    book.write(
        {
            "s/s.ino": "#include <Top.h>\n" + BODY,
            "libraries/Top/library.properties": properties("Top"),
            "libraries/Top/src/Top.h": '#include "sensors/deep/S.h"\n',
            "libraries/Top/src/sensors/deep/S.h": "#include <Bus.h>\n",
            "libraries/Top/src/sensors/deep/S.cpp": '#include "S.h"\n#include <Extra.h>\n',
            "libraries/Top/src/.hidden/X.cpp": "",
            "libraries/Bus/Bus.h": "",
            "libraries/Extra/Extra.h": "",
        }
    )
    found = book.found()
    assert [library.name for library in found] == ["Top", "Bus", "Extra"]
    assert [source.name for source in found[0].sources] == ["S.cpp"]


def test_conditions_count(book: Sketchbook) -> None:
    book.write(
        {
            "s/s.ino": "#include <A.h>\n#if defined(NOT_HERE)\n#include <No.h>\n#endif\n"
            "#ifdef A_WANTS_B\n#include <B.h>\n#else\n#include <No.h>\n#endif\n"
            "#if __has_include(<No.h>)\n#include <No.h>\n#endif\n"
            '#define NAMED <C.h>\n#include NAMED\n/* of old */ #include "D.h"\n' + BODY,
            "libraries/A/A.h": "#define A_WANTS_B\n",
            "libraries/B/B.h": "",
            "libraries/C/C.h": "",
            "libraries/D/D.h": "#if 0\n#include <No.h>\n#endif\n",
            "libraries/No/No.h": "#error not for this board\n",
        }
    )
    assert book.names() == ["A", "B", "C", "D"]


def test_flags_count(book: Sketchbook) -> None:
    book.write(
        {
            "s/s.ino": "#ifdef WITH_A\n#include <A.h>\n#endif\n" + BODY,
            "libraries/A/A.h": "",
        }
    )
    assert book.names() == []
    book.flags = ("-DWITH_A",)
    assert book.names() == ["A"]


def test_the_older_layout_and_examples(book: Sketchbook) -> None:
    book.write(
        {
            "s/s.ino": "#include <Motor.h>\n#include <Own.h>\n" + BODY,
            "s/Own.h": "",
            "libraries/Motor/library.properties": "name=Motor\n",
            "libraries/Motor/src/Motor.h": "#include <Wheel.h>\n",
            "libraries/Motor/src/deep/Motor.cpp": "",
            "libraries/Motor/examples/x/x.cpp": "#include <Own.h>\n",
            "libraries/Copy/src/Motor.h": "",
            "libraries/Own/Own.h": "",
            "libraries/Wheel-1.2/Wheel.h": "",
            "libraries/Wheel-1.2/Wheel.cpp": "",
            "libraries/Wheel-1.2/utility/w.c": "",
        }
    )
    motor, wheel = book.found()
    assert [source.name for source in motor.sources] == ["Motor.cpp"]
    assert [source.name for source in wheel.sources] == ["Wheel.cpp", "w.c"]


def test_a_library_of_the_box_is_for_the_boards_that_it_names(book: Sketchbook) -> None:
    book.write({"s/s.ino": "#include <Wire.h>\n" + BODY})
    for board in ("sim", "virt", "rpi3", "uno"):
        assert [library.includes[0] for library in book.found(board)] == [
            LIBRARIES / "Wire" / "src"
        ]
    book.write({"s/s.ino": "#include <SoftwareSerial.h>\n" + BODY})
    assert [library.folder for library in book.found("sim")] == [LIBRARIES / "SoftwareSerial"]
    assert LIBRARIES / "SoftwareSerial" not in [library.folder for library in book.found("uno")]


@pytest.mark.parametrize("board", ["sim", "uno"])
def test_a_library_made_for_the_board_goes_before_one_of_its_name(
    book: Sketchbook, board: str
) -> None:
    """Arduino's own Servo in a sketchbook knows other processors; one that is for all does take its place."""
    book.write({"s/s.ino": "#include <Servo.h>\n" + BODY, "libraries/Servo/src/Servo.h": ""})
    own = book.folder / "libraries" / "Servo"

    def chosen(architectures: str) -> tuple[Path, list[Path]]:
        book.write({"libraries/Servo/library.properties": f"name=Servo\n{architectures}\n"})
        libraries = book.found(board)
        return libraries[0].folder, passed_over(find_sketch(str(book.folder / "s")), libraries)

    assert chosen("architectures=avr,sam, samd") == (LIBRARIES / "Servo", [own])
    for architectures in ("architectures=avr,hocket", "architectures=*", ""):
        assert chosen(architectures) == (own, [])


def test_a_library_for_the_processor_goes_before_one_for_others(book: Sketchbook) -> None:
    book.write(
        {
            "s/s.ino": "#include <Motor.h>\n" + BODY,
            "libraries/Motor/src/Motor.h": "",
            "libraries/Motor/library.properties": "architectures=esp32\n",
            "libraries/Other/src/Motor.h": "",
            "libraries/Other/library.properties": "architectures=avr\n",
        }
    )
    assert (book.names("uno"), book.names("sim")) == (["Other"], ["Motor"])


def test_a_header_that_nobody_has_ends_the_search_of_its_file_alone(book: Sketchbook) -> None:
    book.write(
        {
            "s/s.ino": "#include <A.h>\n#include <Nowhere.h>\n#include <B.h>\n" + BODY,
            "s/more.cpp": "#include <C.h>\n",
            **{f"libraries/{name}/{name}.h": "" for name in "ABC"},
        }
    )
    assert book.names() == ["A", "C"]
    book.write({"s/Nowhere.h": ""})
    assert book.names() == ["A", "B", "C"]


def test_utility_is_a_librarys_own(book: Sketchbook) -> None:
    """Two libraries in the older layout may each have their own `utility/debug.h`."""
    book.write(
        {
            "s/s.ino": "#include <A.h>\n#include <B.h>\n" + BODY,
            "libraries/A/A.h": '#include "utility/debug.h"\n',
            "libraries/A/A.cpp": "#include <debug.h>\n#include <Wanted.h>\n",
            "libraries/A/utility/debug.h": "",
            "libraries/A/utility/more.c": "",
            "libraries/A/other/no.cpp": "",
            "libraries/B/B.h": "",
            "libraries/B/B.cpp": "#include <debug.h>\n",
            "libraries/B/utility/debug.h": "",
            "libraries/Wanted/Wanted.h": "",
        }
    )
    a, b, wanted = book.found()
    assert [library.name for library in (a, b, wanted)] == ["A", "B", "Wanted"]
    assert [source.name for source in a.sources] == ["A.cpp", "more.c"]
    assert [path.name for path in a.includes] == ["A"]
    assert a.own_includes == (a.folder / "utility",)
    assert b.own_includes == (b.folder / "utility",)


def test_without_properties_the_headers_beside_src_count(book: Sketchbook) -> None:
    """arduino-cli's rule: `src/` is all of a library only where library.properties says that it is one."""
    book.write(
        {
            "s/s.ino": "#include <A.h>\n" + BODY,
            "libraries/A/A.h": "",
            "libraries/A/src/not_compiled.cpp": "",
        }
    )
    (library,) = book.found()
    assert (library.includes[0].name, library.sources) == ("A", ())
    book.write({"libraries/A/library.properties": properties("A"), "libraries/A/src/A.h": ""})
    (library,) = book.found()
    assert (library.includes[0].name, len(library.sources)) == ("src", 1)


@pytest.mark.parametrize(
    ("folders", "chosen"),
    [
        ({"Motor": "", "Other": ""}, "Motor"),
        ({"Motor-master": "", "MyMotor": ""}, "Motor-master"),
        ({"Motor_Shield": "", "Motor-main": ""}, "Motor-main"),
        ({"A_Motor": "", "B": ""}, "A_Motor"),
        ({"B": "name=Motor\n", "Motor_2": ""}, "B"),
        ({"Motor": "name=Other\n", "B": "name=Motor\n"}, "B"),
        ({"Motor": "name=Motor\n", "B": "name=Motor\n"}, "Motor"),
        ({"Motor": "architectures=esp32\n", "B": "architectures=avr\n"}, "B"),
        ({"Motor": "architectures=avr\n", "B": "architectures=*\n"}, "Motor"),
        ({"Motor1": "architectures=avr\n", "Motor2": "architectures=*\n"}, "Motor2"),
        ({"A": "", "B": ""}, "A"),
    ],
)
def test_the_library_that_is_meant(book: Sketchbook, folders: dict[str, str], chosen: str) -> None:
    book.write({"s/s.ino": "#include <Motor.h>\n" + BODY})
    for name, said in folders.items():
        book.write({f"libraries/{name}/Motor.h": ""})
        if said:
            named = said if "name=" in said else f"name={name}\n{said}"
            book.write({f"libraries/{name}/library.properties": named})
    assert book.names("uno") == [chosen]


def test_what_a_library_depends_on_is_meant(book: Sketchbook) -> None:
    book.write(
        {
            "s/s.ino": "#include <Driver.h>\n" + BODY,
            "libraries/Driver/library.properties": properties(
                "Driver", "depends=Second Bus (>=1.0), X"
            ),
            "libraries/Driver/src/Driver.h": "#include <Bits.h>\n",
            "libraries/First/Bits.h": "",
            "libraries/Second/library.properties": properties("Second Bus"),
            "libraries/Second/src/Bits.h": "",
        }
    )
    assert book.names() == ["Driver", "Second"]


def test_a_way_into_a_library(book: Sketchbook) -> None:
    book.write(
        {
            "s/s.ino": "#include <sensors/Barometer.h>\n" + BODY,
            "libraries/Kit/library.properties": properties("Kit"),
            "libraries/Kit/src/Kit.h": "",
            "libraries/Kit/src/sensors/Barometer.h": "",
            "secret/x.h": "",
        }
    )
    assert book.names() == ["Kit"]
    book.write({"s/s.ino": "#include <../../secret/x.h>\n#include </etc/passwd>\n" + BODY})
    assert book.names() == []


def test_the_sketchs_own_headers_come_first(book: Sketchbook) -> None:
    book.write(
        {
            "s/s.ino": '#include "config.h"\n' + BODY,
            "s/config.h": "#include <A.h>\n",
            "libraries/Config/config.h": "#error another one\n",
            "libraries/A/A.h": "",
        }
    )
    assert book.names() == ["A"]


# --- Kept ---


def test_nothing_is_asked_twice(book: Sketchbook, asked: list[str]) -> None:
    book.write(
        {
            "s/s.ino": "#include <A.h>\n" + BODY,
            "libraries/A/A.h": "",
            **{f"libraries/A/a{number}.cpp": '#include "A.h"\n' for number in range(20)},
        }
    )
    assert (book.names(), asked) == (["A"], ["sketch.cpp"])
    assert (book.names(), asked) == (["A"], ["sketch.cpp"])
    book.write({"s/s.ino": "#include <A.h>\nint more; // include <B.h>\n" + BODY})
    assert (book.names(), asked) == (["A"], ["sketch.cpp"])


Change = Callable[[Sketchbook], None]


def _removed(name: str) -> Change:
    return lambda book: (book.folder / name).unlink()


@pytest.mark.parametrize(
    ("change", "now"),
    [
        (lambda book: book.write({"s/s.ino": "#include <B.h>\n" + BODY}), ["B"]),
        (lambda book: book.write({"s/other.cpp": "#include <B.h>\n"}), ["A", "Late", "B"]),
        (lambda book: book.write({"s/A.h": ""}), []),
        (lambda book: book.write({"libraries/A/A.h": ""}), ["A"]),
        (lambda book: book.write({"libraries/A/A.h": "#include <B.h>\n"}), ["A", "B"]),
        (lambda book: book.write({"libraries/A/new.cpp": "#include <B.h>\n"}), ["A", "Late", "B"]),
        (lambda book: book.write({"libraries/A/Late.h": ""}), ["A"]),
        (
            lambda book: book.write({"libraries/A/library.properties": "architectures=esp32\n"}),
            ["Z"],
        ),
        (lambda book: book.write({"libraries/Late-2/Late.h": ""}), ["A", "Late"]),
        (_removed("libraries/Late/Late.h"), ["A"]),
        (_removed("libraries/A/A.h"), ["Z"]),
    ],
)
def test_what_was_found_holds_until_something_changes(
    book: Sketchbook, change: Change, now: list[str]
) -> None:
    book.write(
        {
            "s/s.ino": "#include <A.h>\n" + BODY,
            "libraries/A/A.h": "#include <Late.h>\n",
            "libraries/B/B.h": "",
            "libraries/Late/Late.h": "",
            "libraries/Z/A.h": "",
        }
    )
    assert book.names() == ["A", "Late"]
    assert book.names() == ["A", "Late"]
    change(book)
    for file in book.folder.rglob("*"):  # not by their times alone
        os.utime(file, (time.time() - 100, time.time() - 100))
    assert book.names() == now


def test_an_editors_text_is_read_and_not_kept(book: Sketchbook) -> None:
    book.write({"libraries/A/A.h": "", "libraries/B/B.h": "", "s/s.ino": "#include <A.h>\n" + BODY})
    assert book.names() == ["A"]
    with instead_of_files({book.folder / "s" / "s.ino": "#include <B.h>\n" + BODY}):
        assert book.names() == ["B"]
    assert book.names() == ["A"]


def test_in_proportion_to_what_is_read(book: Sketchbook, asked: list[str]) -> None:
    """Each file's lines are read once, however many files include it."""
    count = 300
    book.write(
        {"s/s.ino": "#include <H0.h>\n" + BODY, "libraries/H/library.properties": "name=H\n"}
    )
    for number in range(count):
        more = "".join(f'#include "H{at}.h"\n' for at in range(number + 1, min(number + 20, count)))
        book.write({f"libraries/H/src/H{number}.h": "#pragma once\n" + more})
        book.write({f"libraries/H/src/H{number}.cpp": f'#include "H{number}.h"\n'})
    read: list[str] = []

    def counted(text: str) -> include_lines.Includes:
        read.append(text)
        return include_lines.include_lines(text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(found_libraries, "include_lines", counted)
        assert book.names() == ["H"]
    assert asked == ["sketch.cpp"]
    assert len(read) <= 2 * count + 5
