"""Draws a random sketch (campaign.py) of a board and a policy from a number."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from tests.neighbours.analysis import fits
from tests.neighbours.boards import (
    ALARMS,
    JUDGED,
    MOST_CORES,
    PROMISE,
    QUIET,
    TELLER,
    TOLD,
    Board,
    Direct,
    Loop,
    Measured,
    Sketch,
    Victim,
)
from tests.neighbours.storm import Storm
from tests.neighbours.texts import ALONE, ENDLESS, HEAD, OVERRUNS, PAIRS, SERIAL


class Draw:
    """A random sketch of a board. `less`: by how much its victims ask for less, as it was refused; `fewer`:
    by how many neighbours it has fewer, as it did not fit into the board's memory."""

    def __init__(
        self,
        board: Board,
        number: int,
        speed: Sequence[Measured],
        less: float = 1.0,
        fewer: int = 0,
        policy: str = "vcpu",
    ) -> None:
        self.board, self.number, self.less = board, number, less
        self.fewer, self.policy = fewer, policy
        self.rng = random.Random(f"neighbours {board.name} {number} {policy}")
        most = self.rng.choice((1, 1, 1, 2, 2, 3, MOST_CORES))
        self.cores = min(most, board.most_cores)
        self.speed = speed[self.cores - 1]
        self.loops: list[Loop] = []
        self.victims: list[Victim] = []
        self.head = ""
        self.alarm = self.rings = ""
        self.periods: tuple[int, ...] = ()  # of victims beside a crowd
        self.storm: Storm | None = None
        # The one that tells in the end; below all others.
        self.teller = Loop(0, board.tellers_budget, 1_000_000, number=TELLER)

    def sketch(self) -> Sketch:
        crowd = self.rng.random() < 0.3 and self.board.crowd > 0
        storm = self.rng.random() < 0.4 and bool(self.board.pins)
        if not crowd or self.rng.random() < 0.5:
            self.neighbours()
        if crowd:
            self.crowd()
        if storm:
            self.storm = Storm(self)
        elif self.board.masks and self.rng.random() < 0.3:
            self.section()
        if self.policy not in PROMISE:
            self.calls()
        for loop in self.loops:
            self.place(loop)
        for _ in range(min(self.fewer, len(self.loops))):
            self.drop_one()
        while self.policy in PROMISE and not self.add_victims():
            self.drop_one()
        return Sketch(
            self.board,
            self.number,
            self.cores,
            self.text(),
            self.victims,
            self.speed,
            self.policy,
            self.storm.scenario if self.storm else "",
            [loop.number for loop in self.loops if ENDLESS in loop.body and loop.promised],
            self.loops,
        )

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

    def crowd(self) -> None:
        """Many short loops, with equal, harmonic or random periods."""
        rng, board = self.rng, self.board
        count = round(math.exp(rng.uniform(math.log(4), math.log(board.crowd - len(self.loops)))))
        share = rng.uniform(0.2, 0.7)
        least = math.ceil(count * (self.speed.smallest + self.speed.activation) / share)
        base = max(least, rng.choice(board.periods))
        kind = rng.choice(("equal", "equal", "harmonic", "random"))
        bodies = [*ALONE.values(), "work({u}); delay(1000);"]
        body = rng.choice(bodies) if rng.random() < 0.3 else None  # all do the same
        for _ in range(count):
            core = 0 if rng.random() < 0.9 else rng.randrange(self.cores)
            period = base
            if kind == "harmonic":
                period *= 2 ** rng.randint(0, 3)
            elif kind == "random":
                period = int(base * rng.uniform(1, 4))
            budget = rng.uniform(0.2, 1) * base * share / count - self.speed.activation
            loop = Loop(core, max(self.speed.smallest, int(budget)), period)
            loop.body = body or rng.choice(bodies)
            if body is None and rng.random() < 0.1:
                loop.kind, loop.body = "periodic", rng.choice((OVERRUNS, "work({u});"))
            self.add(loop)
        longest = JUDGED * board.seconds * 1e6 / 4
        self.periods = tuple(base * k for k in (1, 1, 2, 3, 5) if base * k < longest)

    def section(self) -> None:
        loop = self.contract(0)
        loop.body = self.rng.choice(Storm.sections(self.board))
        self.add(loop)

    def calls(self) -> None:
        """Where nothing is promised: loops that may be late, and wait for nothing in their calls."""
        for _ in range(self.rng.randint(1, 3)):
            loop = self.contract(self.rng.randrange(self.cores))
            loop.kind, loop.body = "periodic", "work({u});"
            self.add(loop)

    def place(self, loop: Loop) -> None:
        """What the loop says to a policy that asks for more than C and T."""
        rng = self.rng
        if loop.number == ALARMS or rng.random() < 0.4:
            return
        # One that takes turns may stand still in the middle of a line, for which whoever prints waits.
        if self.policy == "hybrid-edf" and "Serial" in loop.body:
            return
        if self.policy in ("mlq", "bitmap", "hybrid-edf"):
            loop.options = f", priority({rng.randint(0, 31)})"
        elif self.policy == "lottery":
            loop.options = f", tickets({rng.randint(1, 255)})"
        loop.promised = self.policy != "hybrid-edf"

    def drop_one(self) -> None:
        for _ in range(1 + len(self.loops) // 10):
            if not self.loops:
                self.storm = None
                return
            gone = self.loops.pop(self.rng.randrange(len(self.loops)))
            if gone.number == ALARMS:
                self.alarm = self.rings = ""

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
        return 1 + max((loop.number for loop in loops if loop.number < TELLER), default=0)

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
            s=f"{self.speed.units(rng.choice((0.1, 0.4)) * self.longest_section)}UL",
            self=loop.number,
        )

    @property
    def longest_section(self) -> float:
        return self.speed.masked if self.board.masks else 200

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
            period = rng.choice(self.periods or self.board.victims_periods)
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
            directs: list[Direct] = []
            if self.storm:
                loops += self.storm.loops
                directs = self.storm.directs
            if fits(self.policy, loops, self.speed, self.lock, directs):
                low = victim.budget
            else:
                high = victim.budget
        victim.budget = max(least, int(low * part * self.less))
        return low >= least

    def victim_text(self, victim: Victim, head: str) -> str:
        """Its own calls are in its C."""
        board, period = self.board, victim.period
        own = victim.budget - board.calls
        which = self.victims.index(victim)
        judged = JUDGED * board.seconds * 1e6 - (board.released or 0)
        victim.periods = max(1, int(judged / period) - 1)
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
        text = f"HOCKET_POLICY({self.policy.replace('-', '_')})\n" if self.policy != "vcpu" else ""
        text += self.alarm + HEAD + self.head + self.rings
        if self.lock:
            text += "Spinlock shared;\n"
        if self.storm:
            text += self.storm.text
        quiet, told = (int(1e6 * part * board.seconds) for part in (QUIET, TOLD))
        text += f"static bool over() {{ return micros() - set_up > {quiet}UL; }}\n"
        for loop in (*self.loops, *self.victims):
            if loop.number == ALARMS:
                continue
            deadline = f", {loop.deadline}us" if loop.deadline != loop.period else ""
            pinned = f", onCore({loop.core})" if board.most_cores > 1 else ""
            options = board.options + loop.options
            head = f"({loop.number}, {loop.budget}us, {loop.period}us{deadline}{pinned}{options})"
            if isinstance(loop, Victim):
                text += self.victim_text(loop, head)
            else:
                text += f"void {loop.kind}{head} {{ {self.filled(loop)} }}\n"
        set_up = "  set_alarm();\n" if self.alarm else ""
        set_up += self.storm.set_up if self.storm else ""
        pinned = ", onCore(0)" if board.most_cores > 1 else ""
        teller = self.teller
        return text + (
            f"void loop({teller.number}, {teller.budget}us, 1000{pinned}{board.options}) {{\n"
            "  unsigned long now = micros() - set_up;\n"
            f"  if (now < {told}UL) delay(({told}UL - now) / 1000);\n"
            "  tell();\n  delay(10000);\n}\n"
            f"void setup() {{\n  Serial.begin(1000000);\n{set_up}  set_up = micros();\n}}\n"
        )


def draw(
    board: Board,
    number: int,
    speed: Sequence[Measured],
    less: float = 1.0,
    fewer: int = 0,
    policy: str = "vcpu",
) -> Sketch:
    return Draw(board, number, speed, less, fewer, policy).sketch()
