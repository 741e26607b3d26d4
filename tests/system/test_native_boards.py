"""Images by themselves: no world, no semihosting, what a board in its own right does with its UART.

QEMU is started by hand, as a user would do it; its UART is this test's standard input and output.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import run_hocket
from tests.sketches import kept

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.builder.board import prepare_board
from hocket.card import card_files
from hocket.sketch.folder import find_sketch

ROOT = Path(__file__).resolve().parents[2]
BOARDS = ("virt", "rpi3")
LIMIT_S = 30

ECHO = """\
void setup() { Serial.begin(115200); pinMode(17, OUTPUT); Serial.println("ready"); }
void loop(1, 50, 100) {
  int c = Serial.read();
  if (c == '!') { digitalWrite(17, HIGH); Serial.print(digitalRead(17)); }
  if (c == '?') { digitalWrite(17, LOW); Serial.print(digitalRead(17)); }
  if (c >= 0) Serial.write(c); else delay(1);
}
void loop(2, 30, 100) { volatile long x = 0; for (;;) x++; }
"""
TOO_MUCH = """\
void setup() {}
void loop(1, 60, 100, onCore(0)) {}
void loop(2, 60, 100, onCore(0)) {}
"""
WILD = """\
void setup() { Serial.begin(115200); Serial.println("ready"); }
void loop(1, 30, 100) { delay(20); *(volatile int*)8 = 1; }
"""
CORES = """\
volatile int alive[4];
void setup() { Serial.begin(115200); Serial.println("ready"); }
void loop(1, 10, 100, onCore(0)) {
  delay(500);
  Serial.print("cores");
  for (int i = 1; i < 4; i++) { Serial.print(alive[i] > 3 ? " works" : " silent"); }
  Serial.println();
}
void loop(2, 10, 100, onCore(1)) { alive[1]++; delay(10); }
void loop(3, 10, 100, onCore(2)) { alive[2]++; delay(10); }
void loop(4, 10, 100, onCore(3)) { alive[3]++; volatile long x = 0; while (x < 1000) x++; delay(10); }
"""


# Loop 1 writes without end; the others fault at the same instant, again and again.
TOGETHER = """\
#include <Hocket.h>
HOCKET_ON_FAULT(RestartSketch)
char text[250];
void setup() {
  Serial.begin(115200);
  memset(text, '.', sizeof text);
  Serial.println("start");
}
void wrong() { delay(10); *(volatile int*)16 = 1; }
void loop(1, 30, 100, onCore(0)) {
  Serial.write(text, sizeof text);
  if (millis() > 500) Serial.println("after");
}
void loop(2, 10, 100, onCore(1)) { wrong(); }
void loop(3, 10, 100, onCore(2)) { wrong(); }
void loop(4, 10, 100, onCore(3)) { wrong(); }
"""
# Loop 1 notes how late its releases are, while loop 2 writes, and then while loops fault.
LATE = """\
#include <Hocket.h>
char text[250];
uint64_t first;
volatile long most, writing;
void setup() { Serial.begin(115200); memset(text, '.', sizeof text); }
void periodic(1, 50us, 303us) {
  const uint64_t now = hocket::sys::now_ns();
  if (first == 0) first = now;
  long late = (now - first) % 303000;
  static long least;
  if (late > 151500) late -= 303000;
  if (late < least) least = late;
  if (late - least > most) most = late - least;
}
void loop(2, 30, 100) {
  if (millis() < 100) { Serial.write(text, sizeof text); return; }
  if (writing == 0) { delay(5); writing = most; most = 0; }
  if (millis() < 200) return delay(20);
  Serial.print(" <"); Serial.print(writing); Serial.print(" "); Serial.print(most);
  Serial.println(" end");
  delay(1000);
}
void wrong(int which) { delay(120 + which); *(volatile int*)16 = 1; }
""" + "".join(f"void loop({n}, 1, 100) {{ wrong({n}); }}\n" for n in range(3, 13))
# What loop 1 gets done in 200 ms: with a quiet UART, and while somebody sends without a pause.
STORMED = """\
volatile unsigned long work, taken;
void setup() { Serial.begin(RATE); Serial.println("ready"); }
void loop(1, 7, 10) { for (;;) work = work + 1; }
void loop(2, 1, 10, background()) {
  static int step;
  static unsigned long before, quiet, first;
  while (Serial.read() >= 0) ++taken;
  if (step == 0 && millis() >= 100) { before = work; ++step; }
  if (step == 1 && millis() >= 300) { quiet = work - before; Serial.println("send"); ++step; }
  if (step == 2 && taken > 100) { before = work; first = millis(); ++step; }
  if (step == 3 && millis() >= first + 200) {
    Serial.print(" <"); Serial.print(quiet); Serial.print(" "); Serial.print(work - before);
    Serial.print(" "); Serial.print(taken); Serial.println(" end");
    ++step;
  }
  delay(10);
}
"""
FOUR = ("-smp", "4")
# One tick is one instruction.
COUNTED = ("-icount", "shift=0,sleep=off")


def costs(board: str) -> int:
    """The longest section without a switch that a board declares, and its timer's lateness."""
    text = (ROOT / "boards" / board / "board.h").read_text()
    return sum(
        int(text.split(f".{name} = ")[1].split("}")[0].split(",")[0].replace("'", ""))
        for name in ("timer_lateness", "longest_masked")
    )


