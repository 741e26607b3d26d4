"""What Arduino's compiler accepts is compiled, with a warning at its place; what it refuses is an error."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in

from hocket.builder import permissive
from hocket.builder.compile import Unit, compile_unit
from hocket.builder.permissive import Mended, mend

HEAD = """\
#include <stdlib.h>
#include <string.h>
enum Mode { Slow, Fast };
extern char *cmd; extern const char *fixed; extern void *raw;
void fill(unsigned char *bytes, int n); void call(void (*)(int)); void plain();
struct Text { Text(const char *); ~Text(); int size; };
typedef unsigned char uint8_t; struct { void requestFrom(uint8_t, uint8_t, uint8_t = 0);
void requestFrom(int, int, int = 0); } wire;
"""
LINES = HEAD.count("\n")

ACCEPTED = {
    "int *p = malloc(10);": (9, "write (int *)malloc(10)"),
    "void f() { int *p; p = calloc(2, 3); }": (9, "write (int *)calloc(2, 3)"),
    "int *f() { return raw; }": (9, "write (int *)raw"),
    "void f() { fill(raw, 3); }": (9, "write (unsigned char *)raw"),
    "void f() { fill((raw), sizeof(\"a,b\")); }": (9, "write (unsigned char *)(raw)"),
    "char *p = fixed;": (9, "write (char *)fixed"),
    "void f() { char *p; p = fixed; }": (9, "write (char *)fixed"),
    "Mode m = 1;": (9, "write (Mode)1"),
    "void f() { Mode m; m = 0; }": (9, "write (Mode)0"),
    "bool f() { return cmd == 'a'; }": (9, "cmd[0], for a whole text strcmp(cmd, …) == 0"),
    "bool f() {\n  return 'a' !=\n    cmd; }": (10, "write cmd[0]"),
    "char c = \"a\";": (9, "write 'a' instead of \"a\""),
    "void f(char c) { c = cmd; }": (9, "an address ('char *') becomes a number ('char')"),
    "void f() { call((void (*)(int))plain); int ä = 0; int *p = malloc(ä); }": (9, "malloc(ä)"),
    "struct S { void S::f() {} };": (9, "write the member without S::"),
    "void f() { wire.requestFrom(uint8_t(0x68), 3); }": (9, "requestFrom(int(uint8_t(0x68)), int(3))"),
    "void f() { wire.requestFrom(0x68, uint8_t(3), true); }": (9, "int(uint8_t(3)), int(true))"),
    "int f(int k) {\n  switch (k) {\n    case 1: int n = 3; return n;\n    default: return 0; }\n}": (
        11, "its case is compiled with braces",
    ),
    "int f(int k) {\n  switch (k) {\n    case 1 ? 2 : 3:\n    { ++k; }\n    Text t(\"a\");\n"
    "    k += t.size;\n    case 5: case 6: return 2;\n  }\n  return 3; }": (
        13, "its case is compiled with braces",
    ),
}  # fmt: skip


def clang(text: str, folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    source = folder / "source.cpp"
    source.write_text(text)
    command = ["clang++-19", "-std=gnu++20", *permissive.FLAGS, *flags, str(source)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def mended(tmp_path: Path) -> Callable[[str], Mended | None]:
    def run(text: str) -> Mended | None:
        named = f'#line 1 "{tmp_path}/source.cpp"\n{HEAD}{text}\n'
        errors = lambda new: clang(new, tmp_path, *permissive.ASKED).stderr  # noqa: E731
        return mend(named, tmp_path / "source.cpp", errors)

    return run


@one_in(5)
@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted_with_a_warning(
    text: str, mended: Callable[[str], Mended | None], tmp_path: Path
) -> None:
    as_it_is = clang(HEAD + text + "\n", tmp_path, "-fsyntax-only")
    assert as_it_is.returncode != 0  # else it is no case
    found = mended(text)
    assert found is not None
    line, said = ACCEPTED[text]
    (warning,) = found.warnings
    assert warning.startswith(f"{tmp_path}/source.cpp:{line}:")
    assert ": warning: " in warning and said in warning
    assert clang(found.text, tmp_path, "-fsyntax-only").returncode == 0
    # Not a line has moved.
    assert found.text.count("\n") == 1 + LINES + text.count("\n") + 1


@one_in(3)
@pytest.mark.parametrize(
    "text",
    [
        "int x = missing;",
        "float *p = (int *)raw;",  # another type: gcc refuses that, too
        "Text *t = 'a' + \"b\" * 2;",
        "int *p = malloc(3); int x = missing;",  # then the messages are those of the source as it is
        # The variable is used by a later case: in braces it would not be there.
        "int f(int k) { switch (k) { case 1: int n = 3; return n; default: return n; } }",
        "int f(int k) { goto end; Text t(\"a\"); end: return k; }",
    ],
)  # fmt: skip
def test_refused(text: str, mended: Callable[[str], Mended | None]) -> None:
    assert mended(text) is None


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("int x[] = {1, 2.5};", "cannot be narrowed"),
        ("unsigned char b[] = {300, -1};", "cannot be narrowed"),
        ("void f() { register int r = 3; r++; }", "'register' storage class"),
    ],
)
def test_flags(text: str, warning: str, tmp_path: Path) -> None:
    done = clang(text + "\n", tmp_path, "-fsyntax-only")
    assert done.returncode == 0
    assert "warning: " in done.stderr and warning in done.stderr


@long_form
def test_an_object_of_the_copy(tmp_path: Path) -> None:
    """What is in quotes lies beside the original; the object's lines and a second build are as usual."""
    source = tmp_path / "part" / "part.cpp"
    source.parent.mkdir()
    (source.parent / "beside.h").write_text("#define SIZE 4\n")
    source.write_text(
        '#include <stdlib.h>\n#include "beside.h"\nint *get() { return malloc(SIZE); }\n'
    )
    unit = Unit(source, tmp_path / "o" / "part.o", ("clang++-19", "-std=gnu++20", "-g"))
    outcome = compile_unit(unit)
    assert (outcome.built, outcome.failed) == (True, False)
    assert f"{source}:3:21: warning: " in outcome.messages
    again = compile_unit(unit)
    assert (again.built, again.messages) == (False, outcome.messages)
    where = subprocess.run(
        ["llvm-dwarfdump-19", "--debug-line", str(unit.object)],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert "part.cpp" in where
    (source.parent / "beside.h").write_text("#define SIZE missing\n")
    broken = compile_unit(unit)
    assert broken.failed and "missing" in broken.messages and ".mended" not in broken.messages
    library = Unit(source, unit.object, unit.command, library="Part")
    (source.parent / "beside.h").write_text("#define SIZE 5\n")
    assert compile_unit(library).messages == ""
