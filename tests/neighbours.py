"""Random sketches: victims that count their own useful work, beside neighbours as hostile as can be.

A sketch follows from a board, its declared costs and a number alone. `python -m tests.neighbours sim 17`
(with PYTHONPATH=.:tools) prints that of number 17, runs it and judges it, as the campaign does
(tests/system/test_random_neighbours.py).

A victim's units of work are instructions of its own, and how long one takes is measured by a victim that is
alone; neither is the kernel's account. What is asked of a victim:

  spins     It always has work: k·C of it by k·T after its release, for every k, and in any k periods in
            sequence, which contain (k − 1)·T and a response, (k − 1)·C − O − w.
  periodic  It does C of work in every period: done at the latest one response bound after each release.

Left out are those whose effect is in no account yet: on the Uno, what keeps devices busy (docs/guide/uno.md).
"""

from __future__ import annotations

import math
import random
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.sketches import kept, start
from tests.targets import sim_with

from hocket.boards import find_board
from hocket.builder import Toolchain, build_sketch, prepare_board
from hocket.sketch.folder import find_sketch

Report = dict[str, Any]


@dataclass(frozen=True)
class Board:
    """What a board's sketches are drawn from. Times in microseconds.

    released   from setup()'s end to the common release; None: not known to the microsecond
    calls      a victim's own calls in a period, which are part of its C, at most
    grain      the steps in which its micros() counts
    """

    name: str
    seconds: float
    most_cores: int
    most_loops: int
    periods: tuple[int, ...]  # of neighbours
    victims_periods: tuple[int, ...]
    longest_lock: int  # for each core
    released: int | None
    tellers_budget: int
    calls: int
    grain: int
    serial: bool
    options: str = ""


BOARDS = {
    "sim": Board(
        name="sim",
        seconds=0.6,
        most_cores=4,
        most_loops=7,
        periods=(300, 500, 1000, 2000, 5000, 10_000, 20_000),
        victims_periods=(4000, 7000, 10_000, 20_000, 30_000),
        longest_lock=50,
        released=1000,
        tellers_budget=500,
        calls=8,
        grain=1,
        serial=True,
    ),
    "virt": Board(
        name="virt",
        seconds=0.12,
        most_cores=1,
        most_loops=6,
        periods=(100, 200, 500, 1000, 2000, 5000),
        victims_periods=(1000, 2000, 5000, 8000),
        longest_lock=50,
        released=1000,
        tellers_budget=200,
        calls=3,
        grain=1,
        serial=True,
    ),
    "uno": Board(
        name="uno",
        seconds=1.5,
        most_cores=1,
        most_loops=4,
        periods=(5000, 8000, 10_000, 20_000, 50_000),
        victims_periods=(20_000, 50_000, 70_000, 100_000),
        longest_lock=300,
        released=None,
        tellers_budget=5000,
        calls=250,
        grain=8,
        serial=False,
        options=", stackBytes(200)",
    ),
}

ALARMS = 255  # the alarms' loop
# Parts of a run: in which victims are judged, and after which nobody prints but who tells what they found.
JUDGED, QUIET = 0.85, 0.88

HEAD = """\
#include <TimeServices.h>
volatile unsigned long sink;
[[gnu::noinline]] static void work(unsigned long units) { while (units-- > 0) sink = sink + 1; }
unsigned long set_up;

// One that always has work. `least`: how much more than its budgets it has had at a period's end, at least.
struct Spinner {
  unsigned long boundary, rounds, before[3], periods;  // before[k]: rounds at the boundary k + 1 ago
  long need, least;
  unsigned long fewest[3];  // rounds in one, two, three periods in sequence
};
// rounds: in a period, 256 times. True: all its periods are over.
[[gnu::noinline]] static bool spin(Spinner& v, unsigned long units, unsigned long period, long rounds,
                                   unsigned long all) {
  work(units);
  ++v.rounds;
  unsigned long now = micros();
  while ((long)(now - v.boundary) >= 0) {
    v.boundary += period;
    v.need += rounds;
    long more = (long)(v.rounds * 256) - v.need;
    if (more < v.least) v.least = more;
    for (unsigned char k = 0; k < 3; ++k) {
      unsigned long had = v.rounds - v.before[k];
      if (v.periods >= k && had < v.fewest[k]) v.fewest[k] = had;
    }
    v.before[2] = v.before[1];
    v.before[1] = v.before[0];
    v.before[0] = v.rounds;
    if (++v.periods == all) return true;
  }
  return false;
}
// What the victims have found; told when all their periods are over, and nobody else is to print.
struct Found { int victim; long numbers[3]; } found[2];
static void note(int which, int victim, long a, long b, long c) { found[which] = {victim, {a, b, c}}; }
static void tell() {
  for (const Found& one : found) {
    if (one.victim == 0) continue;
    Serial.print("\\nvictim "); Serial.print(one.victim);
    for (long number : one.numbers) { Serial.print(" "); Serial.print(number); }
    Serial.println(" told");
  }
}
"""


