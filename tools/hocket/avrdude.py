"""Writes a built sketch to a board with avrdude, through the board's boot loader.

avrdude's output and its progress go to standard error as they come. On failure the output is also searched
for the cause.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

from hocket.boards import Board, listed
from hocket.builder import Image
from hocket.console import say
from hocket.errors import HocketError
from hocket.packages import require
from hocket.serial_ports import chosen_port, proposal, why_not

# Boot loaders that speak STK500 version 1 answer at once or not at all. avrdude cannot be told a number of
# attempts for version 2.
_PROGRAMMERS = {"arduino": ("-c", "arduino", "-x", "attempts=3"), "wiring": ("-c", "wiring")}
_SILENT = r"not in sync|not responding|stk500_recv\(\)|getsync"

# Messages of avrdude, with cause and next step.
_CAUSES = (
    (
        _SILENT,
        "no boot loader of {article} answers there",
        "check that it is the {board}'s port and that no other program has it open; unplug what is on pins 0 "
        "and 1{other_rate}",
    ),
    (
        r"signature",
        "the processor there is not an {chip}",
        "check the board: this program is for the {board} only",
    ),
    (
        r"verification error|content mismatch",
        "what was read back is not what was written",
        "try again, then with another cable",
    ),
    (r"[Pp]ermission denied", *why_not(PermissionError())),
    (
        r"busy",
        "another program has the port open",
        "end it (hocket monitor, the Arduino IDE), then try again",
    ),
)


def write_image(image: Image, port: Path | None, baud: int | None = None) -> int:
    """Writes a sketch whose loops were checked. baud: the rate of the boot loader. None: each rate that the
    board's boot loaders have, until one answers."""
    board = image.board
    port = check_port(port, board)
    rates = board.boot_rates if baud is None else (baud,)
    for rate in rates:
        said = _write(port, image.flash_file, board, rate)
        if said is None:
            break
        if rate == rates[-1] or not re.search(_SILENT, said):
            raise flash_error(port, said, board)
        say(f"no boot loader answers at {rate} baud: trying the next rate")
    print(f"wrote {image.sketch.name} to the {board.short_name} on {port}: it runs")
    return 0


def check_port(port: Path | None, board: Board) -> Path:
    """Returns the port after all checks that are possible before a write."""
    require("flash", f"flash --board {board.name}")
    port = chosen_port(port, f"no serial port was given for the {board.short_name}")
    _check_device(port)
    return port


def check_baud(baud: int | None, board: Board) -> None:
    if baud is not None and not 300 <= baud <= 2_000_000:
        raise HocketError(
            f"--baud {baud} is no rate of a boot loader",
            next_step=f"leave it out ({listed(map(str, board.boot_rates))}), or use 57600 for an old Nano",
        )


def _check_device(port: Path) -> None:
    """Checks the device, before anything is built."""
    try:
        kind = port.stat().st_mode
    except OSError as problem:
        raise HocketError(f"{port} cannot be opened", *why_not(problem)) from problem
    if not stat.S_ISCHR(kind):
        raise HocketError(f"{port} is not a serial port", *proposal())
    if not os.access(port, os.R_OK | os.W_OK):
        raise HocketError(f"{port} cannot be opened", *why_not(PermissionError()))


def _write(port: Path, file: Path, board: Board, rate: int) -> str | None:
    """Returns None, or avrdude's output if it failed."""
    command = ["avrdude", "-p", board.chip, *_PROGRAMMERS[board.boot_protocol]]
    command += ["-b", str(rate), "-P", str(port)]
    command += ["-D", "-U", f"flash:w:{file}:i"]
    said = bytearray()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        while piece := os.read(process.stderr.fileno(), 4096):
            said += piece
            sys.stderr.buffer.write(piece)  # the progress bar has no line ends
            sys.stderr.flush()
    return said.decode(errors="replace") if process.returncode != 0 else None


def flash_error(port: Path, said: str, board: Board) -> HocketError:
    """Returns the error for avrdude's output."""
    name = board.short_name
    fact = f"the {name} on {port} was not programmed"
    words = {"board": name, "article": f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"}
    slow = "; for the boot loader of an old Nano add --baud 57600"
    words["other_rate"] = "" if 57600 in board.boot_rates else slow
    words["chip"] = re.sub(r"^at(mega|tiny)(\w+)$", _chip_written, board.chip)
    for pattern, cause, next_step in _CAUSES:
        if re.search(pattern, said):
            return HocketError(fact, cause.format(**words), next_step.format(**words))
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    lines = [line for line in lines if re.search("error|cannot|can't|fail", line)] or lines
    return HocketError(
        fact,
        f"avrdude said: {lines[-1]}" if lines else "avrdude failed without a message",
        "see its messages above",
    )


def _chip_written(name: re.Match[str]) -> str:
    """Returns the name of a processor as its maker writes it: ATmega328P."""
    return f"AT{name[1]}{name[2].upper()}"
