"""Sketches above another system: a small program that works on its registers and keeps its core busy
(tests/contract/aarch64/neighbour), in the place where Linux is otherwise."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.sketches import PATIENCE, kept
from tests.targets import build_target

from hocket.boards import find_board
from hocket.builder import Image, build_sketch
from hocket.report import make_report, read_facts
from hocket.running.programs import board_program
from hocket.scenario import load
from hocket.sketch.folder import find_sketch

ENTRY, SEED = 0x4040_0000, 0x4050_0000
MEMORY = "256"  # MiB: the FIFOs' window is in it


@dataclass(frozen=True)
class Ran:
    status: int
    said: str
    errors: str
    report: dict[str, Any]


def image_of(name: str, text: str) -> Image:
    return build_sketch(find_sketch(str(kept(name, text))), find_board("virt"))


def neighbour_program(name: str = "neighbour") -> Path:
    """name: that works, or `hostile`."""
    folder = build_target("virt", f"contract_{name}")
    return folder / "tests" / "contract" / "aarch64" / f"contract_{name}.elf"


class Above:
    """Runs sketches above the program; what is of a run lies in `folder`."""

    def __init__(self, neighbour: Path, folder: Path, seed: int | None = None) -> None:
        """seed: of a hostile neighbour."""
        self._neighbour, self._folder, self._seed = neighbour, folder, seed

    @property
    def console(self) -> Path:
        """What the neighbour has said."""
        return self._folder / "console"

    def run(
        self,
        name: str,
        text: str,
        cores: int,
        milliseconds: float,
        scenario: str | None = None,
        log: Path | None = None,
    ) -> Ran:
        image, facts = image_of(name, text), self._folder / "facts.json"
        facts.unlink(missing_ok=True)
        options: list[str | Path] = ["--beside", MEMORY, "--load", f"{ENTRY:#x}:{self._neighbour}"]
        if self._seed is not None:
            seed = self._folder / "seed"
            seed.write_bytes(self._seed.to_bytes(8, "little"))
            options += ["--load", f"{SEED:#x}:{seed}"]
        options += ["--console", self.console]
        command = [*map(str, board_program(image, cores, options)), "--cores", str(cores)]
        command += ["--seed", "1", "--for", str(int(milliseconds * 1_000_000))]
        command += ["--facts", str(facts)]
        if scenario is not None:
            written, flat = self._folder / "scenario.yaml", self._folder / "scenario.flat"
            written.write_text(scenario, encoding="utf-8")
            flat.write_text(load(written, "virt"), encoding="utf-8")
            command += ["--scenario", str(flat)]
        if log is not None:
            command += ["--log", str(log)]
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        errors = done.stderr.decode(errors="replace")
        report = {}
        if facts.is_file():
            report = make_report(read_facts(facts), image.sketch.name, "virt", image.board.clock)
        return Ran(done.returncode, done.stdout.decode(), errors, report)
