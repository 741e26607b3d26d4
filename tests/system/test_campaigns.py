"""`hocket run --set`, `hocket sweep` and `hocket tune`, as their users have them."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.campaign import long_form, one_in
from tests.commands import ROOT, Done, run_hocket, started_hocket
from tests.sketches import kept
from tests.unit.tools.webreport.conftest import Page

from hocket.campaign.performing import measures_of

# 28 ms of work, in turns of the loop's budget; a second loop that needs next to nothing.
WORK = """
volatile unsigned long n;
void setup() { Serial.begin(115200); pinMode(13, OUTPUT); }
void loop(1, 20, 50) {
  for (unsigned long i = 0; i < 700000; i++) n = n + 1;
  Serial.println("done");
  delay(10000);
}
void loop(2, 5, 50) { digitalWrite(13, digitalRead(2)); delay(5); }
"""
SCENARIO = """
for: 400 ms
parts:
  key: {type: button, pin: 2, wiring: supply, resistor: true, pressed: [{at: 20 ms, for: 300 ms}]}
expect:
  - {serial: done, by: 200 ms}
"""


@pytest.fixture
def sketch(tmp_path: Path) -> Path:
    folder = kept("works", WORK)
    (tmp_path / "works.yaml").write_text(SCENARIO, encoding="utf-8")
    return folder


def said_by(*words: str | Path) -> Done:
    return run_hocket(*words)


def swept(sketch: Path, tmp_path: Path, *words: str | Path) -> tuple[Done, dict[str, Any]]:
    file = tmp_path / "sweep.json"
    file.unlink(missing_ok=True)
    scenario = tmp_path / "works.yaml"
    done = run_hocket("sweep", sketch, "--scenario", scenario, "--json", file, *words)
    return done, json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


@long_form
def test_a_budget_and_a_part_are_set_for_one_run(sketch: Path, tmp_path: Path) -> None:
    words: list[str | Path] = [
        "run",
        sketch,
        "--scenario",
        tmp_path / "works.yaml",
        "--json",
        tmp_path / "r.json",
    ]
    assert run_hocket(*words).returncode == 0
    short = run_hocket(*words, "--set", "loop 1 C = 5 ms")
    assert short.returncode == 1, short.stderr
    assert '"done" was to be sent by 200 ms' in short.stderr
    loops = json.loads((tmp_path / "r.json").read_text())["loops"]
    assert [(loop["id"], loop["budget_us"]) for loop in loops] == [(1, 5000), (2, 5000)]
    longer = run_hocket(*words, "--set", "loop 1 T = 25 ms", "--set", "key.pressed.0.for = 10 ms")
    assert longer.returncode == 0, longer.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["loops"][0]["period_us"] == report["loops"][0]["deadline_us"] == 25_000
    assert report["parts"]["key"]["closed_us"] == 10_000


@one_in(4)
@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("loop 3 C = 5 ms", "this sketch has no loop 3"),
        ("loop 1 C = 60 ms", "loop 1 has a budget longer than its period"),
        ("door.open = 1", "there is no part door"),
        ("key.pressed.4.at = 1 s", "4 is not there"),
        ("key.colour = red", "colour"),
        ("key.pin = 99", "99"),
        ("loop 1 C", "says no value"),
    ],
)
def test_what_cannot_be_set_is_said(sketch: Path, tmp_path: Path, setting: str, says: str) -> None:
    done = run_hocket("run", sketch, "--scenario", tmp_path / "works.yaml", "--set", setting)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_budgets_are_set_on_sim_only(sketch: Path, tmp_path: Path) -> None:
    done = run_hocket("run", sketch, "--board", "uno", "--set", "loop 1 C = 5 ms")
    assert done.returncode == 2
    assert "on the board sim, not on uno" in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--vary", "loop 9 C = 5..30 ms"), "the sketch has no loop 9"),
        (("--vary", "loop 1 C = 5..30 ms", "--board", "uno"), "on the board sim, not on uno"),
        (("--board", "uno"), "the scenario has 2 cores, and the board uno has one core"),
    ],
)
def test_what_is_wrong_with_every_run_is_said_once(
    sketch: Path, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    scenario = tmp_path / "works.yaml"
    if "--vary" not in words:
        scenario.write_text("cores: 2\n" + scenario.read_text())
    done = run_hocket("sweep", sketch, "--scenario", scenario, "--seeds", "3", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert "running" not in done.stderr


VARY = ("--seeds", "24", "--vary", "loop 1 C = 4..20 ms")


def test_a_sweep_tells_failures_that_can_be_repeated(sketch: Path, tmp_path: Path) -> None:
    done, one = swept(sketch, tmp_path, *VARY, "--jobs", "1", "--csv", tmp_path / "sweep.csv")
    assert done.returncode == 1, done.stderr
    verdicts = one["verdicts"]
    assert verdicts["ok"] + verdicts["failed"] == 24
    assert min(verdicts.values()) > 3, verdicts
    for run in one["runs"]:
        budget = float(run["settings"]["loop 1 C"].split()[0])
        assert 4 <= budget <= 20
        assert run["verdict"] == ("ok" if "done" not in "".join(run["why"]) else "failed")
    bad = [run for run in one["runs"] if run["verdict"] == "failed"]
    good = [run for run in one["runs"] if run["verdict"] == "ok"]
    budgets = [[float(r["settings"]["loop 1 C"].split()[0]) for r in some] for some in (bad, good)]
    assert max(budgets[0]) < min(budgets[1]), "a smaller budget is never better here"
    assert all(len(line) <= 80 or "again:" in line for line in done.stdout.splitlines()), (
        done.stdout
    )
    again = next(line for line in done.stdout.splitlines() if "again:" in line)
    words = shlex.split(again.partition("again: hocket ")[2])
    repeated = run_hocket(*words)
    assert repeated.returncode == 1
    assert '"done" was to be sent' in repeated.stderr
    table = (tmp_path / "sweep.csv").read_text().splitlines()
    assert len(table) == 25
    assert table[0].startswith("seed,loop 1 C,verdict,why,loop 1 response")
    _, two = swept(sketch, tmp_path, *VARY, "--jobs", "4")
    assert two == one, "by four workers as by one"


def test_the_command_that_repeats_a_run_has_all_that_it_was_run_with(tmp_path: Path) -> None:
    """In spite of what the sketch's own file says for every command."""
    folder = tmp_path / "mit Köpfchen"
    folder.mkdir()
    (folder / "mit Köpfchen.ino").write_text(WORK, encoding="utf-8")
    (folder / "hocket.toml").write_text('board = "uno"\nseed = 77\nfor = "1 s"\n')
    scenario = tmp_path / "it's.yaml"
    scenario.write_text(SCENARIO, encoding="utf-8")
    file = tmp_path / "sweep.json"
    words: list[str | Path] = ["sweep", folder, "--board", "sim", "--cores", "2", "--for", "300 ms"]
    words += ["--policy", "edf", "--scenario", scenario, "--seed", "5", "--seeds", "2"]
    done = run_hocket(*words, "--vary", "loop 1 C = 5..20 ms", "--json", file)
    assert done.returncode in (0, 1), done.stderr
    for run in json.loads(file.read_text(encoding="utf-8"))["runs"]:
        entry, *again = shlex.split(run["again"])
        assert entry == "hocket"
        repeated = run_hocket(*again, "--json", tmp_path / "run.json")
        assert repeated.returncode == (0 if run["verdict"] == "ok" else 1), repeated.stderr
        report = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
        assert (report["board"], report["cores"], report["policy"]) == ("sim", 2, "edf")
        assert report["seed"] == run["seed"]
        assert measures_of(report) == run["measures"]


