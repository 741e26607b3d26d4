"""Loops that are annotated wrongly must not compile, and the message says which rule they break."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ID = "a loop's id is a number from 1 to 255"
NO_BUDGET = "a loop's budget must be more than 0"
BUDGET = "a loop's budget must not be longer than its period or deadline"
DEADLINE = "a loop's deadline must not be later than its period"
PERIOD = "a loop's period must not be longer than 100 years"


def messages(text: str, folder: Path) -> list[str]:
    """The reasons for which the compiler refuses this file, static assertions without their frame."""
    source = folder / "sketch.cpp"
    source.write_text(f'#include "arduino/runtime/loops.h"\n{text}\n', encoding="utf-8")
    command = ["clang++-19", "-std=gnu++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    done = subprocess.run(
        [*command, f"-I{ROOT}", str(source)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    found = re.findall(
        r"error: (?:static assertion failed(?: due to requirement '.*?')?: )?(.*)", done.stderr
    )
    assert (done.returncode == 0) == (not found), done.stderr
    return found


@pytest.mark.parametrize(
    "annotation",
    [
        "LOOP(1, 70, 100)",
        "LOOP(255, 1us, 1us)",
        "LOOP(7, 500us, 20ms, onCore(1), stackBytes(1024), background())",
        "PERIODIC(3, 2ms, 10ms, 5ms)",
        "PERIODIC(3, 2ms, 10ms, 10ms)",
        "PERIODIC(3, 2ms, 10ms, 2ms, onCore(0))",
        "LOOP(1, 31536000s, 31536000s)",
    ],
)
def test_right_ones_compile(annotation: str, tmp_path: Path) -> None:
    assert messages(f"HOCKET_{annotation} {{}}", tmp_path) == []


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("LOOP(0, 10, 100)", ID),
        ("LOOP(256, 10, 100)", ID),
        ("PERIODIC(300, 10, 100)", ID),
        ("LOOP(1, 0, 100)", NO_BUDGET),
        ("LOOP(1, 0us, 0us)", NO_BUDGET),
        ("LOOP(1, -5, 100)", NO_BUDGET),
        ("LOOP(1, 101, 100)", BUDGET),
        ("LOOP(1, 1001us, 1)", BUDGET),
        ("PERIODIC(1, 6ms, 10ms, 5ms)", BUDGET),
        ("PERIODIC(1, 2ms, 10ms, 10001us)", DEADLINE),
        ("LOOP(1, 1ms, 31536001s)", PERIOD),
        ("LOOP(1, 1ms, 9000000000s)", PERIOD),
        ("LOOP(1, 1ms, 18446744073709551615ms)", PERIOD),
        ("LOOP(1, 1ms, 18446744073710)", PERIOD),
    ],
)
def test_wrong_ones_are_refused_with_the_reason(
    annotation: str, expected: str, tmp_path: Path
) -> None:
    assert messages(f"HOCKET_{annotation} {{}}", tmp_path) == [expected]


def test_one_id_for_two_loops_in_one_file_is_refused(tmp_path: Path) -> None:
    found = messages("HOCKET_LOOP(1, 10, 100) {}\nHOCKET_LOOP(1, 20, 100) {}", tmp_path)
    assert "redefinition of 'hocket_loop_1'" in found
