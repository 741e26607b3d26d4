"""E9: sizes on the Uno beside the stock core, and that the largest parts are parts of the image."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from tests.campaign import long_form, one_in

from hocket.bench import Context
from hocket.boards import find_board
from hocket.builder import Image, build_sketch
from hocket.sketch.folder import find_sketch
from hocket.uno_images import flash_and_ram

Load = Callable[..., tuple[ModuleType, Context]]


def test_a_plain_sketch_is_smaller_than_with_the_stock_core(load: Load) -> None:
    module, _ = load("footprint")
    found = {(p["program"], p["with"].split()[0]): p for p in module.measure_uno().data["programs"]}
    ours, stock = found["blink", "Hocket"], found["blink", "stock"]
    assert 200 <= ours["flash"] < stock["flash"] <= 1_200
    assert ours["ram"] <= stock["ram"]
    one, three = (
        found["one loop with a budget", "Hocket"],
        found["three loops with budgets", "Hocket"],
    )
    assert one["flash"] < three["flash"] <= 9_400
    assert found["three loops, a handler and a semaphore", "Hocket"]["flash"] <= 14_900
    assert 2 * 192 < three["ram"] - one["ram"] <= 2 * 320


def test_the_largest_parts(load: Load) -> None:
    module, _ = load("footprint")
    image = module.hocket_image("loops-3")
    flash, ram = flash_and_ram(image)
    rows = module.largest(image).rows
    for kind, all_of_it in (("flash", flash), ("RAM", ram)):
        sizes = [size for memory, _, size in rows if memory == kind]
        assert sizes[:-1] == sorted(sizes[:-1], reverse=True)
        assert 0.7 * all_of_it <= sum(sizes) <= all_of_it
    assert any(str(part).startswith("hocket_loop_1") for _, part, _ in rows)


# Code of the kernel's images, at most, in bytes (threads with deadlines of their own, counters and
# handlers that give locks back took 1.3 to 1.7 kB; on a board by itself the account of its UART's
# interrupts, and the reasons of a refusal on that port, 2.1 to 2.8 kB; the calls for FIFOs, which answer that
# there is no Linux, 0.7 kB; those for buses and EEPROM 1.1 to 2.1 kB; admission that tries what it names and
# skips what a new loop cannot change, and what it reckoned with, for the report, 7.8 to 9.5 kB; the check of
# each field that a sketch hands over, and the short ways of edges, 2.1 to 2.7 kB; the fields' names 1.5 kB
# of constants; how long a transfer may wait, and a refusal that names the large one of many loops, 1.2 to
# 1.4 kB; wake-ups by direct handlers, which are decided with the handler's time taken out, 1.5 kB; an
# overrun of many budgets in one pass, and memory that a sketch asked for and did not get, 1.6 to 1.8 kB).
MOST_TEXT = {
    "for one core, a board by itself": 72_400,
    "for eight cores, a board by itself": 77_600,
    "for one core, `hocket run`": 82_300,
    "for eight cores, `hocket run`": 88_100,
}


@pytest.fixture(scope="module")
def virt(load: Load) -> Image:
    module, _ = load("footprint")
    return build_sketch(find_sketch(str(module.HERE / "blink")), find_board("virt"))


@one_in(4)
@pytest.mark.parametrize("kernel", MOST_TEXT)
def test_a_blink_for_virt_grows_no_larger(
    kernel: str, virt: Image, load: Load, tmp_path: Path
) -> None:
    module, _ = load("footprint")
    image = module.virt_images(virt)[kernel]
    parts = module.parts_of(image)
    assert 30_000 < parts["text"] <= MOST_TEXT[kernel]
    assert 0 < parts["data"] <= 2_048
    assert 8_192 < parts["rodata"] <= 17_400
    assert parts["sketch"] == 8_192
    # What stands in the file is what a board loads: nothing else than these parts.
    bare = tmp_path / "bare"
    subprocess.run(["llvm-objcopy-19", "-O", "binary", image, bare], check=True, timeout=60)
    loaded = sum(parts[part] for part in ("text", "rodata", "data", "sketch"))
    gaps = 3 * 4_096  # the next part begins on a page of its own
    assert loaded <= bare.stat().st_size < loaded + gaps


@long_form
def test_one_core_takes_less_than_eight(virt: Image, load: Load) -> None:
    module, _ = load("footprint")
    for one, eight in (
        (virt.native_for(1), virt.native_for(8)),
        (virt.program_for(1), virt.program_for(8)),
    ):
        few, many = module.parts_of(one), module.parts_of(eight)
        assert few["text"] < many["text"] and few["bss"] < many["bss"]
