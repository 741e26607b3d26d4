"""A copied folder of a board, with other pins or more memory, is a board: no other line names it
(docs/porting/board.md)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests import own_boards
from tests.sketches import kept

from hocket.boards import BOARDS_FOLDER
from hocket.paths import BUILD, ROOT

LONG = os.environ.get("HOCKET_LONG") == "1"
# In build/, so that the boards' builds are found again by the next run of the tests.
OWN = BUILD / "boards-of-tests"
# By name: the board that was copied, and the lines that differ.
COPIES = {
    "mine_avr": (
        "uno",
        {
            "full_name": '"My board"',
            "what": '"an ATmega328P with its LED on pin 7"',
            "place": "1_001",
            "led_pin": "7",
            "pwm_pins": '"3, 5"',
            "picture": None,
            "tried": None,
        },
    ),
    # No boot loader, no PWM, fewer inputs, and no key that is not needed.
    "mine_few": (
        "uno",
        {
            "full_name": '"My few pins"',
            "place": "1_003",
            "led_pin": "7",
            "analog_inputs": "4",
            "pwm_pins": '""',
            **dict.fromkeys(
                [
                    *("packages", "debugger", "tried", "watched", "wired", "policies", "picture"),
                    *("vendor", "url", "usb_ids", "programmed", "boot_rates", "clock_pwm_pins"),
                    *("tone_pwm_pins", "i2c_pins", "serial_pins", "spi_pins", "busy_pins"),
                ]
            ),
        },
    ),
    "mine_arm": (
        "virt",
        {
            "full_name": '"My 64-bit board"',
            "place": "1_002",
            "ram_size": "0x1000_0000",
            "kernel_tests": None,
            "tried": None,
        },
    ),
}


@pytest.fixture(scope="module", autouse=True)
def copies_of_boards() -> None:
    """Writes the copies, and only what has changed: else their builds would be configured again."""
    for name, (copied, changes) in COPIES.items():
        for file in sorted((BOARDS_FOLDER / copied).rglob("*")):
            if not file.is_file():
                continue
            place = OWN / name / file.relative_to(BOARDS_FOLDER / copied)
            text = file.read_text(encoding="utf-8")
            if file.name == "board.toml":
                text = changed(text, changes)
            if file.name == "pins_arduino.h" and (inputs := changes.get("analog_inputs")):
                text = text.replace("NUM_ANALOG_INPUTS 6", f"NUM_ANALOG_INPUTS {inputs}")
            if not place.is_file() or place.read_text(encoding="utf-8") != text:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, encoding="utf-8")


def changed(text: str, changes: dict[str, str | None]) -> str:
    for key, value in changes.items():
        line = "" if value is None else f"{key} = {value}\n"
        text, count = re.subn(rf"^{key} = .*\n", line, text, flags=re.M)
        assert count == 1, key
    return text


def started(*command: str | Path) -> subprocess.CompletedProcess[str]:
    environment = own_boards.environment() | {"HOCKET_BOARDS": str(OWN)}
    return subprocess.run(
        [str(word) for word in command],
        env=environment, cwd=ROOT, capture_output=True, text=True, timeout=1800, check=False,
    )  # fmt: skip


def command(board: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a command for the board: with its own libraries in the long form only."""
    program = ["-m", "hocket"] if LONG else ["-m", "tests.own_boards", COPIES[board][0]]
    return started(sys.executable, *program, *words, "--board", board)


def run(board: str, sketch: Path, tmp_path: Path) -> tuple[str, dict[str, Any]]:
    done = command(board, "run", sketch, "--for", "1s", "--json", tmp_path / "report.json")
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))


LAMP = """\
void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
  Serial.begin(115200);
  Serial.println(LED_BUILTIN);
}
void loop(1, 2, 50) {
  digitalWrite(LED_BUILTIN, !digitalRead(LED_BUILTIN));
  delay(40);
}
"""
PARTS = "parts:\n  lamp: {type: led, pin: LED_BUILTIN}\n  eye: {type: led, pin: %s}\n"


def test_other_pins_on_an_avr(tmp_path: Path) -> None:
    sketch = kept("lamp", LAMP)
    scenario = sketch / "scenario.yaml"
    scenario.write_text(PARTS % "13", encoding="utf-8")
    serial, report = run("mine_avr", sketch, tmp_path)
    assert serial.startswith("7\n")
    assert report["board"] == "mine_avr"
    lamp, eye = report["parts"]["lamp"], report["parts"]["eye"]
    assert (lamp["edges"] >= 18, eye["edges"]) == (True, 0)


