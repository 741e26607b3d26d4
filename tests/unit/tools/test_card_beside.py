"""What QEMU starts as a Pi's card: each of a sketch's programs has one of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from hocket.builder import Image
from hocket.running import programs


@dataclass(frozen=True)
class Built:
    """As an Image of a Pi: another program for one core."""

    folder: Path
    board: SimpleNamespace

    def program_for(self, cores: int) -> Path:
        return self.folder / ("sketch.one-core" if cores == 1 else "sketch")


def test_runs_on_one_core_and_on_four_boot_their_own_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("sketch", "sketch.one-core"):
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(programs, "flatten", lambda program: program.read_bytes())
    board = SimpleNamespace(name="rpi3", card=True)
    image = cast(Image, Built(tmp_path, board))
    cards = {cores: programs._startable(image, cores) for cores in (1, 4)}
    assert {cores: card.read_text() for cores, card in cards.items()} == {
        1: "sketch.one-core",
        4: "sketch",
    }
