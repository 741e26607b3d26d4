"""The translator: what it changes, what it leaves alone, and that every line keeps its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hocket.errors import HocketError
from hocket.sketch.annotations import find_loops
from hocket.sketch.folder import find_sketch
from hocket.sketch.tokens import Kind, Lines, tokens_of
from hocket.sketch.translate import translate, translate_tabs

FILE = Path("/sketches/demo/demo.ino")
Maker = Callable[[str, dict[str, str | bytes]], Path]


def translated(text: str) -> str:
    """The translation of one tab, without the preamble and the first #line."""
    loops = find_loops(tokens_of(text), Lines(text), FILE, macros=False)
    output = translate_tabs([(FILE, text)], loops)
    marker = f'#line 1 "{FILE}"\n'
    assert output.count(marker) >= 1
    return output[output.index(marker) + len(marker) :]


def lines_by_place(output: str) -> dict[tuple[str, int], list[str]]:
    """What a compiler would call each line of the translation: (file, line) → texts."""
    places: dict[tuple[str, int], list[str]] = {}
    file, line = "", 0
    for text in output.split("\n"):
        directive = re.fullmatch(r'#line (\d+) "(.*)"', text)
        if directive:
            file, line = directive.group(2), int(directive.group(1))
            continue
        places.setdefault((file, line), []).append(text)
        line += 1
    return places


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


def test_an_epos_program_has_a_main(sketch: Maker) -> None:
    """Its header makes a loop of main(): neither setup() nor loop() is needed, but both parts are."""
    for include in ("#include <epos.h>", '# include "epos.h"'):
        text = f"{include}\nint main() {{ return 0; }}\n"
        translate(find_sketch(str(sketch("s", {"s.ino": text}))))
    for text in (
        "int main() { return 0; }\n",
        "#include <epos.h>\nint f();\n",
        "// #include <epos.h>\nint main() {}\n",
        "#if 0\n#include <epos.h>\n#endif\nint main() {}\n",
    ):
        with pytest.raises(HocketError, match=r"this sketch has no setup\(\)"):
            translate(find_sketch(str(sketch("s", {"s.ino": text}))))


def test_setup_may_stand_in_another_file(sketch: Maker) -> None:
    files: dict[str, str | bytes] = {
        "s.ino": "void loop(1, 1, 10) {}\n",
        "b.cpp": "#include <Arduino.h>\nvoid setup() {}\n",
    }
    assert translate(find_sketch(str(sketch("s", files)))).loops


# --- Prototypes -------------------------------------------------------------------------------------


def prototypes(source: str) -> list[str]:
    """Lines of the translation that the sketch does not have."""
    own = source.split("\n")
    lines = [line for line in translated(source).split("\n") if not line.startswith("#line")]
    for line in own:
        if line in lines:
            lines.remove(line)
    return [line for line in lines if line.strip()]


@pytest.mark.parametrize(
    ("definition", "wanted"),
    [
        ("int twice(int x) { return 2 * x; }", ["int twice(int x);"]),
        ("int twice(int x = 3, int y = f(1, 2)) { return x; }", ["int twice(int x , int y );"]),
        ("template <typename T> T same(T x) { return x; }", ["template <typename T> T same(T x);"]),
        ('extern "C" int c(int x) { return x; }', ['extern "C" int c(int x);']),
        ('extern "C" { int c(int x) { return x; } }', ['extern "C" int c(int x);']),
        ("[[noreturn]] void stop() { for (;;); }", ["[[noreturn]] void stop();"]),
        ("__attribute__((noinline)) void f() { }", ["__attribute__((noinline)) void f();"]),
        ("static inline uint8_t* p(uint8_t (&a)[3]) { return a; }", None),
        ("auto f(int x) -> int { return x; }", ["auto f(int x) -> int;"]),
        ("void f(int a, // one\n       int b) { }", ["void f(int a, int b);"]),
        ("auto deduced() { return 1; }", []),
        ("namespace n { void inner() { } }", []),
        ("struct S { void method() { } };", []),
        ("struct S { S(); };\nS::S() { }", []),
        ("ISR(TIMER1_COMPA_vect) { }", []),
        ("int twice(int x);\nint twice(int x) { return x; }", []),
        ("#define F(x) void f##x() { }\nF(1)", []),
        ("#if 0\nvoid dead() { }\n#endif", []),
    ],
)
def test_prototypes(definition: str, wanted: list[str] | None) -> None:
    if wanted is None:
        wanted = [definition.partition(" {")[0] + ";"]
    setup = "void setup() { }"
    found = prototypes(f"{setup}\n{definition}\n")
    assert [p for p in found if p != "void setup();"] == wanted


def test_prototypes_stand_before_the_first_function() -> None:
    output = translated("#include <A.h>\nint a;\nvoid setup() { later(); }\nvoid later() { }\n")
    assert output.index("void later();") < output.index("void setup() {")
    assert output.index("#include <A.h>") < output.index("void later();")


def test_a_prototype_waits_for_the_type_it_names() -> None:
    source = "void setup() { }\nstruct Late { int a; };\nLate make(Late v) { return v; }\n"
    output = translated(source)
    assert output.index("struct Late") < output.index("Late make(Late v);")
    assert output.index("Late make(Late v);") < output.index("Late make(Late v) {")


def test_a_prototype_keeps_its_condition() -> None:
    output = translated("void setup() { }\n#ifdef DEBUG\nvoid debug() { }\n#endif\n")
    assert "#ifdef DEBUG\nvoid debug();\n#endif\n" in output


