"""E9: bytes of flash and RAM of sketches and of the kernel, and which parts take them.

On the Uno they are compared with the stock Arduino core, built in the same run; on virt with the kernel's
image.
"""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

from hocket.bench import EXPERIMENTS, Context, Result
from hocket.boards import find_board
from hocket.builder import Image, build_sketch
from hocket.errors import HocketError
from hocket.plots import bars
from hocket.sketch.folder import find_sketch
from hocket.stock_core import build_stock, version
from hocket.uno_images import Symbol, flash_and_ram, symbols

Cell = str | int | float | None
HERE = Path(__file__).parent
# What is built for the Uno, its sketch, and whether the stock core can build it.
SKETCHES = (
    ("blink", "blink", True),
    ("a line on Serial every second", "serial", True),
    ("one loop with a budget", "loops-1", False),
    ("three loops with budgets", "loops-3", False),
    ("three loops, a handler and a semaphore", "loops-3-woken", False),
)
# Measured elsewhere, with avr-gcc: three tasks that blink, and a test of semaphores.
PEERS = (
    ("three tasks that blink", "FreeRTOS 11.1, measured elsewhere", 4_122, 825),
    ("two threads and a semaphore, with HAL", "ChibiOS RT 8, measured elsewhere", 8_200, 646),
)
LARGEST = 12
DATA = 0x800000  # data memory of a linked AVR program; information for tools follows
DATA_END = 0x800900


def run(context: Context) -> Result:
    virt = build_sketch(find_sketch(str(HERE / "blink")), find_board("virt"))
    more = [largest(hocket_image("loops-3")), images_of(virt), on_virt(virt.program_for(1))]
    return replace(measure_uno(), more=more)


def hocket_image(sketch: str) -> Path:
    return build_sketch(find_sketch(str(HERE / sketch)), find_board("uno")).program


def measure_uno() -> Result:
    rows: list[list[Cell]] = []
    for what, sketch, stock in SKETCHES:
        flash, ram = flash_and_ram(hocket_image(sketch))
        rows.append([what, "Hocket", flash, ram])
        if stock:
            flash, ram = flash_and_ram(build_stock(HERE / sketch).file)
            rows.append([what, f"stock core {version()}", flash, ram])
    rows += [[what, who, flash, ram] for what, who, flash, ram in PEERS]
    return Result(
        "E9: flash and RAM of whole programs on the Uno, in bytes (it has 32,256 and 2,048)",
        ["program", "with", "flash", "RAM"],
        rows,
        [
            "flash: code and initial values; RAM: variables and the stacks of loops, 192 bytes each; "
            "main()'s stack comes on top",
            "Hocket: clang 19 -Os; the stock core: avr-gcc 5.4 -Os -flto, as the IDE builds it",
            "a sketch without loops of its own has no kernel in it; the peers have no budgets",
        ],
        lambda figure: _plot(figure, rows),
        {
            "programs": [
                dict(zip(("program", "with", "flash", "ram"), row, strict=True)) for row in rows
            ]
        },
    )


def _plot(figure: Any, rows: list[list[Cell]]) -> None:
    """Plots shares of the Uno's memory, so that both are on one scale."""
    labels = [f"{what}\n{who}" for what, who, *_ in rows]
    shares = {
        f"{name}, of {has:,} bytes": [100 * int(row[place] or 0) / has for row in rows]
        for name, place, has in (("flash", 2, 32_256), ("RAM", 3, 2_048))
    }
    bars(figure, "E9: whole programs on the Uno", labels, shares, "% of what the Uno has")


