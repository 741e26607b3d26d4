"""The processor time of each test, with the processes that it starts: build/processor-time.json.

It stays the same whatever else the computer does, unlike pytest's --durations. A test that builds what
others use as well pays for it alone, and so does the one that a fixture of its file is made for.
"""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Generator
from multiprocessing import forkserver
from pathlib import Path

import pytest
from tests.commands import ROOT

RECORD = ROOT / "build/processor-time.json"
_NAME = "processor seconds"


def used() -> float:
    """Seconds of this process, of those it has waited for, and of the commands that were forked for it."""
    own = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in own) + _forked()


def _forked() -> float:
    """run_hocket() has its processes forked by another one, which also waits for them. It may have ended."""
    server = getattr(forkserver._forkserver, "_forkserver_pid", None)
    try:
        fields = Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.user_properties.append((_NAME, used()))
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Each part of a test (what it sets up, itself, the end) tells what it took; the difference remains."""
    report = yield
    now = used()
    report.user_properties = [pair for pair in report.user_properties if pair[0] != _NAME]
    for place, (name, before) in enumerate(item.user_properties):
        if name == _NAME:
            assert isinstance(before, float)
            report.user_properties.append((_NAME, max(0.0, now - before)))
            item.user_properties[place] = (_NAME, now)
    return report


class Record:
    """In the process that collects what the workers report."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == _NAME:
                assert isinstance(value, float)
                self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + value

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        seconds = sum(self.seconds.values())
        terminalreporter.write_line(f"{seconds:.0f} processor seconds; of each test: {RECORD}")

    def pytest_sessionfinish(self) -> None:
        RECORD.parent.mkdir(exist_ok=True)
        dearest = sorted(self.seconds.items(), key=lambda pair: -pair[1])
        RECORD.write_text(json.dumps({name: round(value, 2) for name, value in dearest}, indent=0))
