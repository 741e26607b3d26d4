"""Reports the results of a campaign: a summary in 80 columns, JSON, and a table of all runs."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hocket.campaign.distribution import Distribution, distribution
from hocket.campaign.performing import FAILED, MISSED, OK, REFUSED, Outcome, repeat_command
from hocket.durations import format_microseconds
from hocket.output import STANDARD
from hocket.running.request import Request
from hocket.whole_files import write_result

SHOWN_FAILURES = 10
_WORDS = {
    OK: "ok",
    FAILED: "failed",
    MISSED: "missed deadlines",
    REFUSED: "were refused",
}
_ONE = _WORDS | {REFUSED: "was refused"}
OF_BOUND = "response of bound"  # ends the name of a measure: a share


def summary(name: str, request: Request, outcomes: Sequence[Outcome], planned: int) -> list[str]:
    """Returns the lines of the summary."""
    counts = Counter(outcome.verdict for outcome in outcomes)
    told = [
        f"{n} {(_ONE if n == 1 else _WORDS).get(verdict, 'could not be run')}"
        for verdict, n in sorted(counts.items())
    ]
    of = "" if len(outcomes) == planned else f" of {planned}"
    seeds = ""
    if outcomes:
        seeds = f", seeds {outcomes[0].run.seed} to {outcomes[-1].run.seed}"
    lines = [
        f"{len(outcomes)}{of} runs of {name} on {request.board}{seeds}: {', '.join(told) or 'none done'}"
    ]
    lines += [*_table(outcomes), *above_bound(outcomes)]
    bad = [outcome for outcome in outcomes if outcome.verdict != OK]
    for outcome in bad[:SHOWN_FAILURES]:
        lines.append("")
        lines.append(f"seed {outcome.run.seed}: {_ONE.get(outcome.verdict, 'could not be run')}")
        lines += [f"  {reason}" for reason in outcome.why[:3]]
        lines.append(f"  again: {repeat_command(request, outcome.run)}")
    if len(bad) > SHOWN_FAILURES:
        lines += ["", f"and {len(bad) - SHOWN_FAILURES} more: --json or --csv tells all of them"]
    return lines


def above_bound(outcomes: Sequence[Outcome]) -> list[str]:
    """Explains shares above 100 %, which a call has that needed more than its C."""
    above = [
        name.removesuffix(OF_BOUND).strip()
        for name, found in distributions(outcomes).items()
        if name.endswith(OF_BOUND) and found.most > 1
    ]
    if not above:
        return []
    return [
        f"{OF_BOUND} above 100 % ({', '.join(above)}): the bound is for C of work, and a call that "
        "needs more than C takes longer"
    ]


def _table(outcomes: Sequence[Outcome]) -> list[str]:
    """Returns a table of the values that vary. Values that are equal in every run are left out."""
    rows = []
    for name, found in distributions(outcomes).items():
        ends = (found.least, found.median, found.most_of, found.most)
        cells = [_shown(name)(value) for value in ends]
        if len(set(cells)) > 1:
            rows.append((name, *cells, found.picture()))
    if not rows:
        return []
    heads = ("", "least", "median", "95 %", "most", "how many")
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    lines = [""]
    for row in [heads, *rows]:
        cells = [row[0].ljust(widths[0]), *(row[i].rjust(widths[i]) for i in range(1, 5)), row[5]]
        lines.append(" ".join(cells).rstrip())
    return lines


def _shown(name: str) -> Any:
    if name.endswith(OF_BOUND):
        return lambda value: f"{100 * value:.0f} %"
    if name.endswith("_us") or (name.startswith("loop ") and not name.endswith("misses")):
        return format_microseconds
    return lambda value: f"{value:.5g}"


def distributions(outcomes: Sequence[Outcome]) -> dict[str, Distribution]:
    """Returns the distributions by measure, in the order of first occurrence."""
    numbers: dict[str, list[float]] = {}
    for outcome in outcomes:
        for name, value in outcome.measures.items():
            numbers.setdefault(name, []).append(float(value))
    return {name: distribution(values) for name, values in numbers.items()}


def as_json(
    name: str, request: Request, outcomes: Sequence[Outcome], planned: int
) -> dict[str, Any]:
    return {
        "sketch": name,
        "board": request.board,
        "planned": planned,
        "done": len(outcomes),
        "verdicts": dict(sorted(Counter(outcome.verdict for outcome in outcomes).items())),
        "distributions": {
            key: {
                "count": d.count,
                "least": d.least,
                "median": d.median,
                "percentile_95": d.most_of,
                "most": d.most,
                "bins": list(d.bins),
            }
            for key, d in distributions(outcomes).items()
        },
        "runs": [
            {
                "seed": outcome.run.seed,
                "settings": {str(each.target): each.value for each in outcome.run.settings},
                "verdict": outcome.verdict,
                "why": list(outcome.why),
                "measures": outcome.measures,
                "again": repeat_command(request, outcome.run),
            }
            for outcome in outcomes
        ],
    }


def write_json(value: dict[str, Any], file: Path) -> None:
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    if file == STANDARD:
        print(text, end="")
    else:
        write_result(file, text)


def write_csv(outcomes: Sequence[Outcome], file: Path) -> None:
    """Writes a line for each run: its seed, its settings, the verdict, all measures."""
    measures = list(distributions(outcomes))
    settings = [str(each.target) for each in outcomes[0].run.settings] if outcomes else []
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["seed", *settings, "verdict", "why", *measures])
    for outcome in outcomes:
        values = [each.value for each in outcome.run.settings]
        numbers = [outcome.measures.get(name, "") for name in measures]
        table.writerow(
            [outcome.run.seed, *values, outcome.verdict, "; ".join(outcome.why), *numbers]
        )
    write_result(file, text.getvalue())
