"""What stock Arduino has on an Uno besides Arduino's own calls: avr-libc's arithmetic and program memory, its
headers, and what C++ needs without a standard library. Values are read after the sketch has computed them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.uno.conftest import Run

HEAD = "void setup() {{\n  Serial.begin(115200);\n{}}}\nvoid loop() {{}}\n"


def printed(uno: Run, folder: Path, before: str, expressions: list[str]) -> list[str]:
    """What a plain sketch prints of each expression."""
    lines = "".join(f"  Serial.println({each});\n" for each in expressions)
    done = uno(sketch(folder / "printed", before + HEAD.format(lines)), "300ms")
    assert done.status == 0, done.said
    return [str(line) for line in done.serial.splitlines()[: len(expressions)]]


def sketch(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / f"{folder.name}.ino").write_text(text)
    return folder


def test_arithmetic_of_variables(uno: Run, tmp_path: Path) -> None:
    """clang calls some of them by the names of a C library in which `float` and `double` are two types."""
    values = {
        "round(half)": "3", "round(2.6) % 2": "1", "round(-half)": "-3", "roundf(half) == 3": "1",
        "lround(half)": "3",
        "floor(half)": "2.00", "floor(-half)": "-3.00", "floorf(half)": "2.00",
        "ceil(half)": "3.00", "ceilf(-half)": "-2.00", "trunc(-half)": "-2.00", "truncf(half)": "2.00",
        "fmin(half, third)": "0.33", "fmax(half, third)": "2.50", "fminf(half, third)": "0.33",
        "fmod(half, 2)": "0.50", "copysign(half, -third)": "-2.50", "copysignf(-half, third)": "2.50",
        "fabs(-half)": "2.50", "sqrt(half)": "1.58", "pow(2, half)": "5.66", "pow(half, 2)": "6.25",
        "exp(half)": "12.18", "log(half)": "0.92", "log10(half)": "0.40", "cbrt(half)": "1.36",
        "hypot(half, third)": "2.52", "fma(half, third, 1)": "1.83", "ldexp(half, 2)": "10.00",
        "sin(half)": "0.60", "cosf(half)": "-0.80", "atan2(half, third)": "1.44",
        "isfinite(half)": "1", "isfinite(half / (third - third))": "0", "isnan(half)": "0",
    }  # fmt: skip
    before = "volatile double half = 2.5;\nvolatile float third = 0.3333;\n"
    assert printed(uno, tmp_path, before, list(values)) == list(values.values())


TABLES = """
#include <avr/pgmspace.h>
const uint8_t bytes[] PROGMEM = {1, 250};
const uint16_t words[] PROGMEM = {1, 65000};
const uint32_t dwords[] PROGMEM = {1, 4000000000UL};
const uint64_t qwords[] PROGMEM = {1, 0x123456789abcdef0ULL};
const float floats[] PROGMEM = {1.5, -2.25};
const char text[] PROGMEM = "a text";
const char* const texts[] PROGMEM = {text, text + 2};
volatile uint8_t i = 1;
char copy[8];
"""


def test_program_memory(uno: Run, tmp_path: Path) -> None:
    values = {}
    tables = {
        "byte": "250", "word": "65000", "dword": "4000000000", "qword": "1311768467463790320",
        "float": "-2.25",
    }  # fmt: skip
    for name, value in tables.items():
        values[f"pgm_read_{name}({name}s + i)"] = value
        values[f"pgm_read_{name}_near(&{name}s[i])"] = value
        far = f"pgm_get_far_address({name}s) + i * sizeof {name}s[0]"
        values[f"pgm_read_{name}_far({far})"] = value
    values["(const __FlashStringHelper*)pgm_read_ptr(texts + i)"] = "text"
    values["strcpy_P(copy, (char*)pgm_read_word(&texts[i]))"] = "text"
    assert printed(uno, tmp_path, TABLES, list(values)) == list(values.values())


HEADERS = [
    "limits.h", "float.h", "stdint.h", "assert.h", "errno.h", "setjmp.h", "time.h", "new", "new.h",
    "avr/boot.h", "avr/cpufunc.h", "avr/eeprom.h", "avr/fuse.h", "avr/interrupt.h", "avr/io.h", "avr/lock.h",
    "avr/pgmspace.h", "avr/power.h", "avr/signature.h", "avr/sleep.h", "avr/version.h", "avr/wdt.h",
    "util/atomic.h", "util/crc16.h", "util/delay.h", "util/delay_basic.h", "util/parity.h", "util/twi.h",
]  # fmt: skip


def test_the_processors_headers(uno: Run, tmp_path: Path) -> None:
    """All that avr-libc has for the processor, in one sketch; of each what is in line."""
    includes = "".join(f"#include <{header}>\n" for header in HEADERS)
    values = {
        "INT_MAX": "32767",
        "LONG_MAX": "2147483647",
        "boot_signature_byte_get(0) == SIGNATURE_0": "0",  # (simavr has no signature row)
        "_crc16_update(0xffff, number)": str(crc16(0xFFFF, 100)),
        "parity_even_bit(number)": "1",
        "(eeprom_update_dword((uint32_t*)4, 70000UL), eeprom_read_dword((uint32_t*)4))": "70000",
        "counted()": "101",
        "clock_prescale_get()": "0",
        "ARDUINO_AVR_UNO": "1",
        "sizeof(ARDUINO_ARCH)": "4",
    }
    before = includes + (
        "volatile uint8_t number = 100;\n"
        "uint8_t counted() { ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { ++number; } return number; }\n"
        '#ifdef ARDUINO_ARCH_AVR\n#define ARDUINO_ARCH "avr"\n#endif\n'
    )
    assert printed(uno, tmp_path, before, list(values)) == list(values.values())


def crc16(crc: int, byte: int) -> int:
    crc ^= byte
    for _ in range(8):
        crc = crc >> 1 ^ 0xA001 if crc & 1 else crc >> 1
    return crc


def test_what_avr_libc_lacks_is_not_found_elsewhere(uno: Run, tmp_path: Path) -> None:
    """A header of this computer is none of the Uno's."""
    text = "#include <pthread.h>\nvoid setup() {}\nvoid loop() {}\n"
    done = uno(sketch(tmp_path / "host", text), "1ms")
    assert done.status == 2
    assert "no library here has pthread.h" in done.said


