"""What a run that ended early shows, and what it does not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.tools.expect.conftest import Read

from hocket.expect.judging import judge_run

SENT = {"text": "ping", "port": 0, "count": 1, "times_ns": [1000]}


def judged(read: Read, end: str, item: dict[str, Any], never: bool = False) -> bool | None:
    loop = {"id": 1, "deadline_misses": 0, "releases": 1, "iterations": 2}
    late = loop | {"id": 2, "deadline_misses": 3}
    report = {"end": end, "duration_us": 1000, "loops": [loop, late]}
    found = read([], [item]) if never else read([item])
    (entry,) = judge_run(found, report, {"texts": [SENT]}, None, 10**10)
    if entry["met"] is None:
        assert entry["seen"].startswith("not judged: ") and entry["seen"].endswith(" the run early")
    met: bool | None = entry["met"]
    return met


@pytest.mark.parametrize(
    ("item", "after_fault", "after_fail_text"),
    [
        ({"loop": 1, "misses": 0}, None, None),
        ({"loop": 2, "misses": 0}, False, False),
        ({"loop": 1, "iterations": "at least 5"}, False, None),
        ({"serial": "ping"}, True, True),
        ({"serial": "ping", "times": 1}, None, None),
        ({"serial": "pong"}, False, None),
        ({"serial": "pong", "by": "2 s"}, False, None),
        ({"serial": "pong", "by": "500 us"}, False, False),
    ],
)
def test_a_run_that_ended_early(
    read: Read, item: dict[str, Any], after_fault: bool | None, after_fail_text: bool | None
) -> None:
    assert judged(read, "fault", item) is after_fault
    assert judged(read, "failed", item) is after_fail_text


def test_what_never_happened_in_a_part_of_the_run(read: Read) -> None:
    assert judged(read, "fault", {"serial": "pong"}, never=True) is None
    assert judged(read, "time", {"serial": "pong"}, never=True) is True
    assert judged(read, "failed", {"serial": "ping"}, never=True) is False


def test_one_time_is_once(read: Read) -> None:
    (each,) = read([{"serial": "ping", "times": 1}])
    assert " once" in each.wanted() and "1 times" not in each.wanted()
