"""Prints a report as text: the timing table of a run, and the analysis of `hocket check`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hocket import equation_one
from hocket.boards import board_named
from hocket.bus_waits import bus_lines
from hocket.costs import way_out
from hocket.durations import format_microseconds as us
from hocket.errors import shorten
from hocket.masked_bytes import masked_bytes_lines
from hocket.report import NOT_GUARANTEED, Report, is_guaranteed
from hocket.tables import MARK, print_table, print_words

_ENDS = {
    "time": "ran to the end of its time",
    "expected": "the expected text was seen",
    "failed": "a text of --fail-text was seen",
    "fault": "nothing was left to run after a fault",
    "interrupted": "interrupted",
    "closed": "ended by hand",
    "setup": "setup() did not end",
    "serial limit": "stopped at the serial limit",
}


_TIMING = (
    *("loop", "core", "C/T", "iterations", "cpu per period", "response (bound)"),
    *("exhausted", "misses", "stack"),
)
# Columns to leave out on a narrow terminal, in this order. None of them shows whether a guarantee was kept.
_TIMING_DROP = ("stack", "cpu per period", "exhausted", "iterations")
_INTERRUPTS = (
    *("pin", "mode", "loop", "C/T", "edges", "delivered", "pending", "lost"),
    *("delay (bound)",),
)
_INTERRUPTS_DROP = ("mode", "pending", "C/T", "edges")
_DELAYS = ("pin", "mode", "loop", "C/T", "delay bound", "the paper's", "declared at")
_DELAYS_DROP = ("declared at", "mode", "C/T")
_ANALYSIS = ("loop", "core", "C", "T", "D", "response bound")
# The launchers of boards that report where each refused loop had room.
_TELL_WHERE_TRIED = ("itself", "avr-simulator")
_TRIED = ("loop", "tried", "C", "T", "D")


def print_timing(report: Report, folder: Path | None = None) -> None:
    """Prints the timing table of a run, its conditions, and further remarks. folder: the sketch's own."""
    cores = count(report["cores"], "core")
    time = us(report["duration_us"])
    print(
        f"{report['sketch']} on {report['board']}: {cores}, {time} of {report['clock']} time,",
        end=" ",
    )
    print(f"seed {_text(report['seed'])}; {ending(report)}")
    if not is_guaranteed(report):
        print_words(NOT_GUARANTEED, red=True)
    if report["loops"]:
        print_table(_TIMING, [_timing_row(loop) for loop in report["loops"]], drop=_TIMING_DROP)
    for line in loop_lines(report):
        print_words(line)
    if report["interrupts"]:
        rows = [_interrupt_row(entry) for entry in report["interrupts"]]
        print_table(_INTERRUPTS, rows, left=2, drop=_INTERRUPTS_DROP)
    for serial in serial_ports(report):
        print_words(serial_line(serial))
    for line in (*bus_lines(report), *masked_bytes_lines(report), *sections_lines(report)):
        print_words(line)
    if beside := report.get("beside"):
        print_words(beside_line(beside))
    counters = {k: v for k, v in report["counters"].items() if v is not None}
    counters.pop("wakes", None)  # sleeps are the ones that a sketch requests
    if not counters.get("pin_interrupts"):  # most sketches attach no handler
        counters.pop("pin_interrupts", None)
    if counters:
        print_words(
            ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in counters.items())
        )
    print_words(f"{report['board']}: {report.get('tick') or model_line(report['model'])}")
    for notice in report["notices"]:
        print_words(f"notice: {_from_here(notice, folder)}")
    for fault in report["faults"]:
        print_words(f"fault: {_from_here(fault_line(fault), folder)}")


_PLACE = re.compile(r"\(([^():]+):(\d+), in ")


def _from_here(text: str, folder: Path | None) -> str:
    """Returns a place of a report, which is independent of the sketch's folder, in a form that a terminal can
    open."""

    def place(match: re.Match[str]) -> str:
        file = folder.parent / match[1] if folder is not None else None
        shown = f"({shorten(file)}:" if file is not None and file.is_file() else f"({match[1]}:"
        return f"{shown}{match[2]}, in "

    return _PLACE.sub(place, text)


def place_of_fault(fault: dict[str, Any], folder: Path) -> tuple[Path, int] | None:
    """Returns the line of the sketch in this folder at which a fault occurred, if the report has it."""
    found = _PLACE.search(_text(fault["text"]))
    if found is None or not (file := folder.parent / found[1]).is_file():
        return None
    return file, int(found[2])