class Uart:
    """The other end of a board's UART."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._to, self._from = process.stdin.fileno(), process.stdout.fileno()
        os.set_blocking(self._to, False)
        os.set_blocking(self._from, False)
        self.text = b""

    def until(self, wanted: bytes, send: bytes = b"") -> bytes:
        """Everything up to `wanted`, which must come, while `send` is sent as fast as it is taken."""
        end = time.monotonic() + LIMIT_S
        while wanted not in self.text:
            assert time.monotonic() < end, f"no {wanted!r} in {self.text[-300:]!r}"
            writers = [self._to] if send else []
            readable, writable, _ = select.select([self._from], writers, [], 1)
            if writable:
                send = send[os.write(self._to, send[:4096]) :]
            if readable:
                data = os.read(self._from, 65536)
                assert data, f"the board is gone: {self.text[-300:]!r}"
                self.text += data
        before, _, self.text = self.text.partition(wanted)
        return before + wanted


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str, str], Path]:
    """image(board, name, text): the kernel with this sketch, as the board starts it."""

    def build(board_name: str, name: str, text: str) -> Path:
        folder = kept(name, text)
        board = find_board(board_name)
        built = build_sketch(find_sketch(str(folder)), board, prepare_board(board))
        if board_name == "virt":
            return built.native_for(board.most_cores)
        kernel = tmp_path_factory.mktemp(name) / "kernel8.img"
        kernel.write_bytes(card_files(built.native_for(board.most_cores), name)["kernel8.img"])
        return kernel

    return build


@contextmanager
def started(board: str, image: Path, *more: str, rate: bool = True) -> Iterator[Uart]:
    command = ["timeout", str(LIMIT_S * 2), "qemu-system-aarch64", "-display", "none"]
    if board == "virt":
        command += ["-M", "virt,gic-version=3", "-m", "128M", "-nic", "none"]
        command += ["-cpu", "cortex-a53,cntfrq=1000000000" if rate else "cortex-a53"]
    else:
        command += ["-M", "raspi3b"]
        command += ["-global", "cortex-a53-arm-cpu.cntfrq=19200000"] if rate else []
    command += ["-monitor", "none", "-serial", "stdio", "-kernel", str(image), *more]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield Uart(process)
    finally:
        process.terminate()  # `timeout` passes it on
        process.communicate()


@one_in(2)
@pytest.mark.parametrize("board", BOARDS)
def test_serial_both_ways_without_loss(image: Callable[..., Path], board: str) -> None:
    """The sender goes as fast as the UART takes bytes; a loop that never rests runs beside."""
    data = bytes(ord("a") + i * i % 26 for i in range(3000)) + b"\n"
    with started(board, image(board, "native-echo", ECHO)) as uart:
        assert uart.until(b"ready\r\n").endswith(b"ready\r\n")
        assert uart.until(b"\n", send=data) == data
        uart.until(b"z", send=b"!?z")


def test_outputs_of_the_raspberry_pi(image: Callable[..., Path]) -> None:
    """The level register shows what an output was given; `virt` has no pins of its own."""
    for board, levels in (("rpi3", b"1!0?z"), ("virt", b"0!0?z")):
        with started(board, image(board, "native-echo", ECHO)) as uart:
            uart.until(b"ready\r\n")
            assert uart.until(b"z", send=b"!?z") == levels


@one_in(2)
@pytest.mark.parametrize("board", BOARDS)
def test_four_cores(image: Callable[..., Path], board: str) -> None:
    """Each sleeps by its own timer and is started by an inter-processor interrupt."""
    more = () if board == "rpi3" else ("-smp", "4")
    with started(board, image(board, "native-cores", CORES), *more) as uart:
        assert uart.until(b"works works works\r\n")


@one_in(2)
@pytest.mark.parametrize("board", BOARDS)
def test_a_board_that_stops_says_why(image: Callable[..., Path], board: str) -> None:
    with started(board, image(board, "native-wild", WILD)) as uart:
        uart.until(b"ready\r\n")
        said = uart.until(b"hocket: every loop of the sketch has stopped\r\n")
        assert b"hocket: loop 1: bad access at 0x8 (instruction 0x1000" in said


@long_form
@pytest.mark.parametrize("counted", [True, False], ids=["counted", "free"])
def test_a_restart_waits_for_no_lock(image: Callable[..., Path], counted: bool) -> None:
    """Loops fault together while another one writes: who stops first holds nothing that others need."""
    with started(
        "virt", image("virt", "native-together", TOGETHER), *FOUR, *COUNTED * counted
    ) as uart:
        for _ in range(17):
            uart.until(b"start\r\n")
        uart.until(b"after\r\n")


@long_form
def test_who_writes_or_faults_delays_no_switch_beyond_what_is_declared(
    image: Callable[..., Path],
) -> None:
    """The lateness of a periodic loop of the highest priority, in instructions, on one core."""
    with started("virt", image("virt", "native-late", LATE), *COUNTED) as uart:
        writing, faulting = map(int, uart.until(b" end").rsplit(b"<", 1)[1].split()[:2])
    longest = costs("virt")
    assert 0 < writing <= longest, (writing, longest)
    assert 0 < faulting <= longest, (faulting, longest)


@one_in(2)
@pytest.mark.parametrize("rate", [115_200, 1_000_000])
def test_a_sender_at_full_rate_takes_nothing_of_what_a_loop_was_promised(
    image: Callable[..., Path], rate: int
) -> None:
    """An emulator's UART has no rate: bytes come as fast as it is asked for them."""
    text = STORMED.replace("RATE", str(rate))
    with started("virt", image("virt", f"native-stormed-{rate}", text), *COUNTED) as uart:
        said = uart.until(b"send\r\n")
        assert (b"its interrupts are counted for 115200" in said) == (rate > 115_200)
        quiet, loud, taken = map(
            int, uart.until(b" end", send=b"x" * 1_000_000).rsplit(b"<", 1)[1].split()[:3]
        )
    assert taken > 1_000, taken
    assert loud >= 0.999 * quiet, (quiet, loud, taken)


