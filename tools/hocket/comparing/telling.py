"""What `hocket compare` prints: tables, and the timelines one above the other in characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from hocket.comparing.performing import Compared, shown
from hocket.durations import format_microseconds as us
from hocket.report import NOT_GUARANTEED, is_guaranteed
from hocket.tables import MARK, in_colour, print_table, print_words
from hocket.timing import count, ending, fault_line, reservation
from hocket.trace.states import READY, RUNNING, THROTTLED
from hocket.webreport.timeline import Window, late_in

LOOPS = ("policy", "loop", "C/T", "iterations", "response (bound)", "misses")
_LOOPS_DROP = ("iterations", "C/T")
POLICIES = (
    "policy",
    "the loops are",
    "misses",
    "thread switches",
    "preemptions",
    "timer interrupts",
)
_POLICIES_DROP = ("timer interrupts", "preemptions")
_WIDTH = 64  # characters of a timeline
_LETTERS = {RUNNING: "#", READY: "-", THROTTLED: "/"}
_BRIEF = "'"
LEGEND = (
    f"# runs   {_BRIEF} runs, for less than a column   - ready, another has the core   / budget used up   "
    "! a deadline is missed"
)


def policy_rows(compared: Sequence[Compared]) -> list[tuple[str, ...]]:
    """What each policy promises, what came of it, and how often it switched."""
    rows: list[tuple[str, ...]] = []
    for each in compared:
        refused = each.report["admission"]["accepted"] is False
        counters = each.report["counters"]
        known = [loop["deadline_misses"] for loop in each.report["loops"]]
        misses = sum(number or 0 for number in known)
        told = "–" if all(number is None for number in known) else str(misses)
        rows.append(
            (
                each.policy,
                each.verdict + MARK * refused,
                told + MARK * bool(misses),
                *(
                    _text(counters[name])
                    for name in ("thread_switches", "preemptions", "timer_interrupts")
                ),
            )
        )
    return rows


def loop_rows(compared: Sequence[Compared]) -> list[tuple[str, ...]]:
    """Each loop under each policy, those of one loop together."""
    rows: list[tuple[str, ...]] = []
    for place, loop in enumerate(compared[0].report["loops"]):
        for each in compared:
            entry = each.report["loops"][place]
            missed = entry["deadline_misses"]
            rows.append(
                (
                    each.policy,
                    f"{loop['id']} {loop['kind']}",
                    reservation(loop),
                    _text(entry["iterations"]),
                    f"{us(entry['max_response_us'])} ({us(entry['response_bound_us'])})",
                    _text(missed) + MARK * bool(missed),
                )
            )
    return rows


def print_comparison(compared: Sequence[Compared]) -> None:
    first = compared[0].report
    time = max(each.report["duration_us"] or 0 for each in compared)
    print(
        f"{first['sketch']} on {first['board']}: {count(first['cores'], 'core')}, {us(time)} of "
        f"{first['clock']} time, seed {_text(first['seed'])}"
    )
    print_table(POLICIES, policy_rows(compared), left=2, drop=_POLICIES_DROP)
    print()
    print_table(LOOPS, loop_rows(compared), left=2, drop=_LOOPS_DROP)
    for each in compared:
        print()
        print_words(
            f"{each.policy}: {heading(each)}", red=each.report["admission"]["accepted"] is False
        )
        for line in timeline_lines(each, *shown(compared)):
            print(line)
    if any(each.line is not None for each in compared):
        print()
        print_words(LEGEND)
    for each in compared:
        if each.report["end"] != "time" and each.line is not None:
            print_words(f"{each.policy}: {ending(each.report)}")
        for fault in each.report["faults"]:
            print_words(f"{each.policy}: fault: {fault_line(fault)}", red=True)


def heading(each: Compared) -> str:
    """What is said above the timeline of a policy."""
    if each.line is None:
        return f"refused, and this board runs no refused loops. {_why(each)}"
    if not is_guaranteed(each.report):
        return f"{NOT_GUARANTEED}. {_why(each)}"
    if each.verdict == "guaranteed":
        return "each loop is guaranteed its C in every T"
    return "this policy guarantees nothing"


def _why(each: Compared) -> str:
    reasons = each.report["admission"]["reasons"]
    return str(reasons[0]) if reasons else ""


def timeline_lines(each: Compared, start: int, end: int) -> Iterator[str]:
    """A line for each loop, and one with the times at both ends."""
    if each.line is None:
        return
    names = [row.name for row in each.rows]
    wide = max((len(name) for name in names), default=0)
    for row, name in zip(each.rows, names, strict=True):
        letters = [_letter(each, row.thread, *piece) for piece in _pieces(start, end)]
        for column in _brief(each, row.thread, letters, start, end):
            letters[column] = _BRIEF
        for due, _ in late_in(row, each.jobs, Window(start, end, 0), each.line.end):
            letters[min((due - start) * _WIDTH // (end - start), _WIDTH - 1)] = "!"
        yield f"  {name.ljust(wide)}  |{_coloured(letters)}|"
    ends = (us(start / 1000), us(end / 1000))
    yield f"  {' ' * wide}  {ends[0]}{ends[1].rjust(_WIDTH + 2 - len(ends[0]))}"


def _pieces(start: int, end: int) -> list[tuple[int, int]]:
    at = [start + (end - start) * number // _WIDTH for number in range(_WIDTH + 1)]
    return list(pairwise(at))


def _letter(each: Compared, thread: int, start: int, end: int) -> str:
    """That the thread ran, for a quarter of the piece or more; else its state for most of the piece."""
    assert each.line is not None
    times: dict[str, int] = {}
    for span in each.line.threads[thread]:
        if span.start < end and span.end > start:
            took = min(span.end, end) - max(span.start, start)
            times[span.what] = times.get(span.what, 0) + took
    if not times:
        return " "
    if times.get(RUNNING, 0) * 4 >= end - start:
        return _LETTERS[RUNNING]
    return _LETTERS.get(max(times, key=lambda what: times[what]), " ")


def _brief(
    each: Compared, thread: int, letters: Sequence[str], start: int, end: int
) -> Iterator[int]:
    """The columns of the runs that are too short for the letter of a run in any column."""
    assert each.line is not None
    for span in each.line.threads[thread]:
        if span.what != RUNNING or span.start >= end or span.end <= start:
            continue
        first, last = (
            min((max(at, start) - start) * _WIDTH // (end - start), _WIDTH - 1)
            for at in (span.start, min(span.end, end) - 1)
        )
        if _LETTERS[RUNNING] not in letters[first : last + 1]:
            yield first


def _coloured(letters: Sequence[str]) -> str:
    if not in_colour():
        return "".join(letters)
    return "".join(f"\033[31;1m{each}\033[0m" if each == "!" else each for each in letters)


def _text(value: object) -> str:
    return "–" if value is None else str(value)
