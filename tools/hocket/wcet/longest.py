"""The longest way through a function, found by running it with what is known (abstract execution).

Each loop is run round by round with the known values, so that a loop that counts ends by itself, and an
inner loop whose length depends on an outer counter is counted exactly (Gustafsson, Ermedahl, Lisper, *Towards
a Flow Analysis for Embedded System C Programs*, WORDS 2005). Where ways meet, the longest one counts and what
both know remains. When a round changes nothing more, or nothing decides the loop's end, its most rounds must
be known from elsewhere (`Known`). The remaining rounds then cost what the last one did.

Calls are run with the values of their arguments, and remembered by those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from functools import reduce
from typing import Protocol

from hocket.wcet.avr8.machine import ANY_FUNCTION, BY_CONVENTION, Interface, Machine
from hocket.wcet.avr8.state import STACK_TOP, State
from hocket.wcet.graph import Block, Function, Loop, Part, read_function
from hocket.wcet.point import Point, Result, Step, Unknown
from hocket.wcet.processor import Code, Flow, Instruction

LOOP, RECURSION, POINTER, JUMP, SLEEP, NO_CODE, TEXT, ENDLESS = (
    "loop", "recursion", "pointer", "jump", "sleep", "no code", "text", "endless",
)  # fmt: skip
# A loop that runs for so many rounds is asked for its bound: it may be one that nothing decides.
_ASK_AFTER = 40
# So many rounds of a loop are run one by one, then what it changes is taken for unknown.
_MOST_ROUNDS = 20_000
_MOST_UNDECIDED = 260  # if nothing decides its end: as many as a counter of one byte has, and a few
# So many different calls of a function are told apart.
_MOST_CALLS = 24
# So many blocks are run for one function under analysis, then loops are run for few rounds only.
_MOST_BLOCKS = 400_000
_FEW_ROUNDS = 8
# So many ways to one place are kept apart, if they have different arguments of a call.
_MOST_APART = 3


@dataclass(frozen=True)
class Fact:
    """What is known of a function without its code. waits: how often it waits. paid: cycles that are taken
    from its caller's budget for others."""

    cycles: int
    waits: int = 0
    paid: int = 0


class Known(Protocol):
    """What the code alone does not tell."""

    def name(self, function: int) -> str: ...

    def has_fact(self, function: int) -> bool:
        """Returns whether a fact replaces the code of a function."""

    def fact(self, function: int, state: State, text: int | None) -> Fact | None:
        """Returns this fact for a call. text: the most bytes of a text, by a caller. None: it depends on what
        is not known."""

    def longest_text(self, function: int, state: State) -> int | None:
        """Returns the most bytes of the texts that a call of a function writes, if it is known."""

    def passes_text(self, function: int) -> bool:
        """Returns whether all that a function writes is a part of its caller's text."""

    def targets(self, one: Instruction) -> Sequence[int] | None:
        """Returns the functions that a computed call may reach. None: unknown."""

    def jumps(self, one: Instruction) -> Sequence[int]:
        """Returns the targets of a computed jump. Empty: unknown."""

    def rounds(self, function: Function, loop: Loop, state: State) -> int | None:
        """Returns how often a back edge of a loop is taken at most, each time that the loop is entered.
        state: at a head."""

    def at_most(self, function: Function, loop: Loop) -> tuple[int, int] | None:
        """Returns a block through which each round of a loop leads, and how often at most."""


