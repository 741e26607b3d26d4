"""What the Arduino IDE's recipes call, one by one: platforms in a sketchbook, notes, merged texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocket.arduino import platform
from hocket.arduino.each_file import answered, write_note
from hocket.arduino.linking import Build, keep, kept, tell
from hocket.arduino.merged import tabs_in
from hocket.arduino.notes import noted_libraries
from hocket.arduino.platform import install_command, uninstall_command
from hocket.builder.compile_error import CompileError
from hocket.builder.libraries import or_the_boxed
from hocket.errors import HocketError, SeveralErrors
from hocket.paths import LIBRARIES
from hocket.sketch.folder import instead_of_files, read_source

# As arduino-builder 1.3 writes it.
MERGED = """\
#include <Arduino.h>
#line 1 "/s/duo/duo.ino"
#line 1 "/s/duo/duo.ino"
void setup() {}

#line 1 "/s/duo/a \\"b\\".ino"
int x;
#line 7 "elsewhere.h"
"""


def test_tabs_of_the_merged_text() -> None:
    assert tabs_in(MERGED) == {
        Path("/s/duo/duo.ino"): "void setup() {}\n\n",
        Path('/s/duo/a "b".ino'): 'int x;\n#line 7 "elsewhere.h"\n',
    }


def test_an_editors_text_is_read_instead_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.ino"
    file.write_text("old")
    with instead_of_files({file: "new"}):
        assert read_source(file) == "new"
    assert read_source(file) == "old"


def test_notes_have_the_libraries_that_the_builder_chose(tmp_path: Path) -> None:
    """The core's own folder is none; `utility` belongs to its library."""
    files = ("core", "New/library.properties", "New/src/New.h", "New/src/New.cpp", "Old/Old.h")
    for name in (*files, "Old/utility/more.h", "Old/utility/more.c"):
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.mkdir() if name == "core" else place.write_text("")
    words = [f"-I{tmp_path / name}" for name in ("core", "Old", "Old/utility", "New/src")]
    write_note(tmp_path / "s.ino.cpp", tmp_path / "s.o", [*words, "-w"])
    write_note(tmp_path / "l.cpp", tmp_path / "l.o", words[:2])
    old, new = noted_libraries([tmp_path / "s.o", tmp_path / "l.o"])
    assert (old.name, new.name) == ("Old", "New")
    assert [path.name for path in (*old.sources, *new.sources)] == ["more.c", "New.cpp"]


def test_the_boxs_library_comes_before_one_that_is_not_for_hocket(tmp_path: Path) -> None:
    """Arduino's own Servo wants the timer that loops run by."""
    for name in ("Servo", "Other"):
        (tmp_path / name / "src").mkdir(parents=True)
        (tmp_path / name / "library.properties").write_text("architectures=esp32,sam\n")
    words = [f"-I{tmp_path / name / 'src'}" for name in ("Servo", "Other")]
    write_note(tmp_path / "s.ino.cpp", tmp_path / "s.o", words)
    servo, other = noted_libraries([tmp_path / "s.o"])
    for board in ("uno", "sim"):
        assert or_the_boxed(servo, board).includes == (LIBRARIES / "Servo" / "src",)
    assert or_the_boxed(other, "uno") == other
    (tmp_path / "Servo" / "library.properties").write_text("architectures=*\n")
    assert or_the_boxed(servo, "uno") == servo


def test_only_the_verbs_of_each_file_are_answered_at_once(tmp_path: Path) -> None:
    product = tmp_path / "a.o"
    assert answered(["arduino", "compile", "a.cpp", str(product), "--", "-I/x", "-w"]) == 0
    assert product.read_text() == '{"source": "a.cpp", "folders": ["/x"]}'
    assert answered(["arduino", "prototypes", "a.cpp"]) == 0
    others = (["arduino", "compile", "--help"], ["arduino", "prototypes", "a", "b"], ["run", "a"])
    unknown_board = ["arduino", "preprocess", "--board", "due", "a.cpp", "/dev/null", "--"]
    assert [answered(words) for words in (*others, unknown_board, [])] == [None] * 5