def largest(image: Path) -> Result:
    """Returns the largest functions and variables of the image."""
    found = [s for s in symbols(image) if s.size > 0]
    code = [s for s in found if s.address < DATA]
    data = [s for s in found if DATA <= s.address < DATA_END]
    rows: list[list[Cell]] = []
    for kind, of_kind in (("flash", code), ("RAM", data)):
        ordered = sorted(_once(of_kind), key=lambda s: (-s.size, s.name))
        rows += [[kind, _short(s.name), s.size] for s in ordered[:LARGEST]]
        rest = ordered[LARGEST:]
        rows.append([kind, f"{len(rest)} others", sum(s.size for s in rest)])
    return Result(
        "What takes the room in three loops with budgets: the largest parts, in bytes",
        ["memory", "part", "bytes"],
        rows,
        ["vectors, start-up code and texts without a name of their own are not listed"],
        None,
    )


def _once(all_of_them: list[Symbol]) -> list[Symbol]:
    """Returns one symbol for each address: the first of several."""
    return list({s.address: s for s in reversed(all_of_them)}.values())


def _short(name: str) -> str:
    """Returns a name without the arguments of templates and functions."""
    depth, kept = 0, ""
    for letter in name.replace("(anonymous namespace)::", ""):
        depth += letter in "<("
        kept += letter if depth == 0 else ""
        depth -= letter in ">)"
    return kept.removesuffix(" const").replace("hocket::", "")


# The sections of a kernel's image (kernel.ld) by their labels in the table.
PARTS = {
    "text": (".text",),
    "rodata": (".rodata", ".init_array"),
    "data": (".kept", ".data"),
    "sketch": (".sketch",),
    "bss": (".zero",),
}


def parts_of(image: Path) -> dict[str, int]:
    """Returns the bytes of a kernel's image by part, including padding inside sections."""
    with image.open("rb") as file:
        sections = [
            (s.name, s["sh_size"])
            for s in ELFFile(file).iter_sections()
            if s["sh_flags"] & SH_FLAGS.SHF_ALLOC
        ]
    known = {name: part for part, names in PARTS.items() for name in names}
    parts = dict.fromkeys(PARTS, 0)
    for name, size in sections:
        parts[known[name]] += size
    return parts


def virt_images(virt: Image) -> dict[str, Path]:
    """Returns the kernel's images that one build makes."""
    return {
        "for one core, a board by itself": virt.native_for(1),
        "for eight cores, a board by itself": virt.native_for(8),
        "for one core, `hocket run`": virt.program_for(1),
        "for eight cores, `hocket run`": virt.program_for(8),
    }


def images_of(virt: Image) -> Result:
    """Returns the sizes of the whole images for virt, with blink in them."""
    rows: list[list[Cell]] = [
        [kernel, *parts_of(image).values()] for kernel, image in virt_images(virt).items()
    ]
    return Result(
        "Size of virt's images with blink in them, in bytes",
        ["kernel", *PARTS],
        rows,
        [
            "rodata: 8,192 of it are the page tables that a core starts with, the rest texts and tables",
            "data: variables that do not begin as zero; bss takes no room in the image",
            "sketch: blink's own program as whole pages, one of code and one of variables",
            "`hocket run` has the wire to the simulated world, the report and the event log besides",
        ],
        None,
    )


def on_virt(image: Path) -> Result:
    """Returns the size of the kernel's image for virt, with blink in it, by folder of the source."""
    measuring = _aarch64()
    rows: list[list[Cell]] = measuring.size_rows(image)
    return Result(
        "Size of virt's image by the folder of the source, in bytes (for one core; blink is in it)",
        ["folder", *measuring.KINDS],
        rows,
        [
            "functions and variables, by where the function is written whose code it is; what is in line "
            "counts where it is used; bss holds the stacks and page tables of all threads and cores",
            "the sketch is an image of its own, carried as bytes that belong to no function",
        ],
        None,
    )


def _aarch64() -> ModuleType:
    """Returns the module that computes the sizes of AArch64 images (bench/kernel)."""
    file = EXPERIMENTS / "kernel" / "aarch64" / "measure.py"
    spec = importlib.util.spec_from_file_location("bench_footprint_aarch64", file)
    if spec is None or spec.loader is None:
        raise HocketError("the sizes on AArch64 cannot be measured", file=file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look up their module there
    spec.loader.exec_module(module)
    return module
