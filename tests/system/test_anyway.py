"""`hocket run --anyway`: what would happen to a refused set, and that every output says what it is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.campaign import one_in
from tests.commands import run_hocket
from tests.sketches import kept
from tests.unit.tools.webreport.conftest import Page

from hocket.report import load_report
from hocket.trace.eventlog import read_log
from hocket.trace.states import timeline
from hocket.webreport.responses import jobs_of
from hocket.webreport.timeline import Window, late_in, rows_of

MARK = "NOT GUARANTEED: admission control refuses these loops; they ran all the same (--anyway)"
# Without an example's own name, and with functions that are called once in each period: 130 % of a core.
OVERLOAD = """\
volatile unsigned long sink;
void work(unsigned long times) { for (unsigned long i = 0; i < times; ++i) sink = i; }
void setup() {}
void periodic(1, 35, 50) { work(@); }
void periodic(2, 45, 75) { work(@); }
"""


def overload(times: int) -> Path:
    return kept("overload", OVERLOAD.replace("@", str(times)))


def test_every_output_of_a_refused_set_says_that_nothing_is_guaranteed(tmp_path: Path) -> None:
    files = ["--json", "a.json", "--html", "a.html", "--vcd", "a.vcd", "--trace", "a.hklog"]
    done = run_hocket("run", overload(850_000), "--for", "1s", "--anyway", *files, cwd=tmp_path)
    assert done.returncode == 3, "a script does not take it for a run that was accepted"
    assert done.stdout.splitlines()[1] == MARK
    assert "hocket: refused: loop 2 asks for 45 ms in every 75 ms" in done.stderr
    report = load_report(tmp_path / "a.json")
    assert report["guaranteed"] is False and report["admission"]["accepted"] is False
    assert report["duration_us"] == 1_000_000 and "bounds" not in report
    assert [loop["response_bound_us"] for loop in report["loops"]] == [None, None]
    first, second = report["loops"]
    assert first["deadline_misses"] == 0 and first["iterations"] == 20
    assert second["deadline_misses"] >= 5, "the loop of lower priority pays for the overload"
    assert f" {second['deadline_misses']} ! " in done.stdout
    page = (tmp_path / "a.html").read_text("utf-8")
    assert f"{MARK}. Deadlines missed by periodic 2" in Page(page).text
    assert "<title>overload on sim: not guaranteed</title>" in page
    assert "Timeline: not guaranteed" in Page(page).text
    assert (tmp_path / "a.vcd").read_text().startswith(f"$comment {MARK} $end\n$version")
    assert run_hocket("trace", "a.hklog", cwd=tmp_path).stdout.startswith(f"{MARK}\n")
    for name in ("again.vcd", "again.perfetto"):
        assert run_hocket("trace", "a.hklog", "-o", name, cwd=tmp_path).returncode == 0
        assert MARK.encode() in (tmp_path / name).read_bytes()

    # Each miss of the table is marked in the timeline.
    log = read_log(tmp_path / "a.hklog")
    jobs, line = jobs_of(log), timeline(log)
    window = Window(0, line.end, 0)
    rows = [row for row in rows_of(log, jobs, report) if row.entry]
    marked = [len(late_in(row, jobs, window)) for row in rows]
    assert marked == [loop["deadline_misses"] for loop in report["loops"]]
    assert 'class="bad"' in page and '"#c4161c"' in page


def test_an_accepted_set_runs_as_without_it(tmp_path: Path) -> None:
    folder = kept("accepted", OVERLOAD.replace("45, 75", "10, 75").replace("@", "100000"))
    plain = run_hocket("run", folder, "--for", "1s", "--json", "plain.json", cwd=tmp_path)
    done = run_hocket("run", folder, "--for", "1s", "--anyway", "--json", "any.json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout) == (0, plain.stdout)
    assert (tmp_path / "any.json").read_bytes() == (tmp_path / "plain.json").read_bytes()


@one_in(2)
@pytest.mark.parametrize("policy", ["edf", "hybrid-edf"])
def test_by_deadlines(tmp_path: Path, policy: str) -> None:
    done = run_hocket(
        "run", overload(850_000), "--for", "1s", "--anyway", "--policy", policy, "--json", "-",
        cwd=tmp_path,
    )  # fmt: skip
    report = json.loads(done.stdout)
    assert done.returncode == 3 and report["guaranteed"] is False
    assert sum(loop["deadline_misses"] for loop in report["loops"]) > 0
    assert all(loop["iterations"] > 0 for loop in report["loops"])


def test_on_the_uno(tmp_path: Path) -> None:
    done = run_hocket(
        "run", overload(21_500), "--board", "uno", "--for", "1s", "--anyway", "--json", "a.json",
        cwd=tmp_path,
    )  # fmt: skip
    report = load_report(tmp_path / "a.json")
    assert done.returncode == 3 and MARK in done.stdout
    assert report["guaranteed"] is False and report["duration_us"] == 1_000_000
    assert report["losses"] is None  # a limit of what is guaranteed
    first, second = report["loops"]
    assert first["deadline_misses"] == 0 < second["deadline_misses"]


def test_where_it_cannot_be(tmp_path: Path) -> None:
    """On virt, and where a loop has less budget than its own start takes, or no core."""
    done = run_hocket("run", overload(1), "--board", "virt", "--anyway", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("hocket: --anyway is not for the board virt\n  cause: its image")
    tiny = kept("tiny", "void setup() {}\nvoid loop(1, 5us, 10ms) {}\n")
    done = run_hocket("run", tiny, "--anyway", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "") and "hocket: refused: loop 1" in done.stderr
