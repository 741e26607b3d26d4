"""What the kernel's paths cost on the Uno, in cycles: with budgets, by priorities only, and in a sketch.

The images are kernel_paths.cpp, with the kernel's default policy for small processors and with one without
budgets. simavr counts the cycles (simulation/avr/measure.cpp).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hocket.bench import EXPERIMENTS, Context, Result
from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.builder.board import prepare_uno_image
from hocket.plots import Range, ranges
from hocket.sketch.folder import find_sketch
from hocket.uno_images import Measured, flash_and_ram, pulses, responses

# The measured path, its image, and the medians of FreeRTOS 11.1 and ChibiOS RT 8, built with avr-gcc and
# measured in the same simulator with the same correction. They have no budgets.
PATHS = (
    ("yield to the other thread", "bench_yield", 246, 219),
    ("pin, handler, semaphore, thread's pin: idle", "bench_signal", 580, 405),
    ("the same, out of a lower thread", "bench_signal_busy", None, None),
)
POLICIES = (("budgets", ""), ("priorities only", "_priorities"))
# The same paths in a sketch, and the interrupt alone beside loops: sketches of bench/response. With FreeRTOS
# 11.1 the path from a user's pin through handler, semaphore and task to a pin takes 574, at most one cycle
# more.
SKETCHES = (
    ("pin, attachInterrupt, Semaphore, loop's pin: idle", "semaphore", 574),
    ("the same, out of a lower loop", "semaphore-beside-loop", None),
    ("pin, attachInterrupt, pin: beside two busy loops", "beside-loops", None),
)


@dataclass(frozen=True)
class Size:
    """The numbers of yields and edges."""

    yields: int = 1_000
    edges: int = 100


SIZE = Size()
QUICK = Size(yields=100, edges=20)


def run(context: Context) -> Result:
    return measure(context, SIZE)


def measure(context: Context, size: Size) -> Result:
    rows: list[list[str | int | float | None]] = []
    data: list[dict[str, Any]] = []
    for path, image, *others in PATHS:
        for policy, suffix in POLICIES:
            found = _measured(image + suffix, context.seed, size)
            flash, ram = flash_and_ram(prepare_uno_image(image + suffix))
            counted = [found.count, found.least, found.median, round(found.mean, 1), found.most]
            peers = others if policy == "priorities only" else [None, None]
            rows.append([path, policy, *counted, *peers, flash, ram])
            data.append(_figures(path, policy, found, flash, ram))
    for path, sketch, freertos in SKETCHES:
        image = _sketch(sketch)
        found = responses(image, size.edges, context.seed, sparse=True)
        flash, ram = flash_and_ram(image)
        counted = [found.count, found.least, found.median, round(found.mean, 1), found.most]
        rows.append([path, "a sketch's", *counted, freertos, None, flash, ram])
        data.append(_figures(path, "a sketch's", found, flash, ram))
    return Result(
        "The kernel's paths on the Uno, in cycles of 16 MHz",
        [
            *("path", "policy", "n", "least", "median", "mean", "most"),
            *("FreeRTOS", "ChibiOS", "flash", "RAM"),
        ],
        rows,
        [
            f"simavr, edges at random cycles, seed {context.seed}; the same numbers on every run",
            "FreeRTOS 11.1 (-Os -flto) and ChibiOS RT 8: medians measured elsewhere in the same "
            "simulator, with a tick and without budgets; they stand where ours has none either, and "
            "beside a sketch's row, which has budgets",
            "flash and RAM: the whole image in bytes, with the kernel and two stacks of 160",
        ],
        lambda figure: _plot(figure, data),
        {"paths": data},
    )


def _plot(figure: Any, data: list[dict[str, Any]]) -> None:
    rows: dict[str, dict[str, Range]] = {}
    for each in data:
        cycles = (each["least"], each["median"], each["most"])
        rows.setdefault(each["path"], {})[each["policy"]] = cycles
    title = "The kernel's paths on the Uno: least, median, most"
    ranges(figure, title, rows, "cycles of 16 MHz")


def _figures(path: str, policy: str, found: Measured, flash: int, ram: int) -> dict[str, Any]:
    counted = {"count": found.count, "least": found.least, "median": found.median}
    counted |= {"mean": found.mean, "most": found.most, "flash": flash, "ram": ram}
    return {"path": path, "policy": policy, **counted}


def _sketch(name: str) -> Path:
    folder = find_sketch(str(EXPERIMENTS / "response" / name))
    return build_sketch(folder, find_board("uno")).program


def _measured(image: str, seed: int, size: Size) -> Measured:
    file = prepare_uno_image(image)
    if "yield" in image:
        return pulses(file, size.yields)
    return responses(file, size.edges, seed, sparse=True)
