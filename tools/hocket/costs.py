"""Finds the costs declared for the guarantees that a run has exceeded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hocket.durations import format_microseconds
from hocket.faults import first_place, place_and_owner

# The beginning of the notice for each declared cost, before the observed value. The hold time of a spinlock,
# the length of a direct handler and noInterrupts() are missing here: a loop that takes longer is preempted or
# stopped, and the guarantees of the other loops remain valid. On the Uno nothing ends a handler.
_SAID = {
    "interrupt_entry_us": "The entry of an interrupt took",
    "context_switch_us": "A context switch took",
    "timer_interrupt_us": "A timer interrupt took",
    "longest_masked_us": "Interrupts were masked for",
    "handlers_refill_us": "An interrupt that gives the handlers' budget back took",
    "longest_handler_us": "A handler of attachInterrupt(), {longest_handler_seen_in}, took",
}
_HOLDS = ("longest_spinlock_seen", "spinlock_blocking")


def add_exceeded(facts: dict[str, Any], program: Path, sketch_folder: Path) -> None:
    """Adds to the overheads where interrupts were masked for longest, if the board's program knows it, and
    the declared costs that the run has exceeded, each with a notice."""
    overheads = facts.get("overheads")
    if not overheads:
        return
    if masked := facts.get("longest_masked"):
        place = first_place(program, masked["codes"], sketch_folder)
        overheads["longest_masked_seen_in"] = _masked_in(masked, place)
    if facts.get("clock_interrupt_us") is not None:  # no kernel: no loop has a guarantee
        _add_late_clock(facts, facts["clock_interrupt_us"], overheads)
        return
    # Without budgets, or under a policy without bounds, nothing is guaranteed.
    loops = facts.get("loops") or []
    if not any(
        loop.get("budget_us") and loop.get("response_bound_us") is not None for loop in loops
    ):
        return
    seen = _seen(overheads, facts.get("masked_outside_kernel"))
    if not seen:
        return
    # Direct handlers run with interrupts masked, and admission counts their lengths separately. A masked
    # section that they may explain is not reported. (If the program distinguishes code outside of the kernel,
    # the observed values do not include the handlers.)
    most = overheads.get("longest_masked_us") or 0
    if "masked_outside_kernel" not in facts:
        most += masked_by_direct_handlers(facts)
    counted = {**overheads, "longest_masked_us": most}
    exceeded = [name for name, value in seen.items() if value > counted[name]]
    overheads["exceeded"] = exceeded
    if "longest_masked_us" in exceeded:
        _add_outside(facts, program, sketch_folder)
    causes = {name: _cause(name, facts) for name in exceeded}
    if explained := [name for name, cause in causes.items() if cause]:
        overheads["exceeded_by_overruns"] = explained
    facts.setdefault("notices", []).extend(
        _notice(name, seen[name], overheads, causes[name]) for name in exceeded
    )


def _add_outside(facts: dict[str, Any], program: Path, sketch_folder: Path) -> None:
    """Adds the code outside of the kernel that masked interrupts for too long, and its owner."""
    outside, overheads = facts.get("masked_outside_kernel"), facts["overheads"]
    if not outside or outside["length_us"] <= (overheads.get("longest_masked_us") or 0):
        return
    place, owner = place_and_owner(program, outside["codes"], sketch_folder)
    overheads["masked_outside_kernel_us"] = outside["length_us"]
    overheads["masked_outside_kernel_in"] = _masked_in(outside, place)
    overheads["masked_outside_kernel_of"] = owner


def _add_late_clock(facts: dict[str, Any], clock: float, overheads: dict[str, Any]) -> None:
    """Adds a notice if the clock's interrupt was delayed by more than the time between two interrupts."""
    masked = overheads.get("longest_masked_seen_us")
    if masked is None or masked <= clock:
        return
    place = overheads.get("longest_masked_seen_in")
    where = f" in {place}" if place else ""
    facts.setdefault("notices", []).append(
        f"Interrupts were masked for {format_microseconds(masked)}{where}, longer than "
        f"the {format_microseconds(clock)} between two interrupts of the clock: millis() and micros() may be "
        "behind, as with the stock core."
    )


def masked_by_direct_handlers(facts: dict[str, Any]) -> float:
    """Returns how much of a masked section direct handlers may explain, in microseconds: their calls and top
    halves.

    A top half calls the handler, records the call, and wakes a loop that waits for the handler's end.
    Admission counts it with the handler's length, so only the switch that follows is part of
    `longest_masked`.
    """
    taken = [each["longest_us"] for each in facts.get("interrupts") or [] if each.get("longest_us")]
    bounds = facts.get("bounds") or {}
    top_halves = [each["top_half"] for each in bounds.get("direct") or []]
    if not taken or not top_halves:
        return float(sum(taken))
    return float(sum(taken) + len(taken) * max(top_halves) * 1e6 / bounds["ticks_per_second"])


