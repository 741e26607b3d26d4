"""Runs real projects and libraries on simulated boards and checks what they do.

    .venv/bin/python tools/real_projects CHECKOUT…

Each CHECKOUT is a folder that you have: nothing is fetched. Which project it holds is seen from its files.
For each one the folder of its name beside this file has a scenario, and a sketch where the project's own is
not used. A line tells for each board whether the run showed what it must. Exit status: 0 if all did, else 1.
"""

from __future__ import annotations

import cmath
import json
import math
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
HOCKET = HERE.parents[1] / "hocket"
PATIENCE = 1200  # seconds for one run

Report = dict[str, Any]


@dataclass(frozen=True)
class Ran:
    """What a run printed, its report, and the edges at its pins."""

    serial: bytes
    report: Report
    waves: Path


@dataclass(frozen=True)
class Project:
    """marker: a file by which a checkout is known. library: the library's folder in it. example: the sketch
    of the checkout that is run; without one it is that beside the scenario. edits: lines that its users edit
    before they build it, in the file `edited`, as (before, after). check: what is wrong with a run, or
    nothing, where the scenario's expectations cannot say it."""

    name: str
    marker: str
    boards: tuple[str, ...] = ("uno",)
    library: str = "."
    example: str | None = None
    edited: str | None = None
    edits: tuple[tuple[str, str], ...] = ()
    check: Callable[[Ran], str] = lambda _: ""

    @property
    def folder(self) -> Path:
        return HERE / self.name


def msp_answers(data: bytes) -> dict[int, bytes]:
    """The payloads of MultiWii's serial protocol by command, of messages whose checksum is right."""
    found, at = {}, 0
    while (at := data.find(b"$M>", at)) >= 0 and at + 5 < len(data):
        size, command = data[at + 3], data[at + 4]
        message = data[at + 3 : at + 5 + size]
        checksum = 0
        for byte in message:
            checksum ^= byte
        end = at + 5 + size
        if end < len(data) and data[end] == checksum:
            found[command] = message[2:]
        at += 3
    return found


def check_multiwii(ran: Ran) -> str:
    answers = msp_answers(ran.serial)
    lengths = {
        command: len(answers[command]) if command in answers else None
        for command in (100, 101, 102)
    }
    if lengths != {100: 7, 101: 11, 102: 18}:
        return f"MSP messages 100, 101 and 102 have 7, 11 and 18 bytes; there are {lengths}"
    version, kind = answers[100][:2]
    if (version, kind) != (241, 3):
        return f"MSP_IDENT says version {version} and kind {kind}, not 241 and 3"
    turn = int.from_bytes(answers[102][10:12], "little", signed=True)
    # Ten degrees a second, at 16.4 a degree and a quarter of that; the board's axis points down.
    return (
        "" if -44 <= turn <= -38 else f"MSP_RAW_IMU says {turn} for a turn of 10 degrees a second"
    )


def check_colours(ran: Ran) -> str:
    colours = ran.report["parts"]["strip"]["colours"]
    wanted = "ff0000 008000 000040 010203"
    return "" if " ".join(colours.split()) == wanted else f"the strip shows {colours}, not {wanted}"


def check_sent(ran: Ran) -> str:
    sender = ran.report["parts"]["sender"]
    seen = {name: sender[name] for name in ("sent", "repeats", "broken_frames")}
    wanted = {"sent": "10:22", "repeats": 1, "broken_frames": 0}
    return "" if seen == wanted else f"a receiver at pin 3 understands {seen}, not {wanted}"


def edges_of(waves: Path, pin: str) -> list[tuple[float, int]]:
    """When the pin changed (s), and its level from then on."""
    name, now, unit, found = "", 0, 1e-9, list[tuple[float, int]]()
    for line in waves.read_text(encoding="ascii").splitlines():
        words = line.split()
        if words[:1] == ["$timescale"]:
            unit = {"ns": 1e-9, "us": 1e-6, "ps": 1e-12}[words[2]] * int(words[1])
        elif words[:1] == ["$var"] and words[4] == pin:
            name = words[3]
        elif line.startswith("#"):
            now = int(line[1:])
        elif name and line[:1] in "01" and line[1:] == name:
            found.append((now * unit, int(line[0])))
    return found


def phase_of(edges: list[tuple[float, int]], hertz: float, begin: float, end: float) -> float:
    """The phase (degrees) that the part with this frequency has in the pin's level."""
    turn = -2j * math.pi * hertz
    total, high_since = 0j, 0.0 if edges and edges[0][0] > begin and edges[0][1] == 0 else None
    for at, level in [*edges, (end, 0)]:
        now = min(max(at, begin), end)
        if level == 0 and high_since is not None:
            total += cmath.exp(turn * now) - cmath.exp(turn * high_since)
            high_since = None
        elif level == 1 and high_since is None:
            high_since = now
    return math.degrees(cmath.phase(total / turn))


