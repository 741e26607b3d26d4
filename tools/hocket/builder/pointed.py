"""Finds the functions that an indirect call in a linked program for the ATmega328P may reach.

The linker keeps the relocations (--emit-relocs). They show which functions have their address taken, and
which argument each call gets that attaches a handler. Calls of handlers reach the handlers that are attached
by name. If a handler is attached in another way, they may reach any function of the sketch whose address is
taken. Other calls may reach any of these functions that is neither a handler nor a loop. Hocket's own calls
reach Hocket's functions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from hocket.builder.indirect_calls import Calls
from hocket.builder.stack_depth import Program

# AVR relocations (binutils, include/elf/avr.h) that take the address of a function, and those of calls and
# jumps.
_TAKES = (5, 12, 24)  # 16_PM, LO8_LDI_PM, LO8_LDI_GS
_CALLS = (3, 18)  # 13_PCREL, CALL
# The most instructions between the load of a call's argument and the call.
_LOADED_WITHIN = 24
_HANDLER = 22  # the register pair of the handler in calls that attach one

_HOCKETS = re.compile(r"_Z+N?K?Z*N?K?\d*6hocket|_ZZN6hocket|hocket_|_ZN12_GLOBAL__N_14callILh")
_LOOPS = re.compile(r"_Z\d+hocket_loop_\d+v|loop|setup|_GLOBAL__.*|_Z14serialEventRunv")
_ATTACHING = re.compile(r"hocket_attach_\w+|attachInterrupt\w*")
# Functions that call the handlers of attachInterrupt().
_CALLS_HANDLERS = re.compile(r"hocket_pin_interrupt|hocket_pin_changed")
# The function that calls the handler function of an alarm (arduino/hocket/Handler.h).
_CALLS_FUNCTION = "_ZN16Handler_FunctionclEv"
_BETWEEN = r"_ZN12_GLOBAL__N_14callILh\d+EEEvv"  # of attachInterruptParam(), for pins 2 and 3
# Threads, and the kernel's work on main()'s stack. No loop calls these.
_RUN_LOOP, _PERIODIC = r"_ZN6hocket3uno.*8run_loopE\w+", r"_ZN6hocket3uno12run_periodicE\w+"
_ON_MAIN = r".*13on_main_stackI.*|hocket_pending"
_OF_THREADS = re.compile(
    rf"{_RUN_LOOP}|{_PERIODIC}|{_ON_MAIN}|hocket_run_loops|hocket_thread_start|hocket_interrupt"
    r"|hocket_limit_heap|hocket_handlers_pay|hocket_act_upon_handlers|hocket_look_at_handlers"
    r"|hocket_handler_ended|.*10plain_body\w+|.*17act_upon_recorded\w+"
)
# Further calls of Hocket's own, each with the functions that it reaches.
_KNOWN = [
    (re.compile(calls), re.compile(functions))
    for calls, functions in (
        ("hocket_pending", r".*17act_upon_recorded\w+"),
        ("hocket_interrupt", r".*_work"),
        (r".*10InterruptsI.*12on_interruptE\w+", r".*12serve_alarmsEPv"),
        (r"_ZN6hocket3sys14semaphore_(give|take)E\w+", r"_ZN6hocket3sys6unparkEj"),
        (r"_ZN6hocket3uno4waitE\w+", r".*13take_or_queueE\w+"),
    )
]


class Pointed:
    """The indirect calls of a program that has its relocations."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._virtual = program.all_virtual()
        taken: set[int] = set()
        self._loads: dict[int, int] = {}
        calls: dict[int, int] = {}
        with program.path.open("rb") as stream:
            elf = ELFFile(stream)
            for section in elf.iter_sections():
                if not isinstance(section, RelocationSection):
                    continue
                if not elf.get_section(section["sh_info"])["sh_flags"] & SH_FLAGS.SHF_ALLOC:
                    continue
                symbols = elf.get_section(section["sh_link"])
                assert isinstance(symbols, SymbolTableSection)
                for each in section.iter_relocations():
                    kind, at = each["r_info_type"], each["r_offset"]
                    if kind not in _TAKES + _CALLS:
                        continue
                    symbol = symbols.get_symbol(each["r_info_sym"])
                    to = (symbol["st_value"] + each["r_addend"]) & 0xFFFF
                    if kind in _CALLS:
                        calls[at] = to
                    elif to in program.names and to != 0:  # 0: weak, not linked
                        taken.add(to)
                        self._loads[at] = to
        self.taken = sorted(taken)
        self.handlers = self._attached(calls)
        self.on_main = program.named(_ON_MAIN)

    def by(self, bodies: Sequence[int] = (), periodic: bool = False) -> Calls:
        """Returns the targets of indirect calls. bodies: the body functions of the analysed loop."""
        run_periodic = self.program.named(_PERIODIC) if periodic else []

        def pointed(owner: str) -> Sequence[int] | None:
            if re.fullmatch(_RUN_LOOP, owner):
                return [*bodies, *run_periodic]
            if re.fullmatch(_PERIODIC, owner):
                return bodies
            return self._meant(owner)

        return Calls(pointed, self._may_mean)

    def run_loop(self) -> int | None:
        """Returns the first function of a loop's thread."""
        return next(iter(self.program.named(_RUN_LOOP)), None)

    def _meant(self, owner: str) -> Sequence[int] | None:
        """Returns the functions that a Hocket function with known indirect calls reaches. None: not such a
        function."""
        if re.fullmatch(_BETWEEN, owner):
            return [f for f in self.handlers if not re.fullmatch(_BETWEEN, self.program.name(f))]
        if _CALLS_HANDLERS.fullmatch(owner):
            return self.handlers
        if owner == _CALLS_FUNCTION:
            return [f for f in self._sketchs() if f not in self._virtual]
        if owner in ("hocket_work", "hocket_on_main_stack"):
            return []
        for calls, pattern in _KNOWN:
            if calls.fullmatch(owner):
                return [f for f in self.taken if pattern.fullmatch(self.program.name(f))]
        return None

    def _may_mean(self, owner: str) -> Sequence[int] | None:
        """Returns the functions that a non-virtual call may reach. None: unknown."""
        if _HOCKETS.match(owner):
            return [f for f in self.taken if self._is_hockets(f)]
        own = [f for f in self._sketchs() if f not in self.handlers]
        return own or None

    def _is_hockets(self, function: int) -> bool:
        name = self.program.name(function)
        own = _HOCKETS.match(name) is not None and not _OF_THREADS.fullmatch(name)
        return own and function not in self._virtual

    def _sketchs(self) -> list[int]:
        names = {f: self.program.name(f) for f in self.taken}
        return [f for f, n in names.items() if not _HOCKETS.match(n) and not _LOOPS.fullmatch(n)]

    def _attached(self, calls: dict[int, int]) -> list[int]:
        """Returns the handlers of attachInterrupt(), or all candidates if a call does not show its
        handler."""
        found: set[int] = set(self.program.named(_BETWEEN))
        for at, to in calls.items():
            if not _ATTACHING.fullmatch(self.program.names.get(to, "")):
                continue
            if _ATTACHING.fullmatch(self.program.owner(at)):
                continue
            handler = self._loaded_before(at)
            if handler is None:
                return sorted({*found, *self._sketchs()})
            found.add(handler)
        return sorted(found)

    def _loaded_before(self, call: int) -> int | None:
        for at in range(call - 2, max(call - 2 * _LOADED_WITHIN, 0), -2):
            if at not in self._loads:
                continue
            word = self.program.word(at)
            if word & 0xF000 == 0xE000 and 16 + (word >> 4 & 0xF) == _HANDLER:
                return self._loads[at]
        return None
