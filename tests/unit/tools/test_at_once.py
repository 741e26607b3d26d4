"""Many tasks at once: each is done in some process, and nothing of them outlives the wish for them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.unit.tools import at_once_tasks

from hocket.at_once import Crew, Lost
from hocket.paths import ROOT

PATIENCE = 120  # seconds: a guard, not a measurement


def crew(do: Callable[[Any, Path], Any], jobs: int = 2, **options: Any) -> Crew[Any, Any]:
    return Crew(do, jobs, [at_once_tasks.__name__], **options)


def test_a_process_does_one_task_after_the_other_in_an_empty_folder() -> None:
    results = dict(crew(at_once_tasks.process_of).results(range(20)))
    assert set(results) == set(range(20))
    assert len({process for process, _ in results.values()}) <= 2
    assert all(found == [] for _, found in results.values())


def test_each_task_may_have_a_process_of_its_own() -> None:
    results = dict(crew(at_once_tasks.process_of, fresh=True).results(range(6)))
    assert len({process for process, _ in results.values()}) == 6


def test_no_task_is_lost_with_its_process(tmp_path: Path) -> None:
    tasks = [tmp_path / f"{number}" for number in range(6)]
    results = dict(crew(at_once_tasks.dies_at_first, tries=2).results(tasks))
    assert results == {task: task.name for task in tasks}


def test_a_task_of_which_each_process_dies_is_told_and_the_others_are_done() -> None:
    before = {each.pid for each in sleeping()}
    results = dict(crew(at_once_tasks.dies, tries=3).results(range(4)))
    assert results == {0: 0, 1: Lost(-signal.SIGKILL), 2: 2, 3: 3}
    _, alive = psutil.wait_procs([s for s in sleeping() if s.pid not in before], PATIENCE)
    assert not alive, "what a process has started ends with it"


def sleeping() -> list[psutil.Process]:
    wanted = at_once_tasks.SLEEPS
    return [each for each in psutil.process_iter(["cmdline"]) if each.info["cmdline"] == wanted]


def test_what_nobody_foresaw_is_told_with_its_place() -> None:
    results = dict(crew(at_once_tasks.raises, tries=3).results([0, 1]))
    assert results[1] == 1
    assert results[0].status is None
    assert "ZeroDivisionError" in results[0].said
    assert "at_once_tasks.py" in results[0].said


def begun(tasks: list[Path], count: int) -> None:
    until = time.monotonic() + PATIENCE
    while sum(task.exists() for task in tasks) < count:
        assert time.monotonic() < until
        time.sleep(0.01)


def assert_nothing_is_left(tasks: list[Path]) -> None:
    """Two were begun, and no more are."""
    told = [task.read_text().split() for task in tasks if task.exists()]
    assert len(told) == 2
    for process, started, folder in told:
        assert not Path(folder).exists()
        for number in (process, started):  # who has killed one need not be who is told of its end
            with suppress(psutil.NoSuchProcess):
                assert psutil.Process(int(number)).wait(PATIENCE) is None


def test_closing_is_enough(tmp_path: Path) -> None:
    (tmp_path / "first").write_text("")
    tasks = [tmp_path / f"{number}" for number in range(12)]
    results = crew(at_once_tasks.first_alone).results([tmp_path / "first", *tasks])
    with closing(results):
        assert next(results) == (tmp_path / "first", None)
        begun(tasks, 2)
    assert_nothing_is_left(tasks)


@pytest.mark.parametrize("do", [at_once_tasks.endless, at_once_tasks.deaf])
def test_ctrl_c_leaves_nothing_behind(tmp_path: Path, do: Callable[[Path, Path], None]) -> None:
    tasks = [tmp_path / f"{number}" for number in range(12)]
    command = [sys.executable, "-c", ENDLESS, do.__name__, *map(str, tasks)]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tools'}"}
    with subprocess.Popen(
        command, env=environment, stderr=subprocess.PIPE, text=True, process_group=0
    ) as process:
        begun(tasks, 2)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
        assert process.stderr is not None
        errors = process.stderr.read()
    assert process.returncode == 130, errors
    assert errors == "ended\n", "and none of them complains"
    assert_nothing_is_left(tasks)


ENDLESS = """
import sys
from pathlib import Path
from hocket.at_once import Crew
from tests.unit.tools import at_once_tasks
if __name__ == "__main__":
    do = getattr(at_once_tasks, sys.argv[1])
    try:
        list(Crew(do, 2, ["tests.unit.tools.at_once_tasks"]).results([Path(t) for t in sys.argv[2:]]))
    except KeyboardInterrupt:
        print("ended", file=sys.stderr)
        sys.exit(130)
"""
