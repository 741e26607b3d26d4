"""FIFOs between loops and programs of Linux: on sim, where parts play these, and where there is none."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import except_virt, long_form
from tests.commands import Done, run_hocket

Report = dict[str, Any]
Run = Callable[..., tuple[int, str, Report]]
SKETCHES = Path(__file__).parent / "sketches"

SETUP = "void setup() { Serial.begin(115200); }\n"


def run_parts(folder: Path, text: str, scenario: str, *options: str) -> tuple[Done, Report]:
    sketch = folder / "demo"
    sketch.mkdir()
    (sketch / "demo.ino").write_text(text)
    (sketch / "scenario.yaml").write_text(scenario)
    report = folder / "report.json"
    done = run_hocket("run", sketch, "--for", "1s", "--json", report, *options)
    return done, json.loads(report.read_text())


def test_records_go_both_ways(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    done = run_hocket("run", SKETCHES / "fifos", "--for", "150ms", "--json", file)
    assert done.returncode == 0, done.stderr
    assert "step 5\nstep -1\na longer text\nend\n" in done.stdout
    parts = json.loads(file.read_text())["parts"]
    numbers = [
        int.from_bytes(bytes.fromhex(got["hex"])[:4], "little") for got in parts["log"]["got"]
    ]
    assert numbers == list(range(15))
    values = [
        int.from_bytes(bytes.fromhex(got["hex"])[4:], "little", signed=True)
        for got in parts["log"]["got"]
    ]
    assert values == [1, 2, 3, 4, 9, 14, 19, *range(18, 10, -1)]
    # The record of two bytes is no command of four.
    assert (parts["commands"]["loops_lost"], parts["commands"]["loops_lost_bytes"]) == (1, 2)
    assert parts["answers"]["all_seen"] and parts["answers"]["records"] == 2
    assert parts["log"]["got"][0]["at_us"] >= 100  # it takes time to wake


FILLS = (
    SETUP
    + """
uint32_t put = 0, refused = 0;
void loop(1, 1, 10) {
  char record[100] = {};
  for (int i = 0; i < 3; ++i) fifoPut(0, record) ? ++put : ++refused;
  delay(10);
}
void loop(2, 1, 100) {
  delay(950);
  Serial.print(put);
  Serial.print(' ');
  Serial.print(refused);
  Serial.print(' ');
  Serial.print(fifoLost(0));
  Serial.print(' ');
  Serial.print(fifoState(0).lost_bytes);
  Serial.print(' ');
  Serial.print((int)fifoRoom(0));
  Serial.print(' ');
  Serial.println(fifoIsOpen(0));
}
"""
)


def test_a_reader_that_is_slow_delays_nobody_and_what_is_lost_is_counted(tmp_path: Path) -> None:
    """36 records of 100 bytes fill the FIFO; from then on all are refused until the reader wakes."""
    scenario = "parts:\n  slow: {type: fifo, fifo: 0, wakes: 400 ms}\n"
    done, report = run_parts(tmp_path, FILLS, scenario)
    assert done.returncode == 0
    line = re.search(r"^(\d+) (\d+) (\d+) (\d+) (\d+) 1$", done.stdout, re.MULTILINE)
    assert line, done.stdout
    put, refused, lost, lost_bytes, room = map(int, line.groups())
    # It is told of the first record, wakes 400 ms later, and so on: twice until 950 ms.
    assert put == 3 * 36 and refused == 3 * 95 - put
    assert lost == refused and lost_bytes == 100 * lost
    assert room == 4096 - 36 * 112 - 8
    assert report["parts"]["slow"]["records"] == 2 * 36
    assert report["parts"]["slow"]["loops_lost"] >= lost
    assert all(loop["deadline_misses"] == 0 for loop in report["loops"])


ALONE = (
    SETUP
    + """