def ending(report: Report) -> str:
    """Returns in words why the run ended."""
    return _ENDS.get(report["end"], _text(report["end"]))


def loop_lines(report: Report) -> list[str]:
    """Returns explanations of the timing table where it is not plain."""
    exceeded = exceeded_costs(report)
    lines = (
        misses_line(
            report["loops"],
            exceeded,
            way_out(report),
            refused=not is_guaranteed(report),
            for_handlers_us=(report.get("no_interrupts") or {}).get("longest_wait_us") or 0,
        ),
        exhausted_line(report["loops"], exceeded),
        budget_wait_line(report["loops"], exceeded),
    )
    return [line for line in lines if line]


def sections_lines(report: Report) -> list[str]:
    """Returns the lines about noInterrupts(), if the sketch called it."""
    sections = report.get("no_interrupts")
    if not sections:
        return []
    return [
        f"noInterrupts(): {count(sections['sections'], 'section')}, "
        f"the longest {us(sections['longest_us'])}, "
        f"waited for handlers {us(sections['longest_wait_us'])} at most"
    ]


def timing_rows(report: Report) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Returns columns and rows of the timing table, which pages show, too."""
    return _TIMING, [_timing_row(loop) for loop in report["loops"]]


def interrupt_rows(report: Report) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    return _INTERRUPTS, [_interrupt_row(entry) for entry in report["interrupts"]]


def print_analysis(report: Report) -> None:
    """Prints the result of admission control: each core's load, each loop's bound (reasons:
    print_refusal)."""
    admission = report["admission"]
    verdict = {True: "accepted", False: "refused"}.get(admission["accepted"], "not decided")
    print(
        f"{report['sketch']} on {report['board']} with {count(report['cores'], 'core')}: {verdict}"
    )
    if admission["test"]:
        print(f"test: {admission['test']}")
    if admission["cores"]:
        print_table(*core_rows(report))
        if asked := asked_line(report):
            print_words(asked)
    if report["loops"]:
        if admission["accepted"] is False:
            _print_tried(report)
        else:
            print_table(_ANALYSIS, [_analysis_row(loop) for loop in report["loops"]])
    for loop in report["loops"]:
        if loop.get("parts"):
            print_words(_parts_line(loop))
    if report["interrupts"]:
        delays = [_delay_row(entry) for entry in report["interrupts"]]
        print_table(_DELAYS, delays, left=2, drop=_DELAYS_DROP)
    for serial in serial_ports(report):
        print_words(serial_line(serial))
    for line in (*bus_lines(report), *masked_bytes_lines(report)):
        print_words(line)
    if report["overheads"]:
        print_words(f"overheads: {overheads_line(report)}")
    if report["losses"]:
        print_words(f"lost at most: {losses_line(report['losses'])}")
    for notice in report["notices"]:
        print_words(f"notice: {notice}")


def core_rows(report: Report) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Returns each core's load. Equation 1 has a column if it differs from the utilization."""
    columns, fields = ["core", "utilization"], ["utilization"]
    if any("equation_1" in core for core in report["admission"]["cores"]):
        columns, fields = [*columns, "by Equation 1"], [*fields, "equation_1"]
    rows = [
        (
            _text(core["core"]),
            *(_share(core.get(field, core["utilization"])) for field in fields),
            _share(core["liu_layland_bound"]),
        )
        for core in report["admission"]["cores"]
    ]
    return (*columns, "Liu-Layland bound"), rows


def asked_line(report: Report) -> str:
    """Returns the total demand of all loops of a refused sketch. The cores' utilization includes only those
    that fit, unless the loops ran all the same."""
    if report["admission"]["accepted"] is not False:
        return ""
    asking = [loop for loop in report["loops"] if loop["budget_us"] and loop["period_us"]]
    share = sum(loop["budget_us"] / loop["period_us"] for loop in asking)
    there = f"; there are {report['cores']} cores" if (report["cores"] or 1) > 1 else ""
    if report["policy"] == equation_one.POLICY and equation_one.has_io(asking):
        total, limit = equation_one.sum_of(asking), equation_one.limit_of(asking)
        there = f", and for {_share(total)} by Equation 1, whose limit is {_share(limit)}{there}"
    elif report["policy"] == equation_one.POLICY and report["cores"] == 1:
        bound = _share(equation_one.limit_of(asking))
        there = f", Liu-Layland bound for {count(len(asking), 'loop')} {bound}"
    fitted = "utilization and bound: of the loops that fit; " if is_guaranteed(report) else ""
    return f"{fitted}all loops ask for {_share(share)} of one core{there}"


