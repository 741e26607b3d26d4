"""Bounds of loops by LLVM's scalar evolution of the sketch's optimised code (Bachmann, Wang, Zima, *Chains of
recurrences*, ISSAC 1994; the pass `print<scalar-evolution>`).

The machine's loops are found among LLVM's by the source lines that they have in common. Where several come
into question the largest bound counts, and none if one of them has none. The back edges of a machine's loop
are taken no more often than LLVM's: its later passes turn loops, and do not lengthen them. But they make one
loop of two that begin at the same place, and loops of shifts. Inline assembler has loops, too (`hidden.py`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hocket.builder import Image as Built
from hocket.builder.compile import load_stamp, run
from hocket.confinement import tool
from hocket.wcet.graph import Function, Loop, depth_of
from hocket.wcet.hidden import Hidden
from hocket.wcet.image import Image

OPT = "opt-19"
_BEGIN = re.compile(r'^define .*@("?)([\w.$]+)\1\(.*\{$')
_BLOCK = re.compile(r'^("?)([\w.$-]+)\1:')
_DEBUG = re.compile(r"!dbg !(\d+)")
_NODE = re.compile(r"^!(\d+) = (?:distinct )?!(DILocation|DI\w+|\{)?(.*)$")
_FIELD = re.compile(r"(line|scope|file|filename): (!?\d+|\"[^\"]*\")")
_COUNT = re.compile(
    r"^Loop %(\S+): (?:<multiple exits> )?constant max backedge-taken count is (?:i\d+ )?(-?\d+)"
)
_WITHOUT = re.compile(r"^Loop %(\S+): Unpredictable constant max backedge-taken count")
_WHERE = re.compile(r"^Determining loop execution counts for: @(.+)$")
_LOOPS = re.compile(r"^(\s*)(?:Parallel )?Loop at depth (\d+) containing: (.*)$")
# atMost() of arduino/api/at_most.h, and the blocks to which one leads.
_AT_MOST = re.compile(r'asm sideeffect "; hocket_at_most \$0", "i[^"]*"\(i\d+ (\d+)\)')
_LEADS_TO = re.compile(r'label %("[^"]+"|[\w.$-]+)')
_SIGN = re.compile(r"i(\d+) (-?\d+)")
_ALIKE = 0.8  # candidates that are less alike than this part of the best one are left out


@dataclass(frozen=True)
class IrLoop:
    """A loop of LLVM's code, or one that comes of an instruction of it. rounds: its most back edges; None:
    unknown. inside: how many loops are within. passes: how often its head and theirs are passed at most, each
    time that it is reached."""

    function: str
    head: str
    depth: int
    lines: frozenset[tuple[str, int]]
    rounds: int | None
    inside: int = 0
    passes: int | None = None

    def most(self, inside: int) -> int | None:
        """Returns the most back edges of the machine's loop. inside: how many loops that one has within. If
        they are fewer, some of this one's have become one loop with it."""
        if inside >= self.inside:
            return self.rounds
        return None if self.passes is None else self.passes - 1


class Evolution:
    """The loops of a program, as LLVM sees them. every: finds them. It is called when they are first
    needed."""

    def __init__(self, image: Image, every: Callable[[], list[IrLoop]]) -> None:
        self._image = image
        self._every = every
        self._loops: dict[str, list[IrLoop]] | None = None

    def rounds(self, function: Function, loop: Loop) -> int | None:
        """Returns the most back edges of a machine's loop."""
        if self._loops is None:
            self._loops = {}
            for each in dict.fromkeys(self._every()):
                self._loops.setdefault(each.function, []).append(each)
        owner = self._image.program.owner
        name = owner(min(loop.heads))
        others = [each for each in function.every_loop() if owner(min(each.heads)) == name]
        candidates = self._loops.get(name, [])
        depths = Counter(depth_of(function, each) for each in others)
        if depths == Counter(each.depth for each in candidates):
            depth = depth_of(function, loop)
            candidates = [each for each in candidates if each.depth == depth]
        inside = sum(each.blocks < loop.blocks for each in others)
        return choose(candidates, self._lines(function, loop), inside)

    def _lines(self, function: Function, loop: Loop) -> frozenset[tuple[str, int]]:
        found = (self._image.line(one.at) for at in loop.blocks for one in function.blocks[at].code)
        return frozenset((Path(line[0]).name, line[1]) for line in found if line is not None)


def loops_of_build(built: Built) -> list[IrLoop]:
    """Returns the loops of the sources of a built sketch that clang has compiled."""
    found: list[IrLoop] = []
    for stamp in sorted((built.sketch_elf.parent / ".obj").rglob("*.stamp")):
        found += _of_unit(stamp)
    return found


