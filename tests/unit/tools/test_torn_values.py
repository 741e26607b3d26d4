"""Which globals are warned about on a board that moves one byte at a time, and which are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hocket.boards import find_board
from hocket.builder.torn_values import torn_values
from hocket.sketch.folder import find_sketch

Maker = Callable[[str, dict[str, str | bytes]], Path]
BOTH = "void setup() {}\nvoid loop(1, 5, 20) { v++; }\nvoid loop(2, 5, 20) { int local = v; }\n"


def warned(sketch: Maker, text: str, board: str = "uno") -> list[str]:
    folder = sketch("s", {"s.ino": text})
    return torn_values(find_sketch(str(folder)), find_board(board))


@pytest.mark.parametrize(
    ("declared", "size"),
    [
        ("int v;", 2), ("volatile int v = 3;", 2), ("static unsigned long v;", 4), ("float v = 1.5;", 4),
        ("uint16_t v;", 2), ("int64_t v;", 8), ("long long v;", 8), ("int a, v = 2, b;", 2),
        ("int v[3] = {1, 2, 3};", 2), ("namespace n {\nlong v;\n}", 4), ('extern "C" { double v; }', 4),
    ],
)  # fmt: skip
def test_several_bytes(sketch: Maker, declared: str, size: int) -> None:
    text = BOTH.replace("v++", "v[1] = 2") if "[" in declared else BOTH
    (warning,) = warned(sketch, f"{declared}\n{text}")
    assert f"loop 1 and loop 2 use `v`, whose {size} bytes" in warning
    assert ": warning: " in warning and "Channel" in warning


@pytest.mark.parametrize(
    "declared",
    ["byte v;", "bool v;", "unsigned char v;", "char v;", "const int v = 3;", "int v();",
     "struct { int v; } s;"],
)  # fmt: skip
def test_one_byte_constants_and_what_is_no_variable(sketch: Maker, declared: str) -> None:
    assert warned(sketch, f"{declared}\n{BOTH}") == []


@pytest.mark.parametrize(
    "loops",
    [
        "void loop(1, 5, 20) { v++; }\n",  # one loop only
        # Nobody writes:
        "void loop(1, 5, 20) { int a = v; }\nvoid loop(2, 5, 20) { if (v == 3) delay(v); }\n",
        "void loop(1, 5, 20) { noInterrupts(); v = 3; interrupts(); }\n"
        "void loop(2, 5, 20) { ATOMIC_BLOCK(ATOMIC_FORCEON) { use(v); } }\n",
        "void loop(1, 5, 20) { spinlockLock(l); v = 3; spinlockUnlock(l); }\n"
        "void loop(2, 5, 20) { SpinlockGuard g(l); use(v); }\n",
        "void set() { turn.p(); v = 3; turn.v(); }\nvoid loop(1, 5, 20) { set(); }\n"
        "void loop(2, 5, 20) { set(); }\n",
    ],
)
def test_safe(sketch: Maker, loops: str) -> None:
    assert warned(sketch, f"int v;\nvoid setup() {{ v = 3; }}\n{loops}") == []


@pytest.mark.parametrize(
    "loops",
    [
        "void set() { v = 3; }\nvoid loop(1, 5, 20) { set(); }\nvoid loop() { Serial.println(v); }\n",
        "void loop(1, 5, 20) { --v; }\nvoid periodic(2, 1, 10, 5) { use(v); }\n",
        "void loop(1, 5, 20) { v <<= 1; }\nvoid loop(2, 5, 20) { v %= 3; }\n",
        # One that does not guard its use is enough, whichever of them it is:
        "void loop(1, 5, 20) { v = 3; }\nvoid loop(2, 5, 20) { noInterrupts(); use(v); interrupts(); }\n",
        "void loop(1, 5, 20) { noInterrupts(); v++; interrupts(); }\nvoid loop(2, 5, 20) { use(v); }\n",
    ],
)
def test_unsafe(sketch: Maker, loops: str) -> None:
    assert len(warned(sketch, f"int v;\nvoid setup() {{}}\n{loops}")) == 1


def test_other_boards_move_it_whole(sketch: Maker) -> None:
    assert warned(sketch, f"int v;\n{BOTH}", "sim") == []
    assert warned(sketch, f"int v;\n{BOTH}", "virt") == []


HANDLERS = {
    "void count() { v++; }\n"
    "void setup() { attachInterrupt(digitalPinToInterrupt(2), count, RISING); }\n": "count()",
    "void count() { v = millis(); }\nvoid setup() { attachInterrupt(0, &count, 3); }\n": "count()",
    "void add() { v += 2; }\nISR(TIMER2_OVF_vect) { add(); }\nvoid setup() {}\n": "of TIMER2_OVF_vect",
    "void setup() { attachInterrupt(0, [] { v++; }, RISING); }\n": "in setup()",
    "void tick() { v++; }\nvoid setup() { Timer1.attachInterrupt(tick); }\n": "tick()",
    "void got(int n) { v = n; }\nvoid setup() { Wire.onReceive(got); }\n": "got()",
}


@pytest.mark.parametrize("handler", HANDLERS)
@pytest.mark.parametrize("loop", ["void loop()", "void loop(1, 5, 20)"])
def test_shared_with_a_handler(sketch: Maker, handler: str, loop: str) -> None:
    (warning,) = warned(
        sketch, f"volatile unsigned long v;\n{handler}{loop} {{ Serial.println(v); }}\n"
    )
    assert "s.ino:1: warning: loop" in warning
    assert f"and the handler {HANDLERS[handler]} use `v`, whose 4 bytes" in warning
    assert (
        "Put noInterrupts() and interrupts() around each use" in warning
        and "Channel" not in warning
    )


@pytest.mark.parametrize(
    "text",
    [
        # The handler's is the only use; nothing writes while the other one reads; it is guarded.
        "void count() { v++; }\nvoid setup() { attachInterrupt(0, count, 3); }\nvoid loop() {}\n",
        "void count() { Serial.print(v); }\nvoid setup() { v = 3; attachInterrupt(0, count, 3); }\n"
        "void loop() { Serial.println(v); }\n",
        "ISR(INT0_vect) { v++; }\nvoid setup() {}\n"
        "void loop() { noInterrupts(); long copy = v; interrupts(); Serial.println(copy); }\n",
        "void count() { v++; }\nvoid setup() { attachInterrupt(0, count, 3); }\n"
        "void loop() { detachInterrupt(0); Serial.println(v); attachInterrupt(0, count, 3); }\n",
        # Nothing attaches this function.
        "void count() { v++; }\nvoid setup() {}\nvoid loop() { count(); Serial.println(v); }\n",
        # A lambda in loop() is the handler's code, not the loop's.
        "void setup() {}\nvoid loop() { attachInterrupt(0, [] { v++; }, RISING); delay(10); }\n",
    ],
)
def test_a_handler_that_tears_nothing(sketch: Maker, text: str) -> None:
    assert warned(sketch, f"volatile long v;\n{text}") == []


def test_one_byte_shared_with_a_handler(sketch: Maker) -> None:
    text = "ISR(INT0_vect) { v++; }\nvoid setup() {}\nvoid loop() { Serial.println(v); }\n"
    assert warned(sketch, f"volatile byte v;\n{text}") == []
    assert len(warned(sketch, f"volatile word v;\n{text}")) == 1
