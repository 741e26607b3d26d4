"""Pages of runs: they load nothing, what sketches say stays text, nothing is invented."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.campaign import long_form, one_in
from tests.unit.tools.webreport.conftest import Page, log_of, report_of

from hocket.trace.eventlog import EventLog
from hocket.webreport.material import Material, Serial
from hocket.webreport.page import make_page
from hocket.webreport.timeline import MOST_SPANS
from hocket.webreport.words import MOST_LINES, MOST_SERIAL, serial_lines, verdict

ATTACK = "</script><img src=x onerror=alert(1)>"
VCD = """$scope module board $end
$var wire 1 ! D2 $end
$upscope $end
$scope module {name} $end
$var real 64 " {name}_cm $end
$upscope $end
$enddefinitions $end
#0
0!
r1 "
#1000
1!
r2.5 "
"""
MS = 1_000_000


def page_of(material: Material) -> Page:
    return Page(make_page(material))


def test_a_page_loads_nothing_and_runs_only_its_own_scripts() -> None:
    log = log_of([(n * 100 * MS, n * 100 * MS + 5 * MS) for n in range(1, 20)])
    page = page_of(Material(report_of(), ("hocket", "run"), log, waves=VCD.format(name="sonar")))
    page.check_harmless()
    assert len(page.scripts) == 3


@one_in(3)
@pytest.mark.parametrize("attack", [ATTACK, '"><svg onload=alert(1)>', "'-->]]>{{7*7}}$$x$$<!--"])
def test_what_a_sketch_says_stays_text(attack: str) -> None:
    """In every place that can hold it; and it is shown as it was said."""
    report = report_of(
        parts={attack: {attack: attack}},
        notices=[attack],
        faults=[{"loop": 1, "kind": "bad access", "address": 16, "text": attack}],
        tick=attack,
        policy=attack,
        end=attack,
    )
    report["sketch"] = attack
    report["expectations"] = [{"line": 1, "text": attack, "met": False, "seen": attack}]
    report["admission"]["reasons"] = [attack]
    report["interrupts"] = []
    material = Material(
        report, (attack,), log_of([(MS, 2 * MS)]), waves=VCD.format(name=attack.replace(" ", "")),
        serial=Serial(attack.encode() + b"\n", [5]),
    )  # fmt: skip
    page = page_of(material)
    page.check_harmless()
    assert page.text.count(attack) >= 10
    assert attack not in next(c for a, c in page.scripts if a.get("type") == "application/json")


@settings(max_examples=25, deadline=None)
@given(st.binary(max_size=300), st.text(max_size=40), st.text(max_size=40))
def test_any_serial_and_any_names_make_a_harmless_page(sent: bytes, name: str, notice: str) -> None:
    report = report_of(parts={name: {"value": notice}}, notices=[notice])
    page_of(Material(report, (name,), serial=Serial(sent))).check_harmless()


def test_what_a_board_cannot_measure_is_a_dash_and_never_a_zero() -> None:
    report = report_of(loops=[{"id": 0, "kind": "loop"}], parts=None, overheads=None, losses=None,
                       serial=None, counters=None, seed=None, cores=None)  # fmt: skip
    page = page_of(Material(report))
    page.check_harmless()
    cells = re.findall(r"<td>(.*?)</td>", page.source)
    row = next(i for i, cell in enumerate(cells) if cell == "0 loop")
    assert cells[row + 1 : row + 9] == ["–"] * 4 + ["– (–)"] + ["–"] * 3
    assert "0 us" not in page.text


def test_a_refused_sketch_shows_the_refusal_first() -> None:
    report = report_of(faults=[], end="refused", notices=[])
    report["admission"] |= {"accepted": False, "reasons": ["loop 2 asks for 60 ms"]}
    report["loops"][0]["core"] = None
    virt = page_of(Material({**report, "board": "virt"}))
    assert "not placed: the sketch is refused" in virt.text, "it does not report where loops fit"
    page = page_of(Material(report, serial=Serial(b"")))
    assert page.text.index("Refused: loop 2 asks for 60 ms") < page.text.index("Loops")
    assert "no room" in page.text and "not placed" not in page.text, "as `check` says it"
    assert page.scripts == [], "there is nothing to draw, so there is no script"
    assert "script-src 'none'" in page.policy


@pytest.mark.parametrize(
    ("changes", "kind", "said"),
    [
        ({}, "bad", "setup(): bad access"),
        ({"faults": []}, "good", "No deadline was missed."),
        ({"faults": [], "end": "interrupted"}, "poor", "Interrupted."),
    ],
)
def test_the_verdict_is_the_worst_that_happened(
    changes: dict[str, Any], kind: str, said: str
) -> None:
    found, text = verdict(report_of(**changes))
    assert (found, said in text) == (kind, True)
    missed = report_of(faults=[])
    missed["loops"][0]["deadline_misses"] = 2
    assert verdict(missed) == ("bad", "Deadlines missed by loop 1 (2).")


@long_form
def test_a_long_run_gives_a_small_page_that_says_what_it_leaves_out() -> None:
    log = log_of([(n * MS, n * MS + 1000) for n in range(1, 60_000)])
    page = page_of(Material(report_of(), log=log, log_left_out=123))
    assert len(page.source) < 4_000_000
    left = re.search(r"The first [\d.]+ \w+ of [\d.]+ \w+: (\d+) later changes of state", page.text)
    assert left is not None and int(left[1]) > 59_999 - MOST_SPANS
    assert "123 more events, which were not read" in page.text
    assert "59999 jobs" in page.source, "all of them are in the histogram"


def test_a_long_serial_keeps_its_beginning_and_its_end() -> None:
    lines = [f"line {n} {'x' * 40}".encode() for n in range(20_000)]
    told, said = serial_lines(Serial(b"\r\n".join(lines) + b"\r\n", range(1000, 11_000)))
    assert told[0] == ("1 us", lines[0].decode())
    assert told[-1] == ("", lines[-1].decode())
    assert sum(len(text) for _, text in told) <= MOST_SERIAL
    assert f"{20_000 - len(told) + 1} of 20000 lines are left out" in said
    assert "Times are known of the first 10000 lines." in said


def test_many_short_lines_are_bounded_too() -> None:
    told, said = serial_lines(Serial(b"x\n" * 50_000))
    assert len(told) == MOST_LINES + 1
    assert "46000 of 50000 lines are left out" in said


@given(st.binary(max_size=400))
def test_serial_is_shown_line_by_line_without_control_characters(sent: bytes) -> None:
    told, _ = serial_lines(Serial(sent))
    assert len(told) == (len(sent.removesuffix(b"\n").split(b"\n")) if sent else 0)
    assert all(c == "\t" or c.isprintable() or c == "\ufffd" for _, text in told for c in text)


@long_form
def test_the_plots_share_their_time_and_the_same_material_gives_the_same_page() -> None:
    material = Material(
        report_of(),
        log=log_of([(MS, 3 * MS)]),
        waves=VCD.format(name="sonar").replace("#1000", "#9000"),
    )
    page = page_of(material)
    content = json.loads(next(c for a, c in page.scripts if a.get("type") == "application/json"))
    names = sorted(content["places"].values())
    assert names == ["response-0", "timeline", "waves-0", "waves-1", "worst"]
    for name in names:
        assert f'id="{name}"' in page.source
    plots = {root["id"]: root["attributes"] for root in content["documents"]["run"]["roots"]}
    by_name = {name: plots[ident] for ident, name in content["places"].items()}
    ranges = {by_name[name]["x_range"]["id"] for name in ("timeline", "waves-0", "waves-1")}
    assert len(ranges) == 1
    again = page_of(material)
    ids = re.compile(r"p\d+")  # Bokeh counts its models in a process
    assert ids.sub("", again.source) == ids.sub("", page.source)


def test_an_empty_log_draws_nothing() -> None:
    page = page_of(Material(report_of(), log=EventLog(1, [])))
    page.check_harmless()
    assert page.scripts == []


def test_nothing_on_a_page_is_as_python_writes_it() -> None:
    seen = {"interrupt_entry_us": 0.18, "longest_masked_us": None}
    shown = {"rows": ["ab", "c"], "servo": {"angle": 90, "held": True}, "jobs": [{"at_us": 5}]}
    report = report_of(
        overheads={"context_switch_us": 9, "kernel_seen": seen, "exceeded": []},
        parts={"part": shown},
    )
    text = page_of(Material(report)).text
    assert "kernel seen (interrupt entry 0.18 us), exceeded none" in text
    assert "angle 90, held yes" in text and "ab, c" in text and "at 5 us" in text
    assert re.search(r"[{\[]['\"]|[{\[]\]|\bTrue\b|\bNone\b|': ", text) is None
    report = report_of(overheads={"exceeded": ["longest_masked_us", "timer_lateness_us"]})
    assert "exceeded (longest masked, timer lateness)" in page_of(Material(report)).text


def test_a_page_says_below_its_table_what_the_terminal_says() -> None:
    loop = {**report_of()["loops"][0], "kind": "periodic", "deadline_misses": 3,
            "budget_wait_us": 900, "longest_budget_wait_us": 400}  # fmt: skip
    report = report_of(loops=[loop])
    report["boards"] = {"pong": report_of(loops=[loop | {"deadline_misses": 7}])}
    text = page_of(Material(report)).text
    assert "misses: loop 1 was not done at 3 deadlines: " in text
    assert "waited for budget: loop 1 900 us in all, 400 us at most" in text
    assert "misses: loop 1 was not done at 7 deadlines: " in text, "of the other board too"


def test_a_page_of_a_refusal_says_what_all_loops_ask_for() -> None:
    report = report_of()
    report["admission"]["accepted"] = False
    told = "utilization and bound: of the loops that fit; all loops ask for "
    assert told in page_of(Material(report)).text
    ran = page_of(Material({**report, "guaranteed": False})).text
    assert "all loops ask for " in ran and told not in ran, "all of them are in the utilization"
