"""Intel HEX of a sketch for the Uno: what programmers take."""

from __future__ import annotations

from pathlib import Path

from hocket.builder.compile import run
from hocket.errors import EXIT_DEFECT, HocketError

# What lies in flash; the sections that only tools read stay behind.
_SECTIONS = (".text", ".hocket_loops", ".data")


def write_hex(program: Path, place: Path) -> None:
    """Writes the flash contents of a linked sketch; HocketError when the file cannot be written."""
    try:
        place.open("wb").close()
    except OSError as problem:
        raise HocketError(
            "the program cannot be written", problem.strerror or str(problem), file=place
        ) from problem
    wanted = [word for section in _SECTIONS for word in ("-j", section)]
    done = run(["avr-objcopy", "-O", "ihex", *wanted, str(program), str(place.absolute())])
    if done.returncode != 0:
        raise HocketError(
            "the program cannot be converted",
            f"the last words of avr-objcopy: {done.stderr.strip()}",
            "run: hocket doctor; if all is well there, this is a defect of Hocket",
            exit_code=EXIT_DEFECT,
        )
