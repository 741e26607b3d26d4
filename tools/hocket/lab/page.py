"""The page of `hocket lab` as files that a browser takes: built once from tools/lab-page, with npm.

    python -m hocket.lab.page FOLDER     builds it into a folder

An installed tool carries it built (packaging/wheel_page.py). Else it is in build/lab-page: `work` has a copy
of the sources with the packages that npm puts beside them, `page` is what comes of it. Nothing else is
written.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from hocket.builder.lock import locked
from hocket.console import progress
from hocket.errors import HocketError
from hocket.packages import require
from hocket.paths import BUILD, INSTALLED, ROOT

SOURCES = ROOT / "tools" / "lab-page"
CARRIED = ROOT / "lab-page"  # of an installed tool
PLACE = BUILD / "lab-page" / "page"
WORK = BUILD / "lab-page" / "work" / "tools" / "lab-page"

_TAIL = 12  # lines of npm's own words that are shown when it fails


def built() -> Path:
    """The folder of the page; it is built first when its sources have changed."""
    if INSTALLED and (CARRIED / "index.html").is_file():
        return CARRIED
    stamp = PLACE.parent / "built"
    with locked(PLACE.parent):
        sources = sum_of(sorted(path for path in SOURCES.rglob("*") if _is_source(path)))
        if not (PLACE / "index.html").is_file() or _read(stamp) != sources:
            with progress("building the lab's page (once)"):
                build(PLACE)
            stamp.write_text(sources, encoding="utf-8")
    return PLACE


def build(folder: Path) -> None:
    """Builds the page into a folder, which is made anew."""
    require("lab", "the page of `hocket lab`")
    install()
    _run(["node", "build.mjs", str(folder.absolute())], "the page of the lab cannot be built")


def install(*, development: bool = False) -> Path:
    """The sources with their npm packages, in WORK; with those of the checks and tests if `development`."""
    WORK.mkdir(parents=True, exist_ok=True)
    for old in WORK.iterdir():
        if old.name != "node_modules":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    shutil.copytree(
        SOURCES, WORK, ignore=shutil.ignore_patterns("node_modules"), dirs_exist_ok=True
    )
    stamp = WORK / "node_modules" / ".hocket"
    packages = sum_of([WORK / "package-lock.json"])
    enough = {packages + " all"} if development else {packages + " all", packages}
    if _read(stamp) not in enough:
        omit = [] if development else ["--omit=dev"]
        # Packages run no programs of their own while they are installed; package-lock.json has their hashes.
        _run(
            ["npm", "ci", "--ignore-scripts", *omit],
            "the packages of the lab's page cannot be installed",
        )
        stamp.write_text(packages + (" all" if development else ""), encoding="utf-8")
    return WORK


def sum_of(files: list[Path]) -> str:
    """Of the files' names and contents."""
    made = hashlib.sha256()
    for file in files:
        data = file.read_bytes()
        made.update(f"{file.name}\0{len(data)}\0".encode())
        made.update(data)
    return made.hexdigest()


def _is_source(path: Path) -> bool:
    return path.is_file() and "node_modules" not in path.relative_to(SOURCES).parts


def _read(file: Path) -> str | None:
    return file.read_text(encoding="utf-8") if file.is_file() else None


def _run(command: list[str], fact: str) -> None:
    try:
        done = subprocess.run(
            command, cwd=WORK, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", check=False,
        )  # fmt: skip
    except OSError as problem:
        raise HocketError(
            fact, f"{command[0]} does not start: {problem.strerror}", "hocket doctor"
        ) from problem
    if done.returncode != 0:
        lines = (done.stdout + done.stderr).strip().splitlines()[-_TAIL:]
        print("\n".join(lines), file=sys.stderr)
        raise HocketError(
            fact,
            f"the last words of `{' '.join(command[:2])}` are above",
            "mend what they say, check the network, then run the command again",
        )


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print("usage: python -m hocket.lab.page FOLDER", file=sys.stderr)
        return 2
    try:
        with locked(PLACE.parent):
            build(Path(sys.argv[1]))
    except HocketError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
