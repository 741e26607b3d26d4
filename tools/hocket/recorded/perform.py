"""Runs test files, each in a process of its own, and records what they touch.

    python -m hocket.recorded.perform [--list | --all | TEST …]

Without tests: those without a record of success for the current state of what they touch.
"""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from hocket.builder.board import jobs
from hocket.builder.lock import locked
from hocket.paths import ROOT
from hocket.recorded import record, tracing
from hocket.recorded.record import RECORDS, Tree

_NOTHING_COLLECTED = 5  # pytest's exit status; all tests of a file may be long ones


@dataclass(frozen=True)
class Outcome:
    test: str
    passed: bool
    seconds: float
    said: str


def main(arguments: Sequence[str]) -> int:
    tree = Tree()
    if list(arguments) == ["--all"]:
        reasons = dict.fromkeys(record.test_files(tree), "all run")
    elif [word for word in arguments if not word.startswith("-")]:
        reasons = dict.fromkeys(arguments, "named")
    else:
        reasons = record.chosen(tree)
    _tell(reasons, len(record.test_files(tree)))
    if list(arguments) == ["--list"]:
        return 0
    return 0 if run(list(reasons), tree) else 1


def _tell(reasons: dict[str, str], number: int) -> None:
    print(
        f"{len(reasons)} of {number} test files run; the others passed with all that they touch as it is now"
    )
    by_reason: dict[str, list[str]] = {}
    for test, reason in reasons.items():
        by_reason.setdefault(reason, []).append(test)
    for reason, tests in by_reason.items():
        shown = ", ".join(tests[:3]) + (f" and {len(tests) - 3} more" if len(tests) > 3 else "")
        print(f"  {reason}: {shown}")
    sys.stdout.flush()


def run(tests: list[str], tree: Tree) -> bool:
    """Runs test files, the longest first, as far as durations are known."""
    if not tests:
        print("=== no test file to run: all passed before ===")
        return True
    shim = prepared()
    known = {test: record.known(test) for test in tests}
    lengths = {test: each.seconds if each else 0.0 for test, each in known.items()}
    tests = sorted(tests, key=lambda test: -lengths[test])
    failed = []
    # One more than there are processors, because each sometimes waits for a program to start or end.
    with ThreadPoolExecutor(jobs() + 1) as pool:
        for ended in as_completed([pool.submit(_run, test, tree, shim) for test in tests]):
            outcome = ended.result()
            print(
                f"  {'ok' if outcome.passed else 'FAILED':<8}{outcome.seconds:6.1f} s  {outcome.test}"
            )
            if not outcome.passed:
                failed.append(outcome.test)
                print(outcome.said)
            sys.stdout.flush()
    for test in failed:
        print(f"FAILED {test}")
    end = f", {len(failed)} failed" if failed else ""
    print(f"=== {len(tests) - len(failed)} test files passed{end} ===")
    return not failed


def prepared() -> Path:
    """Builds the recorder, and compiles Python files: otherwise an import would read, and so touch, the whole
    source."""
    RECORDS.mkdir(parents=True, exist_ok=True)
    source = Path(__file__).with_name("touched.c")
    shim = RECORDS / "touched.so"
    with locked(RECORDS):
        if not shim.is_file() or shim.stat().st_mtime < source.stat().st_mtime:
            command = ["clang-19", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror"]
            fresh = shim.with_suffix(".fresh")
            subprocess.run([*command, str(source), "-o", str(fresh)], check=True)
            fresh.replace(shim)
        tracing.install(sysconfig.get_path("purelib"))
        for folder in ("tools/hocket", "tests"):
            compileall.compile_dir(ROOT / folder, quiet=2, workers=1)
    return shim


def recording(log: Path, shim: Path) -> dict[str, str]:
    """Returns the environment in which processes record what they touch."""
    return {
        "HOCKET_TOUCHED": str(log),
        "HOCKET_TOUCHED_ROOT": str(ROOT),
        tracing.WITH: str(Path(__file__).parent),
        "LD_PRELOAD": str(shim),
    }


def _run(test: str, tree: Tree, shim: Path) -> Outcome:
    log = RECORDS / f"{test.replace('/', '+')}.log"
    log.unlink(missing_ok=True)
    record.forget(test)
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", test, "-q", "-o", f"cache_dir={RECORDS / 'pytest-cache'}"],
        cwd=ROOT,
        env=os.environ | recording(log, shim),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    seconds = time.monotonic() - started
    passed = done.returncode in (0, _NOTHING_COLLECTED)
    if passed and log.is_file():
        record.keep(test, record.read_log(log, tree, test, round(seconds, 1)))
        log.unlink()
    return Outcome(test, passed, seconds, done.stdout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
