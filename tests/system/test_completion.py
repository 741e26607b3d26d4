"""Completion as a user of each shell has it: the script that is made for a shell, in that shell."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.campaign import one_in
from tests.commands import ENTRY, run_hocket

# Each starts the shell, loads the script, and prints what is offered at the end of a line.
BASH = """
source completion
COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); [ -n "{last}" ] || COMP_WORDS+=('')
[ -n "{last}" ] || COMP_CWORD=$((COMP_CWORD + 1))
_hocket_completion hocket
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
FISH = """
source completion
complete --do-complete='{line}'
"""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    for name in ("blinker", "blank"):
        (tmp_path / name).mkdir()
    (tmp_path / "blinker" / "blinker.ino").write_text("void setup() {}\nvoid loop() {}\n")
    (tmp_path / "blinker" / "hocket.toml").write_text("[profiles.bench]\nseed = 3\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "hocket").symlink_to(ENTRY)
    return tmp_path


def completed(shell: str, work: Path, line: str) -> set[str]:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} on this computer")
    script = run_hocket(environment={"_HOCKET_COMPLETE": f"source_{shell}"}, cwd=work)
    (work / "completion").write_text(script.stdout)
    last = line.rpartition(" ")[2]
    text = {"bash": BASH, "fish": FISH}[shell].format(line=line, last=last)
    options = {"bash": ["--norc"], "fish": ["--no-config"]}[shell]
    environment = {**os.environ, "PATH": f"{work / 'bin'}:{os.environ['PATH']}"}
    done = subprocess.run(
        [shell, *options, "-c", text],
        cwd=work,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return {offer.partition("\t")[0] for offer in done.stdout.splitlines()}


@one_in(2)
@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_commands_options_and_their_values(shell: str, work: Path) -> None:
    assert {"run", "report"} <= completed(shell, work, "hocket r")
    assert "--profile" in completed(shell, work, "hocket run --p")
    assert completed(shell, work, "hocket run --board ") == {
        "sim",
        "virt",
        "uno",
        "nano",
        "mega",
        "rpi3",
    }
    assert completed(shell, work, "hocket check --policy h") == {"hybrid-edf"}


@one_in(2)
@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_sketches_and_what_is_of_one(shell: str, work: Path) -> None:
    assert completed(shell, work, "hocket run bl") == {"blinker", "blank/"}
    assert completed(shell, work, "hocket run blinker --profile ") == {"bench"}
    assert "blinker/blinker.ino" in completed(shell, work, "hocket run blinker/")


@one_in(2)
@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_scenarios_are_offered_to_who_tests(shell: str, work: Path) -> None:
    """Those beside a sketch, or in its folder `scenarios`; no other YAML."""
    (work / "blinker" / "scenarios").mkdir()
    (work / "blank" / "night").mkdir()
    files = ("scenario.yaml", "twice.test.yaml", "scenarios/long.yml")
    for name in (*files, "../blank/notes.yaml"):
        (work / "blinker" / name).write_text("parts: {}\n")
    assert completed(shell, work, "hocket test blinker/") == {
        "blinker/blinker.ino",
        "blinker/scenario.yaml",
        "blinker/twice.test.yaml",
        "blinker/scenarios/",
    }
    assert completed(shell, work, "hocket test blinker/tw") == {"blinker/twice.test.yaml"}
    assert completed(shell, work, "hocket test blinker/scenarios/") == {
        "blinker/scenarios/long.yml"
    }
    assert completed(shell, work, "hocket test blank/n") == {"blank/night/"}
    assert not any(name.endswith(".yaml") for name in completed(shell, work, "hocket run blinker/"))


@one_in(2)
@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_experiments_are_offered_once(shell: str, work: Path) -> None:
    assert completed(shell, work, "hocket bench ro") == {"rover"}
    assert "rover" not in completed(shell, work, "hocket bench rover ")


def test_the_script_for_zsh_is_one_and_its_answers_are_right(work: Path) -> None:
    if shutil.which("zsh") is None:
        pytest.skip("there is no zsh on this computer")
    script = run_hocket(environment={"_HOCKET_COMPLETE": "source_zsh"}, cwd=work)
    (work / "completion").write_text(script.stdout)
    subprocess.run(["zsh", "-n", "completion"], cwd=work, check=True)
    asked = {"_HOCKET_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "hocket run --board v"}
    answer = run_hocket(environment=asked, cwd=work).stdout
    assert '"virt"' in answer
    assert '"uno"' not in answer