def test_what_is_refused_is_told_apart(sketch: Path, tmp_path: Path) -> None:
    done, found = swept(sketch, tmp_path, "--seeds", "2", "--vary", "loop 2 C = 45 ms")
    assert done.returncode == 1
    assert found["verdicts"] == {"refused": 2}
    assert "cannot guarantee it" in done.stdout


def some_are_done(cluster: Any) -> bool:
    return any(task.state == "memory" for task in cluster.scheduler.tasks.values())


def _workers(command: int) -> list[psutil.Process]:
    """They have the command line of who has forked them, which the command has begun."""
    found = []
    with contextlib.suppress(psutil.Error):  # one has just ended
        for server in psutil.Process(command).children():
            found += [each for each in server.children() if each.cmdline() == server.cmdline()]
    return found


def _kill_one(command: int) -> None:
    until = time.monotonic() + 300
    while time.monotonic() < until:
        if workers := _workers(command):
            workers[0].kill()
            return
        time.sleep(0.01)
    raise AssertionError("no worker was seen")


def with_a_killed_worker(
    sketch: Path, tmp_path: Path, words: list[str], kill: Callable[[int], None]
) -> dict[str, Any]:
    """The JSON of a sweep, during which `kill` is called with the command's process."""
    file = tmp_path / "killed.json"
    scenario = tmp_path / "works.yaml"
    with started_hocket(
        "sweep", sketch, "--scenario", scenario, "--json", file, *VARY, *words
    ) as process:
        kill(process.pid)
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 1, errors
    return dict(json.loads(file.read_text(encoding="utf-8")))