def test_an_object_of_another_compiler(tmp_path: Path) -> None:
    (tmp_path / "x.o").write_bytes(b"\x7fELF\xff")
    with pytest.raises(HocketError, match="was not made by Hocket"):
        noted_libraries([tmp_path / "x.o"])


def test_what_was_linked_is_kept_for_the_upload(tmp_path: Path) -> None:
    (tmp_path / "hocket").mkdir()
    build = Build("sim", "/s/duo", str(tmp_path), "duo.ino", 2, ["a.o"])
    with pytest.raises(HocketError, match="nothing to upload"):
        kept(tmp_path)
    keep(build)
    assert kept(tmp_path) == build


def test_errors_are_told_as_compilers_do(capsys: pytest.CaptureFixture[str]) -> None:
    tell(HocketError("too long", "C > T", "lower C", "/s/duo/duo.ino", 7))
    tell(SeveralErrors([HocketError("one", file="/s/a.ino"), HocketError("two")]))
    assert capsys.readouterr().err.splitlines() == [
        "/s/duo/duo.ino:7:1: error: too long",
        "  cause: C > T",
        "  next:  lower C",
        "/s/a.ino: error: one",
        "error: two",
    ]


def test_the_compilers_errors_are_not_told_again(capsys: pytest.CaptureFixture[str]) -> None:
    tell(CompileError("no x", "the sketch does not compile", "1 error", "mend it", "/s/a.ino", 7))
    assert "error:" not in capsys.readouterr().err


# --- A sketchbook ---


def test_install_and_uninstall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "hardware" / "hocket"
    for _ in range(2):  # again is anew
        assert install_command(tmp_path) == 0
    assert str(folder) in capsys.readouterr().out
    for name in ("avr", "host"):
        assert (folder / name / "boards.txt").resolve().is_file()
        assert (folder / name / "platform.txt").resolve().is_file()
        assert (folder / name / "cores" / "hocket").is_dir()
        local = (folder / name / "platform.local.txt").read_text().splitlines()
        commands = {line.partition("=")[2] for line in local}
        assert len(commands) == 1
        assert Path(commands.pop()).is_file()
    assert (folder / "avr" / "libraries" / "Servo" / "src" / "Servo.h").is_file()
    assert (folder / "host" / "libraries" / "Wire").is_dir()
    assert uninstall_command(tmp_path) == 0
    assert not folder.exists()
    with pytest.raises(HocketError, match="not installed there"):
        uninstall_command(tmp_path)


def test_a_folder_of_others_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "hardware" / "hocket" / "mine.txt"
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    for command in (install_command, uninstall_command):
        with pytest.raises(HocketError, match="was not made by Hocket"):
            command(tmp_path)
    assert file.read_text() == "mine"


def test_the_sketchbook_that_the_ide_remembers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(HocketError, match=r"there is no sketchbook .*/Arduino"):
        install_command(None)
    (tmp_path / ".arduino15").mkdir()
    (tmp_path / "book").mkdir()
    remembered = f"board=uno\nsketchbook.path={tmp_path / 'book'}\n"
    (tmp_path / ".arduino15" / "preferences.txt").write_text(remembered)
    assert install_command(None) == 0
    assert (tmp_path / "book" / "hardware" / "hocket" / "avr").is_dir()


@pytest.mark.parametrize("name", platform.PLATFORMS)
def test_every_recipe_calls_hocket(name: str) -> None:
    text = (platform.DESCRIPTIONS / name / "platform.txt").read_text()
    patterns = [line for line in text.splitlines() if ".pattern=" in line or ".macros=" in line]
    assert len(patterns) >= 8
    for pattern in patterns:
        assert '="{hocket.cmd}" arduino ' in pattern or '="{cmd.path}" arduino ' in pattern
