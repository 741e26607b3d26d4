"""`hocket platformio install`: puts Hocket's platform where PlatformIO looks for platforms.

CORE/platforms/hocket/
    HOCKET.txt                     marks the folder as Hocket's, so that it may be removed
    boards/                        from the boards' descriptions
    platform.json, platform.py, builder/
                                   copies of arduino/platformio/: they can report that this hocket has moved
    place.json                     the path of this hocket
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from hocket.arduino.menu import platformio_boards
from hocket.arduino.own_folder import begin, uninstall
from hocket.arduino.platform import started_by
from hocket.errors import HocketError, shorten
from hocket.paths import ROOT

DESCRIPTION = ROOT / "arduino" / "platformio"
_RUNNER = "test_custom_runner.py"
_MARK = (
    "The boards of Hocket, for PlatformIO. `hocket platformio install` made this folder;\n"
    "`hocket platformio uninstall` removes it.\n"
)
_NEXT = "set PLATFORMIO_CORE_DIR to PlatformIO's core folder (`pio system info` prints it)"


def install_command() -> int:
    folder, command = platform_folder(), started_by("PlatformIO")
    try:
        begin(folder, _MARK)
        left_out = shutil.ignore_patterns("__pycache__", _RUNNER)
        shutil.copytree(DESCRIPTION, folder, ignore=left_out, dirs_exist_ok=True)
        (folder / "boards").mkdir()
        for name, text in platformio_boards().items():
            (folder / "boards" / f"{name}.json").write_text(text, encoding="utf-8")
        place = json.dumps({"hocket": str(command)})
        (folder / "place.json").write_text(place, encoding="utf-8")
    except OSError as problem:
        raise HocketError(
            "the platform cannot be written", problem.strerror or str(problem), _NEXT, folder
        ) from problem
    print(f"installed the platform hocket in {folder}")
    print("next: in a new folder, pio project init --board sim")
    return 0


def uninstall_command() -> int:
    uninstall(platform_folder(), "the platform", _NEXT)
    return 0


def runner_command(project: Path) -> int:
    """Puts the test runner into a project's folder `test`."""
    if not (project / "platformio.ini").is_file():
        raise HocketError(
            f"{project} is not a project of PlatformIO",
            "it has no platformio.ini",
            "name its folder",
        )
    runner = project / "test" / _RUNNER
    text = (DESCRIPTION / _RUNNER).read_text(encoding="utf-8")
    if runner.is_file() and runner.read_text(encoding="utf-8") != text:
        raise HocketError(
            "the project has a test runner already",
            "",
            "move it away, if it is no longer needed",
            runner,
        )
    runner.parent.mkdir(exist_ok=True)
    runner.write_text(text, encoding="utf-8")
    print(f"wrote {shorten(runner)}")
    print("next: in platformio.ini, write test_framework = custom below [env]")
    return 0


def platform_folder() -> Path:
    """Returns PlatformIO's folder of platforms: PLATFORMIO_PLATFORMS_DIR, PLATFORMIO_CORE_DIR, else
    ~/.platformio."""
    core = Path(os.environ.get("PLATFORMIO_CORE_DIR") or Path.home() / ".platformio")
    platforms = os.environ.get("PLATFORMIO_PLATFORMS_DIR") or core / "platforms"
    return Path(platforms).expanduser().absolute() / "hocket"
