"""What `run` refuses is refused by `build` and `flash`, too, and in the same words: a real board admits
nothing itself."""

from __future__ import annotations

import os
import pty
from pathlib import Path

import pytest
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from tests.commands import run_hocket

from hocket.builder import prepare_avr_check, prepare_avr_simulator

SETS = {
    "too much": "void loop(1, 70, 100) {}\nvoid loop(2, 60, 100) {}\n",
    "too small": "void loop(1, 50us, 10) {}\nvoid loop(2, 1, 10) {}\n",
    "beside Serial": "void loop(1, 94, 100) { while (Serial.read() >= 0) {} delay(1); }\n",
    "a short period": "void loop(1, 300us, 500us) {}\nvoid loop(2, 300us, 500us) {}\n",
}
SETUP = "void setup() { Serial.begin(1000000); }\n"


def refusal(stderr: str) -> list[str]:
    return [
        line for line in stderr.splitlines() if line.startswith(("hocket: refused:", "  next:"))
    ]


@pytest.fixture
def port() -> str:
    """A terminal behind which there is no board: nobody answers there."""
    return os.ttyname(pty.openpty()[1])


@pytest.mark.parametrize("name", SETS)
def test_a_refused_set_is_neither_built_nor_written(name: str, port: str, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "demo.ino").write_text(SETUP + SETS[name])
    made = tmp_path / "demo.hex"
    commands: dict[str, list[str | Path]] = {
        "run": ["run", folder, "--board", "uno"],
        "build": ["build", folder, "--board", "uno", "-o", made],
        "flash": ["flash", folder, "--board", "uno", "--port", port],
    }
    done = {command: run_hocket(*words) for command, words in commands.items()}
    assert {command: each.returncode for command, each in done.items()} == dict.fromkeys(done, 3)
    said = refusal(done["run"].stderr)
    assert said and said[0].startswith("hocket: refused: loop ") and said[-1].startswith("  next:")
    assert refusal(done["build"].stderr) == said
    assert refusal(done["flash"].stderr) == said
    assert not made.exists()
    assert done["build"].stdout == ""


def test_without_a_simulator() -> None:
    """The program that decides is linked without simavr, so it cannot run the image."""
    needed = {}
    for program in (prepare_avr_check(), prepare_avr_simulator()):
        with program.open("rb") as file:
            dynamic = ELFFile(file).get_section_by_name(".dynamic")
            assert isinstance(dynamic, DynamicSection)
            tags = dynamic.iter_tags("DT_NEEDED")
            needed[program.name] = any("simavr" in str(tag) for tag in tags)
    assert needed == {"avr_check": False, "hocket_avr": True}