def fault_line(fault: dict[str, Any]) -> str:
    """Returns one fault in one line."""
    where = f" at {_address(fault['address'])}" if fault["address"] is not None else ""
    text, pin = _text(fault["text"] or fault["kind"]), fault.get("pin")
    if fault["loop"] is None and text.startswith(("the handler of ", "the watchdog ")):
        return f"{text}{where}"
    who = _loop_name(fault["loop"]) if pin is None else f"the direct handler of pin {pin}"
    return f"{who}: {text}{where}"


def overheads_line(report: Report) -> str:
    """Returns the costs that admission control assumed, and for a run whether it shows any of them."""
    known = {name: value for name, value in report["overheads"].items() if value is not None}
    observed = "kernel_seen" in known or "longest_masked_seen_us" in known
    if observed or report["end"] == "check":
        return pairs(known)
    if report["end"] == "refused":
        return f"{pairs(known)} (declared; nothing ran)"
    return f"{pairs(known)} (declared; a run on this board observes none of them)"


def exceeded_costs(report: Report) -> list[str]:
    """Returns the declared costs that the run has exceeded, in words. Bounds do not hold then."""
    names = (report["overheads"] or {}).get("exceeded") or []
    return [name.removesuffix("_us").replace("_", " ") for name in names]


def exhausted_line(loops: list[dict[str, Any]], exceeded: Sequence[str] = ()) -> str:
    """Explains an exhausted budget in a run without misses: it looks like an error, and is none.

    Returns nothing if a declared cost was exceeded, because then the run is not in order.
    """
    if exceeded:
        return ""
    polling = _polling(loops)
    if not polling:
        return ""
    one = len(polling) == 1
    return (
        f"exhausted: {_loops_named(polling)} used "
        f"{'its budget' if one else 'their budgets'} up and went on with the next: right for a loop that "
        "polls or computes without a pause"
    )


def _polling(loops: Sequence[dict[str, Any]]) -> list[int]:
    return [
        loop["id"]
        for loop in loops
        if loop["kind"] == "loop"
        and loop.get("response_bound_us") is not None  # otherwise these were time slices
        and loop["budget_exhausted"]
        and not loop["deadline_misses"]
    ]


def misses_line(
    loops: list[dict[str, Any]],
    exceeded: Sequence[str] = (),
    way_out: str = "",
    refused: bool = False,
    for_handlers_us: float = 0,
) -> str:
    """Explains missed deadlines of functions that are called once in each period, and what to do about them.

    way_out: what to do if a declared cost was exceeded. refused: admission control refused the loops, but
    they ran. for_handlers_us: the longest time that a noInterrupts() of the sketch waited for a handler.
    """
    late = [
        loop
        for loop in loops
        if (refused or loop["kind"] == "periodic") and loop["budget_us"] and loop["deadline_misses"]
    ]
    if not late:
        return ""
    who = _loops_named([loop["id"] for loop in late])
    said = (
        f"misses: {who} {'was' if len(late) == 1 else 'were'} not done at "
        f"{count(sum(loop['deadline_misses'] for loop in late), 'deadline')}: "
    )
    if refused:
        return f"{said}admission control refuses these loops, so no deadline is guaranteed"
    # Without guarantees no bound depends on a cost.
    if exceeded and any(loop.get("response_bound_us") is not None for loop in late):
        said += (
            f"a declared cost was exceeded ({', '.join(exceeded)}), so the bounds do not hold in this run; "
            "the notice below names it. "
        )
        return said + way_out
    causes: dict[str, list[int]] = {}
    for loop in late:
        causes.setdefault(_cause(loop, for_handlers_us), []).append(loop["id"])
    if len(causes) == 1:
        return said + next(iter(causes))
    each = [f"{_loops_named(ids)}: {cause}" for cause, ids in causes.items()]
    if len(each) > 3:
        each[3:] = [
            f"for the others see late_call in the JSON report ({len(each) - 3} more causes)"
        ]
    return said + "; ".join(each)


