"""The translator: what it changes, what it leaves alone, and that every line keeps its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.tools.translating import FILE, translated

from hocket.errors import HocketError
from hocket.sketch.annotations import find_loops
from hocket.sketch.folder import find_sketch
from hocket.sketch.tokens import Kind, Lines, tokens_of
from hocket.sketch.translate import translate, translate_tabs

Maker = Callable[[str, dict[str, str | bytes]], Path]


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("void loop(1, 70, 100) { a(); }", "HOCKET_LOOP(1, 70, 100) { a(); }"),
        ("void periodic(3, 2ms, 10ms, 5ms) { }", "HOCKET_PERIODIC(3, 2ms, 10ms, 5ms) { }"),
        (
            "void loop(2, 500us, 20ms, onCore(1), stackBytes(8192), background()) { }",
            "HOCKET_LOOP(2, 500us, 20ms, onCore(1), stackBytes(8192), background()) { }",
        ),
        ("void  loop ( 1,2,3 )\n{\n}", "HOCKET_LOOP( 1,2,3 )\n{\n}"),
        ("void\nloop(1,\n 2, // C\n 3)\n{ }", "\nHOCKET_LOOP(1,\n 2, // C\n 3)\n{ }"),
        ("void loop(SENSE, C_SENSE, T_SENSE) { }", "HOCKET_LOOP(SENSE, C_SENSE, T_SENSE) { }"),
        ("void loop(SENSE, 2 * UNIT, T) { }", "HOCKET_LOOP(SENSE, 2 * UNIT, T) { }"),
        ("void loop(1, 1'000us, 0x10) { }", "HOCKET_LOOP(1, 1'000us, 0x10) { }"),
        ("namespace n { void loop(1, 2, 3) { } }", "namespace n { HOCKET_LOOP(1, 2, 3) { } }"),
        ("#if X\nvoid loop(1,2,3) {\n#else\nvoid loop(1,2,4) {\n#endif\n}", None),
    ],
)
def test_rewrites_annotated_loops(source: str, wanted: str | None) -> None:
    if wanted is None:
        wanted = source.replace("void loop", "HOCKET_LOOP")
    assert translated(source).rstrip("\n") == wanted


@pytest.mark.parametrize(
    "source",
    [
        "void setup() { client.loop(); mqtt->loop(1); loop(); }",
        "struct Player { void loop(int) { } void loop(int a, int b) { } };",
        "class P { void loop(int count = 3) { } };",
        'const char* s = "void loop(1, 70, 100) {";',
        "// void loop(1, 70, 100) {",
        "/* void loop(1, 70,\n 100) { */",
        'auto r = R"x(void loop(1, 70, 100) { )" )x";',
        "#define LOOP void loop(1, 70, \\\n 100) {",
        "#if 0\nvoid loop(1, 70, 100) {\n#endif",
        "struct S { S() { loop(1, 2, 3); } };",
        "int x = loop(1, 2, 3);",
        "loop(1, 2, 3);",
        "Player::loop(1, 2, 3) {}",
        "struct S { int loop(int a, int b, int c) { return a; } };",
    ],
)
def test_leaves_everything_else_alone(source: str) -> None:
    code = [t.text for t in tokens_of(translated(source)) if t.kind is not Kind.DIRECTIVE]
    own = [t.text for t in tokens_of(source) if t.kind is not Kind.DIRECTIVE]
    prototype = ["void", "setup", "(", ")", ";"]
    assert code in (own, prototype + own)
    assert "HOCKET_" not in translated(source)


@pytest.mark.parametrize(
    "source",
    [
        "void loop(int a, int b) { }",
        "void loop(const String& s, byte n) { }",
        "void loop(void) { }",
        "void loop() { }",
        "void loop(Foo* p) { }",
        "void loop(int a = 5, int b = 6, int c = 7) { }",
        "void loop(int (&a)[3]) { }",
        "void periodic(unsigned long interval) { }",
    ],
)
def test_ordinary_functions_of_these_names_stay(source: str) -> None:
    assert translated(source).rstrip("\n").endswith(source)


@pytest.mark.parametrize(
    ("source", "line", "said"),
    [
        ("void loop(1, 5lightyears, 10) { }", 1, "`lightyears` is not a unit of time"),
        ("void loop(1, 5 lightyears, 10) { }", 1, "`lightyears` is not a unit of time"),
        ("void loop(1, 5 ms, 10) { }", 1, "a space stands inside `5 ms`"),
        ("void loop(1, 0.5, 10) { }", 1, "`0.5` is not a whole number"),
        ("\n\nvoid loop(1, 5, 10);", 3, "loop 1 has no body"),
        ("void loop(1, 5, 10)", 1, "loop 1 has no body"),
        ("void loop(1, 20, 10) { }", 1, "loop 1 asks for 20 ms in every 10 ms"),
        ("void loop(1, 20ms, 10000us) { }", 1, "loop 1 asks for 20ms in every 10000us"),
        ("void loop(1, 0, 10) { }", 1, "the budget C of loop 1 is 0"),
        ("void loop(1, -5, 10) { }", 1, "the budget C of loop 1 is -5"),
        ("void loop(1, 5, 0) { }", 1, "the period T of loop 1 is 0"),
        ("void loop(0, 5, 10) { }", 1, "a loop's id is 0"),
        ("void loop(256, 5, 10) { }", 1, "loop id 256 is out of range"),
        ("void loop(-1, 5, 10) { }", 1, "loop id -1 is out of range"),
        ("void loop(1ms, 5, 10) { }", 1, "`1ms` is not a loop's id"),
        ("void loop(1) { }", 1, "this loop lacks its budget C and its period T"),
        ("void loop(1, 5) { }", 1, "this loop lacks its period T"),
        ("void loop(, 5, 10) { }", 1, "this loop lacks its id"),
        ("void loop(1, 5, 10, ) { }", 1, "this loop lacks an argument between two commas"),
        ("void loop(1, 5, 10, 7) { }", 1, "loop 1 has a fourth number"),
        ("void periodic(1, 5, 10, 8, 9) { }", 1, "periodic 1 has a fifth number"),
        ("HOCKET_ON_FAULT(StopSketch) int void loop(1, 5, 10) { }", 1, "`HOCKET_ON_FAULT`"),
        ("HOCKET_UNKNOWN void loop(1, 5, 10) { }", 1, "`HOCKET_UNKNOWN` before an annotated loop"),
        ("void periodic(1, 5, 10, 20) { }", 1, "the deadline of periodic 1, 20 ms, is later"),
        ("void periodic(1, 5, 10, 4) { }", 1, "the budget of periodic 1, 5 ms, is longer"),
        ("void loop(1, 5, 10 { }", 1, "the parenthesis of this loop is never closed"),
        ("void loop(1; 10; 100) { }", 1, "`;` between the numbers of this loop"),
        ("\nvoid periodic(2, 1ms; 10ms) { }", 2, "`;` between the numbers of this periodic"),
        ("\nloop(1, 10, 100) { }", 2, "`void` is missing before loop(1, 10, 100)"),
        ("int loop(1, 10, 100) { }", 1, "`void` is missing before loop(1, 10, 100)"),
        (
            "int x; periodic(2, 1ms, 10ms, onCore(1))\n{ }",
            1,
            "`void` is missing before periodic(2, 1ms, 10ms, onCore(1))",
        ),
        ("int a;\nstatic void loop(1, 5, 10) { }", 2, "`static` before an annotated loop"),
        ("void loop(1,\n#if X\n5,\n#endif\n10) { }", 1, "a preprocessor line stands inside"),
    ],
)
def test_refuses_what_can_never_work(source: str, line: int, said: str) -> None:
    with pytest.raises(HocketError) as caught:
        find_loops(tokens_of(source), Lines(source), FILE, macros=False)
    assert caught.value.fact.startswith(said)
    assert (caught.value.line, caught.value.exit_code) == (line, 2)
    assert caught.value.next_step


def test_the_next_step_is_the_line_as_it_works() -> None:
    for source in ("void loop(1; 10 ; 100) { }", "loop(1, 10, 100) { }"):
        with pytest.raises(HocketError, match=r"write void loop\(1, 10, 100\) \{ … \}"):
            find_loops(tokens_of(source), Lines(source), FILE, macros=False)


def test_what_declares_something_by_itself_may_stand_before_a_loop() -> None:
    source = "HOCKET_ON_FAULT(StopSketch)\nHOCKET_INTERRUPT_LOOP(9, 1, 10)\nvoid loop(1, 5, 10) { }"
    (loop,) = find_loops(tokens_of(source), Lines(source), FILE, macros=False)
    assert (loop.id, loop.line) == (1, 3)


def test_known_units_are_named() -> None:
    with pytest.raises(HocketError) as caught:
        translated("void loop(1, 5lightyears, 10) { }")
    assert "us, ms or s" in caught.value.cause
    assert caught.value.next_step == "write 5us, 5ms or 5s"


def test_ids_of_different_branches_may_be_equal(sketch: Maker) -> None:
    text = "void setup() {}\n#ifdef A\nvoid loop(1,2,3) {}\n#else\nvoid loop(1,2,4) {}\n#endif\n"
    assert translate(find_sketch(str(sketch("s", {"s.ino": text})))).text


def test_an_id_twice_names_both_places(sketch: Maker) -> None:
    files: dict[str, str | bytes] = {
        "s.ino": "void setup() {}\n\nvoid loop(7, 1, 10) {}\n",
        "more.ino": "void periodic(0x7, 2, 10) {}\n",
    }
    with pytest.raises(HocketError, match="loop 7 is declared twice") as caught:
        translate(find_sketch(str(sketch("s", files))))
    assert caught.value.place().endswith("more.ino:1: ")
    assert "s.ino:3" in caught.value.cause


def test_an_id_twice_in_cpp_files(sketch: Maker) -> None:
    files: dict[str, str | bytes] = {
        "s.ino": "void setup() {}\nvoid loop(7, 1, 10) {}\n",
        "b.cpp": "#include <Hocket.h>\nHOCKET_LOOP(7, 1, 10) {}\n",
    }
    with pytest.raises(HocketError, match="loop 7 is declared twice"):
        translate(find_sketch(str(sketch("s", files))))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("void setup() { }\n", "this sketch has no loop"),
        ("void loop() { }\n", r"this sketch has no setup\(\)"),
        ("", r"this sketch has no setup\(\)"),
        ("// void setup() {} void loop() {}", r"this sketch has no setup\(\)"),
        ("struct A { void setup() {} void loop() {} };", r"this sketch has no setup\(\)"),
    ],
)
def test_setup_and_a_loop_are_needed(sketch: Maker, text: str, said: str) -> None:
    with pytest.raises(HocketError, match=said):
        translate(find_sketch(str(sketch("s", {"s.ino": text}))))


@pytest.mark.parametrize(
    ("text", "cause", "line"),
    [
        ("void setup() {\nvoid loop(1, 5, 100) {}\n", "loop stands inside other braces", 2),
        ("int f() {\nvoid setup() {}\nvoid loop() {}\n", "setup stands inside other braces", 2),
        ("void setup() {}\nvoid Loop() {}\n", "this function is called Loop, not loop", 2),
        ("void setup() {}\nvoid lop(1, 5, 100) {}\n", "called lop, not loop", 2),
        ("void setup() {}\nvoid loop1() {}\n", "called loop1, not loop", 2),
        ("void setup() {}\n\nvoid periodc(1, 5, 9) {}\n", "called periodc, not periodic", 3),
        ("void Setup() {}\nvoid loop() {}\n", "called Setup, not setup", 1),
        ("void setup() {}\nvoid blink() {}\n", "there is neither", None),
        ("void setup() {}\n// void Loop() {}\n", "there is neither", None),
    ],
)
def test_what_was_meant_to_be_one_is_named(
    sketch: Maker, text: str, cause: str, line: int | None
) -> None:
    with pytest.raises(HocketError) as raised:
        translate(find_sketch(str(sketch("s", {"s.ino": text}))))
    assert cause in raised.value.cause
    assert raised.value.line == line


def test_an_epos_program_has_a_main(sketch: Maker) -> None:
    """Its header makes a loop of main(): neither setup() nor loop() is needed, but both parts are."""
    for include in ("#include <epos.h>", '# include "epos.h"'):
        text = f"{include}\nint main() {{ return 0; }}\n"
        translate(find_sketch(str(sketch("s", {"s.ino": text}))))
    for text in (
        "#include <epos.h>\nint f();\n",
        "// #include <epos.h>\nint x = main;\n",
        "#if 0\n#include <epos.h>\n#endif\nint main();\n",
    ):
        with pytest.raises(HocketError, match=r"this sketch has no setup\(\)"):
            translate(find_sketch(str(sketch("s", {"s.ino": text}))))


def test_setup_may_stand_in_another_file(sketch: Maker) -> None:
    files: dict[str, str | bytes] = {
        "s.ino": "void loop(1, 1, 10) {}\n",
        "b.cpp": "#include <Arduino.h>\nvoid setup() {}\n",
    }
    assert translate(find_sketch(str(sketch("s", files)))).loops


def test_hockets_own_names_are_there_only_for_those_who_use_them() -> None:
    plain = "struct Channel { int pin; };\nvoid setup() {}\nvoid loop() {}\n"
    assert "Hocket.h" not in translate_tabs([(Path("a.ino"), plain)], [])
    uses = "int c;\nvoid setup() { channelWrite(c, 1); }\nvoid loop() {}\n"
    assert "#include <Hocket.h>" in translate_tabs([(Path("a.ino"), uses)], [])
    mentions = "// channelWrite\nvoid setup() {}\nvoid loop() {}\n"
    assert "Hocket.h" not in translate_tabs([(Path("a.ino"), mentions)], [])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("int main() { init(); }\n", 1),
        ("// main() {\nint main(void)\n{\n}\n", 2),
        ("static int a;\nint main(int argc, char** argv) {}\n", 2),
        ("int main();\nint f() { return main(); }\n", None),
        ("struct S { int main() { return 1; } };\n", None),
        ("#if 0\nint main() {}\n#endif\n", None),
    ],
)
def test_a_sketchs_own_main(sketch: Maker, text: str, line: int | None) -> None:
    folder = sketch("own", {"own.ino": text + "void setup() {}\nvoid loop() {}\n"})
    translation = translate(find_sketch(str(folder)))
    assert (translation.main.line if translation.main else None) == line
