"""Makes the device tree of the Linux system: QEMU's own for the same machine, with Hocket's changes.

QEMU's tree is dumped with the final options of the machine. (With other options it names devices that do not
exist, and Linux stops at the first of them.) dtc reads and writes it. Devicetree Specification 0.4; Linux,
Documentation/devicetree/bindings/arm/psci.yaml and reserved-memory.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import EXIT_DEFECT, HocketError
from hocket.linux.machine import FIFO_SPI, FIFOS, FIFOS_SIZE, RAM_BEGIN, ROOT, TREE_MOST

# A fixed seed for Linux's random numbers and addresses, so that runs are repeatable.
_SEED = " ".join(f"{0x1000_0000 + 0x0101_0101 * word:#010x}" for word in range(8))


@dataclass(frozen=True)
class Tree:
    """Parameters of the device tree.

    arguments  the kernel's command line
    memory     bytes of its memory, from RAM_BEGIN
    root_size  bytes of the archives at ROOT
    cores      how many cores it may start
    """

    arguments: str
    memory: int
    root_size: int
    cores: int = 1


def make(machine: Sequence[str], tree: Tree) -> bytes:
    """Returns the device tree for Linux. machine: QEMU's options -M, -cpu, -smp, -m. Raises HocketError if
    QEMU or dtc is not as expected."""
    return compiled(decompiled(dump(machine)) + additions(tree))


def dump(machine: Sequence[str]) -> bytes:
    """Returns QEMU's own tree of this machine."""
    with tempfile.TemporaryDirectory(prefix="hocket-tree-") as name:
        file = Path(name) / "tree.dtb"
        empty = Path(name) / "firmware"
        empty.write_bytes(bytes(4))  # with firmware QEMU's tree describes what it leaves to it
        words = list(machine)
        at = words.index("-M") + 1
        words[at] += f",dumpdtb={file}"
        command = ["qemu-system-aarch64", *words, "-bios", str(empty)]
        _run([*command, "-nodefaults", "-display", "none", "-nic", "none"], b"")
        if not file.is_file():
            raise _defect("QEMU wrote no device tree", " ".join(command))
        return file.read_bytes()


def additions(tree: Tree) -> str:
    """Returns the changes to QEMU's tree, as source that follows it."""
    cores = "".join(f'cpu@{core} {{ enable-method = "psci"; }}; ' for core in range(tree.cores))
    escaped = tree.arguments.replace("\\", "\\\\").replace('"', '\\"')
    return f"""
/ {{
  memory@{RAM_BEGIN:x} {{ reg = {_cells(RAM_BEGIN, tree.memory)}; }};
  /delete-node/ pmu;  /* its interrupt is not handed on */
  psci {{ compatible = "arm,psci-1.0", "arm,psci-0.2"; method = "smc"; }};
  cpus {{ {cores}}};
  chosen {{
    bootargs = "{escaped}";
    linux,initrd-start = <{_halves(ROOT)}>;
    linux,initrd-end = <{_halves(ROOT + tree.root_size)}>;
    {_seeds()}
  }};
  reserved-memory {{
    #address-cells = <2>;
    #size-cells = <2>;
    ranges;
    fifos@{FIFOS:x} {{ reg = {_cells(FIFOS, FIFOS_SIZE)}; no-map; }};
  }};
  fifos@{FIFOS:x} {{
    compatible = "hocket,fifos";
    reg = {_cells(FIFOS, FIFOS_SIZE)};
    interrupts = <0 {FIFO_SPI} 1>;  /* shared, rising edge */
  }};
}};
"""


def _seeds() -> str:
    return f"rng-seed = <{_SEED}>; kaslr-seed = <{_halves(0x0123_4567_89AB_CDEF)}>;"


def decompiled(blob: bytes) -> str:
    return _run(["dtc", "-q", "-I", "dtb", "-O", "dts", "-"], blob).decode()


def compiled(source: str) -> bytes:
    blob = _run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-"], source.encode())
    if len(blob) > TREE_MOST:
        raise _defect("the device tree is too big", f"{len(blob)} bytes")
    return blob


def _cells(address: int, size: int) -> str:
    return f"<{_halves(address)} {_halves(size)}>"


def _halves(value: int) -> str:
    return f"{value >> 32:#x} {value & 0xFFFF_FFFF:#x}"


def _run(command: list[str], given: bytes) -> bytes:
    try:
        done = subprocess.run(command, input=given, capture_output=True, check=False)
    except FileNotFoundError as problem:
        raise HocketError(
            f"{command[0]} is not there",
            "the device tree of the Linux beside is compiled with it",
            "run: hocket doctor",
        ) from problem
    if done.returncode != 0:
        raise _defect(f"{command[0]} failed", done.stderr.decode(errors="replace").strip())
    return done.stdout


def _defect(fact: str, cause: str) -> HocketError:
    return HocketError(
        f"the device tree of the Linux beside cannot be made: {fact}",
        cause,
        "this is a defect of Hocket, or QEMU is another than Debian 12's: please report it",
        exit_code=EXIT_DEFECT,
    )
