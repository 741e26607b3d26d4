"""What sketches and the kernel cost on the Uno, in bytes and cycles: none may grow unnoticed.

Figures of other kernels on the same simulator, in cycles: yield to another thread 253 (FreeRTOS), 219
(ChibiOS); pin, handler, semaphore, thread's pin 580 and 405, neither with budgets; pin, attachInterrupt
handler, pin 106 (Arduino core).
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

Built = Callable[[Path], Path]
Measure = Callable[..., tuple[int, int, float, int]]

ROOT = Path(__file__).resolve().parents[2]
SKETCHES = Path(__file__).parent / "sketches"


def _sizes(image: Path) -> tuple[int, int]:
    """Bytes of flash, and of RAM without stacks of main()."""
    said = subprocess.run(["avr-size", image], capture_output=True, text=True, check=True).stdout
    text, data, bss = (int(n) for n in said.splitlines()[1].split()[:3])
    return text + data, data + bss


def test_a_plain_sketch_has_no_kernel(built: Built) -> None:
    flash, ram = _sizes(built(ROOT / "examples" / "blink"))
    assert flash <= 1_200
    assert ram <= 16


def test_three_loops_with_budgets(built: Built) -> None:
    flash, ram = _sizes(built(SKETCHES / "three-blinks"))
    stacks = 3 * 192
    assert ram - stacks <= 500
    assert flash <= 9_500


def test_a_constant_pin_is_one_instruction(built: Built) -> None:
    code = subprocess.run(
        ["avr-objdump", "-d", built(SKETCHES / "three-blinks")],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for pin in ("5", "4", "0"):  # of port B: pins 13, 12 and 8
        assert re.search(rf"\tsbi\t0x05, {pin}\b", code)
        assert re.search(rf"\tcbi\t0x05, {pin}\b", code)


def test_pin_to_pin_through_attach_interrupt(built: Built, measure: Measure) -> None:
    image = built(ROOT / "bench" / "uno" / "pin-interrupt")
    count, least, mean, most = measure(image, "response", "1000", "1")
    assert count == 1000
    assert 40 <= least <= mean <= 60
    assert most <= 62


def test_pin_to_pin_beside_a_clock(built: Built, measure: Measure) -> None:
    """The same while delay() reads the clock, masked for some cycles, and the clock interrupts."""
    image = built(ROOT / "bench" / "uno" / "pin-interrupt-and-clock")
    _, _, mean, most = measure(image, "response", "3000", "2")
    assert mean <= 62
    assert most <= 62 + 45


def test_yield(measure: Measure) -> None:
    _, least, mean, most = measure("bench_yield", "pulse", "1000")
    assert 100 <= least <= mean <= 225
    assert most <= 225 + 45  # the clock's interrupt


def test_interrupt_to_thread(measure: Measure) -> None:
    _, least, mean, _ = measure("bench_signal", "response", "200", "1")
    assert 300 <= least <= mean <= 1_650
    _, least, mean, _ = measure("bench_signal_busy", "response", "200", "1")
    assert 300 <= least <= mean <= 2_300
