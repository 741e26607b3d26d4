"""The control flow of one function: basic blocks, and loops as a tree.

A function is followed through all jumps, so that one that ends by jumping to another contains it. A loop is a
strongly connected part of the graph. Its heads are the blocks at which it is entered; the edges to them from
inside are its back edges. Without these edges the parts within it are found in the same way. A loop with
several heads (irreducible) needs no exception.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hocket.wcet.processor import Flow, Instruction


@dataclass(frozen=True)
class Edge:
    """to: the next block; None: the caller. further: cycles on this way only. taken: at a branch, or at a
    skip of the next instruction."""

    to: int | None
    further: int = 0
    taken: bool = False


@dataclass
class Block:
    """Instructions that run one after the other. The last one may jump or call."""

    at: int
    code: list[Instruction]
    edges: list[Edge]

    @property
    def last(self) -> Instruction:
        return self.code[-1]

    @property
    def cycles(self) -> int:
        return sum(instruction.cycles for instruction in self.code)


@dataclass
class Part:
    """Blocks and loops in an order in which every edge leads onwards, but for edges to the heads of the loop
    of which this is the body. child: the loop or block of the order that contains a block."""

    order: list[int | Loop]
    child: dict[int, int | Loop]


@dataclass(eq=False)
class Loop:
    heads: frozenset[int]
    blocks: frozenset[int]
    body: Part
    inner: list[Loop] = field(default_factory=list)


@dataclass(eq=False)
class Function:
    entry: int
    blocks: dict[int, Block]
    part: Part
    loops: list[Loop]  # outermost ones

    def every_loop(self) -> Iterator[Loop]:
        waiting = list(self.loops)
        while waiting:
            loop = waiting.pop()
            yield loop
            waiting += loop.inner


def depth_of(function: Function, loop: Loop) -> int:
    """Returns in how many loops of the function a loop is, with itself."""
    return sum(1 for other in function.every_loop() if loop.blocks <= other.blocks)


def read_function(
    entry: int,
    instruction: Callable[[int], Instruction],
    jumps: Callable[[Instruction], Sequence[int]],
    returns: Callable[[Instruction], bool],
) -> Function:
    """Reads the function at an address. jumps: the targets of a computed jump. returns: whether the function
    that is called comes back."""
    reached = _reached(entry, instruction, jumps, returns)
    blocks = _blocks(entry, reached)
    part, loops = _part(blocks, frozenset(blocks), frozenset(), entry)
    return Function(entry, blocks, part, loops)


_Reached = dict[int, tuple[Instruction, list[Edge]]]


def _reached(
    entry: int,
    instruction: Callable[[int], Instruction],
    jumps: Callable[[Instruction], Sequence[int]],
    returns: Callable[[Instruction], bool],
) -> _Reached:
    reached: _Reached = {}
    waiting = [entry]
    while waiting:
        at = waiting.pop()
        if at in reached:
            continue
        one = instruction(at)
        edges = list(_edges(one, instruction, jumps, returns))
        reached[at] = one, edges
        waiting += [edge.to for edge in edges if edge.to is not None]
    return reached


def _edges(
    one: Instruction,
    instruction: Callable[[int], Instruction],
    jumps: Callable[[Instruction], Sequence[int]],
    returns: Callable[[Instruction], bool],
) -> Iterator[Edge]:
    if one.flow is Flow.RETURN:
        yield Edge(None)
    elif one.flow is Flow.JUMP:
        yield Edge(one.target)
    elif one.flow is Flow.BRANCH:
        yield Edge(one.next)
        yield Edge(one.target, one.further, True)
    elif one.flow is Flow.SKIP:
        skipped = instruction(one.next)
        yield Edge(one.next)
        yield Edge(skipped.next, one.further * skipped.size // 2, True)
    elif one.flow is Flow.COMPUTED_JUMP:
        yield from (Edge(to) for to in jumps(one))
    elif one.flow in (Flow.CALL, Flow.COMPUTED_CALL):
        if returns(one):
            yield Edge(one.next)
    elif one.flow is not Flow.UNKNOWN:
        yield Edge(one.next)


def _blocks(entry: int, reached: _Reached) -> dict[int, Block]:
    begins = {entry}
    for one, edges in reached.values():
        if one.flow is not Flow.NEXT:
            begins |= {edge.to for edge in edges if edge.to is not None}
    blocks: dict[int, Block] = {}
    for begin in begins:
        at, code = begin, list[Instruction]()
        while True:
            one, edges = reached[at]
            code.append(one)
            follows = one.next
            if one.flow is not Flow.NEXT or follows in begins:
                break
            at = follows
        blocks[begin] = Block(begin, code, edges)
    return blocks


def _part(
    blocks: dict[int, Block], inside: frozenset[int], heads: frozenset[int], entry: int
) -> tuple[Part, list[Loop]]:
    """Orders some blocks of a function. heads: edges to these are left out."""

    def next_of(at: int) -> Iterable[int]:
        return (e.to for e in blocks[at].edges if e.to in inside and e.to not in heads)

    order: list[int | Loop] = []
    child: dict[int, int | Loop] = {}
    loops: list[Loop] = []
    for group in reversed(list(_connected(sorted(inside), next_of))):
        alone = len(group) == 1
        if alone and group[0] not in next_of(group[0]):
            order.append(group[0])
            child[group[0]] = group[0]
            continue
        own = frozenset(group)
        entered = {
            edge.to
            for at in inside - own
            for edge in blocks[at].edges
            if edge.to in own and edge.to not in heads
        }
        entered |= own & (heads | {entry})
        own_heads = frozenset(at for at in entered if at is not None)
        body, inner = _part(blocks, own, own_heads, entry)
        loop = Loop(own_heads, own, body, inner)
        loops.append(loop)
        order.append(loop)
        child.update(dict.fromkeys(own, loop))
    return Part(order, child), loops


def _connected(
    nodes: Sequence[int], next_of: Callable[[int], Iterable[int]]
) -> Iterator[list[int]]:
    """Yields the strongly connected groups, each behind those that it leads to (Tarjan 1972)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    open_: list[int] = []
    is_open: set[int] = set()
    for root in nodes:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        open_.append(root)
        is_open.add(root)
        work = [(root, iter(next_of(root)))]
        while work:
            at, rest = work[-1]
            for to in rest:
                if to not in index:
                    index[to] = low[to] = len(index)
                    open_.append(to)
                    is_open.add(to)
                    work.append((to, iter(next_of(to))))
                    break
                if to in is_open:
                    low[at] = min(low[at], index[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == index[at]:
                    group: list[int] = []
                    while True:
                        top = open_.pop()
                        is_open.discard(top)
                        group.append(top)
                        if top == at:
                            break
                    yield group