def way_out(report: dict[str, Any]) -> str:
    """Returns what to do if a declared cost was exceeded: by the sketch, a library, or Hocket itself."""
    overheads = report["overheads"] or {}
    owner, where = (overheads.get(f"masked_outside_kernel_{what}") for what in ("of", "in"))
    if where and owner == "sketch":
        return f"The sketch itself masked interrupts in {where}: mask them for less"
    if where and owner != "hocket":
        whose = "A library masked interrupts" if owner else "Interrupts were masked"
        return (
            f"{whose} in {where}; no bound includes this time: use something that masks them "
            "for less, or leave this time before the deadlines"
        )
    if overheads.get("exceeded") == ["longest_handler_us"]:
        return "What the notice names took too long: make that handler shorter"
    overruns = overheads.get("exceeded_by_overruns")
    if overruns and overruns == overheads["exceeded"]:
        return "The code that the notice names overran a budget: make it shorter"
    return (
        "This is a defect of Hocket: please report it; until then make C smaller or T longer, so that "
        "the core has idle time"
    )


def _seen(overheads: dict[str, Any], outside: dict[str, Any] | None) -> dict[str, float]:
    """Returns the largest observed value of each declared cost, by name, if both values are known.

    outside: the longest masked section of code outside of the kernel, if the board's program distinguishes
    it. On other boards only the longest masked section of the processor is known, whatever its cause. On some
    boards this includes holders of spinlocks, which admission counts separately. So a hold may explain a
    masked section, but not a section of the kernel.
    """
    found = dict(overheads.get("kernel_seen") or {})
    kernel = found.pop("longest_masked_us", None)
    masked = outside["length_us"] if outside else overheads.get("longest_masked_seen_us")
    declared = overheads.get("longest_masked_us") or 0
    if not outside and masked is not None:
        held, allowed = (overheads.get(f"{name}_us") or 0 for name in _HOLDS)
        if masked <= min(held, allowed):
            kernel = None if kernel == masked else kernel  # one value for both
            masked = min(masked, declared)
    # A masked section outside of the kernel also delays the kernel's clock.
    if masked is not None and (masked > declared or kernel is None):
        kernel = max(masked, kernel or 0)
    if kernel is not None:
        found["longest_masked_us"] = kernel
    for name in ("longest_handler", "handlers_refill"):
        found[f"{name}_us"] = overheads.get(f"{name}_seen_us")
    return {
        name: found[name]
        for name in _SAID
        if found.get(name) is not None and overheads.get(name) is not None
    }


def _masked_in(masked: dict[str, Any], place: str | None) -> str:
    loop = masked["loop"]
    who = "no loop" if loop is None else f"loop {loop}" if loop else "loop()"
    if masked["interrupt"]:
        who = f"the handler of {masked['interrupt']}"
    return f"{who} ({place})" if place else who


def _cause(name: str, facts: dict[str, Any]) -> str:
    """Returns what in the sketch made a loop overrun its budget by more than the kernel allows. Empty:
    nothing did.

    Every budget is at least the timer's lateness plus the kernel's longest masked section, which is the
    overrun that the declared costs allow. A longer overrun by handlers or masked code may take several
    refills at once, and the kernel records each of them.
    """
    held = (facts.get("held") or {}).get(name)
    overheads = facts["overheads"]
    least = (overheads.get("longest_masked_us") or 0) + (overheads.get("timer_lateness_us") or 0)
    if not held or held["together_us"] <= least:
        return ""
    together, longest = (format_microseconds(held[f"{of}_us"]) for of in ("together", "longest"))
    if held["interrupt"]:
        what = (
            f"Handlers of interrupts that no budget ends took {together} in and before it, that of "
        )
        what += f"{held['interrupt']} up to {longest} each time"
        advice = "Make that handler shorter, or let it come less often."
    else:
        what = f"Interrupts were masked by a loop for {longest} before it"
        advice = "Mask interrupts for a shorter time."
    why = "a loop overran its budget by that, and the kernel needs longer to record it"
    return f" {what}: {why}. {advice}"


def _notice(name: str, longest: float, overheads: dict[str, Any], cause: str) -> str:
    of = (
        "masked_outside_kernel"
        if "masked_outside_kernel_us" in overheads
        else "longest_masked_seen"
    )
    placed = name == "longest_masked_us" and longest == overheads.get(f"{of}_us")
    place = overheads.get(f"{of}_in") if placed else None
    where = f" in {place}" if place else ""
    if placed:  # not in the kernel, to which `cause` refers
        cause = ""
    if name == "longest_handler_us":
        cause = (
            " Let the handler give a semaphore, and let the loop that waits for that do the work."
        )
    return (
        f"{_SAID[name].format_map(overheads)} {format_microseconds(longest)}{where}, longer than the "
        f"{format_microseconds(overheads[name])} that the guarantees assume: loops may have been late."
        f"{cause}"
    )
