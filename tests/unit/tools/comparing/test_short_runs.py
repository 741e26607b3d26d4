"""The timelines of `hocket compare` in characters show each run, however short it is."""

from __future__ import annotations

from tests.unit.tools.webreport.conftest import log_of, report_of

from hocket.comparing.performing import Compared
from hocket.comparing.telling import LEGEND, timeline_lines
from hocket.trace.states import timeline
from hocket.webreport.responses import jobs_of
from hocket.webreport.timeline import rows_of

_MS = 1_000_000


def test_a_run_shorter_than_a_column_has_its_own_mark() -> None:
    """64 columns of 1 ms: runs of 10 us and 1 ms, and one of 1.1 ms, whose rest is no further run."""
    log = log_of(
        [(0, 10_000), (2 * _MS, 3 * _MS), (5 * _MS, 5 * _MS + 1_100_000), (70 * _MS, 71 * _MS)]
    )
    jobs = jobs_of(log)
    report = report_of()
    each = Compared("edf", report, timeline(log), jobs, rows_of(log, jobs, report))
    row, _ = timeline_lines(each, 0, 64 * _MS)
    assert row.split("|")[1].rstrip() == "' #  #"
    assert "' runs, for less than a column" in LEGEND