def test_objects_where_memory_is(uno: Run, tmp_path: Path) -> None:
    before = (
        "#include <new>\n#include <new.h>\nalignas(int) char room[4];\n"
        "struct Counted { static int all; Counted() { ++all; } ~Counted() { --all; } };\nint Counted::all;\n"
    )
    values = {
        "*new (room) int(5)": "5",
        "*(int*)room": "5",
        "new (std::nothrow) char[5000] == nullptr": "1",
        "(delete[] new Counted[3], Counted::all)": "0",
    }
    assert printed(uno, tmp_path, before, list(values)) == list(values.values())


STATIC = """
int made;
struct Slow {
  int value;
  Slow() {
    for (int i = 0; i < 30; ++i) delayMicroseconds(1000);  // six budgets
    ++made;
    value = 7;
  }
};
Slow& slow() {
  static Slow one;
  return one;
}
void setup() { Serial.begin(115200); }
void loop(1, 5, 20) { Serial.println(slow().value); delay(20); }
void loop(2, 5, 20) { Serial.println(made * 10 + slow().value); delay(20); }
"""


def test_a_local_static_is_made_once(uno: Run, tmp_path: Path) -> None:
    """While one loop makes it the other waits, and neither sees it unfinished."""
    done = uno(sketch(tmp_path / "once", STATIC), "300ms")
    assert done.status == 0, done.said
    seen = set(done.serial.partition("once on uno")[0].split())
    assert "7" in seen
    assert seen <= {"7", "17"}, seen


@one_in(3)
@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "struct Base { Base() { call(); } void call() { f(); } virtual void f() = 0; };\n"
            "struct Derived : Base { void f() override {} };\n"
            "void setup() { new Derived; }\n",
            "a virtual function was called that the object's class does not define",
        ),
        ("void setup() { for (;;) new int[50]; }\n", "`new` found no memory"),
        (
            "int f(int n) { static int x = f(n); return x + n; }\nvoid setup() { f(1); }\n",
            "a static variable's first value needs the variable itself",
        ),
    ],
    ids=["pure virtual", "no memory", "static"],
)
def test_why_a_sketch_has_stopped(uno: Run, tmp_path: Path, text: str, why: str) -> None:
    done = uno(sketch(tmp_path / "stopped", text + "void loop(1, 5, 20) {}\n"), "100ms")
    assert done.status == 1
    (fault,) = done.report["faults"]
    assert fault["kind"] == "stopped"
    assert fault["text"].startswith(why)


WATCHED = """
#include <avr/wdt.h>
void setup() {
  Serial.begin(115200);
  wdt_enable(WDTO_60MS);
  Serial.println(WDTCSR, HEX);
  wdt_disable();
  Serial.println(WDTCSR, HEX);
  delay(100);
  wdt_enable(WDTO_120MS);
}
void loop() {
  wdt_reset();
  delay(50);
  if (millis() > 1000) for (;;);
}
"""


@pytest.mark.parametrize("body", ["for (;;);", "delay(200);"])
def test_the_watchdog_beside_loops(uno: Run, tmp_path: Path, body: str) -> None:
    """A reset changes the loops' clock as well: that is not what is said. Whoever ran then is not named."""
    text = f"""#include <avr/wdt.h>
    void setup() {{}}
    void loop(1, 10, 100) {{ wdt_enable(WDTO_15MS); {body} }}
    void loop(2, 10, 100) {{ delay(5); }}
    """
    done = uno(sketch(tmp_path / "bites", text), "500ms")
    (fault,) = done.report["faults"]
    assert (fault["kind"], fault["loop"]) == ("restart", None)
    assert "fault: the watchdog has reset the processor" in done.serial


@long_form
def test_the_watchdog(uno: Run, tmp_path: Path) -> None:
    """It stays quiet while it is off and while it is reset in time, and then ends the run."""
    done = uno(sketch(tmp_path / "watched", WATCHED), "1500ms")
    assert done.serial.split()[:2] == ["A", "0"]
    assert done.status == 1
    (fault,) = done.report["faults"]
    assert fault["kind"] == "restart"
    assert "the watchdog has reset the processor" in fault["text"]
    assert 1000 < done.report["duration_us"] / 1000 < 1200
