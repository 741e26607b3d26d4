"""`hocket self-test`: runs the steps of Hocket's own test suite. A failed step does not stop the others.

--changed [BASE] runs the steps that the files that differ from BASE can affect. --long also runs the
campaigns that are too long for every change (tests look for HOCKET_LONG). The output ends with the summary
and the closing lines of the test runners. It has the seconds of a clock, and those that processors worked,
which other programs hardly change.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby

from hocket.builder.board import jobs as jobs_of_this_computer
from hocket.changes import changed_files
from hocket.errors import HocketError, check_names
from hocket.paths import BUILD, INSTALLED, ROOT
from hocket.started import command as started
from hocket.suite import SHORTCUTS, STEPS, Command, Step

Tell = Callable[[str], object]


@dataclass(frozen=True)
class Outcome:
    step: Step
    passed: bool
    seconds: float
    worked: float
    closing: list[str]


def self_test_command(
    names: list[str], only_list: bool = False, changed: bool = False, long: bool = False
) -> int:
    """Returns the exit status: 0 if all steps passed. names: the steps, or with `changed` a commit. Empty:
    all steps."""
    if INSTALLED:
        raise HocketError(
            "Hocket's own test suite is not installed with the tool",
            "its tests are in a checkout only",
            "run ./hocket self-test in a checkout; hocket test SKETCH runs the tests of a sketch",
        )
    if only_list:
        for step in (*STEPS, *SHORTCUTS):
            print(f"{step.name:<16}{step.checks}")
        return 0
    if long:
        os.environ["HOCKET_LONG"] = "1"
    files = _changed(names) if changed else None
    steps = list(STEPS) if changed else _chosen(names)
    outcomes = list(_run_all(steps, files))
    print("\nsummary")
    for outcome in outcomes:
        verdict = "ok" if outcome.passed else "FAILED"
        print(
            f"  {verdict:<8}{outcome.step.name:<16}{outcome.seconds:7.1f} s  "
            f"{outcome.worked:7.1f} s of processors  {outcome.step.checks}"
        )
    failed = [outcome.step.name for outcome in outcomes if not outcome.passed]
    if failed:
        print(
            f"{len(failed)} of {len(outcomes)} steps failed; again: {started()} self-test {' '.join(failed)}"
        )
    else:
        print(f"all {len(outcomes)} steps passed")
    for outcome in outcomes:
        for line in outcome.closing:
            print(line)
    return 1 if failed else 0


def _changed(names: list[str]) -> list[str]:
    """Returns the files that differ from the named commit, or from the last one."""
    if len(names) > 1:
        raise HocketError(
            "--changed compares with one commit", f"{len(names)} are named", "name one, or none"
        )
    files = changed_files(names[0] if names else "HEAD")
    print("changed:", *files or ["nothing"], sep="\n  ")
    return files


def _chosen(names: list[str]) -> list[Step]:
    by_name = {step.name: step for step in (*STEPS, *SHORTCUTS)}
    check_names("step", names, by_name, "hocket self-test --list says what each checks")
    return [by_name[name] for name in names] or list(STEPS)


def _run_all(steps: list[Step], changed: list[str] | None) -> Iterator[Outcome]:
    """Runs the steps. Consecutive steps that use one processor only run concurrently, and their output is
    printed in order."""
    for for_one, found in groupby(steps, key=lambda step: step.for_one_processor):
        group = list(found)
        if not for_one or len(group) == 1:
            yield from (_run(step, changed, _tell) for step in group)
            continue
        with ThreadPoolExecutor(jobs_of_this_computer()) as pool:
            said: list[list[str]] = [[] for _ in group]
            running = [
                pool.submit(_run, step, changed, lines.append)
                for step, lines in zip(group, said, strict=True)
            ]
            for lines, run in zip(said, running, strict=True):
                outcome = run.result()
                _tell("".join(lines))
                yield outcome


def _tell(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _run(step: Step, changed: list[str] | None, tell: Tell) -> Outcome:
    tell(f"\n== {step.name}: {step.checks}\n")
    started = time.monotonic()
    closing: list[str] = []
    passed = True
    worked = 0.0
    for command in step.commands_for(changed):
        passed, more = _run_command(command, step, closing, tell)
        worked += more
        if not passed:
            break
    seconds = time.monotonic() - started
    tell(f"-- {step.name}: {'ok' if passed else 'FAILED'}, {seconds:.1f} s\n")
    return Outcome(step, passed, seconds, worked, closing)


def _run_command(
    command: Command, step: Step, closing: list[str], tell: Tell
) -> tuple[bool, float]:
    """Runs one command and prints its output as it comes. Keeps the closing lines of the test runner. Returns
    whether it passed, and the processor seconds of the command and of all that it has waited for."""
    environment = os.environ | {
        "HYPOTHESIS_STORAGE_DIRECTORY": str(BUILD / "hypothesis"),
        "MYPY_CACHE_DIR": str(BUILD / "mypy-cache"),
        "RUFF_CACHE_DIR": str(BUILD / "ruff-cache"),
    }
    try:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except FileNotFoundError:
        tell(f"{command[0]} is not installed; run: {started()} doctor\n")
        return False, 0.0
    assert process.stdout is not None
    with process:
        for line in process.stdout:
            tell(line)
            if step.closing and re.fullmatch(step.closing, line.strip()):
                closing.append(line.strip())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode == 0, usage.ru_utime + usage.ru_stime
