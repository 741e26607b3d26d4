"""Compiles the AArch64 boards' own parts for that processor and looks at the machine code.

Checked: they compile freestanding without a warning, use general registers only, and call nothing,
not even a memset that the compiler has put in for a loop: they run before there is an MMU, and
memory.cpp is itself what would be called.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
HERE = Path(__file__).resolve().parent
TARGET = ["--target=aarch64-none-elf", "-mcpu=cortex-a53", "-mgeneral-regs-only"]
MEMORY = ["-mstrict-align", "-mno-outline-atomics"]
FLAGS = ["-std=c++20", "-O2", "-ffreestanding", "-nostdinc++", "-fno-exceptions", "-fno-rtti"]
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
NO_BUILTIN = "-fno-builtin"
KERNEL = ROOT / "arduino/cores/protected/kernel"
ADDRESSES = ROOT / "arduino/cores/aarch64"
SOURCES = {
    "memory": (ROOT / "ports" / "aarch64" / "memory.cpp", [NO_BUILTIN]),
    "page_table": (HERE / "targets_probe.cpp", []),
    "check": (KERNEL / "check.cpp", []),
    "user_memory": (KERNEL / "user_memory.cpp", []),
}


def compiled(source: Path, options: list[str], found: Path) -> Path:
    command = ["clang++-19", *TARGET, *MEMORY, *FLAGS, *WARNINGS, *options]
    command = [*command, f"-I{ROOT}", f"-I{ADDRESSES}", "-c", str(source), "-o", str(found)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return found


def llvm(tool: str, *arguments: str | Path) -> str:
    command = [f"llvm-{tool}-19", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


def needs(found: Path) -> list[str]:
    return llvm("nm", "--undefined-only", "--format=just-symbols", found).split()


@pytest.fixture(name="found", scope="module", params=SOURCES)
def _found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    source, options = SOURCES[request.param]
    return compiled(source, options, tmp_path_factory.mktemp("targets") / f"{request.param}.o")


def test_calls_nothing(found: Path) -> None:
    assert needs(found) == []


def test_uses_general_registers_only(found: Path) -> None:
    code = llvm("objdump", "--disassemble", "--no-show-raw-insn", found)
    instructions = re.findall(r"^\s*[0-9a-f]+:\s+(.*)", code, re.MULTILINE)
    assert len(instructions) > 50
    assert [line for line in instructions if re.search(r"\b[bhsdqv]\d+\b", line)] == []


def test_memory_has_what_a_freestanding_compiler_calls(tmp_path: Path) -> None:
    source, options = SOURCES["memory"]
    found = compiled(source, options, tmp_path / "memory.o")
    names = llvm("nm", "--defined-only", "--extern-only", "--format=just-symbols", found).split()
    assert set(names) == {"memcpy", "memmove", "memset", "memcmp", "strlen", "strcmp"}


def test_the_search_for_calls_finds_one(tmp_path: Path) -> None:
    source = tmp_path / "copy.cpp"
    source.write_text(
        "struct Large { long all[512]; };\nvoid copy(Large& to, const Large& from) { to = from; }\n"
    )
    assert needs(compiled(source, [], tmp_path / "copy.o")) == ["memcpy"]
