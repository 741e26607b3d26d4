"""What admission promises holds in runs: alone, together, beside loops gone wrong, on many cores."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.campaign import except_virt, long_form, one_in

Report = dict[str, Any]
Run = Callable[..., tuple[int, str, Report]]
Broken = Callable[..., list[str]]

# Board time of the tests of spinning loops: a busy processor in QEMU costs the host's time.
SECONDS = {"sim": 2.0, "virt": 0.35}
BOARDS = pytest.mark.parametrize("board", except_virt(SECONDS))

THREE = {1: (40, 100), 2: (20, 100), 3: (10, 100)}
# Work that costs the host nothing: the time of a spin passes at once.
SPIN = "delayMicroseconds(30000);"


def spinning(ids: set[int]) -> str:
    """A sketch with these of the three loops, each of which never rests."""
    loops = (f"void loop({i}, {c}, {t}) {{ {SPIN} }}\n" for i, (c, t) in THREE.items() if i in ids)
    return "volatile int sink;\nvoid setup() {}\n" + "".join(loops)


def figures(report: Report) -> dict[int, tuple[int, ...]]:
    """What nobody else may change of each of the three loops."""
    fields = ("deadline_misses", "releases")
    return {
        loop["id"]: tuple(loop[name] for name in fields)
        for loop in report["loops"]
        if loop["id"] in THREE
    }


def not_between_c_and_c_and_w(report: Report) -> list[str]:
    """Of the three loops: all of C is theirs in each period, and what costs were declared too high by.

    Those are w once, and an entry and a switch for each other loop that may preempt it.
    """
    costs = report["overheads"]
    paid_by_others = costs["interrupt_entry_us"] + costs["context_switch_us"]
    free = report["losses"]["each_wake_up_us"] + (len(report["loops"]) - 1) * paid_by_others
    return [
        f"loop {loop['id']}: {loop['min_cpu_per_period_us']} to {loop['max_cpu_per_period_us']}"
        for loop in report["loops"]
        if loop["id"] in THREE
        and not (
            loop["budget_us"] <= loop["min_cpu_per_period_us"]
            and loop["max_cpu_per_period_us"] <= loop["budget_us"] + free
        )
    ]


@one_in(3)
@pytest.mark.parametrize(
    ("board", "ids"),
    [*(("sim", ids) for ids in ({1}, {2}, {3}, {1, 2, 3})), ("virt", {3}), ("virt", {1, 2, 3})],
)
def test_spinning_loops_get_their_budget_alone_and_together(
    run: Run, broken: Broken, board: str, ids: set[int]
) -> None:
    name = "spinning-" + "-".join(map(str, sorted(ids)))
    status, _, report = run(name, SECONDS[board], spinning(ids), board=board)
    assert status == 0
    assert broken(report, spinning=ids) == []
    assert not_between_c_and_c_and_w(report) == []
    for loop in report["loops"]:
        assert loop["releases"] >= 10 * SECONDS[board]


INTRUDERS = {
    "spins": ("for (;;) sink = sink + 1;", None),
    "null": ("*(volatile int*)nullptr = 1;", "bad access"),
    "jump": ("((void (*)())&sink)();", "bad access"),
    "wild": ("*(volatile int*)0xdead000000000000 = 1;", "bad access"),
    "recursion": ("sink = deep(1);", "stack overflow"),
    "array": (
        "volatile char big[999999]; for (int i = 0; i < 999999; i++) big[i] = 1;",
        "stack overflow",
    ),
    "division": ("volatile int zero = 0; sink = 5 / zero;", "arithmetic"),
    "trap": ("__builtin_trap();", "bad instruction"),
    "abort": ("abort();", "abort"),
    "exit": ("exit(0);", "call"),
}


@one_in(4)
@pytest.mark.parametrize(
    ("board", "intruder"), [*(("sim", name) for name in INTRUDERS), ("virt", "spins")]
)
def test_a_loop_gone_wrong_changes_no_other(
    run: Run, broken: Broken, board: str, intruder: str
) -> None:
    _, _, alone = run("spinning-1-2-3", SECONDS[board], spinning({1, 2, 3}), board=board)
    body, kind = INTRUDERS[intruder]
    text = spinning({1, 2, 3})
    text += (
        "int deep(int n) { volatile char room[500]; room[0] = n; return deep(n + 1) + room[0]; }\n"
    )
    text += f"void loop(4, 10, 100) {{\n  delay(155);\n  {body}\n}}\n"
    status, _, report = run(f"intruder-{intruder}", SECONDS[board], text, board=board)
    assert broken(report, spinning={1, 2, 3}) == []
    assert not_between_c_and_c_and_w(report) == []
    assert figures(report) == figures(alone)
    assert report["end"] == "time"
    line = 1 + text.count("\n", 0, text.index(body))
    if kind is None:
        assert (status, report["faults"]) == (0, [])
        assert report["loops"][3]["budget_exhausted"] >= 10 * SECONDS[board] - 3
    else:
        assert status == 1
        (fault,) = report["faults"]
        assert (fault["loop"], fault["kind"]) == (4, kind)
        if kind in ("bad access", "arithmetic", "bad instruction") and intruder != "jump":
            assert f"intruder-{intruder}.ino:{line}" in fault["text"]


def test_every_loop_may_fault(run: Run) -> None:
    """Two of them in the same way, at the same time, on two cores; the run ends when none is left."""
    loops = "".join(f"void loop({i}, 1, 10) {{ delay(20); abort(); }}\n" for i in range(1, 7))
    status, _, report = run("all-abort", 2, "void setup() {}\n" + loops, cores=2)
    assert (status, report["end"]) == (1, "fault")
    assert sorted(fault["loop"] for fault in report["faults"]) == [1, 2, 3, 4, 5, 6]
    assert report["duration_us"] < 100_000


@one_in(4)
@pytest.mark.parametrize(
    ("board", "count", "cores", "budget_us", "period_us"),
    [
        ("sim", 32, 1, 600, 50_000),
        ("sim", 100, 1, 200, 50_000),
        ("sim", 255, 1, 80, 60_000),
        ("sim", 255, 8, 1350, 50_000),
        ("sim", 128, 64, 1000, 3000),
        ("virt", 32, 1, 600, 50_000),
        ("virt", 255, 1, 80, 60_000),
    ],
)
def test_many_loops_on_many_cores(
    run: Run, broken: Broken, board: str, count: int, cores: int, budget_us: int, period_us: int
) -> None:
    body = f"{{ {SPIN} }}"
    loops = (f"void loop({i}, {budget_us}us, {period_us}us) {body}\n" for i in range(1, count + 1))
    text = "void setup() {}\n" + "".join(loops)
    name, seconds = f"many-{count}-{cores}", 8e-6 * period_us
    status, _, report = run(name, seconds, text, cores=cores, board=board)
    assert status == 0
    assert len(report["loops"]) == count
    assert len({loop["core"] for loop in report["loops"]}) == cores
    assert broken(report, spinning=set(range(1, count + 1))) == []


# --- Random sets ------------------------------------------------------------------------------------

RANDOM_HEAD = """\
void setup() {}
// A random number of the calling loop: its stream is that of the run's seed and of its id.
uint32_t draw(uint32_t below) {
  static uint32_t states[256];
  uint32_t& state = states[hocket::sys::loop_id()];
  if (state == 0) state = hocket::sys::entropy() * 2654435761u + hocket::sys::loop_id() * 977 + 1;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state % below;
}
void work(uint32_t ns) { hocket::sys::spin_ns(draw(ns + 1)); }
void rest(uint32_t ns) { hocket::sys::sleep_until_ns(hocket::sys::now_ns() + draw(ns + 1)); }
"""

# {c}, {t}: budget and period in nanoseconds.
BEHAVIOURS = {
    "spins": "work({c});",
    "rests": "work({c}); rest(2 * {t});",
    "suspends": "work({c} / 3); rest({t} / 3);",
    "mixed": "if (draw(3)) work(4 * {c}); else rest(3 * {t} / 2);",
    "bursts": "if (draw(20)) rest({t} / 10); else work(9 * {c});",
}
PERIODIC = {"on time": "work(4 * ({c} / 5));", "overruns": "work(draw(6) ? {c} / 2 : 3 * {c});"}


def random_set(rng: random.Random, cores: int) -> tuple[str, set[int], set[int]]:
    """A sketch; the ids of its loops that always have work, and of those that make themselves late."""
    text, always, unruly = RANDOM_HEAD, set(), set()
    shares = [rng.uniform(0.03, 0.35) for _ in range(rng.randint(cores, 5 * cores))]
    scale = min(1.0, rng.uniform(0.4, 0.85) * cores / sum(shares))
    for number, share in enumerate(shares, 1):
        period = rng.choice([2, 4, 5, 8, 10, 16, 20, 25, 40, 50]) * rng.choice([1000, 1000, 500])
        budget = max(120, int(share * scale * period))
        pinned = f", onCore({rng.randrange(cores)})" if rng.random() < 0.15 else ""
        numbers = {"c": f"{budget * 1000}u", "t": f"{period * 1000}u"}
        if rng.random() < 0.35:
            deadline = rng.randint((budget + period) // 2, period)
            behaviour = rng.choice(list(PERIODIC))
            body = PERIODIC[behaviour].format(**numbers)
            head = f"void periodic({number}, {budget}us, {period}us, {deadline}us{pinned})"
            unruly |= {number} if behaviour == "overruns" else set()
        else:
            behaviour = rng.choice(list(BEHAVIOURS))
            body = BEHAVIOURS[behaviour].format(**numbers)
            head = f"void loop({number}, {budget}us, {period}us{pinned})"
            always |= {number} if behaviour == "spins" else set()
        text += f"{head} {{ {body} }}\n"
    return text, always, unruly


@one_in(4)
@pytest.mark.parametrize("block", range(4))
def test_random_sets_keep_every_promise(run: Run, broken: Broken, block: int) -> None:
    """6 sketches of 1 to 8 cores in each block (cores do not influence each other), three seeds each."""
    rng = random.Random(f"acceptance {block}")
    cores_judged = 0
    for index, cores in enumerate((1, 2, 3, 4, 6, 8)):
        text, always, unruly = random_set(rng, cores)
        for seed in (1, 2, 3):
            status, _, report = run(f"random-{block}-{index}", 0.3, text, cores=cores, seed=seed)
            if status == 3:
                assert report["admission"]["reasons"] != []
                break
            assert (status, report["faults"]) == (0, [])
            assert broken(report, always, unruly) == [], f"{block}, {index}, seed {seed}"
            if seed == 1:
                cores_judged += cores
    assert cores_judged >= 15


@long_form
def test_random_sets_on_an_emulated_board(run: Run, broken: Broken) -> None:
    """On one core, where its times are exact; few, for they take the host's time."""
    rng = random.Random("acceptance on virt")
    judged = 0
    for index in range(6):
        text, always, unruly = random_set(rng, 1)
        for seed in (1, 2):
            outcome = run(f"random-virt-{index}", 0.15, text, seed=seed, board="virt")
            status, _, report = outcome
            if status == 3:
                assert report["admission"]["reasons"] != []
                break
            assert (status, report["faults"]) == (0, [])
            assert broken(report, always, unruly) == [], f"{index}, seed {seed}"
            judged += 1
    assert judged >= 7