@one_in(2)
@pytest.mark.parametrize("board", BOARDS)
def test_loops_that_cannot_be_guaranteed_are_refused(
    image: Callable[..., Path], board: str
) -> None:
    with started(board, image(board, "native-refused", TOO_MUCH)) as uart:
        said = uart.until(b"hocket: the loops cannot be guaranteed on this board\r\n")
        assert b"hocket: loop 2 asks for 60 ms in every 100 ms and core 0 cannot" in said


def test_nothing_of_the_peer_is_in_the_image_for_a_board_by_itself() -> None:
    """What surrounds a board was chosen when its image was linked: no call asks for it."""
    board = find_board("rpi3")
    built = build_sketch(find_sketch(str(kept("native-echo", ECHO))), board)

    def symbols(program: Path) -> str:
        command = ["llvm-nm-19", "--demangle", str(program)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert "hocket::world::ask(" in symbols(built.program)
    assert "hocket::devices::pin_write(" in symbols(built.native_for(1))
    assert "hocket::world::" not in symbols(built.native_for(1))


@pytest.mark.parametrize("board", BOARDS)
def test_a_counter_of_another_rate_is_refused(image: Callable[..., Path], board: str) -> None:
    with started(board, image(board, "native-wild", WILD), rate=False) as uart:
        uart.until(
            b"hocket: the board's counter does not run at the rate this image is made for\r\n"
        )


@one_in(2)
@pytest.mark.parametrize("example", ["blink", "three-loops"])
def test_a_run_on_the_raspberry_pi_has_its_report(example: str, tmp_path: Path) -> None:
    """The same sketch in `hocket run`: on four cores, with what is worth knowing about its figures."""
    report = tmp_path / "report.json"
    sketch = str(ROOT / "examples" / example)
    command = ["run", sketch, "--board", "rpi3", "--cores", "4"]
    done = run_hocket(*command, "--for", "200ms", "--json", report)
    assert done.returncode == 0, done.stderr
    read = json.loads(report.read_text())
    assert (read["board"], read["cores"], read["end"]) == ("rpi3", 4, "time")
    assert read["counters"]["timer_interrupts"] > 0
    assert any("costs on this board are estimates" in notice for notice in read["notices"])
    assert "notice: the kernel's costs on this board are estimates" in done.stdout
