"""A policy that lacks one member must not compile, and the message names the part that it lacks.

The policies are made from the default one by hiding, or by changing the type of, one member.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

TYPES = "the policy lacks Entity, Instant, Duration, Slot or kSlots"
ENTITIES = "the policy lacks reset, add_best_effort or precedes"
FOLLOWS = "the policy lacks block, sleep, wake or Entity::is_ready"
DECIDES = "the policy lacks pick, pick_usual, pick_any, next_event, running or competes"
CEILINGS = "the policy lacks raise or lower, and does not say kCeilings = false"

# What takes a member away: each is a declaration in a class derived from a whole policy.
MISSING = {
    "Instant": ("private: using Whole::Instant; public:", [TYPES, FOLLOWS, DECIDES, CEILINGS]),
    "Slot": ("private: using Whole::Slot; public:", [TYPES, ENTITIES, CEILINGS]),
    "kSlots": ("static constexpr unsigned kSlots = 0;", [TYPES]),
    "reset": ("void reset() = delete;", [ENTITIES]),
    "add_best_effort": ("void add_best_effort() = delete;", [ENTITIES]),
    "precedes": ("static int precedes(const Entity&, const Entity&);", [ENTITIES]),
    "block": ("void block() = delete;", [FOLLOWS]),
    "sleep": ("void sleep(Entity&, Instant) = delete;", [FOLLOWS]),
    "wake": ("bool wake(Entity&, Instant, Waker);", [FOLLOWS]),
    "pick": ("Entity* pick(Instant);", [DECIDES]),
    "pick_usual": ("Entity* pick_usual(Instant);", [DECIDES]),
    "pick_any": ("Entity* pick_any(Instant);", [DECIDES]),
    "next_event": ("Instant next_event() const;", [DECIDES]),
    "running": ("Entity& running() const;", [DECIDES]),
    "competes": ("bool competes(const Entity&) const;", [DECIDES]),
    "raise": ("void raise() = delete;", [CEILINGS]),
    "lower": ("void lower() = delete;", [CEILINGS]),
}


def lacking(policy: str, folder: Path, base: str = "VcpuPolicy<int64_t, 4, 4>") -> list[str]:
    """What the compiler says that a policy with these members lacks."""
    source = folder / "policy.cpp"
    source.write_text(
        f"""#include "kernel/sched/vcpu_policy.h"
namespace hocket {{
using Whole = {base};
struct Chosen : Whole {{ {policy} }};
static_assert(policy::check<Chosen>());
}}
""",
        encoding="utf-8",
    )
    command = ["clang++-19", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", f"-I{ROOT}"]
    done = subprocess.run(
        [*command, str(source)], capture_output=True, text=True, timeout=60, check=False
    )
    found = re.findall(
        r"static assertion failed[^:]*(?:::[^:]+)*: (the policy lacks .*)", done.stderr
    )
    assert (done.returncode == 0) == (not found), done.stderr
    return found


def test_the_default_policy_has_everything(tmp_path: Path) -> None:
    assert lacking("", tmp_path) == []


@pytest.mark.parametrize("member", MISSING)
def test_a_missing_member_is_named(member: str, tmp_path: Path) -> None:
    declaration, messages = MISSING[member]
    found = lacking(declaration, tmp_path)
    assert found == messages
    assert member in found[0]


def test_an_entity_must_say_whether_it_is_ready(tmp_path: Path) -> None:
    entity = "struct Entity : Whole::Entity { void is_ready() = delete; };"
    assert lacking(entity, tmp_path) == [FOLLOWS, DECIDES]  # (pick() answers with the other type)


def test_a_system_without_ceilings_says_so(tmp_path: Path) -> None:
    without = (
        "Scheduler<int64_t, SporadicServer<int64_t, 4>, PriorityOrder<4, false>, "
        "TimelineFor<int64_t, PriorityOrder<4, false>>, NoCharges<int64_t>, SilentObserver, false>"
    )
    assert lacking("", tmp_path, without) == []
    assert lacking("static constexpr bool kCeilings = true;", tmp_path, without) == [CEILINGS]


def test_every_message_is_tried() -> None:
    text = re.sub(
        r'"\s*"', "", (ROOT / "kernel" / "sched" / "policy.h").read_text(encoding="utf-8")
    )
    assert re.findall(r'"(the policy lacks [^"]*)"', text) == [
        TYPES,
        ENTITIES,
        FOLLOWS,
        DECIDES,
        CEILINGS,
    ]
