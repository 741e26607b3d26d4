"""What a user meant who wrote something that there is not: the message, and the next step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import Done

from hocket.cli.main import meant
from hocket.commands.run import _fact
from hocket.errors import HocketError
from hocket.scenario import read_scenario
from hocket.serial_ports import why_not
from hocket.sketch.spans import _decimal_problem
from hocket.trials.find import find_trials

Hocket = Callable[..., Done]
NO_BLINK = "No such command 'blink'."


def test_words_that_only_look_alike_are_not_proposed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert meant(f"{NO_BLINK} Did you mean 'linux'?", ["blink"]) == (NO_BLINK, "")
    near = "No such command 'chek'. Did you mean 'check'?"
    assert meant(near, ["chek"]) == (near, "")
    (tmp_path / "blink").mkdir()
    (tmp_path / "blink" / "blink.ino").write_text("")
    assert meant(NO_BLINK, ["blink"]) == (NO_BLINK, "hocket run blink runs that sketch")


def test_options_of_other_tools() -> None:
    message = "No such option: --time (Possible options: --html, --live, --trace)"
    assert meant(message, ["run", "--time", "3s"]) == (
        "No such option: --time",
        "did you mean --for?",
    )
    assert meant("No such option: --time", ["build", "--time"]) == ("No such option: --time", "")


def test_times_have_the_largest_unit() -> None:
    for text, number, unit, said in (
        ("0.1s", "0.1", "s", "write 100ms"),
        ("0.5ms", "0.5", "ms", "write 500us"),
        ("2.0s", "2.0", "s", "write 2s"),
    ):
        assert _decimal_problem(text, number, unit)[1] == said


def test_a_folder_without_a_sketch_has_none(tmp_path: Path) -> None:
    with pytest.raises(HocketError, match="there is no sketch in"):
        find_trials([str(tmp_path)], [])


def test_an_empty_scenario_is_one(tmp_path: Path) -> None:
    for text in ("", "# nothing yet\n"):
        (tmp_path / "scenario.yaml").write_text(text)
        assert read_scenario(tmp_path / "scenario.yaml").expectations == ()


def test_a_port_that_was_named_is_not_to_be_added() -> None:
    _, next_step = why_not(FileNotFoundError())
    assert "add --port" not in next_step and next_step.endswith("then repeat the command")


def test_an_advice_is_given_once() -> None:
    notice = "Serial sent more than 5 bytes; print less, or allow more with --serial-limit."
    assert _fact({"notices": [notice]}) == "Serial sent more than 5 bytes"


def test_refused_loops_have_a_next_step_in_tune_and_lab(hocket: Hocket, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "a.ino").write_text("void setup() {}\nvoid loop(1, 99, 99) {}\n")
    for command in (["tune", "a", "--seeds", "1"], ["lab", "a", "--no-open"]):
        done = hocket(*command)
        assert done.returncode == 3
        assert "  next:  " in done.stdout + done.stderr
        assert " ns'" not in done.stdout
