"""Small programs for the ATmega328P that call one function with many inputs: bounds, and what simavr sees.

The function is `uint16_t measured(const uint8_t *in)`. Its inputs are bytes that a generator makes or that a
test chooses. The programs have no kernel, and run in the simulated Uno.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.builder.board import prepare_avr_simulator
from hocket.builder.stack_depth import Program
from hocket.intel_hex import write_hex
from hocket.wcet.avr8.machine import Machine
from hocket.wcet.evolution import Evolution, IrLoop, loops_of_text
from hocket.wcet.image import Image
from hocket.wcet.known import ProgramFacts
from hocket.wcet.longest import Longest
from hocket.wcet.point import Result

INPUTS = 16  # bytes
_MAIN = """
#include <stdint.h>
extern "C" __attribute__((noinline)) uint16_t measured(const uint8_t *in);
volatile uint16_t sink;
static uint8_t in[{inputs}];
static const uint8_t chosen[][{inputs}] = {{ {chosen} }};
int main() {{
  for (auto &one : chosen) {{
    for (uint8_t i = 0; i < {inputs}; i++) in[i] = one[i];
    sink = measured(in);
  }}
  uint32_t x = {seed}u;
  for (uint16_t n = 0; n < {runs}; n++) {{
    for (auto &byte : in) {{
      x ^= x << 13; x ^= x >> 17; x ^= x << 5;
      byte = n % 4 == 0 ? (x & 1 ? 255 : 0) : static_cast<uint8_t>(x >> 11);
    }}
    sink = measured(in);
  }}
  asm volatile("cli\\n\\tsleep");
}}
"""
_CLANG = (
    "clang++-19", "--target=avr", "-mmcu=atmega328p", "-nostdlibinc", "-isystem/usr/lib/avr/include",
    "-D__HAS_DELAY_CYCLES=0", "-std=gnu++20", "-fno-exceptions", "-fno-rtti",
)  # fmt: skip
_GCC = ("avr-g++", "-mmcu=atmega328p", "-std=gnu++11")
COMPILERS = {"clang": _CLANG, "gcc": _GCC}


@dataclass(frozen=True)
class Built:
    """A linked program. text: LLVM's text of the measured function, if clang has compiled it."""

    elf: Path
    text: Path | None

    def longest(self) -> tuple[Longest, int]:
        image = Image(Program(self.elf, "avr-nm"))
        text = self.text
        longest = longest_of(image, lambda: loops_of_text(text) if text is not None else [])
        entry = image.program.address("measured")
        assert entry is not None
        return longest, entry

    def bound(self) -> Result:
        longest, entry = self.longest()
        return longest.of(entry)

    def seen(self) -> tuple[int, int]:
        """Returns the number of calls and the cycles of the longest one."""
        entry = Program(self.elf, "avr-nm").address("measured")
        assert entry is not None
        return seen_of(self.elf, entry, 60)


def longest_of(image: Image, loops: Callable[[], list[IrLoop]]) -> Longest:
    """Returns the longest ways of a program without a kernel. loops: finds LLVM's loops."""
    known = ProgramFacts(image, Evolution(image, loops).rounds)
    return Longest(image, Machine(image.data, image.flash), known, 0)


def seen_of(elf: Path, entry: int, seconds: int) -> tuple[int, int]:
    """Returns how many calls of a function a run has, and the cycles of the longest one."""
    hex_file, facts = elf.with_suffix(".hex"), elf.with_suffix(".json")
    write_hex(elf, hex_file)
    command = [prepare_avr_simulator(), "--board", "uno", "--image", elf, "--flash", hex_file]
    command += ["--for", str(seconds * 10**9), "--facts", facts, "--time-call", str(entry)]
    subprocess.run([str(w) for w in command], check=False, capture_output=True, timeout=300)
    row = json.loads(facts.read_text())["call_times"][0]
    return row["calls"], row["longest_cycles"]


def build(
    source: str,
    folder: Path,
    compiler: str = "clang",
    chosen: Sequence[Sequence[int]] = (),
    runs: int = 500,
    seed: int = 1,
    options: Sequence[str] = ("-Os",),
) -> Built:
    """Builds a program. source: C++ with the function `measured`."""
    words = (*COMPILERS[compiler], *options, "-g", "-gdwarf-4", "-ffunction-sections")
    rows = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in (chosen or [[0] * INPUTS]))
    main = _MAIN.format(inputs=INPUTS, chosen=rows, seed=seed, runs=runs)
    (folder / "main.cpp").write_text(main)
    (folder / "measured.cpp").write_text(source)
    for name in ("main", "measured"):
        _run(*words, "-c", folder / f"{name}.cpp", "-o", folder / f"{name}.o")
    text = None
    if compiler == "clang":
        text = folder / "measured.ll"
        _run(*words, "-S", "-emit-llvm", folder / "measured.cpp", "-o", text)
    elf = folder / "program.elf"
    objects = [folder / "main.o", folder / "measured.o"]
    _run(
        "avr-gcc",
        "-mmcu=atmega328p",
        "-Wl,--emit-relocs",
        f"-Wl,-Map={elf}.map",
        *objects,
        "-o",
        elf,
    )
    return Built(elf, text)


def _run(*words: str | Path) -> None:
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
