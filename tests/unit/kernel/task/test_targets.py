"""Compiles what loops share for each processor and looks at the machine code that comes out.

Checked: nothing but the kernel and the compiler's own headers is included, nothing is called in a
library, the data needs no initial image, the memory order is in the instructions, and what a
processor cannot do is refused with a sentence that says so.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from tests.campaign import one_in

ROOT = Path(__file__).resolve().parents[4]
PROBE = Path(__file__).resolve().parent / "targets_probe.cpp"
FLAGS = ["-std=c++20", "-ffreestanding", "-nostdinc++", "-fno-exceptions", "-fno-rtti", "-Os"]
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
TARGETS = {
    "avr": ["--target=avr", "-mmcu=atmega328p", "-DHOCKET_CORES=1"],
    "aarch64": [
        "--target=aarch64-none-elf", "-mcpu=cortex-a53", "-mgeneral-regs-only", "-DHOCKET_CORES=8",
    ],
    # 32 bits, no atomic instructions.
    "armv6m": ["--target=thumbv6m-none-eabi", "-mcpu=cortex-m0", "-DHOCKET_CORES=1"],
    "armv7m": ["--target=thumbv7m-none-eabi", "-mcpu=cortex-m3", "-DHOCKET_CORES=2"],
}  # fmt: skip


def compile_with(
    target: list[str], source: Path, *options: str
) -> subprocess.CompletedProcess[str]:
    command = ["clang++-19", *target, *FLAGS, *WARNINGS, f"-I{ROOT}", *options, str(source)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(name="probe", scope="module")
def _probe(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("targets")
    objects = {}
    for name, target in TARGETS.items():
        objects[name] = folder / f"{name}.o"
        done = compile_with(target, PROBE, "-c", "-o", str(objects[name]))
        assert done.returncode == 0, f"{name}:\n{done.stderr}"
    return objects


def functions(target: str) -> dict[str, list[str]]:
    """The mnemonics of each function of the probe, from the compiler's assembly."""
    done = compile_with(TARGETS[target], PROBE, "-S", "-o", "-")
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in done.stdout.splitlines():
        if label := re.match(r"([a-z_]+):", line):
            current = found.setdefault(label[1], [])
        elif instruction := re.match(r"\t([a-z][a-z.0-9]*)", line):
            current.append(instruction[1])
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_calls_nothing_outside(target: str, probe: dict[str, Path]) -> None:
    done = subprocess.run(
        ["llvm-nm-19", "--undefined-only", "--format=just-symbols", str(probe[target])],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    # The start-up code's marker for "zero the .bss section" is no call.
    assert set(done.stdout.split()) <= {"__do_clear_bss"}


@pytest.mark.parametrize("target", TARGETS)
def test_data_is_zero_at_start(target: str, probe: dict[str, Path]) -> None:
    done = subprocess.run(
        ["llvm-nm-19", str(probe[target])], capture_output=True, text=True, check=True
    )
    sections = {line.split()[-1]: line.split()[-2] for line in done.stdout.splitlines()}
    for variable in ("channel", "bytes", "samples", "lock", "flag"):
        assert sections[variable] == "B", f"{variable} is not in .bss"


@pytest.mark.parametrize("target", TARGETS)
def test_includes_only_the_kernel_and_the_compiler(target: str) -> None:
    resource = subprocess.run(
        ["clang++-19", "-print-resource-dir"], capture_output=True, text=True, check=True
    ).stdout.strip()
    done = compile_with(TARGETS[target], PROBE, "-M", "-MT", "probe")
    assert done.returncode == 0, done.stderr
    included = [Path(word) for word in done.stdout.replace("\\\n", " ").split()[1:]]
    allowed = (PROBE, ROOT / "kernel", ROOT / "ports" / "contract", Path(resource).resolve())
    strangers = [
        path
        for path in included
        if not any(path.resolve().is_relative_to(place) for place in allowed)
        and path.name not in ("stdint.h", "stddef.h")  # avr-libc brings its own
    ]
    assert len(included) >= 5
    assert not strangers


def test_aarch64_instructions_carry_the_order() -> None:
    code = {name: Counter(body) for name, body in functions("aarch64").items()}
    # Sequentially consistent control variables: every load `ldar`, every store `stlr`, no fence.
    assert (code["channel_write"]["ldarb"], code["channel_write"]["stlrb"]) == (1, 2)
    assert (code["channel_read"]["ldarb"], code["channel_read"]["stlrb"]) == (2, 1)
    assert (code["lock_take"]["ldaxr"], code["lock_take"]["ldar"]) == (1, 1)
    assert code["lock_free"]["stlxr"] == 1
    assert code["flag_set"]["stlrb"] == 1 and code["flag_get"]["ldarb"] == 1
    for name, body in code.items():
        assert body["dmb"] == 0, name


def test_avr_accesses_mask_no_interrupts() -> None:
    """Byte accesses are plain there. (Functions with a stack frame mask while they set the pointer.)"""
    code = functions("avr")
    frameless = ("channel_write", "channel_read", "ring_read", "ring_size", "flag_set", "flag_get")
    for name in frameless:
        assert code[name] and "cli" not in code[name], name


@one_in(3)
@pytest.mark.parametrize(
    ("target", "code", "message"),
    [
        ("avr", "hocket::RingBuffer<uint8_t, 129> r; bool f() { return r.write(1); }",
         "more than 128 items needs 16-bit atomic access, which this processor lacks"),
        ("avr", "hocket::Atomic<uint16_t> a; uint16_t f() { return a.load(hocket::order::relaxed); }",
         "does not read and write so wide a value in one step"),
        ("armv6m", "hocket::Atomic<uint64_t> a; uint64_t f() { return a.load(hocket::order::relaxed); }",
         "does not read and write so wide a value in one step"),
        ("armv6m", "hocket::Atomic<uint32_t> a; void f() { a.fetch_add(1, hocket::order::relaxed); }",
         "no matching member function for call to 'fetch_add'"),
        ("avr", "hocket::Atomic<uint8_t> a; void f() { a.fetch_add(1, hocket::order::relaxed); }",
         "no matching member function for call to 'fetch_add'"),
        ("aarch64", "struct S { S(const S&); S(); }; hocket::FourSlot<S> c;",
         "an item of a channel must be trivially copyable"),
        ("aarch64", "struct S { const int a = 0; }; hocket::FourSlot<S> c;",
         "an item of a channel must be assignable"),
        ("aarch64", "struct S { ~S(); }; hocket::RingBuffer<S, 4> r;",
         "an item of a ring buffer must be trivially copyable"),
        ("aarch64", "hocket::RingBuffer<int, 0> r;", "a ring buffer holds at least one item"),
        ("aarch64", "hocket::Atomic<int> a; int f() { return a.load(hocket::order::release); }",
         "no matching member function for call to 'load'"),
    ],
)  # fmt: skip
def test_refuses_with_a_reason(target: str, code: str, message: str, tmp_path: Path) -> None:
    source = tmp_path / "refused.cpp"
    includes = ("four_slot", "ring_buffer", "ticket_lock")
    text = "".join(f'#include "kernel/task/{name}.h"\n' for name in includes)
    options = TARGETS[target]

    source.write_text(text, encoding="utf-8")
    accepted = compile_with(options, source, "-fsyntax-only")
    assert accepted.returncode == 0, accepted.stderr  # the headers alone are not what is refused

    source.write_text(f"{text}{code}\n", encoding="utf-8")
    refused = compile_with(options, source, "-fsyntax-only")
    assert refused.returncode != 0
    assert message in refused.stderr


@one_in(2)
@pytest.mark.parametrize("target", ["avr", "armv6m"])
def test_several_cores_without_atomic_instructions_get_no_ticket_lock(
    target: str, tmp_path: Path
) -> None:
    """The RP2040 has two cores of Armv6-M. One core needs none; who does not say has several."""
    text = '#include "kernel/task/ticket_lock.h"\nstruct Relax { void operator()() const {} };\n'
    source = tmp_path / "lock.cpp"

    def compiles(cores: str, call: str) -> subprocess.CompletedProcess[str]:
        lock = f"hocket::TicketLock<Relax{cores}> lock;\n"
        source.write_text(f"{text}{lock}void f() {{ lock.{call}(); }}\n", encoding="utf-8")
        return compile_with(TARGETS[target], source, "-fsyntax-only")

    for call in ("lock", "lock_as_next"):
        assert compiles(", 1", call).returncode == 0
        for cores in (", 2", ""):
            refused = compiles(cores, call)
            assert refused.returncode != 0
            assert "its port needs the processor's own spinlock hardware" in refused.stderr
