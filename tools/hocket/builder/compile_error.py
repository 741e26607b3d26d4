"""Explains why a source does not compile, after the compiler's own messages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hocket.boards import Board
from hocket.builder.common_errors import of_a_common_error
from hocket.builder.compile import Outcome
from hocket.builder.diagnostics import Diagnostics
from hocket.builder.libraries import Library, is_for
from hocket.builder.library_properties import made_for
from hocket.builder.missing_header import advice
from hocket.builder.other_processors import of_another_processor
from hocket.builder.own_headers import of_own_header
from hocket.errors import HocketError
from hocket.sketch.folder import Sketch

# Clang's messages about assembler that avr-gcc accepts.
_ASSEMBLER = re.compile(
    r"couldn't allocate|non-ASM statement in naked function|invalid (?:output|input) \w+ .* in asm"
)


class CompileError(HocketError):
    """A source does not compile. first: the first error, in one sentence. missing_header: whether that error
    is a header that no library has."""

    def __init__(
        self,
        first: str,
        fact: str,
        cause: str,
        next_step: str,
        file: str | None,
        line: int | None,
        missing_header: bool = False,
    ) -> None:
        super().__init__(fact, cause, next_step, file, line)
        self.first = first
        self.missing_header = missing_header

    def add_reason(self, sketch: Sketch, compiler: str, other: str, why: str) -> None:
        """Adds why avr-gcc, the compiler of plain sketches, did not compile this sketch. Applies if the error
        is not in the sketch's own files, or is one that only clang reports."""
        own = list(map(str, (*sketch.tabs, *sketch.sources, *sketch.headers)))
        if self.file in own and _ASSEMBLER.match(self.first) is None:
            return
        if self.missing_header or why.startswith(self.place().rstrip(" ")):
            return
        self.cause += f"; it is compiled with {compiler}, not {other}: {why}"


def compile_error(
    sketch: Sketch,
    board: Board,
    libraries: Sequence[Library],
    outcome: Outcome,
    messages: Diagnostics,
) -> CompileError:
    library = outcome.unit.library
    fact = f"the library {library} does not compile" if library else "the sketch does not compile"
    count = f"{messages.errors} error{'s' if messages.errors != 1 else ''}"
    file, line = messages.first_error or (None, None)
    if header := messages.missing_header:
        told = advice(header, sketch, board, libraries)
        first = f"no library here has {header}"
        return CompileError(
            first, fact, told.cause, told.next_step, file, line, missing_header=True
        )
    first = messages.first_text or fact
    cause, next_step = f"{count}, see above", "fix the first error, then build again"
    if other := (
        of_another_processor(first, file, line, board)
        or of_own_header(first)
        or of_a_common_error(first, file, line, board)
    ):
        cause, next_step = f"{count}, see above; {other.cause}", other.next_step
    for each in libraries:
        if each.name == library and not is_for(each, board.name):
            cause += f"; {made_for(each.folder)}, and not for this board"
            next_step = "look for a library that is for this board, or for all"
    return CompileError(first, fact, cause, next_step, file, line)
