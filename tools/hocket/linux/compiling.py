"""Runs compilers for the Linux guest, and reports their errors."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from hocket.errors import EXIT_DEFECT, HocketError

_LINES = 12  # the compiler's first errors, which cause the later ones


def compile_with(
    command: Sequence[str],
    what: str,
    way_out: str,
    file: Path | None = None,
    environment: dict[str, str] | None = None,
) -> None:
    """Runs a compiler. what: its product, as a sentence's subject. environment: None: this process's. Raises
    HocketError with the first lines of the compiler's output if it fails."""
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
