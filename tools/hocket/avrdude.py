"""Writes a built sketch to an Uno with avrdude, through the board's boot loader.

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

from hocket.builder import Image
from hocket.errors import HocketError
from hocket.packages import require
from hocket.serial_ports import chosen_port, proposal, why_not

# The boot loader of an Uno (optiboot): STK500 version 1 at 115200 baud. It answers at once or not at all.
BAUD = 115200
_PROGRAMMER = ("-p", "atmega328p", "-c", "arduino", "-x", "attempts=3")

# Messages of avrdude, with cause and next step.
_CAUSES = (
    (
        r"not in sync|not responding|stk500_recv\(\)|getsync",
        "no boot loader of an Uno answers there",
        "check that it is the Uno's port and that no other program has it open; unplug what is on pins 0 and "
        "1; for the boot loader of an old Nano add --baud 57600",
    ),
    (
        r"signature",
        "the processor there is not an ATmega328P",
        "check the board: flash serves the Uno only",
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


def write_image(image: Image, port: Path | None, baud: int = BAUD) -> int:
    """Writes a sketch whose loops were checked. baud: the rate of the boot loader."""
    port = check_port(port)
    _write(port, image.flash_file, baud)
    print(f"wrote {image.sketch.name} to the Uno on {port}: it runs")
    return 0


def check_port(port: Path | None) -> Path:
    """Returns the port after all checks that are possible before a write."""
    require("flash", "flash --board uno")
    port = chosen_port(port, "no serial port was given for the Uno")
    _check_device(port)
    return port


def check_baud(baud: int) -> None:
    if not 300 <= baud <= 2_000_000:
        raise HocketError(
            f"--baud {baud} is no rate of a boot loader",
            next_step=f"leave it out ({BAUD}), or use 57600 for an old Nano",
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


def _write(port: Path, file: Path, baud: int) -> None:
    command = [
        "avrdude",
        *_PROGRAMMER,
        "-b",
        str(baud),
        "-P",
        str(port),
        "-D",
        "-U",
        f"flash:w:{file}:i",
    ]
    said = bytearray()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        while piece := os.read(process.stderr.fileno(), 4096):
            said += piece
            sys.stderr.buffer.write(piece)  # the progress bar has no line ends
            sys.stderr.flush()
    if process.returncode != 0:
        raise flash_error(port, said.decode(errors="replace"))


def flash_error(port: Path, said: str) -> HocketError:
    """Returns the error for avrdude's output."""
    for words, cause, next_step in _CAUSES:
        if re.search(words, said):
            return HocketError(f"the Uno on {port} was not programmed", cause, next_step)
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    lines = [line for line in lines if re.search("error|cannot|can't|fail", line)] or lines
    return HocketError(
        f"the Uno on {port} was not programmed",
        f"avrdude said: {lines[-1]}" if lines else "avrdude failed without a message",
        "see its messages above",
    )
