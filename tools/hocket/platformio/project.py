"""A PlatformIO project, described by its SCons script, as a sketch, and the commands on it."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from hocket.arduino.linking import refusals, tell
from hocket.arduino.recipes import size_command
from hocket.avrdude import write_image
from hocket.boards import Board, find_board
from hocket.builder import Image, Toolchain, build_sketch
from hocket.builder.compile_error import CompileError
from hocket.builder.found_libraries import needed_libraries
from hocket.builder.libraries import Library
from hocket.builder.units import commands_of
from hocket.console import without_progress
from hocket.errors import EXIT_DONE, EXIT_REFUSED, HocketError, shorten
from hocket.platformio.flags import with_flags
from hocket.running.admission import analyse
from hocket.running.performing import run_image
from hocket.running.request import Request, check_writable
from hocket.running.scenarios import find_scenario
from hocket.running.telling import print_refusal
from hocket.sketch.folder import COMPILED, HEADERS, INO, Sketch, files_in, find_sketch
from hocket.timing import print_timing
from hocket.whole_files import write_result

OPTIONS = "hocket.json"


@dataclass(frozen=True)
class Project:
    """A project. name: of its folder. folder: its path. source: the folder of its sketch. include: folder of
    common headers. libraries: folders of libraries. tested: the sketch is that of a test."""

    name: str
    folder: str
    source: str
    include: str
    libraries: list[str]
    flags: list[str]
    cores: int
    tested: bool


def read_project(folder: Path) -> Project:
    file = folder / OPTIONS
    try:
        return Project(**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as problem:
        raise HocketError(
            "this is not a build folder of PlatformIO, or it is of another version",
            str(problem),
            "run `hocket platformio install` once more, then `pio run`",
            file,
        ) from problem


def sketch_of(project: Project) -> Sketch:
    """Returns the project's sketch: its .ino files, beginning with main.ino, and all sources below. Without
    .ino files only the sources, of which one must be C++."""
    folder = Path(project.source).resolve()
    tabs = files_in(folder, INO)
    sources = files_in(folder, COMPILED, deep=True)
    if not tabs and not sources:
        raise HocketError(
            "the project has no sketch",
            f"there is no .ino and no .cpp in {folder}",
            "write src/main.ino, or name its folder by src_dir in [platformio]",
        )
    headers = files_in(folder, HEADERS, deep=True)
    if Path(project.include).is_dir():
        headers += files_in(Path(project.include).resolve(), HEADERS, deep=True)
    main = [tab for tab in tabs if tab.stem in ("main", project.name)]
    if tabs and not main:
        tabs = list(find_sketch(str(folder)).tabs)
    tabs = [*main[:1], *(tab for tab in tabs if tab not in main[:1])]
    name = folder.name if project.tested else project.name
    return Sketch(name, folder, tuple(tabs), tuple(sources), tuple(headers))


def chosen_libraries(
    project: Project, sketch: Sketch, board: Board, toolchain: Toolchain
) -> list[Library]:
    places = [Path(place) for place in project.libraries]
    include = Path(project.include)
    if not include.is_dir():
        return needed_libraries(sketch, board, toolchain, places)
    seen = replace(toolchain, compile=(*toolchain.compile, f"-I{include.resolve()}"))
    found = needed_libraries(sketch, board, seen, places)
    return [*found, Library("include", (include.resolve(),), ())]


def image_of(folder: Path, board: str) -> Image:
    """Returns the built sketch. Nothing is built if nothing has changed."""
    project = read_project(folder)
    sketch, chosen = sketch_of(project), find_board(board)
    toolchain = with_flags(
        sketch, chosen, project.flags, Path(project.folder)
    )  # slow the first time, with progress shown
    try:
        with without_progress():
            return build_sketch(
                sketch,
                chosen,
                toolchain,
                folder=folder / "hocket",
                chosen=chosen_libraries(project, sketch, chosen, toolchain),
            )
    except CompileError as error:
        if error.missing_header:
            error.next_step = "put the library that has it into lib/, or name it in lib_deps"
        raise


def build_command(folder: Path, board: str) -> int:
    """Builds, and checks that the loops can be guaranteed. Errors are printed in the compilers' format."""
    try:
        image = image_of(folder, board)
        report, ended = analyse(image, read_project(folder).cores)
    except HocketError as error:
        tell(error)
        return error.exit_code
    if ended.status == EXIT_REFUSED:
        for refusal in refusals(report, image, "board_build.cores = {cores} in platformio.ini"):
            tell(refusal)
        return EXIT_REFUSED
    shutil.copyfile(image.sketch_elf, folder / "firmware.elf")
    if image.board.programmed:
        shutil.copyfile(image.flash_file, folder / "firmware.hex")
        size_command(image.sketch_elf)
    return EXIT_DONE