class Longest:
    """The longest ways of a program's functions. of_a_wait: the cycles of a wait."""

    def __init__(self, code: Code, machine: Machine, known: Known, of_a_wait: int) -> None:
        self._code, self._machine, self._known = code, machine, known
        self._of_a_wait = of_a_wait
        self._functions: dict[int, Function] = {}
        self._interfaces: dict[int, Interface] = {}
        self._open_interfaces: set[int] = set()
        self._results: dict[tuple[int, int | None, tuple[int | None, ...]], Result] = {}
        self._texts: list[int | None] = [None]
        self._kinds: Counter[int] = Counter()
        self._open: list[int] = []
        self.blocks_run = 0
        self.loops: set[tuple[int, frozenset[int]]] = set()  # all that have been run
        self.unbounded: set[tuple[int, frozenset[int]]] = set()
        self.asked: set[tuple[int, frozenset[int]]] = set()

    def of(self, entry: int) -> Result:
        """Returns the longest way of a call whose arguments are unknown."""
        self.blocks_run = 0
        result = self._call(entry, None, STACK_TOP)
        if not result.returns and not result.unknown:
            endless = Unknown(entry, result.name, ENDLESS)
            return replace(result, unknown=result.unknown | {endless})
        return result

    def function(self, entry: int) -> Function:
        made = self._functions.get(entry)
        if made is None:
            made = read_function(entry, self._code.instruction, self._known.jumps, self._returns)
            self._functions[entry] = made
        return made

    def _returns(self, one: Instruction) -> bool:
        return one.flow is not Flow.CALL or not self._known.name(one.target).startswith("__stop")

    def interface(self, entry: int) -> Interface:
        """Returns the registers that a function reads and changes."""
        made = self._interfaces.get(entry)
        if made is not None:
            return made
        if self._known.has_fact(entry):
            return BY_CONVENTION
        if entry in self._open_interfaces:
            return ANY_FUNCTION
        self._open_interfaces.add(entry)
        made = self._machine.interface(self.function(entry), self._of_calls)
        self._open_interfaces.discard(entry)
        self._interfaces[entry] = made
        return made

    def _of_calls(self, one: Instruction) -> Interface:
        targets = self._targets(one)
        if not targets:
            return ANY_FUNCTION
        reads = changes = 0
        for target in targets:
            of = self.interface(target)
            reads, changes = reads | of.reads, changes | of.changes
        return Interface(reads, changes)

    def _targets(self, one: Instruction) -> Sequence[int] | None:
        return [one.target] if one.flow is Flow.CALL else self._known.targets(one)

    def _call(self, entry: int, state: State | None, sp: int | None) -> Result:
        """Returns the result of a call from a state, or of one with unknown arguments."""
        name = self._known.name(entry)
        if self._known.has_fact(entry):
            return self._by_fact(entry, name, state)
        if entry in self._open:
            path = [self._known.name(each) for each in self._open[self._open.index(entry) :]]
            unknown = Unknown(entry, name, RECURSION, " → ".join([*path, name]))
            return Result(name, 0, unknown=frozenset({unknown}))
        key: tuple[int | None, ...] = (None,) * 32
        if state is not None and self._kinds[entry] < _MOST_CALLS:
            key = self._machine.key(state, self.interface(entry))
        own = self._known.longest_text(entry, state or State())
        inherited = self._texts[-1] if self._known.passes_text(entry) else None
        self._texts.append(own if own is not None else inherited)
        known = self._results.get((entry, self._texts[-1], key))
        if known is None:
            self._kinds[entry] += 1
            self._open.append(entry)
            known = self._run(self.function(entry), key, sp)
            self._open.pop()
            self._results[entry, self._texts[-1], key] = known
        self._texts.pop()
        return known

    def _by_fact(self, entry: int, name: str, state: State | None) -> Result:
        fact = self._known.fact(entry, state or State(), self._texts[-1])
        if fact is None:
            caller = self._known.name(self._open[-1]) if self._open else name
            return Result(name, 0, unknown=frozenset({Unknown(entry, caller, TEXT, name)}))
        charged = fact.paid + fact.waits * self._of_a_wait
        return Result(name, fact.cycles + charged, charged, fact.waits)

    def _run(self, function: Function, key: tuple[int | None, ...], sp: int | None) -> Result:
        state = self._machine.enter(key, sp, function)
        run = _Run(self, function)
        outs = run.part(function.part, {function.entry: Point(state)})
        end = outs.get(None)
        name, unknown = self._known.name(function.entry), frozenset(run.unknown)
        if end is None:
            return Result(name, 0, unknown=unknown, returns=False)
        return Result(name, end.cycles, end.charged, end.waits, end.state, end.way, unknown)