@long_form
def test_a_killed_worker_loses_nothing(sketch: Path, tmp_path: Path) -> None:
    _, whole = swept(sketch, tmp_path, *VARY)
    assert with_a_killed_worker(sketch, tmp_path, ["--jobs", "2"], _kill_one) == whole


@long_form
def test_a_thousand_runs_of_the_rover(tmp_path: Path) -> None:
    """The same runs, failures and distributions with one worker, and with four of which one is killed."""
    scenario, rover = tmp_path / "rover.yaml", ROOT / "examples" / "rover"
    text = (rover / "scenario.yaml").read_text(encoding="utf-8")
    expected = "expect:\n  - {part: wheels, min_distance: above 60 cm}\n"
    scenario.write_text(f"{text}for: 8 s\n{expected}", encoding="utf-8")
    words: list[str | Path] = ["sweep", rover, "--scenario", scenario, "--seeds", "1000"]
    words += ["--vary", "loop 2 C = 1..29 ms", "--vary", "wheels.speed = 20..150 cm/s"]

    def seen(jobs: int, killed: bool = False) -> tuple[list[str], dict[str, Any]]:
        file = tmp_path / f"{jobs}.json"
        command = [*words, "--jobs", str(jobs), "--json", file]
        with started_hocket(*command) as running:
            if killed:
                _kill_one(running.pid)
            output, errors = running.communicate(timeout=1500)
        assert running.returncode == 1, errors
        return output.splitlines(), json.loads(file.read_text(encoding="utf-8"))

    told, one = seen(1)
    assert len(one["runs"]) == sum(one["verdicts"].values()) == 1000
    assert min(one["verdicts"]["ok"], one["verdicts"]["failed"]) > 50, one["verdicts"]
    told_again, four = seen(4, killed=True)
    assert four == one
    assert told_again == told


@long_form
def test_a_cluster_of_workers_one_of_which_is_killed(
    sketch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import LocalCluster

    tools = Path(__file__).resolve().parents[2] / "tools"
    monkeypatch.setenv("PYTHONPATH", f"{tools}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    _, whole = swept(sketch, tmp_path, *VARY)
    cluster: Any = LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=3, threads_per_worker=1, dashboard_address=None, silence_logs=50
    )

    def kill(_: int) -> None:
        until = time.monotonic() + 300
        while not some_are_done(cluster) and time.monotonic() < until:
            time.sleep(0.01)
        os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)

    with cluster:
        address = ["--dask", cluster.scheduler_address]
        assert with_a_killed_worker(sketch, tmp_path, address, kill) == whole