@dataclass(frozen=True)
class Measured:
    """What a victim's work takes when it is alone: a unit, a round without one. And the board's account:
    J, M, w, O without locks, the smallest budget. All in microseconds."""

    unit: float = 1
    round: float = 1
    lateness: float = 0
    masked: float = 0
    activation: float = 0
    overrun: float = 0
    smallest: int = 1

    def units(self, microseconds: float) -> int:
        return max(1, int(microseconds / self.unit))


# Rounds of the two sizes, in one budget.
ROUNDS = {"sim": (400, 4000), "virt": (2000, 20_000), "uno": (40, 400)}
COUNT = 32


def speed_sketch(board: Board) -> str:
    """A victim alone: how long its rounds take."""
    text = HEAD + "void setup() { Serial.begin(115200); }\n"
    text += f"void loop(1, 90, 100{board.options}) {{\n"
    for units in ROUNDS[board.name]:
        text += (
            "  {\n    static Spinner v;\n    v = {};\n    v.boundary = micros() + 2000000000UL;\n"
            "    unsigned long begin = micros();\n"
            f"    for (int i = 0; i < {COUNT}; ++i) spin(v, {units}UL, 1000, 0, 1000);\n"
            "    unsigned long end = micros();\n"
            '    Serial.print("took "); Serial.println(end - begin);\n    delay(1);\n  }\n'
        )
    return text + "  delay(10000);\n}\n"


def measured(board: Board, said: str, report: Report) -> Measured:
    few, many = (int(n) / COUNT for n in re.findall(r"took (\d+)", said)[:2])
    less, more = ROUNDS[board.name]
    unit = (many - few) / (more - less)
    costs, w = report["overheads"], report["losses"]["each_wake_up_us"]
    late, masked = costs["timer_lateness_us"], costs["longest_masked_us"]
    # Among several cores w has the interrupt from another one in it, and so has O.
    from_afar = w - 2 * (costs["interrupt_entry_us"] + costs["context_switch_us"])
    smallest = math.ceil(costs["smallest_budget_us"])
    return Measured(unit, few - less * unit, late, masked, w, late + masked + from_afar, smallest)


@dataclass
class Loop:
    """A loop of a sketch. Times in microseconds; `lock`: it holds a spinlock."""

    core: int
    budget: int
    period: int
    deadline: int = 0
    kind: str = "loop"
    body: str = ""
    number: int = 0

    def __post_init__(self) -> None:
        self.deadline = self.deadline or self.period

    def rank(self) -> tuple[int, int, int]:
        return self.deadline, self.budget, self.number


@dataclass
class Victim(Loop):
    spins: bool = True
    units: int = 0  # of a round, or of a call
    periods: int = 0  # that are judged


@dataclass
class Sketch:
    """With what it takes to repeat it."""

    board: Board
    number: int
    cores: int
    text: str
    victims: list[Victim] = field(default_factory=list)
    speed: Measured = field(default_factory=Measured)

    def again(self) -> str:
        return f"PYTHONPATH=.:tools python -m tests.neighbours {self.board.name} {self.number}"


