"""What is left of a kernel that was played to the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SECOND = 1_000_000_000


@dataclass
class Done:
    status: int
    serial: bytes
    said: list[str]
    facts: dict[str, Any] | None


Play = Callable[..., Done]


def end_of(done: Done) -> str:
    assert done.facts is not None
    return str(done.facts["end"])
