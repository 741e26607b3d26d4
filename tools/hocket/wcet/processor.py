"""What the analysis of execution times needs to know of an instruction, for any processor."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Flow(Enum):
    """Where an instruction continues."""

    NEXT = "at the next instruction"
    BRANCH = "at the next instruction, or at its target"
    SKIP = "at the next instruction, or behind it"
    JUMP = "at its target"
    CALL = "in a function, then at the next instruction"
    RETURN = "in the caller"
    COMPUTED_JUMP = "where a register points"
    COMPUTED_CALL = "in the function to which a register points, then at the next instruction"
    SLEEP = "at the next instruction, when an interrupt has come"
    UNKNOWN = "no instruction of this processor"


@dataclass(frozen=True)
class Instruction:
    """One instruction. cycles: on the way to the next instruction. further: in addition, on the way to its
    target, or behind a skipped instruction of one word. one, two: numbers of registers, of a bit, or of an
    I/O register, by `name`. value: a constant, or an address of data."""

    at: int
    size: int
    name: str
    flow: Flow
    cycles: int
    further: int = 0
    one: int = 0
    two: int = 0
    value: int = 0
    target: int = -1

    @property
    def next(self) -> int:
        return self.at + self.size


class Code(Protocol):
    """The code of a program: what the analysis reads of a linked file."""

    def instruction(self, at: int) -> Instruction:
        """Returns the instruction at this address."""
