"""Which compiler a sketch for the Uno gets, and what it then does: avr-gcc where it can, else clang."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.uno.conftest import Run

# The idioms of libraries that were written for avr-gcc: a 32-bit operand in assembler, a naked function with
# a call in it, a name that assembler alone defines.
LIBRARY = {
    "Idioms.h": """#pragma once
#include <Arduino.h>
struct Colour { uint8_t red, green, blue; };
uint32_t product(uint16_t x, uint16_t y);
uint16_t sum(Colour colour);
uint8_t hooked();
uint8_t ticked();
""",
    "product.cpp": """#include "Idioms.h"
uint32_t product(uint16_t x, uint16_t y) {
  uint32_t all;
  asm volatile("mul %A1, %A2\\n\\tmovw %A0, r0\\n\\tclr r1\\n\\tclr %C0\\n\\tclr %D0"
               : "=&r"(all) : "r"(x), "r"(y));
  return all;
}
uint16_t sum(Colour colour) { return colour.red + colour.green + colour.blue; }
""",
    "hook.cpp": """#include "Idioms.h"
asm(".global number_of_hooks\\n.set number_of_hooks, 7");
extern "C" char number_of_hooks;
uint8_t hooked() { return (uint8_t)(uintptr_t)&number_of_hooks; }
""",
}
NAKED = """#include "Idioms.h"
static volatile uint8_t ticks;
extern "C" void count_tick() { ticks++; }
extern "C" void by_hand() __attribute__((naked, noinline, used));
extern "C" void by_hand() { asm volatile("call count_tick\\n\\tret"); }
uint8_t ticked() { by_hand(); return ticks; }
"""
SAYS = """#include <Idioms.h>
volatile uint16_t x = 200, y = 201;
void say() {
  Serial.begin(115200);
  Colour colour = {(uint8_t)x, 2, 3};
  Serial.println(product(x, y));
  Serial.println(hooked());
%s}
"""


def made(folder: Path, name: str, text: str, **further: str) -> Path:
    """A sketch, in a sketchbook with the library."""
    place = folder / "libraries" / "Idioms"
    place.mkdir(parents=True)
    for file, content in {**LIBRARY, **further}.items():
        (place / file.replace("_cpp", ".cpp")).write_text(content)
    sketch = folder / name
    sketch.mkdir()
    (sketch / f"{name}.ino").write_text(text)
    return sketch


def plain(folder: Path, name: str, text: str) -> Path:
    sketch = folder / name
    sketch.mkdir()
    (sketch / f"{name}.ino").write_text(text)
    return sketch


def test_a_plain_sketch_is_avr_gccs_and_one_with_loops_clangs(uno: Run, tmp_path: Path) -> None:
    done = uno(plain(tmp_path, "one", "void setup() {}\nvoid loop() {}\n"), "1ms")
    assert done.report["compiler"].startswith("avr-gcc ")
    assert "compiled with" not in done.said
    done = uno(plain(tmp_path, "two", "void setup() {}\nvoid loop(1, 5, 20) {}\n"), "1ms")
    assert done.report["compiler"] == "clang 19"


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("#include <Hocket.h>\n", "clang.ino includes <Hocket.h>"),
        ("template <class T> concept Any = true;\n", "clang.ino:1: "),
    ],
    ids=["Hocket.h", "C++20"],
)
def test_what_avr_gcc_does_not_know_is_clangs(
    uno: Run, tmp_path: Path, before: str, why: str
) -> None:
    text = f'{before}void setup() {{ Serial.begin(9600); Serial.println("runs"); }}\nvoid loop() {{}}\n'
    sketch = plain(tmp_path, "clang", text)
    for _ in range(2):  # also where nothing is compiled anew
        done = uno(sketch, "20ms")
        assert done.status == 0, done.said
        assert done.serial.startswith("runs")
        assert done.report["compiler"] == "clang 19"
        (line,) = [line for line in done.said.splitlines() if "is compiled with" in line]
        assert line.startswith("hocket: clang is compiled with clang 19, not avr-gcc ")
        assert why in line


def test_libraries_for_avr_gcc(uno: Run, tmp_path: Path) -> None:
    text = SAYS % "  Serial.println(sum(colour));\n" + "void setup() { say(); }\nvoid loop() {}\n"
    done = uno(made(tmp_path, "alone", text), "50ms")
    assert done.status == 0, done.said
    assert done.serial.splitlines()[:3] == ["40200", "7", "205"]
    assert done.report["compiler"].startswith("avr-gcc ")


def test_beside_loops_avr_gcc_compiles_what_clang_refuses(uno: Run, tmp_path: Path) -> None:
    text = SAYS % "" + "void setup() { say(); }\nvoid loop(1, 5, 20) { delay(20); }\n"
    sketch = made(tmp_path, "beside", text)
    for _ in range(2):
        done = uno(sketch, "50ms")
        assert done.status == 0, done.said
        assert done.serial.splitlines()[:2] == ["40200", "7"]
        assert done.report["compiler"] == "clang 19"


def test_a_structure_does_not_cross_between_the_compilers(uno: Run, tmp_path: Path) -> None:
    text = SAYS % "  Serial.println(sum(colour));\n"
    text += "void setup() { say(); }\nvoid loop(1, 5, 20) { delay(20); }\n"
    done = uno(made(tmp_path, "across", text), "50ms")
    assert done.status == 2
    assert "Idioms/product.cpp:8: sum() takes Colour by value, between code of clang" in done.said


def test_what_the_optimisation_of_all_objects_cannot_see(uno: Run, tmp_path: Path) -> None:
    """A function that is called in assembler alone: linked without it, this time and the next."""
    text = SAYS % "  Serial.println(ticked());\n" + "void setup() { say(); }\nvoid loop() {}\n"
    sketch = made(tmp_path, "naked", text, naked_cpp=NAKED)
    for _ in range(2):
        done = uno(sketch, "50ms")
        assert done.status == 0, done.said
        assert done.serial.splitlines()[:3] == ["40200", "7", "1"]
        assert done.report["compiler"].startswith("avr-gcc ")


FIRST = """static uint8_t before __attribute__((section(".noinit")));
void keep() __attribute__((naked, used, section(".init3")));
void keep() { before = MCUSR; MCUSR = 0; before = 42; }
"""


def test_a_function_in_init3_beside_loops(uno: Run, tmp_path: Path) -> None:
    """Clang refuses C in it. In a library avr-gcc compiles it; in the sketch the message says so."""
    loops = "void loop(1, 5, 20) { delay(20); }\n"
    text = SAYS % "  Serial.println(kept());\n" + "void setup() { say(); }\n" + loops
    text = text.replace("void say", "uint8_t kept();\nvoid say", 1)
    own = (
        '#include "Idioms.h"\n#include <avr/io.h>\n' + FIRST + "uint8_t kept() { return before; }\n"
    )
    done = uno(made(tmp_path, "early", text, keep_cpp=own), "50ms")
    assert done.status == 0, done.said
    assert done.serial.splitlines()[:3] == ["40200", "7", "42"]
    done = uno(plain(tmp_path, "inside", FIRST + "void setup() {}\n" + loops), "1ms")
    assert done.status == 2
    assert "inside.ino:3: the sketch does not compile" in done.said
    assert "accepts only assembler in a naked function" in done.said
    assert "next:  move the function to a .cpp file of a library, which avr-gcc" in done.said
    done = uno(plain(tmp_path, "without", FIRST + "void setup() {}\nvoid loop() {}\n"), "1ms")
    assert done.status == 0, done.said


@pytest.mark.parametrize("loop", ["loop()", "loop(1, 5, 20)"])
def test_texts_in_flash_have_no_warning(uno: Run, tmp_path: Path, loop: str) -> None:
    """%S is one in every format of an AVR. Clang means a text of wide characters and would warn; of a number
    in its place it says so."""
    text = f"""
    const char name[] PROGMEM = "name";
    void setup() {{
      char line[20];
      Serial.begin(115200);
      snprintf(line, sizeof line, "%S!", name);
      Serial.println(line);
      snprintf(line, sizeof line, "%d", name);
    }}
    void {loop} {{}}
    """
    done = uno(plain(tmp_path, "texts", text), "50ms")
    assert done.status == 0, done.said
    assert done.serial.splitlines()[0] == "name!"
    assert "wchar_t" not in done.said and "%S" not in done.said
    assert done.said.count("warning: format specifies type 'int'") == 1


def test_errors_have_their_lines(uno: Run, tmp_path: Path) -> None:
    """As clang says them, also what only it looks at."""
    text = "void setup() {\n  tone(25, 440);\n}\nvoid loop() {}\n"
    done = uno(plain(tmp_path, "pins", text), "1ms")
    assert done.status == 2
    assert "pins.ino:2:15: error: the Uno has no such pin" in done.said
    text = "void setup() {\n  int x = unknown;\n}\nvoid loop() {}\n"
    done = uno(plain(tmp_path, "names", text), "1ms")
    assert done.status == 2
    assert "names.ino:2:11: error: use of undeclared identifier 'unknown'" in done.said
    assert "not avr-gcc" not in done.said
    text = "void missing();\nvoid setup() {\n  missing();\n}\nvoid loop() {}\n"
    done = uno(plain(tmp_path, "links", text), "1ms")
    assert done.status == 2
    assert "links.ino:3: the sketch does not link: missing() is used but" in done.said


def test_where_neither_compiles_there_is_a_reason(uno: Run, tmp_path: Path) -> None:
    """Clang's error in a header that is for avr-gcc says why it is not that one that compiles. An error of
    the sketch's own is all that is told."""
    product = LIBRARY["product.cpp"].replace("uint32_t product", "inline uint32_t product")
    header = LIBRARY["Idioms.h"] + product[product.index("inline") : product.index("uint16_t sum")]
    rest = "void setup() { Serial.println(product(3, 4)); }\nvoid loop() {}\n"
    text = "#include <Idioms.h>\ntemplate <class T> concept Any = true;\n" + rest
    sketch = made(tmp_path, "neither", text)
    (tmp_path / "libraries" / "Idioms" / "Idioms.h").write_text(header)
    (tmp_path / "libraries" / "Idioms" / "product.cpp").write_text('#include "Idioms.h"\n')
    for _ in range(2):
        done = uno(sketch, "1ms")
        assert done.status == 2
        assert done.said.count("error: couldn't allocate output register") == 1
        assert "1 error, see above; it is compiled with clang 19, not avr-gcc " in done.said
        assert "neither/neither.ino:2: " in done.said
    (sketch / "neither.ino").write_text(text.replace("product(3, 4)", "unknown"))
    done = uno(sketch, "1ms")
    assert done.status == 2
    assert done.said.count("error: ") == 1
    assert "neither.ino:3:31: error: use of undeclared identifier 'unknown'" in done.said
    assert "avr-gcc" not in done.said


