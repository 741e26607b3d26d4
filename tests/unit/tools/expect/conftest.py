"""What the tests of expectations share: to read them without a file, and to judge a made-up run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hocket.errors import HocketError
from hocket.expect import Expectation, read_expectations
from hocket.scenario.boards import BOARDS
from hocket.scenario.document import Document

Read = Callable[..., tuple[Expectation, ...]]

PARTS: dict[str, Any] = {
    "lamp": {"type": "led", "pin": 13},
    "dim": {"type": "led", "pin": 12, "lit_when": "low"},
    "start": {"type": "button", "pin": 2, "pressed": [{"at": "5 ns", "for": "3 ns"}]},
    "sonar": {"type": "hcsr04", "trigger": 11, "echo": 7, "distance": "1 m"},
    "wheels": {"type": "motors"},
    "arm": {"type": "servo", "pin": 9},
    "friend": {"type": "serial", "port": 0},
    "uav": {"type": "helicopter", "port": 3},
}


def read_items(
    expect: list[Any], never: list[Any] | None = None, board: str = "sim"
) -> tuple[tuple[Expectation, ...], list[HocketError]]:
    value = {"parts": PARTS, "expect": expect, "never": never or []}
    problems: list[HocketError] = []
    found = read_expectations(Document(Path("s.yaml"), value), BOARDS[board], problems)
    return found, problems


@pytest.fixture
def read() -> Read:
    """read(expect, never=…, board=…): the expectations of right items."""

    def of(*arguments: Any, **more: Any) -> tuple[Expectation, ...]:
        found, problems = read_items(*arguments, **more)
        assert problems == []
        return found

    return of
