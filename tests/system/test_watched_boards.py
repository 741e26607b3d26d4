"""Boards that are watched and touched through the pipe: touches are exact, a touched run repeats to the byte,
and no bytes from outside break it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.campaign import long_form, one_in
from tests.watched import ENDLESS, watched

from hocket.builder import Image
from hocket.running.programs import board_program
from hocket.scenario import read_scenario

# What can be out of step with a touch: loops that sleep, compute and wait for Serial, and a handler.
SKETCH = """volatile int edges = 0;
void count() { edges = edges + 1; }
void setup() {
  Serial.begin(115200);
  pinMode(2, INPUT_PULLUP); pinMode(13, OUTPUT); pinMode(3, INPUT_PULLUP); pinMode(9, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(3), count, CHANGE);
}
void loop(1, 1ms, 10ms) {
  digitalWrite(13, digitalRead(2) == LOW);
  analogWrite(9, analogRead(A0) / 4);
  delay(10);
}
void loop(2, 20ms, 100ms) {
  volatile long spent = 0;
  for (long i = 0; i < 40000; ++i) spent = spent + i;
  Serial.print(edges); Serial.print(' '); Serial.println(analogRead(A0));
}
void loop(3, 2ms, 50ms) {
  while (Serial.available() > 0) Serial.write(Serial.read());
  delay(5);
}
"""
SCENARIO = """parts:
  start: {type: button, pin: 2, bounce: 3 ms}
  other: {type: button, pin: 3, bounce: 1 ms}
  knob: {type: potentiometer, pin: A0, position: 20 %}
  lamp: {type: led, pin: 13}
  dimmed: {type: led, pin: 9}