def run_command(folder: Path, board: str, duration: str) -> int:
    """Runs the sketch on the simulated board, and shows its Serial, then the timing table."""
    project = read_project(folder)
    image = image_of(folder, board)
    scenario = replace(find_scenario(None, image.sketch, image.board), expectations=())
    request = Request(project.source, board, project.cores, duration)
    finished = run_image(image, request, scenario)
    if finished.ended.open_line:
        print()
    if finished.status == EXIT_REFUSED:
        print_refusal(finished.report, finished.ended, image)
    else:
        print_timing(finished.report, image.sketch.folder)
    return finished.status


def test_command(folder: Path, board: str) -> int:
    """Runs a test's sketch, and prints its scenario's expectations as lines in Unity's format for the runner
    in arduino/platformio/. Returns EXIT_DONE, because the lines contain the result."""
    project = read_project(folder)
    place, line = Path(project.source), 1
    try:
        image = image_of(folder, board)
        scenario = find_scenario(None, image.sketch, image.board)
        place = scenario.file or place
        finished = run_image(image, Request(project.source, board, project.cores), scenario)
    except HocketError as error:
        _case(
            Path(error.file or place),
            error.line or line,
            "run",
            f"{error.fact} {error.cause}".strip(),
        )
        return EXIT_DONE
    if finished.ended.open_line:
        print()
    report, ended = finished.report, finished.ended
    if ended.status != EXIT_DONE:
        faults = [f"fault: loop {fault['loop']}: {fault['text']}" for fault in report["faults"]]
        reasons = report["admission"]["reasons"] or faults or ended.messages
        _case(place, line, "run", "; ".join(reasons) or f"it ended with status {ended.status}")
    for judged in report.get("expectations", []):
        _case(place, judged["line"], judged["text"], "" if judged["met"] else judged["seen"])
    return EXIT_DONE


def _case(file: Path, line: int, name: str, why_not: str) -> None:
    name = name.replace(":", ";")  # a colon would end the name
    outcome = f"FAIL: {why_not}" if why_not else "PASS"
    print(f"{shorten(file)}:{line}:{name}:{outcome}", flush=True)


def flash_command(folder: Path, board: str, port: Path | None) -> int:
    """Writes the sketch to a real Uno."""
    return write_image(image_of(folder, board), port)


def commands_command(folder: Path, board: str, output: Path) -> int:
    """Writes the command of each source for an editor's completion (clang's compilation database)."""
    check_writable("--output", output)
    project = read_project(folder)
    sketch, chosen = sketch_of(project), find_board(board)
    toolchain = with_flags(sketch, chosen, project.flags, Path(project.folder))
    libraries = chosen_libraries(project, sketch, chosen, toolchain)
    entries = [
        {"directory": str(sketch.folder), "file": str(path), "arguments": list(words)}
        for path, words in commands_of(sketch, chosen, toolchain, libraries)
    ]
    write_result(output, json.dumps(entries, indent=1) + "\n")
    print(f"wrote {output}: {len(entries)} sources", file=sys.stderr)
    return EXIT_DONE
