"""E12 on Linux: answers are judged by the pins; ours and each of Linux's ways answer, and runs repeat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from tests.campaign import long_form

from hocket.bench import Context
from hocket.errors import HocketError
from hocket.linux.build import Wish, build
from hocket.linux.pins import Edge, Pins

Load = Callable[..., tuple[ModuleType, Context]]
FEW = 20


@pytest.fixture(scope="module")
def linux_way(load: Load) -> Callable[[str, str, bool, int], Any]:
    """linux_way(kernel, file, loaded, edges): the case."""
    module, _ = load("response-linux", "virt")

    def measure(word: str, file: str, loaded: bool, count: int) -> Any:
        (way,) = (way for way in module.WAYS if way.file == file)
        linux = build(Wish(word, module.MEMORY))
        with_load = module.STRESS if loaded else module.IDLE
        return module.on_linux(linux, way, with_load, module.edges_of(count, 1))

    return measure


@pytest.mark.parametrize(
    ("rises", "answered", "late", "lost"),
    [
        ([100, 200, 300], [105, 209, 300], (5, 9, 0), 0),
        ([100, 200, 300], [50, 105, 107, 310], (5, 10), 1),  # of two answers the first
        ([100, 200], [205], (5,), 1),  # an answer belongs to the edge before it
        ([100], [99], (), 1),
        ([], [5], (), 0),
    ],
)
def test_answers_are_judged_by_the_pins(
    load: Load, rises: Sequence[int], answered: Sequence[int], late: tuple[int, ...], lost: int
) -> None:
    module, _ = load("response-linux", "virt")
    assert module.answers(rises, answered) == (late, lost)


def test_edges_are_the_seeds_and_apart(load: Load) -> None:
    module, _ = load("response-linux", "virt")
    edges = module.edges_of(100, 1)
    assert edges == module.edges_of(100, 1) != module.edges_of(100, 2)
    for (begin, end), (after, _) in pairwise(edges):
        assert begin + 1_500_000 <= end <= after - 1_500_000


def test_the_published_rows_are_read(load: Load) -> None:
    module, _ = load("response-linux", "virt")
    published = module.read_published()
    for name in module.PUBLISHED:
        series = published[name]
        assert series["least_us"] <= module.median_us(series) <= series["most_us"]
    assert module.median_us({"counts": [1, 5, 1], "count": 7, "first": 10, "bin_us": 2}) == 23


def test_a_case_without_an_answer_has_a_row(load: Load) -> None:
    module, _ = load("response-linux", "virt")
    assert module.Case("a", "b", "c", (), 3).row() == ["a", "b", "c", 3, None, None, None]
    assert module.Case("a", "b", "c", (5, 1, 9), 0).row()[4:] == [1, 5, 9]


def test_the_picture_has_all_cases(load: Load) -> None:
    from matplotlib.figure import Figure

    module, _ = load("response-linux", "virt")
    cases = [
        module.Case("Linux", "kernel module", "idle", (5, 7), 0),
        module.Case("Linux", "kernel module", "stress-ng", (9, 8), 12),
        module.Case("PREEMPT_RT", "sysfs, C", "idle", (), 20),
    ]
    figure = Figure()
    module.draw(figure, cases, module.read_published())
    above, histograms, below, published = figure.axes
    assert len(histograms.get_yticklabels()) == 1  # idle, and answered
    assert len(published.patches) == len(module.PUBLISHED)
    assert [label.get_text() for label in above.get_yticklabels()] == ["kernel module", "sysfs, C"]
    assert [text.get_text().strip() for text in above.texts] == ["12 lost", "20 lost"]
    drawn = (np.asarray(line.get_xdata()).tolist() for line in below.lines)
    ranges = [each for each in drawn if len(each) == 2]
    assert len(ranges) == len(module.PUBLISHED) and ranges[0] == [6.0367, 43.7788]


@long_form
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("direct", 350),
        pytest.param("virtual-cpu", 800, marks=long_form),
        pytest.param("woken-loop", 1_300, marks=long_form),
    ],
)
def test_ours_answers_as_soon_beside_other_loops(load: Load, name: str, most: int) -> None:
    module, context = load("response-linux", "virt")
    edges = module.edges_of(FEW, 1)
    idle, loaded = (module.ours(context, name, busy, edges) for busy in (False, True))
    assert (idle.lost, len(idle.late), loaded.lost, len(loaded.late)) == (0, FEW, 0, FEW)
    assert max(idle.late) <= most
    # Beside loops an edge may meet the kernel while that has masked interrupts: 1,800 at most.
    assert max(loaded.late) <= most + 1_800


@long_form
def test_a_loop_that_polls_answers_within_its_period(load: Load) -> None:
    module, context = load("response-linux", "virt")
    case = module.ours(context, "polling-loop", True, module.edges_of(FEW, 1))
    assert case.lost == 0 and max(case.late) <= 1_000_000
    assert min(case.late) < 200
    assert module.ours(context, "polling-loop", True, module.edges_of(FEW, 1)) == case


@long_form
def test_a_program_on_linux_answers(linux_way: Callable[[str, str, bool, int], Any]) -> None:
    case = linux_way("linux", "character_device.c", False, FEW)
    assert (case.lost, len(case.late)) == (0, FEW)
    assert 5_000 < min(case.late) <= max(case.late) < 100_000


@long_form
def test_a_way_that_cannot_run_is_named(load: Load) -> None:
    """A kernel that is not asked to gives nobody the registers of a device that has a driver."""
    module, _ = load("response-linux", "virt")
    (way,) = (way for way in module.WAYS if way.file == "registers.c")
    linux = build(Wish("linux", module.MEMORY))
    with pytest.raises(HocketError, match="«registers, polling, C» does not run on linux") as said:
        module.on_linux(linux, replace(way, memory=False), module.IDLE, module.edges_of(2, 1))
    assert "iomem=relaxed for it): Operation not permitted" in said.value.cause
    assert "ended with status 1" in said.value.cause


@long_form
@pytest.mark.parametrize("loaded", [False, True])
@pytest.mark.parametrize("word", ["linux", "linux-rt"])
@pytest.mark.parametrize(
    ("file", "least", "most"),
    [
        ("module", 500, 10_000),
        ("sysfs.c", 20_000, 80_000),
        ("sysfs.py", 10_000, 50_000),
        ("libgpiod.py", 10_000, 50_000),
        ("registers.c", 3, 20),
        ("registers.py", 1_000, 4_000),
    ],
)
def test_each_way_answers(
    linux_way: Callable[[str, str, bool, int], Any],
    word: str, file: str, least: int, most: int, loaded: bool,
) -> None:  # fmt: skip
    case = linux_way(word, file, loaded, FEW)
    assert len(case.late) + case.lost == FEW
    middle = sorted(case.late)[len(case.late) // 2]
    assert least <= middle <= most
    # What looks without a pause is not looking while others have the core.
    polls_beside_others = file.startswith("registers") and loaded and word == "linux"
    assert case.lost == 0 or polls_beside_others


@long_form
@pytest.mark.parametrize(
    ("word", "file"), [("linux", "module"), ("linux-rt", "sysfs.py"), ("linux", "registers.py")]
)
def test_two_runs_under_load_are_equal_to_the_byte(
    load: Load, word: str, file: str, tmp_path: Path
) -> None:
    module, _ = load("response-linux", "virt")
    (way,) = (way for way in module.WAYS if way.file == file)
    linux = build(Wish(word, module.MEMORY))
    edges = module.edges_of(FEW, 1)
    last = Edge(edges[-1][1] + 5_000_000, module.END, 1)
    seen = []
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        pins = Pins(folder, [*module.at_line(edges, module.IN), last], module.OUT)
        said = module.run_way(linux, way, module.STRESS, pins)
        seen.append((said, (folder / "pins.vcd").read_bytes()))
        assert pins.started()
    assert seen[0] == seen[1]
