"""E9: sizes on the Uno beside the stock core, and that the largest parts are parts of the image."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from hocket.bench import Context
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
    assert one["flash"] < three["flash"] <= 8_550
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
