"""Which files make a sketch, and how they are read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hocket.errors import HocketError
from hocket.sketch.folder import find_sketch, read_source
from hocket.sketch.translate import translate

Maker = Callable[[str, dict[str, str | bytes]], Path]
BODY = "void setup() {}\nvoid loop() {}\n"


def test_a_folder_as_the_ide_knows_it(sketch: Maker) -> None:
    folder = sketch(
        "robot",
        {
            "robot.ino": BODY,
            "b.ino": "",
            "A.pde": "",
            "c.cpp": "",
            "d.h": "",
            ".hidden.ino": "",
            "src/deep/e.c": "",
            "src/f.S": "",
            "other/g.cpp": "",
            "notes.txt": "",
        },
    )
    for argument in (folder, folder / "robot.ino", folder / "b.ino", f"{folder}/"):
        found = find_sketch(str(argument))
        assert found.name == "robot"
        assert [tab.name for tab in found.tabs] == ["robot.ino", "A.pde", "b.ino"]
        assert [str(s.relative_to(folder)) for s in found.sources] == [
            "c.cpp",
            "src/deep/e.c",
            "src/f.S",
        ]
        assert [h.name for h in found.headers] == ["d.h"]


def test_a_single_ino_may_have_another_name(sketch: Maker) -> None:
    assert find_sketch(str(sketch("robot", {"other.ino": BODY}))).name == "other"


def test_an_ino_that_belongs_to_no_sketch_stands_alone(sketch: Maker) -> None:
    folder = sketch("many", {"one.ino": BODY, "two.ino": BODY})
    assert [tab.name for tab in find_sketch(str(folder / "one.ino")).tabs] == ["one.ino"]
    with pytest.raises(HocketError, match="has no main file"):
        find_sketch(str(folder))


def test_a_cpp_stands_alone(sketch: Maker) -> None:
    folder = sketch("plain", {"main.cpp": BODY, "more.cpp": "", "a.h": ""})
    found = find_sketch(str(folder / "main.cpp"))
    assert (found.name, found.tabs, [s.name for s in found.sources]) == ("main", (), ["main.cpp"])
    assert translate(found).text is None


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("nothere", "there is no sketch nothere"),
        ("empty", "empty holds no sketch"),
        ("empty/notes.txt", "empty/notes.txt is not a sketch"),
        ("a\0b", "cannot be read"),
        ("x" * 5000, "cannot be read|there is no sketch"),
    ],
)
def test_no_sketch(
    sketch: Maker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, argument: str, said: str
) -> None:
    sketch("empty", {"notes.txt": ""})
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HocketError, match=said) as caught:
        find_sketch(argument)
    assert caught.value.exit_code == 2


def test_a_near_name_is_suggested(sketch: Maker, tmp_path: Path) -> None:
    sketch("rover", {"rover.ino": BODY})
    with pytest.raises(HocketError) as caught:
        find_sketch(str(tmp_path / "rovre"))
    assert caught.value.next_step.endswith("/rover?")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfint a;", "int a;"),
        ("// µs".encode(), "// µs"),
        ("// µs".encode("latin-1"), "// µs"),
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, text: str) -> None:
    file = tmp_path / "a.ino"
    file.write_bytes(data)
    assert read_source(file) == text


def test_tabs_are_joined_in_order(sketch: Maker) -> None:
    folder = sketch("s", {"s.ino": "int first;", "b.ino": "int second;", "a.ino": BODY})
    text = translate(find_sketch(str(folder))).text
    assert text is not None
    assert text.index("int first;") < text.index("void setup() {") < text.index("int second;")
    assert f'\n#line 1 "{folder}/b.ino"\nint second;' in text


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_what_is_no_text(sketch: Maker, encoding: str) -> None:
    folder = sketch("wide", {"wide.ino": BODY.encode(encoding)})
    with pytest.raises(HocketError, match="cannot read this file as text") as caught:
        translate(find_sketch(str(folder)))
    assert caught.value.file == str(folder / "wide.ino")
    assert caught.value.next_step == "save it as UTF-8"


def test_a_single_zero_byte_is_the_compilers_to_tell(sketch: Maker) -> None:
    folder = sketch("zero", {"zero.ino": BODY.encode() + b"// a\0b\n"})
    assert translate(find_sketch(str(folder))).text is not None
