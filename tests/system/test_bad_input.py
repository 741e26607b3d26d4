"""What cannot be built or run is refused with status 2 or 3 and says where, why and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import Done, run_hocket

Hocket = Callable[..., Done]

ROOT = Path(__file__).resolve().parents[2]
SETUP = "void setup() { Serial.begin(115200); }\n"
GOOD = SETUP + "void loop(1, 1, 10) { delay(5); }\n"


@pytest.fixture
def hocket(tmp_path: Path) -> Hocket:
    """hocket(text, *arguments): the real command on a sketch `demo` with this text."""

    def command(text: str, *arguments: str) -> Done:
        folder = tmp_path / "demo"
        folder.mkdir(exist_ok=True)
        (folder / "demo.ino").write_text(text)
        return run_hocket(*(arguments or ("run", "demo", "--for", "1s")), cwd=tmp_path)

    return command


def refused(done: Done, status: int, *said: str) -> None:
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert re.search(r"^hocket: \S", done.stderr, re.MULTILINE)
    for text in said:
        assert text in done.stderr


SKETCHES = {
    "id twice": ("void loop(1, 1, 10) {}\nvoid loop(1, 2, 20) {}\n", 3, "declared twice"),
    "id 0": ("void loop(0, 1, 10) {}\n", 2, "a loop's id is 0"),
    "id 256": ("void loop(256, 1, 10) {}\n", 2, "out of range"),
    "id -1": ("void loop(-1, 1, 10) {}\n", 2, "out of range"),
    "C > T": ("void loop(1, 11, 10) {}\n", 2, "asks for 11 ms in every 10 ms"),
    "C = 0": ("void loop(1, 0, 10) {}\n", 2, "is 0"),
    "C < 0": ("void loop(1, -1, 10) {}\n", 2, "is -1"),
    "D < C": ("void periodic(1, 5, 10, 2) {}\n", 2, "longer than its deadline"),
    "D > T": ("void periodic(1, 5, 10, 20) {}\n", 2, "later than its period"),
    "unit": ("void loop(1, 5min, 10) {}\n", 2, "`min` is not a unit of time"),
    "fraction": ("void loop(1, 0.5, 10) {}\n", 2, "write 500us"),
    "body": ("void loop(1, 1, 10);\n", 2, "has no body"),
    "period": ("void loop(1, 1, 99999999999999s) {}\n", 2, "a period is at most 100 years"),
    "period's name": (
        "#define T 99999999999999s\nvoid loop(1, 1, T) {}\n",
        3,
        "error: a loop's period must not be longer than 100 years",
    ),
    "core": ("void loop(1, 1, 10, onCore(-1)) {}\n", 2, "is a number from 0 to 63"),
    "core's number": ("void loop(1, 1, 10, onCore(300)) {}\n", 2, "is a number from 0 to 63"),
    "stack": ("void loop(1, 1, 10, stackBytes(5000000000)) {}\n", 2, "1 to 1073741824 bytes"),
    "no stack": ("void loop(1, 1, 10, stackBytes(0)) {}\n", 2, "1 to 1073741824 bytes"),
    "tickets": ("void loop(1, 1, 10, tickets(300), priority(3)) {}\n", 2, "are 1 to 255"),
    "no tickets": ("void loop(1, 1, 10, tickets(0)) {}\n", 2, "are 1 to 255"),
    "two overruns": (
        "void f() {}\nvoid periodic(1, 1, 10, catchUp(), onOverrun(&f)) {}\n",
        3,
        "a loop has catchUp() or onOverrun(), not both",
    ),
    "pins of a loop": ("void loop(1, 1, 10, forPins(2, 3)) {}\n", 2, "are for interruptsVcpu()"),
    "name": ("void loop(1, 1, 10) {\n  undeclared = 3;\n}\n", 3, "undeclared identifier"),
}


INTERRUPTS = {
    "attachInterruptVcpu(2, f, RISING, 1, 10, forPin(2))": "are for interruptsVcpu()",
    "attachInterruptVcpu(2, f, RISING, 1, 10, background())": "background() is for loops",
    "interruptsVcpu(1, 10, background())": "background() is for loops",
    "interruptsVcpu(1, 10, stackBytes(5000))": "its stack and its priority are the system's",
    "interruptsVcpu(1, 10, priority(2))": "its stack and its priority are the system's",
}


@one_in(3)
@pytest.mark.parametrize("call", INTERRUPTS)
def test_options_that_are_not_for_interrupts(hocket: Hocket, call: str) -> None:
    text = f"void f() {{}}\nvoid setup() {{ {call}; }}\nvoid loop(1, 1, 10) {{}}\n"
    refused(hocket(text, "check", "demo"), 2, INTERRUPTS[call])


PINS = {
    "attachInterruptVcpu(999, f, RISING, 1, 10)": "demo.ino:3 is for pin 999",
    "attachInterruptVcpu(70, f, RISING, 1, 10)": "demo.ino:3 is for pin 70",
    "attachInterruptDirect(70, f, RISING, 9us, 9ms)": "demo.ino:3 is for pin 70",
    "attachInterrupt(2, f, RISING); interruptsVcpu(1, 10, forPin(900))": "demo.ino:3 is for pin 900",
    "attachInterrupt(2, f, RISING); interruptsVcpu(1, 10, forPins(60, 70))": (
        "demo.ino:3 is for pin 70"
    ),
    "\n".join(f"attachInterruptDirect({pin}, f, RISING, 1us, 9ms);" for pin in range(2, 11)): (
        "demo.ino:11 is one too many: a sketch can have 8 direct handlers"
    ),
}


@one_in(5)
@pytest.mark.parametrize("board", ["sim", "virt"])
@pytest.mark.parametrize("calls", PINS)
def test_what_the_board_does_not_have_is_named_where_it_is_written(
    hocket: Hocket, calls: str, board: str
) -> None:
    text = f"void f() {{}}\nvoid setup() {{\n{calls};\n}}\nvoid loop(1, 1, 10) {{}}\n"
    refused(hocket(text, "check", "demo", "--board", board), 2, PINS[calls])


NO_SUCH_PIN = "the board has no such pin: its pins are 0 to 53 and A0 to A15"
NO_SUCH_MODE = "there is no such mode of an interrupt: use RISING, FALLING, CHANGE, LOW or HIGH"
CONSTANTS = {
    "attachInterrupt(70, f, RISING)": NO_SUCH_PIN,
    "attachInterrupt(digitalPinToInterrupt(99), f, RISING)": NO_SUCH_PIN,
    "attachInterruptParam(-2, g, RISING, nullptr)": NO_SUCH_PIN,
    "detachInterrupt(1000)": NO_SUCH_PIN,
    "attachInterrupt(2, f, 5)": NO_SUCH_MODE,
    "attachInterruptParam(2, g, -1, nullptr)": NO_SUCH_MODE,
    "attachInterruptVcpu(2, f, 77, 1, 10)": NO_SUCH_MODE,
    "attachInterruptDirect(2, f, 12, 9us, 9ms)": NO_SUCH_MODE,
}


# On the other boards in every run: a pin, and a mode.
CALLS = list(CONSTANTS)
OTHERS = [(board, call) for board in ("virt", "rpi3") for call in CALLS]
IN_EVERY_RUN = [("sim", call) for call in CALLS]
IN_EVERY_RUN += [(board, call) for board, call in OTHERS if call in CALLS[::4]]
LONG_FORM = [pytest.param(*each, marks=long_form) for each in OTHERS if each not in IN_EVERY_RUN]


@one_in(5)
@pytest.mark.parametrize(("board", "call"), [*IN_EVERY_RUN, *LONG_FORM])
def test_constants_that_no_interrupt_can_have(hocket: Hocket, call: str, board: str) -> None:
    text = (
        f"#include <Hocket.h>\nvoid f() {{}} void g(void*) {{}}\nvoid setup() {{\n  {call};\n}}\n"
    )
    done = hocket(text + "void loop() {}\n", "check", "demo", "--board", board)
    refused(done, 2, "demo/demo.ino:4:", CONSTANTS[call])


def test_a_variable_may_be_anything_until_it_is_used(hocket: Hocket) -> None:
    text = (
        "int pin = 99, mode = 77;\nvoid f() {}\nvoid setup() { attachInterrupt(pin, f, mode); }\n"
    )
    assert hocket(text + "void loop() {}\n", "check", "demo").returncode == 0


LARGE = "void f() { volatile char row[9000]; for (int i = 0; i < 9000; ++i) row[i] = i; }\n"
SMALL_STACKS = {
    ("sim", "attachInterruptVcpu(2, f, RISING, 1, 10, stackBytes(4096))"): "write stackBytes(9728)",
    (
        "virt",
        "attachInterruptVcpu(2, &f, RISING, 1, 10, stackBytes(4096))",
    ): "write stackBytes(9728)",
    (
        "rpi3",
        "attachInterruptVcpu(2, f, RISING, 1, 10, stackBytes(4'096))",
    ): "write stackBytes(9728)",
}


@one_in(2)
@pytest.mark.parametrize(("board", "call"), SMALL_STACKS)
def test_a_handler_with_too_little_stack(hocket: Hocket, board: str, call: str) -> None:
    text = f"{LARGE}void setup() {{\n  {call};\n}}\nvoid loop(1, 1, 10) {{}}\n"
    done = hocket(text, "check", "demo", "--board", board)
    refused(done, 2, "demo/demo.ino:3: the handler f() needs ", SMALL_STACKS[board, call])
    assert re.search(r"needs 9\d\d\d bytes of stack", done.stderr)


@long_form
def test_a_shared_stack_of_handlers_that_is_too_small(hocket: Hocket, tmp_path: Path) -> None:
    shared = "#include <Hocket.h>\nHOCKET_INTERRUPT_LOOP(254, 2ms, 20ms, stackBytes(4096))\n"
    text = f"{shared}{LARGE}void setup() {{ attachInterrupt(2, f, RISING); }}\nvoid loop() {{}}\n"
    done = hocket(text, "check", "demo")
    refused(
        done, 2, "demo/demo.ino:4: the handler f() needs", "write stackBytes(9728) or more there"
    )
    # In a source of its own, too.
    (tmp_path / "demo" / "other.cpp").write_text(
        "#include <Hocket.h>\n" + LARGE.replace("f()", "mine()") + "void attach_mine() {\n"
        "  attachInterruptVcpu(3, mine, CHANGE, 1, 10, stackBytes(2000));\n}\n"
    )
    done = hocket(
        "void attach_mine();\nvoid setup() { attach_mine(); }\nvoid loop() {}\n", "check", "demo"
    )
    refused(done, 2, "other.cpp:4: the handler mine() needs")


@one_in(4)
@pytest.mark.parametrize("board", ["sim", "virt", "uno"])
def test_a_handler_whose_stack_is_large_enough(hocket: Hocket, board: str) -> None:
    text = LARGE.replace("9000", "100") if board == "uno" else LARGE
    call = "attachInterrupt(digitalPinToInterrupt(2), f, RISING)"
    text += f"void setup() {{ {call}; }}\nvoid loop(1, 1, 10) {{}}\n"
    assert hocket(text, "check", "demo", "--board", board).returncode == 0


@one_in(5)
@pytest.mark.parametrize("mistake", SKETCHES)
def test_sketches(hocket: Hocket, mistake: str) -> None:
    text, line, said = SKETCHES[mistake]
    refused(hocket(SETUP + text), 2, f"demo/demo.ino:{line}:", said)


def test_an_id_twice_in_two_files(hocket: Hocket, tmp_path: Path) -> None:
    (tmp_path / "demo").mkdir()
    other = "#include <Hocket.h>\nHOCKET_LOOP(1, 1, 10) { delay(5); }\n"
    (tmp_path / "demo" / "other.cpp").write_text(other)
    done = hocket(GOOD)
    refused(done, 2, "loop 1 is declared twice", "demo/demo.ino:2", "other.cpp:2")


def test_pinned_to_a_core_that_is_not_there(hocket: Hocket) -> None:
    text = SETUP + "void loop(1, 1, 10, onCore(3)) { delay(5); }\n"
    refused(hocket(text), 3, "loop 1 is pinned to core 3", "only core 0", "--cores 4")
    refused(hocket(text, "check", "demo", "--cores", "3"), 3, "the last one is core 2")
    assert hocket(text, "check", "demo", "--cores", "4").returncode == 0


OPTIONS = {
    "no such sketch": (["run", "nowhere"], "there is no sketch nowhere"),
    "no sketch at all": (["run", "demo/other.txt"], "there is no sketch"),
    "board": (["run", "demo", "--board", "mega"], "there is no board 'mega'"),
    "bare time": (["run", "demo", "--for", "10"], "the unit is missing"),
    "no time": (["run", "demo", "--for", "soon"], "is not a duration"),
    "negative time": (["run", "demo", "--for=-5s"], "is not a duration"),
    "endless number": (["run", "demo", "--for", "9" * 5_000 + "s"], "it has 5001 characters"),
    "time 0": (["run", "demo", "--for", "0s"], "cannot be used"),
    "seed": (["run", "demo", "--seed", "one"], "--seed"),
    "negative seed": (["run", "demo", "--seed", "-1"], "is out of range"),
    "huge seed": (["run", "demo", "--seed", str(2**64)], f"use 0 to {2**64 - 1}"),
    "cores 0": (["run", "demo", "--cores", "0"], "1 to 64 cores"),
    "cores 65": (["check", "demo", "--cores", "65"], "1 to 64 cores"),
    "folder": (["run", "demo", "--json", "nowhere/r.json"], "there is no folder nowhere"),
    "not a file": (["run", "demo", "--vcd", "demo"], "that is a folder"),
    "scenario": (["run", "demo", "--scenario", "no.yaml"], "there is no scenario no.yaml"),
    "over the sketch": (["run", "demo", "--json", "demo/demo.ino"], "would overwrite a file"),
    "over the sketch by another way": (
        ["check", "demo", "--json", "demo/../demo/demo.ino"],
        "demo.ino is a source of a sketch",
    ),
    "one file for two": (
        ["run", "demo", "--json", "r.vcd", "--vcd", "r.vcd"],
        "--json writes it already",
    ),
    "a picture of waves": (["run", "demo", "--vcd", "r.png"], "write --vcd r.vcd"),
    "0 without a unit": (["run", "demo", "--for", "0"], "write for instance 500ms"),
    "option": (["run", "demo", "--frobnicate"], "--frobnicate"),
    "command": (["frobnicate"], "frobnicate"),
}


@one_in(6)
@pytest.mark.parametrize("mistake", OPTIONS)
def test_options(hocket: Hocket, mistake: str) -> None:
    arguments, said = OPTIONS[mistake]
    done = hocket(GOOD, *arguments)
    refused(done, 2, said)
    assert done.progress == [], "refused before anything is built"


SCENARIOS = {
    "malformed": ("parts:\n\tlamp: {type: led, pin: 9}\n", ":2", "not well-formed"),
    "pin": ("parts:\n  lamp: {type: led, pin: 99}\n", ":2", "99"),
    "not a pin": ("parts:\n  lamp: {type: led, pin: X9}\n", ":2", "X9"),
    "type": ("parts:\n  lamp: {type: lamp, pin: 9}\n", ":2", "lamp"),
    "unit": ("parts:\n  s: {type: servo, pin: 9, slew: 5}\n", ":2", "deg/s"),
    "key": ("parts:\n  lamp: {type: led, pin: 9, colour: red}\n", ":2", "colour"),
    "two drivers": (
        "parts:\n  a: {type: generator, pin: 3, frequency: 1 Hz}\n"
        "  b: {type: generator, pin: 3, frequency: 2 Hz}\n",
        ":3",
        "3",
    ),
    "board": ("board: mega\nparts: {}\n", ":1", "mega"),
}


@one_in(3)
@pytest.mark.parametrize("mistake", SCENARIOS)
def test_scenarios(hocket: Hocket, tmp_path: Path, mistake: str) -> None:
    text, line, said = SCENARIOS[mistake]
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "scenario.yaml").write_text(text)
    refused(hocket(GOOD), 2, f"scenario.yaml{line}", said)


def test_an_endless_setup_says_so(hocket: Hocket) -> None:
    done = hocket("void setup() { for (;;) delay(10); }\nvoid loop() {}\n")
    refused(done, 2, "setup() had not returned")


@long_form
def test_a_flood_is_slowed_to_the_line_and_stopped_at_the_limit(hocket: Hocket) -> None:
    flood = SETUP + 'void loop() { Serial.print(F("0123456789ABCDEF")); }\n'
    done = hocket(flood, "run", "demo", "--for", "2s")
    assert done.returncode == 0
    sent = len(re.match(r"[0-9A-F]*", done.stdout)[0])  # type: ignore[index]
    assert (
        2 * 11_520 - 100 <= sent <= 2 * 11_520
    )  # ten bits for a byte, from the first millisecond on
    done = hocket(flood, "run", "demo", "--for", "2s", "--serial-limit", "5000")
    refused(done, 2, "Serial sent more than 5000 bytes", "--serial-limit")
    assert len(re.match(r"[0-9A-F]*", done.stdout)[0]) <= 5000  # type: ignore[index]
