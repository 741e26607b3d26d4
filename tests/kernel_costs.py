"""What the kernel costs in a run of a board in QEMU, seen from outside by a plugin
(simulation/qemu/costs.cpp): the firmware is the product's. One core."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hocket.builder import Image
from hocket.builder.board import bring_up_to_date
from hocket.emulator import with_words
from hocket.faults import SYMBOLIZER

OBJDUMP = "llvm-objdump-19"
VECTORS = (0x300, 0x500)  # interrupts of the real-time level: out of the kernel, and of a sketch

# In line from one of these the clock is read for what somebody is charged with.
DECIDES = re.compile(r"masked_now|in_nobodys_time|direct_edge")
# Functions by whose first instruction something begins.
FUNCTIONS = {
    "begin": "hocket::runtime::end_iteration(hocket::runtime::Loop&)",  # loops run
    "end": "hocket::surroundings::finish(",
    "foreign": "hocket::(anonymous namespace)::on_timer(void*)",  # the generator of edges (pins.cpp)
    "timer": "hocket_timer_interrupt",
    "work": "hocket::runtime::interrupts::(anonymous namespace)::distance_is_over(void*)",
}


@dataclass
class Seen:
    """The most of each cost, in instructions, by its name without a unit; and where its section began."""

    most: dict[str, int] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)


@contextmanager
def observed(image: Image) -> Iterator[Seen]:
    """While it lasts, one run of the image on one core is looked at."""
    program = image.program_for(1)
    folder = bring_up_to_date("sim", "what looks at a kernel in QEMU", "hocket_qemu_costs")
    plugin = folder / "simulation" / "qemu" / "libhocket_qemu_costs.so"
    seen = Seen()
    with tempfile.TemporaryDirectory(prefix="hocket-costs-") as name:
        places, result = Path(name) / "places", Path(name) / "result"
        places.write_text("".join(f"{what} {at:x}\n" for what, at in _places(program)))
        option = f"{plugin},places={places},result={result}"
        with with_words(Path(name), ["-plugin", option]):
            yield seen
        for line in result.read_text().splitlines() if result.exists() else ():
            cost, most, place = line.split()
            seen.most[cost] = int(most)
            seen.places[cost] = place


def _places(program: Path) -> list[tuple[str, int]]:
    symbols = _symbols(program)
    found = [("vector", symbols["hocket_vectors"] + offset) for offset in VECTORS]
    for what, function in FUNCTIONS.items():
        found += [(what, at) for known, at in symbols.items() if known.startswith(function)]
    if (
        "hocket_hypervisor" in symbols
    ):  # at EL2, at its physical address: what it does takes no time
        found.append(("beside", (symbols["hocket_hypervisor"] & 0xFFFF_FFFF) & ~0xFFFF))
    code = subprocess.run(
        [OBJDUMP, "--disassemble", "--no-show-raw-insn", program],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    reads = _addresses(code, r"mrs\s+x\d+, CNTVCT_EL0")
    switches = _addresses(code, r"mov\s+sp, x\d+")
    found += [("read", at) for at in reads if DECIDES.search(_functions(program, at))]
    found += [("switch", at) for at in switches if "switch_stacks" in _functions(program, at)]
    missing = {"vector", "read", "switch", "begin", "end"} - {what for what, _ in found}
    assert not missing, f"{program} has no {missing}"
    return found


def _addresses(code: str, instruction: str) -> list[int]:
    return [int(at, 16) for at in re.findall(rf"^\s*([0-9a-f]+):\s+{instruction}", code, re.M)]


def _symbols(program: Path) -> dict[str, int]:
    command: list[str | Path] = ["llvm-nm-19", "--demangle", program]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    words = (line.split(maxsplit=2) for line in lines)
    return {each[2]: int(each[0], 16) for each in words if len(each) == 3}


def _functions(program: Path, address: int) -> str:
    """That an instruction is in line from."""
    command = [SYMBOLIZER, f"--obj={program}", "--output-style=JSON", f"{address:#x}"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return " ".join(each["FunctionName"] for each in json.loads(said)[0]["Symbol"])
