"""Checks the SPIN models of what loops share, and that each known mistake is caught by them.

Every case generates a verifier with `spin -a`, compiles it and searches all reachable states. A model
must hold; each of its mutations must fail. Run with `-s` to see the state counts.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.campaign import one_in

MODELS = Path(__file__).resolve().parent
COMPILER = "clang-19"
TIME_LIMIT_S = 60
MEMORY_LIMIT_MB = 1024
SAFETY = ("-DSAFETY", "-DNOCLAIM")
# Cycles under weak fairness, assertions ignored: what fails here fails because of the claim alone.
LIVENESS = ("-DNFAIR=3",)
LIVENESS_SEARCH = ("-a", "-f", "-A")


@dataclass(frozen=True)
class Search:
    """What the verifier reported: violations, distinct states, the first violation's text."""

    errors: int
    states: int
    violation: str


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0, f"{' '.join(command)} failed:\n{output}"
    return output


def search(model: str, folder: Path, definitions: tuple[str, ...], liveness: bool) -> Search:
    """Searches all states of `model` compiled with `definitions` (as `NAME` or `NAME=value`)."""
    flags = [f"-D{definition}" for definition in definitions]
    _run(["spin", "-a", *flags, str(MODELS / f"{model}.pml")], folder)
    options = LIVENESS if liveness else SAFETY
    memory = f"-DMEMLIM={MEMORY_LIMIT_MB}"
    _run([COMPILER, "-O0", "-w", *options, memory, "-o", "pan", "pan.c"], folder)
    arguments = LIVENESS_SEARCH if liveness else ()
    report = _run(["./pan", "-m500000", *arguments], folder)

    assert "max search depth too small" not in report, report
    assert "Search not completed" not in report or "errors: 0" not in report, report
    errors = re.search(r"errors: (\d+)", report)
    states = re.search(r"(\d+) states, stored", report)
    assert errors and states, report
    violation = re.search(r"^pan:\d+: (.*)$", report, re.MULTILINE)
    return Search(int(errors[1]), int(states[1]), violation[1] if violation else "")


# model, definitions, liveness, least number of states that a complete search meets
HOLD: list[tuple[str, tuple[str, ...], bool, int]] = [
    ("four_slot", (), False, 100_000),
    ("ring_buffer", ("N=1",), False, 200),
    ("ring_buffer", ("N=2",), False, 1_000),
    ("ring_buffer", ("N=3",), False, 5_000),
    ("ring_buffer", ("N=3", "LIMIT=2"), False, 2_000),
    ("ring_buffer", ("N=5", "LIMIT=1"), False, 1_000),
    ("ticket_lock", (), False, 4_000),
    ("ticket_lock", (), True, 5_000),
    ("migration", (), False, 250_000),
    ("fifo", (), False, 500),
    ("fifo", ("N=1",), False, 300),
]

# model, mutation, liveness, what must be violated (a part of the verifier's text)
FAIL: list[tuple[str, str, bool, str]] = [
    ("four_slot", "NO_READER_ORDER", False, "first==second"),
    ("four_slot", "NO_WRITER_ORDER", False, "first==second"),
    ("four_slot", "LATE_DATA", False, "first"),
    ("four_slot", "EARLY_INDEX", False, "first==second"),
    ("four_slot", "NO_HANDSHAKE", False, "first"),
    ("four_slot", "REACH_END", False, "first!="),
    ("ring_buffer", "TAIL_FIRST", False, "first==expected"),
    ("ring_buffer", "RELAXED_TAIL", False, "first==expected"),
    ("ring_buffer", "HEAD_FIRST", False, "first==expected"),
    ("ring_buffer", "ONE_TOO_MANY", False, "first==expected"),
    ("ring_buffer", "WRAP_AT_N", False, "published"),
    ("ring_buffer", "REACH_END", False, "assertion violated 0"),
    ("ticket_lock", "CARRY", False, "invalid end state"),
    ("ticket_lock", "SPLIT_DRAW", False, "holders==1"),
    ("ticket_lock", "RELAXED_UNLOCK", False, "data==expected"),
    ("ticket_lock", "NEWEST_FIRST", False, "line"),
    ("ticket_lock", "TRY_WITHOUT_CAS", False, "line"),
    ("ticket_lock", "REACH_END", False, "q_len(line)<3"),
    ("ticket_lock", "LOST_TURN", True, "acceptance cycle"),
    ("migration", "EARLY_HAND_OVER", False, "runs[(1-i)]"),
    ("migration", "NO_SECOND_LOOK", False, "lock[owner]"),
    ("migration", "STALE_UNLOCK", False, "lock[left_on]"),
    ("migration", "INTERRUPT_FIRST", False, "part[owner]!="),
    ("migration", "NOT_MINE", False, "owner==i"),
    ("migration", "TAKE_TWICE", False, "part[i]=="),
    ("migration", "STAYS_READY", False, "owner==i"),
    ("migration", "REACH_END", False, "thread=="),
    ("fifo", "NO_WRITER_FENCE", False, "invalid end state"),
    ("fifo", "NO_READER_FENCE", False, "invalid end state"),
    ("fifo", "NO_SECOND_LOOK", False, "invalid end state"),
    ("fifo", "LATE_WANT", False, "invalid end state"),
    ("fifo", "REACH_END", False, "assertion violated 0"),
]


@pytest.fixture(scope="module", autouse=True)
def _tools() -> None:
    for tool in ("spin", COMPILER):
        assert shutil.which(tool), f"{tool} is missing: install Debian's package {tool}"


@one_in(4)
@pytest.mark.parametrize(("model", "definitions", "liveness", "least_states"), HOLD)
def test_model_holds(
    model: str, definitions: tuple[str, ...], liveness: bool, least_states: int, tmp_path: Path
) -> None:
    found = search(model, tmp_path, definitions, liveness)
    kind = "liveness" if liveness else "safety"
    print(
        f"\n{model} {' '.join(definitions)} {kind}: {found.states:,} states, {found.errors} errors"
    )
    assert found.errors == 0, found.violation
    assert found.states >= least_states


@one_in(6)
@pytest.mark.parametrize(("model", "mutation", "liveness", "violated"), FAIL)
def test_mutation_is_caught(
    model: str, mutation: str, liveness: bool, violated: str, tmp_path: Path
) -> None:
    found = search(model, tmp_path, (mutation,), liveness)
    print(f"\n{model} {mutation}: {found.violation} after {found.states:,} states")
    assert found.errors == 1
    assert violated in found.violation


def test_every_mutation_is_listed() -> None:
    """A mutation written in a model but not run here would prove nothing."""
    knobs = {"WRITES", "N", "LIMIT", "ITEMS", "PARTIES"}
    for model in ("four_slot", "ring_buffer", "ticket_lock", "migration", "fifo"):
        source = (MODELS / f"{model}.pml").read_text(encoding="utf-8")
        tested = re.findall(r"#if(?:n?def|) +(?:defined\()?([A-Z_]+)", source)
        tested += re.findall(r"#elif defined\(([A-Z_]+)\)", source)
        listed = {mutation for name, mutation, _, _ in FAIL if name == model}
        assert set(tested) - knobs == listed, model