def _cause(loop: dict[str, Any], for_handlers_us: float) -> str:
    """Returns why calls of this function were late, by what used the core during its longest late call."""
    promised, call = loop.get("response_bound_us") is not None, loop.get("late_call")
    longer = "a call that needs more than C ends later; raise C, or shorten the call"
    if call is None:
        if not promised:
            return (
                "this policy keeps no budgets, and this report does not say what had the core meanwhile; "
                "shorten the call, what it waits for, or the loops that come first"
            )
        return (
            longer
            if loop["budget_exhausted"]
            else _waiting("C was never used up, so ", for_handlers_us)
        )
    until = "its end" if call["ended"] else "the end of the run"
    whole = f"of the {us(call['response_us'])} from its release to {until}"
    # A wait for handlers that is much shorter than the call's own was not the reason.
    for_handlers_us = for_handlers_us if 2 * for_handlers_us >= call["waiting_us"] else 0
    waits = _waiting(
        f"the longest late call waited {us(call['waiting_us'])} {whole}, so ", for_handlers_us
    )
    if promised:  # the bound includes the delay by other loops
        if call["no_budget_us"] > call["waiting_us"]:
            return longer
        if call["waiting_us"]:
            return waits
        return longer if loop["budget_exhausted"] else _others(call, whole)
    others = sum(other["time_us"] for other in call["others"])
    if call["own_us"] > loop["deadline_us"]:
        return (
            f"the longest late call needed {us(call['own_us'])} of the core itself; shorten it, or make T "
            "longer"
        )
    if call["waiting_us"] > max(others, call["rest_us"]):
        return waits
    if call["rest_us"] > others:
        return (
            f"in the longest late call interrupts took {us(call['rest_us'])} {whole}; let them come less "
            "often, or shorten their handlers"
        )
    return (
        f"{_others(call, whole)}; this policy does not hold a loop to its C; shorten what comes first, or "
        "choose a policy with budgets"
    )


def _others(call: dict[str, Any], whole: str) -> str:
    """Returns which loops ran on the core during a late call, and for how long."""
    took = sorted(call["others"], key=lambda other: -other["time_us"])
    each = ", ".join(
        f"{_loop_name(other['loop'])} took {us(other['time_us'])}" for other in took[:3]
    )
    if len(took) > 3:
        each += f", {count(len(took) - 3, 'other loop')} {us(sum(o['time_us'] for o in took[3:]))}"
    before = "other loops came first: " if len(took) > 1 else ""
    return f"in the longest late call {before}{each or 'no other loop ran'} {whole}"


def _waiting(fact: str, for_handlers_us: float) -> str:
    """Says that calls wait for too long. A handler that is called on a budget may need several of its periods
    for one call, and noInterrupts() waits for the end of that call."""
    if for_handlers_us >= _SHORTEST_WAIT_US:
        return (
            f"{fact}what a call waits for takes too long: noInterrupts() waited up to "
            f"{us(for_handlers_us)} for a handler that had begun; shorten the handler, raise its C, or make "
            "T longer"
        )
    return (
        f"{fact}what a call waits for (delay(), a lock) takes too long; take the waiting out, or make T "
        "longer"
    )


_SHORTEST_WAIT_US = 50


def budget_wait_line(loops: Sequence[dict[str, Any]], exceeded: Sequence[str] = ()) -> str:
    """Returns how long loops were ready without budget, whether they had exhausted it or woke without any.

    Loops that poll are left out, because exhausted_line() names them. Waits shorter than an activation are
    not counted, because another loop or an interrupt caused them.
    """
    known = [] if exceeded else _polling(loops)
    each = "; ".join(
        f"{_loop_name(loop['id'])} {us(loop['budget_wait_us'])} in all, "
        f"{us(loop['longest_budget_wait_us'])} at most"
        for loop in loops
        if (loop.get("longest_budget_wait_us") or 0) >= _SHORTEST_WAIT_US
        and loop["id"] not in known
    )
    return f"waited for budget: {each}" if each else ""


