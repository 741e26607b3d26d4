"""Every reader of outside text takes a time in proportion to it, or refuses it with a sentence.

Of each family the text is made four times as long, and the processor time of both is compared: 4 times is
linear, 16 times quadratic. Texts begin so long that they take some milliseconds.
"""

from __future__ import annotations

import gc
import io
import json
import struct
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import settings as settings_of_hypothesis
from hypothesis import strategies as st
from tests.campaign import every_so_often, in_turn, rounds

from hocket.editor.document import Document as Translated
from hocket.editor.document import document_of
from hocket.editor.messages import read_message
from hocket.editor.places import diagnostics
from hocket.errors import HocketError
from hocket.lab.merging import merged
from hocket.lab.touch_file import ToCome
from hocket.project_file import read_settings
from hocket.report import load_report
from hocket.scenario import read_scenario
from hocket.segments import LITTLE_32, load_segments
from hocket.sketch.folder import Sketch
from hocket.sketch.translate import translate
from hocket.trace.eventlog import Event, EventKind, EventLog, listing, pack_log, parse_log, read_log
from hocket.trace.perfetto import to_perfetto
from hocket.trace.two_waves import join_waves
from hocket.trace.vcd import to_vcd
from hocket.trace.wavefile import read_signals
from hocket.webreport.waves import read_waves

Family = Callable[[int], str]
Reader = Callable[[str, Path], object]

_TIMES = 4
_MOST = 8  # of _TIMES times the text: quadratic is 16
_ENOUGH_S = 0.012
_AGAIN = 4  # times that it is measured anew, at most
_LONGEST = 1 << 20  # characters that a text begins with at most


def seconds(read: Reader, text: str, folder: Path) -> float:
    """Of the processor, for this thread; the least of two, for other programs disturb. Without Python's
    collections of what refers to itself: they come in steps, and each looks at all that the tests have."""

    def once() -> float:
        gc.disable()
        try:
            begin = time.thread_time()
            with suppress(HocketError):
                read(text, folder)
            return time.thread_time() - begin
        finally:
            gc.enable()

    return min(once(), once())


def check(read: Reader, family: Family, folder: Path) -> None:
    size = 64
    small = seconds(read, family(size), folder)
    while small < _ENOUGH_S and len(family(size)) < _LONGEST:
        size *= 2
        small = seconds(read, family(size), folder)
    large = seconds(read, family(_TIMES * size), folder)
    for _ in range(_AGAIN):  # a machine may have been busy, and a text of megabytes needs its pages
        if large <= _MOST * small:
            break
        small = max(small, seconds(read, family(size), folder))
        large = min(large, seconds(read, family(_TIMES * size), folder))
    assert large <= _MOST * max(small, _ENOUGH_S / 4), f"{size}: {small:.3f} s, then {large:.3f} s"


def repeated(piece: str, before: str = "", behind: str = "") -> Family:
    return lambda count: before + piece * count + behind


def numbered(piece: str, before: str = "", behind: str = "") -> Family:
    return lambda count: before + "".join(piece.replace("@", str(n)) for n in range(count)) + behind


def shortened(families: dict[str, Family]) -> list[object]:
    """Of the texts that are one piece again and again, one in four, with `--long` all."""
    simple = [name for name in families if name.startswith("repeated")]
    return [name for name in families if name not in simple] + every_so_often(simple, 4)


# --- The translator of sketches ---

