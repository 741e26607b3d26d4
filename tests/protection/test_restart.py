"""What becomes of a sketch after a fault on virt, as HOCKET_ON_FAULT() asks, on one core and on several."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.campaign import long_form, one_in
from tests.sketches import Run

from hocket.trace.eventlog import EventKind, read_log

# Loop 1 faults 50 ms after each start of the sketch; the others say that they live, on their cores.
SKETCH = """#include <Hocket.h>
#include <errno.h>
{policy}
uint32_t counted = 1000;
uint32_t zeroed[1000];
thread_local uint32_t own = 7;
struct Object {{ uint32_t value; Object() : value(31) {{}} }} object;
void setup() {{
  Serial.begin(115200);
  char *last = new char[1 << 20];
  char text[100];
  uint32_t sum = 0;
  for (uint32_t x : zeroed) sum += x;
  snprintf(text, sizeof text, "start %lu: %lu %lu %lu %lu %d %p %d", (unsigned long)millis(),
           (unsigned long)counted, (unsigned long)sum, (unsigned long)own, (unsigned long)object.value,
           errno, (void*)last, digitalRead(5));
  Serial.println(text);
  counted = 5; own = 8; object.value = 9; errno = 3;
  for (uint32_t &x : zeroed) x = 1;
  memset(last, 0x5a, 1 << 20);
  pinMode(5, OUTPUT);
  digitalWrite(5, HIGH);
}}
void loop(1, 1, 10) {{ delay(50); *(volatile int*)16 = 1; }}
void loop(2, 1, 10) {{ Serial.print("alive "); Serial.println((unsigned long)own); own = 8; delay(20); }}
void loop(3, 1, 10) {{ delay(3); }}
void loop(4, 1, 10) {{ for (volatile int i = 0; ; i++) {{}} }}
void periodic(5, 100us, 1ms) {{ }}
"""
POLICIES = {
    name: f"HOCKET_ON_FAULT({name})" for name in ("StopLoop", "StopSketch", "RestartSketch")
}
MOST_RESTARTS = 16

# On each core a loop that faults; all at the same instant, again and again.
TOGETHER = """#include <Hocket.h>
HOCKET_ON_FAULT(RestartSketch)
Spinlock lock;
void setup() {{ Serial.begin(115200); Serial.println("start"); }}
void wrong() {{ delay(10); spinlockLock(lock); spinlockUnlock(lock); *(volatile int*)16 = 1; }}
{loops}
"""

cores_1_and_4 = pytest.mark.parametrize("cores", [1, 4])


@one_in(5)
@cores_1_and_4
@pytest.mark.parametrize("policy", ["", POLICIES["StopLoop"]])
def test_the_loop_alone_stops(run_virt: Run, policy: str, cores: int) -> None:
    name = "stop-loop" if policy else "no-policy"
    outcome = run_virt(name, 0.5, SKETCH.format(policy=policy), cores=cores)
    assert (outcome.status, outcome.report["end"]) == (1, "time")
    assert set(outcome.faults) == {1}
    assert outcome.said.count("alive") >= 20
    assert outcome.broken_bounds([2, 3, 5]) == []


@one_in(2)
@cores_1_and_4
def test_the_sketch_stops(run_virt: Run, cores: int) -> None:
    text = SKETCH.format(policy=POLICIES["StopSketch"])
    outcome = run_virt("stop-sketch", 0.5, text, cores=cores)
    assert (outcome.status, outcome.report["end"]) == (1, "fault")
    assert set(outcome.faults) == {1}
    assert 50_000 <= outcome.report["duration_us"] < 70_000


@one_in(4)
@pytest.mark.parametrize(("board", "cores"), [("virt", 1), ("virt", 4), ("virt", 8), ("rpi3", 2)])
def test_the_sketch_begins_anew(run_virt: Run, board: str, cores: int) -> None:
    """Variables, heap and thread-local storage are new; time and pins go on; every fault is kept."""
    text = SKETCH.format(policy=POLICIES["RestartSketch"])
    outcome = run_virt("restart", 0.4, text, cores=cores, board=board)
    assert (outcome.status, outcome.report["end"]) == (1, "time")
    starts = [line for line in outcome.said.splitlines() if line.startswith("start")]
    restarts = len(starts) - 1
    assert restarts >= 5
    instants = [int(line.split()[1].rstrip(":")) for line in starts]
    assert all(45 < b - a < 90 for a, b in pairwise(instants)), instants
    values = [line.split(": ")[1].rsplit(" ", 1) for line in starts]
    assert values[0][0].startswith("1000 0 7 31 0 ")
    assert len({memory for memory, _ in values}) == 1, starts
    assert [level for _, level in values] == ["0"] + ["1"] * restarts, "a pin keeps its level"
    faults = outcome.report["faults"]
    assert [fault["loop"] for fault in faults] == [1] * restarts
    line = 1 + text[: text.index("*(volatile")].count("\n")
    place = f"restart/restart.ino:{line}, in loop 1"
    assert {fault["text"] for fault in faults} == {f"bad access ({place})"}
    assert f"the sketch was started again {restarts} times after a fault" in " ".join(
        outcome.report["notices"]
    )
    own = [line.split()[1] for line in outcome.said.splitlines() if line.startswith("alive")]
    assert own.count("7") == restarts + 1


@one_in(2)
@cores_1_and_4
def test_the_loops_keep_their_guarantees_after_a_restart(run_virt: Run, cores: int) -> None:
    text = SKETCH.format(policy=POLICIES["RestartSketch"])
    outcome = run_virt("restart", 0.42, text, cores=cores)
    assert outcome.broken_bounds([2, 3, 4, 5]) == []
    periodic = outcome.loop(5)  # since the last start of the sketch
    assert periodic["iterations"] >= periodic["releases"] - 1 >= 10
    assert outcome.loop(4)["budget_exhausted"] > 0


@long_form
@cores_1_and_4
def test_after_sixteen_restarts_the_loop_stops(run_virt: Run, cores: int) -> None:
    text = SKETCH.format(policy=POLICIES["RestartSketch"])
    outcome = run_virt("restart", 2, text, cores=cores)
    assert (outcome.status, outcome.report["end"]) == (1, "time")
    starts = outcome.said.count("start")
    assert starts == MOST_RESTARTS + 1
    assert len(outcome.report["faults"]) == MOST_RESTARTS + 1
    whole, _ = outcome.said.rsplit("\n", 1)  # the run may end in the middle of a line
    assert whole.splitlines()[-1] == "alive 8", "the others go on"
    assert outcome.report["duration_us"] == 2_000_000


@one_in(2)
@cores_1_and_4
def test_a_fault_in_setup_is_the_end_whatever_the_policy(run_virt: Run, cores: int) -> None:
    text = "#include <Hocket.h>\nHOCKET_ON_FAULT(RestartSketch)\n"
    text += "void setup() { delay(5); *(volatile int*)16 = 1; }\nvoid loop(1, 1, 10) {}\n"
    outcome = run_virt("setup-fault", 1, text, cores=cores)
    assert (outcome.status, outcome.report["end"]) == (1, "fault")
    assert [fault["loop"] for fault in outcome.report["faults"]] == [None]
    assert outcome.report["duration_us"] < 10_000


@one_in(5)
@pytest.mark.parametrize("cores", [4, 8])
@pytest.mark.parametrize("options", [(), ("--no-icount",)], ids=["counted", "free"])
def test_all_cores_may_fault_at_the_same_time(
    run_virt: Run, cores: int, options: tuple[str, ...]
) -> None:
    """…and ask for a restart, while another one is under way; at last all of them have stopped."""
    loops = "\n".join(
        f"void loop({8 * core + n + 1}, 1, 20, onCore({core})) {{ wrong(); }}"
        for core in range(cores)
        for n in range(2)
    )
    text = TOGETHER.format(loops=loops)
    # Without the instruction clock these are seconds of the host, which may be busy.
    outcome = run_virt(
        f"together-{cores}", 60 if options else 5, text, cores=cores, options=options
    )
    assert (outcome.status, outcome.report["end"]) == (1, "fault")
    assert outcome.said.count("start") == MOST_RESTARTS + 1
    faults = outcome.report["faults"]
    assert MOST_RESTARTS + 2 * cores <= len(faults) <= MOST_RESTARTS * cores + 2 * cores
    assert {fault["kind"] for fault in faults} == {"bad access"}


@one_in(6)
@pytest.mark.parametrize("milliseconds", range(10, 22))
def test_a_run_may_end_while_a_restart_begins(run_virt: Run, milliseconds: int) -> None:
    """The end is asked for by core 0 while others ask for a restart, at about the same instant."""
    loops = "\n".join(f"void loop({c + 1}, 1, 20, onCore({c})) {{ wrong(); }}" for c in range(4))
    text = TOGETHER.format(loops=loops)
    outcome = run_virt("ending", milliseconds / 1000 + 0.0013, text, cores=4)
    assert outcome.report["end"] in ("time", "fault", "setup")


@long_form
def test_the_event_log_survives_restarts(
    run_virt: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    log = tmp_path_factory.mktemp("log") / "log.hklog"
    text = SKETCH.format(policy=POLICIES["RestartSketch"])
    run_virt("restart", 0.2, text, cores=4, options=("--log", str(log)))
    events = read_log(log).events
    faults = [event for event in events if event.kind == EventKind.FAULT]
    assert len(faults) >= 3
    for fault in faults:
        assert sum(abs(e.time_ns - fault.time_ns) < 10_000_000 for e in events) > 20
