"""Ordinary sketches built with the stock Arduino core and with Hocket do the same in one simulator: the text
of Serial and the edges of pins, by `hocket try --against-stock`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.campaign import long_form
from tests.commands import run_hocket

from hocket import stock_core
from hocket.attempts.outputs import compare_pins, compare_text, edges_of
from hocket.builder.board import prepare_launcher
from hocket.errors import HocketError
from hocket.sketch.folder import find_sketch

SKETCHES = Path(__file__).parent / "differential"
# In every run of the suite; the others behind HOCKET_LONG=1.
HANDFUL = (
    "fdevopen",
    "interrupt_modes",
    "masked_print",
    "millis_rollover",
    "own_yield",
    "pin_tables",
    "pwm_5",
    "pwm_9",
    "timer1_ctc",
)


def _try(names: list[Path], folder: Path) -> None:
    done = run_hocket(
        "try", "--against-stock", "--for", "300ms", "--json", "out.json", *names, cwd=folder
    )
    assert done.returncode == 0, done.stdout
    told = json.loads((folder / "out.json").read_text())
    assert told["same"] == told["tried"] == len(names)
    assert all(
        each["hocket"]["flash"] > 0 and each["stock"]["flash"] > 0 for each in told["sketches"]
    )


def test_a_handful(tmp_path: Path) -> None:
    _try([SKETCHES / f"{name}.ino" for name in HANDFUL], tmp_path)


@long_form
def test_all(tmp_path: Path) -> None:
    names = sorted(SKETCHES.glob("*.ino"))
    assert len(names) >= 60
    _try(names, tmp_path)


def test_what_differs_is_told(tmp_path: Path) -> None:
    (tmp_path / "differs").mkdir()
    (tmp_path / "differs" / "differs.ino").write_text(
        '#ifdef ARDUINO_ARCH_HOCKET\n#define TEXT "one 9"\n#define PIN 4\n'
        '#else\n#define TEXT "one 8"\n#define PIN 5\n#endif\n'
        "void setup() { Serial.begin(9600); Serial.println(TEXT); pinMode(PIN, OUTPUT); }\n"
        "void loop() { digitalWrite(PIN, HIGH); delay(5); digitalWrite(PIN, LOW); delay(5); }\n"
    )
    (tmp_path / "loops").mkdir()
    (tmp_path / "loops" / "loops.ino").write_text("void setup() {}\nvoid loop(1, 1, 10) {}\n")
    done = run_hocket("try", "--against-stock", "--for", "100ms", "differs", "loops", cwd=tmp_path)
    assert done.returncode == 2
    lines = done.stdout.splitlines()
    assert "differs: text: line 1: 'one 9' for 'one 8'" in lines
    assert "differs: pins: D4: 20 edges for 0" in lines
    assert "loops: it has loops, which the stock core does not know" in lines
    assert "0 of 2 run as with the stock core" in done.stdout


def test_both_builds_are_given_the_same(tmp_path: Path) -> None:
    """A library in `libraries/` beside the sketch, and the time of the build."""
    for name, text in (
        (
            "same/same.ino",
            "#include <Seven.h>\nvoid setup() { Serial.begin(115200); Serial.println(seven());"
            ' Serial.println(F(__DATE__ " " __TIME__)); }\nvoid loop() {}\n',
        ),
        (
            "libraries/Seven/Seven.h",
            "#pragma once\ninline const char* seven() { return __TIME__; }\n",
        ),
        ("broken/broken.ino", "void setup() {}\nvoid loop() { nothing(); }\n"),
        (
            "theirs/theirs.ino",
            "void setup() {}\nvoid loop() {\n#ifndef ARDUINO_ARCH_HOCKET\n  nothing();\n#endif\n}\n",
        ),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    names = ("same", "broken", "theirs")
    done = run_hocket("try", "--against-stock", "--for", "20ms", *names, cwd=tmp_path)
    assert "1 of 3 run as with the stock core" in done.stdout, done.stdout
    assert re.search(
        r"^broken: broken\.ino:2: use of undeclared identifier 'nothing'", done.stdout, re.M
    )
    assert re.search(r"^theirs: stock core: theirs\.ino:4: .nothing. was not", done.stdout, re.M)
    assert "same:" not in done.stdout


def test_the_stock_build_is_what_the_arduino_tools_make_of_it(tmp_path: Path) -> None:
    """Their prototypes stand before a type that the sketch defines later, which Hocket's wait for; and what
    their linker says is the reason."""
    for name, text in (
        (
            "late",
            "void setup() { use(); }\nstruct Two { int a, b; };\n"
            "Two make() { return {1, 2}; }\nvoid use() { make(); }\nvoid loop() {}\n",
        ),
        (
            "unlinked",
            "#ifndef ARDUINO_ARCH_HOCKET\nvoid missing();\n#else\nvoid missing() {}\n#endif\n"
            "void setup() { missing(); }\nvoid loop() {}\n",
        ),
        (
            "big",
            "#ifndef ARDUINO_ARCH_HOCKET\nchar more[4000];\n#else\nchar more[4];\n#endif\n"
            "void setup() { Serial.begin(9600); Serial.print((int)&more); }\nvoid loop() {}\n",
        ),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.ino").write_text(text)
    done = run_hocket(
        "try", "--against-stock", "--for", "20ms", "late", "unlinked", "big", cwd=tmp_path
    )
    assert "0 of 3 run as with the stock core" in done.stdout, done.stdout
    assert re.search(r"^late: stock core: late\.ino:3: .Two. does not name", done.stdout, re.M)
    assert re.search(
        r"^unlinked: stock core: undefined reference to `missing\(\)'", done.stdout, re.M
    )
    assert re.search(r"^big: stock core: section .*region `data'", done.stdout, re.M), done.stdout


def test_the_stock_core_s_compiler_is_kept_in_the_sketch_s_folder(tmp_path: Path) -> None:
    """As Hocket's own compilers are (test_paths.py): by a directive that no text names, and by a header."""
    (tmp_path / "mine.txt").write_text("#define MINE 1\n")
    embeds = (
        f'.macro embed a, b\\n .\\\\a\\\\b \\"{tmp_path}/mine.txt\\"\\n .endm\\n embed inc, bin\\n'
    )
    plain = "void setup() {}\nvoid loop() {}\n"
    for name, text in (
        ("embeds", f'asm("{embeds}");\n{plain}'),
        ("includes", f'#include "{tmp_path}/mine.txt"\n{plain}'),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}.ino").write_text(text)
        sketch = find_sketch(str(folder))
        prepare_launcher()
        with pytest.raises(HocketError) as caught:
            stock_core.build_stock_sketch(sketch, folder / "made")
        assert "mine.txt" in str(caught.value.cause)


