"""Links a sketch, and explains why it cannot be linked."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from hocket.avr_chips import ATMEGA328P, CHIPS, Chip
from hocket.builder.board import Toolchain
from hocket.builder.compile import current, fingerprint, run
from hocket.builder.origins import origin_of
from hocket.builder.own_handlers import own_handlers_wake
from hocket.builder.pin_numbers import CALLS, names_changing_pins
from hocket.builder.room import check_room
from hocket.console import progress
from hocket.errors import HocketError
from hocket.whole_files import write_whole

# delay() of a plain sketch calls the sketch's yield() (arduino/cores/avr8/plain_delay_yields.cpp).
_YIELDS = "-Wl,-u,hocket_delay_yields"
# serialEvent() is called for every received byte, whether or not it reads the byte. So the receiver is
# linked, and admission counts the incoming bytes (arduino/api/serial_marks.h).
_RECEIVES = {
    f"_Z{len(name)}{name}v": (
        f"-Wl,-u,hocket_serial_receiver_{port}",
        f"-Wl,--defsym=hocket_serial_reads_{port}=1",
    )
    for port, name in enumerate(("serialEvent", "serialEvent1", "serialEvent2", "serialEvent3"))
}
_EVENTS = "-Wl,-u,_Z14serialEventRunv"  # main() names it weakly
# A handler of the sketch's own wakes loops (own_handlers.py).
_WAKES = ("-Wl,-u,hocket_own_handler_wakes",)
# The functions of avr-libc that read a stream. All others call one of these.
_READS = "fgetc|fgets|fread|vfscanf|gets"


class LinkError(HocketError):
    """The sketch does not link."""


def link(
    objects: list[Path],
    toolchain: Toolchain,
    program: Path,
    read: Sequence[str],
    launcher: Sequence[str] = (),
) -> None:
    """Links the objects unless the program is current. Raises LinkError if they do not link, and HocketError
    if the program does not fit. read: the files that the compilers have read. launcher: words that replace
    the linker and start it confined, because it compiles the sketch's code (-flto)."""
    linker = toolchain.linker or toolchain.cxx
    chosen, rest = _chosen_parts(objects, toolchain, read)
    command = (linker, *map(str, objects), *chosen, *rest, "-o", str(program))
    map_file = program.with_name(f"{program.name}.map")
    if toolchain.memory is not None:
        command = (*command, f"-Wl,-Map={map_file}")
    stamp_file = program.parent / "link.stamp"
    if current(stamp_file, command, program):
        return
    stamp_file.unlink(missing_ok=True)
    with progress(f"linking {program.name}"):
        done = run([*(launcher or command[:1]), *command[1:]])
        if done.returncode == 0 and (further := _further_parts(program, objects, toolchain)):
            done = run([*(launcher or command[:1]), *further, *command[1:]])
    if done.returncode != 0:
        memory = toolchain.memory
        raise link_error(done.stderr, CHIPS[memory.chip] if memory else None)
    if toolchain.memory is not None:
        check_room(program, map_file, toolchain.memory)
    write_stamp(stamp_file, command, [program, *objects, *toolchain.inputs])


