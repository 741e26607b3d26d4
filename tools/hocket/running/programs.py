"""The program that runs a board, and its command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hocket.boards import DEFAULT_POLICY, Board, boards_with
from hocket.builder import (
    Image,
    attaches_handlers,
    prepare_avr_check,
    prepare_avr_simulator,
    prepare_world,
)
from hocket.card import flatten
from hocket.running.request import Request, cores_of, duration_of
from hocket.scenario import Scenario
from hocket.whole_files import keep_current

if TYPE_CHECKING:
    from hocket.linux.beside import Neighbour
    from hocket.scenario.settings import Declared
    from hocket.sketch.annotations import Loop


def command_of(
    image: Image,
    request: Request,
    scenario: Scenario,
    folder: Path,
    neighbour: Neighbour | None,
) -> list[str | Path]:
    """Returns the program's whole command line. Files of this run lie in `folder`, its facts in
    facts.json."""
    cores = cores_of(request.cores, scenario, image.board)
    beside = neighbour.options if neighbour is not None else None
    command: list[str | Path] = [*board_program(image, cores, beside), "--cores", str(cores)]
    command += ["--for", str(duration_of(request, scenario))]
    command += ["--seed", str(request.seed), "--facts", folder / "facts.json"]
    if scenario.flat:
        (folder / "scenario.flat").write_text(scenario.flat, encoding="utf-8")
        command += ["--scenario", folder / "scenario.flat"]
    if request.touches is not None:
        command += ["--touches", request.touches.absolute()]
    if request.settings:
        from hocket.scenario.settings import loop_options

        able = boards_with("settable_budgets")
        loops = [_declared(loop) for loop in image.translation.loops]
        command += loop_options(request.settings, image.board.name, able, loops)
    if request.anyway:
        command.append("--anyway")
    for text in request.expect_text:
        command += ["--expect-text", text]
    for text in request.fail_text:
        command += ["--fail-text", text]
    return [*command, "--serial-limit", str(request.serial_limit)]


def _declared(loop: Loop) -> Declared:
    from hocket.scenario.settings import Declared
    from hocket.sketch.spans import read_span

    spans = [read_span(argument) for argument in loop.arguments[1:4]]
    return Declared(loop.id, tuple(None if span is None else span.nanoseconds for span in spans))


def board_program(
    image: Image, cores: int, beside: list[str | Path] | None = None
) -> list[str | Path]:
    """Returns the program that runs the image on this number of cores, with the options that all its commands
    need. beside: the options of a system beside it."""
    other = _policy_of(image)
    if beside is not None:
        return [*_program_beside(image, cores), *beside, *other]
    return [*_program(image, cores), *other]


def checking_program(
    image: Image, cores: int, beside: list[str | Path] | None = None
) -> list[str | Path]:
    """Returns the program that admits the image's loops, with the options that it needs. For most boards it
    is the board's own program, which then runs nothing."""
    if image.board.launcher != "avr-simulator":
        return [*board_program(image, cores, beside), "--check"]
    return [*_avr_words(prepare_avr_check(), image), *_policy_of(image)]


def _policy_of(image: Image) -> list[str]:
    return ["--policy", image.policy] if image.policy != DEFAULT_POLICY else []


def _avr_words(program: Path, image: Image) -> list[str | Path]:
    words: list[str | Path] = [program, "--board", image.board.name]
    words += ["--analog-inputs", str(image.board.analog_inputs)]
    return [*words, "--image", image.program]


def _program_beside(image: Image, cores: int) -> list[str | Path]:
    flash = image.beside_for(cores)
    return [prepare_world(), *of_board(image.board), "--image", flash]


def of_board(board: Board) -> list[str]:
    """Returns the options by which the world program knows a board in QEMU. The machine has twice as much
    memory as the kernel uses: what is behind it shows that the kernel leaves it alone."""
    estimated = ["--costs-estimated"] if board.costs_estimated else []
    memory = str(2 * board.ram_size // (1 << 20))
    return ["--board", board.name, "--qemu", board.qemu, "--memory", memory, *estimated]


def _program(image: Image, cores: int) -> list[str | Path]:
    launcher = image.board.launcher
    if launcher == "itself":
        return [image.program]
    if launcher == "avr-simulator":
        words = _avr_words(prepare_avr_simulator(), image)
        return [*words, "--flash", image.flash_file]
    # On one core the time of the edge generator is subtracted from the board's clock, at EL2.
    made_edges = image.board.hypervisor and cores == 1 and attaches_handlers(image.sketch_elf)
    words = [prepare_world(), *of_board(image.board), "--image", _startable(image, cores)]
    return [*words, *(["--hypervisor"] if made_edges else [])]


def _startable(image: Image, cores: int) -> Path:
    """Returns the file that an emulator starts. For a board with a card this is the content of the card, so
    that the emulator does what the board's firmware does."""
    if not image.board.card:
        return image.program_for(cores)
    program = image.program_for(cores)  # differs between numbers of cores and kernels
    return keep_current(program.with_name(f"{program.name}.img"), flatten(program))
