"""Properties of the loader: any text is a scenario or a HocketError; a valid scenario is told faithfully."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from tests.campaign import long_form, rounds

from hocket.errors import HocketError
from hocket.scenario import load, units
from hocket.scenario.structure import schema

KEYS = sorted(
    {key for part in schema()["$defs"]["parts"].values() for key in part["properties"]}
    | {"parts", "about", "board", "at", "is", "speed", "for", "text", "a", "b"}
)
WORDS = [
    *schema()["$defs"]["parts"],
    "3 m",
    "20 ms",
    "50 %",
    "1 kHz",
    "A0",
    "D3",
    "0",
    "3 3",
    "high",
]

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-5, 100)
    | st.integers()
    | st.floats(allow_nan=True)
    | st.sampled_from(WORDS)
    | st.text(max_size=8)
)
trees = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), inner, max_size=5)
    ),
    max_leaves=20,
)


def load_text(text: bytes) -> str | None:
    """The flat text, or None when the loader refused it as it should."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "s.yaml"
        file.write_bytes(text)
        try:
            return load(file)
        except HocketError as error:
            assert error.fact
            assert error.next_step
            assert error.exit_code == 2
            assert str(error)
            return None


def load_value(value: Any) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "v.yaml"
        YAML(typ="safe", pure=True).dump(value, file)
        return load_text(file.read_bytes())


@settings(max_examples=rounds(40, 120, "HOCKET_SCENARIOS"), deadline=None)
@given(
    st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))
)
def test_any_bytes(data: bytes) -> None:
    load_text(data)


@long_form
@settings(max_examples=rounds(40, 120, "HOCKET_SCENARIOS"), deadline=None)
@given(st.text(alphabet=list("ab:{}[]-&*!|>?%@`'\" \n\t#,0.~"), max_size=40))
def test_any_yaml_punctuation(text: str) -> None:
    load_text(text.encode())


@settings(max_examples=rounds(40, 100, "HOCKET_SCENARIOS"), deadline=None)
@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), trees, max_size=3))
def test_any_tree(tree: dict[str, Any]) -> None:
    load_value({"parts": tree})


@st.composite
def near_misses(draw: st.DrawFn) -> dict[str, Any]:
    """A part with the right keys and any values, or a key too many."""
    kind = draw(st.sampled_from(sorted(schema()["$defs"]["parts"])))
    properties = [key for key in schema()["$defs"]["parts"][kind]["properties"] if key != "type"]
    chosen = draw(st.lists(st.sampled_from([*properties, "extra"]), unique=True))
    return {"type": kind, **{key: draw(trees) for key in chosen}}


@settings(max_examples=rounds(40, 120, "HOCKET_SCENARIOS"), deadline=None)
@given(st.dictionaries(st.sampled_from(["a", "b"]), near_misses(), max_size=2))
def test_any_values_under_the_right_keys(parts: dict[str, Any]) -> None:
    load_value({"parts": parts})


def times(lowest: int = 0) -> st.SearchStrategy[int]:
    return st.integers(lowest, 10**12)


