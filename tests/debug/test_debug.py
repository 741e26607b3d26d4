"""`hocket debug`: real sessions of gdb on a sketch with three loops and a library, on each board."""

from __future__ import annotations

import re
import socket
import subprocess
import time
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import ROOT, Done, run_hocket, started_hocket

SKETCH = Path(__file__).parent / "sketches" / "steps"
TOO_MUCH = ROOT / "examples" / "too-much"
ADDED, PRINTED, ASLEEP = 30, 31, 37  # lines of steps.ino: the library is called; behind it; loop 3

SESSION = f"""
break steps.ino:{ADDED}
continue
print step
print total
print place
tbreak Mean::add
continue
backtrace 2
finish
info loops
loop 3 print rounds
loop 3
info locals
loop
next
"""


def session(tmp_path: Path, board: str, script: str, *options: str) -> Done:
    file = tmp_path / "script.gdb"
    file.write_text(script)
    return run_hocket("debug", SKETCH, "--board", board, "--batch", "-x", file, *options)


@one_in(2)
@pytest.mark.parametrize("board", ["sim", "uno", "virt"])
def test_a_session(tmp_path: Path, board: str) -> None:
    done = session(tmp_path, board, SESSION)
    said = done.stdout
    assert done.returncode == 0, done.stderr
    # The first stop: locals, globals and structures have the values that the source gives them.
    assert re.search(rf"Breakpoint 1, hocket_loop_2 \(\) at .*steps\.ino:{ADDED}", said)
    assert "$1 = 3\n" in said  # half(7)
    assert "$2 = 10\n" in said
    assert "$3 = {x = 3, y = 4}\n" in said
    # In the library, called from the sketch's line.
    assert re.search(r"^#0 +Mean::add\(int\) .*Mean\.cpp:[34]$", said, re.M)
    assert re.search(rf"^#1 .* in hocket_loop_2\(\) .*steps\.ino:{ADDED}$", said, re.M)
    assert "Value returned is $4 = 3" in said
    # The loops, and what one that sleeps has in its variables.
    assert re.search(r"^  1 +loop +(ready|sleeps) ", said, re.M)
    assert re.search(rf"^\* 2 +loop +runs +hocket_loop_2 at steps\.ino:{ADDED}$", said, re.M)
    assert re.search(rf"^  3 +loop +sleeps +hocket_loop_3 at steps\.ino:{ASLEEP}$", said, re.M)
    assert "$5 = 40\n" in said
    assert "rounds = 40\n" in said
    # Back at the loop that runs, which goes on by a line.
    assert re.search(rf"^{PRINTED}\t +Serial\.println\(total\);$", said, re.M)
    assert "what loops use of their budgets means nothing here" in done.stderr


PERIODIC = """int n;
void setup() {}
void periodic(1, 1, 20) { n = n + 1; }
void loop(2, 2, 50) {
  delay(30);
}
void loop(3, 5, 50) {
  delay(7);
  n = 5;
}
"""


@one_in(2)
@pytest.mark.parametrize("board", ["sim", "uno"])
def test_the_frames_of_a_loop_that_sleeps_are_the_sketchs(tmp_path: Path, board: str) -> None:
    """On virt, whose time is this computer's, nobody knows where they are."""
    folder = tmp_path / "three"
    folder.mkdir()
    (folder / "three.ino").write_text(PERIODIC)
    commands = ["break three.ino:9", "continue", "info loops", "loop 2 backtrace", "echo all\\n"]
    commands += ["loop 2 backtrace -no-filters", "echo none\\n", "loop 1 backtrace"]
    words = [word for command in commands for word in ("-ex", command)]
    done = run_hocket("debug", folder, "--board", board, "--batch", "--", *words)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^  1 +periodic +waits for its next period$", done.stdout, re.M)
    listed, _, rest = done.stdout.partition("\nall\n")
    everything, _, waiting = rest.partition("\nnone\n")
    frames = [line for line in listed.splitlines() if line.startswith("#")]
    assert len(frames) == 1
    assert re.search(r"hocket_loop_2.* at .*three\.ino:5$", frames[0])
    assert re.search(r"^#\d+ .*\bdelay ?\(", everything, re.M)
    assert re.search(r"^#\d+ .*hocket", waiting, re.M)  # there are no others


