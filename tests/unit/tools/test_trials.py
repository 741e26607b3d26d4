"""Tests of sketches: which are found, and how their outcomes are told to people and machines."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocket.commands.self_test import self_test_command
from hocket.commands.trials import Request, trials_command
from hocket.coverage.asking import Coverage
from hocket.coverage.merging import write_lines
from hocket.errors import HocketError
from hocket.trials import perform, tell
from hocket.trials.find import Trial, find_trials
from hocket.trials.perform import ERROR, FAILED, PASSED, SKIPPED, Outcome

EXPECTING = "parts: {}\nexpect:\n  - {misses: 0}\n"
PLAIN = "parts: {}\n"
SKETCH = "void setup() {}\nvoid loop() {}\n"
Tree = Callable[[dict[str, str]], Path]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Writes files and stands in their folder."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        monkeypatch.chdir(tmp_path)
        return tmp_path

    return write


def found(*names: str, boards: tuple[str, ...] = ()) -> list[str]:
    return [trial.name() for trial in find_trials(names, boards)]


def test_all_kinds_of_scenarios_are_found(tree: Tree) -> None:
    tree(
        {
            "a/a.ino": SKETCH,
            "a/scenario.yaml": EXPECTING,
            "a/cold.test.yaml": EXPECTING,
            "a/plain.yaml": EXPECTING,  # somebody's other scenario
            "a/scenarios/one.yaml": EXPECTING,
            "a/scenarios/two.yml": "parts: {}\nnever:\n  - {serial: x}\n",
            "a/scenarios/of-nothing.yaml": PLAIN,
            "b/b.ino": SKETCH,
            "b/scenario.yaml": PLAIN,
            "deep/er/c/c.ino": SKETCH,
            "deep/er/c/c.yaml": "parts:\n  p: {type: serial, port: 0, expect: [ok]}\n",
            "deep/er/c/scenario.yml": PLAIN,  # it comes before c.yaml
            "d/d.cpp": "",
            "d/scenario.yaml": EXPECTING,
            "e/e.ino": SKETCH,
            "e/e.yaml": "parts:\n  p: {type: serial, port: 0, expect: [ok]}\n",
            "e/broken.test.yaml": "parts: [",
            "e/idle.test.yaml": PLAIN,
            "e/build/e.ino": SKETCH,
            "e/build/scenario.yaml": EXPECTING,
            ".hidden/h/h.ino": SKETCH,
            ".hidden/h/scenario.yaml": EXPECTING,
        }
    )
    of_a = [
        "a/scenario.yaml on sim",
        "a/cold.test.yaml on sim",
        "a/scenarios/one.yaml on sim",
        "a/scenarios/two.yml on sim",
    ]
    of_e = ["e/broken.test.yaml on sim", "e/idle.test.yaml on sim"]
    assert found(".") == [*of_a, "d/scenario.yaml on sim", "e/e.yaml on sim", *of_e]
    assert found("a") == found("a/a.ino") == of_a
    assert found("a/plain.yaml") == ["a/plain.yaml on sim"]
    assert found("a/scenarios/one.yaml", "a/scenarios") == of_a[2:]
    assert found("d/d.cpp") == ["d/scenario.yaml on sim"]
    (trial, *_) = find_trials(["a/scenarios/one.yaml"], [])
    assert trial.sketch.name == "a"


def test_a_broken_hocket_toml_is_an_error_of_its_own_sketch(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_self: object, _trial: Trial, file: Path, _lines: object) -> tuple[int, str, str]:
        file.write_text('{"expectations": [{"met": true}]}')
        return 0, "", ""

    monkeypatch.setattr(perform.Performer, "_run", run)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    files = {f"{name}/{name}.ino": SKETCH for name in "ab"}
    tree(files | {"a/hocket.toml": "cores = 0\n"} | {f"{n}/{n}.yaml": EXPECTING for n in "ab"})
    assert trials_command(Request(["."], junit=Path("out.xml"))) == 2
    said = capsys.readouterr().out
    assert "ERROR   a/a.yaml on sim\n        a/hocket.toml:1: cores = 0 cannot be used\n" in said
    assert "::error file=a/hocket.toml,line=1," in said and "ok      b/b.yaml on sim" in said
    assert 'tests="2"' in Path("out.xml").read_text()


def test_a_profile_that_some_sketches_lack_skips_these_alone(tree: Tree) -> None:
    files = {f"{name}/{name}.ino": SKETCH for name in "abc"}
    files |= {f"{name}/scenario.yaml": EXPECTING for name in "abc"}
    tree(files | {"b/hocket.toml": "[profiles.bench]\ncores = 2\n", "c/hocket.toml": "cores = 2\n"})
    trials = {trial.sketch.name: trial for trial in find_trials(["."], [], "bench")}
    assert not trials["b"].skipped
    assert trials["a"].skipped == trials["c"].skipped == "its sketch has no profile 'bench'"
    with pytest.raises(HocketError, match="there is no profile 'bench'"):
        find_trials(["a", "c"], [], "bench")
    with pytest.raises(HocketError) as wrong:
        find_trials(["."], [], "bunch")
    assert wrong.value.next_step == "did you mean bench?"


def test_a_scenario_that_leads_out_of_its_folder_is_an_error_of_this_test_alone(tree: Tree) -> None:
    top = tree(
        {
            "a/a.ino": SKETCH,
            "a/scenario.yaml": EXPECTING,
            "b/b.ino": SKETCH,
            "b/own.test.yaml": EXPECTING,
            "elsewhere.yaml": EXPECTING,
        }
    )
    (top / "b/scenario.yaml").symlink_to(top / "elsewhere.yaml")
    trials = {trial.name(): trial.broken for trial in find_trials(["."], [])}
    assert [name for name, broken in trials.items() if broken] == ["b/scenario.yaml on sim"]
    assert len(trials) == 3
    assert "leads out of the sketch's folder" in trials["b/scenario.yaml on sim"]
    assert "--allow-path" in trials["b/scenario.yaml on sim"]


def test_a_scenario_says_its_board_and_options_win(tree: Tree) -> None:
    tree(
        {
            "a/a.ino": SKETCH,
            "a/scenario.yaml": EXPECTING,
            "a/u.test.yaml": "board: uno\n" + EXPECTING,
        }
    )
    assert found("a") == ["a/scenario.yaml on sim", "a/u.test.yaml on uno"]
    both = find_trials(["a"], ["sim", "uno"])
    assert [(trial.name(), trial.skipped) for trial in both] == [
        ("a/scenario.yaml on sim", ""),
        ("a/scenario.yaml on uno", ""),
        ("a/u.test.yaml on sim", "it is for the board uno"),
        ("a/u.test.yaml on uno", ""),
    ]


def test_what_has_no_tests_is_said(tree: Tree) -> None:
    tree({"a/a.ino": SKETCH, "a/scenario.yaml": PLAIN, "lone.yaml": EXPECTING})
    with pytest.raises(HocketError, match="there are no tests in a"):
        find_trials(["a"], [])
    with pytest.raises(HocketError, match=r"there is no sketch for lone\.yaml"):
        find_trials(["lone.yaml"], [])
    with pytest.raises(HocketError, match="there is no board 'due'"):
        find_trials(["a"], ["due"])


def test_a_step_of_the_own_suite_is_no_test_of_a_sketch(tree: Tree) -> None:
    tree({"kernel/kernel.ino": SKETCH})
    with pytest.raises(HocketError) as error:
        trials_command(Request(["lint-cpp"]))
    assert error.value.fact == "there is no file or folder lint-cpp"
    assert error.value.next_step.endswith("hocket self-test lint-cpp")
    with pytest.raises(HocketError) as error:
        self_test_command(["lintcpp"])
    assert error.value.fact == "there is no step 'lintcpp'"
    assert error.value.next_step == "did you mean lint-cpp?"


def test_options_are_looked_at_before_anything_runs(tree: Tree) -> None:
    tree({"kernel/kernel.ino": SKETCH})
    with pytest.raises(HocketError, match="--jobs 0 is out of range"):
        trials_command(Request(["kernel"], jobs=0))
    with pytest.raises(HocketError, match=r"--junit .* cannot be written"):
        trials_command(Request(["kernel"], junit=Path("there/is/none.xml")))


def outcome(verdict: str, folder: Path, said: list[str] | None = None, serial: str = "") -> Outcome:
    judged = [
        {"line": 3, "text": "a was to be b", "met": True, "seen": "it was"},
        {"line": 4, "text": "50 % was to be c", "met": verdict != FAILED, "seen": "it was d"},
    ]
    trial = Trial(folder, folder / "s, 1.yaml", "sim")
    return Outcome(trial, verdict, judged, said or [], serial, 0.25)


def test_outcomes_for_people(tree: Tree) -> None:
    folder = tree({})
    failed = outcome(FAILED, folder, ["hocket: s, 1.yaml:4: 50 % was to be c; it was d"])
    unusable = outcome(ERROR, folder, ["hocket: s.ino:1: what?", "  next:  mend it"])
    skipped = outcome(SKIPPED, folder, ["it is for the board uno"])
    passed = outcome(PASSED, folder)
    assert [
        line for each in (passed, failed, unusable, skipped) for line in tell.lines_of(each)
    ] == [
        "ok      s, 1.yaml on sim  2 expectations",
        "FAILED  s, 1.yaml on sim",
        "        s, 1.yaml:4: 50 % was to be c; it was d",
        "ERROR   s, 1.yaml on sim",
        "        s.ino:1: what?",
        "          next:  mend it",
        "skipped s, 1.yaml on sim  it is for the board uno",
    ]
    assert tell.summary([passed, failed, unusable, skipped]) == [
        "4 tests: 1 passed, 1 failed, 1 could not be run, 1 skipped",
        "again: hocket test 's, 1.yaml' --board sim",
        "again: hocket test 's, 1.yaml' --board sim",
    ]


def test_why_a_sketch_cannot_be_run_is_said_once_for_each_board(tree: Tree) -> None:
    folder = tree({})

    def of(scenario: str, board: str, *said: str, verdict: str = ERROR) -> Outcome:
        return Outcome(Trial(folder, folder / scenario, board), verdict, [], list(said))

    once = tell.Once()
    outcomes = [
        of("a.yaml", "sim", "hocket: s.ino:1: what?"),
        of("a.yaml", "uno", "hocket: s.ino:1: what?"),
        of("b.yaml", "sim", "hocket: s.ino:1: what?"),
        of("c.yaml", "sim", "hocket: c.yaml:2: what?"),
        of("d.yaml", "sim", "hocket: it failed", verdict=FAILED),
        of("e.yaml", "sim", "hocket: it failed", verdict=FAILED),
    ]
    assert [line for each in outcomes for line in tell.lines_of(each, once.earlier(each))] == [
        "ERROR   a.yaml on sim",
        "        s.ino:1: what?",
        "ERROR   a.yaml on uno",
        "        s.ino:1: what?",
        "ERROR   b.yaml on sim  the same as a.yaml",
        "ERROR   c.yaml on sim",
        "        c.yaml:2: what?",
        "FAILED  d.yaml on sim",
        "        it failed",
        "FAILED  e.yaml on sim",
        "        it failed",
    ]
    tell.write_junit(outcomes, folder / "out.xml")
    assert (folder / "out.xml").read_text().count('message="what?"') == 4


def test_annotations_for_github(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tree({})
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    (line,) = tell.github_lines(outcome(FAILED, folder))
    assert (
        line
        == "::error file=s%2C 1.yaml,line=4,title=s%2C 1.yaml on sim::50 %25 was to be c; it was d"
    )
    assert list(tell.github_lines(outcome(PASSED, folder))) == []
    said = ["hocket: a.ino:7: what?", "hocket: no place"]
    assert [
        line.partition(",title")[0] for line in tell.github_lines(outcome(ERROR, folder, said))
    ] == [
        "::error file=a.ino,line=7",
        "::error file=s%2C 1.yaml",
    ]
    monkeypatch.setenv("GITHUB_WORKSPACE", str(folder.parent))
    (line,) = tell.github_lines(outcome(FAILED, folder))
    assert line.startswith(f"::error file={folder.name}/s%2C 1.yaml,line=4,")


def test_annotations_hold_what_is_useful(tree: Tree) -> None:
    folder = tree({})

    def told(verdict: str, *said: str) -> list[str]:
        found = Outcome(Trial(folder, folder / "s.yaml", "sim"), verdict, [], list(said))
        return [line.replace(",title=s.yaml on sim", "") for line in tell.github_lines(found)]

    assert told(
        ERROR,
        "a/a.ino:2:15: error: use of undeclared identifier 'foo'",
        "    2 | void loop() { foo(); }",
        "hocket: a/a.ino:2: the sketch does not compile",
        "  cause: 1 error, see above",
        "  next:  fix the first error, then build again",
    ) == ["::error file=a/a.ino,line=2::use of undeclared identifier 'foo'"]
    assert told(
        FAILED,
        "hocket: refused: loop 2 asks for 90 ms.",
        "  next:  ask for a smaller C (a/a.ino:4), or of loop 1 (a/a.ino:3)",
        "hocket: 1 expectation not judged: the sketch was refused",
    ) == ["::error file=a/a.ino,line=4::refused: loop 2 asks for 90 ms."]
    assert told(
        FAILED,
        *("hocket: refused: loop 2 asks.", "hocket: refused: loop 3 asks."),
        "  next:  ask for a smaller C (a/a.ino:4, a/a.ino:5)",
    ) == [f"::error file=a/a.ino,line={n + 2}::refused: loop {n} asks." for n in (2, 3)]
    assert told(ERROR, "hocket: s.yaml:1: what?", "  cause: so it is") == [
        "::error file=s.yaml,line=1::what?: so it is"
    ]


def test_junit(tree: Tree) -> None:
    folder = tree({})
    outcomes = [
        outcome(verdict, folder, ["hocket: why"]) for verdict in (PASSED, FAILED, ERROR, SKIPPED)
    ]
    tell.write_junit(outcomes, folder / "junit.xml")
    (suite,) = ET.parse(folder / "junit.xml").getroot()
    counts = {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped", "time")}
    assert counts == {"tests": "4", "failures": "1", "errors": "1", "skipped": "1", "time": "1.000"}
    passed, failed, unusable, skipped = suite
    assert passed.get("name") == "s, 1.yaml on sim" and passed.find("failure") is None
    failure = failed.find("failure")
    assert failure is not None and failure.get("message") == "50 % was to be c; it was d"
    error = unusable.find("error")
    assert error is not None and error.get("message") == "why" and error.text == "hocket: why"
    assert skipped.find("skipped") is not None


@given(st.text())
def test_junit_holds_whatever_a_sketch_sends(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    file = tmp_path_factory.mktemp("junit") / "junit.xml"
    tell.write_junit([outcome(FAILED, file.parent, [text.replace("\ud800", "")], text)], file)
    (suite,) = ET.parse(file).getroot()
    assert suite.get("failures") == "1"


def test_tests_that_have_ended_by_themselves_hinder_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last way is to kill their groups; the first of them has gone meanwhile."""
    monkeypatch.setattr(perform, "_PATIENCE_S", 0.0)
    begun = [
        subprocess.Popen([sys.executable, "-c", text], text=True, process_group=0)
        for text in ("", "import signal, time\nsignal.signal(2, signal.SIG_IGN)\ntime.sleep(3600)")
    ]
    begun[0].wait(60)
    performer = perform.Performer(2)
    performer._running = dict.fromkeys(begun).keys()  # type: ignore[assignment]  # in this order
    try:
        performer._stop()
        assert begun[1].wait(60) in (-signal.SIGINT, -signal.SIGKILL)
    finally:
        begun[1].kill()
        begun[1].wait()


