"""What the tests of protection share: sketches run on the board virt, alone or many times over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.sketches import PATIENCE, Outcome, Run, kept, start

from hocket.boards import find_board
from hocket.builder import Image, build_sketch
from hocket.builder.board import prepare_board
from hocket.sketch.folder import find_sketch

SKETCHES = Path(__file__).parent / "sketches"


@pytest.fixture(scope="session")
def image() -> Callable[..., Image]:
    """image(name, text=None, board="virt"): the sketch of this text, else that of `sketches/`, built."""

    def build(
        name: str,
        text: str | None = None,
        board: str = "virt",
        headers: dict[str, str] | None = None,
    ) -> Image:
        folder = SKETCHES / name if text is None else kept(name, text, **(headers or {}))
        found = find_board(board)
        return build_sketch(find_sketch(str(folder)), found, prepare_board(found))

    return build


@pytest.fixture(scope="session")
def run_virt(image: Callable[..., Image], tmp_path_factory: pytest.TempPathFactory) -> Run:
    """run_virt(name, seconds, text=…, cores=…, seed=…, options=…, board=…): the Outcome."""

    def run(
        name: str,
        seconds: float,
        text: str | None = None,
        cores: int = 1,
        seed: int = 1,
        options: tuple[str, ...] = (),
        board: str = "virt",
        patience: float = PATIENCE,
        headers: dict[str, str] | None = None,
    ) -> Outcome:
        facts = tmp_path_factory.mktemp(name) / "facts.json"
        built = image(name, text, board, headers)
        return start(built, seconds, facts, cores, seed, options, patience)

    return run
