"""Builds a sketch for a board: translates it, compiles what changed, and links it.

The results are in `build/sketches/<name>-<hash>/`, one folder for each sketch and board:
    .src/NAME.ino.cpp  the translated sketch
    .obj/…             objects, with the list of what each was made from
    NAME               the program that `hocket run` runs
    NAME.elf           the sketch alone, if the board's programs have a kernel around it (kernel.py). These
                       programs are NAME, NAME.native for a real board, and NAME.one-core and
                       NAME.one-core.native
    NAME.hex           the file for a board that is programmed, which its simulation runs, too
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from hocket import intel_hex
from hocket.boards import DEFAULT_POLICY, Board
from hocket.builder import avr_gcc, port_registers
from hocket.builder.analog_only import analog_only_warnings
from hocket.builder.board import Gcc, Toolchain, jobs, prepare_launcher
from hocket.builder.clock_registers import check_clock_registers
from hocket.builder.compile import Outcome, Sharing, Unit, compile_unit, current, end_all
from hocket.builder.compile_error import CompileError, compile_error
from hocket.builder.diagnostics import Diagnostics, Source, clean
from hocket.builder.found_libraries import needed_libraries
from hocket.builder.handler_stacks import check_handler_stacks
from hocket.builder.held_pulses import held_pulses
from hocket.builder.includes import check_includes
from hocket.builder.kernel import BESIDE, NATIVE, PEER, with_kernel
from hocket.builder.libraries import Library, passed_over
from hocket.builder.library_properties import check_has_sources
from hocket.builder.linking import LinkError, link, write_stamp
from hocket.builder.lock import locked
from hocket.builder.loop_stacks import (
    Need,
    needed_stacks,
    read_sizes,
    stack_warnings,
    with_reasons,
    write_sizes,
)
from hocket.builder.own_names import with_own_names
from hocket.builder.policies import policy_of, prepare_policy
from hocket.builder.pwm_pins import pwm_warnings
from hocket.builder.races import races
from hocket.builder.room import NoRoom
from hocket.builder.shared_objects import compile_shared, compile_unless_busy
from hocket.builder.torn_values import torn_values
from hocket.builder.units import Means, kept_in, units_of
from hocket.builder.visits import with_visits
from hocket.confinement import tool
from hocket.console import progress, say
from hocket.paths import SKETCHES
from hocket.project_file import project_file
from hocket.sketch.annotations import Loop
from hocket.sketch.folder import Sketch, read_source
from hocket.sketch.translate import (
    Translation,
    replaced_head,
    translate,
)

# The result of a link-time optimisation whose objects do not link.
_APART = "apart"
# The number of builds: with the stack sizes of the last build, without them, and with those that the program
# needs.
_BUILDS = 3


@dataclass(frozen=True)
class Image:
    """A built sketch. sketch_elf: the sketch with its debug information, in which the addresses of faults are
    looked up. On a board without a separate kernel it is also the program. compiler: of the sketch's own
    sources."""

    sketch: Sketch
    board: Board
    translation: Translation
    sketch_elf: Path
    toolchain: Toolchain
    policy: str = DEFAULT_POLICY
    compiler: str = ""

    @property
    def program(self) -> Path:
        """The program that `hocket run` runs, on as many cores as the board may have."""
        return self.program_for(self.board.most_cores)

    def program_for(self, cores: int) -> Path:
        """Returns the program that `hocket run` runs on this number of cores. Adds the kernel now, if it is
        separate."""
        return self._around(PEER, cores)

    def native_for(self, cores: int) -> Path:
        """Returns the program that a real board runs on this number of cores."""
        return self._around(NATIVE, cores)

    def beside_for(self, cores: int) -> Path:
        """Returns the flash image that `hocket run --beside` runs on this number of cores. Raises HocketError
        if the sketch or the board does not allow it."""
        program = self._around(BESIDE, cores)
        return program.with_name(f"{program.name}.flash")

    def _around(self, around: str, cores: int) -> Path:
        if not self.toolchain.around:
            return self.sketch_elf
        return with_kernel(self.sketch_elf, self.board, self.toolchain, around, cores)

    @property
    def flash_file(self) -> Path:
        """The file for a board that is programmed: the program's bytes without debug information."""
        return self.program.with_name(f"{self.program.name}.hex")


