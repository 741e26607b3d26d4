"""What a test takes counts with all that it starts (tests/processor_time.py)."""

from __future__ import annotations

import subprocess
import sys
import time

from tests.commands import ROOT, run_hocket
from tests.processor_time import used


def test_a_child_counts() -> None:
    before = used()
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    subprocess.run([sys.executable, "-c", busy], check=True)
    assert used() - before >= 0.29


def test_a_forked_command_counts() -> None:
    before, own = used(), time.process_time()
    assert run_hocket("check", ROOT / "examples/three-loops").returncode == 0
    for _ in range(1_000):  # it has ended, and is waited for in a moment
        if used() - before > time.process_time() - own:
            return
        time.sleep(0.01)
    raise AssertionError("what it took is not counted")