def test_errors_of_all_files_are_counted(uno: Run, tmp_path: Path) -> None:
    sketch = plain(tmp_path, "files", "void setup() {\n  one();\n}\nvoid loop() {}\n")
    (sketch / "second.cpp").write_text("int two = unknown;\n")
    done = uno(sketch, "1ms")
    assert done.status == 2
    assert "files.ino:2: the sketch does not compile" in done.said
    assert "cause: 2 errors, see above" in done.said


def test_a_fault_has_its_line(uno: Run, tmp_path: Path) -> None:
    text = (
        "volatile int* nowhere;\nvoid write() {\n  *nowhere = 1;\n}\n"
        "void setup() {\n  write();\n}\nvoid loop() {}\n"
    )
    done = uno(plain(tmp_path, "null", text), "1ms")
    assert done.status == 1
    (fault,) = done.report["faults"]
    assert "(null/null.ino:3, in " in fault["text"]


def test_all_of_a_sketch_may_be_a_librarys(uno: Run, tmp_path: Path) -> None:
    """main() too, as of programs that the Arduino IDE only uploads."""
    main = (
        "#include <avr/interrupt.h>\nint main(void) {\n  sei();\n  UBRR0 = 103;\n  UCSR0B = 1 << TXEN0;\n"
        '  for (const char* p = "alone\\r\\n"; *p; p++) {\n'
        "    while (!(UCSR0A & (1 << UDRE0))) {}\n    UDR0 = *p;\n  }\n  for (;;) {}\n}\n"
    )
    text = "// All of it is in the library.\n#include <Idioms.h>\n"
    sketch = made(tmp_path, "uploaded", text)
    (tmp_path / "libraries" / "Idioms" / "main.c").write_text(main)
    done = uno(sketch, "50ms")
    assert done.status == 0, done.said
    assert done.serial.startswith("alone")
    (sketch / "uploaded.ino").write_text("// Nothing.\n")
    assert "this sketch has no setup()" in uno(sketch, "50ms").said