@one_in(2)
@pytest.mark.parametrize("board", ["sim", "uno"])
def test_to_the_end_of_a_run(tmp_path: Path, board: str) -> None:
    script = f"tbreak steps.ino:{PRINTED}\ncontinue\ncontinue\ninfo loops\n"
    done = session(tmp_path, board, script, "--for", "250ms")
    assert "exited normally" in done.stdout
    assert "10\n" in done.stdout  # Serial, in the same terminal
    assert "the sketch does not run: there are no loops" in done.stdout + done.stderr


@one_in(2)
@pytest.mark.parametrize("board", ["sim", "uno"])
def test_a_fault_stops_at_its_line(tmp_path: Path, board: str) -> None:
    folder = tmp_path / "wild"
    folder.mkdir()
    body = "  delay(50);\n  int *nowhere = (int *)0xF000;\n  *nowhere = 3;\n"
    (folder / "wild.ino").write_text(f"void setup() {{}}\nvoid loop(1, 10, 100) {{\n{body}}}\n")
    words = ("-ex", "continue", "-ex", "continue")
    done = run_hocket("debug", folder, "--board", board, "--batch", "--", *words)
    assert "Program received signal SIGSEGV" in done.stdout
    assert re.search(r"hocket_loop_1 \(\) at .*wild\.ino:5", done.stdout)
    assert "exited with code 01" in done.stdout  # as `hocket run` ends


def test_a_variable_is_watched_on_the_uno(tmp_path: Path) -> None:
    script = "watch total\ncontinue\ncontinue\nbacktrace 1\n"
    said = session(tmp_path, "uno", script).stdout
    assert re.search(r"Old value = 7\nNew value = \d+", said)
    assert "hocket_loop_2" in said


@long_form
def test_a_loop_that_is_not_there_is_told() -> None:
    commands = ("info loops", f"break steps.ino:{ADDED}", "continue", "loop 9")
    words = [word for command in commands for word in ("-ex", command)]
    done = run_hocket("debug", SKETCH, "--batch", "--", *words)
    assert done.returncode == 1  # gdb's, of its last command
    said = done.stdout + done.stderr
    assert "there are no loops yet: setup() has not" in said
    assert "there is no loop 9: there are 1, 2, 3" in said


@long_form
def test_words_for_gdb() -> None:
    done = run_hocket("debug", SKETCH, "--batch", "--", "-ex", "print 6 * 7")
    assert "$1 = 42" in done.stdout


def test_a_refused_sketch_is_not_debugged() -> None:
    done = run_hocket("debug", TOO_MUCH, "--batch")
    assert done.returncode == 3
    assert "hocket: refused: loop 2 asks for 60 ms" in done.stderr


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--board", "rpi3"), "the board rpi3 has no debugger"),
        (("-x", "nowhere.gdb"), "-x nowhere.gdb: there is no such file"),
        (("--server", "70000"), "--server 70000 is no port"),
        (("--server", "4000", "--batch"), "--server starts no gdb"),
    ],
)
def test_what_cannot_be(options: tuple[str, ...], sentence: str) -> None:
    done = run_hocket("debug", SKETCH, *options)
    assert done.returncode == 2
    assert sentence in done.stderr


@one_in(2)
@pytest.mark.parametrize("board", ["uno", "sim"])
def test_a_debugger_that_comes_by_itself(board: str) -> None:
    """As an editor's does: the script that is named, and a port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = started_hocket("debug", SKETCH, "--board", board, "--server", str(port))
    try:
        assert server.stderr is not None
        said = next(line for line in server.stderr if line.startswith("hocket: there: "))
        command = re.fullmatch(r"hocket: there: (\S+) -x (\S+) -ex '(.+)'\n", said)
        assert command is not None
        gdb = [command[1], "-q", "-batch", "-x", command[2]]
        gdb += ["-ex", "set tcp connect-timeout 30", "-ex", command[3]]
        gdb += ["-ex", f"break steps.ino:{ADDED}", "-ex", "continue", "-ex", "print total"]
        done = subprocess.run(
            gdb, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
        )
        assert "$1 = 10" in done.stdout, done.stdout + done.stderr
        until = time.monotonic() + 60
        while server.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        assert server.poll() is not None  # gdb has gone, and so has the board
    finally:
        server.kill()
        server.communicate()
