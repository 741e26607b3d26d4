"""What becomes of a campaign when some of it fails: what was run is told all the same."""

from __future__ import annotations

import csv
import errno
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hocket.at_once import Lost
from hocket.campaign import performing
from hocket.campaign.performing import ERROR, OK, Job, Outcome
from hocket.campaign.sampling import Planned
from hocket.commands import sweep
from hocket.errors import HocketError
from hocket.running.request import Request
from hocket.scenario import Scenario

RUNS = [Planned(seed) for seed in range(1, 5)]
IMAGE: Any = SimpleNamespace(
    sketch=SimpleNamespace(name="works"), board=SimpleNamespace(name="sim")
)
JOB = Job(IMAGE, Request("works"))


def test_what_the_system_refuses_one_run_is_its_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/tmp/x")

    monkeypatch.setattr(performing, "find_scenario", lambda *_: Scenario())
    monkeypatch.setattr(performing, "run_image", full)
    outcome = performing.perform(JOB, RUNS[0])
    assert outcome.verdict == ERROR
    (why,) = outcome.why
    assert "/tmp/x cannot be used" in why
    assert "No space left on device" in why
    assert "free some space" in why


def outcome_of(run: Planned) -> Outcome:
    return Outcome(run, OK, (), {"size": float(run.seed)})


@pytest.mark.parametrize(
    "problem",
    [
        HocketError("the run with seed 3 loses its worker again and again"),
        OSError(errno.EMFILE, "Too many open files"),
        RuntimeError("a defect"),
    ],
)
def test_what_was_run_is_told_before_an_error(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    problem: Exception,
) -> None:
    def performed(*_: object) -> Iterator[Outcome]:
        yield outcome_of(RUNS[0])
        yield outcome_of(RUNS[1])
        raise problem

    monkeypatch.setattr(sweep, "_job", lambda *_: JOB)
    monkeypatch.setattr(sweep, "_performed", performed)
    written, table = tmp_path / "all.json", tmp_path / "all.csv"
    asked = sweep.Campaign(Request("works"), seeds=4, json=written, csv=table)
    with pytest.raises(type(problem)) as raised:
        sweep.sweep_command(asked)
    assert raised.value is problem
    assert "2 of 4 runs of works on sim, seeds 1 to 2: 2 ok" in capsys.readouterr().out
    told = json.loads(written.read_text(encoding="utf-8"))
    assert (told["planned"], told["done"]) == (4, 2)
    assert [row["seed"] for row in csv.DictReader(table.open(encoding="utf-8"))] == ["1", "2"]


def test_a_table_is_written_even_if_the_rest_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "_job", lambda *_: JOB)
    monkeypatch.setattr(sweep, "_performed", lambda *_: iter_of(RUNS))
    table = tmp_path / "all.csv"
    asked = sweep.Campaign(Request("works"), seeds=4, json=tmp_path / "all.json", csv=table)
    (tmp_path / "all.json").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        sweep.sweep_command(asked)
    assert len(table.read_text(encoding="utf-8").splitlines()) == 5


def iter_of(runs: list[Planned]) -> Iterator[Outcome]:
    yield from map(outcome_of, runs)


class Anyhow:
    """A crew that brings what it is told to, in its own order."""

    def __init__(self, results: list[tuple[Planned, Outcome | Lost]]) -> None:
        self.all = results

    def results(self, _: object) -> Iterator[tuple[Planned, Outcome | Lost]]:
        yield from self.all


def brought(monkeypatch: pytest.MonkeyPatch, order: list[tuple[Planned, Outcome | Lost]]) -> Any:
    monkeypatch.setattr(performing, "Crew", lambda *_, **__: Anyhow(order))
    return performing.on_this_computer(JOB, RUNS, 2)


def test_outcomes_come_in_the_order_of_the_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    order = [(run, outcome_of(run)) for run in (RUNS[2], RUNS[0], RUNS[3], RUNS[1])]
    assert [each.run for each in brought(monkeypatch, [*order])] == RUNS


@pytest.mark.parametrize(
    ("lost", "kind", "says"),
    [
        (Lost(-9), HocketError, "the run with seed 2 loses its worker again and again"),
        (Lost(None, "KeyError: 'x'"), RuntimeError, "KeyError: 'x'"),
    ],
)
def test_a_lost_run_comes_after_what_was_there(
    monkeypatch: pytest.MonkeyPatch, lost: Lost, kind: type[Exception], says: str
) -> None:
    outcomes = brought(monkeypatch, [(RUNS[0], outcome_of(RUNS[0])), (RUNS[1], lost)])
    assert next(outcomes).run == RUNS[0]
    with pytest.raises(kind, match=says):
        next(outcomes)


class KilledWorker(Exception):
    """As Dask calls it."""


class Cluster:
    """A client of a cluster that brings one run and loses the next."""

    def __init__(self, *_: object, **__: object) -> None: ...

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None: ...

    def submit(self, _: object, __: object, run: Planned, **___: object) -> Any:
        def result() -> Outcome:
            if run.seed > 1:
                raise KilledWorker("perform-7 was tried 4 times")
            return outcome_of(run)

        return SimpleNamespace(result=result, release=lambda: None)


def test_what_a_cluster_says_is_said_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Cluster))
    outcomes = performing.on_a_cluster(JOB, RUNS, "tcp://127.0.0.1:8786")
    assert next(outcomes).run == RUNS[0]
    with pytest.raises(HocketError) as raised:
        next(outcomes)
    assert raised.value.fact == "the cluster does not bring the run with seed 2"
    assert raised.value.cause == "KilledWorker: perform-7 was tried 4 times"
    assert "--dask" in raised.value.next_step


@pytest.mark.parametrize("address", ["tcp://10.0.0.7:8786", "cluster:8786", "ws://[fe80::1]:8786"])
def test_what_others_could_answer_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """A scheduler's messages are unpickled: without TLS, only those of this computer are."""
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Cluster))
    with pytest.raises(HocketError) as raised:
        next(performing.on_a_cluster(JOB, RUNS, address))
    assert f"answers at {address} could run code as you" in raised.value.fact
    assert "tls://" in raised.value.next_step and "ssh -N -L" in raised.value.next_step


@pytest.mark.parametrize(
    "address", ["tls://10.0.0.7:8786", "localhost:8786", "tcp://[::1]:8786", "tcp://127.0.0.9:1"]
)
def test_a_tunnel_and_tls_are_believed(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Cluster))
    assert next(performing.on_a_cluster(JOB, RUNS, address)).run == RUNS[0]