def choose(
    candidates: Sequence[IrLoop], lines: frozenset[tuple[str, int]], inside: int
) -> int | None:
    """Returns the bound of the loops that are most alike. None: there is none, or one has no bound. inside:
    how many loops the machine's has within."""

    def alike(loop: IrLoop) -> float:
        common = len(loop.lines & lines)
        return common / len(loop.lines | lines) if common else 0.0

    best = max((alike(loop) for loop in candidates), default=0.0)
    if best == 0.0:
        return None
    chosen = [loop.most(inside) for loop in candidates if alike(loop) >= _ALIKE * best]
    known = [rounds for rounds in chosen if rounds is not None]
    return max(known) if len(known) == len(chosen) else None


def _of_unit(stamp: Path) -> list[IrLoop]:
    """Returns the loops of one source that clang has compiled."""
    data = load_stamp(stamp)
    command, files = data.get("command"), data.get("files")
    if not isinstance(command, list) or not isinstance(files, dict) or "clang" not in command[0]:
        return []
    source = list(files)[1]
    text = stamp.with_suffix(".evolution.ll")
    launcher = tool(command[0], [source, *files], text.parent)
    words = [str(word) for word in command[1:] if not str(word).startswith("mended by ")]
    done = run(
        [*map(str, launcher or command[:1]), *words, "-S", "-emit-llvm", "-o", str(text), source]
    )
    if done.returncode != 0:
        return []
    return loops_of_text(text)


def loops_of_text(text: Path) -> list[IrLoop]:
    """Returns the loops of a file with LLVM's text."""
    passes = "-passes=print<loops>,print<scalar-evolution>"
    told = run([OPT, "-disable-output", passes, str(text)])
    return read_loops(text.read_text(encoding="utf-8", errors="replace"), told.stderr)


def read_loops(text: str, told: str) -> list[IrLoop]:
    """Returns the loops of LLVM's text. told: what the two passes have printed about it."""
    blocks = read_blocks(text)
    rounds: dict[tuple[str, str], int | None] = {}
    function = ""
    for line in told.splitlines():
        if where := _WHERE.match(line):
            function = where[1].strip('"')
        elif count := _COUNT.match(line):
            rounds[function, count[1]] = _unsigned(line)
        elif without := _WITHOUT.match(line):
            rounds[function, without[1]] = None
    return _with_hidden(_own_loops(blocks, rounds, _nests(told)), blocks)


@dataclass
class _Nest:
    """A loop with the labels of its blocks."""

    loop: IrLoop
    blocks: frozenset[str]


def _own_loops(
    blocks: dict[tuple[str, str], IrBlock],
    rounds: dict[tuple[str, str], int | None],
    nests: list[tuple[str, int, list[str]]],
) -> list[_Nest]:
    """Returns the loops that LLVM has found."""
    found = []
    for name, depth, inside in nests:
        head = inside[0]
        own = {label: blocks[name, label] for label in inside if (name, label) in blocks}
        deeper = {
            label
            for other, other_depth, others in nests
            if other == name and other_depth > depth and others[0] in inside
            for label in others
        }
        lines = frozenset(place for block in own.values() for place in block.lines)
        said = _at_most(head, own, deeper)
        known = [each for each in (rounds.get((name, head)), said) if each is not None]
        loop = IrLoop(name, head, depth, lines, min(known, default=None))
        found.append(_Nest(loop, frozenset(inside)))
    return found


def _with_hidden(nests: list[_Nest], blocks: dict[tuple[str, str], IrBlock]) -> list[IrLoop]:
    """Returns these loops and those that instructions become, with what is within each."""
    for (name, label), block in blocks.items():
        around = [n for n in nests if n.loop.function == name and label in n.blocks]
        depth = 1 + max((n.loop.depth for n in around), default=0)
        for number, (most, place) in enumerate(block.hidden):
            lines = frozenset(block.lines if place is None else {place})
            passes = None if most is None else most + 1
            loop = IrLoop(name, f"{label} {number}", depth, lines, most, passes=passes)
            nests.append(_Nest(loop, frozenset()))
            for each in around:
                each.blocks |= {loop.head}
    loops: list[IrLoop] = []
    for nest in sorted(nests, key=lambda each: -each.loop.depth):
        own = nest.loop
        within = [o for o in loops if o.function == own.function and o.head in nest.blocks]
        nearest = [o.passes for o in within if o.depth == own.depth + 1]
        counts = [own.rounds, *nearest]
        known = [count for count in counts if count is not None]
        passes = (known[0] + 1) * (1 + sum(known[1:])) if len(known) == len(counts) else None
        loops.append(replace(own, inside=len(within), passes=passes))
    return loops


