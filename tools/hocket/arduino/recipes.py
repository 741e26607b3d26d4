"""The smaller commands that the recipes of arduino/ide/*/platform.txt call."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from hocket.arduino.each_file import preprocess
from hocket.arduino.linking import image_of, kept
from hocket.avrdude import write_image
from hocket.boards import find_board
from hocket.builder import prepare_board
from hocket.builder.sizes import sizes_of
from hocket.errors import EXIT_REFUSED
from hocket.running.performing import run_image
from hocket.running.request import Request
from hocket.running.scenarios import find_scenario
from hocket.running.telling import print_refusal
from hocket.timing import print_timing


def prepare_command(board: str) -> int:
    prepare_board(find_board(board))
    return 0


def preprocess_command(board: str, source: Path, output: Path, words: Sequence[str]) -> NoReturn:
    """Preprocesses a source. Ends with the compiler's exit status."""
    prepare_command(board)
    preprocess(board, source, output, words)


def size_command(program: Path) -> int:
    """Prints the bytes of flash and of RAM that a program takes before it runs."""
    sizes = sizes_of(program)
    print(f"flash {sizes.flash}", f"ram {sizes.ram}", sep="\n")
    return 0


def upload_command(folder: Path, port: Path | None, duration: str) -> int:
    """Writes a built sketch to its board. On a simulated board it runs the sketch and shows its Serial."""
    build = kept(folder)
    os.chdir(folder)
    image = image_of(build)
    if image.board.programmed:
        return write_image(image, port)
    around = find_scenario(None, image.sketch, image.board)
    scenario = replace(around, expectations=())  # an upload is not a test
    request = Request(build.source, build.board, build.cores, duration)
    finished = run_image(image, request, scenario)
    if finished.ended.open_line:
        print()
    if finished.status == EXIT_REFUSED:
        print_refusal(finished.report, finished.ended)
    else:
        print_timing(finished.report, image.sketch.folder)
    return finished.status
