"""Says why a source does not compile, after the compiler's own messages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hocket.boards import Board
from hocket.builder.compile import Outcome
from hocket.builder.diagnostics import Diagnostics
from hocket.builder.libraries import (
    INSTALLED_FROM,
    Library,
    header_like,
    is_for,
    sketchbook_libraries,
)
from hocket.builder.library_properties import dependencies, made_for
from hocket.errors import HocketError
from hocket.sketch.folder import Sketch


class CompileError(HocketError):
    """A source does not compile. first: what is wrong first, in one sentence. missing_header: whether that is
    a header which no library has."""

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
    if messages.missing_header:
        places = sketchbook_libraries(sketch.folder)
        place = places[0] if places else sketch.folder.parent / "libraries"
        package = INSTALLED_FROM.get(board.architecture)
        instead = f"; Arduino's own are in the package {package}" if package else ""
        missing = f"no library here has {messages.missing_header}"
        if like := header_like(messages.missing_header, sketch, board.name):
            return CompileError(
                missing,
                fact,
                f"{missing}: upper and lower case differ",
                f"write #include <{like}>",
                file,
                line,
                missing_header=True,
            )
        if lost := _misplaced(messages.missing_header, sketch.folder):
            return CompileError(
                missing,
                fact,
                f"{missing}; {lost} has it, and no libraries are looked for there",
                f"move {lost} into {place}",
                file,
                line,
                missing_header=True,
            )
        needs = dependencies(each.folder for each in libraries if each.sources)
        return CompileError(
            missing,
            fact,
            f"{missing}; {needs}" if needs else missing,
            f"put the library that has it into {place}{instead}",
            file,
            line,
            missing_header=True,
        )
    first = messages.first_text or fact
    cause, next_step = f"{count}, see above", "mend the first error first"
    for each in libraries:
        if each.name == library and not is_for(each, board.name):
            cause += f"; {made_for(each.folder)}, and not for this board"
            next_step = "look for a library that is for this board, or for all"
    return CompileError(first, fact, cause, next_step, file, line)


def _misplaced(header: str, folder: Path) -> Path | None:
    """The folder of a library that was put below the sketch, as into PlatformIO's lib/, and not into
    libraries/."""
    for place in (folder, folder / "lib"):
        for found in sorted([*place.glob(f"*/{header}"), *place.glob(f"*/src/{header}")]):
            library = found.parent.parent if found.parent.name == "src" else found.parent
            if library not in (folder, folder / "lib", folder / "src"):
                return library
    return None
