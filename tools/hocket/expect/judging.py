"""Judges a run by its scenario's expectations: what they need from the board's program, and the verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from hocket.errors import HocketError, raise_all, shorten
from hocket.expect.evidence import Evidence, Expectation, Sent, Verdict, Wiring, instant
from hocket.trace.wavefile import read_signals

Judged = dict[str, Any]  # an entry of the report's `expectations`


def check_duration(
    expectations: Iterable[Expectation], duration: int, file: Path | None, longer: str = "for: {}"
) -> None:
    """Refuses, before anything is built, expectations that a run of this length (ns) cannot show. longer: how
    a time is written that makes the run longer."""
    raise_all(
        [
            HocketError(
                f"{each.wanted()}, and the run ends at {instant(duration)}",
                next_step=f"let it run longer: {longer.format(_time(each.latest, longer))}",
                file=file,
                line=each.line,
            )
            for each in expectations
            if each.latest is not None and each.latest > duration
        ]
    )


def _time(ns: int, longer: str) -> str:
    """Returns a time as it is written in a scenario, or as one word for an option."""
    return instant(ns).replace(" ", "") if longer.startswith("--") else instant(ns)


def signals_of(expectations: Iterable[Expectation]) -> set[str]:
    return {name for each in expectations for name in each.signals()}


def texts_of(expectations: Iterable[Expectation]) -> list[str]:
    return sorted({text for each in expectations for text in each.texts()})


def judge_run(
    expectations: Sequence[Expectation],
    report: dict[str, Any],
    facts: dict[str, Any],
    waves: Path | None,
    duration: int,
) -> list[Judged]:
    """Judges a run. waves: of the pins. None: no expectation needs them. duration: the requested time in
    nanoseconds. Nothing after that time is judged, and nothing at all if the run was interrupted."""
    why = _not_judged(report)
    if why:
        return [_entry(each, None, f"not judged: {why}") for each in expectations]
    signals = read_signals(waves, signals_of(expectations)) if waves and waves.is_file() else {}
    texts = {
        (each["text"], each["port"]): Sent(each["count"], tuple(each["times_ns"]))
        for each in facts.get("texts") or []
    }
    end = round(Fraction(str(report["duration_us"])) * 1000)
    latest = max((changes[-1][0] for changes in signals.values()), default=0)
    run = Evidence(max(end, latest), signals, texts, report, Wiring.of(facts))
    judged = []
    for each in expectations:
        if each.latest is not None and each.latest > duration:
            judged.append(_entry(each, None, f"not judged: {_BEHIND}"))
            continue
        verdict = each.verdict(run)
        if cut := _cut_short(each, verdict, run):
            judged.append(_entry(each, None, f"not judged: {cut}"))
            continue
        judged.append(_entry(each, verdict.met, verdict.seen))
    return judged


_CUT_SHORT = {
    "fault": "a fault ended the run early",
    "failed": "a text of --fail-text ended the run early",
}


def _cut_short(expectation: Expectation, verdict: Verdict, run: Evidence) -> str:
    """Returns why a run that ended early shows nothing about an expectation. Empty: the verdict is sure.
    A fault says itself why what was to come did not come."""
    end = run.report["end"]
    if end not in _CUT_SHORT:
        return ""
    to_come = expectation.latest is None or expectation.latest > run.end
    if verdict.met:
        unsure = expectation.latest is None and not expectation.met_for_good
    else:
        unsure = end == "failed" and to_come and not expectation.broken_for_good
    return _CUT_SHORT[end] if unsure else ""


_BEHIND = "the run ends before"


def _not_judged(report: dict[str, Any]) -> str:
    return {
        "interrupted": "the run was interrupted",
        "refused": "the sketch was refused",
        "setup": "setup() never returned",
        "serial limit": "the run ended at the limit of Serial",
    }.get(report["end"], "")


def _entry(expectation: Expectation, met: bool | None, seen: str) -> Judged:
    return {"line": expectation.line, "text": expectation.wanted(), "met": met, "seen": seen}


def lines_of(judged: Sequence[Judged], file: Path) -> list[str]:
    """Returns the lines for standard error: each expectation that was not met, and their number."""
    if not judged:
        return []
    left = [each for each in judged if each["met"] is None]
    judged = [each for each in judged if each["met"] is not None]
    not_judged = [f"hocket: {_count(len(left))} {left[0]['seen']}"] if left else []
    if not judged:
        return not_judged
    wrong = [each for each in judged if not each["met"]]
    lines = [
        f"hocket: {shorten(file)}:{each['line']}: {each['text']}; {each['seen']}" for each in wrong
    ]
    if wrong:
        return [*lines, f"hocket: {len(wrong)} of {_count(len(judged))} not met", *not_judged]
    return [f"hocket: {'all ' if len(judged) > 1 else ''}{_count(len(judged))} met", *not_judged]


def _count(number: int) -> str:
    return f"{number} expectation{'' if number == 1 else 's'}"
