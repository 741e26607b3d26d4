"""What clang's code for the ATmega328P got wrong, with the values as the language has them."""

from __future__ import annotations

from pathlib import Path

import pytest
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from tests.sketches import kept
from tests.uno.conftest import Run

# Functions whose sizes are odd and even numbers of words, so that some addresses are odd.
MEMBERS = """
struct Base { virtual int named() { return 1; } int plain() { return 2; } };
struct Widget : Base {
  int k = 5;
  int f(int x) { return x + k; }
  int g(int x) { return x * k; }
  int h(int x) { return x - k - 4; }
  int i(int x) { return x ^ k; }
  int j(int x) const { return x | k << 3; }
  int named() override { return 3; }
  template <int N> int shifted(int x) { return (x << N) + k; }
} widget;
typedef int (Widget::*Call)(int);
Call calls[] = {&Widget::f, &Widget::g, &Widget::h, &Widget::i, &Widget::shifted<1>, &Widget::shifted<3>};
int (Widget::*fixed)(int) const = &Widget::j;
int (Base::*named)() = &Base::named;
int (Base::*plain)() = &Base::plain;
size_t (Print::*line)(long, int) = &Print::println;
size_t (Print::*text)(const char*) = &Print::println;
int (Stream::*byte_of)() = &Stream::read;
void (String::*trimmed)() = &String::trim;
volatile int at;
void show() {
  for (at = 0; at < 6; ++at) (Serial.*line)((widget.*calls[at])(7), DEC);
  (Serial.*line)((widget.*fixed)(1), DEC);
  (Serial.*line)((widget.*named)(), DEC);
  (Serial.*line)((widget.*plain)(), DEC);
  (Serial.*line)((Serial.*byte_of)(), DEC);
  String words = "  words ";
  (words.*trimmed)();
  (Serial.*text)(words.c_str());
  Call none = 0;
  (Serial.*line)(none == 0, DEC);
  (Serial.*line)(calls[0] == &Widget::f && calls[0] != calls[1], DEC);
}
void setup() { Serial.begin(115200); show(); }
"""
VALUES = ["12", "35", "-2", "2", "19", "61", "41", "3", "2", "-1", "words", "1", "1"]


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("plain_members", "void loop() {}\n"),
        ("loops_members", "void loop(1, 5, 20) { delay(20); }\n"),
    ],
)
def test_pointers_to_members(uno: Run, name: str, rest: str) -> None:
    done = uno(kept(name, MEMBERS + rest), "100ms")
    assert done.status == 0, done.said
    assert done.serial.splitlines()[: len(VALUES)] == VALUES


VARIADIC = """
struct Colour { uint8_t red, green, blue; };
int sum(int count, ...) {
  va_list all;
  va_start(all, count);
  Colour first = va_arg(all, Colour);
  int then = va_arg(all, int);
  va_end(all);
  return first.red + first.green + first.blue + then;
}
volatile uint8_t one = 1;
void setup() {
  Serial.begin(115200);
  Colour colour = {one, 2, 3};
  Serial.println(sum(1, colour, 1000));
}
void loop(1, 5, 20) {}
"""


def test_a_structure_among_variable_arguments_is_refused(uno: Run) -> None:
    """The line is named at which clang's code would pass what no function can read."""
    done = uno(kept("variadic", VARIADIC), "100ms")
    assert done.status == 2
    line = VARIADIC.splitlines().index("  Serial.println(sum(1, colour, 1000));") + 1
    assert f"variadic.ino:{line}:25: error: passing object of class type 'Colour'" in done.said


def test_no_function_of_a_class_has_an_odd_address(uno: Run) -> None:
    """Whose members a sketch can name, in the archives it is linked with."""
    folder = Path(__file__).resolve().parents[2] / "build" / "uno" / "arduino" / "cores" / "avr8"
    uno(kept("plain_members", MEMBERS + "void loop() {}\n"), "1ms")  # the archives are there
    for library in ("loops_api", "plain_api"):
        found = 0
        for path in (folder / "CMakeFiles" / f"hocket_uno_{library}.dir").rglob("*.obj"):
            found += check_addresses(path)
        assert found > 10, library


def check_addresses(path: Path) -> int:
    """How many such functions the object has."""
    found = 0
    with path.open("rb") as stream:
        try:
            elf = ELFFile(stream)
        except ELFError:
            return 0
        symbols = elf.get_section_by_name(".symtab")
        assert isinstance(symbols, SymbolTableSection)
        for symbol in symbols.iter_symbols():
            name, section = symbol.name, symbol["st_shndx"]
            inner = name.startswith(("_ZN", "_ZNK")) and not name.startswith(
                ("_ZN6hocket", "_ZNK6hocket", "_ZN12_GLOBAL__N_1")
            )
            if symbol["st_info"]["type"] != "STT_FUNC" or not inner or isinstance(section, str):
                continue
            assert elf.get_section(section)["sh_addralign"] % 4 == 0, f"{path.name}: {name}"
            found += 1
    return found
