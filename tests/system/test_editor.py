"""`hocket clangd` as an editor has it: the real clangd, and sketches that are no C++."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import LONG, except_virt, long_form
from tests.commands import ENTRY, ROOT, run_hocket
from tests.language_client import Client

from hocket.editor.messages import read_message, write_message

EXAMPLES = sorted(
    path / f"{path.name}.ino"
    for path in (ROOT / "examples").iterdir()
    if (path / f"{path.name}.ino").is_file() and path.name != "too-much"
)
# Each is seconds of clangd's: of some it is known in every run that nothing is wrong with them.
TRIED = EXAMPLES if LONG else EXAMPLES[::9]

# Prototypes are missing, loops are many, and there are letters outside of ASCII and of 16 bits.
SKETCH = """\
#include <Servo.h>
int answer = 42;  // ä
Servo servo;

void setup() {
  Serial.begin(115200);
  helper(answer);
}

void   loop(1, 5, 100) { /* 🙂 */ helper(answer); delay(10); }
void loop(2, 5ms, 100ms) {
  later(answer);
  digitalWrite(LED_BUILTIN, HIGH);
}
void periodic(3, 2ms, 50ms, 20ms) { later(3); }

int helper(int value) { return value + 1; }
"""
OTHER = """\
void later(int value) {
  Serial.println(value + answer);
}
"""


def write(folder: Path) -> Path:
    folder.mkdir()
    (folder / f"{folder.name}.ino").write_text(SKETCH, encoding="utf-8")
    (folder / "later.ino").write_text(OTHER, encoding="utf-8")
    return folder / f"{folder.name}.ino"


@pytest.fixture
def sketch(tmp_path: Path) -> Path:
    return write(tmp_path / "grün und blau")


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, Path]]:
    """One that has a sketch open: clangd has read its headers."""
    sketch = write(tmp_path_factory.mktemp("editor") / "grün und blau")
    with Client(sketch.parent) as client:
        assert serious(client.open(sketch)) == []
        yield client, sketch


@pytest.fixture
def opened(editor: tuple[Client, Path]) -> Iterator[tuple[Client, Path]]:
    """The same one for several tests; each finds its sketch as it is written."""
    client, sketch = editor
    yield client, sketch
    client.change(sketch, SKETCH)


def serious(found: list[dict[str, Any]]) -> list[tuple[int, str]]:
    return [(one["range"]["start"]["line"] + 1, one["message"]) for one in found]


def test_good_sketches_have_nothing_wrong() -> None:
    with Client(ROOT / "examples") as client:
        for file in TRIED:
            wrong = serious(client.open(file))
            assert not wrong, f"{file}: {wrong}"
            client.close(file)
        assert client.shown == []


@pytest.mark.parametrize("board", except_virt(["virt", "uno"]))
def test_the_board_of_the_project_file_counts(tmp_path: Path, board: str) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "hocket.toml").write_text(f'board = "{board}"\n')
    macro = {"virt": "__aarch64__", "uno": "__AVR__"}[board]
    text = f"#ifndef {macro}\n#error another\n#endif\n"
    text += "void setup() {}\nvoid loop(1, 5, 100) { run(); }\nvoid run() {}\n"
    (folder / "a.ino").write_text(text)
    with Client(folder) as client:
        assert serious(client.open(folder / "a.ino")) == []
        assert serious(client.change(folder / "a.ino", text.replace("run();", "rnu();")))[0][0] == 5


def test_an_error_is_shown_at_its_place_also_behind_a_head_that_was_changed(
    opened: tuple[Client, Path],
) -> None:
    client, sketch = opened
    wrong = SKETCH.replace("helper(answer); delay", "nothing(answer); delay")
    (found,) = client.change(sketch, wrong)
    assert "undeclared identifier 'nothing'" in found["message"]
    line = wrong.split("\n")[9]
    begins = len(line[: line.index("nothing")].encode("utf-16-le")) // 2
    assert found["range"]["start"] == {"line": 9, "character": begins}
    assert found["range"]["end"] == {"line": 9, "character": begins + len("nothing")}
    # Nothing of it was saved, and what was mended is forgotten.
    assert client.change(sketch, SKETCH) == []


def test_an_error_in_another_tab(sketch: Path) -> None:
    later = sketch.with_name("later.ino")
    with Client(sketch.parent) as client:
        client.open(sketch)
        assert client.open(later) == []
        (found,) = client.change(later, OTHER.replace("answer", "anwser"))
        assert found["range"]["start"] == {"line": 1, "character": 25}
        # Renamed in one tab that is not saved: the other one's use of it is wrong now.
        assert client.change(later, OTHER.replace("later", "sooner")) == []
        assert [line for line, _ in serious(client.latest[sketch.as_uri()])] == [12, 15]


def test_what_a_build_refuses_is_an_error_too(opened: tuple[Client, Path]) -> None:
    client, sketch = opened
    found = client.change(sketch, SKETCH.replace("loop(1, 5, 100)", "loop(2, 5, 100)"))
    (ours,) = [one for one in found if one["source"] == "hocket"]
    assert "2" in ours["message"]
    assert "next: " in ours["message"]
    # While a head is being written everything else goes on.
    found = client.change(sketch, SKETCH.replace("loop(1, 5, 100)", "loop(1, 500, 100)"))
    assert {line for line, _ in serious(found)} == {10}


def test_completion(opened: tuple[Client, Path]) -> None:
    client, sketch = opened
    text = SKETCH.replace("  digitalWrite(LED_BUILTIN, HIGH);", "  digital;\n  Serial.;")
    client.change(sketch, text)
    members = labels(client.at("completion", sketch, 14, 9))
    assert {"println", "begin", "available"} <= members
    assert {"digitalWrite", "digitalRead"} <= known(client, sketch)
    # Behind the head that was changed the place is right as well.
    line = text.split("\n")[9]
    begun = len(line[: line.index("delay")].encode("utf-16-le")) // 2
    items = client.at("completion", sketch, 10, begun + 3)["items"]
    edits = [item["textEdit"]["range"] for item in items if "delay" in item["label"]]
    assert edits[0]["start"] == {"line": 9, "character": begun}


def known(client: Client, sketch: Path) -> set[str]:
    """What is offered for `digital`. clangd lists the names of headers beside its first answers."""
    for _ in range(200):
        if found := labels(client.at("completion", sketch, 13, 9)):
            return found
        time.sleep(0.3)
    return set()


def labels(answer: dict[str, Any]) -> set[str]:
    return {item.get("filterText", item["label"]).strip() for item in answer["items"]}


def test_hover_and_places(opened: tuple[Client, Path]) -> None:
    client, sketch = opened
    later = sketch.with_name("later.ino")
    hover = client.at("hover", sketch, 7, 4)
    assert "int helper(int value)" in hover["contents"]["value"].replace("\n", " ")
    assert hover["range"]["start"] == {"line": 6, "character": 2}
    # To a function that is defined below, and to one of a tab that is not even open.
    assert places(client.at("definition", sketch, 7, 4)) == [(sketch, 17)]
    assert places(client.at("definition", sketch, 12, 4)) == [(later, 1)]
    assert places(client.at("definition", sketch, 13, 4))[0][0].suffix in (".h", ".cpp")
    uses = client.at("references", sketch, 2, 6, context={"includeDeclaration": True})
    assert places(uses) == [(sketch, 2), (sketch, 7), (sketch, 10), (sketch, 12), (later, 2)]
    renamed = client.at("rename", sketch, 2, 6, newName="reply")["changes"]
    assert {uri: len(edits) for uri, edits in renamed.items()} == {
        sketch.as_uri(): 4,
        later.as_uri(): 1,
    }
    document = {"textDocument": {"uri": sketch.as_uri()}}
    symbols = client.ask("textDocument/documentSymbol", document)
    assert [s["name"] for s in symbols if s["name"] in ("answer", "setup", "helper", "later")] == [
        "answer",
        "setup",
        "helper",
    ]
    assert client.ask("textDocument/formatting", {**document, "options": {}}) is None


def places(answer: list[dict[str, Any]]) -> list[tuple[Path, int]]:
    from urllib.parse import unquote, urlsplit

    return [
        (Path(unquote(urlsplit(one["uri"]).path)), one["range"]["start"]["line"] + 1)
        for one in answer
    ]


@long_form
def test_sources_in_c_plus_plus_are_compiled_as_a_build_compiles_them(tmp_path: Path) -> None:
    folder = tmp_path / "two"
    folder.mkdir()
    (folder / "two.ino").write_text('#include "part.h"\nvoid setup() { part(); }\nvoid loop() {}\n')
    (folder / "part.h").write_text("#pragma once\n#include <Arduino.h>\nvoid part();\n")
    (folder / "part.cpp").write_text('#include "part.h"\nvoid part() { digitalWrite(2, LOW); }\n')
    with Client(folder) as client:
        for name in ("two.ino", "part.cpp", "part.h"):
            assert serious(client.open(folder / name)) == [], name
    lone = tmp_path / "lone.cpp"
    lone.write_text("#include <Hocket.h>\nvoid setup() {}\nHOCKET_LOOP(1, 5, 100) { delay(1); }\n")
    with Client(tmp_path) as client:
        assert serious(client.open(lone)) == []


@long_form
def test_a_tab_that_no_file_holds_yet(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        assert client.open(tmp_path / "new.ino", "void setup() {}\nvoid loop(1, 5, 100) {}\n") == []


@long_form
def test_a_new_tab_belongs_to_its_sketch_once_it_is_saved(sketch: Path) -> None:
    new = sketch.with_name("new.ino")
    with Client(sketch.parent) as client:
        client.open(new, "int fresh() { return 1; }\n")
        client.open(sketch)
        new.write_text("int fresh() { return 1; }\n", encoding="utf-8")
        client.say("textDocument/didSave", {"textDocument": {"uri": new.as_uri()}})
        text = (
            "// one\n// two\nint fresh() { return 1; }\nint two() { return fresh() + helper(1); }\n"
        )
        assert serious(client.change(new, text)) == []
        document = {"textDocument": {"uri": new.as_uri()}}
        for column, place in ((19, (new, 3)), (29, (sketch, 17))):
            asked = {**document, "position": {"line": 3, "character": column}}
            assert places(client.ask("textDocument/definition", asked)) == [place]


@long_form
def test_messages_that_cannot_be_meant_end_nothing(sketch: Path) -> None:
    uri = {"uri": sketch.as_uri()}
    with Client(sketch.parent) as client:
        client.say("textDocument/didOpen", {"textDocument": uri})
        client.say("textDocument/didOpen", {"textDocument": {"uri": "file:///a%00b.ino"}})
        client.say("textDocument/didOpen", {"textDocument": {"uri": "file://[/x.ino"}})
        assert serious(client.open(sketch)) == []
        client.say("textDocument/didChange", {"textDocument": uri, "contentChanges": []})
        assert "int helper(int value)" in str(client.at("hover", sketch, 7, 4)).replace("\\n", " ")


@pytest.mark.parametrize("body", [b"[]", b'{"a": "\xff"}', b"[" * 100_000])
def test_a_body_that_is_no_message_is_passed_over(body: bytes) -> None:
    stream = io.BytesIO(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stream.seek(0, io.SEEK_END)
    write_message(stream, {"method": "exit"})
    stream.seek(0)
    assert read_message(stream) == {"method": "exit"}
    assert read_message(stream) is None


def test_a_length_beyond_all_measure_is_none() -> None:
    assert read_message(io.BytesIO(b"Content-Length: 99999999999999999999\r\n\r\n{}")) is None


@long_form
def test_it_ends_with_clangd(tmp_path: Path) -> None:
    """An editor starts a server again that has ended, and waits for one that is silent."""
    file = tmp_path / "new.ino"
    client = Client(tmp_path)
    client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    client.open(file, "void setup() {}\nvoid loop(1, 5, 100) {}\n")
    (clangd,) = client.children()
    os.kill(clangd, signal.SIGKILL)
    assert client.ended() == 70


def test_it_ends_with_its_editor(tmp_path: Path) -> None:
    """Also when that goes without a word."""
    command = [str(ENTRY), "clangd"]
    done = subprocess.run(
        command, input=b"", cwd=ROOT / "tools", capture_output=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"")


def test_without_clangd(tmp_path: Path) -> None:
    done = run_hocket("clangd", environment={"PATH": str(tmp_path)})
    assert done.returncode == 2
    assert "clangd-19" in done.stderr