def test_annotated_loops_get_no_prototype() -> None:
    assert prototypes("void loop(1, 70, 100) { }\n") == ["HOCKET_LOOP(1, 70, 100) { }"]


# --- Properties -------------------------------------------------------------------------------------

FRAGMENTS = st.sampled_from(
    [
        *("void loop(1, 70, 100) {", "void loop(2, 500us, 20ms)", "void periodic(3, 1, 9, 5) { }"),
        *("void setup() { }", "int f(int x = 1) { return x; }", "client.loop(); ", "loop(1,2,3)"),
        *("{", "}", "(", ")", ";", ",", '"', "'", "\\", "\n", "\r\n", " ", "/*", "*/", "//", "=0"),
        *("#if X\n", "#else\n", "#endif\n", "#if 0\n", "#define A(x) \\\n", "#include <A.h>\n"),
        *(
            'R"x(',
            ')x"',
            "namespace n {",
            'extern "C" {',
            "template <class T>",
            "struct S",
            "é",
            "𝄞",
        ),
        *(
            "void",
            "loop",
            "periodic",
            "1",
            "0.5",
            "5lightyears",
            "-",
            "onCore(1)",
            "...",
            "::",
            "\0",
        ),
    ]
)
TEXTS = st.one_of(st.text(), st.lists(FRAGMENTS, max_size=25).map("".join))


@settings(max_examples=400)
@given(TEXTS)
@example("void loop(" + "(" * 500)
@example("void loop(1," + "9" * 5000 + ", 3) {}")
@example("#" * 300)
@example("\ufeff#if")
@example('R"x(')
def test_any_text_is_translated_or_refused(text: str) -> None:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        output = translated(text)
    except HocketError as error:
        assert error.exit_code == 2
        assert error.line is not None
        assert 1 <= error.line <= text.count("\n") + 1
        return
    assert isinstance(output, str)


@settings(max_examples=400)
@given(TEXTS)
def test_tokens_cover_the_text(text: str) -> None:
    end = 0
    for token in tokens_of(text):
        assert token.start >= end
        assert text[token.start : token.end] == token.text
        assert not text[end : token.start].strip().strip("\ufeff")
        end = token.end
    assert not text[end:].strip().strip("\ufeff")


GOOD_LINES = st.sampled_from(
    [
        *("int a;", "void setup() { go(1); }", "int go(int x) { return x; }", "", "// loop(1,2,3)"),
        *("struct S { void loop(int n) { } };", "S* s() { return nullptr; }", "#include <A.h>"),
        *("#ifdef A\nvoid one() { }\n#else\nvoid two() { }\n#endif", "/* a\n b */ int b;"),
        *(
            "template <class T>\nT id(T x)\n{\n  return x;\n}",
            "int c; int d() { return c; } int e;",
        ),
        *('const char* t = "void loop(1,2,3) {";', "enum E { X, Y };", "void f(E e = X) { }"),
    ]
)
LOOPS = st.sampled_from(
    [
        "void loop({}, 1, 10) {{ }}",
        "void\nloop({},\n  1ms,\n  10ms)\n{{\n}}",
        "void periodic({}, 1, 9) {{ }}",
    ]
)


@settings(max_examples=200)
@given(st.lists(GOOD_LINES, max_size=12), st.lists(LOOPS, max_size=4), st.randoms())
def test_every_line_keeps_its_place(lines: list[str], loops: list[str], random: object) -> None:
    pieces = lines + [text.format(number) for number, text in enumerate(loops, 1)]
    random.shuffle(pieces)  # type: ignore[attr-defined]
    source = "\n".join(pieces) + "\n"
    found = find_loops(tokens_of(source), Lines(source), FILE, macros=False)
    assert len(found) == len(loops)
    places = lines_by_place(translate_tabs([(FILE, source)], found))
    for number, line in enumerate(source.split("\n")[:-1], 1):
        texts = [plain(text) for text in places[str(FILE), number]]
        wanted = "" if line == "void" else plain(line)  # the macro stands on the line of `loop`
        # A prototype may stand before a definition in the middle of a line: the rest keeps its column.
        split = any(text.strip() and wanted.endswith(text.lstrip()) for text in texts)
        assert wanted in texts or split, (line, texts)


def plain(line: str) -> str:
    """A line with the same sign for an annotated loop before and after the translation."""
    return re.sub(r"(?:(?:void )?(?:loop|periodic)|HOCKET_LOOP|HOCKET_PERIODIC) *\(", "@", line)


@settings(max_examples=200)
@given(st.lists(GOOD_LINES, max_size=12))
def test_plain_sketches_keep_their_tokens(lines: list[str]) -> None:
    source = "\n".join(lines) + "\n"
    inserted = re.compile(rf'#line \d+ "{FILE}"\n(?:(?!#line).*\n)+?#line \d+ "{FILE}"\n *')
    kept = inserted.sub("", translated(source))
    assert [t.text for t in tokens_of(kept)] == [t.text for t in tokens_of(source)]


def test_hockets_own_names_are_there_only_for_those_who_use_them() -> None:
    plain = "struct Channel { int pin; };\nvoid setup() {}\nvoid loop() {}\n"
    assert "Hocket.h" not in translate_tabs([(Path("a.ino"), plain)], [])
    uses = "int c;\nvoid setup() { channelWrite(c, 1); }\nvoid loop() {}\n"
    assert "#include <Hocket.h>" in translate_tabs([(Path("a.ino"), uses)], [])
    mentions = "// channelWrite\nvoid setup() {}\nvoid loop() {}\n"
    assert "Hocket.h" not in translate_tabs([(Path("a.ino"), mentions)], [])