def _chosen_parts(
    objects: list[Path], toolchain: Toolchain, read: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the linker arguments that depend on what the sketch defines and names, and the toolchain's
    own."""
    if toolchain.memory is None or not toolchain.plain:
        return (), toolchain.link
    listed = run([toolchain.memory.symbols, *map(str, objects)]).stdout
    events = [name for name in _RECEIVES if _defines(listed, name, "[TW]")]
    words = tuple(word for name in events for word in _RECEIVES[name]) + (
        (_EVENTS,) if events else ()
    )
    if toolchain.any_change and _defines(listed, CALLS, "U"):
        words += (toolchain.any_change,) if names_changing_pins(read) else ()
    usual = re.compile(rf"lib{toolchain.kernels[0]}(?=[-.])")
    if not _defines(listed, "hocket_run_loops"):
        yields = (_YIELDS,) if _defines(listed, "yield", "[TW]") else ()
        # main() is in the archive, and no other symbol refers to it yet.
        return (*words, "-Wl,-u,main", *yields), _without_loops(toolchain, usual)
    kernels = [kernel for name, kernel in toolchain.kernel_for.items() if _defines(listed, name)]
    if not kernels:
        return words, toolchain.link
    return words, tuple(usual.sub(f"lib{kernels[-1]}", word) for word in toolchain.link)


def _further_parts(program: Path, objects: list[Path], toolchain: Toolchain) -> tuple[str, ...]:
    """Words for a second run of the linker, for what the program of the first one has shown."""
    streams = _standard_streams(program, toolchain)
    if toolchain.memory is None:
        return streams
    symbols, chip = toolchain.memory.symbols, CHIPS[toolchain.memory.chip]
    listed = run([symbols, *map(str, objects)]).stdout
    return (*streams, *(_WAKES if own_handlers_wake(program, listed, symbols, chip) else ()))


def _standard_streams(program: Path, toolchain: Toolchain) -> tuple[str, ...]:
    """Returns the object that makes Serial standard output, or the one that makes it standard input as
    well (stdio.cpp). Returns none if the program does not use avr-libc's streams, or opens its own
    (fdevopen()). The linked program is examined, because avr-gcc's objects do not name built-in functions
    such as printf()."""
    if not toolchain.standard_streams or toolchain.memory is None:
        return ()
    listed = run([toolchain.memory.symbols, str(program)]).stdout
    if not _defines(listed, "__iob", "[BbDd]") or _defines(listed, "fdevopen", "T"):
        return ()
    output, both = toolchain.standard_streams
    return (both if _defines(listed, _READS, "T") else output,)


def _without_loops(toolchain: Toolchain, kernel: re.Pattern[str]) -> tuple[str, ...]:
    """Returns the link arguments for a sketch without loops: no kernel, and the archives for such
    sketches."""
    words = (word for word in toolchain.link if not kernel.search(word))
    return tuple(toolchain.plain.get(word, word) for word in words)


def _defines(listed: str, names: str, kind: str = "") -> bool:
    """Returns whether nm's listing has one of these symbols with this type letter."""
    return re.search(rf"{kind} (?:{names})$", listed, re.M) is not None


def write_stamp(stamp_file: Path, command: tuple[str, ...], inputs: list[Path]) -> None:
    files = {str(path): fingerprint(path) for path in inputs}
    write_whole(stamp_file, json.dumps({"command": command, "files": files}))


def link_error(said: str, chip: Chip | None = None) -> LinkError:
    """Returns the error for the linker's messages. Conditions of the boards (in sketch.ld) contain their own
    text. chip: that of a board with an AVR."""
    own = re.search(r"error: hocket: (.+?) \| (.+?) \| (.+)$", said, re.MULTILINE)
    if own:
        return LinkError(own[1], own[2], own[3])
    error = (
        _undefined(said, chip is not None) or _twice(said, chip or ATMEGA328P) or _far_too_big(said)
    )
    if error is not None:
        return error
    print(said.rstrip(), file=sys.stderr)
    return LinkError(
        "the sketch does not link",
        "see the linker's messages above",
        "fix the first error, then build again",
    )


# Owners of a handler of the clock's timer in sketches with loops. In other sketches the clock is timer 0.
_OF_THE_LOOPS = {
    *("Hocket's Arduino language", "the kernel of the loops", "the clock: millis(), delay()")
}
_AVR_CLOCK = {"timer0_millis", "timer0_overflow_count", "timer0_fract"}
# Symbols by which sketches measure free memory.
_AVR_MEMORY = {
    "__brkval",
    "__heap_start",
    "__heap_end",
    "__malloc_heap_start",
    "__bss_end",
    "__flp",
}


def _undefined(said: str, avr: bool) -> LinkError | None:
    """Finds names that are used but not defined: "undefined reference" (GNU ld), "undefined symbol" (lld)."""
    names = re.findall(r"undefined reference to [`'](.+?)'", said)
    names += re.findall(r"undefined (?:hidden )?symbol: (.+)$", said, re.MULTILINE)
    if not names:
        return None
    place = re.search(r"^(/[^:\n]+):(\d+): undefined reference", said, re.MULTILINE)
    place = place or re.search(r">>> referenced by [^\n]*?\((/[^:\n]+):(\d+)\)", said)
    shown = list(dict.fromkeys(names))
    more = f" and {len(shown) - 5} more" if len(shown) > 5 else ""
    verb = "is" if len(shown) == 1 else "are"
    if _AVR_CLOCK & set(shown):
        return LinkError(
            f"the sketch does not link: {', '.join(shown[:5])}{more} {verb} used but defined nowhere",
            "the clock of an Arduino Uno without loops counts in it; here the clock is not a variable",
            "keep the instant from which you count, start = millis(), and use millis() - start"
            if avr
            else "keep that part for the Uno: #ifdef __AVR__",
            *((place[1], int(place[2])) if place else ()),
        )
    if _AVR_MEMORY & set(shown):
        return LinkError(
            f"the sketch does not link: {', '.join(shown[:5])}{more} {verb} used but defined nowhere",
            "on an AVR what lies between heap and stack is free; here each loop has a stack of its own",
            "keep that part for the Uno: #ifdef __AVR__; a run's report says how much of each stack was used",
            *((place[1], int(place[2])) if place else ()),
        )
    return LinkError(
        f"the sketch does not link: {', '.join(shown[:5])}{more} {verb} used but defined nowhere",
        "neither the sketch, nor its libraries, nor this board have a definition",
        "define what is missing, include the library that has it, or correct the name",
        *((place[1], int(place[2])) if place else ()),
    )


def _twice(said: str, chip: Chip) -> LinkError | None:
    """Finds two definitions of one name, and their owners. If the name is a vector, two parts use one
    interrupt."""
    twice = _twice_of_lld(said) or _twice_of_gnu(said)
    if twice is None:
        return None
    name, owners = twice
    vector = re.fullmatch(r"__vector_(\d+)", name)
    if vector and int(vector[1]) < len(chip.vectors):
        interrupt = chip.vectors[int(vector[1])]
        what = f"the interrupt {interrupt}"
        if interrupt.startswith(f"TIMER{chip.clock_timer}") and _OF_THE_LOOPS & set(owners):
            return LinkError(
                f"the sketch does not link: {what} is wanted twice",
                f"timer {chip.clock_timer} is the clock of the loops, which has its handler",
                "use timer 2 (TIMER2_COMPA_vect), or a loop with that period",
            )
        cause = f"it can have one handler: {' and '.join(owners)} each have one"
        return LinkError(
            f"the sketch does not link: {what} is wanted twice", cause, "leave one of them out"
        )
    return LinkError(
        f"the sketch does not link: {name} is defined twice",
        f"by {' and by '.join(owners)}" if len(owners) > 1 else f"both times by {owners[0]}",
        "rename one of them, or remove it",
    )


def _twice_of_gnu(said: str) -> tuple[str, list[str]] | None:
    """Returns a name that GNU ld has found twice, and the owners of its definitions."""
    twice = re.search(
        r"^(?P<second>\S[^\n]*?):?[^\n]*: multiple definition of [`'](?P<name>.+?)'",
        said,
        re.MULTILINE,
    )
    if twice is None:
        return None
    second = _owner_before(said, twice.start())
    first = re.search(r"^(\S+?):[^\n]*: first defined here", said[twice.start() :], re.MULTILINE)
    return twice["name"], sorted({second, origin_of(first[1]) if first else "the sketch"})


def _twice_of_lld(said: str) -> tuple[str, list[str]] | None:
    """The same for lld, which tells both objects in the lines below the name."""
    twice = re.search(r"duplicate symbol: (?P<name>.+)\n(?P<below>(?:>>> .*\n?)+)", said)
    if twice is None:
        return None
    objects = re.findall(
        r"^>>> (?:defined at)? *(\S+\.o(?:bj)?):\(.*?\)(?: in archive (\S+))?$",
        twice["below"],
        re.MULTILINE,
    )
    owners = {origin_of(f"{archive}({file})" if archive else file) for file, archive in objects}
    return twice["name"], sorted(owners or {"the sketch"})


def _owner_before(said: str, place: int) -> str:
    """Returns the owner of the object in a message. The linker names the object on an earlier line of its
    own."""
    lines = re.findall(r"^(\S+): In function ", said[:place], re.MULTILINE)
    return origin_of(lines[-1]) if lines else origin_of(said[place:].split(":")[0])


def _far_too_big(said: str) -> LinkError | None:
    """The program exceeds the memory so far that the linker gives up. Then the sizes of its parts are
    unknown."""
    over = re.search(r"(?:will not fit in|is not within) region [`'](\w+)'", said)
    if over is None:
        return None
    what = "RAM" if over[1] == "data" else "flash"
    return LinkError(
        f"the sketch needs far more {what} than the board has",
        "so much more that the linker cannot place it at all",
        "make arrays and tables smaller",
    )
