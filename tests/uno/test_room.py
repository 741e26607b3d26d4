"""What does not fit on the Uno, or is not there, is refused with what takes the room and the way out."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import run_hocket

ROOT = Path(__file__).resolve().parents[2]
Build = Callable[[str], str]
LOOP = "void loop({0}, 1, 100) {{ a[{0}]++; delay(3); }}\n"


@pytest.fixture
def refused(tmp_path: Path) -> Build:
    """refused(text): what the command says about a sketch that it does not build."""

    def build(text: str) -> str:
        folder = tmp_path / "demo"
        folder.mkdir(exist_ok=True)
        (folder / "demo.ino").write_text(text)
        done = run_hocket("build", "demo", "--board", "uno", cwd=tmp_path)
        assert done.returncode == 2, done.stdout
        assert "Traceback" not in done.stderr
        return done.stderr

    return build


def loops(count: int, size: int, options: str = "") -> str:
    text = f"int a[{size}];\nvoid setup() {{}}\n" + "".join(
        LOOP.format(i) for i in range(1, count + 1)
    )
    return text.replace("100)", f"100{options})")


@long_form
def test_too_much_flash(refused: Build) -> None:
    said = refused(
        "const char table[] PROGMEM = {" + "1," * 32_000 + "};\n"
        "void setup() { Serial.begin(9600); }\n"
        "void loop() { static int i; Serial.print((char)pgm_read_byte(table + i++)); }\n"
    )
    match = re.search(
        r"the sketch has (\d+) bytes, (\d+) more than the 32256 of flash that the Uno has", said
    )
    assert match and int(match[1]) - int(match[2]) == 32256
    assert int(match[1]) > 32_000
    assert re.search(r"^    the sketch and its libraries +320\d\d$", said, re.MULTILINE)
    assert re.search(r"^    Serial +\d+$", said, re.MULTILINE)
    assert "largest of all: table 32000," in said
    assert "  next:  " in said


def test_far_too_much(refused: Build) -> None:
    """More than the linker can lay out at all."""
    said = refused(
        "volatile char a[32000], b[32000], c[2000];\nvoid setup() {}\n"
        "void loop() { static unsigned i; a[i & 7] = b[i & 3] = c[i & 15]; ++i; }\n"
    )
    assert "hocket: the sketch needs far more RAM than the board has" in said


def test_too_much_ram(refused: Build) -> None:
    said = refused(
        "int samples[900]; char text[400];\nvoid setup() {}\n"
        "void loop() { for (auto& s : samples) s += text[s & 7]; text[samples[3] & 7]++; }\n"
    )
    assert re.search(r"needs \d+ bytes of RAM, \d+ more than the 2048 of the Uno", said)
    assert re.search(r"^    variables of the sketch and its libraries +2200$", said, re.MULTILINE)
    assert "largest of all: samples 1800, text 400" in said
    assert "PROGMEM" in said


@long_form
def test_the_stacks_that_would_fit_are_named_and_fit(refused: Build, tmp_path: Path) -> None:
    said = refused(loops(7, 60))
    assert len(re.findall(r"^    loop \d: its stack, and \d+ for its state +\d+$", said, re.M)) == 7
    match = re.search(r"say stackBytes\((\d+)\) or less for each loop", said)
    assert match is not None
    size = int(match[1])
    assert 128 <= size < 192
    said = refused(loops(7, 60, f", stackBytes({size + 1})"))  # one byte more does not
    assert f"write stackBytes({size}) or less" in said
    (tmp_path / "demo" / "demo.ino").write_text(loops(7, 60, f", stackBytes({size})"))
    done = run_hocket("run", "demo", "--board", "uno", "--for", "300ms", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@long_form
def test_loops_that_no_stack_helps(refused: Build) -> None:
    said = refused(loops(7, 550))
    assert re.search(r"there is room for [1-6] of the 7 loops", said)


PINS = "the Uno has no such pin: its pins are 0 to 13 and A0 to A5 (14 to 19)"


@one_in(6)
@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("pinMode(kPin, OUTPUT)", PINS),
        ("digitalWrite(22, HIGH)", PINS),
        ("digitalRead(-2)", PINS),
        ("analogWrite(44, 3)", PINS),
        ("tone(33, 440)", PINS),
        ("noTone(33)", PINS),
        ("pulseIn(22, HIGH)", PINS),
        ("shiftOut(2, 60, MSBFIRST, 1)", PINS),
        ("analogRead(8)", "the Uno has no such analog input: they are A0 to A7, or 0 to 7"),
        ("attachInterrupt(NOT_AN_INTERRUPT, f, RISING)", "no pin of the Uno has this interrupt"),
        ("attachInterrupt(digitalPinToInterrupt(20), f, RISING)", "no pin of the Uno has this"),
        ("detachInterrupt(5)", "no pin of the Uno has this interrupt"),
        ("attachInterrupt(digitalPinToInterrupt(4), f, LOW)", "only pins 2 and 3 of the Uno inter"),
        (
            "attachInterrupt(digitalPinToInterrupt(2), f, 77)",
            "the Uno has no such mode of an inter",
        ),
        (
            "attachInterrupt(digitalPinToInterrupt(3), f, HIGH)",
            "the Uno has no such mode of an inte",
        ),
        ("attachInterrupt(0, nullptr, RISING)", "no handler is attached by a null pointer"),
        ("Serial1.begin(9600)", "use of undeclared identifier 'Serial1'"),
    ],
)
def test_pins_that_are_not_there(refused: Build, call: str, message: str) -> None:
    said = refused(
        f"const int kPin = 42;\nvoid f() {{}}\nvoid setup() {{\n  {call};\n}}\nvoid loop() {{}}\n"
    )
    assert re.search(rf"^demo/demo.ino:4:\d+: error: {re.escape(message)}", said, re.MULTILINE)
    assert "hocket: demo/demo.ino:4: the sketch does not compile" in said
    assert "diagnose_if" not in said and "-W" not in said


def test_analog_inputs_of_the_flat_package(tmp_path: Path) -> None:
    """An SMD Uno and a Nano have them. Nothing is connected to those of the simulated Uno: they float."""
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "demo.ino").write_text(
        "void setup() {\n  Serial.begin(115200);\n  pinMode(A7, INPUT);\n  analogRead(A0);\n"
        "  Serial.println(analogRead(7));\n  Serial.println(ADMUX & 15);\n"
        "  volatile byte pin = A6;\n  analogRead(pin);\n  Serial.println(ADMUX & 15);\n}\n"
        "void loop() {}\n"
    )
    done = run_hocket("run", "demo", "--board", "uno", "--for", "20ms", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    floats, *channels = map(int, done.stdout.split()[:3])
    assert 0 <= floats < 1024
    assert channels == [7, 6]


def test_an_analog_input_as_a_digital_pin(tmp_path: Path) -> None:
    """The stock core compiles it and reads behind its table of pins. Here the pin is LOW and stays so."""
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "demo.ino").write_text(
        "volatile byte computed[] = {A6};\nvoid setup() {\n  Serial.begin(115200);\n"
        "  digitalWrite(A6, HIGH);\n  Serial.println(digitalRead(A6));\n"
        "  Serial.println(digitalRead(A7) + digitalRead(computed[0]));\n}\nvoid loop() {}\n"
    )
    done = run_hocket("run", "demo", "--board", "uno", "--for", "20ms", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[:2] == ["0", "0"]
    warnings = [line for line in done.stderr.splitlines() if "analog input only" in line]
    assert [line.split(" of ")[0] for line in warnings] == [
        "demo/demo.ino:4: warning: digitalWrite()",
        "demo/demo.ino:5: warning: digitalRead()",
        "demo/demo.ino:6: warning: digitalRead()",
    ]


def test_two_want_one_timer(refused: Build) -> None:
    said = refused(
        "#include <Servo.h>\nServo servo;\nvoid setup() { servo.attach(9); tone(4, 440); }\n"
        "void loop(1, 1, 10) {}\n"
    )
    assert said.splitlines()[-3:] == [
        "hocket: the sketch does not link: the interrupt TIMER2_COMPA is wanted twice",
        "  cause: it can have one handler: Servo and tone() each have one",
        "  next:  leave one of them out",
    ]


def test_the_clocks_vector_is_taken(refused: Build) -> None:
    said = refused("ISR(TIMER0_OVF_vect) {}\nvoid setup() {}\nvoid loop() { delay(100); }\n")
    assert "hocket: the sketch does not link: the interrupt TIMER0_OVF is wanted twice" in said
    assert "the clock: millis(), delay() and the sketch each have one" in said


def test_what_is_defined_nowhere(refused: Build) -> None:
    said = refused("void other(int);\nvoid setup() {}\nvoid loop() {\n  other(1);\n}\n")
    assert (
        "demo/demo.ino:4: the sketch does not link: other(int) is used but defined nowhere" in said
    )


@pytest.mark.parametrize(
    "plain", ["", "void loop() { delay(3); }\n"], ids=["loops", "and a plain one"]
)
def test_a_build_says_what_it_takes(tmp_path: Path, plain: str) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "demo.ino").write_text(plain + loops(2, 30))
    for name in ("demo.hex", "demo.elf"):
        done = run_hocket("build", folder, "--board", "uno", "-o", name, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    said = re.search(
        r"^hocket: demo takes (\d+) of 32256 bytes \((\d+)%\) of flash, (\d+) of 2048 bytes \((\d+)%\) of RAM"
        r"; (\d+) are left for the stack of setup\(\) and interrupts$",
        done.stderr,
        re.MULTILINE,
    )
    assert said, done.stderr
    flash, flash_part, ram, ram_part, left = map(int, said.groups())
    records = (tmp_path / "demo.hex").read_text().split()
    assert flash == sum(int(line[1:3], 16) for line in records if line[7:9] == "00")
    listed = subprocess.run(
        ["avr-size", "-A", tmp_path / "demo.elf"], capture_output=True, text=True, check=True
    ).stdout
    variables = sum(map(int, re.findall(r"^\.(?:data|bss|noinit) +(\d+)", listed, re.MULTILINE)))
    loop_memory = 192 + 55
    assert ram == variables + (loop_memory if plain else 0)
    assert variables >= 2 * loop_memory + 2 * 30
    assert (flash_part, ram_part) == (round(flash / 322.56), round(ram / 20.48))
    assert left == 2048 - ram
