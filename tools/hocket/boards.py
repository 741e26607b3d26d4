"""The boards that Hocket supports, from `boards/NAME/board.toml`.

The build reads the same files (boards/read.cmake). boards/keys.txt lists all their keys. Further folders of
boards are named in the environment variable HOCKET_BOARDS, with colons between them.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hocket.avr_chips import CHIPS
from hocket.errors import HocketError, near_name
from hocket.packages import groups, require
from hocket.paths import ROOT

BOARDS_FOLDER = ROOT / "boards"
# Scheduling policies (docs/reference/scheduling.md), and the policy of a sketch that declares none.
DEFAULT_POLICY = "vcpu"
POLICIES = (DEFAULT_POLICY, "edf", "hybrid-edf", "mlq", "bitmap", "lottery")
TYPES = {"text": str, "number": int, "flag": bool, "pins": str, "numbers": str}
# Names in build/ that a board cannot have: builds of presets, and other products.
TAKEN = (
    *("aarch64", "avr8", "cortex_m", "host", "tsan"),
    *("bench-kernel", "lab-page", "linux", "lint", "precompiled", "stock"),
    *("documentation", "hypothesis", "matplotlib", "pycache", "sketches", "touched"),
)
# The rate of all AVRs here.
AVR_HZ = 16_000_000
# The simulated parts have as many pins (simulation/devices/pinout.h), the simulated machine as many cores.
MOST_PINS, MOST_INPUTS, MOST_CORES = 54, 16, 64
LAUNCHERS = {"host": "itself", "aarch64": "qemu", "avr8": "avr-simulator"}
_USB_IDS = re.compile(r"[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}(, [0-9A-Fa-f]{4}:[0-9A-Fa-f]{4})*")
_LAST = 1_000  # the place of a board that states none
_LINE = re.compile(
    r'([a-z][a-z0-9_]*) = ("[^"\\]*"|0x[0-9a-fA-F_]+|[0-9][0-9_]*|true|false) *(#.*)?'
)
_RANGE = r"[0-9]{1,3}( to [0-9]{1,3})?"
_PINS = re.compile(rf"{_RANGE}(, {_RANGE})*")
_NUMBERS = re.compile(r"[0-9]{1,7}(, [0-9]{1,7})*")


@dataclass(frozen=True)
class Board:
    """The part of a board's description that the command line uses. boards/keys.txt explains the fields."""

    name: str
    folder: Path
    full_name: str
    what: str
    processor: str
    protection: str
    clock: str
    launcher: str
    most_cores: int
    pins: int
    analog_inputs: int
    led_pin: int
    f_cpu: int
    pwm_pins: frozenset[int]
    analog_only_pins: frozenset[int] = frozenset()
    clock_pwm_pins: frozenset[int] = frozenset()
    tone_pwm_pins: frozenset[int] = frozenset()
    busy_pins: frozenset[int] = frozenset()
    i2c_pins: tuple[int, ...] = ()
    spi_pins: tuple[int, ...] = ()
    serial_pins: tuple[int, ...] = ()
    place: int = _LAST
    packages: str = ""
    debugger: str = ""
    tried: bool = False
    watched: bool = False
    settable_budgets: bool = False
    wired: bool = False
    beside: bool = False
    kernel_tests: bool = False
    policies: bool = False
    costs_estimated: bool = False
    picture: str = ""
    vendor: str = ""
    url: str = ""
    platformio_names: str = ""
    arduino_name: str = ""
    usb_ids: str = ""
    card: bool = False
    programmed: bool = False
    boot_rates: tuple[int, ...] = ()
    boot_protocol: str = ""
    chip: str = ""
    architecture: str = ""
    byte_at_a_time: bool = False
    clock_timer: int = 0
    main_stack_bytes: int = 0
    default_stack_bytes: int = 0
    least_stack_bytes: int = 0
    own_main: bool = False
    interrupt_numbers: bool = False
    hypervisor: bool = False
    qemu: str = ""
    ram_begin: int = 0
    ram_size: int = 0
    load_address: int = 0
    flash_bytes: int = 0
    ram_bytes: int = 0

    @property
    def short_name(self) -> str:
        """The name without its maker: Uno."""
        return self.full_name.removeprefix("Arduino ")


