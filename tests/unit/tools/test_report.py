"""Reports and tables: order of fields, bytes, the schema, what people see."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocket.cli.reports import report as report_command
from hocket.costs import add_exceeded, masked_by_direct_handlers
from hocket.durations import format_microseconds, parse_duration
from hocket.errors import HocketError
from hocket.report import LOOP_FIELDS, load_report, make_report, schema, write_report
from hocket.tables import plain_table
from hocket.timing import (
    budget_wait_line,
    exhausted_line,
    loop_lines,
    misses_line,
    print_analysis,
    print_timing,
    timing_rows,
)

FACTS: dict[str, Any] = {
    "cores": 1,
    "seed": 1,
    "duration_us": 10_000_000,
    "clock": "virtual",
    "policy": "vcpu",
    "end": "time",
    "admission": {
        "accepted": True,
        "test": "exact response-time analysis",
        "cores": [{"core": 0, "utilization": 0.7, "liu_layland_bound": 1.0}],
        "reasons": [],
    },
    "loops": [
        {
            "id": 1,
            "kind": "loop",
            "core": 0,
            "budget_us": 70_000,
            "period_us": 100_000,
            "deadline_us": 100_000,
            "iterations": 50,
            "cpu_us": 4567.25,
            "kernel_us": 12.5,
            "releases": 51,
            "min_cpu_per_period_us": 0,
            "max_cpu_per_period_us": 70_000,
            "budget_exhausted": 3,
            "deadline_misses": 0,
            "max_response_us": 70_004,
            "response_bound_us": 71_000,
            "stack_size": 65536,
            "stack_used": 1200,
        }
    ],
    "counters": {"thread_switches": 5, "sleeps": 4},
    "faults": [{"loop": None, "kind": "bad access", "address": 16, "text": ""}],
    "model": {"block_ns": 20},
    "overheads": {"context_switch_us": 2},
    "losses": {
        "each_wake_up_us": 12,
        "small_pieces": 1 / 256,
        "full_list": 1 / 196,
        "full_list_from": 16,
    },
    "parts": {},
    "serial": [],
    "notices": ["something worth knowing"],
}


def test_fields_come_in_the_documented_order() -> None:
    report = make_report(FACTS, "rover", "sim", "virtual")
    assert list(report) == [
        *("sketch", "board", "cores", "seed", "duration_us", "clock", "policy", "hocket", "end"),
        *("admission", "loops", "interrupts", "counters", "faults"),
        *("model", "overheads", "losses", "parts", "serial", "notices"),
    ]
    assert list(report["loops"][0]) == list(LOOP_FIELDS)
    assert report["counters"]["ipis"] is None, "what the board did not say is null"
    documented = Path(__file__).parents[3] / "docs/reference/report.md"
    text = documented.read_text()
    for name in [*report, *LOOP_FIELDS, *report["counters"], *report["faults"][0]]:
        assert f"`{name}`" in text or f"`{name}[]`" in text, f"{name} is not documented"


def test_reports_fit_the_schema_also_without_facts(tmp_path: Path) -> None:
    for facts in (FACTS, {}):
        file = tmp_path / "r.json"
        write_report(make_report(facts, "rover", "sim", "virtual"), file)
        assert load_report(file) == json.loads(file.read_text())
    jsonschema.Draft202012Validator.check_schema(schema())


def test_the_schema_refuses_what_no_report_has() -> None:
    report = make_report(FACTS, "rover", "sim", "virtual")
    spoils: tuple[dict[str, object], ...] = (
        {"more": 1},
        {"loops": [{}]},
        {"cores": 0},
        {"clock": "sundial"},
    )
    for spoil in spoils:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(report | spoil, schema())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"sketch": 1}', "\x00", '{"a": "\\ud800"}'])
def test_other_files_are_no_reports(tmp_path: Path, text: str) -> None:
    file = tmp_path / "r.json"
    file.write_text(text)
    with pytest.raises(HocketError, match="not a report"):
        load_report(file)


def test_timing_table(capsys: pytest.CaptureFixture[str]) -> None:
    print_timing(make_report(FACTS, "rover", "sim", "virtual"))
    lines = capsys.readouterr().out.splitlines()
    assert (
        lines[0] == "rover on sim: 1 core, 10 s of virtual time, seed 1; ran to the end of its time"
    )
    assert re.split(r" {2,}", lines[1]) == [
        *("loop", "core", "C/T", "iterations", "cpu per period", "response (bound)"),
        *("exhausted", "misses", "stack"),
    ]
    assert re.split(r" {2,}", lines[3]) == [
        *("1 loop", "0", "70/100 ms", "50", "0–70 ms", "70.004 ms (71 ms)", "3", "0", "1200/65536"),
    ]
    assert len(lines[1]) == len(lines[2]) == len(lines[3])
    assert lines[4:] == [
        "exhausted: loop 1 used its budget up and went on with the next: right for a loop that polls or "
        "computes without a pause",
        "thread switches 5, sleeps 4",
        "sim: 20 ns per basic block; a model, not a measurement of a board",
        "notice: something worth knowing",
        "fault: setup(): bad access at 0x10",
    ]


def test_a_deadline_that_is_shorter_than_its_period_is_shown() -> None:
    periodic: dict[str, object] = {"kind": "periodic", "budget_us": 200, "period_us": 1000}
    shown = {
        None: "200 us/1 ms",
        1000: "200 us/1 ms",
        500: "200 us/1 ms, D 500 us",
    }
    for deadline, text in shown.items():
        loop = FACTS["loops"][0] | periodic | {"deadline_us": deadline}
        columns, (row,) = timing_rows(make_report({"loops": [loop]}, "s", "sim", "virtual"))
        assert row[columns.index("C/T")] == text


def one_loop(**changed: object) -> str:
    """What is said of the table of one loop like that of FACTS."""
    return exhausted_line(
        make_report({"loops": [FACTS["loops"][0] | changed]}, "s", "sim", "virtual")["loops"]
    )


def test_a_budget_that_was_used_up_is_no_error_of_a_loop_that_polls() -> None:
    assert one_loop(budget_exhausted=30).startswith("exhausted: loop 1 used its budget up")
    assert one_loop(budget_exhausted=0) == ""
    assert one_loop(budget_exhausted=30, deadline_misses=1) == ""  # here it may be one
    assert one_loop(budget_exhausted=30, kind="periodic") == ""
    assert one_loop(budget_exhausted=30, response_bound_us=None) == ""  # time slices
    loops = [
        {
            "id": i,
            "kind": "loop",
            "budget_exhausted": 1,
            "deadline_misses": 0,
            "response_bound_us": 1,
        }
        for i in (1, 2, 9)
    ]
    assert "loops 1, 2 and 9 used their budgets up" in exhausted_line(loops)


def test_missed_deadlines_of_calls_are_explained() -> None:
    def said(*loops: dict[str, object]) -> str:
        each = [FACTS["loops"][0] | {"id": number} | loop for number, loop in enumerate(loops, 1)]
        return misses_line(make_report({"loops": each}, "s", "sim", "virtual")["loops"])

    late: dict[str, object] = {"kind": "periodic", "deadline_misses": 3, "budget_exhausted": 0}
    assert said(late) == (
        "misses: loop 1 was not done at 3 deadlines: C was never used up, so what a call waits for "
        "(delay(), a lock) takes too long; take the waiting out, or make T longer"
    )
    assert said(late | {"budget_exhausted": 2}).endswith(
        "a call that needs more than C ends later; raise C, or shorten the call"
    )
    assert said(late | {"deadline_misses": 1}, late).startswith(
        "misses: loops 1 and 2 were not done at 4 deadlines: "
    )
    assert "1 deadline:" in said(late | {"deadline_misses": 1})
    assert said({"kind": "periodic"}) == said({"deadline_misses": 3}) == ""
    assert said(late | {"budget_us": None}) == ""  # levels promise no budget that could be raised


def late_call(**parts: object) -> dict[str, Any]:
    """A late call of 76 ms."""
    none = {"own_us": 1000, "waiting_us": 0, "no_budget_us": 0, "rest_us": 0, "others": []}
    return {"response_us": 76_000, "ended": True} | none | parts


OTHERS = [{"loop": 3, "time_us": 8000}, {"loop": 4, "time_us": 30_000}]


@pytest.mark.parametrize(
    ("promised", "parts", "said"),
    [
        (True, {"no_budget_us": 60_000, "others": OTHERS}, "needs more than C ends later; raise C"),
        (
            True,
            {"waiting_us": 20_000, "others": OTHERS},
            "waited 20 ms of the 76 ms from its release",
        ),
        (True, {"others": OTHERS}, "loop 4 took 30 ms, loop 3 took 8 ms of the 76 ms"),
        (
            False,
            {"others": OTHERS[:1]},
            "call loop 3 took 8 ms of the 76 ms from its release to its end",
        ),
        (
            False,
            {"others": OTHERS, "ended": False},
            "came first: loop 4 took 30 ms, loop 3 took 8 ms of",
        ),
        (
            False,
            {"others": OTHERS, "ended": False},
            "from its release to the end of the run; this policy",
        ),
        (False, {"waiting_us": 40_000, "others": OTHERS}, "waited 40 ms of the 76 ms"),
        (False, {"own_us": 70_001, "others": OTHERS}, "needed 70.001 ms of the core itself"),
        (False, {"rest_us": 40_000, "others": OTHERS}, "interrupts took 40 ms of the 76 ms"),
        (False, None, "does not say what had the core"),
    ],
)
def test_a_late_call_is_explained_by_what_had_the_core(
    promised: bool, parts: dict[str, Any] | None, said: str
) -> None:
    late = {"kind": "periodic", "deadline_misses": 3, "budget_exhausted": 0, "deadline_us": 70_000}
    late |= {"response_bound_us": 60_000 if promised else None}
    call = None if parts is None else late_call(**parts)
    text = misses_line([FACTS["loops"][0] | late | {"late_call": call}])
    assert said in text
    if not promised:  # no bound depends on a cost then
        again = misses_line([FACTS["loops"][0] | late | {"late_call": call}], ["longest_masked_us"])
        assert again == text
    assert ("raise C" in text) == (promised and "raise C" in said)
    assert ("never used up" in text) is False


@pytest.mark.parametrize(
    ("for_handlers_us", "named"), [(0, False), (49, False), (9_999, False), (15_000, True)]
)
def test_a_wait_for_handlers_is_named(for_handlers_us: float, named: bool) -> None:
    """If it is about as long as the late call waited. Where the call is not known, any wait counts."""
    loop = FACTS["loops"][0] | {"kind": "periodic", "deadline_misses": 3, "budget_exhausted": 0}
    for call, told in ((late_call(waiting_us=20_000), named), (None, for_handlers_us >= 50)):
        facts = {
            "loops": [loop | {"late_call": call}],
            "no_interrupts": {"longest_wait_us": for_handlers_us},
        }
        line = loop_lines(make_report(facts, "s", "sim", "virtual"))[0]
        assert ("noInterrupts() waited up to 15 ms for a handler" in line) == named
        assert ("raise its C" in line) == told
        assert ("(delay(), a lock)" in line) != told


def test_of_many_late_loops_three_causes_are_said() -> None:
    late = FACTS["loops"][0] | {"kind": "periodic", "deadline_misses": 1, "response_bound_us": None}
    loops = [
        late | {"id": i, "late_call": late_call(others=[{"loop": 9, "time_us": 10_000 + i}])}
        for i in range(1, 6)
    ]
    said = misses_line(loops)
    assert "loop 3: in the longest" in said and "loop 4: in the longest" not in said
    assert said.endswith("for the others see late_call in the JSON report (2 more causes)")


def test_waiting_for_budget_is_said_where_it_is_not_known() -> None:
    waited = {"budget_wait_us": 9000, "longest_budget_wait_us": 3360}
    loop = FACTS["loops"][0] | waited
    said = "waited for budget: loop 1 9 ms in all, 3.36 ms at most"
    assert budget_wait_line([loop | {"budget_exhausted": 0}]) == said
    assert budget_wait_line([loop | {"kind": "periodic"}]) == said
    assert budget_wait_line([loop]) == ""  # exhausted_line() names it
    assert budget_wait_line([loop | {"budget_wait_us": 0}]) == ""
    assert budget_wait_line([loop | {"budget_wait_us": None}]) == ""


def test_an_exceeded_cost_is_said_and_the_sketch_is_not_blamed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(seen: float | None, **changed: object) -> tuple[dict[str, Any], str]:
        loop = FACTS["loops"][0] | {"kind": "periodic", "deadline_misses": 3} | changed
        costs = {"longest_masked_us": 15, "longest_masked_seen_us": seen}
        facts = {**FACTS, "loops": [loop], "overheads": costs, "notices": []}
        add_exceeded(facts, tmp_path / "no program", tmp_path)
        report = make_report(facts, "s", "sim", "virtual")
        print_timing(report)
        return report, " ".join(capsys.readouterr().out.split())

    blamed = ("raise C", "what a call waits for", "right for a loop that polls")
    for exhausted in (0, 2):
        report, text = said(15.001, budget_exhausted=exhausted)
        assert report["overheads"]["exceeded"] == ["longest_masked_us"]
        assert "a declared cost was exceeded (longest masked), so the bounds do not hold" in text
        assert "notice: Interrupts were masked for 15.001 us, longer than the 15 us" in text
        assert not any(words in text for words in blamed)
    report, text = said(97, kind="loop", deadline_misses=0, budget_exhausted=2)
    assert "notice: Interrupts were masked for 97 us" in text
    assert not any(words in text for words in blamed)
    report, text = said(15, budget_exhausted=2)
    assert report["overheads"]["exceeded"] == [] and "raise C" in text and "notice" not in text
    pins = {"interrupts": [{"loop": None, "longest_us": 82.5}, {"loop": 3}]}
    for masked, names in ((97.5, []), (97.6, ["longest_masked_us"])):
        overheads: dict[str, Any] = {
            "longest_masked_us": 15,
            "longest_masked_seen_us": masked,
        }
        facts = {**FACTS, **pins, "overheads": overheads, "notices": []}
        add_exceeded(facts, tmp_path / "no program", tmp_path)
        assert overheads["exceeded"] == names and len(facts["notices"]) == len(names)
    # Admission counts a direct handler with a top half, which is masked, too.
    bounds = {"bounds": {"ticks_per_second": 10**9, "direct": [{"top_half": 6_000}]}}
    for masked, names in ((103.5, []), (103.6, ["longest_masked_us"])):
        overheads = {"longest_masked_us": 15, "longest_masked_seen_us": masked}
        facts = {**FACTS, **pins, **bounds, "overheads": overheads, "notices": []}
        add_exceeded(facts, tmp_path / "no program", tmp_path)
        assert overheads["exceeded"] == names and len(facts["notices"]) == len(names)
    quiet = {"interrupts": [{"loop": None, "longest_us": 0}], **bounds}
    assert masked_by_direct_handlers(quiet) == 0  # it was never called
    report, _ = said(97, response_bound_us=None)  # a policy that has no bounds
    assert "exceeded" not in report["overheads"]
    report, _ = said(97, budget_us=None)  # without budgets nothing is guaranteed
    assert "exceeded" not in report["overheads"]
    report, text = said(None, budget_exhausted=2)
    assert "exceeded" not in report["overheads"] and "raise C" in text and "notice" not in text


@pytest.mark.parametrize(
    ("held", "masked", "kernel", "names"),
    [
        (0, 97, 14, ["longest_masked_us"]),
        (97, 97, 14, []),  # a loop that held a spinlock for so long may explain it
        (96, 97, 14, ["longest_masked_us"]),
        (120, 120, 14, ["longest_masked_us"]),  # longer than it may hold one
        (97, 97, 16, ["longest_masked_us"]),  # the hold explains nothing of the kernel's own
        (97, 97, 98, ["longest_masked_us"]),
        (14, 14, 16, ["longest_masked_us"]),
        (97, 97, 97, []),  # of one figure for both it may be the hold
        (97, 97, None, []),
    ],
)
def test_what_holders_of_spinlocks_mask_is_counted_apart(
    tmp_path: Path, held: float, masked: float, kernel: float | None, names: list[str]
) -> None:
    overheads: dict[str, Any] = {
        "longest_masked_us": 15,
        "longest_masked_seen_us": masked,
        "longest_spinlock_seen_us": held,
        "spinlock_blocking_us": 100,
        "kernel_seen": {} if kernel is None else {"longest_masked_us": kernel},
    }
    facts = {**FACTS, "overheads": overheads, "notices": []}
    add_exceeded(facts, tmp_path / "no program", tmp_path)
    assert overheads["exceeded"] == names


@pytest.mark.parametrize("interrupt", ["", "PCINT0"])
@pytest.mark.parametrize("kernel", [14, 16])
@pytest.mark.parametrize("outside", [15, 15.1, 96])
def test_what_is_masked_outside_of_the_kernel_exceeds_what_it_declares(
    tmp_path: Path, interrupt: str, kernel: float, outside: float
) -> None:
    """Where a board tells it apart: longer stretches of handlers that the guarantees count are none."""
    overheads: dict[str, Any] = {
        "longest_masked_us": 15,
        "longest_masked_seen_us": 120,
        "spinlock_blocking_us": 100,
        "longest_spinlock_seen_us": 99,
        "kernel_seen": {"longest_masked_us": kernel},
    }
    where = {"loop": 1, "codes": [], "interrupt": interrupt, "length_us": outside}
    facts = {**FACTS, "overheads": overheads, "notices": [], "masked_outside_kernel": where}
    add_exceeded(facts, tmp_path / "no program", tmp_path)
    longest = max(kernel, outside)
    assert overheads["exceeded"] == (["longest_masked_us"] if longest > 15 else [])
    assert [f"masked for {longest} us" in notice for notice in facts["notices"]] == [True] * (
        longest > 15
    )
    named = [f"in the handler of {interrupt}" if interrupt else "in loop 1"] * (
        outside == longest > 15
    )
    assert [words for words in named if words in facts["notices"][0]] == named
    assert ("masked_outside_kernel_in" in overheads) == (outside > 15)
    unbounded = [loop | {"response_bound_us": None} for loop in FACTS["loops"]]
    facts |= {"loops": unbounded, "notices": [], "overheads": dict(overheads)}
    add_exceeded(facts, tmp_path / "no program", tmp_path)
    assert facts["notices"] == []  # nothing is guaranteed


@pytest.mark.parametrize(
    ("together", "interrupt", "said"),
    [(130, "PCINT0", ""), (131, "PCINT0", "that of PCINT0 up to 90 us"), (131, "", "by a loop")],
)
def test_a_cost_that_an_overrun_explains_names_what_overran(
    tmp_path: Path, together: float, interrupt: str, said: str
) -> None:
    """What is not longer than a timer may be late explains nothing."""
    overheads = {
        "context_switch_us": 60,
        "longest_masked_us": 120,
        "timer_lateness_us": 10,
        "kernel_seen": {"context_switch_us": 61},
    }
    held = {"together_us": together, "longest_us": 90, "interrupt": interrupt}
    facts = {**FACTS, "overheads": overheads, "notices": [], "held": {"context_switch_us": held}}
    add_exceeded(facts, tmp_path / "no program", tmp_path)
    (notice,) = facts["notices"]
    assert said in notice and (said != "") == ("overran" in notice)


SEEN = {
    "interrupt_entry_us": 20,
    "context_switch_us": 60,
    "timer_interrupt_us": 50,
    "longest_masked_us": 120,
}


@pytest.mark.parametrize("name", [*SEEN, "handlers_refill_us"])
def test_each_exceeded_cost_has_its_own_notice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    declared = SEEN | {"handlers_refill_us": 45}

    def said(over: float) -> tuple[dict[str, Any], str]:
        loop = FACTS["loops"][0] | {"kind": "periodic", "deadline_misses": 3}
        seen = {each: cost + (over if each == name else 0) for each, cost in declared.items()}
        refill = {"handlers_refill_seen_us": seen.pop("handlers_refill_us")}
        costs = declared | refill | {"longest_masked_seen_us": 40, "kernel_seen": seen}
        masked = {"loop": 2, "codes": [], "interrupt": "", "length_us": 40}
        facts = {**FACTS, "loops": [loop], "overheads": costs, "notices": []}
        facts["masked_outside_kernel"] = masked
        add_exceeded(facts, tmp_path / "no program", tmp_path)
        report = make_report(facts, "s", "uno", "virtual")
        print_timing(report)
        return report, " ".join(capsys.readouterr().out.split())

    report, text = said(0.5)
    assert report["overheads"]["exceeded"] == [name]
    (notice,) = report["notices"]
    assert (
        f" {declared[name] + 0.5} us, longer than the {declared[name]} us that the guarantees"
        in notice
    )
    assert "a defect of Hocket" in text and "The sketch itself" not in text
    report, text = said(0)
    assert report["overheads"]["exceeded"] == report["notices"] == []


def test_what_masks_interrupts_is_named_by_the_advice(capsys: pytest.CaptureFixture[str]) -> None:
    def said(overheads: dict[str, Any], *exceeded: str) -> str:
        loop = FACTS["loops"][0] | {"kind": "periodic", "deadline_misses": 3}
        facts = {**FACTS, "loops": [loop], "overheads": overheads | {"exceeded": list(exceeded)}}
        print_timing(make_report(facts, "s", "uno", "virtual"))
        return " ".join(capsys.readouterr().out.split())

    def masked(owner: str | None, where: str) -> str:
        outside = {"masked_outside_kernel_of": owner, "masked_outside_kernel_in": where}
        return said(outside, "longest_masked_us")

    own = "loop 2 (s/s.ino:6, in loop 2)"
    assert f"The sketch itself masked interrupts in {own}: mask them for less" in masked(
        "sketch", own
    )
    library = "the handler of PCINT0 (Soft.cpp:229, in handle())"
    text = masked("library", library)
    assert f"A library masked interrupts in {library}; no bound includes" in text
    assert "a defect of Hocket" not in text
    assert "Interrupts were masked in loop 2; no bound includes" in masked(None, "loop 2")
    assert "a defect of Hocket" in masked("hocket", "loop 2 (arduino/cores/x.h:9, in f())")
    because = {"exceeded_by_overruns": ["context_switch_us"]}
    assert "a defect of Hocket" not in said(because, "context_switch_us")
    assert "a defect of Hocket" in said(because, "context_switch_us", "timer_interrupt_us")
    assert "a defect of Hocket" in said({}, "context_switch_us")


def test_a_place_is_shown_as_seen_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a" / "rover"
    folder.mkdir(parents=True)
    (folder / "rover.ino").touch()
    texts = [
        "bad access (rover/rover.ino:7, in loop 1)",
        "it (kernel/x.cpp:3, in f())",
        "(no) place",
    ]
    faults = [FACTS["faults"][0] | {"text": text} for text in texts]
    report = make_report(FACTS | {"faults": faults}, "rover", "sim", "virtual")

    def shown(where: Path, sketch: Path | None) -> list[str]:
        monkeypatch.chdir(where)
        print_timing(report, sketch)
        lines = capsys.readouterr().out.splitlines()
        return [line.partition("setup(): ")[2] for line in lines if line.startswith("fault: ")]

    inside = shown(tmp_path, folder)
    assert inside[0] == "bad access (a/rover/rover.ino:7, in loop 1) at 0x10"
    assert inside[1:] == [f"{text} at 0x10" for text in texts[1:]]
    assert shown(folder, folder)[0] == "bad access (rover.ino:7, in loop 1) at 0x10"
    outside = f"bad access ({folder}/rover.ino:7, in loop 1) at 0x10"
    assert shown(Path("/usr"), folder)[0] == outside
    assert shown(Path("/usr"), None)[0] == f"{texts[0]} at 0x10"


@pytest.mark.parametrize(("board", "shown"), [("sim", True), ("uno", True), ("virt", False)])
def test_a_refused_analysis_shows_where_loops_had_room(
    board: str, shown: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = [{"core": 0}, {"core": 1}]
    first = FACTS["loops"][0]
    loops = [
        first | {"core": 0},
        first | {"id": 2, "core": None},
        first | {"id": 3, "core": 0, "parts": parts},
    ]
    refused = FACTS | {"admission": FACTS["admission"] | {"accepted": False}, "loops": loops}
    print_analysis(make_report(refused, "rover", board, "virtual"))
    text = capsys.readouterr().out
    assert "response bound" not in text
    assert ("fits on core 0 " in text, "no room" in text, "fits on cores 0+1" in text) == (
        shown,
    ) * 3


REFUSED = FACTS | {
    "end": "refused",
    "admission": FACTS["admission"] | {"accepted": False, "reasons": ["loop 2 has no room."]},
    "loops": [FACTS["loops"][0], FACTS["loops"][0] | {"id": 2, "core": None}],
    "overheads": {"context_switch_us": 9},
}


def test_the_load_of_a_refused_sketch_is_that_of_all_loops(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The cores' utilization is of those that fit: here 70 %, and loop 2 asks for as much."""
    alone = "140.0 % of one core, Liu-Layland bound for 2 loops 82.8 %"
    for cores, told in ((1, alone), (2, "140.0 % of one core; there are 2 cores")):
        print_analysis(make_report(REFUSED | {"cores": cores}, "rover", "sim", "virtual"))
        lines = capsys.readouterr().out.splitlines()
        assert f"utilization and bound: of the loops that fit; all loops ask for {told}" in lines
        (costs,) = [line for line in lines if line.startswith("overheads: ")]
        assert costs == "overheads: context switch 9 us (declared; nothing ran)"
    print_analysis(make_report(FACTS, "rover", "sim", "virtual"))
    assert "all loops ask" not in capsys.readouterr().out