void loop(1, 1, 10) {
  static int step = 0;
  int32_t record = 7;
  char line[60];
  const bool put = fifoPut(0, record);
  const hocket::sys::FifoState out = fifoState(0);
  snprintf(line, sizeof line, "put %d got %d/%d linux %d open %d lost %d/%d room %d", put,
           fifoGet(1, record), (int)fifoGetRecord(3, line, 9), out.has_linux, out.is_open,
           (int)out.lost, (int)out.lost_bytes, (int)out.room);
  if (++step == 3) Serial.println(line);
  delay(10);
}
"""
)


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_without_linux_all_is_refused_and_counted(run: Run, board: str) -> None:
    status, said, report = run("fifo-alone", 0.05, ALONE, board=board)
    assert status == 0 and report["faults"] == []
    assert said.splitlines() == ["put 0 got 0/0 linux 0 open 0 lost 3/12 room 0"]


WRONGS = {
    "fifoPut(number, 1)": "put into a FIFO that comes from Linux: 0, 2, 4 and 6 go there",
    "fifoPut(number + 5, 1)": "used a FIFO that is not there: they are 0 to 7",
    "fifoPut(number - 4, 1)": "used a FIFO that is not there: they are 0 to 7",
    "fifoGet(number - 1, &number, 4)": "asked a FIFO that goes to Linux for data: they come from 1,",
    "fifoLost(number + 255)": "used a FIFO that is not there: they are 0 to 7",
}
MEMORY = {
    "fifoPut(2, (void*)0x10, 4)": "bad access",
    "fifoPut(2, (void*)0xFFFFFF8040080000ull, 4)": "bad access",
}


def wrong_loops(bodies: list[str]) -> str:
    loops = [
        f"void loop({i}, 1, 50) {{ delay({i}); {body}; }}" for i, body in enumerate(bodies, start=1)
    ]
    return SETUP + "volatile unsigned kept = 3;\n" + "\n".join(loops).replace("number", "kept")


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_a_wrong_number_is_a_fault_of_the_loop(run: Run, board: str) -> None:
    text = wrong_loops(list(WRONGS)).replace("&kept", "(void*)&kept")
    _, _, report = run("fifo-wrongs", 0.1, text, board=board)
    faults = {fault["loop"]: fault for fault in report["faults"]}
    assert sorted(faults) == list(range(1, len(WRONGS) + 1))
    for loop, said in enumerate(WRONGS.values(), start=1):
        assert said in faults[loop]["text"], faults[loop]
        assert f"fifo-wrongs.ino:{loop + 2}, in loop {loop}" in faults[loop]["text"]


@long_form
def test_memory_of_others_is_a_fault_of_the_loop(run: Run) -> None:
    _, _, report = run("fifo-memory", 0.1, wrong_loops(list(MEMORY)), board="virt")
    assert [fault["kind"] for fault in report["faults"]] == list(MEMORY.values())


@long_form
def test_a_buffer_that_cannot_be_written_keeps_nobody_from_the_fifo(tmp_path: Path) -> None:
    text = (
        SETUP
        + """
void loop(1, 1, 10) { delay(100); fifoGet(1, (void*)"only read", 4); }
void loop(2, 1, 10) { char got[8] = {}; delay(200); fifoGet(1, got, 4); Serial.println(got); delay(1000); }
"""
    )
    scenario = "parts:\n  sends: {type: fifo, fifo: 1, send: [{at: 1 ms, text: word}]}\n"
    done, report = run_parts(tmp_path, text, scenario)
    assert [(fault["loop"], fault["kind"]) for fault in report["faults"]] == [(1, "bad access")]
    assert done.stdout.startswith("word")


def test_the_uno_refuses_in_words(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "demo.ino").write_text("void setup() {}\nvoid loop() { fifoPut(0, 1); }\n")
    done = run_hocket("build", folder, "--board", "uno", "-o", tmp_path / "demo.hex")
    assert done.returncode == 2
    assert "FIFOs go to programs of a Linux that runs beside, and this board has room for none" in (
        done.stderr
    )


SCENARIOS = {
    "{type: fifo}": "fifo",
    "{type: fifo, fifo: 8}": "give a number that is at most 7",
    "{type: fifo, fifo: 1, send: [{at: 1 s, hex: 'abc'}]}": "is abc, which is not a list of bytes",
    "{type: fifo, fifo: 1, send: [{at: 1 s}]}": "lacks hex or text",
    "{type: fifo, fifo: 0, send: [{at: 1 s, text: x}]}": "program has send, and FIFO 0 goes to Linux",
    "{type: fifo, fifo: 1, expect: [x]}": "program has expect, and FIFO 1 goes from Linux",
}


@pytest.mark.parametrize("part", SCENARIOS)
def test_a_part_that_cannot_be_is_refused(part: str, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "demo.ino").write_text(SETUP + "void loop() {}\n")
    (folder / "scenario.yaml").write_text(f"parts:\n  program: {part}\n")
    done = run_hocket("run", folder, "--for", "10ms")
    assert done.returncode == 2, done.stdout
    assert SCENARIOS[part] in done.stderr


def test_two_parts_at_one_fifo_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "demo.ino").write_text(SETUP + "void loop() {}\n")
    part = "{type: fifo, fifo: 0}"
    (folder / "scenario.yaml").write_text(f"parts:\n  one: {part}\n  two: {part}\n")
    done = run_hocket("run", folder, "--for", "10ms")
    assert done.returncode == 2
    assert "one and two are both at FIFO 0" in done.stderr
