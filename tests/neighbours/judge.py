"""What victims of random sketches (campaign.py) were given: measured alone, judged beside neighbours."""

from __future__ import annotations

import math
import re

from tests.neighbours.boards import Board, Measured, Report, Sketch
from tests.neighbours.texts import HEAD

# Rounds of the two sizes, in one budget.
ROUNDS = {"sim": (400, 4000), "virt": (2000, 20_000), "uno": (40, 400)}
COUNT = 32


def speed_sketch(board: Board) -> str:
    """A victim alone: how long its rounds take."""
    text = HEAD + "void setup() { Serial.begin(115200); }\n"
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


def measured(board: Board, said: str, report: Report) -> Measured:
    few, many = (int(n) / COUNT for n in re.findall(r"took (\d+)", said)[:2])
    less, more = ROUNDS[board.name]
    unit = (many - few) / (more - less)
    costs, w = report["overheads"], report["losses"]["each_wake_up_us"]
    late, masked = costs["timer_lateness_us"], costs["longest_masked_us"]
    # Among several cores w has the interrupt from another one in it, and so has O.
    from_afar = w - 2 * (costs["interrupt_entry_us"] + costs["context_switch_us"])
    smallest = math.ceil(costs["smallest_budget_us"])
    return Measured(unit, few - less * unit, late, masked, w, late + masked + from_afar, smallest)


def judge(sketch: Sketch, said: str, report: Report) -> list[str]:
    """What its victims were not given, as sentences."""
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
        if victim.spins:
            continue
        if loop["deadline_misses"] or loop["max_response_us"] > loop["response_bound_us"]:
            found.append(
                f"victim {victim.number}: by the report {loop['deadline_misses']} misses, response "
                f"{loop['max_response_us']} of {loop['response_bound_us']}"
            )
    return found
