"""Compiles the runtime of loops for AArch64 as a kernel's image has it: without a C library.

Checked: it compiles freestanding, for general registers only, and needs nothing but the board, the
sketch, its own other files and what a freestanding compiler calls by itself.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.campaign import one_in

ROOT = Path(__file__).resolve().parents[4]
HERE = Path(__file__).resolve().parent
TARGET = ["--target=aarch64-none-elf", "-mcpu=cortex-a53", "-mgeneral-regs-only"]
FLAGS = ["-std=c++20", "-Os", "-ffreestanding", "-nostdinc++", "-fno-exceptions", "-fno-rtti"]
OTHERS = ["-mstrict-align", "-mno-outline-atomics", "-Wall", "-Wextra", "-Werror"]
ALLOWED = re.compile(
    r"mem(cpy|set|move)"
    r"|hocket::(runtime|Board|sys)::.*"
    r"|__(start|stop)_hocket_loops|setup|loop|serialEventRun\(\)"
)


@one_in(2)
@pytest.mark.parametrize("name", ["semaphore.cpp", "sketch.cpp", "sketches.cpp", "spinlock.cpp"])
def test_needs_no_library(name: str, tmp_path: Path) -> None:
    source, found = ROOT / "arduino" / "runtime" / name, tmp_path / "found.o"
    command = ["clang++-19", *TARGET, *FLAGS, *OTHERS, f"-I{ROOT}", f"-I{HERE}"]
    done = subprocess.run(
        [*command, "-c", str(source), "-o", str(found)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    listed = subprocess.run(
        ["llvm-nm-19", "--demangle", "--format=posix", str(found)],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    symbols = re.findall(r"^(.*) ([A-Za-z]) [0-9a-f ]*$", listed.stdout, re.MULTILINE)
    assert any(kind == "T" for _, kind in symbols)
    needed = [name for name, kind in symbols if kind in "Uwv"]
    assert [symbol for symbol in needed if not ALLOWED.fullmatch(symbol)] == []
