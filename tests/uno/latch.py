"""A line's latch of one bit: which calls of a handler its edges lead to, and how long each has waited."""

from __future__ import annotations

from dataclasses import dataclass

# ns. A handler's own pin rises so long after its line was acknowledged, where the latch is free again: 5 us
# in idle time (the vector, what it keeps, the reading of the clock), some 30 in a section of the kernel.
SOONEST, LATEST = 800, 40_000


@dataclass
class Latch:
    """One line: what came and what was called, in the order of time."""

    arrivals: list[int]
    calls: list[tuple[int, int]]  # begin and length of each handler

    def play(self) -> tuple[list[int], int]:
        """Each call takes all that has come before it, and there was something. How long the first of those
        has waited, for each call; and how many came behind the last one, which is one bit."""
        waits, taken, before = [], 0, 0
        for begin, _ in self.calls:
            surely = taken
            while surely < len(self.arrivals) and self.arrivals[surely] < begin - LATEST:
                surely += 1
            possibly = surely
            while possibly < len(self.arrivals) and self.arrivals[possibly] <= begin - SOONEST:
                possibly += 1
            assert possibly > taken, f"a call at {begin} ns without an edge"
            # One that came as the line was acknowledged belonged to the call before, if others follow it.
            first = taken
            while first + 1 < possibly and self.arrivals[first] <= before - SOONEST:
                first += 1
            waits.append(begin - self.arrivals[first])
            taken, before = max(surely, taken + 1), begin
        return waits, len(self.arrivals) - taken

    def left(self, end: int) -> int:
        """How long the first of those behind the last call has waited as the run ends."""
        _, behind = self.play()
        return end - self.arrivals[-behind] if behind else 0
