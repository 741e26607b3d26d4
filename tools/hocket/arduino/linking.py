"""`hocket arduino link`: builds a sketch that Arduino's builder has collected, as `hocket build` does, and
checks that its loops can be guaranteed."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from hocket.arduino.merged import tabs_in
from hocket.arduino.notes import noted_libraries
from hocket.boards import find_board
from hocket.builder import Image, build_sketch
from hocket.builder.compile_error import CompileError
from hocket.builder.libraries import or_the_boxed
from hocket.console import without_progress
from hocket.errors import EXIT_DONE, EXIT_REFUSED, HocketError, SeveralErrors
from hocket.report import Report
from hocket.running.admission import analyse
from hocket.running.telling import loop_of, ways_out
from hocket.sketch.folder import find_sketch, instead_of_files, read_source

_OURS, _BUILD = "hocket", "build.json"
_MORE_CORES = "Tools > Cores, or cores={cores} in the FQBN"


@dataclass(frozen=True)
class Build:
    """source: the sketch's folder. folder: the builder's, with merged texts and objects. project: the
    builder's name of the sketch, NAME.ino."""

    board: str
    source: str
    folder: str
    project: str
    cores: int
    objects: Sequence[str]

    def product(self, ending: str) -> Path:
        return Path(self.folder) / f"{self.project}.{ending}"


def link_command(build: Build) -> int:
    """Returns EXIT_DONE, EXIT_REFUSED, or the status of an error. Errors are printed in the compilers'
    format."""
    os.chdir(build.folder)  # so that paths of the sketch are printed in full
    try:
        image = image_of(build)
        report, ended = analyse(image, build.cores)
    except HocketError as error:
        tell(error)
        return error.exit_code
    if ended.status == EXIT_REFUSED:
        for refusal in refusals(report, image, _MORE_CORES):
            tell(refusal)
        return EXIT_REFUSED
    shutil.copyfile(image.sketch_elf, build.product("elf"))
    if image.board.programmed:
        shutil.copyfile(image.flash_file, build.product("hex"))
    keep(build)
    return EXIT_DONE


def image_of(build: Build) -> Image:
    """Returns the built sketch. Nothing is built if nothing has changed."""
    folder = Path(build.folder)
    noted = noted_libraries(map(Path, build.objects))
    merged = folder / "sketch" / f"{build.project}.cpp"
    with instead_of_files(tabs_in(read_source(merged))), without_progress():
        return build_sketch(
            find_sketch(build.source),
            find_board(build.board),
            folder=folder / _OURS,
            chosen=[or_the_boxed(library, build.board) for library in noted],
        )


def keep(build: Build) -> None:
    """Stores the build for `upload`, which gets the builder's folder only."""
    file = Path(build.folder) / _OURS / _BUILD
    file.write_text(json.dumps(asdict(build)), encoding="utf-8")


def kept(folder: Path) -> Build:
    file = folder / _OURS / _BUILD
    try:
        return Build(**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as problem:
        raise HocketError(
            "there is nothing to upload", "the sketch was not built there", "verify it first", file
        ) from problem


def tell(error: HocketError) -> None:
    """Prints FILE:LINE:COLUMN: error: TEXT, which editors recognise as a compiler's message. The compiler's
    own messages have been printed already."""
    if isinstance(error, CompileError):
        print(error, file=sys.stderr)
        return
    for each in error.errors if isinstance(error, SeveralErrors) else (error,):
        place = each.place().rstrip(" ")
        if each.line is not None:
            place += "1:"
        lines = [f"{place} error: {each.fact}".lstrip()]
        lines += [f"  cause: {each.cause}"] if each.cause else []
        lines += [f"  next:  {each.next_step}"] if each.next_step else []
        print(*lines, sep="\n", file=sys.stderr)


def refusals(report: Report, image: Image, more_cores: str) -> list[HocketError]:
    """Returns the reasons why the loops cannot be guaranteed, each at the place of its loop. The last one has
    the next step for all of them. more_cores: how the project sets the number of cores."""
    reasons = report["admission"]["reasons"]
    found = [HocketError(f"refused: {why}", "", "", *loop_of(why, image)) for why in reasons]
    if found:
        found[-1].next_step = " and ".join(ways_out(report, image, more_cores))
    return found
