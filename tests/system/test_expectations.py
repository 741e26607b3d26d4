"""What a scenario expects is judged by `run`, on the boards in simulators: exit status, words, report."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.campaign import long_form, one_in
from tests.commands import Done, run_hocket

from hocket.report import schema

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BOARDS = ("sim", "uno", "virt")
Report = dict[str, Any]
Run = Callable[..., tuple[Done, Report]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """run(sketch, options…): what the command said, and the report."""

    def start(sketch: Path | str, *options: str | Path) -> tuple[Done, Report]:
        file = tmp_path / "report.json"
        file.unlink(missing_ok=True)
        done = run_hocket("run", sketch, "--json", file, *options, cwd=tmp_path)
        report = json.loads(file.read_text()) if file.is_file() else {}
        if report:
            jsonschema.validate(report, schema())
        return done, report

    return start


@pytest.fixture
def changed(tmp_path: Path) -> Callable[..., Path]:
    """changed(example, (before, after)…): a copy whose files have other words in them."""

    def copy(example: str, *changes: tuple[str, str]) -> Path:
        folder = tmp_path / example
        shutil.copytree(EXAMPLES / example, folder)
        for before, after in changes:
            holding = [f for f in folder.iterdir() if before in f.read_text()]
            assert len(holding) == 1, before
            holding[0].write_text(holding[0].read_text().replace(before, after))
        return folder

    return copy


TESTED = ["button-light", "ping-pong", "crossing"]


@one_in(4)
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("example", TESTED)
def test_examples_are_as_expected(run: Run, example: str, board: str) -> None:
    done, report = run(EXAMPLES / example, "--board", board)
    assert done.returncode == 0, done.stderr
    judged = report["expectations"]
    assert [each["met"] for each in judged] == [True] * len(judged)
    assert done.stderr == f"hocket: all {len(judged)} expectations met\n"


@pytest.mark.parametrize("example", TESTED)
def test_ten_lines_and_one_for_each_part_are_enough(example: str) -> None:
    lines = (EXAMPLES / example / "scenario.yaml").read_text().splitlines()
    assert len([line for line in lines if not re.match(r"  \w+: \{type: ", line)]) <= 10


WRONG: list[tuple[str, list[tuple[str, str]], str]] = [
    # changes that make a sketch wrong, and what is said of it
    (
        "button-light",
        [("== LOW);\n  delay(10)", "== LOW);\n  delay(150)")],
        r"yaml:7: lamp was to be lit by 1\.02 s; it was dark until 1\.05\d* s\n",
    ),
    (
        "button-light",
        [("== LOW", "== HIGH")],
        r"yaml:6: lamp was to be dark until 1 s; it was lit from [\d.]+ (us|ms) to 1\.0\d* s\n",
    ),
    (
        "ping-pong",
        [('"pong" :', '"pang" :')],
        r'yaml:8: "pong" was to be sent 2 times by 1\.1 s; it was never sent\n',
    ),
    (
        "ping-pong",
        [('"ping";', '"pingg";')],
        r'yaml:10: "what\?" was never to be sent; it was sent at 51\d\.\d+ ms\n',
    ),
    (  # without debouncing, one press is several
        "crossing",
        [("looks == 2", "looks == 1"), ("bounce: 5 ms", "bounce: 100 ms")],
        r"yaml:11: edges of walk were to be 2; they were 3\n",
    ),
    (
        "crossing",
        [("change(RED, GREEN, 2000);", "change(RED, GREEN, 2000); change(STAY, WALK, 500);")],
        r"yaml:13: walk was never to be lit while cars was lit; both were from 1\d\.\d+ s to the run's end",
    ),
    (
        "crossing",
        [("(GREEN, YELLOW, 1000);", "(GREEN, RED, 1000);"), ("(YELLOW, RED,", "(RED, YELLOW,")],
        r"yaml:10: first .*; pin 10 was high at 3\.\d+ s, before pin 9 was high, at 4\.\d+ s\n",
    ),
]


@one_in(5)
@pytest.mark.parametrize("board", ["sim", "uno"])
@pytest.mark.parametrize(("example", "changes", "said"), WRONG, ids=[wrong[0] for wrong in WRONG])
def test_a_wrong_sketch_is_found(
    run: Run,
    changed: Callable[..., Path],
    example: str,
    changes: list[tuple[str, str]],
    said: str,
    board: str,
) -> None:
    done, report = run(changed(example, *changes), "--board", board)
    assert done.returncode == 1, done.stderr
    assert re.search(rf"^hocket: {example}/scenario\.{said}", done.stderr, re.M), done.stderr
    judged = report["expectations"]
    failed = [each for each in judged if not each["met"]]
    assert done.stderr.endswith(f"hocket: {len(failed)} of {len(judged)} expectations not met\n")
    for each in failed:
        line = f"hocket: {example}/scenario.yaml:{each['line']}: {each['text']}; {each['seen']}\n"
        assert line in done.stderr


def test_times_are_those_of_the_waves_and_the_serial_line(run: Run, tmp_path: Path) -> None:
    """On sim a loop writes a pin and a text; both are where virtual time says."""
    folder = tmp_path / "both"
    folder.mkdir()
    (folder / "both.ino").write_text(
        "void setup() { Serial.begin(9600); pinMode(3, OUTPUT); }\n"
        "void loop() { static int n = 0; delay(100); "
        "if (n++ == 0) { digitalWrite(3, HIGH); Serial.print('x'); } }\n"
    )
    (folder / "scenario.yaml").write_text(
        "for: 300 ms\nparts: {}\nexpect:\n"
        "  - {serial: x, after: {pin: 3, is: high}, within: 1.05 ms}\n"  # ten bits at 9600
        "  - {serial: x, after: {pin: 3, is: high}, within: 1.04 ms}\n"
        "  - {pin: 3, is: high, from: 105 ms}\n"
        "  - {pin: 3, is: high, from: 99 ms}\n"
    )
    waves = tmp_path / "pins.vcd"
    done, report = run(folder, "--vcd", waves)
    assert done.returncode == 1
    assert [each["met"] for each in report["expectations"]] == [True, False, True, False]
    assert "$scope module board $end" in waves.read_text()


@long_form
def test_a_run_with_waves_is_the_same_run(run: Run, tmp_path: Path) -> None:
    """To the byte, the stack of the loop that writes a pin as well."""
    plain = tmp_path / "plain.yaml"
    text = (EXAMPLES / "crossing" / "scenario.yaml").read_text()
    plain.write_text(text.partition("expect:")[0])
    _, without = run(EXAMPLES / "crossing", "--scenario", plain)
    _, judged = run(EXAMPLES / "crossing")
    del judged["expectations"]
    assert judged == without


@long_form
def test_what_a_serial_part_expects_fails_a_run(run: Run, changed: Callable[..., Path]) -> None:
    folder = changed("command-parser", ('"ok 58"', '"ok 59"'))
    done, report = run(folder, "--for", "1s")
    assert done.returncode == 1
    assert (
        "hocket: command-parser/scenario.yaml:10: host was to see every text that it expects; "
        '"ok 59" did not come (it saw 2 of 3)\n' in done.stderr
    )
    assert [each["met"] for each in report["expectations"]] == [False]


def test_the_scenario_says_how_long_and_for_wins(run: Run) -> None:
    _, report = run(EXAMPLES / "button-light")
    assert report["duration_us"] == 2_000_000
    _, report = run(EXAMPLES / "button-light", "--for", "1500ms")
    assert report["duration_us"] == 1_500_000


def test_a_scenario_that_is_too_short_is_refused_before_it_is_built(
    run: Run, changed: Callable[..., Path]
) -> None:
    sketch = changed("button-light")
    shown = sketch / "scenario.yaml"
    text = re.sub(r"^for: .*$", "for: 1010 ms", shown.read_text(), flags=re.MULTILINE)
    assert "1010" in text
    shown.write_text(text)
    done, _ = run(sketch)
    assert done.returncode == 2
    assert done.stdout == "" and done.progress == []
    assert done.stderr == (
        "hocket: button-light/scenario.yaml:7: lamp was to be lit by 1.02 s, and the run ends at 1.01 s\n"
        "  next:  let it run longer: for: 1.02 s\n"
        "hocket: button-light/scenario.yaml:8: lamp was to be dark at 1.3 s, and the run ends at 1.01 s\n"
        "  next:  let it run longer: for: 1.3 s\n"
    )


def test_what_lies_behind_a_short_look_is_not_judged(
    run: Run, changed: Callable[..., Path]
) -> None:
    sketch = changed("button-light")
    done, report = run(sketch, "--for", "1010ms")
    assert done.returncode == 0, done.stderr
    met = [each["met"] for each in report["expectations"]]
    assert (met.count(None), met.count(True)) == (2, len(met) - 2)
    assert "hocket: 2 expectations not judged: the run ends before\n" in done.stderr
    done, report = run(sketch, "--for", "1250ms")
    assert [each["met"] for each in report["expectations"]].count(None) == 1
    assert "hocket: 1 expectation not judged: the run ends before\n" in done.stderr
    # Whoever tests does not take it for well.
    swept = run_hocket("sweep", sketch, "--seeds", "2", "--for", "1010ms")
    assert swept.returncode == 2
    assert "and the run ends at 1.01 s" in swept.stderr
    (sketch / "hocket.toml").write_text('for = "1010 ms"\n')
    scenario = sketch / "scenario.yaml"
    scenario.write_text(scenario.read_text().replace("for: 2 s\n", ""))  # that would come first
    tested = run_hocket("test", sketch)
    assert tested.returncode == 2
    assert "2 of 3 expectations lie behind the end of the run" in tested.stdout + tested.stderr


@long_form
def test_a_refused_sketch_is_not_judged(run: Run, changed: Callable[..., Path]) -> None:
    done, report = run(changed("button-light", ("loop(1, 1ms, 10ms)", "loop(1, 10ms, 10ms)")))
    assert done.returncode == 3
    assert "hocket: 3 expectations not judged: the sketch was refused\n" in done.stderr
    assert {each["met"] for each in report["expectations"]} == {None}


@long_form
def test_a_setup_that_never_returns_is_not_judged(run: Run, changed: Callable[..., Path]) -> None:
    done, report = run(
        changed("button-light", ("void setup() {", "void setup() { for (;;) delay(1);"))
    )
    assert done.returncode == 2
    assert "hocket: 3 expectations not judged: setup() never returned\n" in done.stderr
    assert {each["met"] for each in report["expectations"]} == {None}


@long_form
def test_a_fault_is_judged_by_what_there_was(run: Run, changed: Callable[..., Path]) -> None:
    folder = changed("button-light", ("  delay(10);", "  if (millis() > 500) abort(); delay(10);"))
    done, report = run(folder)
    assert done.returncode == 1
    assert [each["met"] for each in report["expectations"]].count(False) >= 1


def test_all_mistakes_at_once(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "s"
    folder.mkdir()
    (folder / "s.ino").write_text("void setup() {}\nvoid loop() {}\n")
    (folder / "scenario.yaml").write_text(
        "for: 10\nparts:\n  lamp: {type: led, pin: 99}\nexpect:\n"
        "  - {part: lam, is: lit, by: 1 s}\n  - {pin: 3, is: hihg, at: 1 s}\n"
    )
    done, _ = run(folder)
    assert done.returncode == 2
    assert [line for line in done.stderr.splitlines() if line.startswith("hocket:")] == [
        "hocket: s/scenario.yaml:1: for: 10 has no unit",
        "hocket: s/scenario.yaml:3: pin of lamp is pin 99, which the board sim does not have",
        "hocket: s/scenario.yaml:5: there is no part lam: did you mean lamp?",
        "hocket: s/scenario.yaml:6: a pin cannot be hihg: did you mean high?",
    ]
    assert done.stderr.count("  next:  ") == 4


LAMP_AND_KEY = """for: 100 ms
parts:
  lamp: {type: led, pin: 9}
  key: {type: button, pin: 2, pressed: [{at: 50 ms, for: 20 ms}]}
