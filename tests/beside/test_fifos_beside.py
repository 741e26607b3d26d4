"""FIFOs between loops and programs of the Linux beside them: the example, an attack, a panic."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.campaign import long_form
from tests.commands import run_hocket

from hocket.linux.build import Linux
from hocket.paths import ROOT

EXAMPLE = ROOT / "examples" / "rover-and-linux"
Report = dict[str, Any]

# A periodic loop says each 5 ms how far it is; another hears what comes. At the end: what has been counted.
SKETCH = """
volatile uint32_t heard = 0, misfits = 0;
void setup() {
  Serial.begin(115200);
  fifoPut(2, "first");
}
void periodic(1, 1ms, 5ms) {
  static uint32_t number = 0;
  fifoPut(0, number++);
}
void periodic(2, 1ms, 5ms) {
  uint32_t value;
  char bytes[64];
  if (fifoGet(1, value)) ++heard;
  fifoGet(3, bytes, sizeof bytes);
}
void loop(3, 1, 100) {
  delay(%d);
  const auto out = fifoState(0), in = fifoState(1);
  char line[120];
  snprintf(line, sizeof line, "put %%u lost %%u corrupted %%u heard %%u corrupted %%u open %%d",
           (unsigned)out.records, (unsigned)out.lost, (unsigned)out.corrupted, (unsigned)heard,
           (unsigned)in.corrupted, out.is_open);
  Serial.println(line);
  delay(1000000);
}
"""

# As root: words anywhere in the window, and often where indices and lengths are.
ATTACK = """
import mmap, os, random, struct, sys, time
try:
    os.read(os.open("/dev/hocket/fifo2", os.O_RDONLY | os.O_NONBLOCK), 4088)
except BlockingIOError:
    sys.exit(1)  # another one was here before
window = mmap.mmap(os.open("/dev/mem", os.O_RDWR | os.O_SYNC), 0x10000, offset=0x46F00000)
random.seed(1)
end = time.monotonic() + 1
count = 0
while time.monotonic() < end:
    fifo = random.choice((0, 1, 1, 3))
    place = random.choice((0x400 + 128 * fifo, 0x440 + 128 * fifo, 0x1000 * (fifo + 1),
                           random.randrange(0, 0x10000, 4)))
    near = struct.unpack_from("<I", window, 0x400 + 128 * fifo)[0]
    word = random.choice((random.getrandbits(32), near + 8 * random.randrange(600), near + 4, 4))
    struct.pack_into("<I", window, place, word & 0xFFFFFFFF)
    count += 1
print("wrote", count > 1000, flush=True)
"""
AGAIN = """
import os, struct
# The module, loaded again, keeps to the protocol: what is written arrives, and comes out in order.
pilot = os.open("/dev/hocket/fifo1", os.O_WRONLY)
source = os.open("/dev/hocket/fifo0", os.O_RDONLY)
for value in range(20):
    os.write(pilot, struct.pack("<I", value))
records = [os.read(source, 4088) for _ in range(60)]
numbers = [struct.unpack("<I", data)[0] for data in records if len(data) == 4]
steps = {later - earlier for earlier, later in zip(numbers[20:], numbers[21:])}
print("in order", steps == {1})
"""


def beside(folder: Path, sketch: str, seconds: str, *options: str) -> tuple[str, str, Report]:
    """What the loops sent, what was on Linux's console, and the report."""
    console, report = folder / "console", folder / "report.json"
    files = ("--console", str(console), "--json", str(report))
    run = ("run", sketch, "--board", "virt", "--beside", "linux", "--for", seconds)
    done = run_hocket(*run, *files, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout, console.read_text(), json.loads(report.read_text())


def sketch_with(folder: Path, text: str, **files: str) -> str:
    """A sketch with files for Linux; in their names a dot is written `__`."""
    sketch = folder / "demo"
    (sketch / "linux").mkdir(parents=True)
    (sketch / "demo.ino").write_text(text)
    for name, content in files.items():
        (sketch / "linux" / name.replace("__", ".")).write_text(content)
    return str(sketch)


def held(report: Report) -> bool:
    return all(
        loop["deadline_misses"] == 0 and loop["max_response_us"] <= loop["response_bound_us"]
        for loop in report["loops"]
    )


@long_form
def test_the_rover_is_logged_drawn_and_steered(tmp_path: Path) -> None:
    said, console, report = beside(tmp_path, str(EXAMPLE), "8s")
    assert said.startswith("speed 50\nspeed 100\nno such speed: -32768\n")
    drawing = [line for line in console.splitlines() if " s |#" in line]
    assert len(drawing) == 60 and " 50 %" in "".join(drawing)
    assert "60 records in /tmp/rover.csv, 0 lost" in console
    assert report["beside"]["job_status"] == 0 and held(report)
    # FIFO 0 has no reader any more, and holds what comes until the end.
    assert report["faults"] == []


@long_form
def test_every_byte_repeats(tmp_path: Path) -> None:
    runs = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        runs.append(beside(tmp_path / name, str(EXAMPLE), "8s"))
    assert runs[0] == runs[1]


@long_form
def test_root_scribbles_over_the_window(linux: Linux, tmp_path: Path) -> None:
    """No loop notices; what cannot be is counted; and once another Linux keeps to the protocol, all goes on.

    The first Linux finds a word for it in FIFO 2."""
    job = "if python3 attack.py; then reboot -f; else python3 again.py; fi"
    sketch = sketch_with(tmp_path, SKETCH % 5900, job=job, attack__py=ATTACK, again__py=AGAIN)
    said, console, report = beside(tmp_path, sketch, "6s")
    assert "wrote True" in console and "in order True" in console, console
    assert held(report) and report["faults"] == []
    words = said.split("\n", 1)[0].split()
    counted = dict(zip(words[::2], words[1::2], strict=True))
    assert int(counted["corrupted"]) > 0 and int(counted["heard"]) >= 10
    put, lost = int(counted["put"]), int(counted["lost"])
    assert 1170 <= put + lost <= 1190  # one in 5 ms
    assert report["beside"]["restarts"] == 1 and report["beside"]["panic"] is None


@long_form
def test_a_panic_and_a_linux_that_is_gone_delay_no_loop(linux: Linux, tmp_path: Path) -> None:
    job = "cat /dev/hocket/fifo0 >/dev/null & sleep 0.5; echo c >/proc/sysrq-trigger"
    sketch = sketch_with(tmp_path, SKETCH % 3400, job=job)
    said, _, report = beside(tmp_path, sketch, "3500ms")
    words = said.split("\n", 1)[0].split()
    counted = dict(zip(words[::2], words[1::2], strict=True))
    assert held(report) and report["faults"] == []
    assert 670 <= int(counted["put"]) + int(counted["lost"]) <= 690
    assert report["beside"]["restarts"] >= 1 and report["beside"]["panic"] is not None


@long_form
def test_a_program_in_c_steers_the_rover(linux: Linux, tmp_path: Path) -> None:
    sketch = sketch_with(
        tmp_path, (EXAMPLE / "rover-and-linux.ino").read_text(), job="./speed 60; ./speed 7 8"
    )
    program = Path(sketch) / "linux" / "speed"
    compiler = ["aarch64-linux-gnu-gcc-12", "-static", "-Wall", "-Wextra", "-Werror"]
    source = EXAMPLE / "linux" / "speed.c"
    subprocess.run([*compiler, "-o", str(program), str(source)], check=True)
    scenario = EXAMPLE / "scenario.yaml"
    said, console, _ = beside(tmp_path, sketch, "3s", "--scenario", str(scenario))
    assert "speed 60\n" in said
    assert "usage: speed PERCENT" in console