def test_a_saved_refusal_is_printed_as_check_prints_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = make_report(REFUSED, "rover", "sim", "virtual")
    write_report(saved, tmp_path / "refused.json")
    assert report_command(tmp_path / "refused.json") == 0
    said = capsys.readouterr()
    print_analysis(saved)
    assert said.out == capsys.readouterr().out
    first, *steps = said.err.splitlines()
    assert first == "hocket: refused: loop 2 has no room."
    assert steps == [
        "  next:  ask for a smaller C or a longer T, or of loop 1, which asks for 70 % of a core, "
        "or give it more cores (--cores 2)"
    ]


def test_analysis(capsys: pytest.CaptureFixture[str]) -> None:
    print_analysis(make_report(FACTS, "rover", "sim", "virtual"))
    text = capsys.readouterr().out
    assert "rover on sim with 1 core: accepted" in text
    assert "70.0 %" in text and "100.0 %" in text
    assert "71 ms" in text
    assert (
        "lost at most: 12 us of C at each wake-up after the first of a period, "
        "0.4 % where small pieces are joined, 0.5 % while 16 pieces or more are to come back"
    ) in text


def test_a_short_list_may_lose_everything(capsys: pytest.CaptureFixture[str]) -> None:
    losses = {"each_wake_up_us": 180, "small_pieces": 1 / 64, "full_list": 1, "full_list_from": 3}
    print_analysis(make_report(FACTS | {"losses": losses}, "rover", "uno", "emulated"))
    assert "1.6 % where small pieces are joined, all of C while 3 pieces" in capsys.readouterr().out


