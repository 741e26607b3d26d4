"""Reads tools/packages.txt: the system's packages that Hocket uses, why, and how to find them."""

from __future__ import annotations

import importlib.util
import shutil
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError
from hocket.paths import ROOT

LIST = ROOT / "tools" / "packages.txt"


@dataclass(frozen=True)
class Package:
    group: str  # which commands need it: see the head of the list
    name: str
    probe: str  # a command, an absolute path (may hold *), or python:MODULE
    why: str

    def found(self) -> str | None:
        """Where what the package brings was found; None: it is missing."""
        if self.probe.startswith("python:"):
            module = self.probe.removeprefix("python:")
            return module if importlib.util.find_spec(module) else None
        if self.probe.startswith("/"):
            matches = sorted(Path("/").glob(self.probe[1:]))
            return str(matches[0]) if matches else None
        return shutil.which(self.probe)


def install_command(names: list[str]) -> str:
    """The command that installs packages, for an error's next step."""
    install = f"apt-get update && apt-get install --no-install-recommends {' '.join(names)}"
    return f"sudo sh -c '{install}'"


def require(group: str, what: str) -> None:
    """HocketError when a package of this group is missing; `what` needs it."""
    missing = [p for p in packages() if p.group == group and p.found() is None]
    if missing:
        raise HocketError(
            f"{what} needs packages that are not installed",
            "; ".join(f"{package.name} {package.why}" for package in missing),
            f"run: {install_command([package.name for package in missing])}",
        )


def packages() -> list[Package]:
    """All packages of the list, in its order."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    rows = [line.split(None, 3) for line in lines if line.strip() and not line.startswith("#")]
    return [Package(group, name, probe, why) for group, name, probe, why in rows]
