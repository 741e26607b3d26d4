"""Runs the bare programs: each driver on the devices of QEMU's machines.

A program is one C++ file of this folder with `bare/` around it, without a kernel, at EL1. It prints a
line for each thing it has seen and ends QEMU with status 0, or 1 after a line that starts with FAIL.
The names of the programs' lines are the transcript that is expected here.
"""

from __future__ import annotations

import os
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.campaign import one_in

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).resolve().parent
TIME_LIMIT_S = 60
FLAGS = [
    "--target=aarch64-none-elf", "-mcpu=cortex-a53", "-mno-outline-atomics", "-mgeneral-regs-only",
    "-mstrict-align", "-std=c++20", "-ffreestanding", "-fno-exceptions", "-fno-rtti", "-nostdinc++",
    "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-Qunused-arguments", "-nostdlib", "-static",
    "--ld-path=ld.lld-19",
]  # fmt: skip
# One tick of the virtual counter is one instruction, and runs are repeatable.
COUNTED = ["-icount", "shift=0,sleep=off"]


@dataclass(frozen=True)
class Machine:
    """A machine of QEMU: how it is started, and the header that says where its devices are."""

    arguments: tuple[str, ...]
    header: str
    base: str
    definitions: tuple[str, ...] = ()


VIRT = ("-cpu", "cortex-a53,cntfrq=1000000000", "-m", "128", "-nodefaults")
MACHINES = {
    "gic-v3": Machine(("-M", "virt,gic-version=3", *VIRT), "virt.h", "0x40080000"),
    "gic-v2": Machine(
        ("-M", "virt,gic-version=2", *VIRT), "virt.h", "0x40080000", ("BARE_GIC_V2",)
    ),
    "rpi3": Machine(
        ("-M", "raspi3b", "-global", "cortex-a53-arm-cpu.cntfrq=1000000000"), "rpi3.h", "0x80000"
    ),
}


def build(program: str, machine: Machine, folder: Path) -> Path:
    """The program as a raw image: what a Raspberry Pi's firmware loads, and QEMU's virt as well."""
    elf, image = folder / f"{program}.elf", folder / f"{program}.img"
    command = [
        "clang++-19", *FLAGS, f"-I{ROOT}", f"-I{ROOT}/ports/aarch64/el1",
        f'-DBARE_BOARD="tests/drivers/bare/{machine.header}"',
        *(f"-D{definition}" for definition in machine.definitions),
        f"-Wl,--defsym=bare_base={machine.base}", f"-Wl,-T,{PROGRAMS / 'bare' / 'bare.ld'}",
        *map(str, (PROGRAMS / "bare" / "start.S", PROGRAMS / "bare" / "bare.cpp")),
        str(PROGRAMS / f"{program}.cpp"), "-o", str(elf),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    subprocess.run(["llvm-objcopy-19", "-O", "binary", str(elf), str(image)], check=True)
    return elf if machine.header == "virt.h" else image


class Run:
    """A program running in QEMU: its lines, one by one, and its UART's line."""

    def __init__(self, program: str, machine: Machine, folder: Path, *more: str) -> None:
        image = build(program, machine, folder)
        self.lines: list[str] = []
        self.uart = folder / "uart"
        for direction in (".in", ".out"):
            os.mkfifo(f"{self.uart}{direction}")
        command = [
            "timeout", str(TIME_LIMIT_S), "qemu-system-aarch64", *machine.arguments,
            "-display", "none", "-monitor", "none",
            "-chardev", f"pipe,id=uart,path={self.uart}", "-serial", "chardev:uart",
            "-chardev", "stdio,id=host,signal=off",
            "-semihosting-config", f"enable=on,target=native,chardev=host,arg={folder}",
            "-kernel", str(image), *more,
        ]  # fmt: skip
        # Both ends of both FIFOs, so that nobody waits for anybody to open them.
        self._to_uart = os.open(f"{self.uart}.in", os.O_RDWR)
        self._from_uart = os.open(f"{self.uart}.out", os.O_RDWR | os.O_NONBLOCK)
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        )

    def send(self, data: bytes) -> None:
        os.write(self._to_uart, data)

    def until(self, line: str) -> None:
        """Reads lines up to this one, which must come."""
        assert self._process.stdout
        for text in self._process.stdout:
            self.lines.append(text.rstrip("\n"))
            if self.lines[-1] == line:
                return
        pytest.fail(f"the program ended without saying '{line}':\n" + "\n".join(self.lines))

    def finish(self) -> list[str]:
        """All the lines of a program that must have ended well."""
        assert self._process.stdout
        self.lines += self._process.stdout.read().splitlines()
        status = self._process.wait()
        assert status == 0, f"status {status}:\n" + "\n".join(self.lines)
        return self.lines

    def sent_by_uart(self) -> bytes:
        try:
            return os.read(self._from_uart, 65536)
        except BlockingIOError:
            return b""


def run(program: str, machine: str, folder: Path, *more: str) -> list[str]:
    return Run(program, MACHINES[machine], folder, *more).finish()


# --- Interrupt controllers ---


