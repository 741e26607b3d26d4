"""Makes the runs of a campaign: each of them a simulation, on this computer's processors or a cluster's."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hocket.builder import Image
from hocket.campaign.sampling import Planned
from hocket.errors import EXIT_DONE, EXIT_INTERRUPTED, EXIT_REFUSED, HocketError
from hocket.running.performing import run_image
from hocket.running.request import Request
from hocket.running.scenarios import find_scenario
from hocket.simulator import end_with_parent
from hocket.started import word

OK, FAILED, MISSED, REFUSED, ERROR = "ok", "failed", "missed", "refused", "error"
_MOST_BROKEN = 3  # workers that may be lost without one run's being done in between


@dataclass(frozen=True)
class Job:
    """What all runs have in common: the built sketch, and the options of `hocket run`."""

    image: Image
    request: Request


@dataclass(frozen=True)
class Outcome:
    """What came of a run. why: what was seen where it is not ok. measures: numbers of the report, by name."""

    run: Planned
    verdict: str
    why: tuple[str, ...]
    measures: dict[str, float]


def perform(job: Job, run: Planned) -> Outcome:
    """One run. Context: any process on a computer that sees the sketch's and the build's files."""
    request = replace(job.request, seed=run.seed, settings=run.settings)
    try:
        scenario = find_scenario(
            request.scenario, job.image.sketch, job.image.board, request.settings
        )
        finished = run_image(job.image, request, scenario, show_serial=False)
    except HocketError as error:
        if error.exit_code == EXIT_INTERRUPTED:
            raise KeyboardInterrupt from None
        return Outcome(run, ERROR, (str(error).removeprefix("hocket: "),), {})
    report = finished.report
    if finished.ended.status == EXIT_INTERRUPTED:
        raise KeyboardInterrupt
    if finished.ended.status == EXIT_REFUSED:
        return Outcome(run, REFUSED, tuple(report["admission"]["reasons"]), {})
    measures = measures_of(report)
    why = [
        f"{each['text']}; {each['seen']}"
        for each in report.get("expectations", [])
        if each["met"] is False
    ]
    why += [
        f"fault: {each['kind']}, {each.get('text') or 'in a loop'}"
        for each in report["faults"] or []
    ]
    if why or finished.status != EXIT_DONE:
        said = why or [line.removeprefix("hocket: ") for line in finished.ended.messages[-3:]]
        return Outcome(run, FAILED, tuple(said or ["it did not end well"]), measures)
    missed = [
        f"loop {loop['id']} missed {loop['deadline_misses']} deadlines"
        for loop in report["loops"]
        if loop["deadline_misses"]
    ]
    return Outcome(run, MISSED if missed else OK, tuple(missed), measures)


def measures_of(report: dict[str, Any]) -> dict[str, float]:
    """Numbers of a report that a campaign has distributions of: of loops what is guaranteed, of parts all."""
    found: dict[str, float] = {}
    for loop in report["loops"]:
        name = f"loop {loop['id']}"
        keys = {"response": "max_response_us", "misses": "deadline_misses"}
        keys |= {"cpu per period": "max_cpu_per_period_us"}
        for key, field in keys.items():
            if isinstance(loop[field], int | float):
                found[f"{name} {key}"] = loop[field]
        if isinstance(loop["max_response_us"], int | float) and loop["response_bound_us"]:
            found[f"{name} response of bound"] = loop["max_response_us"] / loop["response_bound_us"]
    for part, facts in sorted((report.get("parts") or {}).items()):
        for key, value in facts.items():
            if isinstance(value, bool | int | float):
                found[f"{part}.{key}"] = value
    return found


Outcomes = Generator[Outcome, None, None]  # who asks no more must close it: its runs end then


def on_this_computer(job: Job, runs: Sequence[Planned], workers: int) -> Outcomes:
    """In the order of the runs, each as soon as it is there. A worker that is killed loses nothing: what it
    had not brought is done again. Raises KeyboardInterrupt."""
    left = list(runs)
    broken = 0
    while left:
        # Fork: a worker has what is loaded and built here.
        context = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(workers, context, _begin_worker) as pool:
            futures: list[Future[Outcome]] = []
            try:
                futures = [pool.submit(perform, job, run) for run in left]
                for future in futures:
                    outcome = future.result()
                    left.pop(0)
                    broken = 0
                    yield outcome
            except BrokenProcessPool:
                broken += 1
                if broken > _MOST_BROKEN:
                    raise HocketError(
                        "the workers of this campaign are killed again and again",
                        "perhaps this computer has too little memory",
                        "use fewer: --jobs 1",
                    ) from None
            except BaseException:  # Ctrl-C, or nobody wants to hear more
                pool.shutdown(wait=False, cancel_futures=True)
                for worker in multiprocessing.active_children():  # a run may be hours long
                    worker.terminate()
                raise


def _begin_worker() -> None:
    """Ctrl-C reaches the whole group: who has begun this process says what happens. It ends with that one,
    however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent(signal.SIGKILL)


def on_a_cluster(job: Job, runs: Sequence[Planned], address: str) -> Outcomes:
    """The same on the workers of a Dask cluster, which see this computer's files at the same places. Runs of
    a worker that is lost are given to another one."""
    try:
        import distributed
    except ImportError:
        raise HocketError(
            "--dask needs the Python package distributed",
            "it is not installed beside hocket",
            "pip install distributed, or pipx inject hocket distributed",
        ) from None
    try:
        client: Any = distributed.Client(address, timeout=10)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as problem:
        raise HocketError(
            f"no Dask scheduler answers at {address}",
            str(problem),
            "name its address, such as tcp://127.0.0.1:8786",
        ) from None
    with client:
        futures = [
            client.submit(perform, job, run, pure=False, retries=_MOST_BROKEN) for run in runs
        ]
        for future in futures:
            yield future.result()
            future.release()


def workers_of(asked: int | None) -> int:
    if asked is not None and asked < 1:
        raise HocketError(f"--jobs {asked} is out of range", next_step="use 1 or more")
    return asked or len(os.sched_getaffinity(0))


def repeat_command(sketch: str, request: Request, run: Planned) -> list[str]:
    """The words that repeat a run as it was."""
    words = [word(), "run", sketch]
    if request.board != "sim":
        words += ["--board", request.board]
    if request.cores is not None:
        words += ["--cores", str(request.cores)]
    if request.duration is not None:
        words += ["--for", request.duration]
    if request.scenario is not None:
        words += ["--scenario", str(request.scenario)]
    if request.policy is not None:
        words += ["--policy", request.policy]
    words += ["--seed", str(run.seed)]
    for setting in run.settings:
        words += ["--set", str(setting)]
    return words


def check_places(files: Sequence[tuple[str, Path | None]]) -> None:
    """The results can be written."""
    from hocket.running.request import check_writable

    for option, file in files:
        if file is not None:
            check_writable(option, file)