_ENTRY = "void setup() {}\nvoid loop() {}\n"
SKETCHES: dict[str, Family] = {
    "one-line templates": numbered("template <class T> T f@(T a) { return a; }\n", _ENTRY),
    "functions": numbered("int f@(int a, S@ b) { return a; }\n", _ENTRY),
    "functions of late types": numbered("struct S@ {};\nS@ f@(S@ a) { return a; }\n", _ENTRY),
    "wide letters": numbered("int f@() { return 'é'; }\n", _ENTRY),
    "functions in an #if": numbered("int f@() { return 1; }\n", _ENTRY + "#if A\n", "#endif\n"),
    "functions in #elif": numbered("#elif A@\nint f@() {}\n", _ENTRY + "#if A\n", "#endif\n"),
    "nested #if": repeated("#if A\nint f() {}\n", _ENTRY),
    "#if with a loop in each": repeated("#if A\nvoid loop(1, 2, 3) {}\n", _ENTRY),
    "the same loop in #elif": numbered(
        "#elif A@\nvoid loop(1, 2, 3) {}\n", _ENTRY + "#if A\n", "#endif\n"
    ),
    "loops": numbered("void loop(@, 2, 3) {}\n"),
    "loops of names": numbered("void loop(a@, 2, 3) {}\n"),
    "parameters of many": numbered("int a@, ", _ENTRY + "int f(", "int b) { return b; }\n"),
    "defaults of many": numbered("int a@ = f(@), ", _ENTRY + "int f(", "int b = 1) {}\n"),
    "a long line": repeated("f(1); ", _ENTRY + "void g() { ", "}\n"),
    "many lines": repeated("int a;\n", _ENTRY),
    "words": repeated("setup loop ", _ENTRY),
    "words and comments": repeated("setup /* a */ ", _ENTRY),
    "comments behind a word": repeated("/* a */ ", _ENTRY + "setup "),
    "declarations before a loop": repeated("HOCKET_ON_FAULT(A) ", "", "void loop(1, 2, 3) {}"),
    "signs": repeated("-", "void loop(", "1, 2, 3) {}"),
    "parentheses of an id": repeated("(", "void loop(", "1, 2, 3) {}"),
    "a loop's numbers": repeated("1, ", "void loop(", "2) {}"),
    "near names": numbered("void lop@() {}\n"),
    "numbers": repeated("1", "void loop(", ", 2, 3) {}"),
    "includes": numbered('#include "a@.h"\n', _ENTRY),
    "definitions": numbered("#define A@ int\nA@ f@() {}\n", _ENTRY),
    **{
        f"repeated {piece!r}": repeated(piece, _ENTRY)
        for piece in (
            *(
                "struct{",
                "struct S{int a;",
                "enum{A,",
                "int f(){",
                "int a[]={",
                "do{",
                "namespace a{",
            ),
            *(
                'extern "C"{',
                "template<",
                "a<",
                "f(",
                "int f(int a=(",
                "[](){",
                "switch(a){case 1:",
            ),
            *("{", "}", "(", ")", "[", "]", "{(", "{(}", "struct }", "struct )", "struct;", "{ }"),
            *(
                "#if A\n",
                "#else\n",
                "#endif\n",
                "#if A\n#else\n",
                "#if A\n{\n#else\n",
                "#define A \\\n",
            ),
            *('"', "'", '"\\', "/*", "/*/", "//\\\n", "#/*", 'R"(', 'R"a(', 'R"', "\\\n", "\\"),
            *("void loop(", "void loop(}", "void loop({(}", "void loop(1,\n#if A\n", "void loop("),
            *("void loop(int\n#else\n", "void loop(int a) {}", "client.loop();", "HOCKET_LOOP("),
            *("é", "𝄞", "\0", "\t", "1'1", "1e+", ".", "a::", "a->", "operator", "class A:public "),
        )
    },
}


def translated(text: str, folder: Path) -> object:
    tab = folder / "a.ino"
    tab.write_text(text)
    return translate(Sketch("a", folder, (tab,), (), ()))


@in_turn(3)
@pytest.mark.parametrize("family", shortened(SKETCHES))
def test_sketches(family: str, tmp_path: Path) -> None:
    check(translated, SKETCHES[family], tmp_path)


