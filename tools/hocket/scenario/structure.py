"""Checks the shape of a scenario against `schema.json` and describes its errors in plain words."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Collection, Iterable
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

from hocket.errors import HocketError
from hocket.scenario.boards import BOARDS
from hocket.scenario.document import Document

Schema = dict[str, Any]

_MOST_UNKNOWN = 20  # unknown keys of one place that are reported
# The keys whose content is checked even if they are misspelt, and what their content is.
_READ_ALL_THE_SAME: dict[str, type] = {"parts": dict, "expect": list, "never": list}
# Usual words for parts of other types' names.
_SYNONYMS = {
    "lamp": "led", "light": "led", "bulb": "led", "rgb": "rgb_led", "neopixel": "ws2812",
    "led_strip": "ws2812", "switch": "button", "key": "button", "push_button": "button",
    "ultrasonic": "hcsr04", "sonar": "hcsr04", "distance": "hcsr04", "hc-sr04": "hcsr04",
    "pot": "potentiometer", "poti": "potentiometer", "knob": "potentiometer",
    "speaker": "buzzer", "piezo": "buzzer", "beeper": "buzzer", "encoder": "rotary_encoder",
    "photoresistor": "ldr", "light_sensor": "ldr", "thermistor": "ntc", "dht": "dht22",
    "dht11": "dht22", "humidity": "dht22", "thermometer": "lm35", "temperature": "lm35",
    "rtc": "ds3231", "clock": "ds3231", "lcd": "hd44780", "oled": "ssd1306", "display": "hd44780",
    "stepper": "uln2003", "stepper_motor": "uln2003", "motor": "dc_motor", "imu": "mpu6050",
    "gyro": "mpu6050", "accelerometer": "mpu6050", "rfid": "mfrc522", "sd": "sd_card",
    "ethernet": "w5500", "load_cell": "hx711", "scale": "hx711", "gas": "mq2", "uart": "serial",
    "barometer": "bme280", "seven_segment": "tm1637", "remote": "ir_receiver", "moisture": "soil_sensor",
}  # fmt: skip


@cache
def schema() -> Schema:
    """Returns the scenario's JSON Schema."""
    text = (Path(__file__).parent / "schema.json").read_text(encoding="utf-8")
    loaded: Schema = json.loads(text)
    loaded["properties"]["board"]["enum"] = list(BOARDS)
    return loaded


def resolved(node: Schema) -> Schema:
    """Returns the node with its reference replaced by the referenced node. The node's own keywords take
    precedence."""
    if "$ref" not in node:
        return node
    target = schema()
    for step in node["$ref"].removeprefix("#/").split("/"):
        target = target[step]
    merged = {**resolved(target), **{key: value for key, value in node.items() if key != "$ref"}}
    extra = {**resolved(target).get("x-hocket", {}), **node.get("x-hocket", {})}
    if extra:
        merged["x-hocket"] = extra
    return merged


@dataclass(frozen=True)
class Shape:
    """The errors of shape, and the document without the values that have them, for the checks that follow.
    None: too much is missing for further checks."""

    problems: list[HocketError]
    rest: Document | None


def check(document: Document) -> Shape:
    """Checks the document's shape. Reports one error for each line."""
    document, misspellings = _as_meant(document)
    errors = list(_errors(document))
    # A misspelt key is also missing under its correct name. Only the misspelling is reported.
    misspelt = {
        tuple(error.absolute_path) for error in errors if error.validator == "additionalProperties"
    }
    problems = [
        problem
        for error in errors
        if error.validator == "additionalProperties" or tuple(error.absolute_path) not in misspelt
        for problem in _translate_all(document, error)
    ]
    of_lines: dict[int, HocketError] = {}
    for problem in (*misspellings, *sorted(problems, key=lambda problem: problem.fact)):
        of_lines.setdefault(problem.line or 1, problem)
    if not errors:
        return Shape(list(of_lines.values()), document)
    return Shape(list(of_lines.values()), _without(document, errors))


def _as_meant(document: Document) -> tuple[Document, list[HocketError]]:
    """Returns the document with the misspelt keys of _READ_ALL_THE_SAME as they were meant, so that the
    mistakes below them are found as well, and the errors of these keys."""
    value, known = document.value, schema()["properties"]
    if not isinstance(value, dict):
        return document, []
    names: dict[str, str] = {}
    for key in [key for key in value if key not in known][:_MOST_UNKNOWN]:
        (name, *_) = difflib.get_close_matches(key[:60], known, n=1, cutoff=0.5) or ("",)
        wanted = _READ_ALL_THE_SAME.get(name)
        if wanted and isinstance(value[key], wanted) and name not in {*value, *names.values()}:
            names[key] = name
    if not names:
        return document, []
    errors = [_no_such_key(document, [], "the scenario", key, known) for key in names]
    lines = {
        (names[path[0]], *path[1:]) if path and path[0] in names else path: line
        for path, line in document.lines.items()
    }
    renamed = {names.get(key, key): each for key, each in value.items()}
    return replace(document, value=renamed, lines=lines), errors


