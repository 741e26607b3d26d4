"""How runs on the simulated board end: at the instant of what ends them, and with a sentence about the
sketch where it is at fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.sketches import Outcome, kept, start

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.sketch.folder import find_sketch

# 17 bytes at 9600 baud, of which the last is looked for; then nothing calls a device any more.
LAST_WORDS = """
void setup() { Serial.begin(9600); }
void loop(1, 10, 100) { delay(50); Serial.print("0123456789abcdefX"); for (;;) delay(100000); }
"""
BYTES, BYTE_US = 17, 10e6 / 9600
# The loops are released 1 ms after setup(); some microseconds are the calls' own.
SENT_US = 1_000 + 50_000 + BYTES * BYTE_US


def run(text: str, tmp_path: Path, seconds: float, *options: str, cores: int = 1) -> Outcome:
    image = build_sketch(find_sketch(str(kept("ends", text))), find_board("sim"))
    return start(image, seconds, tmp_path / "facts.json", cores, options=options)


@one_in(5)
@pytest.mark.parametrize("cores", [1, 3])
@pytest.mark.parametrize(
    ("options", "status", "end", "bytes_more"),
    [
        (("--expect-text", "X"), 0, "expected", 0),
        (("--expect-text", "9a", "--expect-text", "X"), 0, "expected", 0),
        (("--fail-text", "X"), 1, "failed", 0),
        (("--expect-text", "X", "--fail-text", "efX"), 1, "failed", 0),
        (("--fail-text", "abc"), 1, "failed", -4),
        (("--serial-limit", "16"), 2, "serial limit", 0),
    ],
)
def test_a_text_ends_the_run_when_it_has_been_sent(
    options: tuple[str, ...], status: int, end: str, bytes_more: int, cores: int, tmp_path: Path
) -> None:
    """However long the run goes on without a device being asked."""
    for seconds in (0.07, 30):
        done = run(LAST_WORDS, tmp_path, seconds, *options, cores=cores)
        assert (done.status, done.report["end"]) == (status, end), done.errors
        expected = SENT_US + bytes_more * BYTE_US
        assert expected <= done.report["duration_us"] <= expected + 20
        assert "defect" not in done.errors


def test_what_was_not_sent_ends_nothing(tmp_path: Path) -> None:
    """The time is over while the text is on its way."""
    done = run(LAST_WORDS, tmp_path, (SENT_US - BYTE_US / 2) / 1e6, "--expect-text", "X")
    assert (done.status, done.report["end"]) == (42, "time")
    assert done.said == "0123456789abcdef"


def test_a_run_is_the_same_up_to_where_a_text_ends_it(tmp_path: Path) -> None:
    """Looking out for a text changes nothing before it comes."""
    busy = """
    void setup() { Serial.begin(115200); }
    void loop(1, 20, 100) { Serial.println(micros()); delay(7); }
    void loop(2, 20, 100) { Serial.println(micros()); delay(11); }
    """
    free = run(busy, tmp_path, 1, cores=2).said
    for text in ("\n9", "7\r\n", "55"):
        ended = run(busy, tmp_path, 1, "--expect-text", text, cores=2).said
        assert ended.endswith(text) and free.startswith(ended)


GLOBAL = "struct Early { Early() { @ } } early;\nvoid setup() {}\nvoid loop(1, 10, 100) {}\n"
SETUP = "void setup() { @ }\nvoid loop(1, 10, 100) {}\n"
NULL = "*(volatile int*)16 = 1;"


@one_in(7)
@pytest.mark.parametrize("where", [GLOBAL, SETUP], ids=["constructor", "setup"])
@pytest.mark.parametrize(
    ("does", "kind", "text"),
    [
        (NULL, "bad access", ""),
        ("abort();", "abort", ""),
        ("_exit(0);", "call", "called _exit()"),
        ("_Exit(0);", "call", "called _Exit()"),
        ("quick_exit(0);", "call", "called quick_exit()"),
        ("exit(0);", "call", "called exit()"),
        ("raise(SIGKILL);", "call", "called raise()"),
        ("raise(SIGTERM);", "call", "called raise()"),
        ("raise(SIGSEGV);", "call", "called raise()"),
        ("kill(getpid(), SIGKILL);", "call", "called kill()"),
        ("pthread_kill(pthread_self(), SIGTERM);", "call", "called pthread_kill()"),
        ("pthread_sigqueue(pthread_self(), SIGSEGV, {});", "signal", "sent itself a signal"),
        ('asm volatile("1: jmp 1b");', "endless", "computes without end"),
    ],
)
def test_before_the_loops_a_fault_is_the_sketchs(
    where: str, does: str, kind: str, text: str, tmp_path: Path
) -> None:
    """In the constructor of a global object as well, which runs before setup()."""
    headers = ("pthread", "signal", "stdlib", "unistd")
    head = "".join(f"#include <{header}.h>\n" for header in headers)
    done = run(head + where.replace("@", does), tmp_path, 1)
    assert (done.status, done.report["end"]) == (1, "fault"), done.errors
    (fault,) = done.report["faults"]
    assert fault["kind"] == kind
    assert fault["text"].startswith(text)
    # Else it is the C library's own place.
    assert kind in ("abort", "signal") or "ends.ino:" in fault["text"]
    assert (fault["address"] is not None) == (kind == "bad access")
    assert "defect" not in done.errors


@one_in(3)
@pytest.mark.parametrize("does", ["raise(SIGKILL);", "raise(SIGTERM);", "raise(SIGSEGV);"])
def test_a_loop_that_raises_a_signal_stops_alone(does: str, tmp_path: Path) -> None:
    text = "#include <signal.h>\nvoid setup() {}\n"
    text += (
        f"void loop(1, 10, 100) {{ delay(20); {does} }}\nvoid loop(2, 10, 100) {{ delay(10); }}\n"
    )
    done = run(text, tmp_path, 1)
    assert (done.status, done.report["end"]) == (1, "time"), done.errors
    (fault,) = done.report["faults"]
    assert (fault["loop"], fault["kind"]) == (1, "call")
    assert fault["text"].startswith("called raise()")
    assert fault["address"] is None
    assert done.report["loops"][1]["iterations"] > 90


def test_a_constructor_without_end_is_setups_time(tmp_path: Path) -> None:
    done = run(GLOBAL.replace("@", "for (;;);"), tmp_path, 1)
    assert (done.status, done.report["end"]) == (2, "setup")
    assert "Constructors of global objects" in done.report["notices"][0]


def test_constructors_run_once_in_their_order_and_may_call_the_board(tmp_path: Path) -> None:
    text = """
    struct Says { Says(const char* text) { Serial.begin(115200); Serial.print(text); delay(1); } };
    Says last("c");
    __attribute__((init_priority(200))) Says second("b");
    __attribute__((init_priority(150))) Says first("a");
    Says after("d");
    void setup() { Serial.print("s"); }
    void loop(1, 10, 100) { Serial.print("l"); delay(10000); }
    """
    assert run(text, tmp_path, 0.1).said == "abcdsl"


@long_form
def test_machine_code_without_end_stops_its_loop_only(tmp_path: Path) -> None:
    text = """
    void setup() { Serial.begin(115200); }
    void loop(1, 10, 100) { delay(100); asm volatile("1: jmp 1b"); }
    void loop(2, 10, 100) { Serial.print("."); delay(100); }
    """
    done = run(text, tmp_path, 1)
    assert done.status == 1
    assert done.faults[1]["kind"] == "endless" and "ends.ino:3" in done.faults[1]["text"]
    assert done.said == "." * 10 and done.loop(2)["deadline_misses"] == 0


def test_long_work_of_the_machine_is_no_fault(tmp_path: Path) -> None:
    """Far more time passes between two blocks of the sketch than a hang is given: nobody runs for a year."""
    text = "void setup() {}\nvoid loop(1, 1, 100) { delay(4000000000); }\n"
    done = run(text, tmp_path, 10_000_000)
    assert done.status == 0, done.errors
