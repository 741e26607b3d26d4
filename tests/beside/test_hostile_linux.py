"""A Linux beside the loops that asks the kernel beneath for anything, past what Linux itself refuses.

The module `attacker` makes 20,000 calls of the firmware in every run of the suite, or as many as
HOCKET_FIRMWARE_CALLS says, and in the long form writes to the interrupt controller.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.beside.test_beside import SKETCH, adds_up, promises_kept
from tests.campaign import long_form, rounds
from tests.commands import run_hocket
from tests.sketches import Report

from hocket.linux.build import Linux
from hocket.linux.module import module

HERE = Path(__file__).parent / "module"
CALLS = rounds(20_000, 1_000_000, "HOCKET_FIRMWARE_CALLS")
Attacked = Callable[..., tuple[Report, str]]


@pytest.fixture
def attacked(linux: Linux, tmp_path: Path) -> Attacked:
    """attacked(options, time): the report of a run in which the module was loaded, and Linux's console."""

    def run(options: str, time: str) -> tuple[Report, str]:
        folder = tmp_path / "guarded"
        (folder / "linux").mkdir(parents=True)
        (folder / "guarded.ino").write_text(SKETCH, encoding="utf-8")
        (folder / "linux" / "attacker.ko").write_bytes(module(linux, HERE / "attacker", "attacker"))
        job = f"dmesg -n 7; insmod attacker.ko {options}; echo attack over\n"
        (folder / "linux" / "job").write_text(job, encoding="utf-8")
        report, console = tmp_path / "report.json", tmp_path / "console"
        words = ["--board", "virt", "--beside", "linux", "--for", time]
        words += ["--json", str(report), "--console", str(console)]
        done = run_hocket("run", folder, *words, patience=3600)
        assert done.returncode == 0, done.stdout + done.stderr
        facts: Any = json.loads(report.read_text(encoding="utf-8"))
        return facts, console.read_text(encoding="utf-8", errors="replace").replace("\r", "")

    return run


def test_any_call_of_the_firmware_is_answered(attacked: Attacked) -> None:
    report, console = attacked(f"calls={CALLS}", f"{3 + CALLS // 100_000}s")
    assert re.search(rf"attacker: {CALLS} calls, 0 strange answers", console), console[-2000:]
    assert "attack over" in console
    there = report["beside"]
    assert (there["state"], there["restarts"], there["cores_on"]) == ("running", 0, 1)
    promises_kept(report)
    adds_up(report)


@long_form
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_writes_to_the_interrupt_controller_end_linux_at_most(
    attacked: Attacked, seed: int
) -> None:
    report, console = attacked(f"calls=1000 writes=4000 seed={seed}", "4s")
    assert "attacker: writes to the interrupt controller" in console, console[-2000:]
    promises_kept(report)
    adds_up(report)
