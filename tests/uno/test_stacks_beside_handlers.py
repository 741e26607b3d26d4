"""Random sketches whose loops say no size of stack: the build's sizes hold all that comes upon the loops.

Storms on two pins, a serial echo, servos or a tone, handlers that give, print or call libraries, and loops
that print numbers with a point: no stack overflows, and none is used beyond its computed size. Some sketches
in every run of the suite, hundreds with `hocket self-test --long`, N with HOCKET_UNO_STACKS=N.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.campaign import rounds
from tests.uno.conftest import Built, Run

from hocket.builder.loop_stacks import read_needs

SKETCHES = rounds(3, 300, "HOCKET_UNO_STACKS")

HEAD = """\
#include "hocket/Semaphore.h"
{includes}
Semaphore turn(0);
volatile unsigned long seen;
volatile float value = 3.25;
{globals}
"""

# Handlers: what a sketch puts into them.
HANDLERS = (
    "++seen;",
    "turn.v();",
    "seen = millis(); turn.v();",
    "digitalWrite(13, seen++ & 1); turn.v();",
    "value = value * 1.5f + seen; turn.v();",
    "seen += micros() / 7; value = (float)seen;",
    "volatile char text[24]; text[seen++ % 24] = 1; value = text[3]; turn.v();",
)
BODIES = (
    "turn.p(); Serial.println(value, 3);",
    "Serial.println(value); delay(3);",
    "Serial.print(seen); Serial.print(' '); Serial.println(value * 2.5f, 4); delay(5);",
    "delayMicroseconds(400);",
    "value += 0.25f; delay(2);",
    "Serial.println(String(value, 2)); delay(11);",
    "turn.p(); value = sqrt(value) + seen;",
    "while (Serial.available()) Serial.write(Serial.read()); delay(1);",
    "analogWrite(6, analogRead(A0) / 4); delay(4);",
    "char text[60]; dtostrf(value, 8, 3, text); Serial.println(text); delay(7);",
    "noInterrupts(); ++seen; interrupts(); delay(1);",
    "static uint8_t n; digitalWrite(12, n++ & 1); delay(n & 3);",
)
ECHO = "while (Serial.available()) Serial.write(Serial.read()); delay(1);"
PINS = (2, 3, 4, 7, 8, 14)


@dataclass
class Random:
    """A sketch and what is wired to it."""

    text: str = ""
    parts: list[str] = field(default_factory=list)


def random_sketch(rng: random.Random) -> Random:
    made = Random()
    includes, globals_, setup = [], [], ["Serial.begin(115200);"]
    for number, pin in enumerate(rng.sample(PINS, 2)):
        globals_.append(f"void handler{number}() {{ {rng.choice(HANDLERS)} }}")
        mode = rng.choice(("RISING", "FALLING", "CHANGE"))
        setup.append(
            f"pinMode({pin}, INPUT); attachInterrupt(digitalPinToInterrupt({pin}), handler{number}, {mode});"
        )
        hertz = rng.randrange(900, 60_000)
        made.parts.append(f"storm{number}: {{type: generator, pin: {pin}, frequency: {hertz} Hz}}")
    moving = rng.choice(("servo", "tone", "neither"))
    bodies = [rng.choice(BODIES) for _ in range(rng.randint(1, 3))]
    if moving == "servo":
        includes.append("#include <Servo.h>")
        globals_.append("Servo servos[3];")
        setup.append("for (int i = 0; i < 3; i++) servos[i].attach(9 + i);")
        bodies[0] = f"servos[1].write(seen % 180); {bodies[0]}"
    elif moving == "tone":
        setup.append(f"tone(11, {rng.randrange(200, 9000)});")
    if rng.random() < 0.6:
        bodies[-1] = ECHO
    if any("Serial.read" in body for body in bodies):
        text = "x" * rng.randrange(20, 200)
        sends = ", ".join(f"{{at: {at} ms, text: {text}}}" for at in range(20, 280, 40))
        made.parts.append(f"terminal: {{type: serial, port: 0, send: [{sends}]}}")
    made.text = HEAD.format(includes="\n".join(includes), globals="\n".join(globals_))
    made.text += f"void setup() {{ {' '.join(setup)} }}\n"
    for number, body in enumerate(bodies, 1):
        made.text += (
            f"void loop({number}, {rng.choice((5, 9))}, {rng.choice((60, 80, 100))}) {{ {body} }}\n"
        )
    return made


@pytest.mark.parametrize("number", range(SKETCHES))
def test_no_stack_overflows(uno: Run, built: Built, tmp_path: Path, number: int) -> None:
    made = random_sketch(random.Random(f"stacks {number}"))
    folder = tmp_path / f"stacks{number}"
    folder.mkdir()
    (folder / f"{folder.name}.ino").write_text(made.text)
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text("parts:\n" + "".join(f"  {part}\n" for part in made.parts))
    done = uno(folder, "300ms", "--scenario", scenario, "--seed", str(number))
    assert (done.status, done.report.get("faults")) == (0, []), f"{made.text}\n{done.said}"
    needs = read_needs(built(folder)).loops
    for loop in done.report["loops"]:
        need = needs[loop["id"]]
        assert loop["stack_size"] == max(192, need.with_interrupts), made.text
        assert loop["stack_used"] < need.with_interrupts, (loop, need, made.text)


# Each of these stands deep below a loop that computes; so many bytes at least.
HANDLERS_OF_THEIR_OWN = {
    "attachInterrupt(digitalPinToInterrupt(2), handler, CHANGE);": "INT0",
    "attachInterrupt(digitalPinToInterrupt(8), handler, CHANGE);": "PCINT0",
    "chosen = handler; attachInterrupt(digitalPinToInterrupt(2), chosen, CHANGE);": "INT0",
    "attachInterruptParam(digitalPinToInterrupt(2), handlerParam, CHANGE, nullptr);": "INT0",
    "TCCR2B = 4; TIMSK2 = 1;": "TIMER2_OVF",
}


@pytest.mark.parametrize("attach", HANDLERS_OF_THEIR_OWN)
def test_what_a_handler_calls_is_in_the_size(
    uno: Run, built: Built, tmp_path: Path, attach: str
) -> None:
    text = (
        "volatile char sink;\nvoid (*volatile chosen)();\n"
        "__attribute__((noinline)) void deep(int n) {\n"
        "  volatile char big[150];\n  for (int i = 0; i < 150; i++) big[i] = n;\n  sink = big[n & 63];\n}\n"
        "void handler() { deep(sink); }\nvoid handlerParam(void*) { deep(3); }\n"
        "ISR(TIMER2_OVF_vect) { deep(1); }\n"
        f"void setup() {{ {attach} }}\nvoid loop(1, 20, 50) {{ deep(2); }}\n"
    )
    folder = tmp_path / "deep"
    folder.mkdir()
    (folder / "deep.ino").write_text(text)
    scenario = tmp_path / "edges.yaml"
    parts = (f"edge{pin}: {{type: generator, pin: {pin}, frequency: 3 kHz}}" for pin in (2, 8))
    scenario.write_text("parts:\n" + "".join(f"  {part}\n" for part in parts))
    done = uno(folder, "300ms", "--scenario", scenario)
    assert (done.status, done.report.get("faults")) == (0, []), done.said
    need = read_needs(built(folder)).loops[1]
    assert need.on_top.startswith(HANDLERS_OF_THEIR_OWN[attach])
    (loop,) = done.report["loops"]
    assert 300 < loop["stack_used"] < need.with_interrupts == loop["stack_size"]
    assert loop["stack_size"] - loop["stack_used"] < 90  # it is no guess
