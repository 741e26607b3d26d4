"""Verdicts against an independent, slow model: it looks at every nanosecond of a run of a few dozen.

The model reads the items as they are written and knows nothing of the spans that the judge reckons with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st
from tests.campaign import rounds
from tests.unit.tools.expect.conftest import read_items

from hocket.expect import Evidence
from hocket.expect.evidence import Sent

EXAMPLES = rounds(80, 300, "HOCKET_SAMPLES")

END = 14
PIN_WORDS = {"high": "1", "low": "0", "floating": "z"}


@dataclass(frozen=True)
class Run:
    """Samples of pins 3 and 4 at 0 … END, edges of each as (when, rises), and times of texts."""

    samples: dict[int, str]
    edges: dict[int, list[tuple[int, bool]]]
    texts: dict[str, list[int]]
    evidence: Evidence


@st.composite
def runs(draw: st.DrawFn) -> Run:
    signals: dict[str, list[tuple[int, str]]] = {}
    samples: dict[int, str] = {}
    edges: dict[int, list[tuple[int, bool]]] = {}
    for pin in (3, 4):
        if draw(st.integers(0, 9)) == 0:
            continue  # nothing uses it
        times = sorted(draw(st.lists(st.integers(1, END), max_size=8)))
        values = draw(
            st.lists(st.sampled_from("01zx"), min_size=len(times) + 1, max_size=len(times) + 1)
        )
        changes = list(zip([0, *times], values, strict=True))
        signals[f"D{pin}"] = changes
        samples[pin] = "".join(
            next(value for when, value in reversed(changes) if when <= t) for t in range(END + 1)
        )
        high = values[0] == "1"
        edges[pin] = []
        for when, value in changes[1:]:
            if high != (value == "1"):
                high = value == "1"
                edges[pin].append((when, high))
    texts = {
        text: sorted(draw(st.lists(st.integers(0, END), max_size=5))) for text in ("ping", "pong")
    }
    sent = {(text, 0): Sent(len(times), tuple(times)) for text, times in texts.items() if times}
    return Run(samples, edges, texts, Evidence(END, signals, sent))


class Unseen(Exception):
    pass


def so(run: Run, item: dict[str, Any], t: int) -> bool:
    """Whether a state is there, or a text sent, at the instant."""
    if "serial" in item:
        return t in run.texts[item["serial"]]
    if item.get("part") == "start":
        return bool((5 <= t < 8) == (item["is"] == "pressed"))
    if item["pin"] not in run.samples:
        raise Unseen
    return bool(run.samples[item["pin"]][t] == PIN_WORDS[item["is"]])


def becomes(run: Run, item: dict[str, Any], t: int) -> bool:
    if "serial" in item:
        return so(run, item, t)
    return t > 0 and so(run, item, t) and not so(run, item, t - 1)


def window(item: dict[str, Any]) -> range:
    begin, end = item.get("from", 0), item.get("until")
    if "during" in item:
        begin, end = item["during"]
    if max(begin, end or 0) > END:
        raise Unseen
    return range(begin, END + 1 if end is None else end)


def events(run: Run, item: dict[str, Any]) -> list[int]:
    found = [t for t in window(item) if becomes(run, item["after"], t)]
    if not found:
        raise Unseen
    return found


def expected(run: Run, item: dict[str, Any]) -> bool:
    if "first" in item:
        then = item["then"] if isinstance(item["then"], list) else [item["then"]]
        times = [
            next((t for t in window(item) if so(run, each, t)), None)
            for each in (item["first"], *then)
        ]
        if None in times:
            for each in (item["first"], *then):
                so(run, each, 0)
            return False
        rising = all(a < b for a, b in pairwise(times))  # type: ignore[operator]
        return rising and times[-1] - times[0] <= item.get("within", END)  # type: ignore[operator]
    if "edges" in item:
        if item["pin"] not in run.edges:
            raise Unseen
        kinds = {"rising": (True,), "falling": (False,)}.get(
            item.get("kind", "both"), (True, False)
        )
        inside = [e for e in run.edges[item["pin"]] if e[0] in window(item) and e[1] in kinds]
        return bool(len(inside) == item["edges"])
    if "after" in item:
        judged = 0
        for start in events(run, item):
            later = range(start, start + item["within"] + 1)
            count = sum(_count(run, item, t) for t in later if t <= END)
            wanted = item.get("times")
            if wanted is None and count:
                judged += 1
            elif later[-1] <= END:
                judged += 1
                if wanted is None or count != wanted:
                    return False
        return judged > 0
    if "serial" in item:
        begin, last = item.get("from", 0), item.get("by")
        where = range(begin, last + 1) if last is not None else window(item)
        count = sum(_count(run, item, t) for t in where if t <= END)
        if "times" in item:
            return bool(count == item["times"]) and (last is None or last <= END)
        return count > 0
    if "by" in item:
        return any(so(run, item, t) for t in range(item.get("from", 0), min(item["by"], END) + 1))
    if "at" in item:
        if item["at"] > END:
            raise Unseen
        return so(run, item, item["at"])
    where_ = [t for t in window(item) if "while" not in item or so(run, item["while"], t)]
    if not where_:
        raise Unseen
    return all(so(run, item, t) for t in where_)


def _count(run: Run, item: dict[str, Any], t: int) -> int:
    return run.texts[item["serial"]].count(t) if "serial" in item else int(so(run, item, t))


def never(run: Run, item: dict[str, Any]) -> bool:
    instants = list(window(item))
    if "after" in item:
        starts = events(run, item)
        instants = [t for t in range(END + 1) if any(s <= t <= s + item["within"] for s in starts)]
    if "while" in item:
        instants = [t for t in instants if so(run, item["while"], t)]
        if not instants:
            raise Unseen
    if any(so(run, item, t) for t in instants):
        return False
    return "after" not in item or starts[0] + item["within"] <= END


times = st.integers(0, END + 2)
pin_states = st.fixed_dictionaries(
    {"pin": st.sampled_from([3, 4]), "is": st.sampled_from(list(PIN_WORDS))}
)
states = pin_states | st.sampled_from(
    [{"part": "start", "is": "pressed"}, {"part": "start", "is": "released"}]
)
texts = st.fixed_dictionaries({"serial": st.sampled_from(["ping", "pong"])})
Items = st.SearchStrategy[dict[str, Any]]
windows: Items = (
    st.just({})
    | st.fixed_dictionaries({"from": times})
    | st.tuples(st.integers(0, END), st.integers(1, END)).map(
        lambda w: {"during": [w[0], min(w[0] + w[1], END + 1)]}
    )
    | st.integers(1, END + 1).map(lambda t: {"until": t})
)
counts: Items = st.just({}) | st.integers(0, 4).map(lambda n: {"times": n})
after = st.builds(
    lambda each, within, where: {"after": each, "within": within} | where,
    states | texts,
    st.integers(0, 8),
    windows,
)
beside = st.builds(lambda each, where: {"while": each} | where, states, windows)
chosen = st.builds(
    lambda a, b: a | b,
    states,
    times.map(lambda t: {"by": t})
    | times.map(lambda t: {"at": t})
    | windows.filter(lambda w: w and w != {"from": 0})
    | after
    | beside,
)
of_text = st.builds(
    lambda a, n, w: a | n | w, texts, counts, windows | after | times.map(lambda t: {"by": t})
)
of_edges = st.builds(
    lambda pin, n, kind, w: {"pin": pin, "edges": n} | kind | w,
    st.sampled_from([3, 4]),
    st.integers(0, 4),
    st.just({}) | st.sampled_from(["rising", "falling", "both"]).map(lambda k: {"kind": k}),
    windows,
)
in_order = st.builds(
    lambda a, b, soon, w: {"first": a, "then": b} | soon | w,
    states | texts,
    (states | texts) | st.lists(states | texts, min_size=1, max_size=2),
    st.just({}) | st.integers(0, END).map(lambda t: {"within": t}),
    windows,
)
forbidden = st.builds(lambda a, b: a | b, states | texts, windows | after | beside)


def as_written(item: Any, key: str = "") -> Any:
    """With units."""
    if isinstance(item, dict):
        return {name: as_written(value, name) for name, value in item.items()}
    if isinstance(item, list):
        return [as_written(value, key) for value in item]
    return f"{item} ns" if key in ("by", "at", "from", "until", "during", "within") else item


def check(run: Run, item: dict[str, Any], model: Callable[[Run, Any], bool], key: str) -> None:
    written = as_written(item)
    found, problems = read_items(
        [written] if key == "expect" else [], [written] if key == "never" else []
    )
    assert [str(problem) for problem in problems] == []
    ((judged,),) = (found,)
    verdict = judged.verdict(run.evidence)
    try:
        wanted = model(run, item)
    except Unseen:
        wanted = False
    event(f"{type(judged).__name__} {'met' if wanted else 'not met'}")
    assert verdict.met == wanted, f"{judged.wanted()}; {verdict.seen}"
    assert judged.wanted() and verdict.seen


@settings(max_examples=EXAMPLES)
@given(runs(), chosen)
def test_states(run: Run, item: dict[str, Any]) -> None:
    check(run, item, expected, "expect")


@settings(max_examples=EXAMPLES)
@given(runs(), of_text)
def test_texts(run: Run, item: dict[str, Any]) -> None:
    check(run, item, expected, "expect")


@settings(max_examples=EXAMPLES)
@given(runs(), of_edges)
def test_edges(run: Run, item: dict[str, Any]) -> None:
    check(run, item, expected, "expect")


@settings(max_examples=EXAMPLES)
@given(runs(), in_order)
def test_order(run: Run, item: dict[str, Any]) -> None:
    check(run, item, expected, "expect")


@settings(max_examples=EXAMPLES)
@given(runs(), forbidden)
def test_never(run: Run, item: dict[str, Any]) -> None:
    check(run, item, never, "never")
