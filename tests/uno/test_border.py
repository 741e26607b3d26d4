"""Between code of avr-gcc and of clang: what the core's functions pass, and that both understand it.

A library's file that clang refuses is avr-gcc's in a sketch whose rest is clang's; each calls the other here
with all that may cross.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.uno.conftest import Run

from hocket.boards import find_board
from hocket.builder import prepare_board
from hocket.builder.border import Crossing, crossings

ROOT = Path(__file__).resolve().parents[2]
CORES = ROOT / "build" / "uno" / "arduino" / "cores" / "avr8"


def members(library: str, folder: Path) -> list[Path]:
    """The objects of C++ in one of the core's archives."""
    place = folder / library
    place.mkdir()
    archive = CORES / f"libhocket_uno_{library}.a"
    subprocess.run(["avr-gcc-ar", "x", str(archive)], cwd=place, check=True)
    return sorted(path for path in place.iterdir() if ".cpp.o" in path.name)


def test_nothing_of_the_core_crosses_that_may_not(tmp_path: Path) -> None:
    """Of the functions of both sides that the other side uses, and of all that clang's side offers."""
    prepare_board(find_board("uno"))
    gccs = members("gcc_apart", tmp_path)
    clangs = [*members("core", tmp_path), *members("plain", tmp_path)]
    assert len(gccs) > 8
    assert len(clangs) > 30
    assert list(crossings(gccs, clangs, "avr-nm")) == []
    assert list(crossings(clangs, gccs, "avr-nm")) == []
    everything = tmp_path / "user.o"
    names = exported(clangs)
    assert len(names) > 100
    text = "".join(f".global {name}\n.word {name}\n" for name in names)
    subprocess.run(["avr-as", "-o", str(everything)], input=text, text=True, check=True)
    assert list(crossings(clangs, [everything], "avr-nm")) == []


def exported(objects: list[Path]) -> list[str]:
    said = subprocess.run(
        ["avr-nm", "-g", "--defined-only", *map(str, objects)],
        capture_output=True,
        text=True,
        check=True,
    )
    words = [line.split() for line in said.stdout.splitlines()]
    return sorted({word[2] for word in words if len(word) == 3 and word[1] in "TW"})


FAR = """
struct One { long value; };
struct Many { char a; long b; int c; };
struct Owner { int* p; ~Owner() {} };
struct Copied { int n; Copied(const Copied& other) : n(other.n) {} };
class Base { public: virtual int f(); int g(); };
enum class Kind : unsigned char { A, B };
int numbers(char a, long b, float c, long long d, Kind e, const Many& f, Many* g) { return a + b; }
One one(One value) { return value; }
Many result() { return {1, 2, 3}; }
long many(int first, Many many) { return many.b + first; }
void owner(Owner owner) {}
void copied(Copied copied) {}
void member(int (Base::*f)()) {}
Owner owned() { return {nullptr}; }
long unused(Many many) { return many.b; }
"""


def test_what_may_not_is_found(tmp_path: Path) -> None:
    """By its function, in the words of the debug information of either compiler."""
    source = tmp_path / "far.cpp"
    source.write_text(FAR)
    user = tmp_path / "user.o"
    prepare_board(find_board("uno"))
    clang = ["clang++-19", "--target=avr", "-mmcu=atmega328p", "-fno-exceptions", "-Os", "-g"]
    for compiler in (clang, ["avr-g++", "-mmcu=atmega328p", "-Os", "-g", "-gdwarf-4"]):
        far = tmp_path / f"{compiler[0]}.o"
        subprocess.run(
            [*compiler, "-std=gnu++14", "-w", "-c", str(source), "-o", str(far)], check=True
        )
        names = [name for name in exported([far]) if "unused" not in name]
        text = "".join(f".global {name}\n.word {name}\n" for name in names)
        subprocess.run(["avr-as", "-o", str(user)], input=text, text=True, check=True)
        found = {(each.function, each.what) for each in crossings([far], [user], "avr-nm")}
        assert found == {
            ("many", "takes Many by value"),
            ("owner", "takes Owner by value, which copies or destroys itself"),
            ("copied", "takes Copied by value, which copies or destroys itself"),
            ("member", "takes a pointer to a member"),
            ("owned", "returns Owner by value, which copies or destroys itself"),
        }
        line = FAR.splitlines().index("void owner(Owner owner) {}") + 1
        what = "takes Owner by value, which copies or destroys itself"
        assert Crossing("owner", what, str(source), line) in set(crossings([far], [user], "avr-nm"))


