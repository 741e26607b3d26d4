"""Compilers for the Linux guest: run one, and say what it said when it cannot go on."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from hocket.errors import EXIT_DEFECT, HocketError

_LINES = 12  # of what a compiler says: the first errors, which the others follow from


def compile_with(
    command: Sequence[str],
    what: str,
    way_out: str,
    file: Path | None = None,
    environment: dict[str, str] | None = None,
) -> None:
    """Runs it. what: the thing that it makes, as a sentence's subject; environment: None is this process's.
    HocketError, with its first words: it failed."""
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        return
    said = "".join(f"\n    {line}" for line in done.stderr.splitlines()[:_LINES])
    raise HocketError(
        f"{what} cannot be built",
        f"{command[0]} says:{said}",
        way_out,
        file,
        exit_code=EXIT_DEFECT,
    )
