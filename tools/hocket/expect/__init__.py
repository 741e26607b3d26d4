"""Expectations: what a scenario says that a run must show (docs/reference/scenario.md#expectations).

    YAML ── reading ──> expectations ── judging, with the run's evidence ──> verdicts

The evidence is the normal output of a run: the waves of the pins, the report, and the times at which texts
were sent on Serial. Nothing is judged while the board runs, so that expectations do not change a run.
"""

from __future__ import annotations

from hocket.expect.evidence import Evidence, Expectation, NothingToSee, Verdict
from hocket.expect.limits import Limit, read_limit
from hocket.expect.reading import MOST_TIMES, read_expectations

__all__ = [
    "MOST_TIMES",
    "Evidence",
    "Expectation",
    "Limit",
    "NothingToSee",
    "Verdict",
    "read_expectations",
    "read_limit",
]
