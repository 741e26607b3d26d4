"""What clang's code for the ATmega328P got wrong, with the values as the language has them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from tests.sketches import kept
from tests.uno.conftest import Built, Run

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


PLAIN, LOOPS = "void loop() {}\n", "void loop(1, 5, 20) { delay(20); }\n"


# Division by 16 of a signed number: avr-gcc skips an ADIW by 15 if the number is positive.
DIVIDED = """
volatile int numbers[] = {37, -37, 4096, -1, 15, -4097};
void setup() {
  Serial.begin(115200);
  for (int number : numbers) Serial.println(number / 16);
}
"""


def test_skips_before_a_division(uno: Run) -> None:
    done = uno(kept("plain_divided", DIVIDED + PLAIN), "100ms")
    assert done.status == 0, done.said
    assert done.serial.splitlines()[:6] == ["2", "-2", "256", "0", "0", "-256"]


@pytest.mark.parametrize(("name", "rest"), [("plain_members", PLAIN), ("loops_members", LOOPS)])
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


# What a call passes on the stack, of which some needs a branch; bits of half a number; fields that lie across
# bytes; an array in RAM and one in flash of the same content.
WRONG = """
#include <stdarg.h>
char line[48];
volatile long inputs[] = {0x5814697d, -7};
struct Fields { uint8_t a : 4; uint8_t b : 3; uint8_t c : 4; uint16_t d : 14; int32_t e : 20; };
uint32_t twice(int16_t x, uint32_t y) { return x + y * 2; }
uint32_t less(int16_t x, uint32_t y) { return y - x; }
typedef uint32_t (*Call)(int16_t, uint32_t);
const Call flash[] PROGMEM = {twice, less};
Call ram[] = {twice, less};
#define NOINLINE __attribute__((noinline))
NOINLINE void text(long a, long b) {
  snprintf(line, sizeof line, "%ld %d %d", a > b ? a : b, a < 0 ? -1 : 1, (int)b >> ((uint8_t)a & 3));
}
NOINLINE uint32_t kept(uint32_t a, uint32_t b) { text(a, b); return a ^ b; }
NOINLINE uint32_t one(uint32_t x) { return (x >> 15) & 1; }
NOINLINE uint32_t some(uint32_t x) { return (x & 0xffff) >> 6; }
NOINLINE uint32_t more(uint32_t x) { return (x >> 7) & 0x1ff; }
NOINLINE uint32_t called(uint8_t at, uint32_t x) { return ram[at](3, x); }
void setup() {
  Serial.begin(115200);
  for (uint8_t i = 0; i < 2; ++i) {
    kept(inputs[i], inputs[1 - i]);
    Serial.println(line);
    Serial.println(one(inputs[i]));
    Serial.println(some(inputs[i]));
    Serial.println(more(inputs[i]));
    Serial.println(called(i, 10));
    Serial.println(((Call)pgm_read_ptr(&flash[i]))(3, 10) == called(i, 10));
  }
  Fields fields = {9, 5, 11, 0x2345, -3};
  const uint8_t* bytes = (const uint8_t*)&fields;
  for (uint8_t i = 0; i < sizeof fields; ++i) Serial.println(bytes[i]);
}
"""
RIGHT = [
    *("1477732733 1 -4", "0", "421", "210", "23", "1"),
    *("1477732733 -1 13502", "1", "1023", "511", "7", "1"),
    *("217", "45", "26", "251", "255", "31"),
]


@pytest.mark.parametrize(("name", "rest"), [("plain_wrong", PLAIN), ("loops_wrong", LOOPS)])
def test_what_compilers_got_wrong(uno: Run, name: str, rest: str) -> None:
    done = uno(kept(name, WRONG + rest), "100ms")
    assert done.status == 0, done.said
    assert done.serial.splitlines()[: len(RIGHT)] == RIGHT


LOST = """
#include <stdarg.h>
__attribute__((noinline)) long summed(uint8_t count, ...) {
  va_list all;
  va_start(all, count);
  long sum = va_arg(all, long long);
  sum += va_arg(all, long long);
  sum += *va_arg(all, const char*);
  for (uint8_t i = 0; i < 3; ++i) sum += va_arg(all, unsigned);
  va_end(all);
  return sum;
}
volatile uint32_t inputs[] = {1, 2};
__attribute__((noinline)) long passes(uint32_t a, uint32_t b) {
  return summed((uint8_t)a, (long long)(int32_t)a + 5000000000LL, (long long)(b & 64 ? b : a), "pq",
               (unsigned)b, (unsigned)(b & a), (unsigned)(b + 9)) + a + b;
}
void setup() {
  Serial.begin(115200);
  Serial.println(passes(inputs[0], inputs[1]));
}
"""


def test_arguments_are_not_lost(uno: Run) -> None:
    """Of a call with more of them than registers, so that the pointer to which they go would hold one."""
    done = uno(kept("lost", LOST + LOOPS), "100ms")
    assert done.status == 0, done.said
    assert done.serial.splitlines()[0] == "705032834"


MASKS = """
#include <util/atomic.h>
volatile long count;
void (*volatile masks)() = MASKS;
void setup() { Serial.begin(115200); }
"""
BODY = """
  ATOMIC_BLOCK(ATOMIC_FORCEON) { ++count; }
  noInterrupts(); ++count; interrupts();
  cli(); ++count; sei();
  masks(); ++count; interrupts();
  Serial.println(count);
  delay(15);
}
"""


@pytest.mark.parametrize(
    ("name", "loop"), [("plain_masks", "void loop() {"), ("loops_masks", "void loop(1, 5, 20) {")]
)
def test_masking_is_one_instruction(uno: Run, built: Built, name: str, loop: str) -> None:
    """And a function for a sketch that takes its address."""
    own = kept(name, MASKS.replace("MASKS", "noInterrupts") + loop + BODY)
    assert uno(own, "100ms").serial.splitlines()[:2] == ["4", "8"]
    without = MASKS.replace("MASKS", "nullptr") + loop + BODY.replace("masks()", "cli()")
    names = subprocess.run(
        ["avr-nm", built(kept(f"{name}_inline", without))],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "noInterrupts" not in names
    assert "setup" in names


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


COMPUTED = """
char line[60];
volatile int a = 5, b = 7, n = 9, by = 3;
volatile long big = 123456;
__attribute__((noinline)) long many(int p, int q, int r, int s, int t, int u, int v, int w, int x, long y) {
  return p + 2 * q + 3 * r + 4 * s + 5 * t + 6 * u + 7 * v + 8 * w + 9 * x + 10 * y;
}
__attribute__((noinline)) void fill(char* all, int size) { for (int i = 0; i < size; i++) all[i] = i + 1; }
__attribute__((noinline)) int sum(char* all, int size) {
  int result = 0;
  for (int i = 0; i < size; i++) result += all[i];
  return result;
}
__attribute__((noinline)) int text_beside(int size) {
  char room[size];
  fill(room, size);
  snprintf(line, 40, "%d %d %ld", a > b ? a : b, a << by, big >> by);
  return sum(room, size);
}
__attribute__((noinline)) long in_a_loop(int size) {
  long result = 0;
  for (int i = 1; i < size; i++) {
    char room[i];
    fill(room, i);
    result += many(i, 2, 3, 4, 5, 6, 7, 8, i & 1 ? a : b, big >> i) + sum(room, i);
  }
  return result;
}
__attribute__((noinline)) int two_of_them(int size) {
  char* first = (char*)__builtin_alloca(size);
  fill(first, size);
  char* second = (char*)__builtin_alloca(4);
  fill(second, 4);
  return 100 * sum(first, size) + sum(second, 4);
}
__attribute__((noinline)) int of_a_text(String text) {
  char copy[text.length() + 1];
  text.toCharArray(copy, sizeof copy);
  return strcmp(copy, "a text");
}
void setup() {
  Serial.begin(115200);
  Serial.println(text_beside(n));
  Serial.println(line);
  Serial.println(in_a_loop(n));
  Serial.println(two_of_them(n));
  Serial.println(of_a_text("a text"));
}
"""


def test_arrays_of_a_computed_length(uno: Run) -> None:
    """clang takes the byte below for the first one, which the next call's return address is in."""
    done = uno(kept("computed_arrays", COMPUTED + LOOPS), "100ms")
    assert done.status == 0, done.said
    of_loop = sum(
        i
        + 2 * 2
        + 3 * 3
        + 4 * 4
        + 5 * 5
        + 6 * 6
        + 7 * 7
        + 8 * 8
        + 9 * (5 if i & 1 else 7)
        + 10 * (123456 >> i)
        + i * (i + 1) // 2
        for i in range(1, 9)
    )
    assert done.serial.splitlines()[:5] == ["45", "7 40 15432", str(of_loop), "4510", "0"]
