"""printf() and its kind on the Uno: standard output and input are Serial, unless the sketch opens its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
PUT = "static int put(char c, FILE *) { Serial.write('#'); Serial.write(c); return 0; }\n"
CASES = {
    "printf": (
        "",
        'printf("%d cm\\n", 5); puts("line"); putchar(33); printf_P(PSTR("%u"), 7u);',
        "5 cm\nline\n!7",
    ),
    "own stream": (
        PUT + "static FILE mine;\n",
        'fdev_setup_stream(&mine, put, NULL, _FDEV_SETUP_WRITE); printf("a"); stdout = &mine;'
        ' printf("b"); fprintf(&mine, "c");',
        "a#b#c",
    ),
    "a table's": (
        PUT + "static FILE mine = FDEV_SETUP_STREAM(put, NULL, _FDEV_SETUP_WRITE);\n",
        'stdout = &mine; printf("%c", 120);',
        "#x",
    ),
    "fdevopen": (PUT, 'fdevopen(put, NULL); printf("%d", 42);', "#4#2"),
    "scanf": ("", 'int a, b; int n = scanf("%d %d", &a, &b); printf("%d %d", n, a + b);', "2 42"),
    "getchar": ("", 'printf("got %c", getchar());', "got 1"),
}


@pytest.mark.parametrize("what", CASES)
def test_plain(uno: Run, tmp_path: Path, what: str) -> None:
    head, body, expected = CASES[what]
    folder = tmp_path / "streams"
    folder.mkdir()
    (folder / "streams.ino").write_text(
        f'#include <stdio.h>\n{head}void setup() {{ Serial.begin(115200); {body} Serial.print("|"); }}\n'
        "void loop() {}\n"
    )
    (tmp_path / "input").write_text("12 30\n")
    done = uno(folder, "60ms", "--input", tmp_path / "input")
    assert done.status == 0, done.said
    assert done.serial.partition("|")[0] == expected


def test_beside_loops(uno: Run, tmp_path: Path) -> None:
    folder = tmp_path / "loops"
    folder.mkdir()
    (folder / "loops.ino").write_text(
        "#include <stdio.h>\nvoid setup() { Serial.begin(115200); }\n"
        'void loop(1, 5, 50) { printf("one\\n"); delay(50); }\n'
        'void loop(2, 5, 50) { printf("two\\n"); delay(50); }\n'
    )
    done = uno(folder, "220ms")
    assert done.status == 0, done.said
    assert done.serial.count("one\n") >= 3 and done.serial.count("two\n") >= 3
