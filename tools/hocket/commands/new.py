"""`hocket new`: makes a sketch that runs at once, and a scenario with a test that passes at once."""

from __future__ import annotations

import contextlib
import re
import shlex
import unicodedata
from pathlib import Path

from hocket.errors import HocketError, system_error
from hocket.started import command

# Together the loops demand at most half a core, so that any number of them is accepted.
_SHARE = 50
_PERIOD = 100
_MOST = 50
_LONGEST = 63  # characters of a name, as in the Arduino IDE

_HEAD = """\
// {name}: {count}, each with its own guaranteed share of the processor.
//
//   hocket run {folder}        builds it, runs it on the simulated board, prints the timing table
//   hocket check {folder}      says whether all loops can be guaranteed
//   hocket test {folder}       checks what scenario.yaml expects of a run
"""

_BLINK = """
void loop(1, {budget}, {period}) {{  // blinks: {budget} ms of processor time in every {period} ms
  digitalWrite(LED_BUILTIN, HIGH);
  delay(500);
  digitalWrite(LED_BUILTIN, LOW);
  delay(500);
}}
"""

_SPELT_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"}
)

_COUNT = """
void loop({id}, {budget}, {period}) {{
  static unsigned long rounds = 0;
  Serial.print("loop {id}: round ");
  Serial.println(++rounds);
  delay({pause});
}}
"""

_SCENARIO = """\
# What is wired to the board, and what a run must show. `hocket test {folder}` checks it.
for: 3 s
parts:
  lamp: {{type: led, pin: LED_BUILTIN}}
expect:
  - {{part: lamp, is: lit, at: 250 ms}}
  - {{part: lamp, is: dark, at: 750 ms}}
"""
_SECOND_LOOP = '  - {serial: "loop 2: round 2", by: 1.5 s}\n'
_MISSES = "  - {misses: 0}\n"


def new_command(name: str, loops: int) -> int:
    folder = Path(name)
    if len(folder.name) > _LONGEST:
        raise HocketError(
            f"a name of {len(folder.name)} characters is too long for a sketch",
            f"a name has up to {_LONGEST}",
            "choose a shorter one",
        )
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", folder.name):
        raise HocketError(
            f"{name!r} cannot be a sketch's name",
            "a name has letters (a to z), digits, _, . and -, and starts with none of the last two",
            _instead(folder),
        )
    if not 1 <= loops <= _MOST:
        raise HocketError(
            f"--loops {loops} is out of range",
            f"a new sketch has 1 to {_MOST} loops",
            "add further loops by hand, up to id 255",
        )
    if folder.exists():
        raise HocketError(f"{name} is there already", next_step="choose another name")
    quoted = shlex.quote(str(folder))
    files = {
        folder / f"{folder.name}.ino": sketch_text(folder.name, quoted, loops),
        folder / "scenario.yaml": scenario_text(quoted, loops),
    }
    try:
        folder.mkdir(parents=True)
        for file, text in files.items():
            file.write_text(text, encoding="utf-8")
    except OSError as problem:
        with contextlib.suppress(OSError):  # an incomplete sketch is removed
            for file in files:
                file.unlink(missing_ok=True)
            folder.rmdir()
        raise system_error("the sketch cannot be written", problem, folder) from problem
    for file in files:
        print(f"made {file}")
    print(f"next: {command()} run {quoted}, then {command()} test {quoted}")
    return 0


def _instead(folder: Path) -> str:
    """Suggests a valid name that resembles the given one."""
    letters = folder.name.translate(_SPELT_OUT)
    plain = unicodedata.normalize("NFKD", letters).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", plain).lstrip(".-").rstrip("-")[:_LONGEST]
    return (
        f"hocket new {shlex.quote(str(folder.with_name(name)))}" if name else "choose another name"
    )


def sketch_text(name: str, folder: str, loops: int) -> str:
    """Returns the text of a new sketch with this number of loops."""
    count = "one loop" if loops == 1 else f"{loops} loops"
    times = {"budget": max(1, _SHARE // loops), "period": _PERIOD}
    text = _HEAD.format(name=name, folder=folder, count=count)
    text += "\nvoid setup() {\n  Serial.begin(115200);\n  pinMode(LED_BUILTIN, OUTPUT);\n}\n"
    text += _BLINK.format(**times)
    for number in range(2, loops + 1):
        text += _COUNT.format(id=number, pause=1000 + 100 * number, **times)
    return text


def scenario_text(folder: str, loops: int) -> str:
    """Returns the text of its scenario. Every expectation holds for a sketch with this number of loops."""
    return _SCENARIO.format(folder=folder) + (_SECOND_LOOP if loops > 1 else "") + _MISSES