expect:
  - {part: lamp, is: dark, until: 90 ms}
  - {part: lamp, edges: 0}
  - {part: key, presses: 1}
never:
  - {part: lamp, is: lit}
"""


@pytest.mark.parametrize("board", BOARDS)
def test_a_lamp_on_a_pin_that_the_sketch_never_touches_is_not_dark(
    run: Run, tmp_path: Path, board: str
) -> None:
    """All boards say the same of it, and of the button that nothing pulls up."""
    (tmp_path / "gate").mkdir()
    sketch, scenario = tmp_path / "gate" / "gate.ino", tmp_path / "gate" / "scenario.yaml"
    scenario.write_text(LAMP_AND_KEY)
    sketch.write_text(
        "void setup() { pinMode(8, OUTPUT); pinMode(2, INPUT); }\n"
        "void loop(1, 1, 10) { digitalWrite(8, digitalRead(2)); delay(5); }\n"
    )
    done, report = run("gate", "--board", board)
    assert done.returncode == 1, done.stderr
    seen = "lamp is on pin 9, and the sketch never drove it (it drove 8)"
    assert [each["met"] for each in report["expectations"]] == [False, False, True, False]
    assert [each["seen"] for each in report["expectations"] if not each["met"]] == [seen] * 3
    assert report["notices"] == [
        "nothing drove pin 9, where lamp is; the sketch drives pin 8",
        "key is between pin 2 and ground, and nothing pulls the pin up: pinMode(2, INPUT_PULLUP), "
        "or resistor: true",
    ]
    assert f"notice: {report['notices'][0]}\n" in done.stdout

    sketch.write_text(
        "void setup() { pinMode(9, OUTPUT); pinMode(2, INPUT_PULLUP); }\n"
        "void loop(1, 1, 10) { delay(5); }\n"
    )
    done, report = run("gate", "--board", board)
    assert done.returncode == 0, done.stderr
    assert report["notices"] == []