def written(value: int, kind: str, draw: Callable[..., Any]) -> str:
    """A base value in some unit, exactly: as many decimals as it needs."""
    unit = draw(
        st.sampled_from([name for name in units.UNITS[kind] if name != "km/h" and name != "min"])
    )
    factor = units.UNITS[kind][unit]
    digits = len(str(factor.numerator)) - 1
    number = Fraction(value) / factor
    whole, rest = divmod(abs(number.numerator), number.denominator)
    decimals = str(rest * 10**digits // number.denominator).rjust(digits, "0") if digits else ""
    sign = "-" if value < 0 else ""
    space = draw(st.sampled_from(["", " "]))
    return f"{sign}{whole}{'.' + decimals if decimals else ''}{space}{unit}"


@st.composite
def scenarios(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """A valid scenario and its flat text, made independently of each other."""
    pins = draw(st.permutations(range(20, 44)))
    parts: dict[str, Any] = {}
    flat: dict[str, list[str]] = {}
    for index in range(draw(st.integers(0, 5))):
        name, pin = f"p{index}", pins[index]
        kind = draw(
            st.sampled_from(
                ["led", "probe", "generator", "button", "hcsr04", "hx711", "ir_receiver", "w5500"]
            )
        )
        part: dict[str, Any] = {
            "type": kind,
            "pin": draw(st.sampled_from([pin, f"D{pin}", str(pin)])),
        }
        lines = [f"part {kind} {name}", f"pin {pin}"]
        if kind == "generator":
            edges = sorted(draw(st.sets(times(), min_size=1, max_size=4)))
            part["edges"] = [written(edge, "time", draw) for edge in edges]
            lines += [f"edges {edge}" for edge in edges]
        elif kind == "button":
            at, length = draw(times()), draw(times(1))
            part["pressed"] = [
                {"at": written(at, "time", draw), "for": written(length, "time", draw)}
            ]
            lines.append(f"pressed at={at} for={length}")
        elif kind == "ir_receiver":
            at, key = draw(times()), draw(st.integers(0, 255))
            part["pressed"] = [{"at": written(at, "time", draw), "command": key}]
            lines.append(f"pressed at={at} command={key}")
        elif kind == "hx711":
            load = draw(st.integers(-(10**9), 10**9))
            part = {"type": kind, "dout": pin, "sck": pins[10 + index]}
            part["load"] = written(load, "mass", draw)
            lines = [lines[0], f"dout {pin}", f"sck {pins[10 + index]}", f"load at=0 is={load}"]
        elif kind == "w5500":
            wait, text = draw(times()), draw(st.text("GET /:\r\n", min_size=1, max_size=9))
            answer = {"text": text, "wait": written(wait, "time", draw), "port": 1 + index}
            part = {"type": kind, "select": pin, "answers": [answer]}
            encoded = text.encode().hex()
            lines = [
                lines[0],
                f"select {pin}",
                f"answers port={1 + index} wait={wait} text={encoded}",
            ]
        elif kind == "hcsr04":
            trigger, noise = pins[10 + index], draw(st.integers(0, 10**9))
            stops = sorted(draw(st.sets(times(1), max_size=3)))
            part = {
                "type": kind,
                "trigger": trigger,
                "echo": pin,
                "noise": written(noise, "length", draw),
            }
            lines = [lines[0], f"trigger {trigger}", f"echo {pin}"]
            points = []
            for stop in [0, *stops]:
                far, speed = draw(st.integers(0, 10**12)), draw(st.integers(-(10**12), 10**12))
                speed -= speed % 1000
                point = {"at": written(stop, "time", draw), "is": written(far, "length", draw)}
                points.append({**point, "speed": written(speed, "speed", draw)})
                lines.append(f"distance at={stop} is={far} speed={speed}")
            part["distance"] = points
            lines.append(f"noise {noise}")
        parts[name] = part
        flat[name] = lines
    lines = ["hocket-scenario 1"] + [line for name in sorted(flat) for line in flat[name]]
    return {"parts": parts}, "\n".join(lines) + "\n"


@settings(max_examples=rounds(30, 60, "HOCKET_SCENARIOS"), deadline=None)
@given(scenarios())
def test_valid_scenarios_are_told_exactly(pair: tuple[dict[str, Any], str]) -> None:
    scenario, flat = pair
    assert load_value(scenario) == flat


@settings(
    max_examples=rounds(12, 25, "HOCKET_SCENARIOS"),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(pair=scenarios())
def test_the_board_reads_what_the_loader_writes(
    device_script: Path, pair: tuple[dict[str, Any], str]
) -> None:
    text = load_value(pair[0])
    assert text is not None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "flat.txt"
        file.write_text(text)
        done = subprocess.run(
            [device_script, file, "", "1"],
            input="1000 finish\n",
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    for name in pair[0]["parts"]:
        assert f'"{name}": {{' in done.stdout


@settings(max_examples=200, deadline=None)
@given(
    st.integers(-(10**18), 10**18),
    st.sampled_from(["time", "length", "speed", "angle", "light", "mass", "rotation"]),
    st.data(),
)
def test_units_are_exact(value: int, kind: str, data: st.DataObject) -> None:
    assert units.parse(written(value, kind, data.draw), kind) == value