@BOARDS
def test_a_spinning_loop_keeps_its_periods_below_one_that_sleeps(
    run: Run, broken: Broken, board: str
) -> None:
    """Preemptions that leave it a few microseconds each must not add up, in a minute either."""
    seconds = {"sim": 60.0, "virt": 0.4}[board]
    text = RANDOM_HEAD
    text += "void loop(1, 1222us, 4000us) { if (draw(20)) rest(400000); else work(10998000); }\n"
    text += "void loop(2, 225us, 5000us) { work(225000); }\n"
    text += "void loop(3, 304us, 4000us) { work(101333); rest(1333333); }\n"
    for seed in (1, 2):
        status, _, report = run("drifting", seconds, text, seed=seed, board=board)
        assert status == 0
        assert broken(report, spinning={2}) == []


# --- Admission --------------------------------------------------------------------------------------


@BOARDS
def test_the_largest_budget_that_would_fit_is_exactly_that(run: Run, board: str) -> None:
    run = functools.partial(run, board=board)
    seconds = SECONDS[board] / 2
    text = "void setup() {}\nvoid loop(1, 70, 100) { " + SPIN + " }\n"
    text += "void loop(2, BUDGET, 100) { " + SPIN + " }\n"
    status, _, report = run("too-much-60", seconds, text.replace("BUDGET", "60"))
    assert status == 3
    (reason,) = report["admission"]["reasons"]
    for fact in ("loop 2", "60 ms", "100 ms", "core 0"):
        assert fact in reason
    found = re.search(r"the largest budget of loop 2 that would fit is (\d+)\.(\d{3}) ms", reason)
    assert found
    largest = int(found[1] + found[2])
    status, _, report = run("too-much-fits", seconds, text.replace("BUDGET", f"{largest}us"))
    assert status == 0
    assert all(loop["deadline_misses"] == 0 for loop in report["loops"])
    assert run("too-much-over", seconds, text.replace("BUDGET", f"{largest + 1}us"))[0] == 3
    status, _, report = run("too-much-60", seconds, text.replace("BUDGET", "60"), cores=2)
    assert status == 0
    assert {loop["core"] for loop in report["loops"]} == {0, 1}