def _without(document: Document, errors: Iterable[jsonschema.ValidationError]) -> Document | None:
    """Returns the document without the parts, items and keys that have these errors, and without what refers
    to such a part. A removed item is replaced by None, so that the others keep their index and line."""
    value: Any = document.value
    if not isinstance(value, dict):
        return None
    rest: dict[str, Any] = {key: copy(each) for key, each in value.items()}
    gone: set[str] = set()
    for error in errors:
        match _place(error):
            case ["parts"]:
                return None  # too many, or not a mapping
            case [] if "parts" not in value:
                return None  # they may stand under a misspelt key
            case ["parts", name, *_]:
                gone.add(str(name))
            case [("expect" | "never") as key, int(index), *_]:
                if key in rest:
                    rest[key][index] = None
            case [("boards" | "wires"), *_]:
                rest.pop("boards", None)
                rest.pop("wires", None)
            case [key, *_]:
                rest.pop(str(key), None)
    parts: dict[str, Any] = rest.get("parts", {})
    before = -1
    while before != len(gone):  # a removed part may be mentioned by others
        before = len(gone)
        gone |= {name for name, part in parts.items() if _mentions(part, gone)}
    if "parts" in rest:
        rest["parts"] = {name: part for name, part in parts.items() if name not in gone}
    for key in ("expect", "never"):
        if key in rest:
            rest[key] = [None if _mentions(item, gone) else item for item in rest[key]]
    return replace(document, value=rest)


def _place(error: jsonschema.ValidationError) -> list[str | int]:
    """Returns the path of what to remove."""
    path = list(error.absolute_path)
    if not path and error.validator == "dependentRequired":
        return ["boards"]
    if path == ["parts"] and "propertyNames" in error.absolute_schema_path:
        return ["parts", str(error.instance)]
    return path


def _mentions(value: object, names: Collection[str]) -> bool:
    """Returns whether a text in the value is one of the names. The type of a part is not a reference."""
    if isinstance(value, dict):
        return any(_mentions(each, names) for key, each in value.items() if key != "type")
    if isinstance(value, list):
        return any(_mentions(each, names) for each in value)
    return isinstance(value, str) and value in names


def _is_integer(_: object, value: object) -> bool:
    """Returns whether the value is an integer. 5.0 is not: the reader of the flat text accepts digits only,
    and 5.0 suggests that a fraction was meant."""
    return isinstance(value, int) and not isinstance(value, bool)


def _unless_too_many(
    keyword: str, most: str
) -> Callable[..., Iterable[jsonschema.ValidationError]]:
    """Returns the keyword's rule for each entry. It is skipped if there are more than `most` entries, because
    that is an error of its own."""
    rule = jsonschema.Draft202012Validator.VALIDATORS[keyword]

    def asked(
        validator: object, value: object, instance: Any, node: dict[str, Any]
    ) -> Iterable[jsonschema.ValidationError]:
        if isinstance(instance, (dict, list)) and len(instance) > node.get(most, len(instance)):
            return
        yield from rule(validator, value, instance, node)

    return asked


_Validator = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator,
    {
        "additionalProperties": _unless_too_many("additionalProperties", "maxProperties"),
        "propertyNames": _unless_too_many("propertyNames", "maxProperties"),
        "items": _unless_too_many("items", "maxItems"),
    },
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer),
)


def _errors(document: Document) -> Iterable[jsonschema.ValidationError]:
    """Returns the schema's errors. Those inside allOf and if/then are treated as errors of the enclosing
    schema."""
    waiting = list(_Validator(schema()).iter_errors(document.value))
    while waiting:
        error = waiting.pop()
        if error.validator in ("allOf", "if", "dependentSchemas", "$ref") and error.context:
            waiting.extend(error.context)
        elif error.validator not in ("oneOf", "anyOf", "not") or isinstance(error.instance, dict):
            yield error  # alternatives of keys apply to mappings only


def _translate_all(document: Document, error: jsonschema.ValidationError) -> list[HocketError]:
    if error.validator == "additionalProperties":
        return _unknown_keys(document, error)
    return [_translate(document, error)]


