"""The translator on any text: it is translated or refused, and every line keeps its place."""

from __future__ import annotations

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.campaign import rounds
from tests.unit.tools.translating import FILE, lines_by_place, translated

from hocket.errors import HocketError
from hocket.sketch.annotations import find_loops
from hocket.sketch.tokens import Lines, tokens_of
from hocket.sketch.translate import translate_tabs

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


@settings(max_examples=rounds(150, 400, "HOCKET_TRANSLATIONS"))
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


@settings(max_examples=rounds(150, 400, "HOCKET_TRANSLATIONS"))
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


@settings(max_examples=rounds(60, 200, "HOCKET_TRANSLATIONS"))
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


@settings(max_examples=rounds(60, 200, "HOCKET_TRANSLATIONS"))
@given(st.lists(GOOD_LINES, max_size=12))
def test_plain_sketches_keep_their_tokens(lines: list[str]) -> None:
    source = "\n".join(lines) + "\n"
    inserted = re.compile(rf'#line \d+ "{FILE}"\n(?:(?!#line).*\n)+?#line \d+ "{FILE}"\n *')
    kept = inserted.sub("", translated(source))
    assert [t.text for t in tokens_of(kept)] == [t.text for t in tokens_of(source)]
