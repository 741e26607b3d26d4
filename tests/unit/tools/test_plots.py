"""Plots of experiments: nothing is covered, nothing leaves the axes, nothing is told apart by hue alone."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.campaign import long_form, one_in

from hocket import bench
from hocket.plots import bars, make, ranges, wrong_with

Draw = Callable[[Any], None]


def finished(draw: Draw, tmp_path: Path) -> Any:
    return make(draw, "test", tmp_path)


def crowded(figure: Any) -> None:
    """Lines that fill the plot, so that a legend in it would cover some."""
    axes = figure.subplots()
    for number in range(6):
        axes.plot(
            [0, 1, 2], [number, 5 - number, number], label=f"a rather long name of line {number}"
        )
    axes.legend()


def test_a_legend_never_stands_on_the_plot(tmp_path: Path) -> None:
    figure = finished(crowded, tmp_path)
    assert wrong_with(figure) == []
    (legend,) = [axes.get_legend() for axes in figure.axes]
    assert next(text.get_text() for text in legend.get_texts()) == "a rather long name of line 0"


@long_form
def test_the_legends_of_two_plots_side_by_side_stay_on_the_page(tmp_path: Path) -> None:
    def draw(figure: Any) -> None:
        for axes in figure.subplots(1, 2, sharey=True):
            for number in range(4):
                axes.plot([0, 1], [number, 1], "o-", label=f"some rather long name {number}")
            axes.legend(loc="upper left")

    assert wrong_with(finished(draw, tmp_path)) == []


def test_what_differs_by_hue_alone_gets_markers_and_hatches(tmp_path: Path) -> None:
    def draw(figure: Any) -> None:
        left, right = figure.subplots(1, 2)
        for number in range(10):
            left.plot([0, 1], [number, number], "o-", label=str(number))
        for number in range(3):
            right.bar([number], [1], label=str(number))

    figure = finished(draw, tmp_path)
    assert wrong_with(figure) == []
    looks = {(line.get_linestyle(), line.get_marker()) for line in figure.axes[0].lines}
    assert len(looks) == 10


@one_in(3)
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda axes: axes.legend(loc="center"), "its legend stands on the plot"),
        (
            lambda axes: axes.legend(loc="center left", bbox_to_anchor=(1.2, 0.5)),
            "its legend is cut off",
        ),
        (lambda axes: axes.set_ylim(0, 3), "leaves the axes"),
        (lambda axes: axes.set_xlim(0, 1.5), "leaves the axes"),
        (
            lambda axes: [line.set(marker="o", linestyle="-") for line in axes.lines],
            "by their hue alone",
        ),
    ],
)
def test_what_is_wrong_with_a_plot_is_seen(
    spoil: Callable[[Any], object], said: str, tmp_path: Path
) -> None:
    figure = finished(crowded, tmp_path)
    figure.set_layout_engine("none")
    spoil(figure.axes[0])
    assert any(said in each for each in wrong_with(figure)), wrong_with(figure)


def test_a_bar_that_leaves_the_axes_is_seen(tmp_path: Path) -> None:
    def draw(figure: Any) -> None:
        figure.subplots().bar([0, 1], [1, 5])

    figure = finished(draw, tmp_path)
    assert wrong_with(figure) == []
    figure.axes[0].set_ylim(0, 4)
    assert wrong_with(figure) == ["axes 0: a bar leaves the axes"]


def test_more_series_than_markers_are_told_apart(tmp_path: Path) -> None:
    series = {f"series {n}": (1.0 + n, 2.0 + n, 3.0 + n) for n in range(12)}
    assert (
        wrong_with(finished(lambda drawn: ranges(drawn, "title", {"row": series}, "us"), tmp_path))
        == []
    )


NAMES = st.text(st.characters(min_codepoint=97, max_codepoint=122), min_size=1, max_size=30)
VALUE = st.floats(0.01, 1e6, allow_nan=False)
SIX = st.lists(st.one_of(st.none(), VALUE), min_size=6, max_size=6)
RANGE = st.tuples(VALUE, VALUE, VALUE).map(sorted).map(tuple)


@long_form
@settings(max_examples=4, deadline=None)
@given(
    st.dictionaries(
        NAMES, st.dictionaries(NAMES, RANGE, min_size=1, max_size=3), min_size=1, max_size=5
    )
)
def test_any_ranges_make_a_sound_plot(
    tmp_path_factory: pytest.TempPathFactory, rows: dict[str, dict[str, tuple[float, float, float]]]
) -> None:
    cache = tmp_path_factory.getbasetemp()
    figure = finished(lambda drawn: ranges(drawn, "title", rows, "us"), cache)
    assert wrong_with(figure) == []
    worst = max(most for each in rows.values() for _, _, most in each.values())
    assert figure.axes[0].get_xlim()[1] >= worst, "the worst case is in the picture"


@long_form
@settings(max_examples=4, deadline=None)
@given(
    st.lists(NAMES, min_size=1, max_size=6),
    st.dictionaries(
        NAMES, st.lists(st.one_of(st.none(), VALUE), min_size=6, max_size=6), min_size=1, max_size=4
    ),
)
def test_any_bars_make_a_sound_plot(
    tmp_path_factory: pytest.TempPathFactory,
    labels: list[str],
    series: dict[str, list[float | None]],
) -> None:
    cut = {name: values[: len(labels)] for name, values in series.items()}
    figure = finished(
        lambda drawn: bars(drawn, "title", labels, cut, "us"), tmp_path_factory.getbasetemp()
    )
    assert wrong_with(figure) == []


@pytest.mark.parametrize("name", bench.experiments())
def test_each_experiment_declares_a_plot(name: str) -> None:
    """Its main result, the one that run() or what it calls makes first with a title of its own, has one."""
    source = (bench.EXPERIMENTS / name / "experiment.py").read_text(encoding="utf-8")
    results = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Result"
    ]
    plotted = [
        node
        for node in results
        if (len(node.args) > 4 and not isinstance(node.args[4], ast.Constant))
        or any(k.arg == "plot" and not isinstance(k.value, ast.Constant) for k in node.keywords)
    ]
    assert plotted, f"{name} has {len(results)} results and no plot"


@pytest.mark.parametrize("name", bench.experiments())
def test_an_experiment_refuses_each_board_that_it_does_not_mean(name: str) -> None:
    from hocket.boards import BOARDS
    from hocket.commands.bench import bench_command
    from hocket.errors import HocketError

    meant = bench.boards_for(name)
    assert bench.board_meant(name) == (meant[0] if meant else bench.BOARD)
    for board in BOARDS:
        if board.name not in meant:
            with pytest.raises(HocketError, match=f"{name} (runs on|takes no --board)"):
                bench_command([name], only_list=False, seed=1, board=board.name)


def test_calls_counts_instructions_and_so_means_virt_alone() -> None:
    assert bench.boards_for("calls") == ["virt"]
    assert bench.board_meant("calls") == "virt"