def _translate(document: Document, error: jsonschema.ValidationError) -> HocketError:
    path = list(error.absolute_path)
    name = who(path)
    value: Any = error.instance
    rule: Any = error.validator_value
    match error.validator:
        case "required":
            missing = next(key for key in rule if key not in value)
            known = _properties(error).get(missing, {}).get("description")
            return document.error(
                path,
                f"{name} lacks {missing}",
                f"add {missing}: …" + (f" ({known})" if known else ""),
            )
        case "enum" if path and path[-1] == "type":
            synonym = _SYNONYMS.get(str(value).lower(), "")
            guess = f": did you mean {synonym}?" if synonym else meant(value, rule)
            return document.error(
                path,
                f"there is no part type {_show(value)}{guess}",
                f"write type: {guess.split()[-1].rstrip('?')}, or another one of docs/reference/parts.md"
                if guess
                else f"types are {', '.join(rule)} (docs/reference/parts.md)",
            )
        case "enum" | "const":
            choices = rule if isinstance(rule, list) else [rule]
            return document.error(
                path,
                f"{name} cannot be {_shown(path, value)}"
                + meant(_shown(path, value), [_shown(path, choice) for choice in choices]),
                f"write {' or '.join(_shown(path, choice) for choice in choices)}",
            )
        case "type":
            return _wrong_type(document, path, name, value, rule)
        case "oneOf" | "anyOf":
            choices = sorted({key for branch in rule for key in branch.get("required", [])})
            given = [key for key in choices if key in value]
            named = " or ".join(choices)
            if len(given) > 1:
                return document.error(
                    [*path, given[-1]],
                    f"{name} has both {' and '.join(given)}",
                    f"keep one of {named}",
                )
            return document.error(path, f"{name} lacks {named}", f"add one of {named}")
        case "not":
            both = rule["required"]
            return document.error(
                [*path, both[-1]],
                f"{name} has both {' and '.join(both)}",
                f"keep one of {' or '.join(both)}",
            )
        case "dependentRequired":
            key = next(key for key in rule if key in value and rule[key][0] not in value)
            return document.error(
                [*path, key],
                f"{name} has {key} without {rule[key][0]}",
                f"add {rule[key][0]} or remove {key}",
            )
        case "pattern" if "propertyNames" not in error.absolute_schema_path:
            described: Any = error.schema
            return document.error(
                path, f"{name} cannot be {_show(value)}", f"{path[-1]}: {described['description']}"
            )
        case "pattern":
            return document.error(
                [*path, value],
                f"{_show(value)} cannot be a {'board' if path == ['boards'] else 'part'}'s name",
                "use up to 64 letters, digits, _ and -, starting with a letter",
            )
        case (
            "minItems" | "maxItems" | "minLength" | "maxLength" | "minProperties" | "maxProperties"
        ):
            least = str(error.validator).startswith("min")
            return document.error(
                path,
                f"{name} has too {'few' if least else 'many'} entries",
                f"give {'at least' if least else 'at most'} {rule}",
            )
        case "minimum" | "maximum":
            return document.error(
                path,
                f"{name} is {_show(value)}, {'below' if error.validator == 'minimum' else 'above'} {rule}",
                f"give a number that is {'at least' if error.validator == 'minimum' else 'at most'} {rule}",
            )
    return document.error(
        path,
        f"{name} does not fit the scenario's schema ({error.validator})",
        "see docs/reference/scenario.md",
    )


def _properties(error: jsonschema.ValidationError) -> Schema:
    """Returns the keys that the schema allows at the place of the error."""
    node: Any = error.schema
    properties: Schema = node.get("properties", {})
    return properties


def _unknown_keys(document: Document, error: jsonschema.ValidationError) -> list[HocketError]:
    path, known = list(error.absolute_path), list(_properties(error))
    value: Any = error.instance
    unknown = [key for key in value if key not in known][:_MOST_UNKNOWN]
    return [_no_such_key(document, path, who(path), key, known) for key in unknown]


def _no_such_key(
    document: Document, path: list[str | int], name: str, unknown: str, known: Iterable[str]
) -> HocketError:
    known = list(known)
    return document.error(
        [*path, unknown],
        f"{name} has no key {_show(unknown)}" + meant(unknown, known),
        f"keys are {', '.join(known)}",
    )


def _wrong_type(
    document: Document, path: list[str | int], name: str, value: object, rule: str | list[str]
) -> HocketError:
    wanted = {
        "object": "keys with values (name: value, indented)",
        "array": "a list (- item, or [item, item])",
        "string": "a text",
        "integer": "a whole number",
        "number": "a number",
        "boolean": "true or false",
    }
    rules = [rule] if isinstance(rule, str) else rule
    advice = "write " + " or ".join(wanted[each] for each in rules)
    if rules == ["string"] and isinstance(value, int | float):
        advice = "put it in double quotes"
    return document.error(path, f"{name} is {_show(value)}, which does not fit here", advice)


def who(path: Iterable[str | int]) -> str:
    """Returns a value's name for messages: `sonar`, `trigger of sonar`, `at of distance of sonar`."""
    names = [str(step) for step in path if isinstance(step, str)]
    if names[:1] == ["boards"] and len(names) > 1:  # lamp of pong
        rest = names[3:] if names[2:3] == ["parts"] and len(names) > 3 else names[2:]
        return " of ".join([*reversed(rest), names[1]])
    if names[:1] == ["parts"]:
        names = names[1:]
        if not names:
            return "parts"
    return " of ".join(reversed(names)) if names else "the scenario"


def meant(value: object, known: Iterable[object]) -> str:
    """Returns `: did you mean trigger?` if a known word is similar, else an empty string."""
    close = difflib.get_close_matches(
        str(value)[:60], [str(each) for each in known], n=1, cutoff=0.5
    )
    return f": did you mean {close[0]}?" if close else ""


def _shown(path: list[Any], value: object) -> str:
    """Returns the value in its usual notation: bus addresses are hexadecimal."""
    if path and path[-1] == "address" and isinstance(value, int):
        return f"{value:#04x}"
    return _show(value)


def _show(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "empty"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    text = " ".join(text.split()) or '""'
    return text if len(text) <= 40 else text[:37] + "..."