FEW = """\
void setup() {
  Serial.begin(115200);
  Serial.println(NUM_ANALOG_INPUTS);
  Serial.println(analogRead(A3));
#ifdef A4
  Serial.println("A4");
#endif
}
void loop() {}
"""


def test_fewer_inputs_and_no_boot_loader(tmp_path: Path) -> None:
    sketch = kept("few", FEW)
    (sketch / "scenario.yaml").write_text(
        "parts: {knob: {type: potentiometer, pin: A3, position: 50 %}}\n", encoding="utf-8"
    )
    serial, _ = run("mine_few", sketch, tmp_path)
    assert serial.split()[:2] == ["4", "512"]
    assert "A4" not in serial


MEMORY = """\
void setup() {
  Serial.begin(115200);
  char* room = static_cast<char*>(malloc(100 << 20));
  for (long i = 0; room != nullptr && i < 100 << 20; i += 1 << 20) room[i] = 1;
  Serial.println(room != nullptr ? "room" : "no room");
}
void loop() { delay(500); }
"""


def test_more_memory_on_an_aarch64(tmp_path: Path) -> None:
    serial, report = run("mine_arm", kept("memory", MEMORY), tmp_path)
    assert (serial.splitlines()[0], report["board"]) == ("room", "mine_arm")


LISTS = """\
import json, sys
from hocket.arduino.menu import ide_boards, platformio_boards
from hocket.boards import BOARDS, boards_with
from hocket.boards_page import boards_table
from hocket.cli.values import complete_board
from hocket.running.request import WATCHED
from hocket.scenario.boards import BOARDS as PINS
from hocket.scenario.structure import schema

json.dump({
    "schema": schema()["properties"]["board"]["enum"],
    "completion": [name for name, _ in complete_board("m")],
    "IDE": ide_boards("avr8"),
    "PlatformIO": sorted(platformio_boards()),
    "page": boards_table(BOARDS),
    "watched": WATCHED,
    "programmed": boards_with("programmed"),
    "tried": boards_with("tried"),
    "led": PINS["mine_avr"].pin("LED_BUILTIN"),
    "pwm": PINS["mine_avr"].pins_with("pwm"),
}, sys.stdout)
"""


def test_it_is_in_every_list() -> None:
    done = started(sys.executable, "-c", LISTS)
    assert done.returncode == 0, done.stderr
    lists = json.loads(done.stdout)
    ours = ["sim", "virt", "uno", "nano", "mega", "rpi3"]
    assert lists["schema"] == [*ours, "mine_avr", "mine_arm", "mine_few"]
    assert lists["completion"] == ["mega", "mine_avr", "mine_arm", "mine_few"]
    assert "mine_avr.name=My board (Hocket)\n" in lists["IDE"]
    assert {"mine_avr", "mine_arm"} < set(lists["PlatformIO"])
    assert (
        "| `mine_avr` | My board | 1 | none | 0 to 13, A0 to A5 | 3, 5 | a serial port |"
        in lists["page"]
    )
    assert "| `mine_arm` | My 64-bit board | 1 to 8 |" in lists["page"]
    assert (lists["watched"], lists["programmed"]) == (
        ["sim", "uno", "nano", "mega", "mine_avr"],
        ["uno", "nano", "mega", "mine_avr"],
    )
    assert lists["tried"] == ["sim", "virt", "uno"]
    assert (lists["led"], lists["pwm"]) == (7, "3, 5")


def test_the_commands_know_it() -> None:
    shown = started(ROOT / "hocket", "boards")
    last = shown.stdout.splitlines()[-3:]
    assert [line.split()[0] for line in last] == ["mine_avr", "mine_arm", "mine_few"]
    assert re.search(r"^mine_avr  1 +an ATmega328P with its LED on pin 7$", shown.stdout, re.M)
    help_ = started(ROOT / "hocket", "flash", "--help").stdout
    assert "mine_avr" in help_


def test_a_wrong_description_stops_every_command_with_its_place(tmp_path: Path) -> None:
    shutil.copytree(OWN / "mine_avr", tmp_path / "wrong")
    file = tmp_path / "wrong" / "board.toml"
    file.write_text(file.read_text(encoding="utf-8") + "colour = 3\n", encoding="utf-8")
    lines = len(file.read_text(encoding="utf-8").splitlines())
    done = subprocess.run(
        [ROOT / "hocket", "boards"],
        env=os.environ | {"HOCKET_BOARDS": str(tmp_path)},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith(f"hocket: {file}:{lines}: ")
    assert "the key colour is unknown" in done.stderr
    assert "Traceback" not in done.stderr
