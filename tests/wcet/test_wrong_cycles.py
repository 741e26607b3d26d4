"""A wrong number of cycles, and a wrong bound of a loop, make the bound of some kernel too small."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.wcet.kernels import KERNELS, Kernel
from tests.wcet.programs import Built, build

from hocket.wcet import evolution, image
from hocket.wcet.avr8.decode import decode
from hocket.wcet.processor import Instruction

_EXACT = {kernel.name: kernel for kernel in KERNELS}


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> tuple[Built, int]:
    """A program whose bound is what simavr sees, and that."""
    kernel = _EXACT["calls"]
    built = build(kernel.source, tmp_path_factory.mktemp("exact"), "clang", kernel.worst)
    _, longest = built.seen()
    assert built.bound().cycles == longest
    return built, longest


@pytest.mark.parametrize(
    "name", ["ldd", "ld", "add", "adc", "mul", "ret", "rcall", "call", "push", "pop"]
)
def test_a_cycle_less_is_noticed(
    name: str, exact: tuple[Built, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    built, longest = exact

    def wrong(at: int, word_at: object) -> Instruction:
        one = decode(at, word_at)  # type: ignore[arg-type]
        return replace(one, cycles=one.cycles - 1) if one.name == name else one

    used = any(name == line.split()[0] for line in _instructions(built))
    monkeypatch.setattr(image, "decode", wrong)
    assert (built.bound().cycles < longest) == used


def _instructions(built: Built) -> list[str]:
    longest, entry = built.longest()
    longest.of(entry)
    functions = list(longest._functions.values())
    return [one.name for f in functions for block in f.blocks.values() for one in block.code]


def test_a_taken_branch_that_costs_nothing_more_is_noticed(
    exact: tuple[Built, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    built, longest = exact
    monkeypatch.setattr(
        image, "decode", lambda at, word_at: replace(decode(at, word_at), further=0)
    )
    assert built.bound().cycles < longest


def test_a_round_less_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of rounds of this loop is known from LLVM alone."""
    kernel: Kernel = _EXACT["clamped"]
    built = build(kernel.source, tmp_path, "clang", kernel.worst)
    _, longest = built.seen()
    assert built.bound().cycles >= longest
    choose = evolution.choose

    def less(*given: object) -> int | None:
        rounds = choose(*given)  # type: ignore[arg-type]
        return None if rounds is None else rounds - 1

    monkeypatch.setattr(evolution, "choose", less)
    assert built.bound().cycles < longest