def build_sketch(
    sketch: Sketch,
    board: Board,
    toolchain: Toolchain | None = None,
    policy: str | None = None,
    *,
    folder: Path | None = None,
    threads: int | None = None,
    libraries: Sequence[Path] = (),
    chosen: Sequence[Library] | None = None,
    shared: Path | None = None,
    debug: bool = False,
    coverage: bool = False,
) -> Image:
    """Builds the sketch. Raises HocketError, after printing the compiler's messages, if it cannot be built.

    policy: None: the policy that the sketch declares (policies.py). folder: of the results. None: the
    sketch's own folder below `build/sketches`. threads: concurrent compilers. None: one for each processor.
    libraries: more folders of libraries, besides those that the sketch finds by itself. chosen: use exactly
    these libraries. shared: a folder in which the builds of one command share objects of libraries. debug:
    compile the sketch's own sources without optimisation, in a separate folder.
    coverage: make a program that records which code runs, in another separate folder.
    """
    translation = translate(sketch)
    policy = policy_of(sketch, board, policy)
    prepare_launcher()
    if toolchain is None:
        toolchain = prepare_policy(board, policy)
    if debug:
        toolchain = toolchain.unoptimized()
    name = sketch.name.replace("%", "_")  # lld expands %
    own = f"{name}-{_hash(sketch, board, policy)}{'-debug' if debug else ''}"
    own += "-coverage" if coverage else ""
    folder = folder or SKETCHES / own
    if chosen is None:
        chosen = _found_libraries(sketch, board, toolchain, libraries)
    for library in chosen:
        check_has_sources(library.folder)
    if coverage:
        with locked(folder):
            toolchain = with_visits(toolchain, folder)
    sharing = Sharing(shared, sketch.folder) if shared is not None and not sketch.headers else None
    means = Means(toolchain, threads or jobs(), chosen, sharing)
    with locked(folder):
        sketch_elf = folder / (f"{name}.elf" if toolchain.around else name)
        compiler, objects, instead = toolchain.name, list[Path](), ""
        gcc = toolchain.gcc
        if gcc is not None and not translation.loops:
            instead = "a debugger needs every statement" if debug else ""
            instead = instead or avr_gcc.speaks_hocket(sketch, translation)
            if not instead:
                compiler = gcc.name
                objects, instead = _with_gcc(sketch, board, translation, means, gcc, sketch_elf)
        if not objects:
            try:
                objects = _compiled_and_linked(sketch, board, translation, means, sketch_elf)
            except CompileError as error:
                if gcc is not None and instead:
                    error.add_reason(sketch, toolchain.name, gcc.name, instead)
                raise
        if gcc is not None and instead:
            compiler = toolchain.name
            say(f"{sketch.name} is compiled with {compiler}, not {gcc.name}: {instead}")
        check_handler_stacks(sketch, objects, toolchain, sketch_elf)
        warning = check_clock_registers(board, objects, toolchain, sketch_elf)
        if warning:
            print(warning, file=sys.stderr)
        image = Image(sketch, board, translation, sketch_elf, toolchain, policy, compiler)
        if board.programmed or board.launcher == "avr-simulator":  # which runs what is written
            _make_flash_file(image)
    return image


def _found_libraries(
    sketch: Sketch, board: Board, toolchain: Toolchain, further: Sequence[Path]
) -> list[Library]:
    further = [*project_file(sketch.folder).libraries, *further]
    libraries = needed_libraries(sketch, board, toolchain, further)
    for path in passed_over(sketch, libraries):
        say(
            f"the box's library {path.name} is used, which is made for this board, and not {path}: "
            "that one's `architectures` do not name hocket"
        )
    return libraries


