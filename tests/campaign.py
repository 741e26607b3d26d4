"""What is in every run of the suite, and what in `hocket self-test --long`: tests and random work."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence

import pytest

LONG = bool(os.environ.get("HOCKET_LONG"))

# Whose turn it is among the variants of in_turn(): a number that is another one each day.
TURN = int(os.environ.get("HOCKET_TURN") or time.time() // 86_400)


def rounds(suite: int, campaign: int, variable: str) -> int:
    """suite: in every run. campaign: with --long. An environment variable of that name decides by itself."""
    return int(os.environ.get(variable, campaign if LONG else suite))


# A test, or one of its parameters, for --long alone: another way to what a shorter one of the suite shows.
long_form = pytest.mark.long_form


def one_in(step: int) -> pytest.MarkDecorator:
    """On a parametrised test: the first of its variants and one in so many, and in the long form all.

    Where boards or numbers of cores are among its parameters, an odd step does not leave one of them out.
    """
    return pytest.mark.one_in(step)


def in_turn(step: int) -> pytest.MarkDecorator:
    """On a parametrised test: one in so many of its variants, other ones each day, and in the long form all.
    So each runs within `step` days. HOCKET_TURN=N repeats the choice of a day, which pytest prints.

    For variants of one kind, each of which has shown something at some time.
    """
    return pytest.mark.in_turn(step)


def every_so_often(values: Sequence[object], step: int) -> list[object]:
    """Parameters: one of so many, and in the long form the others as well."""
    return [
        value if place % step == 0 else pytest.param(value, marks=long_form)
        for place, value in enumerate(values)
    ]


def except_virt(boards: Iterable[str]) -> list[object]:
    """Parameters: virt, where an emulator executes each instruction, in the long form alone."""
    return [pytest.param(name, marks=long_form) if name == "virt" else name for name in boards]
