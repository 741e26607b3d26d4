"""Runs tests concurrently, each as `hocket run` in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hocket.coverage.asking import BOARD as COVERED_BOARD
from hocket.coverage.asking import LINES_TO
from hocket.coverage.lines import Lines
from hocket.coverage.merging import read_lines
from hocket.errors import EXIT_DONE, EXIT_FAULT, EXIT_INTERRUPTED, EXIT_REFUSED, shorten
from hocket.own_python import python_module
from hocket.paths import INSTALLED, ROOT
from hocket.timing import fault_line, place_of_fault
from hocket.trials.find import Trial

PASSED, FAILED, ERROR, SKIPPED = "ok", "FAILED", "ERROR", "skipped"

_PATIENCE_S = 3.0  # seconds for a test to end
_ASKED_AGAIN = 4


@dataclass(frozen=True)
class Outcome:
    """verdict: one of the four. judged: the report's expectations. said: standard error, without lines about
    the command's own work. seconds: of this computer. lines: the lines that ran, if requested. faults: of a
    failed test, as messages."""

    trial: Trial
    verdict: str
    judged: list[dict[str, Any]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    serial: str = ""
    seconds: float = 0.0
    lines: Lines = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def count(self) -> int:
        return len(self.judged)


def _exceeded(report: dict[str, Any]) -> str:
    """Returns the declared costs that a run has exceeded, on its board and on others beside it, or an empty
    string."""
    said = []
    for one in (report, *(report.get("boards") or {}).values()):
        for name in (one.get("overheads") or {}).get("exceeded") or []:
            what = name.removesuffix("_us").replace("_", " ")
            said.append(f"{what} on {one['board']}")
    return f"a declared cost was exceeded: {', '.join(said)}" if said else ""


def _faults(trial: Trial, report: dict[str, Any]) -> list[str]:
    """Returns the faults of a run, on its board and on others beside it, as messages with file and line."""
    folder = trial.sketch if trial.sketch.is_dir() else trial.sketch.parent
    said = []
    boards = {"": report, **(report.get("boards") or {})}
    for name, fault in ((n, f) for n, one in boards.items() for f in one.get("faults") or []):
        place = place_of_fault(fault, folder) if not name else None
        where = f"{shorten(place[0])}:{place[1]}: " if place is not None else ""
        what = fault_line(fault)
        if where:  # it is said once
            what = _PLACE_IN_FAULT.sub("", what, count=1)
        said.append(f"hocket: {where}fault{f' on {name}' if name else ''}: {what}")
    return said


class Performer:
    """Runs tests until it is stopped."""

    def __init__(
        self,
        jobs: int,
        seed: int | None = None,
        profile: str | None = None,
        coverage: bool = False,
    ) -> None:
        self.jobs = jobs
        self.coverage = coverage
        self._options = ["--seed", str(seed)] if seed is not None else []
        self._options += ["--profile", profile] if profile is not None else []
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._stopped = False

    def outcomes(self, trials: Sequence[Trial]) -> Generator[Outcome, None, None]:
        """Yields outcomes in the order of the tests, each as soon as it is available. Raises
        KeyboardInterrupt."""
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                futures = [pool.submit(self._perform, trial) for trial in trials]
                for future in futures:
                    yield future.result()
            except (
                BaseException
            ):  # Ctrl-C, also while the first ones run, or the generator is closed
                pool.shutdown(wait=False, cancel_futures=True)
                self._stop()
                raise

    def _stop(self) -> None:
        """Ends all running tests. A signal may be lost: one that arrives while the other Python process
        starts can be raised where exceptions are ignored. So it is repeated, and finally the process is
        killed."""
        for patience in range(_ASKED_AGAIN + 1):
            with self._lock:
                self._stopped = True
                for process in self._running:
                    if patience < _ASKED_AGAIN:
                        process.send_signal(signal.SIGINT)
                    else:
                        with contextlib.suppress(ProcessLookupError):  # it has just ended
                            os.killpg(process.pid, signal.SIGKILL)
            until = time.monotonic() + _PATIENCE_S
            while self._running and time.monotonic() < until:
                time.sleep(0.02)

    def _perform(self, trial: Trial) -> Outcome:
        if trial.skipped:
            return Outcome(trial, SKIPPED, said=[trial.skipped])
        if trial.broken:
            return Outcome(trial, ERROR, said=trial.broken.splitlines())
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="hocket-test-") as name:
            report = Path(name) / "report.json"
            lines_to = Path(name) / "lines.json" if self._covers(trial) else None
            status, output, errors = self._run(trial, report, lines_to)
            lines = read_lines(lines_to) if lines_to is not None else {}
            facts: dict[str, Any] = {}
            with contextlib.suppress(OSError, ValueError):
                facts = json.loads(report.read_text(encoding="utf-8"))
        judged: list[dict[str, Any]] = facts.get("expectations", [])
        if status == EXIT_INTERRUPTED:
            raise KeyboardInterrupt
        said = [
            line
            for line in errors.splitlines()
            if not line.startswith(_PROGRESS) and not _MET.fullmatch(line)
        ]
        if status == EXIT_REFUSED:
            said = [_CORES.sub(r"`cores: \1`\2 in the scenario", line) for line in said]
        verdict = {EXIT_DONE: PASSED, EXIT_FAULT: FAILED, EXIT_REFUSED: FAILED}.get(status, ERROR)
        if verdict == PASSED and not judged:
            verdict, said = ERROR, ["hocket: this scenario expects nothing", _EXPECT]
        if verdict == PASSED and (left := sum(each["met"] is None for each in judged)):
            verdict = ERROR
            said += [
                f"hocket: {left} of {len(judged)} expectations lie behind the end of the run",
                _LONGER,
            ]
        if verdict == PASSED and (exceeded := _exceeded(facts)):
            verdict = FAILED
            said += [f"hocket: {exceeded}", _NO_BOUNDS]
        faults = _faults(trial, facts) if verdict == FAILED else []
        if verdict == FAILED and not (faults or said):
            said = [f"hocket: it ended with status {status}"]
        took = time.monotonic() - started
        return Outcome(trial, verdict, judged, said, output, took, lines, faults)

    def _covers(self, trial: Trial) -> bool:
        return self.coverage and trial.board == COVERED_BOARD

    def _run(self, trial: Trial, report: Path, lines_to: Path | None) -> tuple[int, str, str]:
        words = ["run", str(trial.sketch), "--board", trial.board, *self._options]
        words += ["--scenario", str(trial.scenario), "--json", str(report)]
        with self._lock:
            if self._stopped:
                raise KeyboardInterrupt
            process = subprocess.Popen(
                [*_entry(), *words],
                env=os.environ | ({LINES_TO: str(lines_to)} if lines_to is not None else {}),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                process_group=0,  # Ctrl-C reaches it only through this process
            )
            self._running.add(process)
        try:
            output, errors = process.communicate()
        finally:
            with self._lock:
                self._running.discard(process)
        return process.returncode, output, errors


def _entry() -> list[str]:
    """Returns the words that start the command line. In a checkout this is the launcher, which also installs
    a board's packages."""
    return python_module("hocket") if INSTALLED else [str(ROOT / "hocket")]


_PLACE_IN_FAULT = re.compile(r" \([^()]*:\d+(?:, in [^()]*(?:\(\))?)?\)")
# Lines about the command's own work (hocket.console).
_WORK = (
    "configuring",
    "building",
    "compiling",
    "linking",
    "starting",
    "running",
    "waiting for another",
)
_PROGRESS = tuple(f"hocket: {word}" for word in _WORK)
# `test` has no such option.
_CORES = re.compile(r"--cores (\d+)( or more)?")
# Expectations that were met do not explain a failure (hocket.expect.judging).
_MET = re.compile(r"hocket: (all )?\d+ expectations? met")
_LONGER = "  next:  a longer `for`, in the scenario or in hocket.toml"
_NO_BOUNDS = (
    "  next:  the report's notice names it; no bound holds in such a run (docs/reference/report.md)"
)
_EXPECT = "  next:  add expect: or never: (docs/guide/testing.md)"
