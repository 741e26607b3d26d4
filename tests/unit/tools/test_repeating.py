"""The words that repeat a run: the command line reads from them what was asked for at first."""

from __future__ import annotations

import shlex
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocket.cli.app import app
from hocket.commands import run
from hocket.coverage.asking import Coverage
from hocket.linux.beside import Beside
from hocket.running.request import Request
from hocket.scenario.settings import read_setting

# Of a request, what says nothing about the run itself: where its results go.
RESULTS = {"report", "trace", "vcd", "html", "coverage"}

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8)
PATHS = st.sampled_from(["a.yaml", "mit Köpfchen/ä ö.yaml", "-", "it's"]).map(Path)
SETTINGS = st.sampled_from(["loop 2 C = 12 ms", "wheels.speed = 2 m/s", "start.pressed.0.at = 1 s"])
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "sketch": st.sampled_from(["blink", "a sketch", "größer/x.ino", "$(x)"]),
    "board": st.sampled_from(["sim", "uno", "virt", "rpi3"]),
    "cores": st.none() | st.integers(1, 4),
    "duration": st.none() | st.sampled_from(["3s", "1h30m"]),
    "seed": st.integers(0, 2**64 - 1),
    "scenario": st.none() | PATHS,
    "expect_text": st.lists(TEXTS, max_size=2).map(tuple),
    "fail_text": st.lists(TEXTS, max_size=2).map(tuple),
    "serial_limit": st.sampled_from([1, 16 * 1024 * 1024]),
    "policy": st.none() | st.just("edf"),
    "settings": st.lists(SETTINGS.map(read_setting), max_size=2).map(tuple),
    "input": st.none() | PATHS,
    "live": st.booleans(),
    "anyway": st.booleans(),
    "touches": st.none() | PATHS,
    "report": st.none() | PATHS,
    "trace": st.none() | PATHS,
    "vcd": st.none() | PATHS,
    "html": st.none() | PATHS,
    "coverage": st.none() | st.just(Coverage()),
}
REQUESTS = st.builds(Request, **FIELDS)
BESIDE = st.none() | st.builds(
    Beside, st.just("linux"), st.sampled_from(["512M", "1G"]), st.none() | PATHS
)


@given(REQUESTS, BESIDE)
def test_a_run_is_repeated_by_its_words(request_: Request, beside: Beside | None) -> None:
    if beside is not None:
        request_ = replace(request_, board="virt", beside=beside)
    read: list[Request] = []

    def run_command(again: Request, watching: bool) -> int:
        assert not watching
        read.append(again)
        return 0

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(run, "run_command", run_command)
        line = shlex.join(request_.words())  # as it is shown
        assert app(shlex.split(line)[1:], prog_name="hocket", standalone_mode=False) == 0
    wanted = replace(request_, **dict.fromkeys(RESULTS))  # type: ignore[arg-type]
    if beside is not None:
        wanted = replace(wanted, beside=replace(beside, console=None))
    assert read == [wanted]


def test_each_field_of_a_request_is_drawn() -> None:
    """A new one must find its way into the words, or among the results."""
    assert {*FIELDS, "beside"} == {each.name for each in fields(Request)}