@long_form
def test_a_cluster_behind_tls(
    sketch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the guide says it: the certificate is named in Dask's own settings."""
    certificate, key = tmp_path / "cluster.pem", tmp_path / "cluster.key"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30"]
    words += ["-subj", "/CN=cluster", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(words, check=True, capture_output=True)
    _, whole = swept(sketch, tmp_path, *VARY)
    tls = "DASK_DISTRIBUTED__COMM__TLS__"
    monkeypatch.setenv(tls + "CA_FILE", str(certificate))
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        monkeypatch.setenv(f"{tls}{role}__KEY", str(key))
        monkeypatch.setenv(f"{tls}{role}__CERT", str(certificate))
    tools = Path(__file__).resolve().parents[2] / "tools"
    monkeypatch.setenv("PYTHONPATH", f"{tools}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    with dask_programs(tmp_path) as address:
        assert swept(sketch, tmp_path, *VARY, "--dask", address)[1] == whole


@contextmanager
def dask_programs(folder: Path) -> Iterator[str]:
    """A scheduler and a worker that want TLS; the scheduler's address."""
    run = [sys.executable, "-m"]
    file = folder / "scheduler.json"
    listen = ["--protocol", "tls", "--host", "tls://127.0.0.1", "--no-dashboard"]
    scheduler = [*run, "distributed.cli.dask_scheduler", *listen, "--port", "0"]
    with subprocess.Popen([*scheduler, "--scheduler-file", str(file)]) as first:
        while not file.is_file():
            assert first.poll() is None
            time.sleep(0.1)
        address = str(json.loads(file.read_text(encoding="utf-8"))["address"])
        worker = [*run, "distributed.cli.dask_worker", address, "--no-dashboard", "--no-nanny"]
        with subprocess.Popen(worker) as second:
            try:
                yield address
            finally:
                for process in (second, first):
                    process.terminate()
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(20)
                    process.kill()


@long_form
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_sweep_tells_what_is_done(
    sketch: Path, tmp_path: Path, number: signal.Signals
) -> None:
    file = tmp_path / "part.json"
    words: list[str | Path] = [
        "sweep",
        sketch,
        "--scenario",
        tmp_path / "works.yaml",
        "--json",
        file,
    ]
    with started_hocket(*words, "--seeds", "2000", "--for", "10s") as process:
        children: list[psutil.Process] = []
        while not children:
            children = psutil.Process(process.pid).children(recursive=True)
            time.sleep(0.05)
        time.sleep(2)  # some runs
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(number)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "of 2000 runs of works" in output
    assert errors.endswith("hocket: interrupted\n")
    told = json.loads(file.read_text())
    assert told["planned"] == 2000
    assert told["done"] == len(told["runs"]) < 2000
    _, alive = psutil.wait_procs(children, timeout=10)
    assert not alive


ENDLESS = """
void setup() { Serial.begin(115200); }
void loop(1, 5, 50) { delay(10); }
"""


def _programs(command: int, name: str) -> list[psutil.Process]:
    """Boards' programs that run."""
    found = []
    with contextlib.suppress(psutil.Error):
        for each in psutil.Process(command).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                found += [each] if Path(each.exe()).name == name else []
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_sweep_begins_no_further_run(
    tmp_path: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its runs have no end of their own: one that was begun behind the interruption would hold it up."""
    folder, own = (
        kept("endless", ENDLESS),
        tmp_path / ("o" * 90),
    )  # longer than sockets' names may be
    own.mkdir()
    monkeypatch.setenv("TMPDIR", str(own))
    file = tmp_path / "part.json"
    words: list[str | Path] = ["sweep", folder, "--seeds", "12", "--jobs", "2", "--json", file]
    with started_hocket(*words, "--for", "1000000h", process_group=0) as process:
        until = time.monotonic() + 300
        while len(programs := _programs(process.pid, "endless")) < 2:
            assert time.monotonic() < until
            assert process.poll() is None
            time.sleep(0.01)
        all_of_it = psutil.Process(process.pid).children(recursive=True)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does it
        else:
            process.send_signal(number)
        output, errors = process.communicate(timeout=300)
    assert process.returncode == 130, errors
    assert "0 of 12 runs of endless" in output
    assert errors.splitlines()[-1] == "hocket: interrupted"
    assert "Traceback" not in errors
    assert json.loads(file.read_text())["done"] == 0
    assert len(programs) == 2
    _, alive = psutil.wait_procs(all_of_it, timeout=60)
    assert not alive
    assert list(own.iterdir()) == []


def test_a_plain_sketch_has_no_budget_to_tune() -> None:
    done = run_hocket("tune", Path(__file__).resolve().parents[2] / "examples/blink")
    assert done.returncode == 2
    assert "there is nothing to tune" in done.stderr


def test_no_scheduler_there(sketch: Path, tmp_path: Path) -> None:
    done, _ = swept(sketch, tmp_path, "--dask", "nonsense://x")
    assert done.returncode == 2
    assert "no Dask scheduler answers" in done.stderr


@long_form
def test_the_smallest_budgets(sketch: Path, tmp_path: Path) -> None:
    scenario = tmp_path / "works.yaml"
    words: list[str | Path] = [
        "tune",
        sketch,
        "--scenario",
        scenario,
        "--seeds",
        "2",
        "--step",
        "100us",
    ]
    done = run_hocket(*words)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    found = next(line for line in lines if line.startswith("loop 1: C = "))
    smallest = float(found.split()[4])
    assert 5 < smallest < 9, found  # 28 ms in four turns
    run: list[str | Path] = ["run", sketch, "--scenario", scenario]
    for budget, status in ((smallest, 0), (round(smallest - 0.1, 3), 1)):
        assert run_hocket(*run, "--set", f"loop 1 C = {budget} ms").returncode == status
    assert any(line.startswith("loop 2: C = 100 us") for line in lines), done.stdout
    none = run_hocket(*words, "--loop", "7")
    assert none.returncode == 2
    assert "--loop 7: the sketch has no such loop" in none.stderr
    scenario.write_text(SCENARIO.replace("200 ms", "21 ms"))
    hopeless = run_hocket(*words)
    assert hopeless.returncode == 1
    assert "is not ok with the budgets that it declares" in hopeless.stdout


def test_pages_of_a_sweep_and_of_a_search(sketch: Path, tmp_path: Path) -> None:
    """Plots of what varied and of every figure, red where runs are not ok; of a search, what was tried."""
    page = tmp_path / "sweep.html"
    words: list[str | Path] = ["--seeds", "8", "--vary", "loop 1 C = 4..20 ms", "--html", page]
    done, told = swept(sketch, tmp_path, *words)
    assert done.returncode == 1 and set(told["verdicts"]) == {"ok", "failed"}
    seen = Page(page.read_text("utf-8"))
    seen.check_harmless()
    assert f"{told['verdicts']['failed']} runs are not ok." in seen.text
    titles, marks = drawn_on(seen)
    varying = [name for name, d in told["distributions"].items() if d["least"] != d["most"]]
    assert titles == ["loop 1 C", *varying]
    assert marks["blue"] == told["verdicts"]["ok"] and marks["red"] == told["verdicts"]["failed"]

    page = tmp_path / "tune.html"
    words = ["--seeds", "1", "--loop", "1", "--step", "2ms", "--html", page]
    done = run_hocket("tune", sketch, "--scenario", tmp_path / "works.yaml", *words)
    assert done.returncode == 0, done.stderr
    seen = Page(page.read_text("utf-8"))
    seen.check_harmless()
    found = re.search(r"loop 1: C = (.*) \(declared 20 ms\)", done.stdout)
    assert found is not None
    titles, marks = drawn_on(seen)
    assert titles == [f"loop 1: 20 ms declared, {found[1]} found"]
    assert marks["blue"] > 0 and marks["red"] > 0
    command = next(line for line in seen.text.splitlines() if "hocket tune" in line)
    assert "--board" not in command and "--step 2ms" in command


def drawn_on(page: Page) -> tuple[list[str], dict[str, int]]:
    """The titles of a page's plots, and how many points of the first are blue and red."""
    drawn = json.loads(next(text for kind, text in page.scripts if kind.get("id") == "plots"))
    (document,) = drawn["documents"].values()
    titles = [root["attributes"]["title"]["attributes"]["text"] for root in document["roots"]]
    marks = {"blue": 0, "red": 0}
    for each in document["roots"][0]["attributes"]["renderers"]:
        colour = each["attributes"]["glyph"]["attributes"]["line_color"]["value"]
        columns = dict(each["attributes"]["data_source"]["attributes"]["data"]["entries"])
        marks["red" if colour == "#c4161c" else "blue"] += len(columns["x"])
    return titles, marks