def test_the_watchdogs_names_are_there(uno: Run, tmp_path: Path) -> None:
    """Of avr-libc's header, for libraries that set it by themselves: with either compiler."""
    use = "#include <avr/wdt.h>\nint all = _SFR_MEM_ADDR(_WD_CONTROL_REG) + _WD_PS3_MASK"
    use += " + _BV(_WD_CHANGE_BIT);\n"
    for number, rest in enumerate(("void loop() {}", "void loop(1, 5, 20) { delay(20); }")):
        text = f"{use}void setup() {{ Serial.begin(115200); Serial.println(all); }}\n{rest}\n"
        done = uno(plain(tmp_path, f"watch{number}", text), "30ms")
        assert done.status == 0, done.said
        assert done.serial.splitlines()[0] == str(0x60 + 32 + 16)


READS = """void setup() {
  Serial.begin(115200);
  Serial.setTimeout(50);
  Serial.println(Serial.parseInt());
  Serial.println(Serial.parseFloat());
  Serial.println(Serial.readStringUntil('\\n'));
  unsigned long t = millis();
  Serial.println(Serial.readString());
  t = millis() - t;
  Serial.println(t >= 50 && t < 56);
}
void loop() {}
"""


def test_waiting_for_bytes(uno: Run, tmp_path: Path) -> None:
    """Without loops by millis() alone."""
    (tmp_path / "sent.txt").write_text("42 -7.5 rest of it\ntail")
    done = uno(plain(tmp_path, "reads", READS), "400ms", "--input", tmp_path / "sent.txt")
    assert done.status == 0, done.said
    assert done.serial.splitlines()[:5] == ["42", "-7.50", " rest of it", "tail", "1"]
