"""A loop that goes wrong is stopped by itself: the others, and the simulated board, go on."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in
from tests.commands import run_hocket

ROOT = Path(__file__).resolve().parents[2]

Report = dict[str, Any]
Run = Callable[..., tuple[int, str, Report]]
SETUP = "void setup() { Serial.begin(115200); }\n"
WITNESS = 'void loop(1, 10, 100) { Serial.println("alive"); delay(100); }\n'


@pytest.fixture(name="build")
def _build(tmp_path: Path) -> Callable[[str], Run]:
    """build(text)(options): exit status, output and facts of a run of this sketch's program."""

    def build(text: str) -> Run:
        folder = tmp_path / "wrong"
        folder.mkdir(exist_ok=True)
        (folder / "wrong.ino").write_text(text, encoding="utf-8")
        image, facts = tmp_path / "image", tmp_path / "facts.json"
        built = run_hocket("build", folder, "-o", image)
        assert built.returncode == 0, built.stderr

        def run(*options: str | int) -> tuple[int, str, Report]:
            facts.unlink(missing_ok=True)
            words = [str(image), "--facts", str(facts), *map(str, options)]
            done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
            assert facts.exists(), done.stderr
            report: Report = json.loads(facts.read_text(encoding="utf-8"))
            return done.returncode, done.stdout, report

        return run

    return build


@long_form
def test_loops_of_all_cores_fault_at_the_same_time(build: Callable[[str], Run]) -> None:
    """What one core does about a fault is not disturbed by what the others do meanwhile."""
    text = "void setup() {}\n"
    for core in range(8):
        for i in range(8):
            options = f"{core * 8 + i + 1}, 1ms, 100ms, onCore({core})"
            wrong = f"delayMicroseconds({7 * i + core}); *(volatile int*){16 + i} = 1;"
            text += f"void loop({options}) {{ {wrong} }}\n"
    run = build(text)
    for seed in range(6):
        status, _, report = run("--cores", 8, "--for", 100_000_000, "--seed", seed)
        assert (status, report["end"]) == (1, "fault")
        assert sorted(fault["loop"] for fault in report["faults"]) == list(range(1, 65))
        assert {fault["kind"] for fault in report["faults"]} == {"bad access"}


def test_a_frame_larger_than_the_stack_reaches_no_other_stack(build: Callable[[str], Run]) -> None:
    text = SETUP + (
        "void loop(1, 10, 100) {\n"
        "  volatile unsigned char mine[256];\n"
        "  for (int i = 0; i < 256; i++) mine[i] = i;\n"
        "  delay(150);\n"
        '  for (int i = 0; i < 256; i++) if (mine[i] != i) Serial.println("overwritten");\n'
        '  Serial.println("alive");\n'
        "}\n"
        "volatile int sink;\n"
        "void loop(2, 20, 100) {\n"
        "  delay(50);\n"
        "  volatile char large[300 * 1024];\n"
        "  for (unsigned i = 0; i < sizeof large; i += 8) large[i] = 0x5a;\n"
        "  sink = large[5];\n"
        "}\n"
    )
    status, output, report = build(text)("--for", 1_000_000_000)
    assert status == 1
    assert [(f["loop"], f["kind"]) for f in report["faults"]] == [(2, "stack overflow")]
    assert output.count("alive") >= 5 and "overwritten" not in output


@one_in(7)
@pytest.mark.parametrize("frame", [16, 64, 160, 480])
@pytest.mark.parametrize(
    "call", ["delay(1)", "Serial.available()", 'Serial.println("deep")', "yield()", "micros()"]
)
def test_a_stack_that_runs_over_stops_its_loop_only(
    build: Callable[[str], Run], call: str, frame: int
) -> None:
    """Wherever the stack ends: in the sketch, in the kernel, in a driver or in an interrupt."""
    text = (
        SETUP
        + WITNESS
        + (
            f"int deeper(int n) {{ volatile char frame[{frame}]; frame[0] = n; {call}; "
            "return deeper(n + 1) + frame[0]; }\n"
            "void loop(2, 40, 100, stackBytes(8192)) { deeper(0); }\n"
        )
    )
    status, output, report = build(text)("--for", 2_000_000_000)
    assert status == 1
    assert [(f["loop"], f["kind"]) for f in report["faults"]] == [(2, "stack overflow")]
    assert output.count("alive") >= 19


def test_a_small_stack_carries_the_kernel_all_the_same(build: Callable[[str], Run]) -> None:
    """What the kernel and the drivers need of a stack does not count against the loop's share."""
    text = (
        SETUP
        + WITNESS
        + (
            "void reach(int n) { volatile char frame[64]; frame[1] = n; "
            'if (n > 0) reach(n - 1); else { delay(1); Serial.print(""); } frame[0] = 1; }\n'
            "void loop(2, 20, 100, stackBytes(512)) { static int n; if (n < 30) reach(n++); delay(1); }\n"
        )
    )
    status, output, report = build(text)("--for", 1_000_000_000)
    assert (status, report["faults"]) == (0, [])
    assert output.count("alive") >= 9


@one_in(2)
@pytest.mark.parametrize(
    ("board", "cores", "before_us", "beyond_us"), [("sim", 16, 4900, 500), ("virt", 1, 4970, 10)]
)
def test_holders_of_spinlocks_keep_everyones_bound(
    run: Run, board: str, cores: int, before_us: int, beyond_us: int
) -> None:
    """Each loop takes a lock as its budget ends, and keeps it as long as it can beyond that: each board
    has its own longest time."""
    text = "#include <Hocket.h>\nSpinlock lock;\nvoid setup() {}\n"
    text += "void busy(unsigned long us) { for (auto t = micros(); micros() - t < us;) {} }\n"
    for i in range(1, 8):
        body = (
            f"busy({before_us}); spinlockLock(lock); busy(1000); spinlockUnlock(lock); delay(200);"
        )
        text += f"void loop({i}, 5ms, 60ms, onCore(0)) {{ {body} }}\n"
    status, _, report = run("holders", 0.19, text, cores=cores, board=board)
    assert status == 0
    overran = [loop for loop in report["loops"] if loop["max_cpu_per_period_us"] > 5000 + beyond_us]
    assert len(overran) == 7, "each runs on beyond its budget as a holder"
    for loop in report["loops"]:
        assert loop["max_response_us"] <= loop["response_bound_us"], loop["id"]
