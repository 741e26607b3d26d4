"""`hocket doctor`: lists every tool with its version, and how to install what is missing."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from hocket import __version__
from hocket.packages import Package, groups, install_command, packages
from hocket.paths import BUILD, INSTALLED, ROOT
from hocket.tables import print_table


def doctor_command() -> int:
    """Returns 0 if all commands can run, 2 if something that `run` needs is missing. Other missing tools are
    warnings."""
    needed_by = groups()
    rows, missing = [], []
    for package in packages():
        if INSTALLED and package.group in ("any", "test"):
            continue  # an installed Hocket includes its Python packages, and has no test suite
        place = package.found()
        if place is None:
            missing.append(package)
        rows.append(
            (
                "ok" if place else "MISSING",
                package.names[0] if place else package.name,
                _version(package, place) if place else "–",
                needed_by[package.group],
                package.why,
            )
        )
    print(f"hocket {__version__}, Python {sys.version.split()[0]}, in {ROOT}")
    print_table(("", "package", "version", "needed by", "why"), rows, left=5)
    problems = _python_problems() + _folder_problems()
    for problem in problems:
        print(f"problem: {problem}")
    for group, command in needed_by.items():
        names = [package.name for package in missing if package.group == group]
        if names:
            print(f"for {command}, run: {install_command(names)}")
    needed = any(package.group in ("any", "run") for package in missing)
    if not missing and not problems:
        print("all is well")
    return 2 if needed or problems else 0


def _version(package: Package, place: str) -> str:
    """Returns the version that a command prints, or – for files and modules."""
    if package.probe.startswith(("/", "python:")):
        return "–"
    for option in ("--version", "-V"):
        try:
            done = subprocess.run(
                [place, option],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=10,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        match = re.search(r"\d+\.\d+(?:\.\d+)*", done.stdout + done.stderr)
        if match:
            return match.group()
    return "–"


def _python_problems() -> list[str]:
    """Returns the packages of requirements.txt that are missing or have another version."""
    problems = []
    for line in (ROOT / "tools" / "requirements.txt").read_text(encoding="utf-8").splitlines():
        match = re.match(r"([A-Za-z0-9._-]+)==([^\s#]+)", line)
        if match is None:
            continue
        name, wanted = match.groups()
        try:
            found = version(name)
        except PackageNotFoundError:
            found = "not installed"
        if found != wanted:
            mend = (
                "install hocket again"
                if INSTALLED
                else f"remove {ROOT / '.venv'} and run hocket again"
            )
            problems.append(f"Python package {name} {wanted} is wanted, found: {found}; {mend}")
    return problems


def _folder_problems() -> list[str]:
    folder = BUILD if INSTALLED or BUILD.is_dir() else ROOT
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = Path(folder) / ".doctor"
        probe.touch()
        probe.unlink()
    except OSError as problem:
        return [f"{folder} cannot be written ({problem.strerror}); run hocket as its owner"]
    return []
