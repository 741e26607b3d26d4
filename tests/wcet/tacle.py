"""Bounds of TACLeBench's kernels against simavr, by hand:
`PYTHONPATH=tools python -m tests.wcet.tacle CHECKOUT [NAME…]`.

CHECKOUT: of github.com/tacle/tacle-bench. Each kernel is compiled by clang for the Uno as a sketch is. The
measured function is the kernel's NAME_main(), with the inputs that the kernel has.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

from tests.wcet.programs import longest_of, seen_of

from hocket.builder.stack_depth import Program
from hocket.wcet.evolution import IrLoop, loops_of_text
from hocket.wcet.image import Image
from hocket.wcet.longest import Longest

_CLANG = (
    *(
        "clang-19",
        "--target=avr",
        "-mmcu=atmega328p",
        "-nostdlibinc",
        "-isystem/usr/lib/avr/include",
    ),
    *("-Os", "-g", "-gdwarf-4", "-w", "-ffunction-sections", "-fdata-sections"),
)
_LINK = ("avr-gcc", "-mmcu=atmega328p", "-Wl,--gc-sections", "-Wl,--emit-relocs")


def _built(kernel: Path, folder: Path) -> tuple[Path, list[IrLoop]] | None:
    """Returns the linked kernel and LLVM's loops. None: it does not fit, or does not compile."""
    objects, loops = [], list[IrLoop]()
    for source in sorted(kernel.glob("*.c")):
        text, made = folder / f"{source.stem}.ll", folder / f"{source.stem}.o"
        for words in (("-S", "-emit-llvm", "-o", text), ("-c", "-o", made)):
            command = [*_CLANG, str(source), *map(str, words)]
            if subprocess.run(command, capture_output=True, check=False).returncode != 0:
                return None
        objects.append(made)
        loops += loops_of_text(text)
    elf = folder / "kernel.elf"
    command = [*_LINK, f"-Wl,-Map={elf}.map", *map(str, objects), "-lm", "-o", str(elf)]
    done = subprocess.run(command, capture_output=True, check=False)
    return (elf, loops) if done.returncode == 0 else None


def _entry(elf: Path, name: str) -> int | None:
    program = Program(elf, "avr-nm")
    found = [at for at, each in program.names.items() if re.fullmatch(rf"{name}_main", each)]
    return found[0] if found else program.address("main")


def _rows(
    checkout: Path, names: list[str]
) -> Iterator[tuple[str, Longest, int | None, int, float]]:
    for kernel in sorted((checkout / "bench" / "kernel").iterdir()):
        if names and kernel.name not in names:
            continue
        with tempfile.TemporaryDirectory() as name:
            made = _built(kernel, Path(name))
            entry = _entry(made[0], kernel.name) if made else None
            if made is None or entry is None:
                print(f"{kernel.name}: does not compile for an ATmega328P")
                continue
            begun = time.process_time()
            longest = longest_of(Image(Program(made[0], "avr-nm")), partial(list, made[1]))
            result = longest.of(entry)
            took = time.process_time() - begun
            bound = None if result.unknown else result.cycles
            _, seen = seen_of(made[0], entry, 20)
            yield kernel.name, longest, bound, seen, took


def main() -> None:
    loops = bounded = 0
    ratios = []
    for name, longest, bound, seen, took in _rows(Path(sys.argv[1]), sys.argv[2:]):
        loops, without = loops + len(longest.loops), len(longest.unbounded)
        bounded += len(longest.loops) - without
        ratio = bound / seen if bound is not None and seen else None
        if ratio is not None:
            ratios.append(ratio)
        told = f"{ratio:.3f}" if ratio is not None else "–"
        print(
            f"{name}: bound {bound}, seen {seen}, ratio {told}, "
            f"{len(longest.loops) - without} of {len(longest.loops)} loops, {took:.1f} s"
        )
    ratios.sort()
    print(
        f"{bounded} of {loops} loops; ratio: {len(ratios)} kernels, median {median(ratios):.3f}, "
        f"p90 {ratios[int(0.9 * (len(ratios) - 1))]:.3f}"
    )


if __name__ == "__main__":
    main()