# What neighbours do, for ever. {u}: units of work for up to its budget, mostly few; {n}: a distance in
# nanoseconds, {d}: in microseconds, both mostly short ones.
ALONE = {
    "naps": "Alarm::delay({d});",
    "naps shortly": "hocket::sys::sleep_until_ns(hocket::sys::now_ns() + {n});",
    "naps by the millisecond": "delay(1);",
    "works and naps": "work({u}); Alarm::delay({d});",
    "naps, then spins": (
        "static unsigned naps = 0; if (naps < 200) {{ ++naps; Alarm::delay({d}); }} else work({u});"
    ),
    "spins": "work({u});",
    "occupies": "delayMicroseconds({d});",
    "asks": "sink = micros();",
    "waits in vain": "static Semaphore none(0); none.p({d});",
    "parks": "hocket::sys::park_until_ns(hocket::sys::now_ns() + {n});",
    "wakes itself": "hocket::sys::unpark({self}); hocket::sys::park_until_ns(UINT64_MAX); work({u});",
    "locks": "spinlockLock(shared); work({h}); spinlockUnlock(shared);",
    "locks and naps": "spinlockLock(shared); work({h}); spinlockUnlock(shared); Alarm::delay({d});",
}
SERIAL = {
    "talks": 'if (over()) delay(1000); else Serial.print("x");',
    "prints": "if (over()) delay(1000); else Serial.println(micros()); Alarm::delay({d});",
}
OVERRUNS = "work({over});"
# Two of them: {a} and {b} are semaphores of the pair, {other} is the other one's number.
PAIRS = {
    "ping-pong": ("{a}.v(); {b}.p();", "{a}.p(); {b}.v();"),
    "waker": ("{a}.v(); work({u});", "{a}.p();"),
    "slow waker": ("{a}.v(); Alarm::delay({d});", "{a}.p(); work({u});"),
    "restless waker": ("{a}.v();", "{a}.p();"),
    "hasty": ("{a}.v(); Alarm::delay({d});", "{a}.p({d});"),
    "unparker": (
        "hocket::sys::unpark({other}); work({u});",
        "hocket::sys::park_until_ns(UINT64_MAX); work({u});",
    ),
    "lock": (
        "spinlockLock(shared); work({h}); spinlockUnlock(shared); Alarm::delay({d});",
        "spinlockLock(shared); work({h}); spinlockUnlock(shared); work({u});",
    ),
}


def bounds(loops: list[Loop], costs: Measured, lock: float) -> list[float] | None:
    """J + R of each by docs/reference/scheduling.md; None when one does not fit."""
    found = []
    w, over = costs.activation, costs.overrun + lock
    for loop in loops:
        above = [o for o in loops if o.core == loop.core and o.rank() < loop.rank()]
        alone = costs.masked + 2 * lock + loop.budget + w
        response = alone
        while True:
            waits = sum(
                math.ceil((response + costs.lateness) / o.period) * (o.budget + w) + over
                for o in above
            )
            if alone + waits + costs.lateness > loop.deadline:
                return None
            if alone + waits <= response:
                break
            response = alone + waits
        found.append(response + costs.lateness)
    return found