# What both sides have. far_ functions are avr-gcc's and call near_ functions, which are clang's.
HEADER = """#pragma once
#include <Arduino.h>
struct One { long value; };
struct Three { uint8_t bytes[3]; };
struct Eight { int32_t a; int32_t b; };
struct Twenty { uint8_t bytes[20]; };
enum class Kind : uint8_t { A = 3, B = 200 };
struct Base { virtual long named(long x) { return x + 1; } virtual ~Base() {} int k = 4; };
struct Counted { Counted() { ++made; } static int made; };
Counted& far_static();
#define PASSES(side)                                                                        \\
  long side##_numbers(char a, uint8_t b, int c, long d, float e, long long f, bool g, Kind h); \\
  float side##_float(float a, double b, char c);                                            \\
  long long side##_wide(uint64_t a, int8_t b, uint64_t c);                                  \\
  bool side##_bool(bool a);                                                                 \\
  Kind side##_kind(Kind a);                                                                 \\
  One side##_one(long a);                                                                   \\
  long side##_took(One a);                                                                  \\
  Three side##_three(uint8_t a);                                                            \\
  Eight side##_eight(int32_t a);                                                            \\
  Twenty side##_twenty(uint8_t a);                                                          \\
  long side##_variadic(int count, ...);                                                     \\
  long side##_virtual(Base& a, long b);                                                     \\
  long side##_pointed(long (*a)(int, long), int b, long c);                                 \\
  long side##_text(const char* a, const String& b, const __FlashStringHelper* c)
PASSES(far);
PASSES(near);
int far_calls();
#define CHECK(value, wanted) wrong += (value) == (wanted) ? 0 : (Serial.println(F(#value)), 1)
#define CHECKS(side)                                                                        \\
  CHECK(side##_numbers(-1, 200, -300, 70000, 2.5f, -5000000000LL, true, Kind::B), 69909);   \\
  CHECK(side##_float(1.5f, -2.25, 3), 2.25f);                                               \\
  CHECK(side##_wide(0x123456789abcULL, -3, 7), 0x123456789abcLL - 3 * 7);                   \\
  CHECK(side##_bool(true), false);                                                          \\
  CHECK(side##_kind(Kind::A), Kind::B);                                                     \\
  CHECK(side##_one(-70000).value, -70000);                                                  \\
  CHECK(side##_took(One{123456}), 123457);                                                  \\
  CHECK(side##_three(5).bytes[2], 7);                                                       \\
  CHECK(side##_eight(-100000).b, -99999);                                                   \\
  CHECK(side##_twenty(9).bytes[19], 28);                                                    \\
  CHECK(side##_variadic(4, 1, 70000L, 2.5, "A"), 70068L);                                   \\
  CHECK(side##_virtual(derived, 10), 30);                                                   \\
  CHECK(side##_virtual(base, 10), 11);                                                      \\
  CHECK(side##_pointed(times, -3, 100000), -300000);                                        \\
  CHECK(side##_text("abc", String("defg"), F("hi")), 342)
#define DEFINES(side)                                                                       \\
  long side##_numbers(char a, uint8_t b, int c, long d, float e, long long f, bool g, Kind h) { \\
    return a + b + c + d + (long)(e * 2) + (long)(f / 1000000000) + g + (h == Kind::B ? 9 : 0);  \\
  }                                                                                         \\
  float side##_float(float a, double b, char c) { return a + b + c; }                       \\
  long long side##_wide(uint64_t a, int8_t b, uint64_t c) { return a + b * (int64_t)c; }     \\
  bool side##_bool(bool a) { return !a; }                                                   \\
  Kind side##_kind(Kind a) { return a == Kind::A ? Kind::B : Kind::A; }                     \\
  One side##_one(long a) { return One{a}; }                                                 \\
  long side##_took(One a) { return a.value + 1; }                                           \\
  Three side##_three(uint8_t a) { return Three{{a, (uint8_t)(a + 1), (uint8_t)(a + 2)}}; }  \\
  Eight side##_eight(int32_t a) { return Eight{a, a + 1}; }                                 \\
  Twenty side##_twenty(uint8_t a) {                                                         \\
    Twenty all;                                                                             \\
    for (uint8_t i = 0; i < 20; ++i) all.bytes[i] = a + i;                                  \\
    return all;                                                                             \\
  }                                                                                         \\
  long side##_variadic(int count, ...) {                                                    \\
    va_list all;                                                                            \\
    va_start(all, count);                                                                   \\
    long sum = va_arg(all, int);                                                            \\
    sum += va_arg(all, long);                                                               \\
    sum += (long)va_arg(all, double);                                                       \\
    sum += *va_arg(all, const char*);                                                       \\
    va_end(all);                                                                            \\
    return sum;                                                                             \\
  }                                                                                         \\
  long side##_virtual(Base& a, long b) { return a.named(b); }                               \\
  long side##_pointed(long (*a)(int, long), int b, long c) { return a(b, c); }              \\
  long side##_text(const char* a, const String& b, const __FlashStringHelper* c) {          \\
    return strlen(a) * 100 + b.length() * 10 + strlen_P((const char*)c);                    \\
  }
#define NEEDS                                                                               \\
  struct Derived : Base { long named(long x) override { return x * k - 10; } };             \\
  long times(int a, long b) { return a * b; }
"""
SIDE = """#include "Far.h"
uint32_t refused_by_clang(uint16_t x) {
  uint32_t all;
  asm volatile("movw %A0, %A1\\n\\tclr %C0\\n\\tclr %D0" : "=&r"(all) : "r"(x));
  return all;
}
DEFINES(far)
namespace { NEEDS }
int Counted::made;
Counted& far_static() { static Counted one; return one; }
int far_calls() {
  int wrong = 0;
  Base base;
  Derived derived;
  CHECKS(near);
  return wrong + (refused_by_clang(5) == 5 ? 0 : 1);
}
"""
NEAR = """#include <Far.h>
DEFINES(near)
namespace { NEEDS }
volatile bool done;
void setup() {
  Serial.begin(115200);
  int wrong = 0;
  Base base;
  Derived derived;
  CHECKS(far);
  CHECK((far_static(), far_static(), Counted::made), 1);
  Serial.print(F("wrong "));
  Serial.println(wrong + far_calls());
}
void loop(1, 5, 20) { delay(20); }
"""


def test_both_understand_what_crosses(uno: Run, tmp_path: Path) -> None:
    library = tmp_path / "libraries" / "Far"
    library.mkdir(parents=True)
    (library / "Far.h").write_text(HEADER)
    (library / "far.cpp").write_text(SIDE)
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "near.ino").write_text(NEAR)
    done = uno(tmp_path / "near", "100ms")
    assert done.status == 0, done.said
    assert done.serial.splitlines()[0] == "wrong 0"
    assert done.report["compiler"] == "clang 19"
