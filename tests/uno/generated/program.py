"""A whole random program as a sketch: of one compiler, or half of it in a library that clang refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.uno.generated import features, objects
from tests.uno.generated.features import Maker, Piece

FEATURES: list[Callable[[Maker, int], Piece]] = [
    *(features.arithmetic,) * 5,
    *(features.signatures,) * 4,
    *(
        features.switches,
        features.structures,
        features.structures,
        features.bit_fields,
        features.bit_fields,
    ),
    *(features.arrays, features.pointed, features.recursion, features.variadic, features.flash),
    *(features.kept, features.unions, features.floating, features.texts, features.strings),
    *(
        objects.members,
        objects.hierarchy,
        objects.virtual_bases,
        objects.lambdas,
        objects.templates,
    ),
    objects.lifetimes,
    *(features.lengths,) * 2,
]

HEADER = """#pragma once
#include <Arduino.h>
#include <stdarg.h>
enum class Level : uint8_t { None, Low, High, Full };
struct One { int32_t value; };
struct Two { int16_t a; uint8_t b; };
struct Many { uint8_t first; uint32_t wide; int16_t last; };
struct Long { uint32_t all[3]; };
inline uint32_t sum(const Two& t) { return (uint32_t)t.a + t.b; }
inline uint32_t sum(const Many& m) { return m.first + m.wide + (uint32_t)m.last; }
inline uint32_t sum(const Long& l) { return l.all[0] ^ l.all[1] ^ (l.all[2] << 3); }
typedef uint32_t (*Far2)(uint32_t, uint8_t);
uint32_t twice(uint32_t x, uint8_t y);
uint32_t crossed(uint32_t x, uint8_t y);
uint32_t mix(uint32_t h, uint32_t x);
uint32_t bytes(uint32_t h, const void* of, uint8_t count);
"""
SHARED = """uint32_t mix(uint32_t h, uint32_t x) {
  h ^= x;
  return (h << 5 | h >> 27) * 2654435761UL + 0x9e37UL;
}
uint32_t bytes(uint32_t h, const void* of, uint8_t count) {
  const uint8_t* at = (const uint8_t*)of;
  while (count-- != 0) h = mix(h, *at++);
  return h;
}
uint32_t twice(uint32_t x, uint8_t y) { return x * 2 + y; }
"""
CROSSED = "uint32_t crossed(uint32_t x, uint8_t y) { return (x ^ 0x5a5a5a5aUL) - y; }\n"
# What clang does not take: an operand of four registers.
REFUSED = """uint32_t refused_by_clang(uint16_t x) {
  uint32_t all;
  asm volatile("movw %A0, %A1\\n\\tclr %C0\\n\\tclr %D0" : "=&r"(all) : "r"(x));
  return all;
}
"""
PLAIN = "void loop() {}\n"
LOOPS = "void loop(1, 5, 20) { delay(20); }\n"


class Program:
    """features: which, by the numbers of the pieces; None: all, in some order."""

    def __init__(self, seed: int, count: int = len(FEATURES)) -> None:
        random = Random(seed)
        maker = Maker(random)
        chosen = random.sample(FEATURES, count)
        self.seed = seed
        self.pieces = [make(maker, number) for number, make in enumerate(chosen)]
        self.inputs = [(random.getrandbits(32), random.getrandbits(32)) for _ in range(3)]

    def _header(self) -> str:
        declared = "".join(piece.declared for piece in self.pieces)
        items = "".join(
            f"uint32_t item{piece.number}(uint32_t a, uint32_t b);\n" for piece in self.pieces
        )
        return HEADER + declared + items

    def _main(self, loop: str) -> str:
        inputs = ", ".join(f"{word:#x}UL" for pair in self.inputs for word in pair)
        table = ", ".join(f"item{piece.number}" for piece in self.pieces)
        return (
            f"volatile uint32_t inputs[] = {{{inputs}}};\ntypedef uint32_t (*Item)(uint32_t, uint32_t);\n"
            f"const Item items[] PROGMEM = {{{table}}};\nvoid setup() {{\nSerial.begin(115200);\n"
            f"for (uint8_t n = 0; n < {len(self.pieces)}; ++n) {{\nItem item = (Item)pgm_read_ptr(&items[n]);\n"
            "uint32_t h = n;\nfor (uint8_t i = 0; i < 6; i += 2) h = mix(h, item(inputs[i], inputs[i + 1]));\n"
            f"Serial.print(n);\nSerial.print(' ');\nSerial.println(h, HEX);\n}}\nSerial.println(F(\"end\"));\n}}\n{loop}"
        )

    def sketch(self, folder: Path, loop: str) -> Path:
        """All in one file: clang's with loops, avr-gcc's without."""
        text = "".join(piece.text for piece in self.pieces)
        folder.mkdir(parents=True)
        (folder / "pieces.h").write_text(self._header())
        main = f'#include "pieces.h"\n{SHARED}{CROSSED}{text}{self._main(loop)}'
        (folder / f"{folder.name}.ino").write_text(main)
        return folder

    def border(self, folder: Path) -> Path:
        """Each second piece in a library's file that clang refuses, beside loops. Folders: libraries/ is
        beside this one."""
        library = folder.parent / "libraries" / "Pieces"
        library.mkdir(parents=True)
        folder.mkdir(parents=True)
        there = [piece for piece in self.pieces if piece.number % 2 and not piece.near]
        far = "".join(piece.text for piece in there)
        near = "".join(piece.text for piece in self.pieces if piece not in there)
        (library / "Pieces.h").write_text(self._header())
        (library / "pieces.cpp").write_text(f'#include "Pieces.h"\n{REFUSED}{CROSSED}{far}')
        (folder / f"{folder.name}.ino").write_text(
            f"#include <Pieces.h>\n{SHARED}{near}{self._main(LOOPS)}"
        )
        return folder
