"""Runs a sketch once under each policy, with the same seed, scenario and time."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.console import progress
from hocket.errors import EXIT_DONE, EXIT_FAULT, EXIT_REFUSED, EXIT_TIME_OUT, HocketError
from hocket.report import Report, is_guaranteed
from hocket.running.performing import run_image
from hocket.running.request import WATCHED, Request
from hocket.running.scenarios import find_scenario, keeping_nothing
from hocket.sketch.folder import find_sketch
from hocket.trace.states import Timeline, timeline
from hocket.webreport.material import read_log_bounded
from hocket.webreport.responses import Jobs, jobs_of
from hocket.webreport.timeline import Row, rows_of

_SHORTEST = 16  # periods of the loop with the shortest one that a picture has room for


@dataclass(frozen=True)
class Compared:
    """A run under one policy. line, jobs, rows: what its log shows; None and empty: nothing has run."""

    policy: str
    report: Report
    line: Timeline | None
    jobs: dict[int, Jobs]
    rows: list[Row]

    @property
    def verdict(self) -> str:
        """What the policy guarantees to these loops."""
        if self.line is None:
            return "refused, not run"
        if not is_guaranteed(self.report):
            return "refused, ran anyway"
        bounded = any(loop["response_bound_us"] is not None for loop in self.report["loops"])
        return "guaranteed" if bounded else "not guaranteed"


def run_each(request: Request, policies: Sequence[str]) -> list[Compared]:
    """HocketError: a run that says nothing about a policy, as that of a sketch that faults in setup()."""
    board, sketch = find_board(request.board), find_sketch(request.sketch)
    scenario = find_scenario(request.scenario, sketch, board, request.settings)
    scenario = keeping_nothing(replace(scenario, expectations=()))
    found = []
    for policy in policies:
        image = build_sketch(sketch, board, policy=policy)
        with tempfile.TemporaryDirectory(prefix="hocket-") as name:
            log_file = Path(name) / "log.hklog"
            asked = replace(request, policy=policy, trace=log_file, anyway=board.name in WATCHED)
            with progress(f"running {sketch.name} by {policy}"):
                finished = run_image(image, asked, scenario, show_serial=False)
            log, _ = read_log_bounded(log_file)
        if finished.status not in (EXIT_DONE, EXIT_FAULT, EXIT_REFUSED, EXIT_TIME_OUT):
            raise HocketError(
                f"the run by {policy} did not end as it should",
                "; ".join([*finished.report["notices"], *finished.ended.messages]),
                f"run it alone: --policy {policy}",
                exit_code=finished.status,
            )
        if log is None or not log.events:
            found.append(Compared(policy, finished.report, None, {}, []))
            continue
        jobs = jobs_of(log)
        rows = [row for row in rows_of(log, jobs, finished.report) if row.entry]
        found.append(Compared(policy, finished.report, timeline(log), jobs, rows))
    return found


def shown(compared: Sequence[Compared]) -> tuple[int, int]:
    """From when to when (ns) the pictures go: from the first release, for one pattern of all periods, or
    for as long as the shortest period can still be seen."""
    ran = [each for each in compared if each.line is not None]
    if not ran:
        return 0, 0
    loops: list[dict[str, Any]] = ran[0].report["loops"]
    periods = [round(loop["period_us"] * 1000) for loop in loops if loop["period_us"]]
    first = min(
        (at for each in ran for jobs in each.jobs.values() for at in jobs.all_releases[:1]),
        default=0,
    )
    end = min(each.line.end for each in ran if each.line is not None)
    if not periods:
        return first, end
    length = min(math.lcm(*periods), max(_SHORTEST * min(periods), max(periods)))
    return first, max(min(end, first + length), first + 1)
