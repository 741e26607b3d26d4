"""The contract suite on two Cortex-M machines of QEMU: Armv6-M and Armv7-M, with an instruction clock."""

from __future__ import annotations

import re
import subprocess

import pytest
from tests.campaign import long_form, one_in
from tests.targets import build_target

from hocket.paths import ROOT

TESTS = 51
# QEMU's instructions take 2^n ns: 64 ns beside a clock of 16 MHz, 16 ns beside one of 50 MHz.
MACHINES = {"microbit": 6, "lm3s6965evb": 4}
# Of ports/cortex_m, all its files together.
MOST_LINES = 600


def run(program: str, machine: str, word: str = "image") -> subprocess.CompletedProcess[str]:
    """Builds the image `program`_`machine` and runs it until it ends by itself; its text is in stderr."""
    name = program.replace("@", machine)
    image = build_target("cortex_m", name) / "tests" / "contract" / "cortex_m" / f"{name}.elf"
    command = ["qemu-system-arm", "-M", machine, "-nodefaults", "-display", "none"]
    command += ["-monitor", "none", "-serial", "none", "-kernel", str(image)]
    command += ["-semihosting-config", f"enable=on,target=native,arg={word}"]
    command += ["-icount", f"shift={MACHINES[machine]},sleep=off"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


# Each image, and each machine: all pairs in the long form.
SUITES = [("contract_@", "microbit"), ("contract_@", "lm3s6965evb")]
SUITES += [("contract_@_tick", "microbit"), ("contract_@_checked", "lm3s6965evb")]
OTHERS = [("contract_@_tick", "lm3s6965evb"), ("contract_@_checked", "microbit")]


@one_in(4)
@pytest.mark.parametrize(
    ("image", "machine"), [*SUITES, *(pytest.param(*pair, marks=long_form) for pair in OTHERS)]
)
def test_suite(image: str, machine: str) -> None:
    done = run(image, machine)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == f"{TESTS} passed, 0 failed"
    assert "not judged" not in done.stderr


@long_form
@pytest.mark.parametrize("machine", ["lm3s6965evb", pytest.param("microbit", marks=long_form)])
def test_is_the_same_in_every_run(machine: str) -> None:
    first, second = (run("contract_@", machine) for _ in range(2))
    assert first.stderr == second.stderr


@one_in(2)
@pytest.mark.parametrize("machine", MACHINES)
def test_switches_asked_for_from_everywhere(machine: str) -> None:
    done = run("stress_@", machine)
    assert done.returncode == 0, done.stderr
    counts = {what: int(n) for what, n in re.findall(r"^(.+): (\d+)$", done.stderr, re.M)}
    assert counts["switches in threads"] > 10_000
    assert counts["switches in handlers"] > 10_000
    assert counts["minds changed"] > 1_000  # a second handler before PendSV came


@one_in(2)
@pytest.mark.parametrize("machine", MACHINES)
def test_time_goes_on_beyond_the_counter(machine: str) -> None:
    """The image judges each alarm; here only that none was left out."""
    done = run("long_time_@", machine)
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"^alarm in \d+: \d+ late$", done.stderr, re.M)) == 8
    # Where a turn takes seconds at most: SysTick's 24 bits.
    assert ("masked for" in done.stderr) == (machine == "lm3s6965evb")


DEFECTS = {
    "overflow-of-a-thread": "a stack has overflowed",
    "no-room-to-switch": "a stack has overflowed",
    "overflow-of-main": "a stack has overflowed",
    "fault": "a fault of the processor",
    "unexpected-interrupt": "an interrupt that nobody handles",
}


@one_in(3)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("defect", DEFECTS)
def test_defects_are_named(defect: str, machine: str) -> None:
    done = run("defects_@", machine, defect)
    assert done.returncode == 70, done.stderr
    assert f"FAIL: {DEFECTS[defect]}" in done.stderr.splitlines()


def test_the_port_stays_small() -> None:
    files = sorted((ROOT / "ports" / "cortex_m").iterdir())
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) <= MOST_LINES
