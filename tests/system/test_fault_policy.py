"""What becomes of a sketch after a fault, as HOCKET_ON_FAULT() asks, on the board sim."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import Any

import pytest
from tests.campaign import one_in

from hocket.builder import Image

Report = dict[str, Any]
Run = Callable[..., tuple[int, str, Report]]

# Loop 1 faults after 50 ms; loop 2 says every 20 ms that it lives.
SKETCH = """#include <Hocket.h>
{policy}
void setup() {{ Serial.begin(115200); }}
void loop(1, 1, 10) {{ delay(50); *(volatile int*)16 = 1; }}
void loop(2, 1, 10) {{ Serial.println("alive"); delay(20); }}
"""


@one_in(2)
@pytest.mark.parametrize("policy", ["", "HOCKET_ON_FAULT(StopLoop)"])
def test_stop_loop_is_what_happens_without_a_word(run: Run, policy: str) -> None:
    status, said, report = run("policy-loop", 1, SKETCH.format(policy=policy))
    assert (status, report["end"]) == (1, "time")
    assert [fault["loop"] for fault in report["faults"]] == [1]
    assert said.count("alive") > 40


def test_stop_sketch_ends_the_run_with_the_fault(run: Run) -> None:
    text = SKETCH.format(policy="HOCKET_ON_FAULT(StopSketch)")
    status, said, report = run("policy-sketch", 1, text)
    assert (status, report["end"]) == (1, "fault")
    assert [fault["loop"] for fault in report["faults"]] == [1]
    assert 2 <= said.count("alive") <= 4
    assert 50_000 <= report["duration_us"] < 60_000


def test_restart_is_refused_where_there_is_no_kernel_apart(
    image: Callable[[str, str], Image],
) -> None:
    built = image("policy-restart", SKETCH.format(policy="HOCKET_ON_FAULT(RestartSketch)"))
    done = subprocess.run([built.program], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "the board sim cannot restart a sketch" in done.stderr
    assert "StopSketch" in done.stderr


def test_there_are_no_trusted_pins_on_sim(run: Run) -> None:
    text = """#include <Hocket.h>
HOCKET_TRUSTED_PINS()
void setup() { Serial.begin(9600); Serial.println(hocket::trustedPins() == nullptr ? "none" : "some"); }
void loop() { delay(100); }
"""
    status, said, _ = run("trusted", 0.2, text)
    assert (status, said) == (0, "none\r\n")
