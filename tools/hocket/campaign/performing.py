"""Performs the runs of a campaign. Each is a simulation, on this computer's processors or on a cluster's."""

from __future__ import annotations

import ipaddress
import os
import shlex
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hocket.at_once import Crew, Lost
from hocket.builder import Image
from hocket.campaign.sampling import Planned
from hocket.errors import EXIT_DONE, EXIT_INTERRUPTED, EXIT_REFUSED, HocketError, system_error
from hocket.inside import allow
from hocket.running.performing import run_image
from hocket.running.request import Request
from hocket.running.scenarios import find_scenario, keeping_nothing
from hocket.running.telling import ways_out

OK, FAILED, MISSED, REFUSED, ERROR = "ok", "failed", "missed", "refused", "error"
_TRIES = 4  # for a run whose worker is lost
_LOADED = ["hocket.campaign.performing", "hocket.expect.judging"]


@dataclass(frozen=True)
class Job:
    """What all runs have in common: the built sketch, and the options of `hocket run`."""

    image: Image
    request: Request
    allowed: tuple[Path, ...] = ()  # folders, besides the sketch's own


@dataclass(frozen=True)
class Outcome:
    """The result of a run. why: the observations if it is not ok. measures: numbers of the report, by
    name. ways_out: what to do about a refusal."""

    run: Planned
    verdict: str
    why: tuple[str, ...]
    measures: dict[str, float]
    ways_out: tuple[str, ...] = ()


def of_run(request: Request, run: Planned) -> Request:
    """Returns the common request with the seed and the settings of this run."""
    return replace(request, seed=run.seed, settings=run.settings)


def perform(job: Job, run: Planned, folder: Path | None = None) -> Outcome:
    """Performs one run, in any process on a computer that can read the files of the sketch and the build.
    folder: as in run_image()."""
    request = of_run(job.request, run)
    try:
        allow(job.allowed)  # a cluster's worker has its own environment
        scenario = find_scenario(
            request.scenario, job.image.sketch, job.image.board, request.settings
        )
        finished = run_image(
            job.image, request, keeping_nothing(scenario), show_serial=False, folder=folder
        )
    except HocketError as error:
        if error.exit_code == EXIT_INTERRUPTED:
            raise KeyboardInterrupt from None
        return _error(run, error)
    except OSError as problem:  # may concern this run only: the others continue
        what = f"{problem.filename} cannot be used" if problem.filename else "it cannot be run"
        return _error(run, system_error(what, problem))
    report = finished.report
    if finished.ended.status == EXIT_INTERRUPTED:
        raise KeyboardInterrupt
    if finished.ended.status == EXIT_REFUSED:
        reasons = tuple(report["admission"]["reasons"])
        return Outcome(run, REFUSED, reasons, {}, tuple(ways_out(report, job.image)))
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


def _error(run: Planned, error: HocketError) -> Outcome:
    return Outcome(run, ERROR, (str(error).removeprefix("hocket: "),), {})


def measures_of(report: dict[str, Any]) -> dict[str, float]:
    """Returns the numbers of a report whose distributions a campaign shows: the guaranteed quantities of
    loops, and all facts of parts."""
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


Outcomes = Generator[Outcome, None, None]  # closing the generator ends its runs


def on_this_computer(job: Job, runs: Sequence[Planned], workers: int) -> Outcomes:
    """Yields outcomes in the order of the runs, each as soon as it is available. If a worker is killed, its
    run is repeated. Raises KeyboardInterrupt."""
    crew = Crew(partial(_perform_in, job), workers, _LOADED, tries=_TRIES)
    early: dict[Planned, Outcome] = {}
    wanted = iter(runs)
    run = next(wanted, None)
    with closing(crew.results(runs)) as results:
        for done, outcome in results:
            early[done] = _brought(done, outcome)
            while run is not None and run in early:
                yield early.pop(run)
                run = next(wanted, None)


def _perform_in(job: Job, run: Planned, folder: Path) -> Outcome:
    return perform(job, run, folder)


def _brought(run: Planned, result: Outcome | Lost) -> Outcome:
    """Returns the outcome of a worker. Raises HocketError."""
    if not isinstance(result, Lost):
        return result
    if result.status is None:
        raise RuntimeError(f"the run with seed {run.seed} raised:\n{result.said}")
    raise HocketError(
        f"the run with seed {run.seed} loses its worker again and again",
        "the worker is killed: perhaps this computer has too little memory",
        "use fewer: --jobs 1",
    )


def on_a_cluster(job: Job, runs: Sequence[Planned], address: str) -> Outcomes:
    """As on_this_computer(), on the workers of a Dask cluster, which see this computer's files at the same
    paths. Runs of a lost worker are given to another one."""
    try:
        import distributed
    except ImportError:
        raise HocketError(
            "--dask needs the Python package distributed",
            "it is not installed beside hocket",
            "pip install distributed, or pipx inject hocket distributed",
        ) from None
    _check_who_may_answer(address)
    try:
        client: Any = distributed.Client(address, timeout=10)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as problem:
        raise HocketError(
            f"no Dask scheduler answers at {address}",
            str(problem),
            "name its address, such as tcp://127.0.0.1:8786",
        ) from None
    with client:
        futures = [client.submit(perform, job, run, pure=False, retries=_TRIES - 1) for run in runs]
        for run, future in zip(runs, futures, strict=True):
            yield _of_cluster(run, future)
            future.release()


def _check_who_may_answer(address: str) -> None:
    """Raises HocketError if the connection is not protected against other computers in the network. Data from
    a cluster is unpickled, which can execute any code."""
    scheme, colons, rest = address.partition("://")
    host = urlsplit(f"//{rest if colons else address}").hostname or ""
    open_to_all = not colons or scheme in ("tcp", "ws", "ucx")
    if not open_to_all or host == "localhost" or _is_loopback(host):
        return
    raise HocketError(
        f"whatever answers at {address} could run code as you on this computer",
        "without TLS nothing says that it is your scheduler, and what it sends is unpickled here",
        "use tls:// (docs/guide/campaigns.md says how), or a tunnel: "
        f"ssh -N -L 8786:localhost:8786 {host or 'HOST'}, then --dask tcp://127.0.0.1:8786",
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _of_cluster(run: Planned, future: Any) -> Outcome:
    """Returns the outcome from a cluster. Raises HocketError: the cluster, or the software on it, may have
    another version."""
    try:
        outcome = future.result()
    except Exception as problem:
        raise HocketError(
            f"the cluster does not bring the run with seed {run.seed}",
            f"{type(problem).__name__}: {problem}".rstrip(": "),
            "look at its workers: they need this computer's files, its version of hocket and "
            "enough memory; or leave --dask out",
        ) from problem
    assert isinstance(outcome, Outcome)
    return outcome


def workers_of(asked: int | None) -> int:
    if asked is not None and asked < 1:
        raise HocketError(f"--jobs {asked} is out of range", next_step="use 1 or more")
    return asked or len(os.sched_getaffinity(0))


def repeat_command(request: Request, run: Planned) -> str:
    """Returns the command line that repeats a run."""
    return shlex.join(of_run(request, run).words())


def check_places(outputs: Sequence[tuple[str, Path]]) -> None:
    """Checks that the results can be written, each to a file of its own."""
    from hocket.running.request import check_outputs, check_writable

    for option, file in outputs:
        check_writable(option, file)
    check_outputs(list(outputs), ())