def _with_gcc(
    sketch: Sketch, board: Board, translation: Translation, means: Means, gcc: Gcc, program: Path
) -> tuple[list[Path], str]:
    """Compiles a plain sketch with avr-gcc. Returns its objects, or none and the reason why avr-gcc
    cannot."""
    folder, toolchain = program.parent, means.toolchain
    clangs = units_of(sketch, board, translation, means, folder, {})
    checks = [avr_gcc.as_check(unit) for unit in clangs if avr_gcc.is_checked(unit)]
    first = avr_gcc.as_gcc(clangs[0], toolchain, gcc, whole=True)
    memory = avr_gcc.Memory(folder / "avr-gcc.stamp", [*clangs, first])
    known = memory.known()
    if known and known != _APART:
        return [], known
    for whole in (False,) if known else (True, False):
        units = [
            replace(unit, command=(*unit.command, avr_gcc.WITHOUT_LOOPS))
            for unit in (avr_gcc.as_gcc(unit, toolchain, gcc, whole) for unit in clangs)
        ]
        kept = [kept_in(unit, sketch, means) for unit in (*units, *checks)]
        outcomes = _compile(kept, sketch, means.threads)
        made, said = outcomes[: len(units)], outcomes[len(units) :]
        if why := avr_gcc.reason(made):
            read = (*(outcome.inputs for outcome in outcomes), map(str, (u.source for u in units)))
            memory.keep(why, [name for names in read for name in names])
            return [], why
        heeded = [outcome for outcome in said if avr_gcc.counts(outcome)]
        _report_messages(heeded, sketch, board, translation, folder, means.libraries)
        check_includes(made, sketch, means.libraries, toolchain.cxx, folder)
        objects = [unit.object for unit in units]
        linked_with = avr_gcc.linked_with(toolchain, gcc, whole)
        reads = (folder, *(library.folder for library in means.libraries))
        launcher = tuple(map(str, tool(toolchain.linker, reads, folder))) if whole else ()
        try:
            link(objects, linked_with, program, _files_read(made), launcher)
            break
        except LinkError:
            if not whole:
                raise
            memory.keep(_APART, [name for outcome in made for name in outcome.inputs])
    return objects, ""


def _with_second_compiler(units: list[Unit], sketch: Sketch, means: Means) -> list[Outcome]:
    """Compiles all sources. A library file that clang rejects is compiled with avr-gcc, if the board has
    it."""
    toolchain = means.toolchain
    gcc = toolchain.gcc
    if gcc is None or not any(unit.library for unit in units):
        return _compile(units, sketch, means.threads)
    memories = [
        avr_gcc.Memory(unit.object.with_suffix(".refused"), [unit]) if unit.library else None
        for unit in units
    ]
    others = [
        kept_in(avr_gcc.beside_clang(unit, toolchain, gcc), sketch, means) if memory else unit
        for unit, memory in zip(units, memories, strict=True)
    ]
    refused = [memory is not None and memory.known() != "" for memory in memories]
    first = [o if no else u for u, o, no in zip(units, others, refused, strict=True)]
    outcomes = _compile(first, sketch, means.threads)
    for at, (outcome, memory) in enumerate(zip(outcomes, memories, strict=True)):
        if not outcome.failed or memory is None or refused[at]:
            continue
        again = compile_unit(others[at])
        if not again.failed:
            memory.keep("refused", again.inputs)
            outcomes[at] = again
    return outcomes


def _compiled_and_linked(
    sketch: Sketch, board: Board, translation: Translation, means: Means, program: Path
) -> list[Path]:
    """Compiles and links the sketch, and returns the objects. Starts with the stack sizes of the last build
    and repeats with the sizes that the linked program needs."""
    toolchain = means.toolchain
    needs: dict[int, Need] = {}
    sizes, told = read_sizes(program), False
    for _ in range(_BUILDS):
        outcomes = _compiled(sketch, board, translation, means, program.parent, sizes)
        if any(outcome.failed for outcome in outcomes):
            check_includes(outcomes, sketch, means.libraries, toolchain.cxx, program.parent)
        if not told or any(outcome.failed for outcome in outcomes):
            folder = program.parent
            _report_messages(outcomes, sketch, board, translation, folder, means.libraries)
        told = True
        check_includes(outcomes, sketch, means.libraries, toolchain.cxx, program.parent)
        objects = [outcome.unit.object for outcome in outcomes]
        try:
            link(with_own_names(objects, toolchain), toolchain, program, _files_read(outcomes))
        except NoRoom as full:
            if not sizes:
                raise
            if needs:
                raise with_reasons(full, needs) from None
            sizes = {}  # the sizes may be those of an earlier version of the sketch
            continue
        needs = needed_stacks(translation.loops, program, toolchain)
        needed = {loop: need.with_interrupts for loop, need in needs.items()}
        if needed == sizes:
            break
        sizes = needed
    write_sizes(program, sizes)
    for warning in stack_warnings(translation.loops, program, toolchain):
        print(warning, file=sys.stderr)
    if toolchain.gcc is not None and toolchain.memory is not None:
        avr_gcc.check_border(outcomes, toolchain.gcc, toolchain.memory.symbols, program.parent)
    return objects


def _files_read(outcomes: Sequence[Outcome]) -> list[str]:
    return [name for outcome in outcomes for name in outcome.inputs]


