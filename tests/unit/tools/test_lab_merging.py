"""Frames that become one: what lasts is the newest, what passes is bounded and counted."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hocket.lab.merging import MOST, MOST_SERIAL, State, merged

Frame = dict[str, Any]

PINS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from([0, 1])).map(lambda pin: [*pin, "out"]),
    max_size=4,
    unique_by=lambda pin: pin[0],
)
FRAMES = st.fixed_dictionaries(
    {"is": st.just("frame"), "now": st.integers(0, 9), "lost": st.integers(0, 5)},
    optional={
        "pins": PINS,
        "parts": st.dictionaries(st.sampled_from("ab"), st.integers(0, 9).map(lambda n: {"n": n})),
        "changes": st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), max_size=5),
        "serial": st.lists(
            st.fixed_dictionaries(
                {"port": st.integers(0, 1), "text": st.text(max_size=5), "at": st.integers(0, 9)}
            ),
            max_size=3,
        ),
    },
)


@given(st.lists(FRAMES, min_size=1, max_size=6))
def test_one_frame_says_what_several_said(frames: list[Frame]) -> None:
    one = frames[0]
    for frame in frames[1:]:
        one = merged(one, frame)
    assert one["now"] == frames[-1]["now"]
    lasting: Frame = {}
    for frame in frames:
        lasting.update(frame.get("parts", {}))
    assert one.get("parts", {}) == lasting
    levels: dict[int, Any] = {}
    for frame in frames:
        levels |= {pin[0]: pin for pin in frame.get("pins", ())}
    assert {pin[0]: pin for pin in one.get("pins", ())} == levels
    passed = [change for frame in frames for change in frame.get("changes", ())]
    assert list(one.get("changes", [])) == passed
    assert one["lost"] == sum(frame["lost"] for frame in frames)
    for port in (0, 1):
        said = "".join(
            piece["text"] for frame in frames for piece in frame.get("serial", ())
            if piece["port"] == port
        )  # fmt: skip
        now = "".join(each["text"] for each in one.get("serial", ()) if each["port"] == port)
        assert now == said


def test_what_passes_is_bounded_and_counted() -> None:
    many = {"is": "frame", "lost": 1, "changes": [[2, at, 1] for at in range(MOST)],
            "serial": [{"port": 0, "text": "x" * MOST_SERIAL, "at": 1}]}  # fmt: skip
    one = merged(many, many)
    assert len(one["changes"]) == MOST
    assert len(one["serial"][0]["text"]) == MOST_SERIAL
    assert one["lost"] == 2 + MOST + MOST_SERIAL


def test_who_comes_later_is_told_all_that_lasts() -> None:
    state = State()
    for message in (
        {"is": "hello", "sketch": "old"},
        {"is": "frame", "now": 1, "lost": 7, "parts": {"a": {"n": 1}}},
        {"is": "hello", "sketch": "new"},
        {"is": "frame", "now": 2, "parts": {"b": {"n": 2}}},
        {"is": "frame", "now": 3, "pins": [[13, 1, "out"]]},
        {"is": "end", "status": 0},
    ):
        state.take(message)
    hello, frame, end = state.messages()
    assert hello["sketch"] == "new" and end["status"] == 0
    assert frame == {"is": "frame", "now": 3, "lost": 0, "parts": {"b": {"n": 2}},
                     "pins": [[13, 1, "out"]]}  # fmt: skip