def _loops_named(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return _loop_name(numbers[0])
    *others, last = map(str, numbers)
    return f"loops {', '.join(others)} and {last}"


def model_line(model: Any) -> str:
    """Returns what the times of a simulated board mean. The board's program supplies the words or figures."""
    if isinstance(model, str) and model:
        return model
    if isinstance(model, dict) and model:
        block = model.get("ns_per_block", model.get("block_ns"))
        said = f"{block} ns per basic block" if block is not None else pairs(model)
        return f"{said}; a model, not a measurement of a board"
    return "a model, not a measurement of a board"


def beside_line(beside: dict[str, Any]) -> str:
    """Describes the other system: its version, its state, and its share of each core."""
    what = f"{beside.get('kernel', 'beside')} {beside.get('release', '')}".strip()
    state = beside["state"]
    if beside.get("started") is False:
        state += ", not up yet"
    if beside["restarts"]:
        state += f", started again {count(beside['restarts'], 'time')}"
    if beside.get("panic"):
        state += f", its last panic: {beside['panic']}"
    if beside.get("job_status") is not None:
        state += f", its job ended with status {beside['job_status']}"
    shares = []
    for core in beside["cores"]:
        whole = sum(value for name, value in core.items() if name != "core")
        share = core["beside_us"] / whole if whole else 0
        shares.append(f"{_share(share)} of core {core['core']}")
    return f"{what}: {state}; it had {', '.join(shares) or 'nothing'}"


def serial_ports(report: Report) -> list[dict[str, Any]]:
    """Returns the serial ports whose interrupts admission counts."""
    first = report.get("serial_interrupts")
    return [*([first] if first else []), *report.get("further_serial_interrupts", [])]


def serial_line(serial: dict[str, Any]) -> str:
    """Returns the share of the core that received and sent characters take, if each causes an interrupt (the
    Uno)."""
    share = serial["received_share"]
    received = (
        f"input takes up to {share * 100:.1f} % of the core, before all loops"
        if share
        else "input takes nothing, as the sketch does not read it"
    )
    name = f"Serial{serial.get('port') or ''}"
    return (
        f"{name} at {serial['bits_per_second']} bits per second: each character sent takes "
        f"{us(serial['character_us'])} of its writer's budget, {received}"
    )


def losses_line(losses: dict[str, Any]) -> str:
    """Returns how much of its C a loop that wakes often may lose (docs/decisions/who-pays.md)."""
    full = losses["full_list"]
    share = "all of C" if full == 1 else f"{full * 100:.1f} %"
    return (
        f"{us(losses['each_wake_up_us'])} of C at each wake-up after the first of a period, "
        f"{losses['small_pieces'] * 100:.1f} % where small pieces are joined, "
        f"{share} while {losses['full_list_from']} pieces or more are to come back"
    )


def _timing_row(loop: dict[str, Any]) -> tuple[str, ...]:
    cpu = f"{us(loop['min_cpu_per_period_us'])}–{us(loop['max_cpu_per_period_us'])}"
    if loop["min_cpu_per_period_us"] is None and loop["max_cpu_per_period_us"] is None:
        cpu = "–"
    response = f"{us(loop['max_response_us'])} ({us(loop['response_bound_us'])})"
    return (
        f"{loop['id']} {loop['kind']}",
        cores_text(loop),
        reservation(loop),
        _text(loop["iterations"]),
        cpu,
        response,
        _text(loop["budget_exhausted"]),
        f"{loop['deadline_misses']}{MARK}"
        if loop["deadline_misses"]
        else _text(loop["deadline_misses"]),
        _stack(loop),
    )


def _interrupt_row(entry: dict[str, Any]) -> tuple[str, ...]:
    return (
        _text(entry["pin"]),
        _text(entry["mode"]),
        _caller(entry),
        reservation(entry),
        _text(entry["edges"]),
        _text(entry["delivered"]),
        _text(entry["pending"]),
        _lost(entry),
        f"{us(entry['max_delay_us'])} ({us(entry['delay_bound_us'])})",
    )


def _caller(entry: dict[str, Any]) -> str:
    """Returns the loop that calls the handler. A direct handler has none."""
    return "direct" if entry["loop"] is None else _text(entry["loop"])


def _lost(entry: dict[str, Any]) -> str:
    """Returns the number of lost edges, and why: `3 (2 detached, 1 no room)`."""
    why = {k.replace("_", " "): v for k, v in (entry["lost_because"] or {}).items() if v}
    text = _text(entry["lost"])
    return (
        f"{text} ({', '.join(f'{count} {name}' for name, count in why.items())})" if why else text
    )


def _delay_row(entry: dict[str, Any]) -> tuple[str, ...]:
    return (
        _text(entry["pin"]),
        _text(entry["mode"]),
        _caller(entry),
        reservation(entry),
        us(entry["delay_bound_us"]),
        us(entry["paper_bound_us"]),
        _text(entry["place"]),
    )


def _analysis_row(loop: dict[str, Any]) -> tuple[str, ...]:
    return (
        f"{loop['id']} {loop['kind']}",
        cores_text(loop),
        us(loop["budget_us"]),
        us(loop["period_us"]),
        us(loop["deadline_us"]),
        us(loop["response_bound_us"]),
    )


def tells_where_tried(board: str) -> bool:
    known = board_named(board)
    return known is not None and known.launcher in _TELL_WHERE_TRIED


def _print_tried(report: Report) -> None:
    """Prints where each loop of a refused sketch would have fitted. Images in QEMU do not report that."""
    told = tells_where_tried(report["board"])
    rows = [_tried_row(loop) for loop in report["loops"]]
    print_table(
        _TRIED if told else (_TRIED[0], *_TRIED[2:]),
        rows if told else [(r[0], *r[2:]) for r in rows],
    )


def _tried_row(loop: dict[str, Any]) -> tuple[str, ...]:
    """Returns the row of a loop. No loop of a refused sketch has a bound."""
    times = (us(loop["budget_us"]), us(loop["period_us"]), us(loop["deadline_us"]))
    return (f"{loop['id']} {loop['kind']}", tried_text(loop), *times)


def tried_text(loop: dict[str, Any]) -> str:
    """Returns where a loop of a refused sketch would have fitted."""
    cores = cores_text(loop)
    return "no room" if loop["core"] is None else f"fits on core{'s' * ('+' in cores)} {cores}"


def cores_text(loop: dict[str, Any]) -> str:
    """Returns the core: `0`, or `0+1` for a loop in two parts."""
    return "+".join(_text(part["core"]) for part in loop.get("parts") or [loop])


def _parts_line(loop: dict[str, Any]) -> str:
    first, second = loop["parts"]
    return (
        f"loop {loop['id']} is in two parts: {us(first['budget_us'])} on core {first['core']}, at once; "
        f"{us(second['budget_us'])} on core {second['core']}, released {us(second['offset_us'])} later, "
        f"due {us(second['deadline_us'])} after that"
    )


def reservation(entry: dict[str, Any]) -> str:
    """Returns C and T, and D where it is shorter than T: `1/20 ms, D 5 ms`."""
    if not entry["period_us"]:  # handlers of sketches without loops
        return "–"
    budget, period = us(entry["budget_us"]), us(entry["period_us"])
    if budget.split()[-1] == period.split()[-1]:  # the same unit: written once
        budget = budget.split()[0]
    deadline = (
        entry.get("deadline_us") or entry["period_us"]
    )  # handlers have no deadline of their own
    earlier = f", D {us(deadline)}" if deadline < entry["period_us"] else ""
    return f"{budget}/{period}{earlier}"


def _stack(loop: dict[str, Any]) -> str:
    if loop["stack_used"] is None and loop["stack_size"] is None:
        return "–"
    return f"{_text(loop['stack_used'])}/{_text(loop['stack_size'])}"


def _loop_name(loop: Any) -> str:
    if loop is None:
        return "setup()"
    return "loop()" if loop == 0 else f"loop {loop}"


def _address(address: Any) -> str:
    return f"{address:#x}" if isinstance(address, int) else str(address)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value * 100:.1f} %"


def count(value: int | None, noun: str) -> str:
    return f"{_text(value)} {noun}{'' if value == 1 else 's'}"


def _text(value: Any) -> str:
    return "–" if value is None else str(value)


def pairs(values: Any) -> str:
    if not isinstance(values, dict):
        return str(values)
    return ", ".join(_pair(name, value) for name, value in values.items())


def _pair(name: str, value: Any) -> str:
    """Returns `context switch 4 us` for `context_switch_us: 4`."""
    if isinstance(value, dict):
        known = {key: each for key, each in value.items() if each is not None}
        return f"{name.replace('_', ' ')} ({pairs(known) or 'nothing'})"
    if isinstance(value, list):
        listed = ", ".join(str(each).removesuffix("_us").replace("_", " ") for each in value)
        return f"{name.replace('_', ' ')} {f'({listed})' if listed else 'none'}"
    if isinstance(value, bool):
        value = "yes" if value else "no"
    words, _, unit = name.rpartition("_")
    if unit in ("us", "ns"):
        return f"{words.replace('_', ' ')} {value} {unit}"
    return f"{name.replace('_', ' ')} {value}"
