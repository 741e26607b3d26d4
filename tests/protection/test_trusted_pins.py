"""The pins' registers belong to the sketch that asks for them, and to no other."""

from __future__ import annotations

import pytest
from tests.campaign import one_in
from tests.sketches import Run

# Loop 1 reads a register of known contents, loop 2 writes and reads back, 3 and 4 go beyond the page,
# 5 tries to execute it, 6 to hand it to the kernel.
SKETCH = """#include <Hocket.h>
HOCKET_TRUSTED_PINS()
volatile int sink;
volatile uint32_t *pins;
void setup() {
  Serial.begin(115200);
  pins = hocket::trustedPins();
  Serial.println((uint32_t)(uintptr_t)pins, HEX);
}
void loop(1, 1, 10) { Serial.print("read "); Serial.println(pins[READ], HEX); delay(100); }
void loop(2, 1, 10) {
  pins[WRITE] = PATTERN;
  Serial.print("wrote "); Serial.println(pins[WRITE], HEX);
  delay(100);
}
void loop(3, 1, 10) { delay(10); sink = pins[-1]; }
void loop(4, 1, 10) { delay(11); sink = pins[1024]; }
void loop(5, 1, 10) { delay(12); ((void (*)())pins)(); sink = 1; }
void loop(6, 1, 10) { delay(13); Serial.write((const uint8_t*)pins, 4); }
"""
# PL061: GPIOPeriphID0 and GPIODIR; BCM2837: GPLEV1 (nothing on those pins) and GPFSEL0.
REGISTERS = {
    "virt": {"READ": "0xfe0 / 4", "WRITE": "0x400 / 4", "PATTERN": "0x5a", "read": "61"},
    "rpi3": {"READ": "0x38 / 4", "WRITE": "0", "PATTERN": "0x249", "read": "0"},
}


@one_in(3)
@pytest.mark.parametrize("board", REGISTERS)
@pytest.mark.parametrize("cores", [1, 4])
def test_who_asks_has_the_registers_and_nothing_else(run_virt: Run, board: str, cores: int) -> None:
    values = REGISTERS[board]
    defines = "".join(f"#define {name} ({values[name]})\n" for name in ("READ", "WRITE", "PATTERN"))
    outcome = run_virt(f"trusted-{board}", 0.3, defines + SKETCH, cores=cores, board=board)
    assert outcome.said.splitlines()[0] == "50000000"
    wrote = values["PATTERN"].removeprefix("0x").upper()
    said = outcome.said.splitlines()[1:]
    assert said.count(f"wrote {wrote}") >= 2
    if board == "virt":
        assert said.count(f"read {values['read']}") >= 2
    assert all(line.split()[0] in ("read", "wrote") for line in said)
    assert {n: (f["kind"], f["address"]) for n, f in outcome.faults.items()} == {
        3: ("bad access", 0x4FFF_FFFC),
        4: ("bad access", 0x5000_1000),
        5: ("bad access", 0x5000_0000),
        6: ("bad access", 0x5000_0000),
    }


@one_in(2)
@pytest.mark.parametrize("board", REGISTERS)
def test_who_does_not_ask_has_none(run_virt: Run, board: str) -> None:
    text = SKETCH.replace("HOCKET_TRUSTED_PINS()", "").replace("delay(1", "delay(2")
    text = "#define READ 0\n#define WRITE 0\n#define PATTERN 0\n" + text.replace(
        "pins = hocket::trustedPins();",
        'if (!hocket::trustedPins()) Serial.println("none"); pins = (volatile uint32_t*)0x50000000;',
    )
    outcome = run_virt(f"untrusted-{board}", 0.3, text, board=board)
    assert outcome.said.startswith("none")
    assert set(outcome.faults) == {1, 2, 3, 4, 5, 6}
