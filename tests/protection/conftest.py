"""What the tests of protection share: sketches run on the board virt, alone or many times over."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.protection.outcome import Outcome, Run

from hocket.boards import find_board
from hocket.builder import Image, build_sketch, prepare_world
from hocket.builder.board import prepare_board
from hocket.faults import add_places
from hocket.paths import BUILD
from hocket.report import make_report, read_facts
from hocket.sketch.folder import find_sketch

SKETCHES = Path(__file__).parent / "sketches"
PATIENCE = 300  # seconds of this computer for one run: a guard, not a measurement


@pytest.fixture(scope="session")
def image() -> Callable[..., Image]:
    """image(name, text=None, board="virt"): the sketch of this text, else that of `sketches/`, built.

    Texts are kept in build/protection-tests/, so that an unchanged one is not compiled again.
    """

    def build(name: str, text: str | None = None, board: str = "virt") -> Image:
        folder = SKETCHES / name
        if text is not None:
            folder = BUILD / "protection-tests" / name
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / f"{name}.ino"
            if not file.is_file() or file.read_text() != text:
                file.write_text(text)
        found = find_board(board)
        return build_sketch(find_sketch(str(folder)), found, prepare_board(found))

    return build


@pytest.fixture(scope="session")
def run_virt(image: Callable[..., Image], tmp_path_factory: pytest.TempPathFactory) -> Run:
    """run_virt(name, seconds, text=…, cores=…, seed=…, options=…, board=…): the Outcome."""
    world = prepare_world()

    def run(
        name: str,
        seconds: float,
        text: str | None = None,
        cores: int = 1,
        seed: int = 1,
        options: tuple[str, ...] = (),
        board: str = "virt",
        patience: float = PATIENCE,
    ) -> Outcome:
        built = image(name, text, board)
        program = startable(built)
        facts = tmp_path_factory.mktemp(name) / "facts.json"
        command = [str(world), "--board", board, "--image", str(program), "--cores", str(cores)]
        command += ["--for", str(round(seconds * 1e9)), "--seed", str(seed), "--facts", str(facts)]
        done = subprocess.run(
            [*command, *options], capture_output=True, timeout=patience, check=False
        )
        errors = done.stderr.decode(errors="replace")
        assert facts.is_file(), f"status {done.returncode}: {errors}"
        read = read_facts(facts)
        add_places(read.get("faults") or [], built.sketch_elf, built.sketch.folder)
        report = make_report(read, name, board, "emulated")
        return Outcome(done.returncode, done.stdout.decode(errors="replace"), errors, report)

    return run


def startable(image: Image) -> Path:
    """The file that the emulator starts: for the Pi the flat image of its card."""
    if image.board.name != "rpi3":
        return image.program
    from hocket.card import KERNEL, flatten

    flat = image.program.with_name(KERNEL)
    flat.write_bytes(flatten(image.program))
    return flat
