"""A folder includes only what the table in CONTRIBUTING.md allows it.

A file belongs to the row that names the longest part of its path; it may include its own row's folders and
those of the last column: paths, `all`, or `all but` some. What a board or a build supplies by name alone
(`"board.h"`) has no folder, so such names are listed here, with who may ask for them.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from hocket.paths import ROOT

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
SOURCES = {".h", ".cpp", ".S", ".inc"}
QUOTED = re.compile(r"`([^`]+)`")
# What is read: the product. Tests and experiments include what they examine.
PRODUCT = (
    *(
        "kernel",
        "admission",
        "policies",
        "ports",
        "drivers",
        "boards",
        "arduino",
        "hybrid",
        "simulation",
    ),
)
# Where the compiler looks for Arduino's headers besides the tree and the file's own folder.
ARDUINO = ("arduino", "arduino/api", "arduino/compat")
# Chosen by the board or the program: name → the folders that may ask for it.
SUPPLIED = {
    "board.h": (
        "arduino/cores/protected/",
        "arduino/surroundings/",
        "arduino/cores/aarch64/",
        "boards/",
        "simulation/machine/",
    ),
    "controller.h": ("boards/", "ports/aarch64/"),
    "costs.h": ("boards/virt/", "simulation/machine/"),
    "exception_level.h": ("arduino/cores/aarch64/", "ports/aarch64/"),
    "exception_level.inc": ("arduino/cores/aarch64/", "ports/aarch64/"),
    "spare_timer.h": ("arduino/cores/aarch64/",),
    "user_call.h": ("arduino/cores/aarch64/",),
    "processor.h": ("arduino/cores/protected/", "arduino/surroundings/native/"),
    "handler_call.h": ("arduino/cores/protected/", "arduino/surroundings/"),
    "user_level.h": ("arduino/cores/protected/",),
    "address_space.h": ("arduino/cores/protected/",),
    "native_devices.h": ("arduino/surroundings/",),
    "own_devices.h": ("arduino/cores/protected/",),
    "surroundings.h": ("arduino/cores/protected/", "arduino/surroundings/"),
    "event_log.h": ("arduino/cores/protected/",),
    "board_kernel.h": (
        "arduino/runtime/",
        "arduino/cores/protected/",
        "arduino/surroundings/",
        "arduino/cores/aarch64/",
        "simulation/machine/",
    ),
    "alarms.h": ("arduino/cores/protected/",),
    "board_alarms.h": ("arduino/hocket/",),
    "board_clock.h": ("arduino/runtime/",),
    "board_loops.h": ("arduino/runtime/",),
    "board_pins.h": (
        "boards/sim/",
        "simulation/machine/",
        "arduino/cores/protected/",
        "arduino/surroundings/",
    ),
    "generator.h": ("arduino/surroundings/",),
    "peer_pins.h": ("arduino/surroundings/",),
    "board_spinlock.h": ("arduino/hocket/", "arduino/cores/protected/"),
    "board_tick.h": ("arduino/hocket/",),
    "board_sync.h": ("arduino/hocket/", "arduino/cores/protected/"),
    "pins_arduino.h": ("arduino/",),
    "pin_interrupts.h": ("arduino/variants/avr8/",),
    "uno_interrupts_vcpu.h": ("arduino/hocket/",),
}


# The folders of arduino/ from below: a file includes its own layer and those below it. What is chosen by name
# (SUPPLIED) is configuration that a layer asks of those above it, and has a contract where it is asked for.
LAYERS = (
    ("arduino/runtime/",),
    ("arduino/api/", "arduino/compat/", "arduino/hocket/", "arduino/"),  # what sketches see
    ("arduino/cores/avr8/", "arduino/cores/protected/"),  # the protection models
    ("arduino/surroundings/",),
    ("arduino/cores/aarch64/",),  # a processor under one of them
    ("arduino/variants/", "arduino/libraries/", "arduino/stand_ins/"),  # of chips and sketches
)


def layer_of(path: str) -> int:
    fitting = [(len(f), i) for i, row in enumerate(LAYERS) for f in row if path.startswith(f)]
    return max(fitting)[1]


# Files that take the place of a library's: they include that library's headers.
STAND_INS = "arduino/stand_ins/"


@dataclass(frozen=True)
class Row:
    folders: tuple[str, ...]
    allowed: tuple[str, ...]
    forbidden: tuple[str, ...]

    def allows(self, path: str) -> bool:
        if path.startswith(self.folders):
            return True
        return path.startswith(self.allowed) and not path.startswith(self.forbidden)


def rows(text: str) -> list[Row]:
    """The rows of the table of folders that say what these may include."""
    found = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        folders = tuple(QUOTED.findall(cells[0]))
        if len(cells) != 3 or not folders or not line.startswith("| `"):
            continue
        if cells[2].startswith("all"):
            found.append(Row(folders, ("",), tuple(QUOTED.findall(cells[2])) or ("/",)))
        else:
            found.append(Row(folders, tuple(QUOTED.findall(cells[2])), ()))
    return found


def row_of(path: str, table: list[Row]) -> Row | None:
    fitting = [(len(f), row) for row in table for f in row.folders if path.startswith(f)]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None


def resolved(name: str, by: Path, root: Path) -> str | None:
    """The file that an include means, as a path in the tree."""
    for folder in (root, by.parent, *(root / more for more in ARDUINO)):
        if (folder / name).is_file():
            return os.path.relpath((folder / name).resolve(), root)
    return None


def wrong_includes(root: Path, table: list[Row]) -> list[str]:
    found = []
    for top in PRODUCT:
        for file in sorted((root / top).rglob("*")):
            if file.suffix in SOURCES:
                found += wrong_in(file, root, table)
    return found


def wrong_in(file: Path, root: Path, table: list[Row]) -> list[str]:
    path, found = str(file.relative_to(root)), []
    row = row_of(path, table)
    if row is None:
        return [f"{path}: is in no row of the table"]
    for name in INCLUDE.findall(file.read_text()):
        target = resolved(name, file, root)
        if target is None:
            if path.startswith(STAND_INS):
                continue  # of the library in which it stands
            if not path.startswith(SUPPLIED.get(name, ("/",))):
                found.append(f'{path}: there is no "{name}"')
        elif not row.allows(target):
            found.append(f"{path}: may not include {target}")
    return found


def test_folders_include_what_the_table_allows() -> None:
    table = rows((ROOT / "CONTRIBUTING.md").read_text())
    assert len(table) > 10
    assert wrong_includes(ROOT, table) == []


def wrong_layers(root: Path) -> list[str]:
    found = []
    for file in sorted((root / "arduino").rglob("*")):
        if file.suffix not in SOURCES:
            continue
        path = str(file.relative_to(root))
        for name in INCLUDE.findall(file.read_text()):
            target = resolved(name, file, root)
            if target and target.startswith("arduino/") and layer_of(target) > layer_of(path):
                found.append(f"{path}: goes up to {target}")
    return found


def test_no_include_of_arduino_goes_up() -> None:
    assert wrong_layers(ROOT) == []
    used = {layer_of(str(file.relative_to(ROOT))) for file in (ROOT / "arduino").rglob("*.h")}
    assert used == set(range(len(LAYERS)))


@pytest.mark.parametrize(
    ("file", "includes", "goes_up"),
    [
        ("arduino/runtime/a.h", "arduino/runtime/b.h", False),
        ("arduino/api/a.h", "arduino/runtime/b.h", False),
        ("arduino/runtime/a.h", "arduino/api/b.h", True),
        ("arduino/api/a.h", "arduino/cores/avr8/b.h", True),
        ("arduino/cores/protected/a.h", "arduino/surroundings/b.h", True),
        ("arduino/cores/aarch64/a.h", "arduino/cores/protected/b.h", False),
    ],
)
def test_an_include_that_goes_up_is_found(
    file: str, includes: str, goes_up: bool, tmp_path: Path
) -> None:
    for name in (includes, file):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / file).write_text(f'#include "{includes}"\n')
    assert wrong_layers(tmp_path) == ([f"{file}: goes up to {includes}"] if goes_up else [])


TABLE = """
| folder | holds | may include |
|---|---|---|
| `kernel/` | x | `kernel/`, `ports/` |
| `ports/` | x | |
| `boards/`, `drivers/` | x | all but `simulation/` |
| `boards/own/`, `simulation/` | x | all |
"""


@pytest.mark.parametrize(
    ("file", "includes", "says"),
    [
        ("kernel/a.h", "ports/p.h", ""),
        ("kernel/a.h", "boards/b.h", "kernel/a.h: may not include boards/b.h"),
        ("ports/p.h", "kernel/a.h", "ports/p.h: may not include kernel/a.h"),
        ("boards/b.h", "drivers/d.h", ""),
        ("boards/b.h", "simulation/s.h", "boards/b.h: may not include simulation/s.h"),
        ("boards/own/o.h", "simulation/s.h", ""),
        ("kernel/a.h", "away.h", 'kernel/a.h: there is no "away.h"'),
        ("arduino/s.h", "kernel/a.h", "arduino/s.h: is in no row of the table"),
    ],
)
def test_what_is_not_allowed_is_found(file: str, includes: str, says: str, tmp_path: Path) -> None:
    for name in (
        "kernel/a.h",
        "ports/p.h",
        "boards/b.h",
        "boards/own/o.h",
        "drivers/d.h",
        "simulation/s.h",
        file,
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / file).write_text(f'#include "{includes}"\n')
    assert wrong_includes(tmp_path, rows(TABLE)) == ([says] if says else [])