def _compiled(
    sketch: Sketch,
    board: Board,
    translation: Translation,
    means: Means,
    folder: Path,
    stacks: dict[int, int],
) -> list[Outcome]:
    """Compiles all sources. Compiles them a second time if the objects show that the sketch uses port
    registers, or no longer does. A sketch that uses them without the flag is compiled with the flag, even if
    it uses none then (a source may test for the flag)."""
    mark = folder / "port-registers"
    through_calls, seen_without = mark.is_file(), False
    while True:
        units = [
            kept_in(unit, sketch, means)
            for unit in units_of(sketch, board, translation, means, folder, stacks)
        ]
        if through_calls:
            units = [replace(u, command=(*u.command, port_registers.FLAG)) for u in units]
        outcomes = _with_second_compiler(units, sketch, means)
        if any(outcome.failed for outcome in outcomes):
            return outcomes
        has = port_registers.has_registers((unit.object for unit in units), board)
        if has == through_calls or (through_calls and seen_without):
            break
        seen_without = has
        through_calls = not through_calls
    mark.touch() if through_calls else mark.unlink(missing_ok=True)
    return outcomes


def _hash(sketch: Sketch, board: Board, policy: str) -> str:
    first = sketch.tabs[0] if sketch.tabs else sketch.sources[0]
    of_policy = "" if policy == DEFAULT_POLICY else f"\0{policy}"
    return hashlib.sha256(f"{board.name}\0{first}{of_policy}".encode()).hexdigest()[:8]


def _compile(units: list[Unit], sketch: Sketch, threads: int) -> list[Outcome]:
    if all(unit.is_current() for unit in units):
        return [compile_unit(unit) for unit in units]
    with progress(f"compiling {sketch.name}"), ThreadPoolExecutor(threads) as pool:
        try:
            first = list(pool.map(compile_unless_busy, units))
            busy = (unit for unit, made in zip(units, first, strict=True) if made is None)
            rest = pool.map(compile_shared, busy)
            return [next(rest) if made is None else made for made in first]
        except BaseException:  # a signal: the pool would wait for its compilers
            pool.shutdown(wait=False, cancel_futures=True)
            end_all()
            raise


def _report_messages(
    outcomes: list[Outcome],
    sketch: Sketch,
    board: Board,
    translation: Translation,
    folder: Path,
    libraries: Sequence[Library],
) -> None:
    """Prints the compiler's messages. Raises CompileError if a source did not compile."""
    own = {p: Source(read_source(p).split("\n")) for p in (*sketch.tabs, *sketch.sources)}
    for loop in translation.loops:
        _note_widening(loop, own)
    warnings = pwm_warnings(sketch, board, bool(translation.loops))
    warnings += analog_only_warnings(sketch, board)
    found = races(sketch, board)
    racing = tuple(f"{race.path}:{race.line}: " for race in found)
    torn = [each for each in torn_values(sketch, board) if not each.startswith(racing)]
    warnings += [*(race.warning for race in found), *torn, *held_pulses(sketch, board, libraries)]
    for warning in warnings:
        print(clean(warning, set(), own).text, file=sys.stderr)
    generated = {folder / ".src" / f"{sketch.name}.ino.cpp"}
    failed: tuple[Outcome, Diagnostics] | None = None
    errors = 0
    for outcome in outcomes:
        messages = clean(outcome.messages, generated, own, avr=board.architecture == "avr")
        errors += messages.errors
        if messages.text:
            print(messages.text, file=sys.stderr)
        if outcome.failed and failed is None:
            failed = (outcome, messages)
    if failed is not None:
        failed[1].errors = errors
        raise compile_error(sketch, board, libraries, *failed)


def _note_widening(loop: Loop, own: dict[Path, Source]) -> None:
    """Records how far the loop's text moved to the right, if the macro's name is longer than `void loop`."""
    source = own.get(loop.file)
    if source is None or loop.from_macro:
        return
    text = "\n".join(source.lines)
    head = text[loop.start : loop.open]
    by = len(replaced_head(head, loop.kind).rpartition("\n")[2]) - len(head.rpartition("\n")[2])
    line = text.count("\n", 0, loop.open) + 1
    column = loop.open - (text.rfind("\n", 0, loop.open) + 1)
    before = source.widened.setdefault(line, [])
    before.append((column + by + sum(earlier for _, earlier in before), by))


def _make_flash_file(image: Image) -> None:
    stamp_file = image.program.parent / "flash.stamp"
    command = ("intel hex",)
    if current(stamp_file, command, image.flash_file):
        return
    stamp_file.unlink(missing_ok=True)
    intel_hex.write_hex(image.program, image.flash_file)
    write_stamp(stamp_file, command, [image.flash_file, image.program, Path(intel_hex.__file__)])
