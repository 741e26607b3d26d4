"""Pins of a Linux from outside: edges come at their instants, answers are seen; programs for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import long_form

from hocket.errors import HocketError
from hocket.linux import pins as pins_module
from hocket.linux.build import Linux
from hocket.linux.guest import Guest, run
from hocket.linux.overlay import JOB, Overlay
from hocket.linux.pins import Edge, Pins
from hocket.linux.programs import program

# Raises line 2, and then tells of what comes at line 1, as the kernel's character device sees it.
SOURCE = """
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>
int main(void) {
  const int chip = open("/dev/gpiochip0", O_RDONLY);
  struct gpio_v2_line_request in = {.offsets = {1}, .num_lines = 1};
  struct gpio_v2_line_request out = {.offsets = {2}, .num_lines = 1};
  in.config.flags = GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING;
  out.config.flags = GPIO_V2_LINE_FLAG_OUTPUT;
  if (ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &in) || ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &out)) return 1;
  struct gpio_v2_line_values high = {.bits = 1, .mask = 1};
  if (ioctl(out.fd, GPIO_V2_LINE_SET_VALUES_IOCTL, &high)) return 2;
  struct gpio_v2_line_event event;
  for (int i = 0; i < 3; ++i)
    if (read(in.fd, &event, sizeof event) == sizeof event) printf("edge %u\\n", event.line_seqno);
  return 0;
}
"""


@long_form
def test_edges_come_at_their_instants(linux: Linux, tmp_path: Path) -> None:
    source = tmp_path / "seen.c"
    source.write_text(SOURCE)
    instants = (1_000_000, 1_700_001, 9_876_543)
    edges = [Edge(at + 1_000 * (1 - level), 1, level) for at in instants for level in (1, 0)]
    pins = Pins(tmp_path, edges, start=2)
    files = {JOB: (b"./seen", True), "seen": (program(source), True)}
    seen = run(Guest(linux, options=pins.options()), Overlay(files))
    assert (seen.ended, seen.job_text()) == (0, "edge 1\nedge 2\nedge 3\n")
    assert pins.started()
    begin = next(at for at, level in pins.output(2) if level)
    assert [(at - begin, level) for at, level in pins.input(1)] == [(e.at, e.level) for e in edges]


def test_a_program_that_is_none_is_told(tmp_path: Path) -> None:
    source = tmp_path / "wrong.c"
    source.write_text("int main(void) { return x; }\n")
    with pytest.raises(HocketError, match=r"wrong\.c for the Linux guest cannot be built") as said:
        program(source)
    assert "undeclared" in said.value.cause


def test_another_version_of_the_emulator_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "qemu"
    other.write_text("#!/bin/sh\necho QEMU emulator version 9.1.2\n")
    other.chmod(0o755)
    monkeypatch.setattr(pins_module, "EMULATOR", str(other))
    with pytest.raises(HocketError, match=r"cannot be connected to QEMU 9\.1"):
        Pins(tmp_path).options()
    monkeypatch.setattr(pins_module, "EMULATOR", "/no/emulator")
    with pytest.raises(HocketError, match="is not there"):
        Pins(tmp_path).options()
