"""What is recorded of a run in this project, and what a change of a file would make of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping

import pytest

from hocket.paths import ROOT
from hocket.recorded import perform
from hocket.recorded.pieces import Piece, pieces_of
from hocket.recorded.products import PARTS, used_parts
from hocket.recorded.record import Touched, Tree, keep_sources, read_log, why

TIMING = "tools/hocket/timing.py"
TYPES = re.findall(r"^HOCKET_PART\((\w+)\)", (ROOT / PARTS / "registry.cpp").read_text(), re.M)


class Edited(Tree):
    """The project with one file edited."""

    def __init__(self, tree: Tree, name: str, text: str) -> None:
        super().__init__()
        self.tree, self.name, self.text = tree, name, text

    def digest(self, name: str) -> str:
        return "another" if name == self.name else self.tree.digest(name)

    def pieces(self, name: str) -> Mapping[str, Piece]:
        return pieces_of(self.text) if name == self.name else self.tree.pieces(name)


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree()


@pytest.fixture(scope="module")
def rover(tree: Tree, tmp_path_factory: pytest.TempPathFactory) -> Touched:
    """What `hocket run examples/rover` touches."""
    folder = tmp_path_factory.mktemp("rover")
    # As a process of its own: this one loads what the others have compiled.
    environment = os.environ | perform.recording(folder / "log", perform.prepared())
    environment |= {"PYTHONPATH": str(ROOT / "tools")}
    command = [
        sys.executable,
        "-m",
        "hocket.__main__",
        "run",
        "examples/rover",
        "--json",
        str(folder / "report"),
    ]
    subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    touched = read_log(folder / "log", tree, "tests/unit/tools/recorded/test_this_project.py", 1.0)
    keep_sources(touched)
    return touched


def selects(tree: Tree, touched: Touched, name: str, text: str = "") -> bool:
    return bool(why(Edited(tree, name, text or "something else"), touched))


@pytest.mark.parametrize(
    "name",
    [
        *("examples/rover/rover.ino", "examples/rover/scenario.yaml", "boards/sim/board.toml"),
        *(
            "simulation/parts/hcsr04.cpp",
            "simulation/parts/motors.cpp",
            "simulation/parts/part.h",
        ),
        *("simulation/devices/pins.cpp", "simulation/program/options.cpp"),
        *("kernel/sched/scheduler.h", "arduino/api/Print.cpp", "admission/delivery.h"),
        *("ports/host/machine.cpp", "CMakeLists.txt", "tools/hocket/scenario/schema.json"),
    ],
)
def test_a_run_touches_what_it_is_made_of(name: str, tree: Tree, rover: Touched) -> None:
    assert (ROOT / name).is_file()
    assert selects(tree, rover, name)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "examples/blink/blink.ino",
            "simulation/parts/bme280.cpp",
            "simulation/parts/ds18b20.cpp",
        ),
        *("simulation/avr/board.cpp", "simulation/peer/session.cpp", "README.md"),
        *("arduino/cores/avr8/kernel.cpp", "arduino/cores/protected/kernel/main.cpp"),
        *("kernel/sched/pibs_proof.h", "tests/uno/test_uno.py"),
    ],
)
def test_a_run_does_not_touch_the_rest(name: str, tree: Tree, rover: Touched) -> None:
    assert not selects(tree, rover, name)


@pytest.mark.parametrize(
    ("line", "touched"),
    [
        ("def print_timing(", True),
        ("def _timing_row(", True),
        ("def _stack(", True),
        ("def serial_line(", False),
        ("def print_analysis(", False),
        ("def _delay_row(", False),
        ('    "time": "', True),  # of a constant that ending() mentions
        ("_TRIED = (", False),
    ],
)
def test_a_run_touches_the_functions_that_it_calls(
    line: str, touched: bool, tree: Tree, rover: Touched
) -> None:
    lines = (ROOT / TIMING).read_text().splitlines()
    (place,) = (number for number, text in enumerate(lines) if text.startswith(line))
    if line.startswith("def "):
        while not lines[place].endswith(":"):
            place += 1
        place += 1
        while lines[place].lstrip().startswith('"""'):
            place += 1
        lines.insert(place, "    raise ValueError")
    else:
        lines[place] = lines[place].replace('"time": "', '"time": "not ').replace("= (", "= (1, ")
    assert selects(tree, rover, TIMING, "\n".join(lines)) == touched


@pytest.mark.parametrize("kind", TYPES)
def test_a_part_has_its_own_source(kind: str) -> None:
    """And what a run of this part does not use, other parts do."""
    used = used_parts([kind])
    makes = f"make_{kind}(Workbench"
    (own,) = (file for file in (ROOT / PARTS).glob("*.cpp") if makes in file.read_text())
    assert f"{PARTS}{own.name}" in used
    assert len(used) < len(used_parts(TYPES))
