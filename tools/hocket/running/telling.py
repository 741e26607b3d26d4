"""Messages about a run that was refused or did not meet its expectations."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from hocket.boards import BOARDS
from hocket.builder import Image
from hocket.errors import (
    EXIT_DEFECT,
    EXIT_FAULT,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    HocketError,
    shorten,
)
from hocket.report import Report
from hocket.scenario import Scenario
from hocket.simulator import ESCAPING, Ended


def print_refusal(report: Report, ended: Ended, at_the_prompt: Image | None = None) -> None:
    """Prints on standard error why admission control refused. at_the_prompt: also print the lines of the
    loops and what to do about it."""
    reasons = report["admission"]["reasons"]
    if at_the_prompt is not None:
        print_reasons(report, at_the_prompt)
    else:
        _print_refused(reasons)
    if not reasons:
        for line in ended.messages:
            print(line, file=sys.stderr)


def print_reasons(report: Report, image: Image | None = None) -> None:
    """Prints the reasons and what to do about them. image: None for a saved report, which names no lines."""
    reasons = report["admission"]["reasons"]
    _print_refused(reasons)
    for line in ways_out(report, image) if reasons else ():
        print(f"  next:  {line}", file=sys.stderr)


def _print_refused(reasons: Sequence[str]) -> None:
    for reason in reasons:
        print(f"hocket: refused: {reason}", file=sys.stderr)


def ways_out(report: Report, image: Image | None, more_cores: str = "--cores {cores}") -> list[str]:
    """Returns what to do about a refusal, one line for each kind of reason. more_cores: how the number of
    cores is set where the sketch is built."""
    small, said, too_much = [], [], []
    for reason in report["admission"]["reasons"]:
        if enough := re.search(r"; give it (\S+) (\S+) or more\.$", reason):
            small.append(f"C = {_as_written(*enough.groups())} or more{_places([reason], image)}")
        elif way := re.search(r"; ((?:give|run) its? .*)\.$", reason):
            said.append(f"{way[1]}{_places([reason], image)}")
        else:
            too_much.append(reason)
    lines = [f"write {' and '.join(small)}"] if small else []
    lines += dict.fromkeys(said)
    if too_much:
        heaviest = _heaviest(report, report["admission"]["reasons"], image)
        cores = report["cores"]
        most = [board.most_cores for board in BOARDS if board.name == report["board"]]
        more = cores is not None and bool(most) and cores < most[0]
        also = f", or give it more cores ({more_cores.format(cores=cores + 1)})" if more else ""
        where = _places(too_much, image)
        lines.append(f"ask for a smaller C or a longer T{where}{heaviest}{also}")
    return lines


def _as_written(number: str, unit: str) -> str:
    """Returns a time in the form that annotations of loops accept: `1.016 ms` becomes 1016us."""
    exact = Fraction(number)
    if exact.denominator != 1:
        exact, unit = exact * {"us": 1, "ms": 1_000, "s": 1_000_000}[unit], "us"
    return f"{math.ceil(exact)}{unit}"


def _heaviest(report: Report, reasons: Sequence[str], image: Image | None) -> str:
    """Returns the loop that demands most, if it is not one of the refused loops. Often it is the loop that
    was changed last, and it leaves too little for the refused ones."""
    asking = [loop for loop in report["loops"] if loop["budget_us"] and loop["period_us"]]
    if not asking:
        return ""
    most = max(asking, key=lambda loop: float(loop["budget_us"] / loop["period_us"]))
    refused = {named[1] for reason in reasons if (named := re.match(r"loop (\d+)\b", reason))}
    if str(most["id"]) in refused or not _is_declared(most["id"], image):
        return ""
    share = 100 * most["budget_us"] / most["period_us"]
    file, line = loop_of(f"loop {most['id']}", image)
    where = f" ({shorten(file)}:{line})" if file is not None else ""
    return f", or of loop {most['id']}, which asks for {share:.0f} % of a core{where}"


def _is_declared(number: int, image: Image | None) -> bool:
    """Returns whether the sketch declares the loop. Other parts of the system may have loops as well. For a
    saved report this is not known, and every loop counts."""
    return image is None or any(loop.id == number for loop in image.translation.loops)


def loop_of(reason: str, image: Image | None) -> tuple[Path | None, int | None]:
    """Returns the place of the declaration of the loop that a refusal names."""
    named = re.search(r"\bloop (\d+)\b", reason)
    for loop in image.translation.loops if image is not None else ():
        if named and loop.id == int(named[1]):
            return loop.file, loop.line
    return None, None


def _places(reasons: Sequence[str], image: Image | None) -> str:
    """Returns ` (FILE:LINE)` of the refused loops, or an empty string if no loop is named."""
    found = [loop_of(reason, image) for reason in reasons]
    places = dict.fromkeys(f"{shorten(file)}:{line}" for file, line in found if file is not None)
    return f" ({', '.join(places)})" if places else ""


def tell_expectations(report: Report, scenario: Scenario) -> None:
    """Prints on standard error the expectations that were not met, and their number."""
    if scenario.expectations and scenario.file is not None:
        from hocket.expect.judging import lines_of

        for line in lines_of(report["expectations"], scenario.file):
            print(line, file=sys.stderr)


def unusable(ended: Ended) -> HocketError:
    """Returns the error of a program that could not run the sketch, with the program's own messages."""
    said = [line.removeprefix("hocket: ") for line in ended.messages if line.strip()]
    if ended.status == EXIT_INTERRUPTED:
        return HocketError(
            said[-1] if said else "interrupted",
            next_step="run it again",
            exit_code=EXIT_INTERRUPTED,
        )
    if ended.status == EXIT_USAGE and said:
        return HocketError(said[0], "\n".join(said[1:]), "fix what it names, then run it again")
    if ended.status == EXIT_FAULT and said and said[-1] == ESCAPING:
        return HocketError(
            ESCAPING,
            "it did so where it could not be stopped by itself, and the whole run was ended",
            "look at what it calls before you run it again (docs/guide/strangers.md)",
            exit_code=EXIT_FAULT,
        )
    return HocketError(
        "the board's program left no facts",
        "; ".join(said) or f"it ended with status {ended.status}",
        "this is a defect of Hocket: please report it with the sketch",
        exit_code=EXIT_DEFECT,
    )
