"""E5 with fewer edges: delays are within their bounds, the worst comes close, and the paper's breaks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import ModuleType

from tests.campaign import long_form

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]


@long_form
def test_delays_are_within_their_bounds_and_come_close(load: Load) -> None:
    module, context = load("event-delivery", "sim")
    cases = module.measure(context, module.Size(edges=9_000)).data["cases"]
    assert len(cases) == 8
    for case in cases:
        assert case["delivered"] == case["edges"], case
        assert 0 < case["longest"] <= case["bound"], case
    assert sum(case["edges"] for case in cases if case["case"] == "random") == 9_000
    alone, behind = (case for case in cases if case["case"] != "random")
    assert alone["share"] >= 0.9
    assert behind["share"] >= 0.9
    # The paper's bound does not know of those that come first.
    assert behind["longest"] > behind["paper"]


@long_form
def test_delays_on_virt_are_within_their_bounds(load: Load) -> None:
    module, context = load("event-delivery", "virt")
    size = dataclasses.replace(module.SIZES["virt"], edges=1_200, bursts=5)
    cases = module.measure(context, size).data["cases"]
    assert len(cases) == 8
    for case in cases:
        assert case["delivered"] == case["edges"], case
        # A loop of 20/40 that comes first holds the bottom half back, and a pin has one bit meanwhile.
        assert case["merged"] <= 1.5 * case["edges"], case
        assert 0 < case["longest"] <= case["bound"], case
    assert sum(case["edges"] + case["merged"] for case in cases[:6]) == 1_200
    # Those that are out for the worst come close to it.
    # (Behind 20/40 few bursts meet the worst: 0.77 was seen with these, 0.94 with more.)
    for case, share in zip(cases[6:], (0.9, 0.7), strict=True):
        assert case["share"] >= share, case
        assert case["merged"] == 0, case
