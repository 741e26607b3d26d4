"""The serial ports of this computer to which a board may be connected, and the messages about missing
ones."""

from __future__ import annotations

import errno
import getpass
from pathlib import Path

from hocket.console import say
from hocket.errors import HocketError
from hocket.packages import as_administrator

_KINDS = ("ttyUSB*", "ttyACM*", "serial0", "ttyAMA0")


def serial_ports(devices: Path = Path("/dev")) -> list[Path]:
    """Returns the serial ports to which a board may be connected."""
    return [file for kind in _KINDS for file in sorted(devices.glob(kind))]


def chosen_port(port: Path | None, missing: str) -> Path:
    """Returns the named port, else the only one of this computer. missing: the error's fact if there is none
    or several."""
    if port is not None and str(port).strip():
        return port
    found = serial_ports()
    if len(found) != 1:
        raise HocketError(missing, *proposal())
    say(f"the serial port is {found[0]}, the only one (--port names another)")
    return found[0]


def proposal() -> tuple[str, str]:
    """Returns cause and next step for a missing port, with the available ones."""
    found = serial_ports()
    if not found:
        return (
            "this computer has no serial adapter now",
            "connect it, then add --port /dev/ttyACM0 (a copy of the board: /dev/ttyUSB0)",
        )
    there = "there is" if len(found) == 1 else "there are"
    return f"{there} {', '.join(map(str, found))}", f"add --port {found[0]}"


def _missing() -> tuple[str, str]:
    """Returns cause and next step for a port that was named and does not exist."""
    found = serial_ports()
    if not found:
        return "this computer has no serial adapter now", "connect it, then repeat the command"
    there = "there is" if len(found) == 1 else "there are"
    return (
        f"{there} {', '.join(map(str, found))}",
        f"use --port {found[0]}, or connect the other one, then repeat the command",
    )


def why_not(problem: OSError) -> tuple[str, str]:
    """Returns cause and next step for a port that cannot be opened."""
    if isinstance(problem, PermissionError):
        join = as_administrator(f"usermod -a -G dialout {getpass.getuser()}")
        return (
            "permission denied",
            f"join the group that owns it, usually: {join}; then log in again",
        )
    if isinstance(problem, FileNotFoundError):
        return _missing()
    if problem.errno == errno.EBUSY:
        return "another program has it open", "close that one, then try again"
    return problem.strerror or str(problem), proposal()[1]
