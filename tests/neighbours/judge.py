"""What victims of random sketches (campaign.py) were given: measured alone, judged beside neighbours."""

from __future__ import annotations

import bisect
import dataclasses
import math
import re

from tests.neighbours.boards import PROMISE, Board, Measured, Report, Sketch
from tests.neighbours.texts import HEAD

# Rounds of the two sizes, in one budget.
ROUNDS = {"sim": (400, 4000), "virt": (2000, 20_000), "uno": (40, 400)}
COUNT = 32
DIRECT_US = 5
# What the log and the report may differ by in when a turn began.
EACH_TURN_US = 10


def policy_line(policy: str) -> str:
    return "" if policy == "vcpu" else f"HOCKET_POLICY({policy.replace('-', '_')})\n"


def speed_sketch(board: Board, policy: str) -> str:
    """A victim alone: how long its rounds take."""
    text = policy_line(policy) + HEAD + "void setup() { Serial.begin(115200); }\n"
    text += f"void loop(1, 90, 100{board.options}) {{\n"
    for units in ROUNDS[board.name]:
        text += (
            "  {\n    static Spinner v;\n    v = {};\n    v.boundary = micros() + 2000000000UL;\n"
            "    unsigned long begin = micros();\n"
            f"    for (int i = 0; i < {COUNT}; ++i) spin(v, {units}UL, 1000, 0, 1000);\n"
            "    unsigned long end = micros();\n"
            '    Serial.print("took "); Serial.println(end - begin);\n    delay(1);\n  }\n'
        )
    return text + "  delay(10000);\n}\n"


def pins_sketch(board: Board, policy: str) -> str:
    """Handlers of two pins, whose costs are among the terms of the bounds."""
    return policy_line(policy) + (
        "void seen() {}\nvoid setup() {\n  interruptsVcpu(500us, 10ms);\n"
        "  attachInterruptVcpu(2, seen, RISING, 500us, 10ms);\n"
        f"  attachInterruptDirect(3, seen, RISING, {DIRECT_US}us, 10ms);\n}}\n"
        f"void loop(1, 1, 100{board.options}) {{ delay(1000); }}\n"
    )


def with_pins(speed: Measured, report: Report) -> Measured:
    us = 1e6 / report["bounds"]["ticks_per_second"]
    core = report["bounds"]["cores"][0]
    (io,) = (rank for rank in core["ranks"] if rank["io"])
    (direct,) = core["interrupts"]
    return dataclasses.replace(
        speed, top_half=io["top_half"] * us, direct=direct["length"] * us - DIRECT_US
    )


def measured(board: Board, said: str, report: Report) -> Measured:
    few, many = (int(n) / COUNT for n in re.findall(r"took (\d+)", said)[:2])
    less, more = ROUNDS[board.name]
    unit = (many - few) / (more - less)
    costs, w = report["overheads"], report["losses"]["each_wake_up_us"]
    late, masked = costs["timer_lateness_us"], costs["longest_masked_us"]
    # Among several cores w has the interrupt from another one in it, and so has O.
    from_afar = w - 2 * (costs["interrupt_entry_us"] + costs["context_switch_us"])
    smallest = math.ceil(costs["smallest_budget_us"] or 0)
    return Measured(unit, few - less * unit, late, masked, w, late + masked + from_afar, smallest)


def judge(sketch: Sketch, said: str, report: Report) -> list[str]:
    """What its victims were not given, and what of the report cannot be so, as sentences."""
    found = []
    if exceeded := report["overheads"].get("exceeded"):
        found.append(f"the run exceeded {exceeded}: {report['notices']}")
    if sketch.policy not in PROMISE:
        return found + no_promise(report) + explained(sketch, report)
    found += victims(sketch, said, report)
    found += [sentence for loop in report["loops"] for sentence in kept(loop)]
    return found + pins(sketch, report)


def victims(sketch: Sketch, said: str, report: Report) -> list[str]:
    """By what they have counted themselves."""
    found = []
    board, speed = sketch.board, sketch.speed
    by_number = {loop["id"]: loop for loop in report["loops"]}
    for victim in sketch.victims:
        name = f"victim {victim.number}"
        told = re.search(rf"victim {victim.number} (-?\d+) (\d+) (\d+) told", said)
        bound = by_number[victim.number]["response_bound_us"]
        if told is None:
            found.append(f"{name}: never came to the end of its {victim.periods} periods")
            continue
        first, *others = map(int, told.groups())
        own = victim.budget - board.calls
        if not victim.spins:
            response = others[0] - (min(0, first) if board.released else first)
            if response > bound + board.grain:
                found.append(f"{name}: done {response} us after its release, bound {bound}")
            continue
        each = speed.round + victim.units * speed.unit
        if first < 0:
            found.append(f"{name}: {-first / 256 * each:.0f} us less than its budgets")
        ahead = speed.overrun + speed.activation
        ahead += float(report["overheads"]["spinlock_blocking_us"])
        for k, rounds in enumerate(others, 2):
            if (rounds + 1) * each < (k - 1) * own - ahead:
                found.append(f"{name}: {rounds * each:.0f} us in {k} periods, C is {victim.budget}")
    for victim in sketch.victims:
        loop = by_number[victim.number]
        if not victim.spins and loop["deadline_misses"]:
            found.append(f"victim {victim.number}: {loop['deadline_misses']} misses by the report")
    return found


