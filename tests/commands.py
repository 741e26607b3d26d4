"""The command `hocket` in tests, and what it said.

What it says about its own work (what it builds, that it waits for another build) depends on what is built
already and on what else is being built: on the order of the tests and on their other workers. So that is
kept apart from the rest, and no test may depend on it: tests start the command through here.

Loading Python and the command's libraries takes longer than most commands. run_hocket() forks a process
that has loaded them; run_entry() starts `./hocket` itself, as a user does.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from pathlib import Path

from tests.bounds.recompute import mismatches

ROOT = Path(__file__).resolve().parents[1]
ENTRY = ROOT / "hocket"
PATIENCE = 300  # seconds of this computer for one command: a guard, not a measurement

# Lines about the command's own work (hocket.console, and the entry's own).
PROGRESS = re.compile(
    r"hocket: (configuring|building|compiling|linking|starting|running|trying|looking|waiting for another"
    r"|making|reading the lists|downloading|installing|set up)\b.*"
)


# What the process that is forked has loaded.
LOADED = [
    "tests.commands",
    "hocket.cli.main",
    "hocket.commands.run",
    "hocket.scenario.further",
    "hocket.commands.check",
    "hocket.commands.build",
    "hocket.trace.convert",
    "hocket.expect.judging",
    "hocket.coverage.asking",
    "hocket.running.input",
    "hocket.commands.self_test",
    "hocket.commands.trials",
    "typer._adapters",
    "typer._click.decorators",
    "pydantic.plugin._loader",
    "ruamel.yaml.mergevalue",
]


@dataclass(frozen=True)
class Done:
    """How a command ended. stderr: without the lines about its own work; those are in `progress`."""

    returncode: int
    stdout: str
    stderr: str
    progress: list[str] = field(default_factory=list, compare=False)


def run_hocket(
    *arguments: str | Path,
    cwd: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    patience: float = PATIENCE,
) -> Done:
    """Runs the command line in a process of its own; `environment` is added to this one."""
    with tempfile.TemporaryDirectory(prefix="hocket-said-") as name:
        output, errors = Path(name) / "output", Path(name) / "errors"
        words = tuple(map(str, arguments))
        child = _server().Process(
            target=_command,
            args=(words, cwd, {**os.environ, **(environment or {})}, output, errors),
        )
        child.start()
        child.join(patience)
        if child.exitcode is None:
            child.kill()
            child.join()
            raise subprocess.TimeoutExpired(words, patience)
        said, progress = apart(_text(errors))
        _recompute_bounds(words, cwd)
        return Done(child.exitcode, _text(output), said, progress)


def be_ready() -> None:
    """Starts what run_hocket() forks; it goes on loading meanwhile."""
    _server()


def run_entry(
    *arguments: str | Path, cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> Done:
    """Runs `./hocket` to its end."""
    return run_words([str(ENTRY), *map(str, arguments)], cwd, environment)


def run_words(
    words: list[str], cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> Done:
    """The same for a command line that starts it in some other way."""
    done = subprocess.run(
        words,
        cwd=cwd,
        env=os.environ | environment if environment else None,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=PATIENCE,
        check=False,
    )
    said, progress = apart(done.stderr)
    _recompute_bounds(words, cwd or Path.cwd())
    return Done(done.returncode, done.stdout, said, progress)


def started_hocket(*words: str | Path, process_group: int | None = None) -> subprocess.Popen[str]:
    """One that goes on while the test does; the test ends it, and reads what it says line by line."""
    return subprocess.Popen(
        [sys.executable, "-m", "hocket", *map(str, words)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=process_group,
    )


def apart(text: str) -> tuple[str, list[str]]:
    """A text of standard error without the lines about the command's own work, and those lines."""
    lines = text.splitlines(keepends=True)
    progress = [line.rstrip("\n") for line in lines if PROGRESS.match(line)]
    return "".join(line for line in lines if not PROGRESS.match(line)), progress


def _recompute_bounds(words: Sequence[str], cwd: Path) -> None:
    """Holds each report that a command has written against its own terms."""
    for name, value in pairwise(words):
        file = cwd / value
        if name != "--json" or not file.is_file():
            continue
        try:
            report = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:  # it is of a test that damages files
            continue
        if isinstance(report, dict) and "loops" in report:
            assert not (wrong := mismatches(report)), (str(file), wrong)


def _text(file: Path) -> str:
    """What was written, with line ends as a pipe opened for text has them."""
    with contextlib.suppress(FileNotFoundError):
        return file.read_text(encoding="utf-8", errors="replace")
    return ""


@cache
def _server() -> ForkServerContext:
    """What forks; it has no threads, as this process may have."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "tools")])
    forkserver.ensure_running()
    del os.environ["PYTHONPATH"]
    if before is not None:
        os.environ["PYTHONPATH"] = before
    return context


def _command(
    words: tuple[str, ...], cwd: Path, environment: dict[str, str], output: Path, errors: Path
) -> None:
    """In the forked process: what `./hocket` does when everything is set up."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for number, file in ((1, output), (2, errors)):
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.argv = ["hocket", *words]
    from hocket.cli.main import main

    try:
        main()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
