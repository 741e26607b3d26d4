"""In gdb: reads the sketch's loops from the kernel's memory, with the help of its debug information.

On sim and virt they are objects of the runtime (arduino/runtime/sketch.h). On the Uno they are entries in
flash and states in RAM (arduino/cores/avr8/board_loops.h).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import gdb

from hocket.debugger.in_gdb import memory, processors
from hocket.debugger.in_gdb.avr import DATA

KINDS = ("loop", "periodic", "handler", "bottom half", "direct")
STATES = {
    "Stopped": "has not begun",
    "Ready": "ready",
    "Sleeping": "sleeps",
    "Waiting": "waits",
    "WaitingUntil": "waits for a time",
    "Suspended": "waits",
    "SuspendedUntil": "waits for a time",
}


STARTS = (("hocket_host_first_entry", 0), ("hocket_thread_start", 0))
PC = {"host": "pc" if processors.on_aarch64() else "rip", "aarch64": "pc", "avr8": "PC2"}


@dataclass(frozen=True)
class Loop:
    """name: the loop's number, or setup. registers: of a suspended loop. None: it runs, or has none yet.
    thread: on several processors gdb's number of the one that runs it."""

    name: str
    kind: str
    state: str
    runs: bool
    registers: dict[str, int] | None
    thread: int = 0


class NotThere(Exception):
    """The reason why there is nothing to show."""


def all_loops(processor: str) -> list[Loop]:
    """Returns the loops in the order of their numbers. Raises NotThere if it is too early."""
    try:
        with processors.kernel_memory(processor):
            found = list(_of_uno() if processor == "avr8" else _of_runtime(processor))
    except gdb.MemoryError as problem:
        raise NotThere(f"the loops are not there yet ({problem})") from problem
    if not found:
        raise NotThere("there are no loops yet: setup() has not begun")
    return found


def _static(name: str) -> gdb.Value:
    symbol = gdb.lookup_static_symbol(name) or gdb.lookup_global_symbol(name)
    if symbol is None:
        raise NotThere(f"the program has no {name}")
    return symbol.value()


# --- sim and virt ---


def _of_runtime(processor: str) -> Iterator[Loop]:
    namespace = "hocket::sim::" if processor == "host" else "hocket::"
    sketches = _static(f"{namespace}(anonymous namespace)::the_sketches")
    running = _stack_pointers(processor)
    for i in range(int(sketches["used_"])):
        sketch = sketches["sketches_"][i].dereference()
        if str(sketch["phase_"]).endswith("Setup"):
            yield _runtime_loop(processor, sketch["setup_"], running)
    for i in range(int(sketches["loops_used_"])):
        yield _runtime_loop(processor, sketches["loops_"][i].dereference(), running)


def _runtime_loop(processor: str, loop: gdb.Value, running: list[_Running]) -> Loop:
    descriptor = loop["descriptor"]
    setup = int(descriptor) == 0
    name = "setup" if setup else str(int(descriptor["id"]))
    kind = "setup()" if setup else KINDS[int(descriptor["kind"])]
    thread = loop["thread"]
    stacks = [loop["stack"]]
    if processor == "aarch64":
        own = _static("hocket::(anonymous namespace)::kernel_stacks")[int(thread["id"])]
        stacks.append(own)
    for core in running:
        if any(_within(core.stack_pointer, stack) for stack in stacks):
            return Loop(name, kind, "runs", True, core.registers, core.thread)
    return _resting(processor, name, kind, thread)


def _resting(processor: str, name: str, kind: str, thread: gdb.Value) -> Loop:
    """Returns a suspended loop. The first switch to a loop leads to its start."""
    state = STATES.get(str(thread["state"]).rpartition("::")[2], "?")
    sp = int(thread["context"]["stack_pointer"])
    registers = processors.SAVED[processor](sp) if sp != 0 else None
    if registers is None or memory.symbol_at(registers[PC[processor]]) in STARTS:
        return Loop(name, kind, "has not begun", False, None)
    return Loop(name, kind, state, False, registers)


def _within(address: int, stack: gdb.Value) -> bool:
    base = int(stack["base"])
    return base <= address < base + int(stack["size"])


@dataclass(frozen=True)
class _Running:
    """A processor's stack pointer. registers: if gdb does not see them as its own."""

    stack_pointer: int
    registers: dict[str, int] | None
    thread: int


def _stack_pointers(processor: str) -> list[_Running]:
    """Returns the stack pointers of all processors. On sim one thread of this computer runs all of them in
    turn."""
    if processor == "aarch64":
        return [_of_thread(thread) for thread in gdb.selected_inferior().threads()]
    here = _register(processors.STACK_POINTER[processor])
    result = [_Running(here, None, 0)]
    machine = _static("hocket::host::(anonymous namespace)::the_machine")
    if int(machine) == 0:
        return result
    cores = machine["cores_"]["_M_impl"]
    first, end = cores["_M_start"], cores["_M_finish"]
    for i in range(int(end - first)):
        context = first[i]["context"]
        if bool(machine["running_"]) and i == int(machine["current_"]):
            continue
        sp = int(context["stack_pointer"])
        if sp != 0:
            result.append(_Running(sp, processors.SAVED[processor](sp), 0))
    return result


def _of_thread(thread: gdb.InferiorThread) -> _Running:
    before = gdb.selected_thread()
    thread.switch()
    try:
        return _Running(_register("sp"), None, thread.num)
    finally:
        before.switch()


def _register(name: str) -> int:
    """Returns a register of the processor itself, whatever frame is selected."""
    frame = gdb.newest_frame()
    return int(frame.read_register(name)) & (1 << 64) - 1


# --- The Uno ---


def _of_uno() -> Iterator[Loop]:
    try:
        entry = gdb.lookup_type("hocket::uno::LoopEntry")
    except gdb.error as problem:
        raise NotThere("the sketch has no numbered loops: its loop() runs alone") from problem
    state = gdb.lookup_type("hocket::uno::(anonymous namespace)::LoopState")
    begin, end = _address("hocket_loops_begin"), _address("hocket_loops_end")
    if not memory.word(DATA + _address("hocket_loops_run"), 1):
        raise NotThere("there are no loops yet: setup() has not ended")
    sp = _register(processors.STACK_POINTER["avr8"]) & 0xFFFF
    current = _current_on_uno(state)
    for at in range(begin, end, entry.sizeof):
        place = gdb.Value(bytes(gdb.selected_inferior().read_memory(at, entry.sizeof)), entry)
        base = int(place["memory"]) & 0xFFFF
        thread = gdb.Value(
            bytes(gdb.selected_inferior().read_memory(DATA + base, state.sizeof)), state
        )
        stack = base + state.sizeof
        on_stack = stack <= sp < stack + int(place["stack_bytes"])
        runs = on_stack or base == current
        kind = KINDS[1 if int(place["run"]) != 0 else 0]
        name = str(int(place["id"]))
        if runs:
            yield Loop(name, kind, "runs", True, None)
            continue
        yield _resting("avr8", name, kind, thread)


def _address(name: str) -> int:
    return int(gdb.parse_and_eval(f"(unsigned short)&{name}")) & 0xFFFF


def _current_on_uno(state: gdb.Type) -> int:
    """Returns the address of the loop for which the kernel works, or 0."""
    return int(gdb.parse_and_eval("$hocket_current")) and memory.word(
        DATA + int(gdb.parse_and_eval("$hocket_current")), 2
    )
