"""Faults seeded into the kernel's servers, one line each: every one must be refuted by the proof."""

from __future__ import annotations

from dataclasses import dataclass

SPORADIC = "kernel/sched/sporadic_server.h"
PIBS = "kernel/sched/pibs_server.h"


@dataclass(frozen=True)
class Fault:
    """breaks: the rule. old, new: a text that is once in the file, and what it becomes. program, lists: the
    proof that is run, and the lists of refills that it looks at."""

    breaks: str
    old: str
    new: str
    file: str = SPORADIC
    program: str = "short"
    lists: tuple[str, ...] = ("2/3", "3/3")


FAULTS: dict[str, Fault] = {
    "an overrun is forgiven": Fault(
        "an overrun is carried",
        "    Duration used = consumed_;\n    consumed_ = Duration(0);\n    [[maybe_unused]]",
        "    Duration used = smaller(consumed_, refill_.front().amount);\n"
        "    consumed_ = Duration(0);\n    [[maybe_unused]]",
    ),
    "nothing is put down": Fault(
        "what is used comes back a period later", "    put_down();\n    while", "    while"
    ),
    "it comes back at once": Fault(
        "what is used comes back a period later",
        "      const Instant returns = head.time + period_;\n      Duration part",
        "      const Instant returns = head.time;\n      Duration part",
    ),
    "it comes back with the rest of its refill": Fault(
        "each unit comes back a period after its release",
        "        head.time += part;\n        head.amount -= part;",
        "        head.time += part + part;\n        head.amount -= part;",
    ),
    "an empty refill stays": Fault(
        "a refill is more than 0",
        "        refill_.pop_front();",
        "        head.amount = Duration(0);",
    ),
    "budgets that were used besides are forgiven": Fault(
        "an overrun of many budgets is carried",
        "      used = more;\n      head.time += period_;",
        "      used = more;",
        program="circular",
    ),
    "a budget that was used besides is counted twice": Fault(
        "an overrun of many budgets is carried once",
        "      used = more;\n      head.time += period_;",
        "      head.time += period_;\n      used = more;\n      head.time += period_;",
        program="circular",
    ),
    "a whole list is taken for several budgets": Fault(
        "the refills are joined behind the whole budget only",
        "++parts > kCapacity",
        "++parts > 1",
        program="circular",
    ),
    "what touches is two refills": Fault(
        "8: what comes back joins a touching tail",
        "      if (gap <= Duration(0)) {",
        "      if (gap < Duration(0)) {",
    ),
    "appended without a look at the gap": Fault(
        "refills do not overlap",
        "      if (full() && make_room(",
        "      if (full() || make_room(",
    ),
    "the returning crumb is joined backwards": Fault(
        "8: a join delays",
        "        last.time += gap;\n",
        "",
    ),
    "a full list is not looked at": Fault(
        "8: a full list joins",
        "    if (best == 0) return true;",
        "    if (best == 0) return false;",
    ),
    "the dearest pair is joined": Fault(
        "8: the pair that loses least",
        "      const Area loses = kCapacity > 2 ? loss(refill_[1], refill_[kCapacity - 1]) : least;\n"
        "      return {loses < least, least};",
        "      const Area loses = kCapacity > 2 ? loss(refill_[1], refill_[kCapacity - 1]) : least;\n"
        "      return {least < loses, least};",
    ),
    "the amount of the later one counts": Fault(
        "8: the amount that is delayed",
        "    return area(later.time - (earlier.time + earlier.amount), earlier.amount);",
        "    return area(later.time - (earlier.time + earlier.amount), later.amount);",
    ),
    "a join does not begin earlier": Fault(
        "8: what is joined touches what follows it",
        "    joined.time = later.time - joined.amount;\n",
        "    joined.time = later.time;\n",
    ),
    "a join moves the later one earlier": Fault(
        "8: a join delays",
        "    joined.time = later.time - joined.amount;\n",
        "    joined.time = later.time - joined.amount - joined.amount;\n",
    ),
    "a rest of just the smallest is joined": Fault(
        "6: a rest of less than the smallest waits",
        "    if (left < smallest) {\n      if",
        "    if (left <= smallest) {\n      if",
    ),
    "a small rest does not wait for the last one": Fault(
        "6: small rests wait",
        "    while (refill_.front().amount < smallest && count() > 1) join_head();",
        "    while (refill_.front().amount < smallest && count() > 2) join_head();",
    ),
    "the old release is kept on waking": Fault(
        "a wake-up begins a fresh head",
        "      refill_.front().time = start;\n      check();",
        "      check();",
    ),
    "the head begins at the wake-up": Fault(
        "7: what was consumed counts as just before the wake-up",
        "    const Instant start = at - consumed_;\n    if (start <= time()) return usable(at);",
        "    const Instant start = at;\n    if (start <= time()) return usable(at);",
    ),
    "the head is foreseen without rule 7": Fault(
        "time_after() says where unblock() leaves the head",
        "        start <= origin_ + Duration(period_.ticks() >> kSpread) && may_stay_one();",
        "        start <= origin_ + Duration(period_.ticks() >> kSpread);",
    ),
    "moved one tick less far": Fault(
        "7: moved by up to a part of the period",
        "    if (latest_ < start || !may_stay_one()) {",
        "    if (latest_ <= start || !may_stay_one()) {",
    ),
    "more than half a period is moved": Fault(
        "7: more than half a period is put down",
        "    if (latest_ < start || !may_stay_one()) {",
        "    if (latest_ < start) {",
    ),
    "stop() allows more than half a period": Fault(
        "7: more than half a period is put down",
        "    if (consumed_ == Duration(0) || !may_stay_one()) latest_ = time();",
        "    if (consumed_ == Duration(0)) latest_ = time();",
    ),
    "moved without an end": Fault(
        "7: these moves add up to a part of the period",
        "    latest_ = origin_ + spread;",
        "    latest_ = head.time + spread;",
    ),
    "what was used is lost on waking": Fault(
        "the amounts add up to the budget",
        "        if (used != Duration(0)) append(returns, used);\n      }",
        "      }",
    ),
    "the head runs into the next one": Fault(
        "refills do not overlap",
        "      if (head.time < clear) {",
        "      if (head.time <= clear) {",
    ),
    "the head may touch the next one": Fault(
        "refills that touch are joined",
        "        latest_ = smaller(latest_, clear - Duration(1));",
        "        latest_ = smaller(latest_, clear);",
    ),
    "crumbs worth an activation are swept": Fault(
        "9: swept if this loses less",
        "    while (count() > 1 && loss(refill_.front(), refill_[1]) < worth) {",
        "    while (count() > 1 && !(worth < loss(refill_.front(), refill_[1]))) {",
    ),
    "crumbs are weighed against the whole period": Fault(
        "9: w · (T − C')",
        "    const Area worth = area(period_ - budget(), activation);",
        "    const Area worth = area(period_, activation);",
    ),
    "in a short list several crumbs are swept at once": Fault(
        "9: one at a time",
        "      if constexpr (kFew) return;",
        "",
        program="circular",
    ),
    "in a short list an overrun is forgiven": Fault(
        "an overrun is carried",
        "        if (left > Duration(0)) consumed_ += left;",
        "        consumed_ += left;",
        program="circular",
    ),
    "in a short list a small rest is lost": Fault(
        "a rest that is not worth an activation comes back with what it was part of",
        "        if (left > Duration(0)) consumed_ += left;",
        "        if (left > Duration(0)) refill_.front().amount -= left;",
        program="circular",
    ),
    "a refresh puts nothing down": Fault(
        "on a circular clock no instant gets old",
        "    put_down();\n    unblock_unhurried(now);",
        "    unblock_unhurried(now);",
    ),
    "a circular clock's numbers are compared": Fault(
        "instants of a circular clock are compared by their difference",
        "    if (start <= time()) return usable(at);",
        "    if (!(time().ticks() < start.ticks())) return usable(at);",
        program="circular",
    ),
    "the cheapest pair is forgotten too late": Fault(
        "8: the pair that loses least, remembered",
        "          if (cheapest_.pair + 2 == count()) cheapest_.pair = kUnknown;  // its gap has grown",
        "          if (cheapest_.pair + 1 == count()) cheapest_.pair = kUnknown;",
        program="long",
        lists=("4/4",),
    ),
    "an overrun is joined with what is back before it": Fault(
        "what an overrun took is apart",
        "    return joins == Joins::Any ? loss : joins == Joins::TheLast ? 0 : ~Area{0};",
        "    return joins == Joins::TheLast ? 0 : loss;",
        program="apart",
    ),
    "an I/O overrun is forgiven": Fault(
        "11: an overrun is carried",
        "    for (; used >= head.amount; used -= head.amount) head.time += this->period_;",
        "    if (used >= head.amount) head.time += this->period_, used = Duration(0);",
        file=PIBS,
        program="pibs",
    ),
    "a used budget of I/O comes back a part": Fault(
        "11: e + u / U",
        "    for (; used >= head.amount; used -= head.amount) head.time += this->period_;",
        "    for (; used > head.amount + head.amount; used -= head.amount) head.time += this->period_;",
        file=PIBS,
        program="pibs",
    ),
    "an I/O wake-up moves nothing": Fault(
        "11: e is when it was woken, if that was later",
        "  void may_move() { this->latest_ = this->time() + Instant::quarter_turn(); }",
        "  void may_move() { this->latest_ = this->time(); }",
        file=PIBS,
        program="pibs",
    ),
    "I/O waits for what it did not use": Fault(
        "11: what was not used is not waited for",
        "    if (!serves_io()) Base::use_up(least);",
        "    Base::use_up(least);",
        file=PIBS,
        program="pibs",
    ),
}

# In the choice of a long list's pair, which has a program of its own.
CHOICE_FAULTS = (
    Fault(
        "8: of equals the first",
        "      if (loses >= least) continue;",
        "      if (loses > least) continue;",
    ),
    Fault(
        "8: each pair is looked at",
        "i + 1 < count(); ++i) {\n      const Area",
        "i + 2 < count(); ++i) {\n      const Area",
    ),
)
