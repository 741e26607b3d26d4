"""Alarms, semaphores and threads in whole sketches: on their instants, within their budgets, admitted."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.campaign import except_virt

from hocket.running.programs import board_program

Report = dict[str, Any]
Run = Callable[..., tuple[int, str, Report]]

BOARDS = pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
ALARMS = 255

# Two loops use up all that they have; every 3 ms the handler notes how late it is.
BESIDE_SPINNERS = """#include <TimeServices.h>
Chronometer chron;
Microsecond worst;
unsigned events;
void note() {
  Microsecond late = chron.read() - ++events * 3000;
  if (late > worst) worst = late;
}
Handler_Function handler(&note);
void setup() {
  Serial.begin(115200);
  chron.start();
  static Alarm alarm(3000, &handler, Alarm::INFINITE);
}
void loop(1, 20, 50) { for (;;) {} }
void loop(2, 20, 100) { for (;;) {} }
void loop(3, 1, 100) {
  delay(400);
  Serial.println(events);
  Serial.println((unsigned long)worst);
}
"""


@BOARDS
def test_an_alarm_keeps_its_instants_beside_loops_that_spin(
    run: Run, broken: Callable[..., list[str]], board: str
) -> None:
    status, said, report = run("alarm-spin", 0.7, BESIDE_SPINNERS, board=board)
    assert status == 0
    events, worst = (int(line) for line in said.split())
    assert 130 <= events <= 142
    bound = next(loop for loop in report["loops"] if loop["id"] == ALARMS)["response_bound_us"]
    assert 0 <= worst <= bound < 2_000
    assert broken(report, spinning={1, 2}) == []


# The service loops of what is made here are on whichever core has room: beside loop 1 none has.
GLOBALS = """#include <TimeServices.h>
unsigned events, passes;
Handler_Function handler([] { ++events; });
Alarm alarm(3000, &handler, Alarm::INFINITE);
Thread* made;
int help() { ++passes; return 0; }
struct Maker { Maker() { made = new Thread(&help); } } maker;
void setup() {
  Serial.begin(115200);
  for (unsigned id = 0; id < 256; ++id) hocket::sys::unpark(id);
}
void loop(1, 95, 100) { delay(50); Serial.println(events > 5 && passes == 1); }
"""


@BOARDS
def test_global_objects_may_wake_loops_of_cores_that_have_just_begun(run: Run, board: str) -> None:
    """Global objects and setup() run as soon as core 0 does: all loops are there by then."""
    status, said, report = run("global-alarm", 0.3, GLOBALS, cores=2, board=board)
    assert (status, report["end"]) == (0, "time")
    assert {loop["core"] for loop in report["loops"]} == {0, 1}
    assert "1" in said.split()


# Loop 2 gives loop 1 its permit while that waits for a semaphore: for a time, until it is given, and
# together with what it waits for, before loop 1 has run again.
PERMITS = """#include <TimeServices.h>
int count;
volatile int step;
void say(bool permit) { Serial.println(permit ? "has it" : "has lost it"); }
bool park() { return hocket::sys::park_until_ns(hocket::sys::now_ns() + 1000000); }
void setup() { Serial.begin(115200); }
void loop(1, 10, 100) {
  park();
  for (int i = 0; i < 5; ++i) {
    step = 1;
    const uint64_t until = hocket::sys::now_ns() + (i == 0 ? 100000000 : 1000000000);
    Serial.println(hocket::sys::semaphore_take(&count, until) ? "was given" : "was not");
    if (i == 4) delay(10);
    say(park());
    say(park());
  }
  delay(10000);
}
void loop(2, 10, 50) {
  static int times;
  while (step == 0) delay(1);
  step = 0;
  ++times;
  delay(20);
  if (times == 3) hocket::sys::semaphore_give(&count);
  if (times <= 4) hocket::sys::unpark(1);
  if (times == 2) delay(20);
  if (times != 1 && times != 3) hocket::sys::semaphore_give(&count);
}
"""


@pytest.mark.parametrize("cores", [1, 2])
@BOARDS
def test_a_timed_wait_leaves_a_loop_its_permit(run: Run, board: str, cores: int) -> None:
    status, said, _ = run("permits", 1.2, PERMITS, board=board, cores=cores)
    assert status == 0
    with_permit = ["has it", "has lost it"]
    assert said.splitlines() == [
        "was not", *with_permit,  # its time is over
        "was given", *with_permit,  # 20 ms after the permit
        "was given", *with_permit,  # just before it
        "was given", *with_permit,  # just after it
        "was given", "has lost it", "has lost it",  # no permit at all
    ]  # fmt: skip


# A handler of 20 ms beside many alarms that come and go, made and cancelled by a loop.
MANY = """#include <TimeServices.h>
constexpr int kMany = 800;
alignas(Alarm) char room[kMany][sizeof(Alarm)];
unsigned calls, others;
Handler_Function every([] { ++calls; });
Handler_Function other([] { ++others; });
Alarm* make(int i) {
  return new (room[i]) Alarm(300000 + i % 97 * 1000, &other, Alarm::INFINITE);
}
void setup() {
  Serial.begin(115200);
  for (int i = 0; i < kMany; ++i) make(i);
  static Alarm alarm(20000, &every, Alarm::INFINITE);
}
void loop(1, 2, 20) {
  static int i;
  reinterpret_cast<Alarm*>(room[i])->~Alarm();
  make(i);
  i = (i + 7) % kMany;
  delay(2);
}
void loop(2, 1, 100) {
  delay(1980);
  Serial.println(calls);
  Serial.println(others);
}
"""


@BOARDS
def test_however_many_alarms_there_are_all_are_called(
    run: Run, broken: Callable[..., list[str]], board: str
) -> None:
    """What holds the lock for long delays all that need it, and who holds it loses its ceiling."""
    status, said, report = run("alarm-many", 2.1, MANY, board=board)
    assert status == 0
    calls, others = (int(line) for line in said.split())
    assert 97 <= calls <= 99
    assert others >= 3000
    assert broken(report, spinning=set()) == []


STORM = """#include <TimeServices.h>
volatile unsigned long storms;
unsigned others;
Handler_Function storm([] { storms = storms + 1; });
Handler_Function other([] { others++; });
void setup() {
  Serial.begin(115200);
  static Alarm endless(0, &storm, Alarm::INFINITE);
  static Alarm calm(20000, &other, Alarm::INFINITE);
}
void loop(1, 80, 100) { for (;;) {} }
void loop(2, 1, 50) {
  delay(490);
  Serial.println(storms > 1000);
  Serial.println(others);
}
"""


def test_a_storm_of_events_costs_others_nothing(run: Run, broken: Callable[..., list[str]]) -> None:
    status, said, report = run("alarm-storm", 1, STORM)
    assert status == 0
    assert said.split()[:2] == ["1", "24"], "the calm alarm is not starved by the other one"
    assert broken(report, spinning={1, ALARMS}) == []
    assert report["loops"][-1]["budget_exhausted"] >= 90


CANCELLED = """#include <TimeServices.h>
unsigned three, five;
void count();
Handler_Function count_three(&count);
Handler_Function count_five([] { five++; });
Alarm alarm_three(10000, &count_three, Alarm::INFINITE);  // made before the board runs
void count() {
  if (++three == 3) alarm_three.cancel();
}
void setup() {
  Serial.begin(115200);
  static Alarm alarm_five(10000, &count_five, 5);
}
void loop(1, 5, 100) {
  delay(300);
  Serial.println(three);
  Serial.println(five);
}
"""


@BOARDS
def test_alarms_end_by_themselves_and_in_their_handlers(run: Run, board: str) -> None:
    status, said, _ = run("alarm-cancelled", 0.35, CANCELLED, board=board)
    assert (status, said.split()) == (0, ["3", "5"])


# Loop 1 of core 0 and loop 2 of core 1 take turns; loop 3 waits for the alarm's semaphore.
SEMAPHORES = """#include <TimeServices.h>
Semaphore ping(0), pong(0), events(0);
Handler_Semaphore handler(&events);
unsigned rounds, handled;
void setup() {
  Serial.begin(115200);
  static Alarm alarm(5000, &handler, 40);
}
void loop(1, 20, 100, onCore(0)) { ping.v(); pong.p(); rounds++; }
void loop(2, 20, 100, onCore(1)) { ping.p(); pong.v(); }
void loop(3, 5, 50, onCore(1)) { events.p(); handled++; }
void loop(4, 1, 100) {
  delay(300);
  Serial.println(rounds > 200);
  Serial.println(handled);
  Serial.println(events.p(1000));
}
"""


@BOARDS
def test_semaphores_work_across_cores(
    run: Run, broken: Callable[..., list[str]], board: str
) -> None:
    status, said, report = run("semaphores", 0.35, SEMAPHORES, cores=2, board=board)
    assert (status, said.split()) == (0, ["1", "40", "0"])
    if board == "sim":
        assert broken(report) == []


THREADS = """#define HOCKET_THREADS 2
#include <TimeServices.h>
unsigned resumed;
int work() { delay(20); return 7; }
int follow() {
  for (;;) { resumed++; Thread::self()->suspend(); }
}
void setup() { Serial.begin(115200); }
void loop(1, 10, 100) {
  Thread follower(&follow, Thread::SUSPENDED);
  Handler_Thread handler(&follower);
  Alarm alarm(10000, &handler, 4);
  for (int i = 0; i < 3; i++) {
    Thread *worker = new Thread(&work);
    Serial.println(worker->join());
    delete worker;
  }
  Serial.println(resumed);
  MORE
  delay(10000);
}
"""


@BOARDS
def test_threads_run_in_worker_loops(run: Run, board: str) -> None:
    text = THREADS.replace("MORE", "")
    status, said, report = run("threads", 0.3, text, board=board)
    assert (status, said.split()) == (0, ["7", "7", "7", "4"])
    loops = {loop["id"]: loop for loop in report["loops"]}
    assert sorted(loops) == [1, 252, 253, 255]
    assert loops[253]["budget_us"] == loops[252]["budget_us"] == 20_000


@BOARDS
def test_threads_alarms_and_handlers_have_loops_of_different_numbers(run: Run, board: str) -> None:
    """As many threads as there can be, beside attachInterrupt() and its I/O virtual CPU."""
    text = THREADS.replace("HOCKET_THREADS 2", "HOCKET_THREADS 32").replace("MORE", "")
    text = text.replace("115200);", "115200); attachInterrupt(2, [] {}, RISING);")
    status, said, report = run("handlers", 0.3, text, board=board)
    assert (status, said.split()) == (0, ["7", "7", "7", "4"])
    numbers = [loop["id"] for loop in report["loops"]]
    assert {*range(222, 256)} < set(numbers)
    assert len(numbers) == len(set(numbers))


@BOARDS
def test_one_thread_too_many_is_a_fault_with_its_place(run: Run, board: str) -> None:
    text = THREADS.replace("MORE", "Thread a(&work); Thread b(&work);")
    status, _, report = run("thread-too-many", 0.3, text, board=board)
    (fault,) = report["faults"]
    assert (status, fault["loop"]) == (1, 1)
    assert "made more threads at a time than HOCKET_THREADS says" in fault["text"]


UNUSED = """#include <TimeServices.h>
Semaphore semaphore(0);
Clock clock_;
void setup() {
  Serial.begin(115200);
  clock_.now(1760000000);
}
void loop(1, 10, 100) {
  semaphore.p(1500000);
  Serial.println((unsigned long)clock_.now());
}
"""


@BOARDS
def test_what_is_not_used_is_not_there(run: Run, board: str) -> None:
    """Neither the alarms' loop nor one for threads; semaphores wait for a time without them."""
    status, said, report = run("services-unused", 3.2, UNUSED, board=board)
    assert (status, said.split()) == (0, ["1760000001", "1760000003"])
    assert [loop["id"] for loop in report["loops"]] == [1]


def test_the_alarms_loop_is_admitted_like_all_others(image: Callable[..., Any], run: Run) -> None:
    own = BESIDE_SPINNERS.replace("#include", "#define HOCKET_ALARM_LOOP 9, 30, 60\n#include", 1)
    import subprocess

    program = [str(word) for word in board_program(image("alarm-refused", own), 1)]
    done = subprocess.run([*program, "--for", "1"], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert re.search(r"loop 9 asks for 30 ms in every 60 ms|loop \d asks", done.stderr)
    fits = own.replace("9, 30, 60", "9, 2ms, 20ms, stackBytes(8192)")
    _, _, report = run("alarm-own-loop", 0.1, fits)
    (loop,) = [loop for loop in report["loops"] if loop["id"] == 9]
    assert (loop["budget_us"], loop["period_us"], loop["stack_size"]) == (2_000, 20_000, 8192)