@dataclass(frozen=True)
class Key:
    """A line of boards/keys.txt. type: of TYPES, or words with | between them. needed_by: every, a processor,
    or -."""

    type: str
    needed_by: str
    about: str

    def wrong(self, value: Any) -> str:
        """Returns what is wrong with a value of this key. Empty: nothing."""
        if "|" in self.type:
            words = self.type.split("|")
            return "" if value in words else f"is not {listed(words)}"
        if type(value) is not TYPES[self.type]:  # True is no number
            return f"is not a {self.type}"
        if not isinstance(value, str):
            return ""
        if self.type == "pins" and value and not (_PINS.fullmatch(value) and _ranges(value)):
            return 'does not name pins: write numbers and ranges, such as "3, 5 to 7"'
        if self.type == "numbers" and not _NUMBERS.fullmatch(value):
            return 'is not a list of numbers: write them as "18, 19"'
        return ""


@cache
def known_keys(folder: Path = BOARDS_FOLDER) -> dict[str, Key]:
    """Returns the keys of boards/keys.txt, in its order."""
    lines = (folder / "keys.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(maxsplit=3) for line in lines if line and not line.startswith("#")]
    return {row[0]: Key(*row[1:]) for row in rows}


def read_board(folder: Path, name: str) -> Board:
    """Reads a description. Raises HocketError, with file and line, at a key that is unknown, missing or of
    the wrong type, and at a value that no board can have."""
    file = folder / name / "board.toml"
    problem = f"the description of the board {name} is wrong"
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise HocketError(
            f"the description of the board {name} cannot be read",
            str(error.strerror if isinstance(error, OSError) else error),
            "give yourself the right to read it, or remove its folder" if isinstance(error, OSError)
            else "write it in UTF-8, as those in boards/ are", file,
        ) from error  # fmt: skip
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name in TAKEN:
        raise HocketError(
            f"a board cannot have the name {name}",
            "its builds have a folder of this name in build/, and the Arduino IDE knows it by the name",
            "give its folder another name: small letters, digits and _", file,
        )  # fmt: skip
    values = _values(text, problem, file)
    if (chip := values.get("chip")) is not None and chip not in CHIPS:
        raise HocketError(
            f"{problem}: chip is {listed(CHIPS)}: others are not simulated", "",
            "boards/keys.txt explains each key", file, _line_of("chip", text),
        )  # fmt: skip
    values = {**_values_of_chip(chip), **values}
    board = _checked(values, problem, file, text)
    used = {key: value for key, value in board.items() if key in Board.__dataclass_fields__}
    found = Board(name=name, folder=file.parent, **used)
    for key, wrong in _impossible(found):
        raise HocketError(
            f"{problem}: {key} {wrong}", "", "boards/keys.txt explains each key", file,
            _line_of(key, text),
        )  # fmt: skip
    return found


def _values_of_chip(chip: str | None) -> dict[str, Any]:
    """Returns what all boards with the same chip have alike. A board's own value takes its place."""
    if chip is None:
        return {}
    file = BOARDS_FOLDER / "chips" / f"{chip}.toml"
    return _values(file.read_text(encoding="utf-8"), f"the description of {chip} is wrong", file)


def _values(text: str, problem: str, file: Path) -> dict[str, Any]:
    """Returns the values by key. Accepts only what boards/read.cmake reads as well."""
    lines_of: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.lstrip(" ") or line.lstrip(" ").startswith("#"):
            continue
        if not (found := _LINE.fullmatch(line)):
            raise HocketError(
                f"{problem}: this line is not `key = value`", "",
                "write a word, a number or a flag: clock = \"emulated\", pins = 14, card = true", file,
                number,
            )  # fmt: skip
        if (first := lines_of.setdefault(found[1], number)) != number:
            raise HocketError(
                f"{problem}: the key {found[1]} is there twice", f"line {first} has it, too",
                "remove one of the two", file, number,
            )  # fmt: skip
    try:
        return tomllib.loads(text)
    except ValueError as error:
        at = re.search(r"at line (\d+)", str(error))
        raise HocketError(
            f"{problem}: it is not TOML", str(error), "write it as those in boards/ are", file,
            int(at[1]) if at else None,
        ) from error  # fmt: skip


def _checked(values: dict[str, Any], problem: str, file: Path, text: str) -> dict[str, Any]:
    """Returns the values with pins and lists read."""
    keys = known_keys()
    for key, value in values.items():
        known = keys.get(key)
        wrong = "is unknown" if known is None else known.wrong(value)
        if wrong:
            near = near_name(key, keys) if known is None else None
            raise HocketError(
                f"{problem}: the key {key} {wrong}", "",
                f"did you mean {near}?" if near else "boards/keys.txt explains each key", file,
                _line_of(key, text),
            )  # fmt: skip
    needed_by = ("every", values.get("processor"))
    missing = [
        key for key, known in keys.items() if known.needed_by in needed_by and key not in values
    ]
    if missing:
        raise HocketError(
            f"{problem}: it lacks the key {' and the key '.join(missing)}", "",
            "add a line; boards/keys.txt explains each key, and boards/ has examples", file,
            len(text.splitlines()) or 1,
        )  # fmt: skip
    read: Mapping[str, Any] = {"pins": pins_of, "numbers": numbers_of}
    return {
        key: read.get(keys[key].type, lambda same: same)(value) for key, value in values.items()
    }


def _impossible(board: Board) -> Iterable[tuple[str, str]]:
    """Yields keys whose values no board can have, each with the reason."""
    all_pins = board.pins + board.analog_inputs
    for key, least, most in (
        ("most_cores", 1, MOST_CORES),
        ("pins", 1, MOST_PINS),
        ("analog_inputs", 1, MOST_INPUTS),
        ("led_pin", 0, all_pins - 1),
        ("f_cpu", 1, 10**11),
    ):
        if not least <= getattr(board, key) <= most:
            yield key, f"is from {least} to {most}"
    for key in (
        "analog_only_pins",
        "pwm_pins",
        "clock_pwm_pins",
        "tone_pwm_pins",
        "busy_pins",
        "i2c_pins",
        "spi_pins",
        "serial_pins",
    ):
        if max(getattr(board, key), default=0) >= all_pins:
            yield key, f"names a pin that the board does not have: its last one is {all_pins - 1}"
    if min(board.analog_only_pins, default=board.pins) < board.pins:
        yield "analog_only_pins", f"names a digital pin: analog inputs begin at {board.pins}"
    for key in (
        "pwm_pins",
        "clock_pwm_pins",
        "tone_pwm_pins",
        "i2c_pins",
        "spi_pins",
        "serial_pins",
    ):
        if board.analog_only_pins & set(getattr(board, key)):
            yield key, "names a pin of analog_only_pins"
    if board.led_pin in board.analog_only_pins:
        yield "led_pin", "is a pin of analog_only_pins"
    if board.launcher != (needed := LAUNCHERS[board.processor]):
        yield "launcher", f"is {needed} for the processor {board.processor}"
    if wrong := [rate for rate in board.boot_rates if not 300 <= rate <= 2_000_000]:
        yield "boot_rates", f"names {wrong[0]}: a rate is from 300 to 2000000"
    if board.usb_ids and not _USB_IDS.fullmatch(board.usb_ids):
        yield "usb_ids", 'is not written as "2341:0043, 2341:0001"'
    if board.platformio_names and not re.fullmatch(r"\w+(, \w+)*", board.platformio_names):
        yield "platformio_names", 'is not written as "one, another"'
    if not board.full_name.strip():
        yield "full_name", "is empty"
    if board.processor == "avr8":
        yield from _impossible_avr(board)
    if board.processor == "aarch64":
        yield from _impossible_arm(board)
    for key, count in (("i2c_pins", 2), ("spi_pins", 3)):
        if len(getattr(board, key)) not in (0, count):
            yield key, f"has {count} numbers"
    if len(board.serial_pins) % 2:
        yield "serial_pins", "has RX and TX of each port"
    if board.programmed and not board.boot_rates:
        yield "programmed", "needs boot_rates, the rates of the boot loader"
    if board.programmed and not board.boot_protocol:
        yield "programmed", "needs boot_protocol, that of the boot loader"
    if board.packages and board.packages not in groups():
        yield "packages", f"is no group of tools/packages.txt: {listed(groups())}"


def _impossible_avr(board: Board) -> Iterable[tuple[str, str]]:
    """Yields what the processor, its simulator and the kernel's costs do not allow."""
    if board.f_cpu != AVR_HZ:
        yield "f_cpu", f"is {AVR_HZ}: the simulator, Serial and the kernel's costs are for 16 MHz"
    if board.most_cores != 1:
        yield "most_cores", "is 1: the chip has one core"
    for key in ("byte_at_a_time", "own_main", "interrupt_numbers"):
        if not getattr(board, key):
            yield key, "is true for the processor avr8"
    if board.architecture != "avr":
        yield "architecture", 'is "avr" for the processor avr8'
    if not re.fullmatch(r"[A-Za-z0-9_]+", board.arduino_name):
        yield "arduino_name", "is not a part of a macro's name: letters, digits and _"
    chip = CHIPS[board.chip]
    for key, size in (("flash_bytes", chip.flash), ("ram_bytes", chip.ram)):
        if not 0 < getattr(board, key) <= size:
            yield key, f"is at most {size}, and not 0: the {board.chip} has no more"
    of_chip = _values_of_chip(board.chip)
    for key in ("main_stack_bytes", "default_stack_bytes", "least_stack_bytes"):
        if getattr(board, key) < of_chip[key]:
            yield key, f"is at least {of_chip[key]}: the kernel and its interrupts take that much"


def _impossible_arm(board: Board) -> Iterable[tuple[str, str]]:
    """Yields memories that the kernel's image cannot have, and places in QEMU's words that nothing fills."""
    if board.ram_size % (1 << 20) or not 32 << 20 <= board.ram_size <= 32 << 30:
        yield "ram_size", "is whole MiB, from 32 MiB (0x0200_0000) to 32 GiB"
    if not board.ram_begin <= board.load_address < board.ram_begin + board.ram_size:
        yield "load_address", "is not in the RAM (ram_begin, ram_size)"
    unknown = set(re.findall(r"{[^}]*}", board.qemu)) - {"{more}", "{cores}", "{memory}"}
    if unknown:
        yield "qemu", f"has {min(unknown)}: only {{more}}, {{cores}} and {{memory}} are replaced"


def pins_of(text: str) -> frozenset[int]:
    """Returns the pins of a text such as `3, 5 to 7`."""
    ranges = _ranges(text) if text else []
    return frozenset(pin for first, last in ranges for pin in range(first, last + 1))


def _ranges(text: str) -> list[tuple[int, int]]:
    """Returns the ends of the ranges. Empty: one of them ends before it begins."""
    ends = [[int(number) for number in part.split(" to ")] for part in text.split(", ")]
    return [(each[0], each[-1]) for each in ends] if all(e[0] <= e[-1] for e in ends) else []


def numbers_of(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(", "))


def _line_of(key: str, text: str) -> int | None:
    lines = enumerate(text.splitlines(), 1)
    return next((number for number, line in lines if re.match(rf"{key}\b", line)), None)


def found_boards(folders: Iterable[Path]) -> tuple[Board, ...]:
    """Returns the boards in these folders, in the order of listings: a copy, which has its original's place,
    comes behind it, so that no default depends on the copy's name."""
    found: dict[str, Board] = {}
    order: dict[str, int] = {}
    for number, folder in enumerate(folders):
        for file in sorted(folder.glob("*/board.toml")):
            board = read_board(folder, file.parent.name)
            if not (board.folder / "variant" / "pins_arduino.h").is_file():
                raise HocketError(
                    f"the board {board.name} has no header of its pins",
                    f"{board.folder / 'variant' / 'pins_arduino.h'} is not there",
                    "copy the folder variant/ of a board in boards/, and change what differs", file,
                )  # fmt: skip
            if (other := found.setdefault(board.name, board)) is not board:
                raise HocketError(
                    f"there are two boards {board.name}", f"the other one is {other.folder}",
                    "rename one of the two folders", file,
                )  # fmt: skip
            order[board.name] = number
    return tuple(
        sorted(found.values(), key=lambda board: (board.place, order[board.name], board.name))
    )


def own_folders() -> list[Path]:
    """Returns the folders of HOCKET_BOARDS, each once, without Hocket's own."""
    words = os.environ.get("HOCKET_BOARDS", "").split(":")
    named = [Path(each).expanduser().absolute() for each in words if each]
    own = list({path.resolve(): path for path in named if path.resolve() != BOARDS_FOLDER}.values())
    for folder in own:
        if not folder.is_dir():
            raise HocketError(
                f"HOCKET_BOARDS names {folder}, which is not a folder", "",
                "name the folder in which the boards' folders lie, or unset HOCKET_BOARDS",
            )  # fmt: skip
    return own


def boards_with(key: str) -> tuple[str, ...]:
    """Returns the names of the boards for which this flag is set, or this text is not empty."""
    return tuple(board.name for board in BOARDS if getattr(board, key))


def first_with(key: str) -> str:
    """Returns the first of these boards, for what one board is enough for."""
    return next(iter(boards_with(key)), "")


def boards_of(*processors: str) -> tuple[Board, ...]:
    """Returns the boards with one of these processors."""
    return tuple(board for board in BOARDS if board.processor in processors)


def first_of(processor: str) -> str:
    """Returns the name of the first board with this processor, for what all of them have alike."""
    return boards_of(processor)[0].name


def names_with(key: str) -> str:
    """Returns the names of boards_with(), for the help of an option."""
    return ", ".join(boards_with(key))


def board_named(name: str) -> Board | None:
    return next((board for board in BOARDS if board.name == name), None)


def architecture_of(name: str) -> str:
    board = board_named(name)
    return board.architecture if board else ""


def processor_of(name: str) -> str:
    board = board_named(name)
    return board.processor if board else ""


def find_board(name: str) -> Board:
    """Returns the board of this name. Raises HocketError if there is none or its packages are missing."""
    for board in BOARDS:
        if board.name == name:
            if board.packages:
                require(board.packages, f"the board {name}")
            return board
    near = near_name(name, [board.name for board in BOARDS])
    raise HocketError(
        f"there is no board {name!r}",
        f"the boards are {', '.join(board.name for board in BOARDS)}",
        f"did you mean --board {near}?" if near else f"use --board {board_names()}",
    )


def policy_written(name: str) -> str:
    """Returns a policy's name with - for _, which sketches use and the command line also accepts."""
    usual = name.replace("_", "-")
    return usual if usual in POLICIES else name


def listed(names: Iterable[str]) -> str:
    """Returns a list in words: `a`, `a or b`, `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def board_names() -> str:
    return listed(board.name for board in BOARDS)


# Last: reading them may need each function above, for the message about a wrong description.
BOARDS = found_boards([BOARDS_FOLDER, *own_folders()])
NAMES = tuple(board.name for board in BOARDS)
DEFAULT_BOARD = NAMES[0]