@pytest.mark.parametrize(("board", "smallest"), [("sim", 11), ("virt", 3)])
def test_a_budget_that_a_late_timer_could_take_is_refused(
    run: Run, board: str, smallest: int
) -> None:
    """The sentence names the smallest one of the board, and that one is accepted."""
    text = "void setup() {}\nvoid loop(1, BUDGET, 100) { " + SPIN + " }\n"
    status, _, report = run("tiny", 0.01, text.replace("BUDGET", f"{smallest - 1}us"), board=board)
    assert status == 3
    (reason,) = report["admission"]["reasons"]
    assert f"asks for {smallest - 1} us in every 100 ms" in reason
    assert f"the smallest budget on this board is {smallest} us:" in reason
    status, _, report = run("small", 0.01, text.replace("BUDGET", f"{smallest}us"), board=board)
    assert (status, report["admission"]["reasons"]) == (0, [])


@BOARDS
def test_hundreds_of_loops_at_one_port_keep_the_declared_costs(
    run: Run, broken: Broken, board: str
) -> None:
    loops = "\n".join(
        f"void loop({i}, 150us, 100) {{ Serial.println({i}); delay(50); }}" for i in range(1, 251)
    )
    text = f"void setup() {{ Serial.begin(115200); }}\n{loops}\n"
    _, _, report = run("many-at-one-port", SECONDS[board] / 2, text, board=board)
    assert broken(report) == []