def kept(loop: Report) -> list[str]:
    """What the report says of any loop with a bound. A call of a periodic loop may ask for more than C."""
    bound = loop["response_bound_us"]
    overruns = loop["overruns"]
    if overruns is None and loop["kind"] == "periodic":  # the Uno counts none
        overruns = loop["budget_exhausted"]
    if bound is None or overruns:
        return []
    name = f"{loop['kind']} {loop['id']}"
    found = []
    if loop["kind"] != "periodic" and loop["deadline_misses"]:
        found.append(f"{name}: {loop['deadline_misses']} misses by the report")
    if loop["max_response_us"] > bound:
        found.append(f"{name}: response {loop['max_response_us']} by the report, bound {bound}")
    return found


def pins(sketch: Sketch, report: Report) -> list[str]:
    """Each edge is accounted for, handlers begin in time, and no section holds them back for ever."""
    found = []
    for pin in report["interrupts"]:
        name = f"pin {pin['pin']}"
        if pin["edges"] is None:
            continue
        if pin["edges"] != pin["delivered"] + pin["pending"] + pin["lost"]:
            found.append(f"{name}: {pin['edges']} edges are not {pin}")
        late, bound = pin["max_delay_us"], pin["delay_bound_us"]
        if late is not None and bound is not None and late > bound:
            found.append(f"{name}: its handler began {late} us after an edge, bound {bound}")
        if pin["delivered"] == 0 and pin["edges"] > pin["lost_because"].get("too_soon", 0):
            found.append(f"{name}: of {pin['edges']} edges none was delivered")
    if sketch.endless and (entered := {loop["id"]: loop["wakes"] for loop in report["loops"]}):
        ran = [number for number in sketch.endless if entered[number]]
        sections = report.get("no_interrupts") or {}
        if ran and sections.get("sections") and not sections.get("revoked"):
            found.append(f"loops {ran} never left their sections, and none was revoked")
        if sections.get("revoked") and not any("noInterrupts()" in n for n in report["notices"]):
            found.append("a section was revoked, and no notice says so")
    return found


def no_promise(report: Report) -> list[str]:
    """Under a policy that promises nothing: that it says so, and that late calls are explained."""
    found = []
    if report.get("bounds") is not None:
        found.append("there are bounds under a policy that promises nothing")
    for pin in report["interrupts"]:
        if pin["delay_bound_us"] is not None and pin["loop"] is not None:
            found.append(f"pin {pin['pin']} has a bound: {pin['delay_bound_us']}")
    cores = {loop["id"]: loop["core"] for loop in report["loops"]}
    for loop in report["loops"]:
        name = f"{loop['kind']} {loop['id']}"
        if loop["response_bound_us"] is not None:
            found.append(f"{name} has a bound: {loop['response_bound_us']}")
        late = loop["late_call"]
        if late is None:
            continue
        if not loop["deadline_misses"]:
            found.append(f"{name} has a late call and no miss")
        others = late["others"]
        parts = [late[f"{part}_us"] for part in ("own", "waiting", "no_budget", "rest")]
        total = sum(parts) + sum(other["time_us"] for other in others)
        if min(parts) < 0 or abs(total - late["response_us"]) > 0.01 * (len(others) + 5):
            found.append(f"{name}: the parts of its late call are {total} us: {late}")
        for other in others:
            if cores[other["loop"]] != loop["core"] or other["loop"] == loop["id"]:
                found.append(f"{name}: loop {other['loop']} had another core: {late}")
        if late["response_us"] > loop["max_response_us"] + 0.1:
            found.append(
                f"{name}: a late call of {late['response_us']}, longest {loop['max_response_us']}"
            )
    return found


def explained(sketch: Sketch, report: Report) -> list[str]:
    """The event log has a window as long, from a release on, in which others had the core for so long. It
    counts the interrupts of a turn as that turn's; they are the late call's rest."""
    found = []
    by_number = {loop["id"]: loop for loop in report["loops"]}
    for subject in sketch.loops:
        loop = by_number[subject.number]
        late, release = loop["late_call"], report.get("first_release_us", {}).get(subject.number)
        if subject.kind != "periodic" or late is None or release is None:
            continue
        told = {other["loop"]: other["time_us"] for other in late["others"]}
        turns = report["turns"][loop["core"]]
        nearest = math.inf
        while release < report["duration_us"]:
            had, switches = shares(turns, release, release + late["response_us"])
            others = {*had, *told} - {0, subject.number}
            off = sum(abs(had.get(number, 0) - told.get(number, 0)) for number in others)
            nearest = min(nearest, off - EACH_TURN_US * switches - late["rest_us"])
            release += subject.period
        if nearest > 0:
            found.append(f"loop {subject.number}: no window of the log has had {late}")
    return found


def shares(
    turns: list[tuple[float, int]], begin: float, end: float
) -> tuple[dict[int, float], int]:
    """How long each loop had the core in a window, and how many turns there were."""
    had: dict[int, float] = {}
    first = max(0, bisect.bisect_right(turns, begin, key=lambda turn: turn[0]) - 1)
    switches = 0
    for at in range(first, len(turns)):
        since, number = turns[at]
        if since >= end:
            break
        until = turns[at + 1][0] if at + 1 < len(turns) else end
        had[number] = had.get(number, 0) + max(0, min(until, end) - max(since, begin))
        switches += 1
    return had, switches
