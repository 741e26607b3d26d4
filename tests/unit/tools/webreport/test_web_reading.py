"""What pages read: responses from logs, waves from files, pictures from facts. Any input, bounded work."""

from __future__ import annotations

import base64
import io
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from tests.unit.tools.webreport.conftest import log_of, report_of

from hocket.trace.eventlog import Event, EventKind, EventLog, pack_log
from hocket.trace.states import timeline
from hocket.webreport import timeline as over_time
from hocket.webreport.histograms import bins_of, draw
from hocket.webreport.material import read_log_bounded, read_waves_bounded
from hocket.webreport.pictures import picture_of
from hocket.webreport.responses import jobs_of
from hocket.webreport.waves import draw as draw_waves
from hocket.webreport.waves import read_waves

GAPS = st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 10**9)), max_size=30)


@pytest.mark.parametrize("kind", [0, 1, 4])
@given(gaps=GAPS)
def test_a_job_lasts_from_its_release_to_its_end(kind: int, gaps: list[tuple[int, int]]) -> None:
    now, jobs = 0, []
    for rest, work in gaps:
        jobs.append((now + rest, now + rest + work))
        now = jobs[-1][1]
    found = jobs_of(log_of(jobs, kind))[1]
    assert found.releases == [released for released, _ in jobs]
    assert found.responses == [ended - released for released, ended in jobs]


def test_a_call_that_runs_into_later_releases_is_one_job() -> None:
    events = [Event(0, 0, EventKind.NAMED, 1, 1, 1)]
    events += [Event(at, 0, EventKind.RELEASE, 1, 0, at) for at in (10, 20, 30, 40)]
    events += [
        Event(35, 0, EventKind.ITERATION, 1, 1, 0),
        Event(44, 0, EventKind.ITERATION, 1, 2, 0),
    ]
    found = jobs_of(EventLog(1, events))[1]
    assert (found.responses, found.all_releases) == ([25, 4], [10, 20, 30, 40])


EVENTS = st.lists(
    st.builds(
        Event,
        st.integers(0, 10**9),
        st.integers(0, 1),
        st.integers(0, 20),
        st.sampled_from([0, 1, 2, 0xFFFF]),
        st.integers(0, 5),
        st.integers(0, 10**9),
    ),
    max_size=40,
)


@settings(max_examples=40, deadline=None)
@given(EVENTS)
def test_any_log_can_be_drawn(events: list[Event]) -> None:
    log = EventLog(2, events)
    line, jobs, report = timeline(log), jobs_of(log), report_of()
    assert all(took >= 0 for each in jobs.values() for took in each.responses)
    rows = over_time.rows_of(log, jobs, report)
    assert len({row.thread for row in rows}) == len(rows)
    over_time.draw(line, rows, jobs, over_time.first_window(line))
    over_time.worst_window(line, jobs, report)


@given(st.integers(0, 200), st.integers(1, 60))
def test_a_window_draws_no_more_than_it_may_and_counts_the_rest(count: int, most: int) -> None:
    log = log_of([(n * 1000 + 1, n * 1000 + 500) for n in range(count)])
    line = timeline(log)
    spans = [s for each in (*line.cores.values(), *line.threads.values()) for s in each]
    window = over_time.first_window(line, most)
    assert window.left_out == max(0, len(spans) - most)
    assert sum(s.start < window.end for s in spans) <= max(most, 0) or not window.left_out


TIMES = st.integers(0, 10**12).map(lambda ns: ns / 1000)


@given(st.lists(TIMES, min_size=1, max_size=60), st.one_of(st.none(), TIMES))
def test_every_job_is_in_a_histogram_and_so_is_the_bound(
    responses: list[float], bound: float | None
) -> None:
    counts, edges, _ = bins_of(responses, bound or 0.0)
    assert counts.sum() == len(responses)
    assert edges[-1] >= max(*responses, bound or 0.0)
    assert all(a < b for a, b in pairwise(edges))


@settings(max_examples=20, deadline=None)
@given(st.lists(TIMES, min_size=1, max_size=20))
def test_a_histogram_shows_its_bound_within_its_axes(responses: list[float]) -> None:
    made = draw("loop 1", responses, 5_000.0, max(responses), 0)
    assert made.x_range.end >= max(5_000.0, *responses)
    assert made.y_range.end >= 1


@given(st.text(max_size=300))
def test_any_wave_file_can_be_read(text: str) -> None:
    read_waves(text)


LINES = st.lists(
    st.sampled_from(
        ["$scope module a $end", "$var wire 1 ! D1 $end", '$var real 64 " a_b $end', "$upscope $end",
         "$enddefinitions $end", "#5", "#x", "#10", "0!", "1!", "z!", "r1 !", 'r1e400 "', 'rnan "', "r", "1?"]
    ),
    max_size=30,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(LINES)
def test_any_lines_of_a_wave_file_can_be_drawn(lines: list[str]) -> None:
    waves = read_waves("\n".join(lines))
    for signal in waves.signals:
        assert len(signal.times) == len(signal.values)
        assert not any(isinstance(v, float) and math.isinf(v) for v in signal.values)
    draw_waves(waves, None, 1000)


def test_waves_are_bounded_and_say_so() -> None:
    text = "$scope module board $end\n$var wire 1 ! D9 $end\n$var wire 1 ? D8 $end\n"
    text += "$enddefinitions $end\n0?\n"
    text += "".join(f"#{n}\n{n % 2}!\n" for n in range(100))
    waves = read_waves(text, most=10)
    (signal,) = waves.signals
    assert (signal.name, len(signal.times), signal.more, waves.quiet) == ("D9", 10, 90, ["D8"])
    assert draw_waves(waves, None, 100)[1] == ["D9: 90 later changes are not drawn."]


def test_of_a_long_log_the_first_events_are_read(tmp_path: Path) -> None:
    file = tmp_path / "run.hklog"
    file.write_bytes(pack_log(log_of([(n * 10, n * 10 + 5) for n in range(50)])) + b"cut")
    log, left = read_log_bounded(file, 21)
    assert log is not None
    assert (len(log.events), left) == (21, 201 - 21)
    assert read_log_bounded(tmp_path / "none") == (None, 0)
    (tmp_path / "opened").touch()
    assert read_log_bounded(tmp_path / "opened") == (None, 0), "opened, and nothing ran"
    waves = tmp_path / "pins.vcd"
    waves.write_text("#1\n0!\n#2\n1!\n")
    assert read_waves_bounded(waves, 8) == ("#1\n0!\n#2\n", True)
    assert read_waves_bounded(waves) == ("#1\n0!\n#2\n1!\n", False)


def test_a_display_s_rows_are_its_picture() -> None:
    source = picture_of({"rows": ["80ff", "0001"]})
    assert source is not None
    data = base64.b64decode(source.removeprefix("data:image/png;base64,"))
    image = Image.open(io.BytesIO(data)).convert("1")
    assert image.size == (48, 6)
    lit = [
        "".join("#" if image.getpixel((x * 3 + 1, y * 3 + 1)) else "." for x in range(16))
        for y in (0, 1)
    ]
    assert lit == ["#.......########", "...............#"]


@given(
    st.one_of(
        st.none(),
        st.integers(),
        st.lists(st.one_of(st.text(max_size=6), st.integers()), max_size=6),
    )
)
def test_rows_that_are_no_picture_are_none(rows: Any) -> None:
    made = picture_of({"rows": rows})
    assert made is None or made.startswith("data:image/png;base64,")
