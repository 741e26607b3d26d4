"""Reads tools/packages.txt: the system's packages that Hocket uses, why, and how to find them."""

from __future__ import annotations

import importlib.util
import shutil
from dataclasses import dataclass
from pathlib import Path

from hocket.paths import ROOT

LIST = ROOT / "tools" / "packages.txt"


@dataclass(frozen=True)
class Package:
    group: str  # "run": every command; "test": `hocket test` besides
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


def packages() -> list[Package]:
    """All packages of the list, in its order."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    rows = [line.split(None, 3) for line in lines if line.strip() and not line.startswith("#")]
    return [Package(group, name, probe, why) for group, name, probe, why in rows]