"""

# Each example is a process or two: to make a failing one smaller would take minutes.
OFTEN = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)

Command = list[str | Path]
Program = Callable[..., Command]


@pytest.fixture(scope="session")
def program(
    image: Callable[..., Image], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Command]:
    """program(board, cores, seed): the command of the sketch, with its parts."""
    folder = tmp_path_factory.mktemp("watched")

    def command(board: str = "sim", cores: int = 1, seed: int = 1) -> Command:
        built = image("watched", SKETCH, board)
        yaml, flat = folder / f"{board}.yaml", folder / f"{board}.flat"
        yaml.write_text(SCENARIO, encoding="utf-8")
        flat.write_text(read_scenario(yaml, board).flat, encoding="utf-8")
        words = [*board_program(built, cores), "--cores", str(cores), "--seed", str(seed)]
        return [*words, "--scenario", flat]

    return command


def outputs(folder: Path, name: str) -> dict[str, Path]:
    return {
        option: folder / f"{name}.{ending}"
        for option, ending in (("--facts", "json"), ("--vcd", "vcd"), ("--log", "hklog"))
    }


def options(files: dict[str, Path], end: int = ENDLESS) -> Command:
    return [*(word for pair in files.items() for word in pair), "--for", str(end)]


def repeated(
    command: Command, touches: Sequence[dict[str, Any]], folder: Path, end: int = ENDLESS
) -> tuple[int, bytes, dict[str, Path]]:
    """The run with these touches from a file: exit status, Serial, its files."""
    file, files = folder / "touches.jsonl", outputs(folder, "again")
    lines = [{"is": "touches", "version": 1}, *touches]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    words = [*command, *options(files, end), "--touches", file]
    done = subprocess.run([*map(str, words)], capture_output=True, check=False, timeout=120)
    return done.returncode, done.stdout, files


def same(first: Path, second: Path) -> bool:
    return first.read_bytes() == second.read_bytes()


def facts_without_stack(file: Path) -> dict[str, Any]:
    """Where somebody looks between two blocks of a loop, its stack is used for that: it may be deeper."""
    facts: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    for loop in facts["loops"]:
        loop.pop("stack_used")
    return facts


TOUCHES = st.one_of(
    st.builds(
        lambda part, to: {"do": "set", "part": part, "name": "pressed", "to": to},
        st.sampled_from(["start", "other"]),
        st.booleans(),
    ),
    st.builds(
        lambda to: {"do": "set", "part": "knob", "name": "position_percent", "to": to},
        st.floats(0, 100).map(lambda x: round(x, 3)),
    ),
    st.builds(
        lambda text: {"do": "serial", "port": 0, "text": text},
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
    ),
    st.builds(lambda to: {"do": "pin", "pin": 7, "to": to}, st.sampled_from([0, 1, None])),
)
STEPS = st.one_of(
    TOUCHES,
    st.builds(lambda by: {"do": "until", "by": by}, st.integers(0, 40_000_000)),
    st.just({"do": "step"}),
)


@settings(OFTEN, max_examples=12)
@given(
    steps=st.lists(STEPS, max_size=14),
    board_and_cores=st.sampled_from([("sim", 1), ("sim", 2), ("sim", 3), ("uno", 1)]),
    seed=st.integers(0, 9),
    free=st.booleans(),
)
def test_a_touched_run_repeats_to_the_byte(
    program: Program,
    tmp_path: Path,
    steps: list[dict[str, Any]],
    board_and_cores: tuple[str, int],
    seed: int,
    free: bool,
) -> None:
    """Whether it stood still between touches or ran on while they came (`free`)."""
    board_name, cores = board_and_cores
    command = program(board_name, cores, seed)
    files = outputs(tmp_path, "live")
    with watched([*command, *options(files), *([] if free else ["--paused"])]) as board:
        board.send(do="speed", times=0.5)
        now = 0
        for step in steps:
            if step["do"] == "until":
                if free:
                    continue
                now += step["by"]
                board.send(do="until", at=now)
                now = board.stands(now)["now"]
            elif step["do"] == "step":
                if not free:
                    board.send(**step)
                    now = max(now, board.stands(now)["now"])
            else:
                board.send(**step)
        board.send(do="end")
        status, serial, errors = board.end()
        touched = board.touched
    assert status == 0, errors
    again, echoed, others = repeated(command, touched, tmp_path)
    assert (again, echoed) == (status, serial)
    assert same(files["--vcd"], others["--vcd"])
    assert same(files["--log"], others["--log"])
    assert facts_without_stack(files["--facts"]) == facts_without_stack(others["--facts"])


@one_in(2)
@pytest.mark.parametrize("board_name", ["sim", "uno"])
def test_a_button_pressed_by_hand_acts_as_one_that_a_scenario_presses(
    program: Program, tmp_path: Path, board_name: str
) -> None:
    at = 1_003_456_789 if board_name == "sim" else 1_003_456_750  # a cycle of the Uno's
    command = program(board_name)
    with watched([*command, "--paused", "--for", str(ENDLESS)]) as board:
        board.send(do="until", at=at)
        stood = board.stands(at)["now"]
        board.send(do="set", part="other", name="pressed", to=False)  # nothing: it is not pressed
        board.send(do="set", part="start", name="pressed", to=True)
        board.send(do="until", at=at + 30_000_000)
        board.stands(at + 30_000_000)
        lit = [
            change[1] for change in _changes(board.messages) if change[0] == 13 and change[2] == 1
        ]
        lamps = [
            each["parts"]["lamp"] for each in board.messages if "lamp" in each.get("parts", {})
        ]
        assert lamps[-1]["lit"] is True
        board.send(do="end")
        assert board.end()[0] == 0
    scenario = Path(str(command[command.index("--scenario") + 1])).read_text(encoding="utf-8")
    pressed = scenario.replace(
        "part button start\n", f"part button start\npressed at={stood} for=200000000\n"
    )
    assert pressed != scenario
    flat, waves = tmp_path / "pressed.flat", tmp_path / "pressed.vcd"
    flat.write_text(pressed, encoding="utf-8")
    words = [*command, "--scenario", flat, "--vcd", waves, "--for", "1200000000"]
    subprocess.run([*map(str, words)], check=True, capture_output=True, timeout=120)
    assert lit[-1] == _rises(waves, "D13")[0]
    assert stood - at < 1_000  # it stands within a block, or an instruction


def _changes(messages: list[dict[str, Any]]) -> list[list[int]]:
    return [
        change
        for message in messages
        if message["is"] == "frame"
        for change in message.get("changes", [])
    ]


def _rises(waves: Path, name: str) -> list[int]:
    code, now, rises = "", 0, []
    for line in waves.read_text(encoding="utf-8").splitlines():
        if line.startswith("$var") and line.split()[4] == name:
            code = line.split()[3]
        elif line.startswith("#"):
            now = int(line[1:])
        elif code and line == f"1{code}" and now > 0:
            rises.append(now)
    return rises


def test_a_step_ends_at_the_next_event(program: Program) -> None:
    with watched([*program(), "--paused", "--for", str(ENDLESS)]) as board:
        board.send(do="until", at=500_000_000)
        before = board.stands(500_000_000)["now"]
        for _ in range(20):
            board.send(do="step")
            frame = board.stands(before)
            happened = [frame.get(name) for name in ("changes", "spans", "releases", "serial")]
            happened.append(frame["running"])
            assert frame["now"] >= before
            assert any(happened), frame
            before = frame["now"]
        board.send(do="end")
        assert board.end()[0] == 0


def test_it_names_the_pins_of_an_uno_that_have_pwm_beside_loops(program: Program) -> None:
    with watched([*program("uno"), "--paused", "--for", str(ENDLESS)]) as board:
        pins = board.until(lambda message: message["is"] == "hello")["pins"]
        board.send(do="end")
        assert board.end()[0] == 0
    assert [pin["name"] for pin in pins] == [f"D{n}" for n in range(14)] + [
        f"A{n}" for n in range(6)
    ]
    assert [pin["pin"] for pin in pins if pin["pwm"]] == [3, 5, 6, 11]


def test_its_time_keeps_still_while_it_stands(program: Program) -> None:
    with watched([*program(), "--paused", "--for", str(ENDLESS)]) as board:
        board.send(do="until", at=1_000_000_000)
        assert board.stands(1)["now"] >= 1_000_000_000
        now = board.messages[-1]["now"]
        board.send(do="speed", times=2)
        frame = board.until(lambda message: message.get("speed") == 2)
        assert (frame["state"], frame["now"]) == ("paused", now)
        board.send(do="end")
        assert board.end()[0] == 0


def test_nobody_at_the_other_end_ends_the_run(program: Program, tmp_path: Path) -> None:
    files = outputs(tmp_path, "live")
    with watched([*program(), *options(files)]) as board:
        board.until(lambda message: message["is"] == "frame")
        board.hang_up()
        assert board.end()[0] == 0
    assert json.loads(files["--facts"].read_text(encoding="utf-8"))["end"] == "closed"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ({"do": "dance"}, "no command"),
        ({"do": "set", "part": "nobody", "name": "pressed", "to": True}, "no part"),
        ({"do": "set", "part": "start", "name": "pulled", "to": True}, "no control"),
        ({"do": "set", "part": "start", "name": "pressed", "to": 1}, "true or false"),
        ({"do": "set", "part": "knob", "name": "position_percent", "to": 100.1}, "from 0 to 100"),
        ({"do": "pin", "pin": 2, "to": 1}, "touch the part"),
        ({"do": "pin", "pin": 99, "to": 1}, "no such pin"),
        ({"do": "serial", "port": 9, "text": "x"}, "no such serial port"),
        ({"do": "serial", "port": 0, "text": ""}, "1 to 4096"),
        ({"do": "until", "at": -1}, "until needs"),
        ({"do": "speed", "times": -1}, "speed needs"),
        ({"say": "run"}, "what to do"),
    ],
)
def test_a_command_that_cannot_be_done_is_answered(
    program: Program, command: dict[str, Any], said: str
) -> None:
    with watched([*program(), "--paused", "--for", str(ENDLESS)]) as board:
        board.send(**command)
        error = board.until(lambda message: message["is"] == "error")
        assert said in error["text"]
        board.send(do="end")
        assert board.end()[0] == 0
        assert [touch["do"] for touch in board.touched] == ["end"]


@long_form
@settings(OFTEN, max_examples=40)
@given(
    data=st.lists(
        st.one_of(
            st.binary(max_size=60),
            st.dictionaries(
                st.sampled_from(["do", "part", "name", "to", "pin", "port", "text", "hex", "at", "times"]),
                st.one_of(
                    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
                    st.sampled_from(["set", "pin", "serial", "until", "speed", "run", "step", "start"]),
                ),
                max_size=5,
            ).map(lambda command: json.dumps(command).encode()),
        ),
        max_size=8,
    )
)  # fmt: skip
def test_no_bytes_break_the_program(program: Program, data: list[bytes]) -> None:
    with watched([*program(), "--paused", "--for", str(ENDLESS)]) as board:
        board.raw(b"\n".join(data) + b"\n")
        board.send(do="end")
        status, _, errors = board.end()
    assert (status, errors) == (0, b"")
    assert all(message["is"] in ("hello", "frame", "error") for message in board.messages)
    assert board.messages[-1]["state"] == "ended"


def test_a_line_without_end_takes_no_memory(program: Program) -> None:
    with watched([*program(), "--paused", "--for", str(ENDLESS)]) as board:
        for _ in range(64):
            board.raw(b"x" * 32_768)
        board.raw(b"\n")
        board.until(lambda message: message["is"] == "error")
        board.send(do="end")
        assert board.end()[0] == 0


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (['{"at": 5, "do": "set", "part": "nobody", "name": "x", "to": 1}'], "no part"),
        (['{"at": 5, "do": "end"}', '{"at": 6, "do": "end"}'], "comes after the end"),
        (
            ['{"at": 5, "do": "pin", "pin": 7, "to": 1}', '{"at": 4, "do": "end"}'],
            "comes before the one above it",
        ),
        (['{"at": "soon", "do": "end"}'], "no time"),
        (["{"], "name is missing"),
        (["[]"], "no object"),
    ],
)
def test_a_file_of_touches_that_cannot_be_made_is_refused(
    program: Program, tmp_path: Path, lines: list[str], said: str
) -> None:
    file = tmp_path / "touches.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    words = [*program(), "--for", "1000000", "--touches", file]
    done = subprocess.run(
        [*map(str, words)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert said in done.stderr


def test_a_run_that_nobody_watches_is_the_same_as_ever(program: Program, tmp_path: Path) -> None:
    """The same bytes with the option of touches and none in the file."""
    command = program("sim", 2, 5)
    files = outputs(tmp_path, "plain")
    words = [*command, *options(files, 500_000_000)]
    done = subprocess.run([*map(str, words)], capture_output=True, check=False, timeout=60)
    status, serial, others = repeated(command, [], tmp_path, 500_000_000)
    assert (status, serial) == (done.returncode, done.stdout)
    for name, file in files.items():
        assert same(file, others[name])


@pytest.mark.parametrize("board_name", ["sim", "uno"])
def test_spans_and_releases_name_their_loops(program: Program, board_name: str) -> None:
    """Threads have their names before anybody can listen."""
    with watched([*program(board_name), *options({})]) as board:
        board.send(do="pause")
        board.send(do="until", at=500_000_000)
        board.stands(500_000_000)
        frames = [message for message in board.messages if message["is"] == "frame"]
        spans = {span[1] for frame in frames for span in frame.get("spans", [])}
        released = {release[0] for frame in frames for release in frame.get("releases", [])}
    assert {1, 2, 3} <= spans
    assert {1, 2, 3} <= released


# Misses, exhausted budgets, a loop that is late when it is looked at.
LATE = """void setup() {}
void loop(1, 2ms, 10ms) { delayMicroseconds(1500); delay(7); }
void periodic(2, 3ms, 10ms) { static int calls; delayMicroseconds(++calls % 5 == 0 ? 15000 : 200); }
void loop(3, 1ms, 20ms) { delayMicroseconds(5000); }
"""


@one_in(2)
@pytest.mark.parametrize("board_name", ["sim", "uno"])
def test_the_accounts_of_loops_are_those_of_a_run_that_ends_there(
    image: Callable[..., Image], board_name: str, tmp_path: Path
) -> None:
    words = [*board_program(image("late", LATE, board_name), 1), "--cores", "1", "--seed", "1"]
    counted: dict[int, dict[str, int]] = {}
    with watched([*words, "--for", str(ENDLESS)]) as board:
        board.send(do="pause")
        for at in (40_000_000, 333_000_000, 900_000_000):
            seen = len(board.messages)
            board.send(do="until", at=at)
            board.stands(at)
            for message in board.messages[seen:]:
                for loop in message.get("loops", []) if message["is"] == "frame" else []:
                    counted.setdefault(loop["id"], {}).update(loop)
            file = tmp_path / f"{at}.json"
            subprocess.run(
                [*map(str, words), "--for", str(at), "--facts", str(file)], check=True, timeout=60
            )
            facts = json.loads(file.read_text())["loops"]
            assert [counted[loop["id"]] for loop in facts] == [
                {
                    "id": loop["id"],
                    "iterations": loop["iterations"],
                    "exhausted": loop["budget_exhausted"],
                    "deadline_misses": loop["deadline_misses"],
                    "max_response_ns": round(loop["max_response_us"] * 1000),
                }
                for loop in facts
            ], at
    assert counted[2]["deadline_misses"] > 0
    assert counted[3]["exhausted"] > 0
