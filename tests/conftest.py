"""What all tests share: the same examples in every run, an interruptible process; what is for --long."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.campaign import LONG, TURN, long_form
from tests.commands import ROOT, be_ready
from tests.processor_time import (  # noqa: F401 (hooks)
    Record,
    pytest_runtest_makereport,
    pytest_runtest_protocol,
)

# The same examples in every run: a failure can be repeated by anyone.
settings.register_profile(
    "hocket",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("hocket")

# A shell starts what it runs in the background with SIGINT ignored, and programs that tests start and then
# interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# However these tests were started: what they start writes a further command as `hocket …` (started.py).
os.environ["HOCKET_STARTED_AS"] = "hocket"

# Workers that begin after midnight have the same variants.
os.environ["HOCKET_TURN"] = str(TURN)


@pytest.fixture(scope="session", autouse=True)
def _commands_are_ready() -> None:
    """Before a test forks processes in a way of its own: Python has one process to fork from. A recorded
    test file (hocket.recorded) has touched what that loads only if it runs a command."""
    if "HOCKET_TOUCHED" not in os.environ:
        be_ready()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", folder, ROOT], check=True, cwd=folder)
    (made,) = folder.glob("*.whl")
    return made


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem() -> Generator[None, object, object]:
    """Of a test's variants, those that one_in() leaves to the long form and in_turn() to other days:
    whatever is asked for."""
    made = yield
    if isinstance(made, list):
        for name, first in (("one_in", 0), ("in_turn", TURN)):
            for place, item in enumerate(made):
                mark = item.get_closest_marker(name)
                if mark is not None and (place - first) % mark.args[0] != 0:
                    item.add_marker(long_form)
    return made


def pytest_report_header() -> str:
    return f"variants in turn: those of HOCKET_TURN={TURN}"


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput") and "HOCKET_TOUCHED" not in os.environ:
        config.pluginmanager.register(Record())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if LONG:
        return
    left_out = {item for item in items if item.get_closest_marker("long_form")}
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]
