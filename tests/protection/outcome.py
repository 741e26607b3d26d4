"""What a run of a sketch on virt has come to, and what the tests ask of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Report = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """A run: the world's exit status, what Serial and the world said, and the report."""

    status: int
    said: str
    errors: str
    report: Report

    @property
    def faults(self) -> dict[int, dict[str, Any]]:
        """By the loop's number. Each loop faults once."""
        found = {fault["loop"]: fault for fault in self.report["faults"]}
        assert len(found) == len(self.report["faults"]), self.report["faults"]
        return found

    def loop(self, number: int) -> Report:
        (found,) = (loop for loop in self.report["loops"] if loop["id"] == number)
        return dict(found)

    def broken_bounds(self, numbers: Iterable[int]) -> list[str]:
        """The promises to these loops that the run did not keep."""
        found = []
        for number in numbers:
            loop = self.loop(number)
            if loop["deadline_misses"] != 0:
                found.append(f"loop {number}: {loop['deadline_misses']} deadlines missed")
            if loop["max_response_us"] > loop["response_bound_us"]:
                found.append(f"loop {number}: {loop['max_response_us']} us, beyond its bound")
        return found


Run = Callable[..., Outcome]
