"""Which handlers a source attaches, with which stacks, and what the compiler says that they take."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocket.builder.handler_stacks import Attached, attached_in, frames_of

SOURCE = """
// attachInterrupt(1, never, RISING);
void setup() {
  attachInterrupt(digitalPinToInterrupt(2), seen, RISING);
  attachInterruptVcpu(pins[0], &other, f(1, 2), 1, 10, onCore(1), stackBytes(4'096));
  attachInterruptVcpu(3, [] { count(); }, RISING, 1, 10);
  attachInterruptDirect(
      4, now, FALLING, 10us, 1ms);
  attachInterruptVcpu(5, seen, RISING, 1, 10, stackBytes(kMuch));
  attachInterruptParam(6, which ? one : two, RISING, nullptr);
}
const char* text = "attachInterrupt(2, in_a_text, RISING)";
"""


def test_handlers_by_their_names() -> None:
    assert list(attached_in(SOURCE)) == [
        Attached("attachInterrupt", "seen", 4, None),
        Attached("attachInterruptVcpu", "other", 5, 4096),
        Attached("attachInterruptDirect", "now", 7, None),
        Attached("attachInterruptVcpu", "seen", 9, None),
    ]


@pytest.mark.parametrize(
    "text", ["", "attachInterrupt", "attachInterrupt(", "attachInterrupt(1, f", "attachInterrupt()"]
)
def test_any_text_is_read(text: str) -> None:
    assert list(attached_in(text)) == []


def test_what_functions_take(tmp_path: Path) -> None:
    (tmp_path / "a.ino.su").write_text(
        "demo.ino:3:_Z4seenv\t8016\tstatic\n"
        "demo.ino:4:_ZL5otherPv\t40\tdynamic\n"
        "demo.ino:5:_ZN12_GLOBAL__N_13nowEv\t8\tstatic\n"
        "demo.ino:6:_Z4seeni\t90000\tstatic\n"
        "demo.ino:7:_ZN3Box4seenEv\t90000\tstatic\n"
        "demo.ino:8:of_c\t24\tstatic\n"
        "nonsense\n"
    )
    (tmp_path / "b.su").write_text("b.cpp:1:_ZL4seenv\t16\tstatic\n")
    objects = [tmp_path / "a.ino.o", tmp_path / "b.o", tmp_path / "none.o"]
    assert frames_of(objects) == {"seen": 8016, "other": 40, "now": 8, "of_c": 24}