def _at_most(head: str, blocks: dict[str, IrBlock], deeper: set[str]) -> int | None:
    """Returns the most back edges of a loop by the fact atMost() in its body, if each round passes it.
    deeper: blocks of inner loops. LLVM makes one loop of two that begin at the same place, and then the fact
    is of the inner one alone. So it counts only for a loop that one branch leads back."""
    if not _one_way_back(head, blocks):
        return None
    for label, block in blocks.items():
        if block.at_most is None or label in deeper:
            continue
        if label == head:
            return block.at_most - 1  # the last round passes it, too
        reached, waiting = {head}, [head]
        while waiting:
            for to in blocks[waiting.pop()].leads_to:
                if to == head:
                    return None  # a round that does not pass it
                if to in blocks and to != label and to not in reached:
                    reached.add(to)
                    waiting.append(to)
        return block.at_most
    return None


def _one_way_back(head: str, blocks: dict[str, IrBlock]) -> bool:
    """Returns whether the end of one block decides that a loop goes on."""
    to = head
    while True:
        before = [label for label, block in blocks.items() if to in block.leads_to]
        if len(before) != 1:
            return False
        to = before[0]
        if to == head or len(blocks[to].leads_to) > 1:
            return True


def _unsigned(line: str) -> int:
    """Returns a count, which LLVM prints with a sign."""
    match = _SIGN.search(line)
    if match is None:
        return int(line.rsplit(" ", 1)[1])
    bits, value = int(match[1]), int(match[2])
    return value if value >= 0 else value + (1 << bits)


def _nests(told: str) -> list[tuple[str, int, list[str]]]:
    """Returns each loop: its function, its depth, and its blocks with the head first."""
    found = []
    function = ""
    for line in told.splitlines():
        if match := re.match(r"^Loop info for function '(.+)':$", line):
            function = match[1]
        elif match := _LOOPS.match(line):
            blocks = [
                re.sub(r"<\w+>", "", block).strip().lstrip("%") for block in match[3].split(",")
            ]
            head = next(
                (
                    re.sub(r"<\w+>", "", b).strip().lstrip("%")
                    for b in match[3].split(",")
                    if "<header>" in b
                ),
                blocks[0],
            )
            found.append((function, int(match[2]), [head, *(b for b in blocks if b != head)]))
    return found


@dataclass
class IrBlock:
    """A block of LLVM's code. at_most: the number of the fact atMost() in it. hidden: the most back edges of
    the loops that its instructions become, and their lines."""

    lines: set[tuple[str, int]] = field(default_factory=set)
    leads_to: set[str] = field(default_factory=set)
    at_most: int | None = None
    hidden: list[tuple[int | None, tuple[str, int] | None]] = field(default_factory=list)


def read_blocks(text: str) -> dict[tuple[str, str], IrBlock]:
    """Returns the blocks of LLVM's text, by function and label."""
    nodes = _Nodes(text)
    found: dict[tuple[str, str], IrBlock] = {}
    function, block, hidden = "", IrBlock(), Hidden()
    for line in text.splitlines():
        if begin := _BEGIN.match(line):
            function, block, hidden = begin[2], IrBlock(), Hidden()
            found[function, ""] = block  # the first block may have no label
        elif line == "}":
            function = ""
        elif function and (label := _BLOCK.match(line)):
            block = found[function, label[2]] = IrBlock()
        elif function:
            block.leads_to |= {to.strip('"') for to in _LEADS_TO.findall(line)}
            if said := _AT_MOST.search(line):
                block.at_most = int(said[1])
            place = nodes.place(debug[1]) if (debug := _DEBUG.search(line)) else None
            if place is not None and " @llvm.dbg" not in line:
                block.lines.add(place)
            block.hidden += [(most, place) for most in hidden.loops_of(line)]
    return found


@dataclass
class _Nodes:
    """The debug information at the end of LLVM's text."""

    text: str
    _fields: dict[str, dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for line in self.text.splitlines():
            if line.startswith("!") and (node := _NODE.match(line)):
                fields: dict[str, str] = dict(_FIELD.findall(node[3]))
                self._fields[node[1]] = fields

    def place(self, number: str) -> tuple[str, int] | None:
        """Returns the file's bare name and the line of a location. Line 0: none."""
        node = self._fields.get(number, {})
        line = int(node.get("line", "0"))
        scope = node.get("scope", "").lstrip("!")
        for _ in range(64):
            fields = self._fields.get(scope, {})
            file = fields.get("file", "").lstrip("!")
            if file:
                name = self._fields.get(file, {}).get("filename", '""').strip('"')
                return (Path(name).name, line) if line else None
            scope = fields.get("scope", "").lstrip("!")
        return None
