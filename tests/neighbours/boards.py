"""What random sketches are made of (campaign.py): boards, loops, victims, what work takes there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

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
    crowd: int = 0  # loops of a core at most, where there are many
    pins: tuple[int, ...] = ()  # storms come to these
    masks: bool = False  # noInterrupts() masks the processor's interrupts


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
        crowd=240,
        pins=(2, 3, 4, 5, 6, 7),
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
        crowd=24,
        pins=(2, 3, 4, 5),
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
        options=", stackBytes(208)",
        pins=(2, 3),
        masks=True,
    ),
}

# All policies, and those that promise something.
POLICIES = ("vcpu", "edf", "hybrid-edf", "mlq", "bitmap", "lottery")
PROMISE = POLICIES[:3]
ALARMS, TELLER = 255, 254  # the loops of alarms, and of the one that tells in the end
MOST_CORES = 4  # of a sketch
# Parts of a run: in which victims are judged, after which no neighbour begins to print, and after which a
# loop tells what the victims have found.
JUDGED, QUIET, TOLD = 0.85, 0.88, 0.9


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
    # Of an interrupt of a pin: its top half, and what a direct handler takes besides its length.
    top_half: float = 0
    direct: float = 0

    def units(self, microseconds: float) -> int:
        return max(1, int(microseconds / self.unit))


@dataclass(frozen=True)
class Direct:
    """Interrupts that come before all loops of core 0; `once`: and so much before the first of them."""

    length: float
    distance: float
    once: float = 0


@dataclass
class Loop:
    """A loop of a sketch, of a handler (kind `isr`), or an I/O virtual CPU (`io`). Times in microseconds."""

    core: int
    budget: float
    period: int
    deadline: int = 0
    kind: str = "loop"
    body: str = ""
    number: int = 0
    options: str = ""
    top_half: float = 0
    promised: bool = True  # not so with a priority() under hybrid-edf

    @property
    def io(self) -> bool:
        return self.kind == "io"

    def __post_init__(self) -> None:
        self.deadline = self.deadline or self.period

    def rank(self) -> tuple[float, float, int]:
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
    policy: str = "vcpu"
    scenario: str = ""
    # Loops with a section of noInterrupts() that never ends.
    endless: list[int] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)

    def again(self) -> str:
        return (
            f"PYTHONPATH=.:tools python -m tests.neighbours {self.board.name} {self.number} "
            f"--policy {self.policy}"
        )