def test_tabs(tmp_path: Path) -> None:
    def read(text: str, folder: Path) -> object:
        tabs = [folder / f"{number}.ino" for number in range(len(text) // 64)]
        for tab in tabs:
            tab.write_text(f"int f{tab.stem}() {{ return 1; }}\n{_ENTRY}")
        return translate(Sketch("a", folder, tuple(tabs), (), ()))

    check(read, repeated("x"), tmp_path)


# --- Scenarios ---

SCENARIOS: dict[str, Family] = {
    "keys": numbered("k@: 1\n"),
    "keys in a line": numbered("k@: 1, ", "{", "}"),
    "unknown parts": numbered("  k@: {type: nothing}\n", "parts:\n"),
    "parts without a pin": numbered("  k@: {type: led}\n", "parts:\n"),
    "parts": numbered("  k@: {type: led, pin: 13}\n", "parts:\n"),
    "references": numbered("  k@: {type: gps, aircraft: k@}\n", "parts:\n"),
    "expectations of no part": numbered("  - {part: n@, is: high, by: 1 s}\n", "expect:\n"),
    "expectations of no part among many": lambda n: (
        "parts:\n"
        + "".join(f"  p{i}: {{type: led, pin: 13}}\n" for i in range(n))
        + "expect:\n"
        + "".join(f"  - {{part: n{i}, is: high, by: 1 s}}\n" for i in range(n))
    ),
    "parts with unknown keys": numbered("  k@: {type: led, pin: 13, a: 1, b: 2}\n", "parts:\n"),
    "unknown keys of a part": numbered("    k@: 1\n", "parts:\n  a:\n    type: led\n    pin: 3\n"),
    "expectations": repeated("  - {pin: 13, is: high, by: 1 s}\n", "expect:\n"),
    "wrong expectations": repeated("  - {pin: 99, is: high, by: 1 s}\n", "expect:\n"),
    "edges": numbered(
        "{at: @ ms, for: 1 us}, ", "parts:\n  b: {type: button, pin: 2, pressed: [", "]}"
    ),
    "wires": repeated("  - {here: 3, a: 4}\n", "boards: {a: {sketch: .}}\nwires:\n"),
    "aliases": repeated("*x,", "a: &x [1, 2]\nb: [", "]\n"),
    "nested aliases": lambda n: (
        "a0: &a0 [1, 2]\n" + "".join(f"a{i + 1}: &a{i + 1} [*a{i}, *a{i}]\n" for i in range(n))
    ),
    "anchors": numbered("k@: &a@ 1\n"),
    "comments": repeated("# a\n", "", "a: 1\n"),
    "comments behind keys": numbered("k@: 1 # a\n"),
    "indented more and more": lambda n: "".join(" " * min(i, 1000) + "a:\n" for i in range(n)),
    "blank lines": repeated("\n", "a: 1\n", "b: 1\n"),
    "a long text": repeated("x", "a: "),
    "a long quoted text": repeated("\\x41", 'a: "', '"'),
    "many lines of a text": repeated(" x\n", "a: |\n"),
    "digits": repeated("1", "a: "),
    "digits and points": repeated("1.", "a: "),
    "digits and colons": repeated("1:", "a: ", "1"),
    "digits and underscores": repeated("1_", "a: ", "1"),
    "the same key": repeated("a: 1\n"),
    "items": repeated("- 1\n"),
    "items in a line": repeated("1,", "[", "]"),
    "merges": repeated("*x,", "a: &x {b: 1}\nc:\n  <<: [", "]\n"),
    **{
        f"repeated {piece!r}": repeated(piece)
        for piece in (
            *(
                "[",
                "{",
                "{a: ",
                "[{",
                "- ",
                "? ",
                "- ? ",
                "-",
                "?",
                ":",
                ": ",
                "&a ",
                "*a ",
                "!a ",
                "!<",
            ),
            *(
                '"',
                "'",
                '"\n',
                "'\n ",
                "a: '",
                "|",
                "a: |\n",
                ">\n",
                "%a b\n",
                "---\n",
                "...\n",
                "#",
                "\\",
            ),
            *(
                "a: b: ",
                "a:\n",
                " ",
                "\t",
                "\0",
                "é",
                "]",
                "}",
                ",",
                "@",
                "`",
                "<<: ",
                "a: \n  b\n",
            ),
        )
    },
}


def scenario(text: str, folder: Path) -> object:
    file = folder / "scenario.yaml"
    file.write_text(text)
    return read_scenario(file, "uno")


@in_turn(3)
@pytest.mark.parametrize("family", shortened(SCENARIOS))
def test_scenarios(family: str, tmp_path: Path) -> None:
    check(scenario, SCENARIOS[family], tmp_path)


# --- hocket.toml ---

SETTINGS: dict[str, Family] = {
    "unknown settings": numbered("k@ = 1\n"),
    "wrong settings": numbered("[profiles.k@]\ncores = 0\n"),
    "profiles": numbered("[profiles.k@]\ncores = 1\n"),
    "profiles in a table": numbered("k@ = {cores = 0}\n", "[profiles]\n"),
    "profiles in a line": numbered("k@ = {cores = 0}, ", "profiles = {", "a = {}}"),
    "tables in lists": repeated("[[a]]\n"),
    "items of a list": repeated("1, ", "a = [", "]"),
    "texts in a list": repeated('"a.b", ', "libraries = [", "]"),
    "keys of parts": repeated("a.b.c.d = 1\n"),
    "keys of other parts": numbered("a.b.c.d@ = 1\n"),
    "a name": repeated("a", "", " = 1"),
    "a text": repeated("x", 'board = "', '"'),
    "a text of lines": repeated("x\n", 'board = """', '"""'),
    "digits": repeated("1", "seed = "),
    "digits and underscores": repeated("1_", "seed = ", "1"),
    **{
        f"repeated {piece!r}": repeated(piece)
        for piece in (
            *(
                "a.",
                "[",
                "[a]\n",
                "[a.",
                "a = [",
                "a = {",
                "{",
                "a = {b = ",
                '"',
                "'",
                '"""',
                "'''",
                '"\\',
            ),
            *(
                '"""\\',
                "#",
                "# a\n",
                "\n",
                " ",
                "\\",
                "=",
                "a=",
                ".",
                "a",
                '"a".',
                "\r",
                "\t",
                "\0",
                "é",
            ),
        )
    },
}


def settings(text: str, folder: Path) -> object:
    return read_settings(text, folder / "hocket.toml")


@in_turn(3)
@pytest.mark.parametrize("family", shortened(SETTINGS))
def test_settings(family: str, tmp_path: Path) -> None:
    check(settings, SETTINGS[family], tmp_path)


# --- What a run leaves: waves, event logs, reports ---

WAVES: dict[str, Family] = {
    "wires": numbered("$var wire 1 c@ D@ $end\n", "$scope module board $end\n"),
    "wires that change": lambda n: (
        "".join(f"$var wire 1 c{i} D{i} $end\n" for i in range(n))
        + "$enddefinitions $end\n"
        + "".join(f"#{i}\n1c{i}\n" for i in range(n))
    ),
    "changes": numbered("#@\n1!\n0!\n", "$var wire 1 ! D13 $end\n$enddefinitions $end\n"),
    "numbers": numbered("#@\nr@.5 !\n", "$var real 64 ! a_b $end\n$enddefinitions $end\n"),
    "a long name": repeated("a", "$var wire 1 ! ", " $end\n$enddefinitions $end\n#1\n1!\n"),
    "digits": repeated("1", "$enddefinitions $end\n#"),
    "one line": repeated("1! ", "$var wire 1 ! D13 $end\n$enddefinitions $end\n"),
    "no end of the head": repeated("$scope module a $end\n"),
}


def waves(text: str, folder: Path) -> object:
    file = folder / "pins.vcd"
    file.write_text(text)
    with suppress(HocketError):
        read_signals(file, ("D13", "D1"))
    with suppress(HocketError):
        join_waves(file, file, "other", folder / "both.vcd")
    return read_waves(text)


@in_turn(3)
@pytest.mark.parametrize("family", WAVES)
def test_waves(family: str, tmp_path: Path) -> None:
    check(waves, WAVES[family], tmp_path)


def test_waves_of_a_long_identifier(tmp_path: Path) -> None:
    """Those of the second file are longer than any of the first: in each change."""

    def text(count: int) -> str:
        changes = "".join(f"#{i}\n1!\n" for i in range(count))
        name = "a" * count
        head = f"$var wire 1 {name} D13 $end\n$var wire 1 ! D1 $end\n"
        return f"{head}$enddefinitions $end\n{changes}"

    check(waves, text, tmp_path)


_KINDS = [int(kind) for kind in EventKind]
LOGS: dict[str, Callable[[int], Event]] = {
    "one thread": lambda n: Event(n, 0, _KINDS[n % 5], 1, 0, 0),
    "threads": lambda n: Event(n, n % 256, _KINDS[n % 12], n % 60_000, n, n),
    "handlers that do not end": lambda n: Event(n, 0, EventKind.HANDLER_BEGINS, 0, n, 0),
    "handlers": lambda n: Event(n, n % 4, 13 + n % 2, 0, 3, 0),
    "edges": lambda n: Event(n, 0, 16 + n % 3, 2, 2, 1),
    "backwards": lambda n: Event(10**9 - n, 0, 1 + n % 4, n % 7, 0, 0),
    "unknown kinds": lambda n: Event(n, 0, 20 + n % 200, 0, 0, 0),
}


def log(text: str, folder: Path) -> object:
    found = parse_log(bytes.fromhex(text))
    return listing(found), to_vcd(found), to_perfetto(found)


@in_turn(3)
@pytest.mark.parametrize("family", LOGS)
def test_event_logs(family: str, tmp_path: Path) -> None:
    def text(count: int) -> str:
        return pack_log(EventLog(256, [LOGS[family](n) for n in range(count)])).hex()

    check(log, text, tmp_path)


REPORTS: dict[str, Family] = {
    "loops": repeated("{},", '{"loops": [', "{}]}"),
    "texts": repeated('"a",', '{"notices": [', '"b"]}'),
    "unknown fields": numbered('"a@": 1,', "{", '"b": 1}'),
    "numbers": repeated("1,", "[", "1]"),
    "digits": repeated("1"),
    "a text": repeated("a", '"', '"'),
    **{
        f"repeated {piece!r}": repeated(piece)
        for piece in ("[", "{", '{"a":', '"', "\\", "[[],", " ")
    },
}


def report(text: str, folder: Path) -> object:
    file = folder / "report.json"
    file.write_text(text)
    return load_report(file)


@in_turn(3)
@pytest.mark.parametrize("family", REPORTS)
def test_reports(family: str, tmp_path: Path) -> None:
    check(report, REPORTS[family], tmp_path)


def test_a_report_says_in_few_words_what_is_wrong_with_it(tmp_path: Path) -> None:
    with pytest.raises(HocketError) as problem:
        report(json.dumps({"loops": ["a" * 100_000]}), tmp_path)
    assert len(str(problem.value)) < 1_000


# --- Programs ---


def _program(segments: int, size: int) -> bytes:
    """A 32-bit ELF file: so many segments, each of all the bytes behind them."""
    begin = 52 + 32 * segments
    head = b"\x7fELF\x01\x01\x01" + bytes(9)
    head += struct.pack("<HHIIIIIHHHHHH", 2, 83, 1, 0, 52, 0, 0, 52, 32, segments, 40, 0, 0)
    one = struct.pack("<IIIIIIII", 1, begin, 0, 0, size, size, 5, 1)
    return head + one * segments + bytes(size)


def test_programs(tmp_path: Path) -> None:
    """Segments that share their bytes take more than the file has: with each its size is read again."""

    def read(text: str, folder: Path) -> object:
        count = len(text) // 64
        file = folder / "program.elf"
        file.write_bytes(_program(min(count, 60_000), 32 * count))
        with suppress(ValueError):
            return load_segments(file, LITTLE_32)
        return None

    check(read, repeated("x"), tmp_path)


# --- The lab, and clangd ---


def _frames(count: int) -> list[dict[str, Any]]:
    return [
        {
            "is": "frame",
            "now": n,
            "pins": [[n % 70, n]],
            "loops": [{"id": n % 9}],
            "serial": [{"port": 0, "text": "a" * 20, "at": n}],
            "changes": [[n, 1]],
            "parts": {f"p{n % 50}": n},
        }
        for n in range(count)
    ]


def test_frames_of_the_lab(tmp_path: Path) -> None:
    def read(text: str, folder: Path) -> object:
        frame: dict[str, Any] = {}
        for each in _frames(len(text)):
            frame = merged(frame, each)
        return frame

    # What a frame keeps is bounded: longer runs of them have reached that.
    check(read, lambda count: "x" * (8_000 + count), tmp_path)


def test_touches_of_the_lab(tmp_path: Path) -> None:
    """A run that repeats another: each touch that is made is one of those to come."""

    def read(text: str, folder: Path) -> object:
        touches = [{"do": "press", "part": "b", "at": n} for n in range(len(text))]
        coming = ToCome(touches)
        for touch in reversed(touches):
            coming.made(dict(touch))
        return list(coming)

    check(read, repeated("x"), tmp_path)


MESSAGES: dict[str, Family] = {
    "messages": repeated("Content-Length: 2\r\n\r\n{}"),
    "headers": repeated("A: b\r\n", "", "\r\n"),
    "one header": repeated("A", "", "\r\n\r\n"),
    "digits": repeated("9", "Content-Length: ", "\r\n\r\n{}"),
    "a length": repeated(" ", "Content-Length: 2", "\r\n\r\n{}"),
    "brackets": lambda n: f"Content-Length: {n}\r\n\r\n" + "[" * n,
}


def messages(text: str, folder: Path) -> object:
    stream = io.BytesIO(text.encode())
    count = 0
    while read_message(stream) is not None:
        count += 1
    return count


@in_turn(3)
@pytest.mark.parametrize("family", MESSAGES)
def test_messages_of_clangd(family: str, tmp_path: Path) -> None:
    check(messages, MESSAGES[family], tmp_path)


@pytest.mark.parametrize("line", ["int a; ", "int é; ", "int a;\n", "int f@() { return 1; }\n"])
def test_places_of_clangd(line: str, tmp_path: Path) -> None:
    """A message for each declaration, on one line or on as many."""

    def read(text: str, folder: Path) -> object:
        tab = folder / "a.ino"
        tab.write_text(text)
        document: Translated = document_of(Sketch("a", folder, (tab,), (), ()))
        lines = document.text.split("\n")
        found = []
        for number in range(text.count(";")):
            row = number % len(lines)
            at = {"line": row, "character": number * 7 % (len(lines[row]) + 1)}
            found.append({"range": {"start": at, "end": at}, "message": "a"})
        places = diagnostics(found, document)
        return [document.inward(0, each["range"]["start"]) for each in places[tab]]

    check(read, numbered(line, _ENTRY), tmp_path)


# --- Any bytes at all: each reader answers, or says what is wrong ---

BYTES = st.one_of(
    st.binary(max_size=300),
    st.lists(
        st.sampled_from(
            [
                *(
                    b"$var wire 1 ! D13 $end\n",
                    b"$var real 64 ! a_b $end\n",
                    b"$scope module a $end\n",
                ),
                *(
                    b"$enddefinitions $end\n",
                    b"#12\n",
                    b"1!\n",
                    b"r2.5 !\n",
                    b"$dumpvars\n",
                    b"\n",
                    b"\xb2",
                ),
                *(b"HKLOG1\0\0", b"\4\0\0\0", b"\0" * 4, b"\1" * 24, bytes(range(24)), b"\0" * 24),
                *(b"{", b"}", b'"loops":', b"[", b"]", b"1e999", b'"a"', b",", b"NaN", b"\\ud800"),
                *(b"Content-Length: 2\r\n\r\n", b"{}", b"\r\n", b"Content-Length: " + b"9" * 5000),
            ]
        ),
        max_size=30,
    ).map(b"".join),
)


@settings_of_hypothesis(max_examples=rounds(150, 3_000, "HOCKET_ANY_BYTES"), deadline=None)
@given(BYTES)
@example(b"HKLOG1\0\0\1\0\0\0\0\0\0\0" + struct.pack("<QBBHIQ", 5, 0, 19, 1, 2, 2**63))
@example(b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n")
@example("$enddefinitions $end\n#²\n".encode())
def test_any_bytes(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "file"
        file.write_bytes(data)
        for read in (
            lambda: read_signals(file, ("D13",)),
            lambda: join_waves(file, file, "b", file.with_suffix(".both")),
            lambda: load_report(file),
            lambda: (listing(read_log(file)), to_vcd(read_log(file)), to_perfetto(read_log(file))),
        ):
            with suppress(HocketError):
                read()
        with suppress(ValueError):
            load_segments(file, LITTLE_32)
    read_waves(data.decode("utf-8", "replace"))
    stream = io.BytesIO(data)
    while read_message(stream) is not None:
        pass
