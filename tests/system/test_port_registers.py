"""Registers of ports, SREG and a main() of the sketch's own do on every board what they do on an Uno."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import except_virt
from tests.commands import run_hocket

from hocket.builder.port_registers import with_calls

Run = Callable[..., tuple[int, str, dict[str, object]]]

PORTS = """
struct Fast {
  volatile uint8_t *out, *in;
  uint8_t mask;
  void begin(int pin) {
    out = portOutputRegister(digitalPinToPort(pin));
    in = portInputRegister(digitalPinToPort(pin));
    mask = digitalPinToBitMask(pin);
    *portModeRegister(digitalPinToPort(pin)) |= mask;
  }
};
Fast fast;
const int pins[] = {5, 2, 9};
void all() {
  for (int pin : pins) Serial.print(digitalRead(pin));
  Serial.print((*fast.in & fast.mask) != 0);
  Serial.print(' ');
}
void setup() {
  Serial.begin(115200);
  pinMode(2, OUTPUT);
  digitalWrite(2, HIGH);
  fast.begin(5);
  all();
  *fast.out |= fast.mask;
  all();
  *fast.out &= ~fast.mask;
  all();
  *fast.in = fast.mask;  // turns it over
  all();
  *portOutputRegister(digitalPinToPort(2)) &= ~digitalPinToBitMask(2);
  all();
  volatile uint8_t* mode = portModeRegister(digitalPinToPort(9));
  uint8_t nine = digitalPinToBitMask(9);
  Serial.print((*mode & nine) != 0);
  pinMode(9, OUTPUT);
  Serial.print((*mode & nine) != 0);
  *mode &= ~nine;
  *portOutputRegister(digitalPinToPort(9)) |= nine;  // pull-up
  Serial.print((*mode & nine) != 0);
  all();
  volatile uint8_t plain[3] = {1, 2, 3};  // any other byte
  plain[1] += 5;
  Serial.println(plain[0] + plain[1] + plain[2]);
  uint8_t kept = SREG;
  for (int depth = 0; depth < 2; depth++) {
    uint8_t inner = SREG;
    cli();
    Serial.print((SREG & 0x80) != 0);
    SREG = inner;
    Serial.print((SREG & 0x80) != 0);
    cli();
  }
  SREG = kept;
  Serial.println((SREG & 0x80) != 0);
}
void loop() { delay(10); }
"""
# Level of pins 5, 2 and 9, and pin 5 by its register. Last: not an output, an output, an input with pull-up.
SAID = """\
0100 1101 0100 1101 1001 0101011 11
01001
"""


@pytest.mark.parametrize("board", except_virt(["uno", "sim", "virt"]))
def test_registers_of_ports(run: Run, board: str) -> None:
    status, said, _ = run("ports", 0.1, PORTS, board=board)
    assert (status, said.replace("\r", "")) == (0, SAID)


ONE_WAY = """
void setup() {
#ifndef HOCKET_PORT_REGISTERS
  *portOutputRegister(digitalPinToPort(5)) |= digitalPinToBitMask(5);
#endif
}
void loop() {}
"""


@pytest.mark.parametrize("left", ["nothing", "the other way's mark"])
def test_a_register_that_is_there_one_way_alone_ends_the_build(tmp_path: Path, left: str) -> None:
    """It was compiled with and without calls in turn, for ever."""
    sketch = tmp_path / "one-way.ino"
    if left != "nothing":
        sketch.write_text(ONE_WAY.replace("#ifndef", "#ifdef"))
        assert run_hocket("build", sketch, patience=60).returncode == 0
    sketch.write_text(ONE_WAY)
    assert run_hocket("build", sketch, patience=60).returncode == 0


MAIN = """
int count;
void setup() { Serial.begin(115200); }
void loop() { Serial.println(count++); delay(10); }
int main(void) {
  init();
  setup();
  while (count < 3) {
    loop();
    if (serialEventRun) serialEventRun();
  }
}
"""


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_a_main_of_ones_own(run: Run, board: str) -> None:
    """setup() and loop() run when it calls them, and when it has ended nothing does."""
    status, said, _ = run("own-main", 0.2, MAIN, board=board)
    assert (status, said.split()) == (0, ["0", "1", "2"])


BY_NAME = """
#if defined(ARDUINO_AVR_UNO)
#define LAMP 7
#elif defined(ESP32)
#define LAMP 2
#endif
#if defined(ARDUINO_AVR_MEGA) || !defined(ARDUINO_ARCH_HOCKET)
#error another board
#endif
void setup() { Serial.begin(115200); Serial.println(LAMP); }
void loop() { delay(10); }
"""


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_pins_by_the_names_of_boards(run: Run, board: str) -> None:
    """A sketch that has pins for boards that it knows is compiled as for one with the same numbers."""
    status, said, _ = run("by-name", 0.05, BY_NAME, board=board)
    assert (status, said.split()) == (0, ["7"])


def test_a_main_beside_loops_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s.ino").write_text(
        "void setup() {}\nvoid loop(1, 1, 10) {}\nint main() { init(); }\n"
    )
    done = run_hocket("build", tmp_path / "s.ino")
    assert done.returncode == 2
    assert "s.ino:3: a sketch with loops cannot have a main() of its own" in done.stderr
    assert "next:  move what main() does into setup(), or into a loop" in done.stderr


@pytest.mark.parametrize(
    ("line", "now"),
    [
        (
            "  %5 = load volatile i8, ptr %4, align 1, !dbg !12, !tbaa !3",
            "  %5 = call zeroext i8 @hocket_load_register(ptr %4), !dbg !12",
        ),
        (
            "  store volatile i8 %7, ptr getelementptr inbounds (i8, ptr @a, i64 2), align 1, !tbaa !3",
            "  call void @hocket_store_register(ptr getelementptr inbounds (i8, ptr @a, i64 2), "
            "i8 zeroext %7)",
        ),
        (
            "  store volatile i8 zext (i1 icmp eq (ptr @a, ptr @b) to i8), ptr %1, align 1",
            "  call void @hocket_store_register(ptr %1, "
            "i8 zeroext zext (i1 icmp eq (ptr @a, ptr @b) to i8))",
        ),
        ("  store volatile i32 1, ptr @x, align 4", "  store volatile i32 1, ptr @x, align 4"),
        ("  %1 = load i8, ptr %0, align 1", "  %1 = load i8, ptr %0, align 1"),
    ],
)
def test_accesses_in_llvms_text(line: str, now: str) -> None:
    assert with_calls(f"{line}\n").splitlines()[0] == now