def test_plain_table_is_aligned() -> None:
    table = plain_table(("name", "n"), [("a", "1"), ("long name", "1000")])
    assert table.splitlines() == [
        "name          n",
        "---------  ----",
        "a             1",
        "long name  1000",
    ]


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [
        *(("10s", 10**10), ("500ms", 5 * 10**8), ("1m", 6 * 10**10), ("2h", 72 * 10**11)),
        *(("1h30m", 54 * 10**11), ("1.5s", 15 * 10**8), ("250us", 250_000), ("1m 30s", 9 * 10**10)),
    ],
)
def test_durations(text: str, nanoseconds: int) -> None:
    assert parse_duration(text, "--for") == nanoseconds


@pytest.mark.parametrize(
    "text", ["10", "", "s", "-1s", "1x", "0s", "1e3s", "0.1ns", "9" * 40 + "h"]
)
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(HocketError, match="--for"):
        parse_duration(text, "--for")


@pytest.mark.parametrize("text", ["9" * 5_000 + "s", "0." + "0" * 5_000 + "1s", "7" * 5_000])
def test_a_number_of_thousands_of_digits_is_no_duration(text: str) -> None:
    with pytest.raises(HocketError) as caught:
        parse_duration(text, "--for")
    assert len(str(caught.value)) < 300


