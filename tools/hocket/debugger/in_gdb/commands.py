"""In gdb: the commands `info loops` and `loop`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

import gdb
from gdb.FrameDecorator import FrameDecorator

from hocket.debugger.in_gdb import avr, processors
from hocket.debugger.in_gdb.loops import Loop, NotThere, all_loops
from hocket.paths import LIBRARIES, ROOT

# Folders of Hocket's own files. The examples are not among them, because they are sketches.
SYSTEM = tuple(
    f"{ROOT / folder}/"
    for folder in (
        *("admission", "arduino", "kernel", "policies", "ports", "simulation", "drivers", "hybrid"),
    )
)

# Commands that let the program continue. They apply to the processor's own state.
GOES_ON = ("continue", "step", "next", "stepi", "nexti", "finish", "until", "advance", "jump",
           "signal", "run", "start", "kill", "detach", "call")  # fmt: skip


IN_SYSTEM = "in the system"


class InfoLoops(gdb.Command):  # type: ignore[misc]
    """The sketch's loops: which one runs (*), what the others do, and where each is.
    Usage: info loops"""

    def __init__(self, processor: str, folder: str) -> None:
        super().__init__("info loops", gdb.COMMAND_STATUS)
        self.processor, self.folder = processor, folder

    def invoke(self, argument: str, from_tty: bool) -> None:
        _check_there()
        selected = gdb.selected_frame()
        with_view = processors.current_view()
        try:
            loops = _loops(self.processor)
            rows = [(f"{'*' if loop.runs else ' '} {loop.name}", loop.kind,
                     *self.doing(loop)) for loop in loops]  # fmt: skip
        finally:
            processors.look_at(with_view)
        if with_view is None and selected.is_valid():
            selected.select()
        rows.insert(0, ("  loop", "kind", "state", "where"))
        widths = [max(len(row[n]) for row in rows) for n in range(3)]
        for row in rows:
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
            print("  ".join([*cells, row[3]]).rstrip())

    def doing(self, loop: Loop) -> tuple[str, str]:
        """Returns the loop's state and place."""
        place = self.place(loop)
        if (loop.kind, loop.state, place) == ("periodic", "sleeps", IN_SYSTEM):
            return "waits for its next period", ""
        return loop.state, place

    def place(self, loop: Loop) -> str:
        frame = in_sketch(loop, self.folder)
        if frame is None:
            return ""
        where = frame.find_sal()
        name = frame.name() or "?"
        if where.symtab is None or not where.symtab.fullname().startswith(self.folder + "/"):
            return IN_SYSTEM
        return f"{name} at {where.symtab.fullname().removeprefix(self.folder + '/')}:{where.line}"


def _check_there() -> None:
    thread = gdb.selected_thread()
    if thread is None or not thread.is_valid():
        raise gdb.GdbError("hocket: the sketch does not run: there are no loops")


def _loops(processor: str) -> list[Loop]:
    # The processors' own registers are needed.
    processors.look_at(None)
    try:
        return all_loops(processor)
    except NotThere as problem:
        raise gdb.GdbError(f"hocket: {problem}") from problem


def in_sketch(loop: Loop, folder: str) -> gdb.Frame | None:
    """Returns the loop's innermost frame in the sketch's own files, else its innermost one. Selects the
    loop's view."""
    if loop.registers is None and not loop.runs:
        return None
    if loop.thread:
        for thread in gdb.selected_inferior().threads():
            if thread.num == loop.thread:
                thread.switch()
    processors.look_at(loop.registers)
    first = gdb.newest_frame()
    if loop.registers is not None:
        first = first.older()
    frame = first
    for _ in range(30):
        if frame is None:
            break
        symtab = frame.find_sal().symtab
        if symtab is not None and symtab.fullname().startswith(folder + "/"):
            return frame
        try:
            frame = frame.older()
        except gdb.error:
            break
    return first


class LoopCommand(gdb.Command):  # type: ignore[misc]
    """Look at a loop: its frames, its variables.
    Usage: loop             back to what runs
           loop N           loop N (or setup): frames and variables are its own, until the program goes on
           loop N COMMAND   the command there, such as `loop 2 backtrace`, and back"""

    def __init__(self, processor: str, folder: str) -> None:
        super().__init__("loop", gdb.COMMAND_STACK)
        self.processor, self.folder = processor, folder

    def invoke(self, argument: str, from_tty: bool) -> None:
        _check_there()
        name, _, command = argument.strip().partition(" ")
        if not name:
            processors.look_at(None)
            gdb.newest_frame().select()
            gdb.execute("frame")
            return
        loops = _loops(self.processor)
        loop = next((each for each in loops if each.name == name), None)
        if loop is None:
            raise gdb.GdbError(
                f"hocket: there is no loop {name}: there are {', '.join(each.name for each in loops)}"
            )
        frame = in_sketch(loop, self.folder)
        if frame is None:
            raise gdb.GdbError(f"hocket: loop {name} has not begun: it has no frames yet")
        frame.select()
        if not command:
            gdb.execute("frame")
            return
        try:
            gdb.execute(command.strip())
        finally:
            processors.look_at(None)
            gdb.newest_frame().select()


def is_systems(frame: gdb.Frame) -> bool:
    """Returns whether a frame belongs to Hocket itself, and neither to a sketch nor to a library."""
    symtab = frame.find_sal().symtab
    if symtab is None:
        name = frame.name()
        return name is None or name.lstrip("_").startswith("hocket_")
    file = os.path.normpath(symtab.fullname())
    return file.startswith(SYSTEM) and not file.startswith(f"{LIBRARIES}/")


class _OwnFrames:
    """A frame filter. The `backtrace` of a selected loop begins with the loop's own frames and ends with its
    first one. Hocket's frames are left out, unless there are no others."""

    name, enabled, priority = "hocket-loops", True, 100
    # Functions without a caller.
    FIRST = (*avr.OUTERMOST, "hocket_host_first_entry", "hocket_thread_start")

    def __init__(self) -> None:
        gdb.frame_filters[self.name] = self

    def filter(self, frames: Iterator[FrameDecorator]) -> Iterator[FrameDecorator]:
        systems: list[FrameDecorator] | None = []  # None: there are other frames
        for frame in self._of_loop(frames):
            if not is_systems(frame.inferior_frame()):
                systems = None
                yield frame
            elif systems is not None:
                systems.append(frame)
        yield from systems or ()

    def _of_loop(self, frames: Iterator[FrameDecorator]) -> Iterator[FrameDecorator]:
        for frame in islice(frames, 1 if processors.looked_at() else 0, None):
            yield frame
            name = frame.inferior_frame().name()
            if name is not None and any(
                name == first.partition("(void")[0] for first in self.FIRST
            ):
                return


def define(processor: str, folder: str) -> None:
    InfoLoops(processor, folder)
    LoopCommand(processor, folder)
    _OwnFrames()
    gdb.events.gdb_exiting.connect(end_board)
    for word in GOES_ON:
        gdb.execute(
            f"define hook-{word}\npython hocket.debugger.in_gdb.commands.goes_on()\nend",
            False,
            True,
        )


def end_board(_event: object) -> None:
    """Ends the board when gdb ends. QEMU would let it continue."""
    thread = gdb.selected_thread()
    if thread is not None and thread.is_valid():
        gdb.execute("kill", False, True)


def goes_on() -> None:
    """Called before the program continues: selects the running code again."""
    if processors.looked_at():
        processors.look_at(None)
        gdb.newest_frame().select()