class _Run:
    """One run of a function."""

    def __init__(self, longest: Longest, function: Function) -> None:
        self._all = longest
        self._machine = longest._machine
        self._known = longest._known
        self._function = function
        self.unknown: set[Unknown] = set()
        self._dead: set[int] = set()  # blocks that are not reached any more

    def part(
        self, part: Part, points: dict[int, Point], heads: Set[int] = frozenset()
    ) -> dict[int | None, Point]:
        """Runs blocks and loops in order, and returns the points at the ways out. heads: of the loop whose
        body this is. An edge to one of them leads out of the body."""
        outs: dict[int | None, Point] = {}
        pending: dict[int, list[Point]] = {at: [point] for at, point in points.items()}
        for child in part.order:
            ways: list[tuple[int | None, Point]] = []
            if isinstance(child, int):
                for point in pending.pop(child, ()):
                    ways += self._block(self._function.blocks[child], point)
            else:
                entered = {
                    at: reduce(Point.join, pending.pop(at)) for at in child.heads & pending.keys()
                }
                ways += self._loop(child, entered).items() if entered else ()
            for to, way in ways:
                if to is None or to not in part.child or to in heads:
                    outs[to] = outs[to].join(way) if to in outs else way
                else:
                    self._add(pending.setdefault(to, []), way)
        assert not pending, "an edge leads backwards"
        return outs

    def _add(self, points: list[Point], further: Point) -> None:
        """Adds a point where ways meet. Ways stay apart for a while if they lead to different calls."""
        for n, point in enumerate(points):
            last = n == _MOST_APART - 1
            if last or not self._machine.apart(point.state, further.state):
                points[n] = point.join(further)
                return
        points.append(further)

    def _loop(self, loop: Loop, points: dict[int, Point]) -> dict[int | None, Point]:
        key = self._function.entry, loop.heads
        self._all.loops.add(key)
        most = self._ask(loop, points) if key in self._all.asked else None
        return self._rounds(loop, points, most)

    def _ask(self, loop: Loop, points: dict[int, Point]) -> int | None:
        self._all.asked.add((self._function.entry, loop.heads))
        state = next(iter(points.values())).state
        return self._known.rounds(self._function, loop, state)

    def _rounds(
        self, loop: Loop, points: dict[int, Point], most: int | None
    ) -> dict[int | None, Point]:
        exits: dict[int | None, Point] = {}
        first, done, asked = points, 0, most is not None
        marked = self._known.at_most(self._function, loop)
        while True:
            outs = self._round(loop, points, marked, done)
            back = _split(loop, outs, exits)
            if not back:
                return exits
            done += 1
            if most is not None and done > most:
                if exits:
                    return exits
                most = None  # what is known contradicts it: it is another loop's
            if done >= self._rounds_of_their_own(exits):
                for point in back.values():
                    self._machine.widen(point.state, self._function, loop.blocks)
            steady = _same(points, back)
            if (steady or done == _ASK_AFTER) and not asked:
                asked, most = True, self._ask(loop, first)
                if most is not None and done > most:
                    return self._rounds(loop, first, most)
            if steady:
                return self._to_the_end(loop, points, back, most, marked, done, exits)
            points = back

    def _rounds_of_their_own(self, exits: dict[int | None, Point]) -> int:
        """Returns how many rounds of a loop are told apart: fewer if it may have ended before."""
        if self._all.blocks_run > _MOST_BLOCKS:
            return _FEW_ROUNDS
        return _MOST_UNDECIDED if exits else _MOST_ROUNDS

    def _round(
        self,
        loop: Loop,
        points: dict[int, Point],
        marked: tuple[int, int] | None,
        done: int,
    ) -> dict[int | None, Point]:
        """Runs one round. marked: the block that the fact atMost() ends (Known.at_most)."""
        if marked is None or done < marked[1]:
            return self.part(loop.body, points, loop.heads)
        self._dead.add(marked[0])
        outs = self.part(loop.body, points, loop.heads)
        self._dead.discard(marked[0])
        return outs

    def _to_the_end(
        self,
        loop: Loop,
        points: dict[int, Point],
        back: dict[int, Point],
        most: int | None,
        marked: tuple[int, int] | None,
        done: int,
        exits: dict[int | None, Point],
    ) -> dict[int | None, Point]:
        """Returns the ways out, if all further rounds are like the one from `points` to `back`."""
        limits = [limit for limit in (most, marked[1] if marked else None) if limit is not None]
        if not limits:
            self._all.unbounded.add((self._function.entry, loop.heads))
            name = self._known.name(self._function.entry)
            self.unknown.add(Unknown(min(loop.heads), name, LOOP))
            limits = [done]
        further = min(limits) - done
        if further >= 0:
            last = _repeated(points, back, further)
            _split(loop, self._round(loop, last, marked, min(limits)), exits)
        return exits

    def _block(self, block: Block, point: Point) -> list[tuple[int | None, Point]]:
        """Runs a block, and returns the points behind it with the blocks that follow."""
        if block.at in self._dead:
            return []
        self._all.blocks_run += 1
        state = point.state.copy()
        for effect in self._machine.effects(block):
            effect(state)
        last = block.last
        if last.flow in (Flow.CALL, Flow.COMPUTED_CALL):
            return self._calls(block, point, state)
        if last.flow in (Flow.BRANCH, Flow.SKIP):
            return self._branch(block, point, state)
        if last.flow in (Flow.SLEEP, Flow.UNKNOWN) or not block.edges:
            kind = {Flow.SLEEP: SLEEP, Flow.COMPUTED_JUMP: JUMP}.get(last.flow, NO_CODE)
            self._cannot(last, kind)
        return [
            (edge.to, point.after(state if n == 0 else state.copy(), block.at, block.cycles))
            for n, edge in enumerate(block.edges)
        ]

    def _branch(self, block: Block, point: Point, state: State) -> list[tuple[int | None, Point]]:
        taken = self._machine.decide(block.last, state)
        ways = []
        for edge in block.edges:
            if taken is not None and edge.taken != taken:
                continue
            after = state if taken is not None or edge.taken else state.copy()
            cycles = block.cycles + edge.further
            ways.append((edge.to, point.after(after, block.at, cycles)))
            if taken is None:
                self._machine.refine(block, after, edge.taken)
        return ways

    def _calls(self, block: Block, point: Point, state: State) -> list[tuple[int | None, Point]]:
        last = block.last
        if last.flow is Flow.CALL and last.target == last.next:
            state.push(None)  # reserves two bytes
            state.push(None)
            return [(last.next, point.after(state, block.last.at, block.cycles))]
        known = self._machine.pointed(last, state)
        targets = [known] if known is not None else self._all._targets(last)
        if not targets:
            self._cannot(last, POINTER)
            self._machine.leave(state, None, ANY_FUNCTION)
            return [(e.to, point.after(state, block.last.at, block.cycles)) for e in block.edges]
        behind: Point | None = None
        sp = state.sp - 2 if state.sp is not None else None
        for target in targets:
            result = self._all._call(target, state, sp)
            self.unknown |= result.unknown
            if not result.returns:
                continue
            after = state.copy()
            self._machine.leave(after, result.state, self._all.interface(target))
            one = point.after(after, block.last.at, block.cycles, result)
            behind = one if behind is None else behind.join(one)
        return [(edge.to, behind) for edge in block.edges] if behind is not None else []

    def _cannot(self, one: Instruction, kind: str) -> None:
        name = self._known.name(self._function.entry)
        self.unknown.add(Unknown(one.at, name, kind))


