"""The boards as the Arduino IDE and PlatformIO know them, made from the boards' descriptions."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hocket.boards import BOARDS, Board, boards_of

_TIMES = {"10s": "10 s", "1m": "1 min", "10m": "10 min"}
_CORES = (1, 2, 4)
_NO_LIMIT = 1 << 28  # bytes; both tools want a number


def ide_boards(processor: str) -> str:
    """Returns the boards.txt of the platform for this processor."""
    boards = boards_of(processor)
    lines = ["# Made by `hocket arduino install` from boards/NAME/board.toml.", ""]
    if any(not board.programmed for board in boards):
        lines += ["menu.cores=Cores", "menu.time=Runs for", ""]
    for board in boards:
        lines += [f"{board.name}.{key}={value}" for key, value in _entries(board)] + [""]
    return "\n".join(lines)


def _entries(board: Board) -> Iterator[tuple[str, str | int]]:
    yield "name", f"{board.full_name} (Hocket)"
    for number, (vendor, product) in enumerate(_usb(board)):
        yield f"vid.{number}", f"0x{vendor}"
        yield f"pid.{number}", f"0x{product}"
    yield "build.hocket", board.name
    yield "build.cores", 1
    yield "build.f_cpu", f"{board.f_cpu}L"
    yield "build.board", board.arduino_name or f"HOCKET_{board.name.upper()}"
    yield "build.core", "hocket"
    yield "upload.tool", "hocket"
    if board.programmed:
        yield "build.mcu", board.chip
        yield "upload.protocol", board.boot_protocol
        yield "upload.speed", board.boot_rates[0]
        yield "upload.maximum_size", board.flash_bytes
        yield "upload.maximum_data_size", board.ram_bytes
        return
    # To upload to a board that is simulated is to run it.
    yield "upload.protocol", "hocket"
    yield "upload.time", "10s"
    for cores in _CORES:
        if cores <= board.most_cores:
            yield f"menu.cores.{cores}", cores
            yield f"menu.cores.{cores}.build.cores", cores
    for time, words in _TIMES.items():
        yield f"menu.time.{time}", words
        yield f"menu.time.{time}.upload.time", time


def platformio_boards() -> dict[str, str]:
    """Returns the text of boards/NAME.json by NAME. PlatformIO writes no memory card."""
    return {
        name: _json(board)
        for board in BOARDS
        if not board.card
        for name in (board.name, *filter(None, board.platformio_names.split(", ")))
    }


def _json(board: Board) -> str:
    protocols = [*([board.boot_protocol] if board.programmed else []), "simulator"]
    ids = [[f"0x{vendor}", f"0x{product}"] for vendor, product in _usb(board)]
    mcu = board.chip or board.processor
    build = {"hocket": board.name, "mcu": mcu, "f_cpu": f"{board.f_cpu}L", "cores": 1}
    upload = {
        "maximum_size": board.flash_bytes or _NO_LIMIT,
        "maximum_ram_size": board.ram_bytes or _NO_LIMIT,
        "protocol": protocols[0],
        "protocols": protocols,
        "time": "10s",
    }
    entry = {
        "name": f"{board.full_name} (Hocket)",
        "vendor": board.vendor or "Hocket",
        "url": board.url or "https://docs.arduino.cc/language-reference/",
        "frameworks": ["arduino"],
        "build": {**build, "hwids": ids} if ids else build,
        "upload": upload,
    }
    return json.dumps(entry, indent=2) + "\n"


def _usb(board: Board) -> list[tuple[str, str]]:
    pairs = [each.partition(":") for each in board.usb_ids.split(", ") if each]
    return [(vendor, product) for vendor, _, product in pairs]
