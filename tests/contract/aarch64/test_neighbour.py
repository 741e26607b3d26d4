"""A kernel at EL3 with another world beside it: the contract suite above it, and how late it makes anything.

The neighbour (neighbour/program.cpp) works on all cores, looks whether its registers stay what they are,
trespasses and calls. Figures are instructions. With several busy cores the emulator's clock is theirs: what
takes longer than a handler has others' instructions in it, and is held on one core only.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import long_form

# Of these promises tests/beside has those that a sketch can see, in every run.
pytestmark = long_form

Virt = Callable[..., subprocess.CompletedProcess[str]]

TESTS = 58
ENTRY = 20  # from an alarm's instant to its handler's first instruction, wherever the neighbour is
AT_A_CALL = 44  # …and in the midst of a call that it makes
WOKEN = 700  # from a line's instant to the first instruction of a loop that it wakes
PROGRAM = 0x4040_0000


@pytest.fixture(scope="module")
def neighbour(bare_image: Callable[[str], Path]) -> dict[int, Path]:
    return {PROGRAM: bare_image("contract_neighbour")}


@pytest.mark.parametrize(
    ("name", "cores"),
    [("contract_beside_cores1_gic3", 1), ("contract_beside_cores8_gic3", 4)],
)
def test_suite_beside_another_world(
    bare_image: Callable[[str], Path],
    virt: Virt,
    neighbour: dict[int, Path],
    name: str,
    cores: int,
) -> None:
    done = virt(bare_image(name), cores, word="neighbour", beside=neighbour)
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    assert f"{TESTS} passed, 0 failed" in text.splitlines()[-1], text
    assert "not judged" not in text


def _distribution(text: str, name: str) -> dict[int, int]:
    found = re.findall(rf"^{name} (\d+) (\d+)$", text, re.M)
    return {int(late): int(count) for late, count in found}


@pytest.fixture(scope="module", params=[1, 4])
def late(
    bare_image: Callable[[str], Path],
    virt: Virt,
    neighbour: dict[int, Path],
    request: pytest.FixtureRequest,
) -> tuple[int, str]:
    cores: int = request.param
    image = bare_image(f"contract_beside_latency{1 if cores == 1 else 8}")
    done = virt(image, cores, word="neighbour", beside=neighbour)
    text = done.stdout + done.stderr
    assert done.returncode == 0 and text.endswith("end\n"), text
    return cores, text


def test_a_handler_is_never_late(late: tuple[int, str]) -> None:
    _, text = late
    quiet, calls = _distribution(text, "quiet"), _distribution(text, "calls")
    assert set(quiet) == {ENTRY} and sum(quiet.values()) >= 1_999
    assert min(calls) == ENTRY
    assert max(calls) <= AT_A_CALL


def test_a_woken_loop_runs_soon(late: tuple[int, str]) -> None:
    cores, text = late
    for name in ("woken", "woken-calls"):
        found = _distribution(text, name)
        assert sum(found.values()) == 2_000
        assert min(found) > 300
        assert cores > 1 or max(found) <= WOKEN


@pytest.mark.parametrize("by", ["counted", "called"])
def test_each_call_of_a_loop_is_made_once(late: tuple[int, str], by: str) -> None:
    """…also where an interrupt comes between the loop's SVC and secure EL1's SMC, and another loop calls, or
    a function that the interrupt's handler calls."""
    cores, text = late
    counted = re.search(rf"^{by} (\d+) (\d+) (\d+)$", text, re.M)
    assert counted is not None
    wrong, calls, between = map(int, counted.groups())
    assert wrong == 0
    assert calls > 100_000
    assert between >= (10 if cores == 1 else 1)


def test_two_runs_are_the_same(
    bare_image: Callable[[str], Path], virt: Virt, neighbour: dict[int, Path]
) -> None:
    image = bare_image("contract_beside_latency1")
    first, second = (virt(image, word="neighbour", beside=neighbour) for _ in range(2))
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)
