"""The translator's prototypes: of which functions, as what, and where."""

from __future__ import annotations

import pytest
from tests.unit.tools.translating import translated


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


@pytest.mark.parametrize(
    "body",
    [
        "#ifdef A\n  if (a) {\n#else\n  if (b) {\n#endif\n    later(1);\n  }\n",
        "#ifdef A\n  if (a) later(1);\n  else\n#endif\n  {\n    later(2);\n  }\n",
        "#ifdef A\n  while (a) {\n#endif\n  later(1);\n#ifdef A\n  }\n#endif\n",
        "  if (a) {\n#ifdef A\n  } else if (b) {\n#elif B\n  } else {\n#endif\n    later(1);\n  }\n",
    ],
)
@pytest.mark.parametrize("around", ["%s", "namespace n {\n%s}\n"])
def test_branches_that_open_the_same_brace(body: str, around: str) -> None:
    """As in many sketches with options: the functions behind such a body have prototypes."""
    text = "void setup() {}\n" + around % f"void middle(int a, int b) {{\n{body}}}\n"
    text += "class C {\n  int d;\n};\nint later(int x) { return x; }\nvoid last() {}\n"
    found = prototypes(text)
    assert "int later(int x);" in found and "void last();" in found
    assert ("void middle(int a, int b);" in found) == (around == "%s")


@pytest.mark.parametrize(
    "variable", ["Timer timer(500, blink);", "void (*const all[])() = {\n  0,\n  &blink\n};"]
)
def test_prototypes_stand_before_a_variable_that_names_a_function(variable: str) -> None:
    """As the Arduino IDE puts them. A call there, and a function that is declared, change nothing."""
    rest = "#include <B.h>\nvoid setup() { }\nvoid blink() { }\nvoid late(Late x) { }\n"
    output = translated(f"#include <A.h>\nint a;\n{variable}\nstruct Late {{}};\n{rest}")
    assert output.index("int a;") < output.index("void blink();") < output.index(variable)
    assert output.index("struct Late") < output.index("void late(Late x);")
    for before in ("void blink();\n", "#if 0\n", "struct S { void blink(); };\n//"):
        end = "\n#endif" if before.startswith("#if") else ""
        output = translated(f"{before}{variable.replace(chr(10), '')}{end}\n{rest}")
        assert output.index("#include <B.h>") < output.index("void setup();")


def test_a_prototype_waits_for_the_macro_of_its_condition() -> None:
    """Before the definition the condition is false, and there would be no prototype."""
    text = "void setup() { }\n#define NEW 1\n#ifdef NEW\nvoid first() { second(); }\n"
    text += "#if 1 + 1 == 2\nvoid second() { }\n#endif\n#else\nvoid other() { }\n#endif\n"
    output = translated(text)
    place = output.index("\nvoid second();")
    assert output.index("#ifdef NEW") < place < output.index("void first() {")
    assert output.count("void second();") == 1
    # One that is defined within the branch, or before the first function, changes nothing.
    text = "#define OLD 1\nvoid setup() { }\n#ifndef NEW\n#define NEW 1\nvoid early() { }\n#endif\n"
    text += "#ifdef NEW\n#endif\n"
    output = translated(f"{text}#ifdef OLD\nvoid old() {{ }}\n#endif\n")
    assert output.index("void early();") < output.index("void setup() {")
    assert "#ifdef OLD\nvoid old();\n#endif" in output


def test_annotated_loops_get_no_prototype() -> None:
    assert prototypes("void loop(1, 70, 100) { }\n") == ["HOCKET_LOOP(1, 70, 100) { }"]
