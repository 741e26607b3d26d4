"""Which of the costs that the guarantees reckon with a run has exceeded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hocket.durations import format_microseconds
from hocket.faults import first_place

# What the notice says of each declared cost, before what the run has shown. A spinlock's hold, a handler's
# length and noInterrupts() are not here: a loop that takes longer is preempted or stopped, and the guarantees
# of the others stand.
_SAID = {
    "interrupt_entry_us": "The entry of an interrupt took",
    "context_switch_us": "A context switch took",
    "timer_interrupt_us": "A timer interrupt took",
    "longest_masked_us": "Interrupts were masked for",
}
_HOLDS = ("longest_spinlock_seen", "spinlock_blocking")


def add_exceeded(facts: dict[str, Any], program: Path, sketch_folder: Path) -> None:
    """Adds to the overheads where interrupts were masked for longest, where the board's program knows it, and
    which declared costs the run has exceeded: each of these with a notice."""
    overheads = facts.get("overheads")
    if not overheads:
        return
    if masked := facts.get("longest_masked"):
        overheads["longest_masked_seen_in"] = _masked_in(masked, program, sketch_folder)
    if facts.get("clock_interrupt_us") is not None:  # no kernel: no loop has a guarantee
        _add_late_clock(facts, facts["clock_interrupt_us"], overheads)
        return
    held, allowed = (overheads.get(f"{name}_us") or 0 for name in _HOLDS)
    seen = _seen(overheads, bool(masked and masked["interrupt"]), min(held, allowed))
    if not seen:
        return
    # Direct handlers run with interrupts masked. Admission counts their lengths apart. A section that they
    # may explain is not reported.
    most = (overheads.get("longest_masked_us") or 0) + masked_by_direct_handlers(facts)
    counted = {**overheads, "longest_masked_us": most}
    exceeded = [name for name, value in seen.items() if value > counted[name]]
    # Without budgets nothing is guaranteed, nor under a policy that has no bounds.
    loops = facts.get("loops") or []
    if any(loop.get("budget_us") and loop.get("response_bound_us") is not None for loop in loops):
        overheads["exceeded"] = exceeded
    facts.setdefault("notices", []).extend(
        _notice(name, seen[name], overheads, _cause(name, facts)) for name in exceeded
    )


def _add_late_clock(facts: dict[str, Any], clock: float, overheads: dict[str, Any]) -> None:
    """Adds a notice where the clock's interrupt was held back for longer than the time between two."""
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
    """How much of a masked section direct handlers may explain, in microseconds: their calls and top halves.

    A top half calls the handler, writes that down and wakes a loop that waits for the handler's end.
    Admission counts it with the handler's length, so only the switch behind it is in `longest_masked`.
    """
    taken = [each["longest_us"] for each in facts.get("interrupts") or [] if each.get("longest_us")]
    bounds = facts.get("bounds") or {}
    top_halves = [each["top_half"] for each in bounds.get("direct") or []]
    if not taken or not top_halves:
        return float(sum(taken))
    return float(sum(taken) + len(taken) * max(top_halves) * 1e6 / bounds["ticks_per_second"])


def masked_by_sketch(report: dict[str, Any]) -> str | None:
    """Where the sketch itself masked interrupts for longest, if that is known; else None."""
    where = str((report["overheads"] or {}).get("longest_masked_seen_in") or "")
    return where if f" ({report['sketch']}/" in where else None


def _seen(overheads: dict[str, Any], in_handler: bool, held: float) -> dict[str, float]:
    """The most that the run has shown of each declared cost, by its name, as far as both are known.

    `in_handler`: interrupts were masked for longest in a handler of the sketch, whose length is none of them.
    `held`: how long a loop held a spinlock, as far as it may. Holders mask interrupts on some boards, and
    admission counts them apart. So a hold may explain a masked section, but nothing that the kernel took.
    """
    found = dict(overheads.get("kernel_seen") or {})
    masked, declared = (overheads.get(f"longest_masked{of}_us") for of in ("_seen", ""))
    if in_handler and "longest_masked_us" in found:
        masked = None
    if masked is not None and masked <= held:
        if (
            found.get("longest_masked_us") == masked
        ):  # one figure for the kernel's sections and for holds
            del found["longest_masked_us"]
        masked = min(masked, declared or 0)
    # Where the processor masked interrupts is known; the kernel's own clock may have to wait for longer.
    if masked is not None and (masked > (declared or 0) or "longest_masked_us" not in found):
        found["longest_masked_us"] = masked
    return {
        name: found[name]
        for name in _SAID
        if found.get(name) is not None and overheads.get(name) is not None
    }


def _masked_in(masked: dict[str, Any], program: Path, sketch_folder: Path) -> str:
    loop = masked["loop"]
    who = "no loop" if loop is None else f"loop {loop}" if loop else "loop()"
    if masked["interrupt"]:
        who = f"the handler of {masked['interrupt']}"
    place = first_place(program, masked["codes"], sketch_folder)
    return f"{who} ({place})" if place else who


def _cause(name: str, facts: dict[str, Any]) -> str:
    """What of the sketch made a loop overrun its budget by more than the kernel lets it; empty: nothing did.

    No budget is smaller than a timer's lateness and the kernel's longest section together, which is what the
    declared costs allow an overrun to be. What handlers or masked code add may take several refills at once,
    each of which the kernel puts down.
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
        advice = "Make what it does with interrupts masked shorter."
    why = "a loop overran its budget by that, and putting this down takes the kernel longer"
    return f" {what}: {why}. {advice}"


def _notice(name: str, longest: float, overheads: dict[str, Any], cause: str) -> str:
    placed = name == "longest_masked_us" and longest == overheads.get("longest_masked_seen_us")
    place = overheads.get("longest_masked_seen_in") if placed else None
    where = f" in {place}" if place else ""
    if placed:  # it was not the kernel's own, which `cause` is of
        cause = ""
    return (
        f"{_SAID[name]} {format_microseconds(longest)}{where}, longer than the "
        f"{format_microseconds(overheads[name])} that the guarantees reckon with: loops may have been late."
        f"{cause}"
    )
