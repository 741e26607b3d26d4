"""Reads tools/packages.txt: the system packages that Hocket uses, their purpose, and how to detect them."""

from __future__ import annotations

import functools
import importlib.util
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError
from hocket.paths import ROOT

LIST = ROOT / "tools" / "packages.txt"


@dataclass(frozen=True)
class Package:
    group: str  # the commands that need it: see the head of the list
    names: tuple[str, ...]  # alternatives, in order of preference
    probe: str  # a command, an absolute path (may hold *), or python:MODULE
    why: str

    @property
    def name(self) -> str:
        """The first alternative that apt's sources have, as far as apt knows. Otherwise the first."""
        if len(self.names) == 1 or shutil.which("apt-cache") is None:
            return self.names[0]
        return next((name for name in self.names if _in_sources(name)), self.names[0])

    def found(self) -> str | None:
        """Returns where the package was found, or None if it is missing."""
        if self.probe.startswith("python:"):
            module = self.probe.removeprefix("python:")
            return module if importlib.util.find_spec(module) else None
        if self.probe.startswith("/"):
            matches = sorted(Path("/").glob(self.probe[1:]))
            return str(matches[0]) if matches else None
        return shutil.which(self.probe)


@functools.cache
def _in_sources(name: str) -> bool:
    command = ["apt-cache", "--quiet", "--no-all-versions", "show", name]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def install_command(names: list[str]) -> str:
    """Returns the command that installs packages, for an error's next step."""
    names = list(dict.fromkeys(names))  # two groups may need the same package
    return as_administrator(
        f"apt-get update && apt-get install --yes --no-install-recommends {' '.join(names)}"
    )


def as_administrator(command: str) -> str:
    """Returns the command in the form in which the user can type it on this system (the same as in
    tools/set-up.sh)."""
    if os.geteuid() == 0:
        return command
    if shutil.which("sudo"):
        return f"sudo sh -c '{command}'"
    return f"su -l -c '{command}'"  # -l: dpkg needs the administrator's PATH


def require(group: str, what: str) -> None:
    """Raises HocketError if a package of this group is missing. what: the feature that needs it."""
    missing = [p for p in packages() if p.group == group and p.found() is None]
    if missing:
        raise HocketError(
            f"{what} needs packages that are not installed",
            "; ".join(f"{package.name} {package.why}" for package in missing),
            f"run: {install_command([package.name for package in missing])}",
        )


def groups() -> dict[str, str]:
    """Returns the commands that need each group."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    heads = [line[2:].split(None, 1) for line in lines if line.startswith("#:")]
    return {name: commands.strip() for name, commands in heads}


def packages() -> list[Package]:
    """Returns all packages of the list, in its order."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    rows = [line.split(None, 3) for line in lines if line.strip() and not line.startswith("#")]
    return [Package(group, tuple(name.split("|")), probe, why) for group, name, probe, why in rows]
