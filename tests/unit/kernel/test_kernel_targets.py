"""Compiles the whole kernel on the template port for each processor and looks at the machine code.

Checked: it compiles there without a warning, it needs nothing of a library but what a freestanding
compiler calls by itself, it has no floating point and no constructors, and a port's functions are all
that separates it from a board.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.campaign import one_in

ROOT = Path(__file__).resolve().parents[3]
KERNEL = ROOT / "ports" / "template" / "instantiate.cpp"
FLAGS = ["-std=c++20", "-ffreestanding", "-nostdinc++", "-fno-exceptions", "-fno-rtti"]
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
TARGETS = {
    "avr": ["--target=avr", "-mmcu=atmega328p", "-D__HAS_DELAY_CYCLES=0", "-Os"],
    "aarch64": ["--target=aarch64-none-elf", "-mcpu=cortex-a53", "-mgeneral-regs-only", "-O2"],
    "armv6m": ["--target=thumbv6m-none-eabi", "-mcpu=cortex-m0", "-O2"],
    "armv7m": ["--target=thumbv7m-none-eabi", "-mcpu=cortex-m3", "-O2"],
}
# What a freestanding compiler may call (memory, integer arithmetic wider than the processor's), and the
# start-up code's markers for sections to copy and to zero.
ALLOWED = re.compile(
    r"mem(cpy|set|move)|__u?(div|mod|mul)(mod)?[qhsd]i\d|__do_(copy_data|clear_bss)"
    r"|__aeabi_(mem(cpy|set|clr|move)[48]?|u?i?l?div(mod)?|lmul|ll[sa][lr]|lcmp)"
)
SOFT_FLOAT = re.compile(r"__\w*(sf|df|tf)(\d|$|[sd]i|[sd]f)|__aeabi_([fd]|\w*2[fd])")


@pytest.fixture(name="objects", scope="module")
def _objects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("targets")
    objects = {}
    for name, target in TARGETS.items():
        objects[name] = folder / f"{name}.o"
        command = ["clang++-19", *target, *FLAGS, *WARNINGS, f"-I{ROOT}", "-c", str(KERNEL)]
        done = subprocess.run(
            [*command, "-o", str(objects[name])],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{name}:\n{done.stderr}"
    return objects


def llvm(tool: str, *arguments: str | Path) -> str:
    command = [f"llvm-{tool}-19", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


@one_in(4)
@pytest.mark.parametrize("target", TARGETS)
def test_needs_nothing_but_the_port(target: str, objects: dict[str, Path]) -> None:
    undefined = llvm("nm", "--undefined-only", "--format=just-symbols", objects[target]).split()
    assert [name for name in undefined if not ALLOWED.fullmatch(name)] == []


@pytest.mark.parametrize("target", TARGETS)
def test_the_whole_kernel_is_in_it(target: str, objects: dict[str, Path]) -> None:
    """Nothing was optimised away because a port's function seemed never to return."""
    symbols = llvm("nm", "--demangle", objects[target])
    for part in ("hocket_timer_interrupt", "hocket_reschedule_interrupt", "hocket_template_main"):
        assert part in symbols
    sections = llvm("size", "-A", objects[target])
    text = sum(int(size) for size in re.findall(r"^\.text\S*\s+(\d+)", sections, re.MULTILINE))
    assert text > 8_000


@pytest.mark.parametrize("target", TARGETS)
def test_has_no_constructors(target: str, objects: dict[str, Path]) -> None:
    """The kernel's data is constant at start: nothing depends on the order of initialisation."""
    sections = llvm("readelf", "--section-headers", "--wide", objects[target])
    assert not re.search(r"\.(init_array|ctors)", sections)


def test_aarch64_uses_no_floating_point(objects: dict[str, Path]) -> None:
    code = llvm("objdump", "--disassemble", "--no-show-raw-insn", objects["aarch64"])
    instructions = re.findall(r"^\s*[0-9a-f]+:\s+(.*)", code, re.MULTILINE)
    assert len(instructions) > 2_000
    floating = re.compile(r"^f[a-z]+\s|\b[bhsdqv]\d+\b")
    assert [line for line in instructions if floating.search(line)] == []


@pytest.mark.parametrize("target", ["avr", "armv6m", "armv7m"])
def test_others_use_no_floating_point(target: str, objects: dict[str, Path]) -> None:
    """They have no such instructions: floating point would be calls."""
    symbols = llvm("nm", "--format=just-symbols", objects[target]).split()
    assert [name for name in symbols if SOFT_FLOAT.search(name)] == []


@pytest.mark.parametrize("target", ["avr", "armv6m"])
def test_the_search_for_floating_point_finds_it(target: str, tmp_path: Path) -> None:
    source, found = tmp_path / "floating.cpp", tmp_path / "floating.o"
    source.write_text("double half(long x) { return static_cast<double>(x) / 2; }\n")
    subprocess.run(
        ["clang++-19", *TARGETS[target], *FLAGS, "-c", str(source), "-o", str(found)], check=True
    )
    assert SOFT_FLOAT.search(llvm("nm", "--format=just-symbols", found))