@given(st.text(max_size=20))
def test_any_text_is_a_duration_or_refused(text: str) -> None:
    with contextlib.suppress(HocketError):
        assert parse_duration(text, "--for") > 0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((None, "–"), (0, "0"), (0.5, "0.5 us"), (999, "999 us"), (1000, "1 ms")),
        *(
            (70_012.5, "70.013 ms"),
            (10_000_000, "10 s"),
            (3_000_000, "3 s"),
            (1_500_000, "1500 ms"),
        ),
    ],
)
def test_times_in_tables(value: float | None, text: str) -> None:
    assert format_microseconds(value) == text


@pytest.mark.parametrize(
    ("board", "pin", "edges", "said"),
    [
        ("sim", 0, 0, "pin 2"),
        ("virt", 1, 0, "pin 3"),
        ("sim", 0, 4, ""),
        ("sim", 2, 0, ""),
        ("uno", 0, 0, ""),
    ],
)
def test_the_unos_numbers_of_interrupts_are_no_pins(
    board: str, pin: int, edges: int, said: str
) -> None:
    facts = FACTS | {"interrupts": [{"pin": pin, "edges": edges}]}
    notices = make_report(facts, "s", board, "virtual")["notices"]
    assert [said in notice for notice in notices if "had no edge" in notice] == (
        [True] if said else []
    )


def test_no_more_is_read_than_a_report_may_have(tmp_path: Path) -> None:
    file = tmp_path / "endless.json"
    with file.open("wb") as made:
        made.truncate((64 << 20) + 1)
    with pytest.raises(HocketError, match="larger than 64 MiB"):
        load_report(file)