class Draw:
    """A random sketch of a board. `less`: by how much its victims ask for less, as it was refused."""

    def __init__(self, board: Board, number: int, speed: Measured, less: float = 1.0) -> None:
        self.board, self.number, self.speed, self.less = board, number, speed, less
        self.rng = random.Random(f"neighbours {board.name} {number}")
        most = self.rng.choice((1, 1, 1, 2, 2, 3, 4))
        self.cores = min(most, board.most_cores)
        self.loops: list[Loop] = []
        self.victims: list[Victim] = []
        self.head = ""
        self.alarm = self.rings = ""
        # The one that tells in the end; below all others.
        self.teller = Loop(0, board.tellers_budget, 1_000_000, number=250)

    def sketch(self) -> Sketch:
        self.neighbours()
        while not self.add_victims():
            gone = self.loops.pop(self.rng.randrange(len(self.loops)))
            if gone.number == ALARMS:
                self.alarm = self.rings = ""
        return Sketch(self.board, self.number, self.cores, self.text(), self.victims, self.speed)

    # --- Neighbours ---

    def neighbours(self) -> None:
        rng, board = self.rng, self.board
        room = board.most_loops - 1
        for core in range(
            1, self.cores
        ):  # they wake somebody of the victim's core, or lock him out
            self.pair(core, 0)
            room -= 1
        least = 0 if self.cores > 1 else 1
        for _ in range(rng.randint(least, max(least, min(3, room)))):
            if rng.random() < 0.4 and room > 1:
                self.pair(0, 0)
                room -= 2
            elif room > 0:
                self.single(0)
                room -= 1
        if room > 0 and rng.random() < 0.15 and board.serial:
            self.alarms()

    def contract(self, core: int) -> Loop:
        """A budget and a period; the share of all together is about a half."""
        rng, board = self.rng, self.board
        period = rng.choice(board.periods)
        share = rng.uniform(0.5, 0.9) if core != 0 else rng.choice((0.02, 0.1, 0.2, 0.35))
        budget = int(period * share * rng.uniform(0.5, 1))
        smallest, least = rng.random() < 0.1, self.speed.smallest
        return Loop(core, least if smallest else max(least, budget), period)

    def single(self, core: int) -> None:
        choice = ALONE | (SERIAL if self.board.serial else {})
        loop = self.contract(core)
        if self.rng.random() < 0.1:
            loop.kind, loop.body = "periodic", OVERRUNS
        else:
            loop.body = choice[self.rng.choice(list(choice))]
        self.add(loop)

    def pair(self, one: int, other: int) -> None:
        first, second = self.contract(one), self.contract(other)
        a, b = f"bell{len(self.loops)}", f"echo{len(self.loops)}"
        name = self.rng.choice(list(PAIRS))
        first.body, second.body = (body.replace("{a}", a).replace("{b}", b) for body in PAIRS[name])
        for semaphore in (a, b):
            if semaphore in first.body + second.body:
                self.head += f"Semaphore {semaphore}(0);\n"
        self.add(first)
        self.add(second)
        first.body = first.body.replace("{other}", str(second.number))
        second.body = second.body.replace("{other}", str(first.number))

    def alarms(self) -> None:
        """The alarms' loop is one of the core's, with handlers that do too much or too often."""
        loop = self.contract(0)
        loop.number = ALARMS
        interval = self.rng.choice((5, 50, 500, loop.period))
        self.alarm = f"#define HOCKET_ALARM_LOOP 255, {loop.budget}us, {loop.period}us, onCore(0)\n"
        self.rings = (
            f"void rings() {{ work({self.some_units(loop)}UL); }}\n"
            "Handler_Function rung(&rings);\n"
            f"void set_alarm() {{ static Alarm alarm({interval}, &rung, Alarm::INFINITE); }}\n"
        )
        loop.kind = "alarms"
        self.loops.append(loop)

    def add(self, loop: Loop) -> None:
        loop.number = self.next_number()
        self.loops.append(loop)

    def next_number(self) -> int:
        loops = (*self.loops, *self.victims)
        return 1 + max((loop.number for loop in loops if loop.number != ALARMS), default=0)

    def some_units(self, loop: Loop) -> int:
        most = self.rng.choice((0, 0, 5, loop.budget / 10, loop.budget, 3 * loop.budget))
        return self.speed.units(self.rng.uniform(0, most))

    def filled(self, loop: Loop) -> str:
        rng = self.rng
        near = rng.choice((1, 1, 2, 3, 5, 10, 30, 100, 300, 1000, max(1, loop.period // 3)))
        held = rng.choice((0.02, 0.2, 0.6)) * self.board.longest_lock
        return loop.body.format(
            u=f"{self.some_units(loop)}UL",
            over=f"{self.speed.units(rng.uniform(1, 4) * loop.budget)}UL",
            h=f"{self.speed.units(held)}UL",
            n=rng.choice((1, 100, 1000, 1000 * near)),
            d=near,
            self=loop.number,
        )

    # --- Victims ---

    @property
    def lock(self) -> float:
        """How long one may be held: there are locks in it, or the alarms'."""
        locks = any("spinlock" in loop.body for loop in self.loops) or self.alarm
        return self.board.longest_lock * self.cores if locks else 0

    def add_victims(self) -> bool:
        """The last one asks for all that is left, or nearly."""
        rng = self.rng
        self.victims = []
        cores = [0, 0, *range(self.cores)][: rng.choice((1, 1, 2))]
        for core in cores:
            period = rng.choice(self.board.victims_periods)
            deadline = period if rng.random() < 0.7 else int(period * rng.uniform(0.6, 1))
            victim = Victim(core, 0, period, deadline, spins=rng.random() < 0.5)
            victim.number = self.next_number()
            if victim.spins:
                victim.deadline = period
            if not self.ask(victim, rng.choice((1, 0.97, 0.6)) if core == cores[-1] else 0.3):
                return bool(self.victims)
            self.victims.append(victim)
        return True

    def ask(self, victim: Victim, part: float) -> bool:
        least = max(20 * self.board.calls, 2 * self.speed.smallest)
        low, high = least - 1, victim.deadline
        while low + 1 < high:
            victim.budget = (low + high) // 2
            loops = [*self.loops, *self.victims, victim, self.teller]
            fits = bounds(loops, self.speed, self.lock)
            low, high = (victim.budget, high) if fits else (low, victim.budget)
        victim.budget = max(least, int(low * part * self.less))
        return low >= least

    def victim_text(self, victim: Victim, head: str) -> str:
        """Its own calls are in its C."""
        board, period = self.board, victim.period
        own = victim.budget - board.calls
        which = self.victims.index(victim)
        victim.periods = int(JUDGED * board.seconds * 1e6 / period) - 1
        anchor = f"set_up + {board.released}" if board.released is not None else "micros()"
        if victim.spins:
            victim.units = self.speed.units(max(own / 40, 4 * self.speed.round))
            # A thousandth for what measuring a round may be wrong by.
            rounds = int(256 * 0.999 * own / self.round_us(victim))
            return (
                f"void loop{head} {{\n  static Spinner v;\n"
                f"  if (v.boundary == 0) {{\n    v.boundary = {anchor} + {period}UL;\n"
                "    v.least = 2000000000L;\n"
                "    v.fewest[0] = v.fewest[1] = v.fewest[2] = 4000000000UL;\n  }\n"
                f"  if (v.periods >= {victim.periods}) return delay(10000);\n"
                f"  while (!spin(v, {victim.units}UL, {period}UL, {rounds}L, {victim.periods})) {{\n  }}\n"
                f"  note({which}, {victim.number}, v.least, v.fewest[1], v.fewest[2]);\n}}\n"
            )
        victim.units = self.speed.units(own)
        return (
            f"void periodic{head} {{\n  static unsigned long calls = 0, release = 0;\n"
            f"  static long low = 0, high = 0;\n  if (calls == 0) release = {anchor};\n"
            f"  if (calls >= {victim.periods}) {{\n"
            f"    if (calls++ == {victim.periods}) note({which}, {victim.number}, low, high, 0);\n"
            "    return;\n  }\n"
            "  if ((long)(micros() - release) < low) low = (long)(micros() - release);\n"
            f"  work({victim.units}UL);\n"
            "  long response = (long)(micros() - release);\n"
            "  if (response > high) high = response;\n"
            f"  ++calls;\n  release += {period}UL;\n}}\n"
        )

    def round_us(self, victim: Victim) -> float:
        return self.speed.round + victim.units * self.speed.unit

    # --- The whole ---

    def text(self) -> str:
        board = self.board
        text = self.alarm + HEAD + self.head + self.rings
        if self.lock:
            text += "Spinlock shared;\n"
        quiet = int(1e6 * QUIET * board.seconds)
        text += f"static bool over() {{ return micros() - set_up > {quiet}UL; }}\n"
        for loop in (*self.loops, *self.victims):
            if loop.number == ALARMS:
                continue
            deadline = f", {loop.deadline}us" if loop.deadline != loop.period else ""
            pinned = f", onCore({loop.core})" if board.most_cores > 1 else ""
            head = f"({loop.number}, {loop.budget}us, {loop.period}us{deadline}{pinned}{board.options})"
            if isinstance(loop, Victim):
                text += self.victim_text(loop, head)
            else:
                text += f"void {loop.kind}{head} {{ {self.filled(loop)} }}\n"
        set_alarm = "  set_alarm();\n" if self.alarm else ""
        pinned = ", onCore(0)" if board.most_cores > 1 else ""
        teller = self.teller
        return text + (
            f"void loop({teller.number}, {teller.budget}us, 1000{pinned}{board.options}) {{\n"
            f"  delay({1000 * QUIET * board.seconds:.0f});\n  tell();\n  delay(10000);\n}}\n"
            f"void setup() {{\n  Serial.begin(1000000);\n{set_alarm}  set_up = micros();\n}}\n"
        )


def judge(sketch: Sketch, said: str, report: Report) -> list[str]:
    """What its victims were not given, as sentences."""
    found = []
    board, speed = sketch.board, sketch.speed
    by_number = {loop["id"]: loop for loop in report["loops"]}
    for victim in sketch.victims:
        name = f"victim {victim.number}"
        told = re.search(rf"victim {victim.number} (-?\d+) (\d+) (\d+) told", said)
        bound = by_number[victim.number]["response_bound_us"]
        if told is None:
            found.append(f"{name}: never came to the end of its {victim.periods} periods")
            continue
        first, *others = map(int, told.groups())
        own = victim.budget - board.calls
        if not victim.spins:
            response = others[0] - (min(0, first) if board.released else first)
            if response > bound + board.grain:
                found.append(f"{name}: done {response} us after its release, bound {bound}")
            continue
        each = speed.round + victim.units * speed.unit
        if first < 0:
            found.append(f"{name}: {-first / 256 * each:.0f} us less than its budgets")
        ahead = speed.overrun + speed.activation
        ahead += float(report["overheads"]["spinlock_blocking_us"])
        for k, rounds in enumerate(others, 2):
            if (rounds + 1) * each < (k - 1) * own - ahead:
                found.append(f"{name}: {rounds * each:.0f} us in {k} periods, C is {victim.budget}")
    for victim in sketch.victims:
        loop = by_number[victim.number]
        if victim.spins:
            continue
        if loop["deadline_misses"] or loop["max_response_us"] > loop["response_bound_us"]:
            found.append(
                f"victim {victim.number}: by the report {loop['deadline_misses']} misses, response "
                f"{loop['max_response_us']} of {loop['response_bound_us']}"
            )
    return found


def draw(board: Board, number: int, speed: Measured, less: float = 1.0) -> Sketch:
    return Draw(board, number, speed, less).sketch()


# Builds the sketch of that name and text and runs it on so many cores: status, Serial's text, report.
RunIt = Callable[[str, str, Board, int], tuple[int, str, Report]]


def measure(board: Board, run: RunIt) -> Measured:
    status, said, report = run(f"speed-{board.name}", speed_sketch(board), board, 1)
    assert status == 0, said
    return measured(board, said, report)


def campaign(board: Board, number: int, speed: Measured, run: RunIt) -> tuple[Sketch, list[str]]:
    """The sketch of that number that is admitted, and what was wrong with it."""
    for less in (1.0, 0.9, 0.6, 0.3):
        sketch = draw(board, number, speed, less)
        status, said, report = run(f"n{number}", sketch.text, board, sketch.cores)
        if status == 3:
            continue
        found = [] if status == 0 else [f"ended with status {status}"]
        found += [str(fault) for fault in report["faults"]]
        return sketch, found + judge(sketch, said, report)
    return sketch, ["no such sketch was accepted"]


def runner(folder: Path, toolchain: Toolchain | None = None) -> RunIt:
    """Builds with that toolchain, or the board's own; reports are left in the folder."""
    toolchains = {} if toolchain is None else {"sim": toolchain}

    def run(name: str, text: str, board: Board, cores: int) -> tuple[int, str, Report]:
        found = find_board(board.name)
        if board.name not in toolchains:
            toolchains[board.name] = prepare_board(found)
        image = build_sketch(find_sketch(str(kept(name, text))), found, toolchains[board.name])
        outcome = start(image, board.seconds, folder / "facts.json", cores)
        return outcome.status, outcome.said, outcome.report

    return run


def main() -> int:
    """Repeats one of a campaign, or several: BOARD FIRST [END]; `uncharged` for the wrong kernel."""
    board, first = BOARDS[sys.argv[1]], int(sys.argv[2])
    end = int(sys.argv[3]) if len(sys.argv) > 3 else first + 1
    toolchain = sim_with(sys.argv[4]) if len(sys.argv) > 4 else None
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="hocket-") as folder:
        run = runner(Path(folder), toolchain)
        speed = measure(board, run)
        for number in range(first, end):
            sketch, found = campaign(board, number, speed, run)
            if end == first + 1:
                print(sketch.text)
            print(
                sketch.again(), f"on {sketch.cores} cores:", *(found or ["as promised"]), sep="\n  "
            )
            wrong += bool(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
