"""PlatformIO Core builds, runs and tests a project for Hocket's boards, without a network.

The project has two tabs, two loops, a library and a header of its own, and a library of the box.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.campaign import long_form
from tests.commands import PATIENCE, Done, apart, run_hocket

FILES = {
    "platformio.ini": (
        "[env]\nplatform = hocket\nframework = arduino\ntest_framework = custom\n"
        "[env:sim]\nboard = sim\nboard_build.cores = 2\nboard_upload.time = 250ms\n"
        "build_flags = -DSTEP=1000\n"
        "[env:uno]\nboard = uno\nupload_protocol = simulator\nboard_upload.time = 250ms\n"
    ),
    "include/step.h": "#pragma once\n#ifndef STEP\n#define STEP 3000\n#endif\n",
    "lib/Twice/include/Twice.h": "#pragma once\nint twice(int value);\n",
    "lib/Twice/src/Twice.cpp": '#include "Twice.h"\nint twice(int value) { return 2 * value; }\n',
    "src/main.ino": (
        "#include <Servo.h>\n#include <Twice.h>\n#include <step.h>\nServo arm;\n"
        "void setup() { Serial.begin(115200); arm.attach(9); show(STEP); }\n"
        "void loop(1, 10, 100) { static int rounds; show(twice(++rounds)); delay(100); }\n"
        "void loop(2, 20, 100) { arm.write(angle(millis())); delay(40); }\n"
        "void show(int value) { Serial.println(value); }\n"
    ),
    "src/angle.ino": "int angle(unsigned long time) { return time / 10 % 180; }\n",
    "test/test_lamp/test_lamp.ino": (
        "#include <Twice.h>\n"
        "void setup() { Serial.begin(115200); pinMode(13, OUTPUT); }\n"
        "void loop(1, 10, 100) {\n  if (twice(2) == 4) digitalWrite(13, HIGH);\n  delay(100);\n}\n"
    ),
    "test/test_lamp/scenario.yaml": (
        "for: 100 ms\nparts:\n  lamp: {type: led, pin: 13}\nexpect:\n"
        "  - {part: lamp, is: lit, by: 10 ms}\n"
    ),
}


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """PlatformIO's core folder: Hocket's platform, and SCons where PlatformIO would have put it."""
    folder = tmp_path_factory.mktemp("core")
    said = subprocess.run(
        [sys.executable, "-c", "from platformio.dependencies import get_core_dependencies as all\n"
         "print(all()['tool-scons'].lstrip('~'))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    version = said.stdout.strip()
    scons = folder / "packages" / "tool-scons"
    scons.mkdir(parents=True)
    (scons / "scons.py").write_text("from SCons.Script import main\nmain()\n")
    (scons / "package.json").write_text(json.dumps({"name": "tool-scons", "version": version}))
    spec = {"owner": "platformio", "name": "tool-scons"}
    owned = {"type": "tool", "name": "tool-scons", "version": version, "spec": spec}
    (scons / ".piopm").write_text(json.dumps(owned))
    install = run_hocket("platformio", "install", environment={"PLATFORMIO_CORE_DIR": str(folder)})
    assert install.returncode == 0, install.stderr
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "my duo"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    prepared = run_hocket("platformio", "tests", folder)
    assert prepared.returncode == 0, prepared.stderr
    return folder


def pio(core: Path, project: Path, *words: str | Path) -> Done:
    nowhere = "http://127.0.0.1:9"
    done = subprocess.run(
        [sys.executable, "-m", "platformio", *map(str, words)],
        cwd=project,
        env=os.environ
        | {
            "PLATFORMIO_CORE_DIR": str(core),
            "PLATFORMIO_SETTING_ENABLE_TELEMETRY": "no",
            "http_proxy": nowhere,
            "https_proxy": nowhere,
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    said, progress = apart(done.stderr)
    return Done(done.returncode, done.stdout, said, progress)


def test_the_hex_is_that_of_hocket_build(core: Path, project: Path) -> None:
    (project / "include" / "step.h").write_text("#pragma once\n#define STEP 3000\n")
    done = pio(core, project, "run", "-e", "uno")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    for name in ("lib/Twice", "include/step.h"):  # where `hocket build` looks
        place = project / ("libraries/Twice" if name == "lib/Twice" else "src/step.h")
        place.parent.mkdir(exist_ok=True)
        (project / name).rename(place)
    own = project / "own.hex"
    main = project / "src" / "main.ino"
    main.rename(project / "src" / "src.ino")  # a sketch's folder has its name
    built = run_hocket("build", project / "src", "--board", "uno", "-o", own)
    assert built.returncode == 0, built.stderr
    assert (project / ".pio/build/uno/firmware.hex").read_bytes() == own.read_bytes()


@long_form
def test_an_upload_runs_on_the_simulated_board(core: Path, project: Path) -> None:
    done = pio(core, project, "run", "-t", "upload")
    assert done.returncode == 0, done.stderr
    assert "\n1000\n2\n4\n6\nmy duo on sim: 2 cores, 250 ms of virtual time" in done.stdout
    assert "\n3000\n2\n4\n6\nmy duo on uno: 1 core, 250 ms" in done.stdout


@long_form
def test_errors_point_into_the_project(core: Path, project: Path) -> None:
    main = project / "src" / "main.ino"
    main.write_text("void setup() {}\nvoid loop(1, 10, 100) {\n  nothing();\n}\n")
    done = pio(core, project, "run", "-e", "sim")
    assert done.returncode != 0
    assert "src/main.ino:3:3: error: use of undeclared identifier 'nothing'" in done.stderr
    main.write_text("#include <Gone.h>\nvoid setup() {}\nvoid loop() {}\n")
    done = pio(core, project, "run", "-e", "sim")
    assert done.returncode != 0
    assert "next:  put the library that has it into lib/, or name it in lib_deps" in done.stderr
    text = "void setup() {}\nvoid loop(1, 70, 100) {}\nvoid loop(2, 60, 100) {}\n"
    main.write_text(text)
    done = pio(core, project, "run", "-e", "uno")
    assert done.returncode != 0
    assert "src/main.ino:3:1: error: refused: loop 2 asks for 60 ms in every 100 ms" in done.stderr
    assert "\n  next:  ask for a smaller C or a longer T (" in done.stderr
    assert "more cores" not in done.stderr  # an Uno has one
    main.write_text(text.replace("60", "80") + "void loop(3, 60, 100) {}\n")
    done = pio(core, project, "run", "-e", "sim")
    assert done.returncode != 0
    assert "or give it more cores (board_build.cores = 3 in platformio.ini)" in done.stderr
    for file in (project / "src").iterdir():
        file.unlink()
    done = pio(core, project, "run", "-e", "sim")
    assert done.returncode != 0
    assert "error: the project has no sketch" in done.stderr


@long_form
def test_a_scenarios_expectations_are_cases(core: Path, project: Path) -> None:
    done = pio(core, project, "test", "-e", "sim")
    case = "test/test_lamp/scenario.yaml:5: lamp was to be lit by 10 ms\t[{}]"
    assert done.returncode == 0, done.stdout
    assert case.format("PASSED") in done.stdout
    assert "1 test cases: 1 succeeded" in done.stdout
    sketch = project / "test/test_lamp/test_lamp.ino"
    sketch.write_text(sketch.read_text().replace("== 4", "== 5"))
    done = pio(core, project, "test", "-e", "sim")
    assert done.returncode == 1
    assert "lit by 10 ms: it was dark until the run's end at 100 ms\t[FAILED]" in done.stdout
    sketch.write_text("void setup() {}\nvoid loop(1, 10, 100) { *(volatile int*)8 = 1; }\n")
    done = pio(core, project, "test", "-e", "sim")
    assert done.returncode == 1
    assert "run: fault: loop 1: bad access (test_lamp/test_lamp.ino:2" in done.stdout
    (project / "test/test_lamp/scenario.yaml").unlink()
    done = pio(core, project, "test", "-e", "sim")
    assert done.returncode == 1
    assert "1 test cases: 1 failed" in done.stderr


@long_form
def test_an_editor_learns_how_each_source_is_compiled(core: Path, project: Path) -> None:
    done = pio(core, project, "run", "-e", "uno", "-t", "compiledb")
    assert done.returncode == 0, done.stderr
    entries = json.loads((project / "compile_commands.json").read_text())
    files = {Path(entry["file"]).name: entry["arguments"] for entry in entries}
    assert {"main.ino", "angle.ino", "Twice.cpp"} <= set(files)
    for folder in ("include", "lib/Twice/include"):
        assert f"-I{project / folder}" in files["main.ino"]
    checked = subprocess.run(
        [*files["Twice.cpp"], "-fsyntax-only"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


def test_a_hocket_that_has_moved_is_told(core: Path, project: Path) -> None:
    place = core / "platforms/hocket/place.json"
    text = place.read_text()
    try:
        place.write_text(json.dumps({"hocket": "/nowhere/hocket"}))
        done = pio(core, project, "run", "-e", "sim")
    finally:
        place.write_text(text)
    assert done.returncode != 0
    assert "error: /nowhere/hocket does not start: No such file or directory" in done.stderr
    assert "next:  run `hocket platformio install` of the copy that is there" in done.stderr
