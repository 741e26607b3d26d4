"""What an experiment is written with: found by its folder, its table printed, its results written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.campaign import long_form

import hocket.bench as bench
from hocket.boards import BOARDS
from hocket.commands.bench import bench_command
from hocket.errors import HocketError

EXPERIMENT = '''\
"""Counts to three: nothing more."""

from dataclasses import dataclass

from hocket.bench import Context, Result


@dataclass
class Row:
    name: str
    count: int


def run(context: Context) -> Result:
    rows = [Row("ours", context.seed), Row("theirs", 3)]

    def plot(figure):
        figure.subplots().bar([row.name for row in rows], [row.count for row in rows])

    table = [(row.name, row.count, 2.5, None) for row in rows]
    return Result("counting", ("who", "count", "paper", "none"), table, ["a note"], plot, {"n": 3})
'''


@pytest.fixture
def experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bench" / "counting"
    folder.mkdir(parents=True)
    (folder / "experiment.py").write_text(EXPERIMENT)
    (tmp_path / "bench" / "unfinished").mkdir()
    monkeypatch.setattr(bench, "EXPERIMENTS", tmp_path / "bench")
    monkeypatch.setattr(bench, "RESULTS", tmp_path / "results")
    monkeypatch.chdir(tmp_path)
    return folder


def test_experiments_are_found(experiment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.experiments() == ["counting"]
    assert bench_command([], only_list=True, seed=1) == 0
    assert capsys.readouterr().out.split() == [
        "counting",
        "Counts",
        "to",
        "three:",
        "nothing",
        "more.",
    ]


@long_form
def test_results_are_printed_and_written(
    experiment: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = []
    for _ in range(2):
        assert bench_command(["counting"], only_list=False, seed=2) == 0
        files = sorted((tmp_path / "results").iterdir())
        assert [file.name for file in files] == ["counting.json", "counting.png", "counting.svg"]
        written.append([file.read_bytes() for file in files])
    assert written[0] == written[1], "the same seed, the same bytes"
    assert written[0][1].startswith(b"\x89PNG")
    data = json.loads(written[0][0])
    assert data["rows"] == [["ours", 2, 2.5, None], ["theirs", 3, 2.5, None]]
    assert (data["title"], data["notes"], data["data"]) == ("counting", ["a note"], {"n": 3})
    shown = capsys.readouterr().out
    assert "ours        2    2.5     –" in shown
    assert "- a note" in shown


def test_an_experiment_runs_on_the_boards_that_it_names(
    experiment: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(HocketError, match="counting takes no --board") as caught:
        bench_command(["counting"], only_list=False, seed=1, board="virt")
    assert caught.value.next_step == "leave --board out: hocket bench counting"
    assert bench_command([], only_list=False, seed=1, board="virt") == 0
    assert "left out: counting takes no --board" in capsys.readouterr().err

    named = EXPERIMENT + "\n\nSIZES = {'sim': 1, 'virt': 2}\n"
    named = named.replace('("ours", context.seed)', "(context.place(), SIZES[context.board])")
    (experiment / "experiment.py").write_text(named)
    for board in ("sim", "virt"):
        assert bench_command(["counting"], only_list=False, seed=1, board=board) == 0
    results = tmp_path / "results"
    files = [
        f"counting{board}.{kind}" for board in ("", "-virt") for kind in ("json", "png", "svg")
    ]
    assert sorted(file.name for file in results.iterdir()) == sorted(files)
    rows = [json.loads((results / f).read_text())["rows"][0][:2] for f in (files[0], files[3])]
    assert rows == [["board sim, virtual time", 1], ["board virt, emulated: instructions", 2]]
    with pytest.raises(HocketError, match="counting runs on sim or virt, not on rpi3"):
        bench_command(["counting"], only_list=False, seed=1, board="rpi3")
    with pytest.raises(HocketError, match="there is no board 'vrit'"):
        bench_command(["counting"], only_list=False, seed=1, board="vrit")

    # Without --board each runs on the board that it means: never on one whose figures are something else.
    (experiment / "experiment.py").write_text(named.replace("'sim': 1, ", ""))
    with pytest.raises(HocketError, match="counting runs on virt, not on sim") as caught:
        bench_command(["counting"], only_list=False, seed=1, board="sim")
    assert caught.value.next_step == "leave --board out: hocket bench counting"
    for names in (["counting"], []):
        (results / files[0]).unlink(missing_ok=True)
        assert bench_command(names, only_list=False, seed=1) == 0
        content = json.loads((results / files[0]).read_text())
        assert content["rows"][0][0] == "board virt, emulated: instructions"


def test_linux_is_asked_for_by_name(
    experiment: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(HocketError, match="counting has no Linux side") as caught:
        bench_command(["counting"], only_list=False, seed=1, linux=True)
    assert caught.value.next_step == "leave --linux out"
    assert bench_command([], only_list=False, seed=1, linux=True) == 0
    assert capsys.readouterr().out == ""  # of all experiments those that have one: none

    (experiment / "on_linux.py").write_text("ROW = ('Linux', 4, 2.5, None)\n")
    known = EXPERIMENT.replace(
        "    return Result(",
        "    linux = context.on_linux()\n    if linux:\n        table.append(linux.ROW)\n    return Result(",
    )
    (experiment / "experiment.py").write_text(known + "\n\nSIZES = {'sim': 1, 'virt': 2}\n")
    for linux, name in ((False, "counting"), (True, "counting-linux")):
        assert bench_command(["counting"], only_list=False, seed=1, linux=linux) == 0
        who = [
            row[0] for row in json.loads((tmp_path / f"results/{name}.json").read_text())["rows"]
        ]
        assert who == ["ours", "theirs", *(["Linux"] if linux else [])]
    with pytest.raises(HocketError, match="there is no comparison with Linux on sim"):
        bench_command(["counting"], only_list=False, seed=1, board="sim", linux=True)


def test_unknown_experiments_get_a_suggestion(experiment: Path) -> None:
    with pytest.raises(HocketError, match="there is no experiment 'countin'") as caught:
        bench_command(["countin"], only_list=False, seed=1)
    assert caught.value.next_step == "did you mean counting?"


@pytest.mark.parametrize("name", bench.experiments())
def test_what_an_experiment_runs_on_are_boards(name: str) -> None:
    assert set(bench.boards_for(name)) <= {board.name for board in BOARDS}


def test_a_quick_run_is_never_taken_for_the_full_one(
    experiment: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(HocketError, match="counting has no quick form"):
        bench_command(["counting"], only_list=False, seed=1, quick=True)
    assert bench_command([], only_list=False, seed=1, quick=True) == 0
    assert "left out: counting has no quick form" in capsys.readouterr().err

    fewer = EXPERIMENT.replace("context.seed", "SIZE") + "\n\nSIZE = 900\nQUICK = 7\n"
    (experiment / "experiment.py").write_text(fewer)
    assert bench_command(["counting"], only_list=False, seed=1, quick=True) == 0
    results = tmp_path / "results"
    names = sorted(file.name for file in results.iterdir())
    assert names == [f"counting-quick.{kind}" for kind in ("json", "png", "svg")]
    data = json.loads((results / "counting-quick.json").read_text())
    assert data["rows"][0][1] == 7
    assert data["data"]["quick"] is True
    assert data["title"].startswith("QUICK, fewer points: ")
    assert "QUICK" in data["notes"][0]
    assert "QUICK, fewer points" in capsys.readouterr().out
    assert "QUICK" in (results / "counting-quick.svg").read_text()

    assert bench_command(["counting"], only_list=False, seed=1) == 0
    full = json.loads((results / "counting.json").read_text())
    assert (full["rows"][0][1], "quick" in full["data"]) == (900, False)


def test_the_progress_of_several_experiments_is_told(
    experiment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = experiment.parent / "again"
    other.mkdir()
    (other / "experiment.py").write_text(EXPERIMENT)
    assert bench_command([], only_list=False, seed=1) == 0
    told = capsys.readouterr().err
    assert "experiment again (1 of 2)" in told
    assert "experiment counting (2 of 2)" in told
