"""A part of a policy that lacks one member, or misspells a hook, must not compile, and the message
names the member.

The parts are made from those of the kernel by hiding one member at a time.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADER = ROOT / "kernel" / "sched" / "parts.h"

SERVER = "SporadicServer<int64_t, 4>"
FIXED, DEADLINES = "PriorityOrder<4>", "DeadlineOrder<int64_t, 4>"
LOTTERY, FEW_LEVELS = "LotteryOrder<4>", "LevelOrder<int32_t, 4>"
TOURNAMENT, TREE = "TimelineFor<int64_t, Order>", "PrioritySearchTree<Order::Key, Instant64, 4>"
FEW = "FewInstants<Instant32, 4>"


def hidden(member: str) -> str:
    """A declaration that hides a member of a base class."""
    return f"private: void {member}(); public:"


SERVERS = {
    "Instant": "private: using Whole::Instant; public:",
    "kLimited": "private: static int kLimited; public:",
    "kAlwaysUsable": "private: static int kAlwaysUsable; public:",
    "kServesIo": "private: static int kServesIo; public:",
    "kFew": "private: static int kFew; public:",
    **{
        each: hidden(each)
        for each in (
            "time", "usable", "rest", "consume", "use_up", "stop", "join_crumbs", "unblock",
            "unblock_unhurried", "refresh",
        )
    },
}  # fmt: skip
ORDERS = {
    "kByRank": "private: static int kByRank; public:",
    "kByKey": "private: static int kByKey; public:",
    "kSplits": "private: static int kSplits; public:",
    "kDraws": "private: static int kDraws; public:",
    "Place": "private: using Whole::Place; public:",
    "end_turn": hidden("end_turn") + "template <class E, class I> static void end_trun(E&, I) {}",
    "stopped": hidden("stopped") + "template <class E> static void stoped(E&) {}",
    "joined": hidden("joined") + "template <class E> static void join(E&) {}",
    "keep_recent": hidden("keep_recent"),
    "precedes": hidden("precedes"),
}
BY_SLOT = {"reach": hidden("reach"), "kAll": "private: static int kAll; public:"}
BY_KEY = {each: hidden(each) for each in ("key", "key_now", "last_key")}
TIMELINES = {
    "kNone": "private: static int kNone; public:",
    "kSetsAside": "private: static int kSetsAside; public:",
    "kAsks": "private: static int kAsks; public:",
    **{each: hidden(each) for each in ("reset", "clear", "due", "wait", "earliest")},
}
ASIDE = {each: hidden(each) for each in ("set_aside", "first_aside", "newly_due", "due_below")}
SMALL = ("first_due", "stay", "take_due", "bound", "earliest", "wait")
QUEUES = ("reset", "join", "insert", "remove", "raise", "lower", "settle", "first", "at")


def refused(folder: Path, text: str, policy: str) -> list[str]:
    """The compiler's reasons why such a scheduler cannot be, one line each."""
    source = folder / "part.cpp"
    source.write_text(
        f"""#include "policies/turn_policies.h"
namespace hocket {{
using Instant64 = BasicInstant<int64_t>;
using Instant32 = BasicInstant<int32_t>;
{text}
extern {policy} chosen;
}}
""",
        encoding="utf-8",
    )
    done = subprocess.run(
        ["clang++-19", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", f"-I{ROOT}", str(source)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode == 0) == ("error" not in done.stderr), done.stderr
    if done.returncode == 0:
        return []
    assert re.search(r"constraints not satisfied for class template 'Scheduler'", done.stderr)
    assert len(re.findall(r"error:", done.stderr)) == 1, done.stderr
    return re.findall(r"note: (?:because|and) (.*)", done.stderr)


def server(folder: Path, change: str) -> list[str]:
    part = f"struct Server : {SERVER} {{ using Whole = {SERVER}; {change} }};"
    return refused(
        folder, part, f"Scheduler<int64_t, Server, {FIXED}, TimelineFor<int64_t, {FIXED}>>"
    )


def order(folder: Path, whole: str, change: str, timeline: str = TOURNAMENT) -> list[str]:
    part = f"struct Order : {whole} {{ using Whole = {whole}; {change} }};"
    rep = "int32_t" if "Instant32" in timeline else "int64_t"
    return refused(folder, part, f"Scheduler<{rep}, SporadicServer<{rep}, 4>, Order, {timeline}>")


def timeline(folder: Path, whole: str, of: str, change: str) -> list[str]:
    part = f"using Order = {of}; struct Timeline : {whole} {{ using Whole = {whole}; {change} }};"
    rep = "int32_t" if "Instant32" in whole else "int64_t"
    return refused(folder, part, f"Scheduler<{rep}, SporadicServer<{rep}, 4>, Order, Timeline>")


def queue(folder: Path, member: str) -> list[str]:
    change = "template <class E> struct Queue : Whole::Queue<E> { " + hidden(member) + " };"
    return order(folder, FIXED, change)


def test_whole_parts(tmp_path: Path) -> None:
    assert server(tmp_path, "") == []
    for whole in (FIXED, LOTTERY):
        assert order(tmp_path, whole, "") == []
    assert order(tmp_path, DEADLINES, "", TREE) == []
    assert order(tmp_path, FEW_LEVELS, "", FEW) == []
    assert timeline(tmp_path, TREE, DEADLINES, "") == []


def names(reasons: list[str], member: str) -> bool:
    return bool(reasons) and re.search(rf"\b{member}\b", " ".join(reasons)) is not None


@pytest.mark.parametrize("member", SERVERS)
def test_a_server(member: str, tmp_path: Path) -> None:
    assert names(server(tmp_path, SERVERS[member]), member)


@pytest.mark.parametrize("member", ORDERS | BY_SLOT)
def test_an_order(member: str, tmp_path: Path) -> None:
    assert names(order(tmp_path, FIXED, (ORDERS | BY_SLOT)[member]), member)


@pytest.mark.parametrize("member", BY_KEY)
def test_an_order_with_keys(member: str, tmp_path: Path) -> None:
    assert names(order(tmp_path, DEADLINES, BY_KEY[member], TREE), member)


@pytest.mark.parametrize("member", QUEUES)
def test_a_queue(member: str, tmp_path: Path) -> None:
    assert names(queue(tmp_path, member), member)


@pytest.mark.parametrize("member", TIMELINES | ASIDE)
def test_a_timeline(member: str, tmp_path: Path) -> None:
    whole = f"TimelineFor<int64_t, {FIXED}>"
    assert names(timeline(tmp_path, whole, FIXED, (TIMELINES | ASIDE)[member]), member)


@pytest.mark.parametrize("member", ("first_due", "wait", "earliest"))
def test_a_timeline_with_keys(member: str, tmp_path: Path) -> None:
    assert names(timeline(tmp_path, TREE, DEADLINES, hidden(member)), member)


@pytest.mark.parametrize("member", SMALL)
def test_a_timeline_of_a_small_processor(member: str, tmp_path: Path) -> None:
    assert names(timeline(tmp_path, FEW, FEW_LEVELS, hidden(member)), member)


@pytest.mark.parametrize("member", ("kOneCore", "entry", "switching", "interrupt", "ending"))
def test_charges(member: str, tmp_path: Path) -> None:
    change = "private: static int kOneCore; public:" if member == "kOneCore" else hidden(member)
    part = f"struct Charges : NoCharges<int64_t> {{ {change} }};"
    fixed = f"Scheduler<int64_t, {SERVER}, {FIXED}, TimelineFor<int64_t, {FIXED}>, Charges>"
    assert names(refused(tmp_path, part, fixed), member)


def test_every_member_that_is_asked_for_is_tried() -> None:
    asked = set(
        re.findall(
            r"\b(?:server\.|queue\.|timeline\.|[OSTC]::)(\w+)", HEADER.read_text(encoding="utf-8")
        )
    )
    tried = {*SERVERS, *ORDERS, *BY_SLOT, *BY_KEY, *QUEUES, *TIMELINES, *ASIDE, "first_due"}
    tried |= {*SMALL, "kOneCore", "entry", "switching", "interrupt", "ending"}
    known = {"Duration", "Slot", "kSlots", "kRanking", "Key", "smallest", "seed"}
    assert asked - tried == known | {"template"} & asked