def check_turning(ran: Ran) -> str:
    """Three phases a third of a turn apart, at the speed that is asked for: 20 electrical turns a second."""

    def apart(one: float, other: float) -> float:
        return (one - other + 180) % 360 - 180

    pins = [edges_of(ran.waves, name) for name in ("D9", "D10", "D11")]
    first = [phase_of(edges, 20, 1.2, 1.7) for edges in pins]
    later = [phase_of(edges, 20, 1.7, 2.2) for edges in pins]
    steps = [apart(first[0], first[1]), apart(first[1], first[2]), apart(first[2], first[0])]
    if any(abs(step - 120) > 25 for step in steps):
        return f"the phases are {', '.join(f'{step:.0f}' for step in steps)} degrees apart, not 120"
    drift = max(abs(apart(was, now)) for was, now in zip(first, later, strict=True))
    return (
        f"the field turned by {drift:.0f} degrees too far or too little in 0.5 s"
        if drift > 15
        else ""
    )


PROJECTS = (
    Project("grbl", "grbl/grbl.h", library="grbl", example="grbl/examples/grblUpload"),
    Project(
        "multiwii",
        "MultiWii.ino",
        edited="config.h",
        edits=(("//#define QUADX", "#define QUADX"), ("//#define GY_521 ", "#define GY_521 ")),
        check=check_multiwii,
    ),
    Project("freertos", "src/Arduino_FreeRTOS.h"),
    Project("accelstepper", "src/AccelStepper.h", ("uno", "sim")),
    Project("stepper", "src/Stepper.h", ("uno", "sim")),
    Project("fastled", "src/FastLED.h", ("uno", "sim"), check=check_colours),
    Project("neopixel", "Adafruit_NeoPixel.h", ("uno", "sim", "virt"), check=check_colours),
    Project("ethernet", "src/Ethernet.h", ("uno", "sim"), example="examples/WebClient"),
    Project("irremote", "src/IRremote.hpp", ("uno", "sim", "virt"), check=check_sent),
    Project("simplefoc", "src/SimpleFOC.h", ("uno", "sim"), check=check_turning),
)


def project_of(checkout: Path) -> Project | None:
    return next((each for each in PROJECTS if (checkout / each.marker).is_file()), None)


def prepared(project: Project, checkout: Path, folder: Path) -> Path:
    """The sketch that is run, in `folder`, with the checkout's library beside it. The checkout stays."""
    libraries = folder / "libraries"
    libraries.mkdir()
    library = (checkout / project.library).resolve()
    sketch = folder / project.name
    if project.edited is not None:
        sketch = folder / Path(project.marker).stem
        shutil.copytree(checkout, sketch, ignore=shutil.ignore_patterns(".git"))
        edited = sketch / project.edited
        text = edited.read_text(encoding="latin-1")
        for before, after in project.edits:
            text = text.replace(before, after)
        edited.write_text(text, encoding="latin-1")
        return sketch
    (libraries / library.name).symlink_to(library)
    if project.example is not None:
        sketch = folder / Path(project.example).name
        shutil.copytree(checkout / project.example, sketch)
    else:
        shutil.copytree(project.folder, sketch)
    return sketch


def wrong_with(project: Project, checkout: Path, board: str) -> str:
    """Nothing where the run shows what it must."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sketch = prepared(project, checkout, folder)
        scenario, report = folder / "scenario.yaml", folder / "report.json"
        shutil.copyfile(project.folder / "scenario.yaml", scenario)
        words: list[str | Path] = [HOCKET, "run", sketch, "--board", board, "--scenario", scenario]
        waves = folder / "waves.vcd"
        words += ["--json", report, "--vcd", waves]
        done = subprocess.run(words, capture_output=True, timeout=PATIENCE, check=False)
        if done.returncode != 0:
            return first_reason(done.stderr.decode("utf-8", "replace"))
        return project.check(
            Ran(done.stdout, json.loads(report.read_text(encoding="utf-8")), waves)
        )


def first_reason(said: str) -> str:
    """The first error, or what the scenario expected and did not see."""
    lines = [line for line in said.splitlines() if line.strip()]
    for line in lines:
        if " error: " in line or ("scenario.yaml:" in line and "hocket:" in line):
            return line
    return lines[-1] if lines else "it ended without a word"


def main(names: list[str]) -> int:
    if not names:
        print("usage: .venv/bin/python tools/real_projects CHECKOUT…", file=sys.stderr)
        return 2
    good = True
    for name in names:
        checkout = Path(name).resolve()
        project = project_of(checkout)
        if project is None:
            print(f"{name}: none of {', '.join(each.name for each in PROJECTS)}")
            good = False
            continue
        for board in project.boards:
            wrong = wrong_with(project, checkout, board)
            good = good and not wrong
            print(f"{project.name:13}{board:5}{f'fails: {wrong}' if wrong else 'runs'}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
