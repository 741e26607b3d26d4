"""E10: thread switches of producers and consumers by deadlines and by levels (EDF-eCos, Figures 3 to 6).

Each producer makes an item in each of its periods, 25 ms of computing in every 250 ms; consumers take what is
there, every 200 ms. All have one priority where a policy has priorities, as the paper's, which says of none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from hocket.bench import Context, Result, Run
from hocket.errors import HocketError

PERIOD_MS = 250
AFTERWARDS_MS = 500  # until the last item is used


@dataclass(frozen=True)
class Case:
    """A sketch: so many producers and consumers, and a consumer's budget. Then what the paper's plot shows of
    MLQ against EDF."""

    producers: int
    consumers: int
    consuming_ms: int
    paper: str


# The paper does not give its budgets for the last case. With those of the others the ten threads would need
# more than the processor, so consumers have less there.
CASES = {
    "1-1": Case(1, 1, 20, "equal (Figure 3)"),
    "5-1": Case(5, 1, 20, "MLQ more (Figure 4)"),
    "5-5": Case(5, 5, 8, "MLQ almost twice as many at 50 items (Figure 5)"),
}
# Periods and budgets of the paper; all have one priority where a policy has priorities.
_SETUP = "#include <Items.h>\n\nvoid setup() {{ Items::begin({producers}); }}\n"
_PRODUCER = """
void periodic({id}, 30ms, 250ms, priority(10)) {{
  static uint32_t made = 0;
  Items::produce(made);
}}
"""
_CONSUMER = """
void periodic({id}, {budget}ms, 200ms, priority(10)) {{ Items::consume(); }}
"""
FIRST_CONSUMER = 6  # behind all producers, of which there are five at most
POLICIES = ("edf", "mlq", "hybrid-edf", "vcpu")


@dataclass(frozen=True)
class Size:
    """How many items each producer makes."""

    items: tuple[int, ...] = (10, 20, 30, 40, 50)


SIZES = {"sim": Size()}
QUICK = {"sim": Size(items=(10, 30))}

Counts = dict[str, int]  # of the report


def run(context: Context) -> Result:
    return measure(context, SIZES[context.board])


def measure(context: Context, size: Size) -> Result:
    counts: dict[str, dict[str, dict[int, Counts]]] = {}
    conditions = ""
    for case in CASES:
        counts[case] = {}
        for policy in POLICIES:
            counts[case][policy] = {}
            for items in size.items:
                done = _run(context, case, policy, items)
                conditions = done.conditions()
                counts[case][policy][items] = {**done.report["counters"]}
    return Result(
        f"E10 edf-switches: producers and consumers ({context.place()})",
        (
            "producers-consumers",
            "policy",
            *(f"{n} items" for n in size.items),
            "preemptions",
            "paper",
        ),
        [
            [
                case,
                policy,
                *(f"{counts[case][policy][n]['thread_switches']:,}" for n in size.items),
                f"{counts[case][policy][size.items[-1]]['preemptions']:,}",
                CASES[case].paper if policy == POLICIES[0] else "",
            ]
            for case in CASES
            for policy in POLICIES
        ],
        [
            conditions,
            "thread switches until half a second after the last producer's last period; preemptions: with "
            "the most items. Every item was used, and no deadline was missed",
            "why mlq has more: threads of one level take turns of 10 ms, so each item's 25 ms are done in "
            "three pieces when producers are released together. By deadlines each is done in one: theirs "
            "are equal, and who runs goes on",
            "switches into and out of each call, idle included, are the same under all policies; so our two "
            "are nearer to each other than the paper's at 5-5. It does not give its budgets for that case: "
            "with those of 5-1 ten threads would need 110 % of the processor",
            "hybrid-edf: a loop with priority() has no deadline there, so all of these take turns as in mlq",
        ],
        lambda figure: _plot(figure, counts, size, context),
        {"counters": counts},
    )


def sketch_of(case: Case) -> str:
    last = FIRST_CONSUMER + case.consumers
    return "".join(
        [
            _SETUP.format(producers=case.producers),
            *(_PRODUCER.format(id=1 + i) for i in range(case.producers)),
            *(
                _CONSUMER.format(id=i, budget=case.consuming_ms)
                for i in range(FIRST_CONSUMER, last)
            ),
        ]
    )


def _run(context: Context, case: str, policy: str, items: int) -> Run:
    """Runs one case; all items must have been used, and every call done in time."""
    done = context.run_sketch(
        context.write_sketch(case, sketch_of(CASES[case])),
        duration=f"{items * PERIOD_MS + AFTERWARDS_MS}ms",
        scenario_text="parts:\n  size:\n    type: serial\n    port: 0\n    send:\n"
        f'      - {{after: "items?", wait: 1 ms, text: "{items}\\n"}}\n',
        policy=policy,
    )
    producers = CASES[case].producers
    expected = f"used {producers * items} sum {producers * items * (items + 1) // 2}"
    if re.findall(r"used .*", done.serial.replace("\r", "")) != [expected]:
        raise HocketError(f"{case} under {policy} did not use every item once", done.serial)
    misses = sum(loop["deadline_misses"] or 0 for loop in done.report["loops"])
    if misses != 0:
        raise HocketError(f"{case} under {policy} missed {misses} deadlines")
    return done


def _plot(
    figure: Any,
    counts: dict[str, dict[str, dict[int, Counts]]],
    size: Size,
    context: Context,
) -> None:
    figure.suptitle(f"E10: producers and consumers ({context.place()})")
    for axes, case in zip(figure.subplots(1, len(CASES), sharey=True), CASES, strict=True):
        for policy, style in zip(POLICIES, ("o-", "s-", "x--", "+:"), strict=True):
            found = counts[case][policy]
            axes.plot(
                list(size.items),
                [found[n]["thread_switches"] for n in size.items],
                style,
                label=policy,
            )
        axes.set_title(case.replace("-", " to "), fontsize="medium")
        axes.set(xlabel="items of each producer", ylabel="thread switches")
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize="small")
    figure.axes[0].set_ylim(bottom=0)  # of all: they share it
