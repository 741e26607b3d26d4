"""What can be put around a board, from the schema: each type of part, its keys, and how it begins."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

from hocket.scenario.boards import Board
from hocket.scenario.structure import Schema, resolved, schema
from hocket.scenario.units import EXAMPLES

Part = dict[str, Any]

# What a new part has besides its pins, where the schema demands it and knows no default.
_FIRST: dict[str, Part] = {
    "ahrs": {"port": 1, "aircraft": "helicopter"},
    "bme280": {"temperature": "20 C", "humidity": "50 %", "pressure": "1013 hPa"},
    "dht22": {"temperature": "20 C", "humidity": "50 %"},
    "ds18b20": {"temperature": "20 C"},
    "fifo": {"fifo": 0},
    "generator": {"frequency": "1 kHz"},
    "gps": {"port": 2, "aircraft": "helicopter"},
    "ground_station": {"port": 3, "commands": [{"at": "0 s", "height": "20 m"}]},
    "hcsr04": {"distance": "1 m"},
    "helicopter": {"port": 0},
    "hx711": {"load": "0 kg"},
    "i2c_registers": {"address": 32},
    "ldr": {"light": "300 lx"},
    "lm35": {"temperature": "20 C"},
    "loopback": {"port": 1},
    "motors": {"speed": "40 cm/s"},
    "mq2": {"gas": "0 ppm"},
    "ntc": {"temperature": "20 C"},
    "potentiometer": {"position": "50 %"},
    "sd_card": {"image": "card.img"},
    "serial": {"port": 1},
    "serial_pins": {"baud": 9600},
    "soil_sensor": {"moisture": "50 %"},
    "tmp36": {"temperature": "20 C"},
    "ws2812": {"lights": 8},
}
_LENGTHS = {"rows": 4, "columns": 4, "data": 4, "inputs": 4, "pins": 2}  # of lists of pins
# Pins that a part has at first although the schema could do without them.
_WISHED = {"serial_pins": ("tx",)}

GROUPS: dict[str, tuple[str, ...]] = {
    "Lights and sound": ("led", "rgb_led", "ws2812", "ir_led", "buzzer"),
    "By hand": ("button", "potentiometer", "keypad", "rotary_encoder", "ir_receiver"),
    "Displays": ("hd44780", "ssd1306", "tm1637", "max7219"),
    "Motion": ("servo", "motors", "dc_motor", "a4988", "uln2003", "relay"),
    "Sensors": (
        "hcsr04", "dht22", "bme280", "ds18b20", "lm35", "tmp36", "ntc", "ldr", "mq2", "soil_sensor",
        "hx711", "mpu6050",
    ),
    "Memory and time": ("eeprom", "eeprom_24c", "sd_card", "ds3231"),
    "Serial and network": ("serial", "serial_pins", "loopback", "gps", "w5500", "mfrc522", "fifo"),
    "Measuring and wiring": ("generator", "probe", "wire", "i2c_registers", "spi_registers"),
    "Helicopter": ("helicopter", "ahrs", "ground_station"),
}  # fmt: skip


@dataclass(frozen=True)
class Key:
    """What one key of a part may be. name: with a dot where it is a key of a key. kind: pin, pins, choice,
    flag, number, text, part, or value for what is written as YAML."""

    name: str
    kind: str
    about: str
    required: bool
    default: str = ""
    choices: tuple[str, ...] = ()
    use: str = ""
    example: str = ""


@dataclass(frozen=True)
class Type:
    name: str
    group: str
    about: str
    keys: tuple[Key, ...]

    def key(self, name: str) -> Key | None:
        return next((key for key in self.keys if key.name == name), None)


@cache
def types() -> dict[str, Type]:
    """All that scenarios know, in the order of their groups."""
    nodes: dict[str, Schema] = schema()["$defs"]["parts"]
    found: dict[str, Type] = {}
    for group, names in GROUPS.items():
        for name in names:
            node = resolved(nodes[name])
            found[name] = Type(name, group, node.get("description", ""), tuple(_keys(node)))
    return found


def as_data() -> list[dict[str, Any]]:
    """All of it as JSON has it."""
    return [asdict(each) for each in types().values()]


def _keys(node: Schema, before: str = "", needed: bool = True) -> Iterator[Key]:
    required = node.get("required", ())
    for name, reference in node["properties"].items():
        if not before and name == "type":
            continue
        of = resolved(reference)
        is_needed = needed and name in required
        if of.get("type") == "object" and _has_pins(of):
            yield from _keys(of, f"{before}{name}.", is_needed)
        else:
            yield replace(_key(of), name=before + name, required=is_needed)


def _has_pins(node: Schema) -> bool:
    return any(_kind(resolved(each)) == "pin" for each in node["properties"].values())


def _kind(node: Schema) -> str:
    hints = node.get("x-hocket", {})
    types_ = node.get("type")
    if hints.get("kind") in ("pin", "part"):
        return str(hints["kind"])
    if types_ == "array" and _kind(resolved(node["items"])) == "pin":
        return "pins"
    if "enum" in node or "const" in node:
        return "choice"
    return {"boolean": "flag", "integer": "number", "string": "text"}.get(str(types_), "value")


def _key(node: Schema) -> Key:
    kind, hints = _kind(node), node.get("x-hocket", {})
    about = node.get("description", "")
    choices = node.get("enum", [node["const"]] if "const" in node else [])
    use = resolved(node["items"])["x-hocket"]["use"] if kind == "pins" else hints.get("use", "")
    return Key(
        "", kind, about, False, _text(node["default"]) if "default" in node else "",
        tuple(_text(each) for each in choices), use, EXAMPLES.get(hints.get("unit", ""), ""),
    )  # fmt: skip


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def first(kind: str, board: Board, parts: dict[str, Part]) -> Part:
    """A new part of this type, on pins that no other part has, as far as there are any."""
    part: Part = {"type": kind}
    free = _free(board, parts)
    if kind == "led" and board.led in free:  # which most first sketches switch
        free = [board.led, *free]
    for key in types()[kind].keys:
        if key.kind not in ("pin", "pins") or not (
            key.required or key.name in _WISHED.get(kind, ())
        ):
            continue
        count = _LENGTHS.get(key.name, 2) if key.kind == "pins" else 1
        fit = [pin for pin in free if board.has(pin, key.use)][:count]
        free = [pin for pin in free if pin not in fit]
        names = [_named(board.name_of(pin)) for pin in fit]
        if len(names) == count:
            put(part, key.name, names if key.kind == "pins" else names[0])
    return {**part, **deepcopy(_FIRST.get(kind, {}))}


def put(part: Part, name: str, value: object) -> None:
    *before, last = name.split(".")
    for each in before:
        part = part.setdefault(each, {})
    part[last] = value


def value_of(part: Part, name: str) -> Any:
    """What a part has behind a key, which may have a dot in it; None: nothing."""
    found: Any = part
    for each in name.split("."):
        found = found.get(each) if isinstance(found, dict) else None
    return found


def pins_of(part: Part, board: Board) -> dict[str, int]:
    """The pins that a part is wired to, by the name of each connection. What is no pin is left out."""
    kind = types().get(str(part.get("type")))
    found: dict[str, int] = {}
    for key in kind.keys if kind is not None else ():
        value = value_of(part, key.name)
        if key.kind == "pin":
            _note(found, key.name, value, board)
        elif key.kind == "pins" and isinstance(value, list):
            for index, each in enumerate(value):
                _note(found, f"{key.name}.{index}", each, board)
    return found


def _note(found: dict[str, int], name: str, value: object, board: Board) -> None:
    if isinstance(value, str | float | int) and not isinstance(value, bool):
        pin = board.pin(value)
        if pin is not None:
            found[name] = pin


def _named(name: str) -> int | str:
    return int(name) if name.isdigit() else name


def _free(board: Board, parts: dict[str, Part]) -> list[int]:
    """Pins that nothing is on, those first that nothing else is for."""
    taken = {
        pin
        for part in parts.values()
        if isinstance(part, dict)
        for pin in pins_of(part, board).values()
    }
    busy = sorted(board.busy)  # the last to be given to a part
    pins = [pin for pin in range(board.pins) if pin < board.digital or pin >= board.analog_base]
    usual = [pin for pin in pins if pin not in busy]
    return [pin for pin in [*usual, *reversed(busy)] if pin not in taken and pin in pins]