def test_an_interrupt_while_tests_are_begun_ends_those_that_run(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may arrive when the first one runs and the others wait for their turn."""
    folder = tree({"a/a.ino": SKETCH, "a/scenario.yaml": EXPECTING}) / "a"
    trial = Trial(folder, folder / "scenario.yaml", "sim")
    endless = [sys.executable, "-c", "import time\ntime.sleep(60)"]
    monkeypatch.setattr(perform, "_entry", lambda: endless)
    performer = perform.Performer(1)
    begun: list[subprocess.Popen[str]] = []

    def tests() -> Iterator[Trial]:
        yield trial
        while not begun:
            begun.extend(performer._running)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        next(performer.outcomes(tests()))  # type: ignore[arg-type]
    assert begun[0].poll() not in (None, 0)


def test_a_run_that_exceeds_a_declared_cost_has_failed(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    def verdict(report: dict[str, object]) -> Outcome:
        def run(_self: object, _trial: Trial, file: Path, _lines: object) -> tuple[int, str, str]:
            file.write_text(json.dumps({"expectations": [{"met": True}]} | report))
            return 0, "", ""

        monkeypatch.setattr(perform.Performer, "_run", run)
        folder = tree({"a.ino": SKETCH})
        return perform.Performer(1)._perform(Trial(folder, folder / "a.yaml", "sim"))

    def board(name: str, *exceeded: str) -> dict[str, object]:
        return {"board": name, "overheads": {"exceeded": list(exceeded)}}

    assert verdict({}).verdict == verdict({"overheads": None}).verdict == PASSED
    assert verdict(board("sim")).verdict == PASSED
    found = verdict(board("sim", "longest_masked_us"))
    assert found.verdict == FAILED
    assert found.said[0] == "hocket: a declared cost was exceeded: longest masked on sim"
    found = verdict(board("sim") | {"boards": {"b": board("uno", "longest_masked_us")}})
    assert found.verdict == FAILED and found.said[0].endswith(": longest masked on uno")


def test_a_fault_is_the_first_reason_of_a_failure_and_what_was_met_is_none(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tree({"crash/crash.ino": SKETCH})
    crash = folder / "crash"
    text = "bad access (crash/crash.ino:2, in loop 1)"
    fault = {"loop": 1, "kind": "bad access", "address": 0, "text": text}
    said = "crash/crash.ino:2: fault: loop 1: bad access at 0x0"

    def performed(met: bool, count: str, **report: object) -> Outcome:
        def run(_self: object, _trial: Trial, file: Path, _lines: object) -> tuple[int, str, str]:
            judged = {"line": 3, "text": "a was to be b", "met": met, "seen": "it was c"}
            file.write_text(json.dumps({"expectations": [judged], "faults": []} | report))
            return 1, "", f"hocket: starting crash on sim\n{count}\n"

        monkeypatch.setattr(perform.Performer, "_run", run)
        return perform.Performer(1)._perform(Trial(crash, crash / "a.yaml", "sim"))

    def told(outcome: Outcome) -> list[str]:
        tell.write_junit([outcome], folder / "junit.xml")
        (suite,) = ET.parse(folder / "junit.xml").getroot()
        failure = suite[0].find("failure")
        assert failure is not None and failure.text is not None
        (first, *_) = tell.github_lines(outcome)
        return [
            *list(tell.lines_of(outcome))[1:],
            str(failure.get("message")),
            failure.text.splitlines()[0],
            first.partition(",title=")[0],
        ]

    for count in ("hocket: 1 expectation met", "hocket: all 2 expectations met"):
        assert told(performed(True, count, faults=[fault])) == [
            f"        {said}",
            said.partition(": ")[2],
            f"hocket: {said}",
            "::error file=crash/crash.ino,line=2",
        ]
    wrong = "hocket: crash/a.yaml:3: a was to be b; it was c\nhocket: 1 of 1 expectation not met"
    first, second, message, *_ = told(performed(False, wrong, faults=[fault]))
    assert (first, second.strip()) == (f"        {said}", "crash/a.yaml:3: a was to be b; it was c")
    assert message.startswith("fault: loop 1: bad access")
    beside = {"pong": {"faults": [fault]}}
    first, message, *_ = told(performed(True, "hocket: 1 expectation met", boards=beside))
    assert first.strip() == message == f"fault on pong: loop 1: {text} at 0x0"
    first, *_ = told(performed(True, "hocket: 1 expectation met"))
    assert first.strip() == "it ended with status 1", "never that all was well"


def test_a_refusal_names_the_scenarios_cores_as_the_command_has_no_such_option(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(_self: object, _trial: Trial, _file: Path, _lines: object) -> tuple[int, str, str]:
        pinned = "hocket: refused: loop 2 is pinned to core 3; run it with --cores 4 or more."
        return 3, "", f"{pinned}\n  next:  ask for less, or give it more cores (--cores 2)\n"

    monkeypatch.setattr(perform.Performer, "_run", run)
    folder = tree({"a.ino": SKETCH})
    outcome = perform.Performer(1)._perform(Trial(folder, folder / "a.yaml", "sim"))
    assert outcome.verdict == FAILED
    assert outcome.said == [
        "hocket: refused: loop 2 is pinned to core 3; run it with `cores: 4` or more in the scenario.",
        "  next:  ask for less, or give it more cores (`cores: 2` in the scenario)",
    ]


def test_coverage_counts_tests_on_sim_and_names_sketches_that_did_not_run(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_self: object, trial: Trial, file: Path, lines: Path | None) -> tuple[int, str, str]:
        if trial.sketch.name == "broken":
            return 2, "", "hocket: broken/broken.ino:1: it does not compile"
        file.write_text('{"expectations": [{"met": true}]}')
        if lines is not None:
            write_lines({trial.sketch / "good.ino": {1: 1}}, lines)
        return 0, "", ""

    monkeypatch.setattr(perform.Performer, "_run", run)
    tree(
        {f"{name}/{name}.ino": SKETCH for name in ("good", "broken")}
        | {f"{name}/scenario.yaml": EXPECTING for name in ("good", "broken")}
    )
    asked = Coverage(least=90)
    with pytest.raises(HocketError, match="--coverage is not for the board uno"):
        trials_command(Request(["good"], ["uno"], coverage=asked))
    assert capsys.readouterr().out == "", "nothing ran"
    assert trials_command(Request(["good"], ["sim", "uno"], coverage=asked)) == 0
    assert "coverage counts the tests on sim only, not those on uno" in capsys.readouterr().err
    assert trials_command(Request(["good", "broken"], coverage=asked)) == 2
    said = capsys.readouterr()
    assert re.search(r"^broken +– +– +–$", said.out, re.MULTILINE)
    assert "hocket: there is no coverage of broken\n" in said.err
