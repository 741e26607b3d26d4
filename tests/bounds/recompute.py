"""Recomputes every bound of a report, and whether its sketch is admitted, from the report alone.

Usage: python3 recompute.py REPORT.json

It shares no code with the project: the formulas are those of docs/reference/report.md, `bounds`. Each
mismatch is printed with its place, what the report says, what was recomputed, and the difference.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

Json = dict[str, Any]
LIMIT = 1 << 62
NEARLY_FULL = 1e-6  # of a core: what the admission of fuller ones may give up to find exactly
COSTS = ("interrupt_entry", "context_switch", "timer_interrupt", "timer_lateness", "longest_masked")


def up(part: int, whole: int) -> int:
    return -(-part // whole)


class Recomputed:
    """The mismatches of one report."""

    def __init__(self, report: Json) -> None:
        self.report, self.found = report, list[str]()
        bounded = [loop for loop in report["loops"] if loop["response_bound_us"] is not None]
        if "bounds" not in report:
            if bounded:
                self.found.append("bounds: the report has bounds of loops, and no terms")
            return
        self.bounds: Json = report["bounds"]
        try:
            self.check_costs()
            for i, core in enumerate(self.bounds["cores"]):
                self.same(f"bounds.cores[{i}].core", core["core"], i)
                self.check_core(core)
            self.check_loops()
            self.check_verdict()
            self.check_pins()
        except (LookupError, TypeError, ValueError, ArithmeticError) as missing:
            self.found.append(f"bounds: a term is missing or no number: {missing!r}")

    def same(self, place: str, given: Any, expected: Any) -> None:
        """Compares what the report says with what was recomputed, member by member."""
        if isinstance(given, dict) and isinstance(expected, dict):
            for name in expected | given:
                self.same(
                    f"{place}.{name}", given.get(name, "nothing"), expected.get(name, "nothing")
                )
        elif isinstance(given, list) and isinstance(expected, list) and len(given) == len(expected):
            for i, pair in enumerate(zip(given, expected, strict=True)):
                self.same(f"{place}[{i}]", *pair)
        elif given != expected or isinstance(given, bool) != isinstance(expected, bool):
            numbers = all(type(each) in (int, float) for each in (given, expected))
            off = f", difference {given - expected}" if numbers else ""
            self.found.append(f"{place}: {given} in the report, {expected} recomputed{off}")

    def holds(self, place: str, true: bool, fact: str) -> None:
        if not true:
            self.found.append(f"{place}: {fact}")

    def printed(self, place: str, us: float | None, ticks: int | None) -> None:
        """A printed time is the nanosecond below or above so many ticks."""
        if us is None or ticks is None:
            self.same(place, us, ticks)
            return
        exact = ticks * 10**9
        ns = exact // self.hz if round(us * 1000) == exact // self.hz else up(exact, self.hz)
        self.same(f"{place} in ns", round(us * 1000), ns)

    def in_ticks(self, us: float, rounded_up: bool = False) -> int:
        scaled = round(us * 1000) * self.hz
        return up(scaled, 10**9) if rounded_up else max(scaled // 10**9, 1)

    def check_costs(self) -> None:
        bounds, overheads = self.bounds, self.report["overheads"]
        self.costs, self.hz = bounds["costs"], bounds["ticks_per_second"]
        self.holds("bounds.ticks_per_second", self.hz % 100 == 0, "is no clock's rate")
        self.by_deadline = self.report["policy"] != "vcpu"
        self.same("bounds.order", bounds["order"], "deadline" if self.by_deadline else "priority")
        for name in COSTS:
            self.printed(f"overheads.{name}_us", overheads[f"{name}_us"], self.costs[name])
        self.late, self.masked = self.costs["timer_lateness"], self.costs["longest_masked"]
        self.blocking, self.lock = bounds["blocking"], bounds["lock_overrun"]
        self.once: int = bounds["once"]
        idle = bounds["idle_blocking"]
        self.holds("bounds.idle_blocking", idle in (0, self.blocking), "is neither 0 nor blocking")
        self.other = self.costs["timer_interrupt"] if bounds["several_cores"] else 0
        self.ending = self.costs["interrupt_entry"] + self.costs["context_switch"]
        self.w = 2 * self.ending + self.other
        self.o = self.late + self.masked + self.other + self.lock
        self.same("bounds.activation", bounds["activation"], self.w)
        self.same("bounds.ahead", bounds["ahead"], self.o)
        self.printed("losses.each_wake_up_us", self.report["losses"]["each_wake_up_us"], self.w)
        self.printed(
            "overheads.spinlock_blocking_us",
            overheads["spinlock_blocking_us"],
            self.blocking + self.once,
        )
        self.printed(
            "overheads.smallest_budget_us", overheads["smallest_budget_us"], self.late + self.masked
        )

    # --- One core ---

    def check_core(self, core: Json) -> None:
        number, ranks, lines = core["core"], core["ranks"], core["interrupts"]
        place = f"bounds.cores[{number}]"
        for i, line in enumerate(lines):
            share = line["length"] / line["distance"]
            self.same(f"{place}.interrupts[{i}].share", line["share"], share)
            if self.by_deadline:
                self.same(f"{place}.interrupts[{i}].most", line["most"], None)
        known = self.report["admission"]["cores"][number]
        ppm = sum(rank["budget"] * 10**6 // rank["period"] for rank in ranks)
        self.same(f"admission.cores[{number}].utilization", round(known["utilization"] * 1e6), ppm)
        order = [(rank["deadline"], rank["budget"]) for rank in ranks if rank["promised"]]
        self.holds(place, order == sorted(order), "the ranks are not in order of deadline, budget")
        for i, rank in enumerate(ranks):
            promised = rank["bound"] is not None or self.report["policy"] != "hybrid-edf"
            self.check_contract(f"{place}.ranks[{i}]", rank, promised)
        if not self.by_deadline:
            self.check_responses(place, ranks, lines)
            return
        counted = [rank for rank in ranks if rank["promised"]]
        self.all_promised = counted == ranks
        for i, rank in enumerate(ranks):
            expected = rank["deadline"] if rank["promised"] else None
            self.same(f"{place}.ranks[{i}].bound", rank["bound"], expected)
        self.holds(place, self.feasible(counted, lines), "more is due by some deadline than fits")
        if counted:
            at = min(
                (rank["deadline"] for rank in counted),
                key=lambda t: t - self.due(counted, lines, t),
            )
            self.same(f"{place}.demand", core["demand"], self.demand(counted, lines, at))
        else:
            self.same(f"{place}.demand", core.get("demand"), None)

    def check_contract(self, place: str, rank: Json, promised: bool = True) -> None:
        self.same(f"{place}.promised", rank["promised"], promised)
        self.same(f"{place}.enforced", rank["enforced"], rank["budget"] + self.w + rank["top_half"])
        (row,) = (loop for loop in self.report["loops"] if loop["id"] == rank["loop"])
        self.same(f"{place}.io", rank["io"], row["kind"] == "io")
        if not rank["io"]:
            self.same(f"{place}.top_half", rank["top_half"], 0)
        period, deadline = self.in_ticks(row["period_us"]), self.in_ticks(row["deadline_us"])
        budget = min(self.in_ticks(row["budget_us"], True), period if rank["io"] else deadline)
        if rank["io"]:  # a share of the shortest period of those for whom it works
            budget, period = budget * deadline // period, deadline
        elif "part" in rank:
            part = row["parts"][rank["part"] - 1]
            budget, deadline = self.in_ticks(part["budget_us"]), self.in_ticks(part["deadline_us"])
        for name, expected in (("budget", budget), ("period", period), ("deadline", deadline)):
            self.same(f"{place}.{name}", rank[name], expected)

    # --- Fixed priorities ---

    def taken(self, rank: Json, window: int) -> tuple[int | None, int]:
        """What one of a higher rank takes of a window: how many jobs of it, and how long."""
        budget, period = rank["enforced"], rank["period"]
        if rank["io"]:
            return None, budget + max(window - budget, 0) * budget // period
        return up(window, period), up(window, period) * budget

    def interrupt_jobs(self, line: Json, window: int) -> int:
        jobs = up(window, line["distance"])
        return jobs if line["most"] is None else min(jobs, line["most"])

    def response_terms(self, ranks: list[Json], lines: list[Json], i: int, window: int) -> Json:
        jobs = [self.interrupt_jobs(line, window) for line in lines]
        return {
            "timer_lateness": self.late,
            "longest_masked": self.masked,
            "blocking": self.blocking,
            "once": self.once,
            "lock_overrun": self.lock,
            "own": ranks[i]["enforced"],
            "top_halves": sum(rank["top_half"] for rank in ranks) - ranks[i]["top_half"],
            "ahead": i * self.o,
            "interrupts": [
                {"jobs": n, "ticks": n * line["length"]}
                for n, line in zip(jobs, lines, strict=True)
            ],
            "loops": [self.of(rank, *self.taken(rank, window)) for rank in ranks[:i]],
        }

    @staticmethod
    def of(rank: Json, jobs: int | None, ticks: int, **more: int) -> Json:
        part = {"part": rank["part"]} if "part" in rank else {}
        return {"loop": rank["loop"], **part, "jobs": jobs, "ticks": ticks, **more}

    def load(self, ranks: list[Json], lines: list[Json]) -> float:
        endless = (line["share"] for line in lines if line["most"] is None)
        return float(sum(endless) + sum(rank["enforced"] / rank["period"] for rank in ranks))

    def total(self, terms: Json) -> int:
        lists = (each["ticks"] for name in ("interrupts", "loops") for each in terms[name])
        return int(sum(lists)) + sum(each for each in terms.values() if isinstance(each, int))

    def response(self, ranks: list[Json], lines: list[Json], i: int, least: int = 0) -> int | None:
        """The least W = f(W) for the rank i; None: there is none."""
        if self.load(ranks[: i + 1], lines) > 1 + 1e-12:
            return None
        once = self.total(self.response_terms(ranks, [], i, 0) | {"loops": []})
        first = once - i  # each takes its share of W at least, but for what rounding leaves
        left = 1 - self.load(ranks[:i], lines)
        window = max(least, int(first / left * (1 - 1e-9)) if left > 1e-9 else first)
        for _ in range(100_000):
            due = once + sum(self.taken(rank, window)[1] for rank in ranks[:i])
            due += sum(self.interrupt_jobs(line, window) * line["length"] for line in lines)
            if due == window or due > LIMIT:
                break
            window = due
        return None if window > LIMIT else window

    def check_responses(self, place: str, ranks: list[Json], lines: list[Json]) -> None:
        least = 0
        for i, rank in enumerate(ranks):
            at, bound = f"{place}.ranks[{i}]", rank["bound"]
            terms = self.response_terms(ranks, lines, i, bound)
            self.same(f"{at}.terms", rank["terms"], terms)
            full = 1 - self.load(ranks[: i + 1], lines) < NEARLY_FULL
            if not (full and self.total(rank["terms"]) <= bound <= rank["deadline"]):
                least = self.response(ranks, lines, i, least) or 0
                self.same(f"{at}.bound", bound, least or None)
                self.same(f"{at}.bound, the sum of its terms", self.total(rank["terms"]), bound)
            self.holds(at, bound <= rank["deadline"], "the bound is later than the deadline")

    # --- Earliest deadline first ---

    def demand(self, ranks: list[Json], lines: list[Json], instant: int) -> Json:
        deadlines = [rank["deadline"] for rank in ranks]
        shares = sum((line["length"] << 62) // line["distance"] + 1 for line in lines)
        lengths = sum(line["length"] for line in lines)
        terms: Json = {
            "instant": instant,
            "total": 0,
            "timer_lateness": self.late,
            "longest_masked": self.masked,
            "once": self.once,
            "blocking": self.blocking if min(deadlines) <= instant < self.latest(ranks) else 0,
            "top_halves": sum(rank["top_half"] for rank in ranks),
            "interrupts": lengths + (shares * instant >> 62) + 1 if lines else 0,
            "loops": [self.due_by(rank, instant) for rank in ranks if rank["deadline"] <= instant],
        }
        loops = sum(each["ticks"] + each["ahead"] for each in terms["loops"])
        terms["total"] = (
            sum(each for each in terms.values() if isinstance(each, int)) - instant + loops
        )
        return terms

    def latest(self, ranks: list[Json]) -> int:
        """From when on no lock blocks: the latest deadline, or never."""
        always = self.bounds["idle_blocking"] > 0 or not self.all_promised
        return LIMIT if always else max(rank["deadline"] for rank in ranks)

    def due_by(self, rank: Json, instant: int) -> Json:
        window, budget = instant - rank["deadline"], rank["enforced"]
        if rank["io"]:
            return self.of(rank, None, budget + up(window * budget, rank["period"]), ahead=self.o)
        jobs = window // rank["period"] + 1
        return self.of(rank, jobs, jobs * budget, ahead=self.o)

    def due(self, ranks: list[Json], lines: list[Json], instant: int) -> int:
        return int(self.demand(ranks, lines, instant)["total"])

    def feasible(self, ranks: list[Json], lines: list[Json]) -> bool:
        """Whether no more is due than there is time, by any deadline (QPA, Zhang and Burns 2009)."""
        if not ranks:
            return True
        left = 1 - self.load(ranks, lines)
        if left < -1e-12:
            return False
        latest = max(rank["deadline"] for rank in ranks)
        common = self.late + self.masked + self.once + sum(line["length"] for line in lines) + 2
        common += (
            self.blocking + len(ranks) * (self.o + 2) + sum(rank["top_half"] for rank in ranks)
        )
        ends = []  # no deadline from there on counts
        if left > 1e-9:
            rest = sum((1 - rank["deadline"] / rank["period"]) * rank["enforced"] for rank in ranks)
            ends.append(int((common + rest) / left * (1 + 1e-9)) + 2)
        if not any(rank["io"] for rank in ranks):  # what is due repeats, if it fits
            common_multiple = math.lcm(*(rank["period"] for rank in ranks))
            if (
                sum(common_multiple // each["period"] * each["enforced"] for each in ranks)
                > common_multiple
            ):
                return False
            ends.append(common_multiple + latest + 1)
        if not lines and not any(rank["io"] for rank in ranks):
            busy, more = 0, common
            while busy != more and more < ends[-1]:
                busy = more
                more = common + sum(up(busy, each["period"]) * each["enforced"] for each in ranks)
            ends.append(max(busy, more))
        instant = self.deadline_before(ranks, max(min(ends, default=LIMIT), latest + 1))
        for _ in range(400_000):
            due = self.due(ranks, lines, instant) if instant > 0 else 0
            if instant <= 0 or due > instant:
                return due <= instant
            instant = self.deadline_before(ranks, min(instant, due + self.blocking))
        return left < NEARLY_FULL

    @staticmethod
    def deadline_before(ranks: list[Json], instant: int) -> int:
        last = 0
        for rank in ranks:
            first, period = rank["deadline"], rank["period"]
            if first < instant:
                last = max(
                    last, first if rank["io"] else instant - 1 - (instant - 1 - first) % period
                )
        return last

    # --- The whole sketch ---

    def check_loops(self) -> None:
        """Each loop has its bound from its place on a core."""
        accepted, placed = self.report["admission"]["accepted"], dict[tuple[int, int], Json]()
        for core in self.bounds["cores"]:
            for rank in core["ranks"]:
                placed[rank["loop"], rank.get("part", 0)] = rank | {"core": core["core"]}
        refused = {rank["loop"] for rank in self.bounds["refused"]}
        for i, loop in enumerate(self.report["loops"]):
            rank = placed.get((loop["id"], 2 if loop.get("parts") else 0))
            place = f"loops[{i}]"
            # A thread whose contract came later and was refused has neither place nor bound.
            nowhere = accepted and loop["response_bound_us"] is None
            one_place = (rank is None) == (loop["id"] in refused or nowhere)
            self.holds(place, one_place or (rank is not None and nowhere), "has not one place")
            if rank is None or not accepted:
                continue
            bound = rank["bound"]
            if loop.get("parts"):
                bound += self.in_ticks(loop["parts"][1]["offset_us"])
                first = placed[loop["id"], 1]
                self.same(f"{place}.parts[0].core", loop["parts"][0]["core"], first["core"])
                self.same(f"{place}.parts[1].core", loop["parts"][1]["core"], rank["core"])
            else:
                self.same(f"{place}.core", loop["core"], rank["core"])
            self.printed(f"{place}.response_bound_us", loop["response_bound_us"], bound)

    def check_verdict(self) -> None:
        """A sketch is refused where some loop has room on no core, and only there."""
        refused = self.bounds["refused"]
        self.same("admission.accepted", self.report["admission"]["accepted"], not refused)
        for i, loop in enumerate(refused):
            self.check_contract(f"bounds.refused[{i}]", loop)
        cores = self.bounds["cores"]
        absent = [loop["core"] for loop in refused if (loop["core"] or 0) >= len(cores)]
        for core in absent:
            said = any(f"core {core}" in reason for reason in self.report["admission"]["reasons"])
            self.holds("bounds.refused", said, f"no reason names core {core}, which is not there")
        if absent:
            return
        for i, loop in enumerate(refused):
            if loop["budget"] < self.late + self.masked:
                continue
            tried = [core for core in cores if loop["core"] in (None, core["core"])]
            room = [core["core"] for core in tried if self.has_room(loop, core)]
            self.holds(f"bounds.refused[{i}]", not room, f"has room on the cores {room}")

    def has_room(self, loop: Json, core: Json) -> bool:
        ranks, lines = [rank for rank in core["ranks"] if rank["promised"]], core["interrupts"]
        if 1 - self.load([*ranks, loop], lines) < NEARLY_FULL:
            return False
        if self.by_deadline:
            self.all_promised = ranks == core["ranks"]
            return self.feasible([*ranks, loop], lines)
        key = (loop["deadline"], loop["budget"])
        before = [rank for rank in ranks if (rank["deadline"], rank["budget"]) <= key]
        tried, least = [*before, loop, *ranks[len(before) :]], 0
        for i, rank in enumerate(tried):
            least = self.response(tried, lines, i, least) or LIMIT
            if least > rank["deadline"]:
                return False
        return True

    # --- Pins ---

    def check_pins(self) -> None:
        ranks = {rank["loop"]: rank for core in self.bounds["cores"] for rank in core["ranks"]}
        most = dict[int, list[int]]()
        for i, each in enumerate(self.bounds["deliveries"]):
            io, handler = ranks[each["io"]], ranks[each["loop"]]
            expected = self.delivery(each, io, handler)
            self.same(f"bounds.deliveries[{i}]", each, expected)
            before = most.get(each["loop"], [0, 0])
            both = (expected["bound"], expected["paper_bound"])
            most[each["loop"]] = [max(pair) for pair in zip(before, both, strict=True)]
        directs = {each["line"]: each for each in self.bounds["direct"]}
        for i, each in enumerate(self.bounds["direct"]):
            place = f"bounds.direct[{i}]"
            self.same(f"{place}.bound", each["bound"], self.direct(each))
            lines = [
                (line["length"], line["distance"]) for line in self.bounds["cores"][0]["interrupts"]
            ]
            self.holds(
                place, (each["length"], each["distance"]) in lines, "is not counted on core 0"
            )
        for i, row in enumerate(self.report["interrupts"]):
            place, sound = f"interrupts[{i}].delay_bound_us", row["delay_bound_us"]
            if "delay_terms" in row:
                self.printed(place, sound, sum(row["delay_terms"].values()))
                self.printed(
                    f"interrupts[{i}].paper_bound_us",
                    row["paper_bound_us"],
                    sum(row["paper_terms"].values()),
                )
            elif row["loop"] is None and sound is not None:
                self.printed(place, sound, directs[int(row["place"].rpartition(":")[2])]["bound"])
            elif sound is not None:
                self.printed(place, sound, most[row["loop"]][0])
                self.printed(
                    f"interrupts[{i}].paper_bound_us", row["paper_bound_us"], most[row["loop"]][1]
                )

    def wait(self, rank: Json, activations: int) -> int:
        budget = rank["enforced"]
        return int(max(rank["period"] - budget + min(budget, activations * self.ending), 0))

    def delivery(self, each: Json, io: Json, handler: Json) -> Json:
        work = each["bottom_half"]
        more = (work - 1) // io["budget"]
        over = (more + 1) * self.o
        terms = {
            "io_waits": self.wait(io, 1),
            "io_ahead": up(over * max(io["period"] - io["enforced"], 0), io["enforced"]),
            "io_periods": more * io["period"],
            "io_response": io["bound"] - io["budget"],
            "io_work": work - more * io["budget"],
            "handler_waits": self.wait(handler, handler["enforced"]),
            "handler_ahead": self.o,
            "handler_response": handler["bound"] - (0 if self.by_deadline else handler["enforced"]),
            "ending": self.ending,
        }
        start = sum(
            terms[name] for name in ("handler_waits", "handler_ahead", "handler_response", "ending")
        )
        terms["held"] = each["sections"] + start if each["sections"] != 0 else 0
        alone = work // io["budget"] * io["period"] + work % io["budget"]
        waits = io["period"] - io["budget"] + handler["period"] - handler["budget"]
        return {
            "loop": each["loop"],
            "io": each["io"],
            "bottom_half": work,
            "wakeups": handler["enforced"],
            "sections": each["sections"],
            "bound": sum(terms.values()),
            "paper_bound": alone + waits,
            "terms": terms,
        }

    def direct(self, each: Json) -> int:
        alone = self.masked + self.costs["timer_interrupt"] + self.other
        alone += (1 + each["lines"]) * each["top_half"]
        bound = alone
        for _ in range(64):
            others = [one for one in self.bounds["direct"] if one is not each]
            bound = alone + sum((bound // one["distance"] + 1) * one["length"] for one in others)
        if each["sections"] != 0:  # it asks again at the end of a section, or a distance later
            bound += each["sections"] + each["distance"] + bound
        return int(bound)


def mismatches(report: Json) -> list[str]:
    """All of a report, and of the reports of further boards in it."""
    found = Recomputed(report).found
    for name, other in (report.get("boards") or {}).items():
        found += [f"boards.{name}.{each}" for each in mismatches(other)]
    return found


if __name__ == "__main__":
    wrong = mismatches(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    print("\n".join(wrong) if wrong else "every bound and the verdict can be recomputed")
    sys.exit(1 if wrong else 0)