@one_in(5)
@pytest.mark.parametrize("way", ["counted", "parallel"])
@pytest.mark.parametrize("machine", MACHINES)
def test_interrupts_of_both_levels(machine: str, way: str, tmp_path: Path) -> None:
    """Timer, UART and inter-processor interrupts on four cores: in turn, and on threads of the host."""
    options = COUNTED if way == "counted" else []
    cores = [] if machine == "rpi3" else ["-smp", "4"]
    program = Run("interrupts", MACHINES[machine], tmp_path, *options, *cores)
    program.until("ready for a byte")
    program.send(b"A")
    program.until("ready for another byte")
    program.send(b"B")
    assert program.finish() == [
        "ok distributor",
        "ok core interface",
        "ok timer enabled",
        "ok there is no interrupt 9999",
        "ok the timer comes as FIQ",
        "ok and as nothing else",
        "ok masking IRQ does not mask it",
        "ok the timer is disabled",
        "ok and stays silent when due",
        "ok enabled again",
        "ok the level that still stands comes at once",
        "ok the UART has its rate",
        "ok its interrupt is enabled",
        "ready for a byte",
        "ok the UART comes as IRQ",
        "ok a FIQ comes inside the IRQ's handler",
        "ok its byte was received",
        "byte 65",
        "ready for another byte",
        "ok an interrupt that will never end",
        "ok the distributor begins anew",
        "ok and the core interface",
        "ok and the timer",
        "ok and the UART",
        "ok the timer comes again",
        "ok the UART comes again",
        "ok a core interrupts itself, as FIQ",
        *["ok a core is started"] * 3,
        *[f"core {core}: 100 interrupts of cores, 1 timers, 0 others" for core in (1, 2, 3)],
        "ok core 0 was interrupted by others",
        "ok nothing unknown came",
    ]


# Instructions of acknowledge and end together, and of sending one: docs/porting/drivers.md names them.
COSTS = {
    "gic-v3": {"timer": 3, "reschedule": 3, "ordinary": 3, "send": 7},
    "gic-v2": {"timer": 4, "reschedule": 4, "ordinary": 13, "send": 8},
    "rpi3": {"timer": 9, "reschedule": 15, "ordinary": 15, "send": 4},
}


@one_in(3)
@pytest.mark.parametrize("machine", MACHINES)
def test_instructions_of_the_interrupt_path(machine: str, tmp_path: Path) -> None:
    lines = run("costs", machine, tmp_path, *COUNTED)
    counted = {name: int(count) for name, count in (line.split() for line in lines)}
    assert counted.keys() == COSTS[machine].keys()
    for name, limit in COSTS[machine].items():
        assert 0 < counted[name] <= limit, f"{name}: {counted[name]}"


def test_gic_v2_gives_a_real_time_interrupt_back(tmp_path: Path) -> None:
    assert run("give_back", "gic-v2", tmp_path, *COUNTED) == [
        "ok interrupts",
        "ok the first one is not ordinary",
        "ok nor the second",
        "ok the inter-processor interrupt comes as FIQ, once",
        "ok the timer comes as FIQ, once",
        "ok the UART is what is left",
        "ok and then nothing",
    ]


# --- Other devices ---


@one_in(2)
@pytest.mark.parametrize("machine", ["gic-v3", "rpi3"])
def test_uart_receives_and_sends(machine: str, tmp_path: Path) -> None:
    text = bytes(ord("a") + i * i % 26 for i in range(5000))
    program = Run("uart", MACHINES[machine], tmp_path)
    program.until("ready for bytes")
    assert program.sent_by_uart() == b"polled\n"
    program.send(text + b".")
    lines = program.finish()
    assert lines[-2:] == [
        "bytes 5001, overruns 0, spoiled 0",
        "ok only the UART interrupted",
    ]
    assert program.sent_by_uart() == bytes(byte + 1 for byte in text) + b"\n"


@one_in(2)
@pytest.mark.parametrize("machine", ["gic-v3", "gic-v2"])
def test_pl061_edges_are_real_time_interrupts(machine: str, tmp_path: Path) -> None:
    assert run("pins", machine, tmp_path, *COUNTED) == [
        "ok interrupts",
        "ok only the lines asked for are written",
        "ok only the lines asked for are read",
        "ok an edge nobody wants is silent",
        "ok a rising edge comes as FIQ",
        "ok the falling one does not",
        "ok falling: not when it rises",
        "ok falling: when it falls",
        "ok both: when it rises",
        "ok both: two lines at once",
        "ok none: silent again",
        "interrupts 4",
    ]


def test_gpio_of_the_raspberry_pi(tmp_path: Path) -> None:
    assert run("gpio", "rpi3", tmp_path) == [
        "ok high where written",
        "ok low elsewhere",
        "ok low again, the other stays",
        "ok an output again",
        "ok no pin 54",
    ]


def test_psci_starts_cores_and_switches_off(tmp_path: Path) -> None:
    assert run("firmware", "gic-v3", tmp_path, "-smp", "2") == [
        "version 1.1",
        "ok core 1 is started",
        "ok core 1 is on already",
        "ok core 0 too",
        "ok there is no core 77",
        "off",
    ]


def test_semihosting_reads_and_writes_files(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    data = bytes(i * 7 % 251 for i in range(70_000))

    def feed() -> None:
        with fifo.open("wb", buffering=0) as end:
            for begin in range(0, len(data), 999):  # pieces, as they come
                end.write(data[begin : begin + 999])

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    lines = run("host_files", "gic-v3", tmp_path)
    feeder.join(timeout=TIME_LIMIT_S)
    total = 0
    for byte in data:
        total = (total * 31 + byte) % 2**64
    assert lines[-1] == f"fifo {len(data)} {total}"
    assert [line for line in lines if not line.startswith(("ok ", "error 2", "fifo "))] == []
    expected = bytes((i * i >> 3) % 256 for i in range(100_000))
    assert (tmp_path / "written").read_bytes() == expected
