"""The command `hocket` in tests: started as users start it, and what it said.

What it says about its own work (what it builds, that it waits for another build) depends on what is built
already and on what else is being built: on the order of the tests and on their other workers. So that is
kept apart from the rest, and no test may depend on it: tests start the command through here.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENTRY = ROOT / "hocket"
PATIENCE = 300  # seconds of this computer for one command: a guard, not a measurement

# Lines about the command's own work (hocket.console, and the entry's own).
PROGRESS = re.compile(
    r"hocket: (configuring|building|compiling|linking|running|waiting for another"
    r"|making a Python|installing|set up)\b.*"
)


@dataclass(frozen=True)
class Done:
    """How a command ended. stderr: without the lines about its own work; those are in `progress`."""

    returncode: int
    stdout: str
    stderr: str
    progress: list[str] = field(default_factory=list, compare=False)


def run_hocket(
    *arguments: str | Path,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    patience: float = PATIENCE,
) -> Done:
    """Runs the command to its end; `environment` is added to this one."""
    return run_words(
        [str(ENTRY), *map(str, arguments)], cwd=cwd, environment=environment, patience=patience
    )


def run_words(
    words: list[str],
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    patience: float = PATIENCE,
) -> Done:
    """The same for a command line that starts it in some other way."""
    done = subprocess.run(
        words,
        cwd=cwd,
        env=os.environ | environment if environment else None,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=patience,
        check=False,
    )
    said, progress = apart(done.stderr)
    return Done(done.returncode, done.stdout, said, progress)


def apart(text: str) -> tuple[str, list[str]]:
    """A text of standard error without the lines about the command's own work, and those lines."""
    lines = text.splitlines(keepends=True)
    progress = [line.rstrip("\n") for line in lines if PROGRESS.match(line)]
    return "".join(line for line in lines if not PROGRESS.match(line)), progress
