"""Expectations: what a scenario says that a run must show (docs/reference/scenario.md#expectations).

    YAML ── reading ──> expectations ── judging, with the run's evidence ──> verdicts

The evidence is what any run leaves: the waves of the pins, the report, and when texts were sent on Serial.
Nothing is judged while the board runs, so that a run with expectations is the same run as one without.
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