def test_without_a_stock_core_there_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(stock_core, "CORE", tmp_path)
    with pytest.raises(HocketError) as caught:
        stock_core.require()
    assert caught.value.fact == "the Arduino core is not installed"
    assert "arduino-core-avr" in str(caught.value.next_step)


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        ("a 100\n", "a 101\n", True),
        ("a 100\n", "a 102\n", False),
        ("a 3\n", "a 4\n", False),
        ("a\nb\n", "a\nb\na\n", True),
        ("a\nc\n", "a\nb\n", False),
        (
            "",
            "a line that is much longer than what one of the two may be ahead of the other when it ends\n",
            False,
        ),
        ("", "a short line\n", False),
        ("a short line\n", "", False),
    ],
)
def test_texts(ours: str, theirs: str, same: bool) -> None:
    assert compare_text(ours.encode(), theirs.encode()).same is same


def test_a_text_names_the_line_that_differs() -> None:
    found = compare_text(b"one\r\ntwo 2\r\nthree\r\nfour\r\n", b"one\r\ntwo 2\r\nthree\r\nfive\r\n")
    assert found.what == "line 4: 'four' for 'five'"


def test_pins() -> None:
    ms = 1_000_000
    expected = [(at * ms, at % 2) for at in range(10, 40)]
    assert compare_pins({"D3": expected}, {"D3": expected}).same
    assert compare_pins({"D3": [(at + ms // 10, v) for at, v in expected]}, {"D3": expected}).same
    assert not compare_pins({"D3": [(at + ms, v) for at, v in expected]}, {"D3": expected}).same
    assert not compare_pins({"D3": [(at, 1 - v) for at, v in expected]}, {"D3": expected}).same
    assert not compare_pins({"D3": expected[:20]}, {"D3": expected}).same
    assert not compare_pins({}, {"D3": expected}).same


def test_edges_of_a_wave_file(tmp_path: Path) -> None:
    waves = tmp_path / "waves.vcd"
    waves.write_text(
        "$scope module board $end\n$var wire 1 ! D0 $end\n$var wire 1 / A0 $end\n$upscope $end\n"
        "$enddefinitions $end\n#0\n$dumpvars\nz!\n1/\n$end\n#5\n0!\n#9\n1!\n0/\n"
    )
    assert edges_of(waves) == {"D0": [(9, 1)], "A0": [(9, 0)]}
