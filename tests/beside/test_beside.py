"""An unmodified Debian beside the loops of a sketch, from outside: it starts, works, stops, starts again, and
no loop notices."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form
from tests.commands import Done, run_hocket
from tests.interrupts import interrupts
from tests.sketches import Report

from hocket.linux.build import Linux

# Loops that work for all of their budget, that are short, that mostly sleep.
SKETCH = """
volatile unsigned long work;
void setup() { Serial.begin(115200); }
void loop(1, 1, 10) { work = work + 1; }
void periodic(2, 1ms, 5ms) { work = work + 1; }
void loop(3, 1, 100) { static int n; Serial.println(++n); delay(500); }
"""
Beside = Callable[..., tuple[Report, str, Done]]


@pytest.fixture
def beside(linux: Linux, tmp_path: Path) -> Beside:
    """beside(job, …): the sketch with this job in Linux; its report, Linux's console, the command."""

    def run(
        job: str,
        *words: str,
        time: str = "2800ms",
        kernel: str = "linux",
        sketch: str = SKETCH,
        scenario: str = "",
    ) -> Any:
        folder = Path(tempfile.mkdtemp(dir=tmp_path)) / "busy"
        (folder / "linux").mkdir(parents=True)
        (folder / "busy.ino").write_text(sketch)
        if scenario:
            (folder / "scenario.yaml").write_text(scenario)
        (folder / "linux/job").write_text(job)
        report, console = folder / "report.json", folder / "console"
        more = ["--board", "virt", "--beside", kernel, "--for", time, *words]
        more += ["--json", str(report), "--console", str(console)]
        done = run_hocket("run", folder, *more, patience=600)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(report.read_text()), console.read_text().replace("\r", ""), done

    return run


def promises_kept(report: Report) -> None:
    for loop in report["loops"]:
        assert loop["deadline_misses"] == 0, loop
        assert loop["max_response_us"] <= loop["response_bound_us"], loop
    assert report["loops"][0]["min_cpu_per_period_us"] >= 1000  # C of its own work in every T
    assert report["faults"] == []


def adds_up(report: Report) -> None:
    for core in report["beside"]["cores"]:
        parts = (core[name] for name in ("beside_us", "loops_us", "for_loops_us", "rest_us"))
        assert sum(parts) == pytest.approx(report["duration_us"])


WORKS = "uname -r; dd if=/dev/urandom bs=64k count=16 2>/dev/null | md5sum; exit 3\n"


def test_a_debian_works_beside_the_loops(linux: Linux, beside: Beside) -> None:
    report, console, done = beside(WORKS)
    there = report["beside"]
    assert (there["kernel"], there["release"], there["memory_mib"]) == ("linux", linux.release, 512)
    assert (there["state"], there["restarts"], there["cores_on"]) == ("running", 0, 1)
    assert (there["started"], there["job_status"], there["panic"]) == (True, 3, None)
    assert f"\n{linux.release}\n" in console and console.endswith("# ")  # a shell waits at the end
    assert "its job ended with status 3; it had 8" in done.stdout
    promises_kept(report)
    adds_up(report)


@long_form
def test_runs_repeat(beside: Beside) -> None:
    first, again = (beside(WORKS)[:2] for _ in range(2))
    assert first == again


@long_form
def test_its_end_is_not_the_loops(beside: Beside) -> None:
    """Switched off, and started again after a panic: the same of all that loops can notice."""
    off, _, _ = beside("poweroff -f\n")
    assert (off["beside"]["state"], off["beside"]["cores_on"]) == ("off", 0)
    panic, console, done = beside("echo c >/proc/sysrq-trigger\n")
    there = panic["beside"]
    assert there["state"] == "running" and there["restarts"] >= 1
    assert there["panic"] == "sysrq triggered crash"
    assert console.count("hocket-linux: up ") >= 2
    assert "notice: Linux stopped while it ran: sysrq triggered crash." in done.stdout
    for report in (off, panic):
        promises_kept(report)
        adds_up(report)
        for loop in report["loops"]:
            del loop[
                "kernel_us"
            ]  # the switches from a Linux that runs and from an idle core differ
    assert off["loops"] == panic["loops"]


HANDLES = """
volatile unsigned long stops, turns;
void stop() { ++stops; }
void turned() { ++turns; }
void setup() {
  attachInterruptDirect(2, stop, RISING, 5us, 400us);
  attachInterruptVcpu(3, turned, CHANGE, 100us, 1ms);
}
void loop(1, 1, 10) { turns = turns; }
void periodic(2, 1ms, 5ms) { stops = stops; }
void loop(3, 1, 100) { delay(500); }
"""
SIGNALS = """parts:
  fast: {type: generator, pin: 2, frequency: 1 kHz}
  slow: {type: generator, pin: 3, frequency: 210 Hz}
"""


@long_form
@pytest.mark.parametrize("kernel", ["linux", "linux-rt"])
def test_handlers_of_pins(beside: Beside, kernel: str) -> None:
    """Linux has its own interrupts all the time, or its job would not end."""
    job = "sleep 0.3; dd if=/dev/urandom bs=64k count=16 2>/dev/null | md5sum; sleep 0.1; exit 4\n"
    report, _, _ = beside(job, kernel=kernel, sketch=HANDLES, scenario=SIGNALS, time="4s")
    assert report["beside"]["job_status"] == 4
    promises_kept(report)
    adds_up(report)
    found = interrupts(report)
    assert found[2]["delivered"] >= 3_990 and found[3]["delivered"] >= 1_670
    for entry in found.values():
        assert entry["lost"] == 0
        assert entry["max_delay_us"] <= entry["delay_bound_us"]


@long_form
@pytest.mark.parametrize("kernel", ["linux", "linux-rt"])
def test_four_cores(beside: Beside, kernel: str) -> None:
    """Times are no measure there (docs/reference/world-program.md); what is done, and the order, are."""
    report, console, _ = beside("nproc\n", "--cores", "4", kernel=kernel, time="4s")
    assert "\n4\n" in console and report["beside"]["cores_on"] == 4
    assert report["faults"] == [] and report["loops"][2]["iterations"] >= 4
    adds_up(report)


@long_form
@pytest.mark.parametrize(
    "load", ["--cpu 1", "--vm 1 --vm-bytes 64M", "--fork 1", "--switch 1", "--icache 1"]
)
def test_loads_within_it(beside: Beside, load: str) -> None:
    job = f"stress-ng --temp-path /tmp {load} --timeout 2 >/dev/null 2>&1; echo status $?\n"
    report, _, _ = beside(job, time="3500ms")
    promises_kept(report)
    adds_up(report)


# stress-ng(1), --class: whole classes of stressors, all of a class at once.
CLASSES = (
    *("cpu", "cpu-cache", "device", "filesystem", "interrupt", "io", "memory", "network"),
    *("os", "pipe", "scheduler", "vm"),  # security: Debian's kernel lets none of it run
)


@long_form
@pytest.mark.parametrize("name", CLASSES)
def test_classes_of_stress_within_it(beside: Beside, name: str) -> None:
    """Whatever becomes of Linux: some of these exhaust its memory, or end it."""
    job = f"stress-ng --temp-path /tmp --class {name} --all 1 --timeout 2 2>&1; echo status $?\n"
    report, console, _ = beside(job, "--memory", "1G", time="5s")
    assert "dispatching hogs" in console
    promises_kept(report)
    adds_up(report)
