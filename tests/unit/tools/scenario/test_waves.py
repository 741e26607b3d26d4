"""The wave file as sigrok reads it, and the whole way from YAML to facts."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from hocket.scenario import load

SCENARIO = """\
parts:
  clock: {type: generator, pin: 7, frequency: 10 kHz, duty: 30 %}
  line: {type: wire, pins: [7, 30]}
  watch: {type: probe, pin: 30}
  knob: {type: potentiometer, pin: A0, position: [{at: 0 s, is: 0 %}, {at: 10 ms, is: 100 %}]}
"""

SCRIPT = """\
0 mode 13 1
0 pwm 9 64 256
1000000 write 13 1
3000000 write 13 0
5000000 analog 54 10
10000000 finish
"""


def run(program: Path, flat: str, script: str, folder: Path, seed: int = 1) -> tuple[str, Path]:
    file, waves = folder / "flat.txt", folder / "waves.vcd"
    file.write_text(flat)
    done = subprocess.run(
        [program, file, waves, str(seed)], input=script, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, waves


def sigrok(waves: Path, *options: str) -> str:
    done = subprocess.run(
        ["sigrok-cli", "-I", "vcd", "-i", waves, *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_sigrok_reads_the_levels(
    device_script: Path, write: Callable[[str], Path], tmp_path: Path
) -> None:
    output, waves = run(device_script, load(write(SCENARIO)), SCRIPT, tmp_path)
    facts = json.loads(output.splitlines()[1])
    assert output.splitlines()[0] == "512"
    assert facts["watch"]["rising"] == 101  # 0, 100 µs, …, 10 ms
    assert facts["watch"]["duty_percent"] == 30
    shown = sigrok(waves, "--show")
    for name in ("D7", "D9", "D13", "D30", "A0", "watch_pin", "clock_pin", "line_level"):
        assert f"- {name}: logic" in shown
    # One sample per nanosecond, thinned to one per 10 µs.
    text = subprocess.run(
        [
            "sigrok-cli",
            "-I",
            "vcd:downsample=10000",
            "-i",
            waves,
            "-C",
            "D13,D7",
            "-O",
            "csv:header=false",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    samples = [line.split(",") for line in text.splitlines() if line and line[0] in "01"]
    assert len(samples) >= 1000
    lit = [index for index, sample in enumerate(samples) if sample[1] == "1" or sample[0] == "1"]
    assert lit
    columns = list(zip(*samples, strict=True))
    high = sorted(column.count("1") for column in columns)
    assert abs(high[0] - 200) <= 1  # D13: 2 ms
    assert abs(high[1] - 300) <= 1  # D7: 30 % of 10 ms


def test_runs_repeat_to_the_byte(
    device_script: Path, write: Callable[[str], Path], tmp_path: Path
) -> None:
    flat = load(write(SCENARIO))
    results = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        output, waves = run(device_script, flat, SCRIPT, folder)
        results.append((output, waves.read_bytes()))
    assert results[0] == results[1]