def _split(
    loop: Loop, outs: dict[int | None, Point], exits: dict[int | None, Point]
) -> dict[int, Point]:
    """Adds the ways out of a loop to `exits`, and returns those to its heads."""
    back: dict[int, Point] = {}
    for to, point in outs.items():
        if to is not None and to in loop.heads:
            back[to] = point
        else:
            exits[to] = exits[to].join(point) if to in exits else point
    return back


def _repeated(points: dict[int, Point], back: dict[int, Point], further: int) -> dict[int, Point]:
    """Returns the points after further rounds like the one from `points` to `back`. From no head to another
    does a round take more than from the earliest point to the latest one."""
    if further == 0:
        return back
    cycles = max(p.cycles for p in back.values()) - min(p.cycles for p in points.values())
    charged = min(p.charged for p in back.values()) - max(p.charged for p in points.values())
    waits = max(p.waits for p in back.values()) - min(p.waits for p in points.values())
    since = max(points.values(), key=lambda p: p.cycles).way
    return {
        at: Point(
            p.state,
            p.cycles + further * cycles,
            p.charged + further * max(0, charged),
            p.waits + further * waits,
            Step(p.way, repeats=further, since=since),
        )
        for at, p in back.items()
    }


def _same(points: dict[int, Point], back: dict[int, Point]) -> bool:
    return points.keys() == back.keys() and all(
        back[at].state.same(point.state) for at, point in points.items()
    )
