"""The main job: the rover of examples/, as the README runs it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.campaign import long_form
from tests.commands import run_hocket

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.report import load_report
from hocket.running.performing import run_image
from hocket.running.request import Request
from hocket.running.scenarios import find_scenario
from hocket.sketch.folder import find_sketch

ROOT = Path(__file__).resolve().parents[2]
ROVER = ROOT / "examples" / "rover"

Report = dict[str, Any]
Broken = Callable[..., list[str]]


def test_the_rover_of_the_first_page(tmp_path: Path, broken: Broken) -> None:
    """Run twice from another folder: status 0, all figures there, every byte the same."""
    kinds = {"--json": "r.json", "--vcd": "r.vcd", "--trace": "t.pftrace"}
    written = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        files = [part for pair in kinds.items() for part in pair]
        done = run_hocket("run", ROVER, "--for", "10s", *files, cwd=folder)
        assert done.returncode == 0, done.stderr
        bytes_written = [(folder / file).read_bytes() for file in kinds.values()]
        written.append((done, bytes_written))
    assert written[0] == written[1]

    report = load_report(tmp_path / "one" / "r.json")
    assert [(loop["id"], loop["budget_us"], loop["period_us"]) for loop in report["loops"]] == [
        (1, 70_000, 100_000),
        (2, 20_000, 100_000),
    ]
    for loop in report["loops"]:
        assert loop["core"] == 0
        assert loop["max_cpu_per_period_us"] > 0
        assert 0 < loop["max_response_us"] <= loop["response_bound_us"] <= loop["deadline_us"]
    assert broken(report) == []
    assert report["admission"]["accepted"]
    assert report["parts"]["wheels"]["max_update_interval_us"] <= 104_000
    assert "wall: back and turn right" in written[0][0].stdout


NOISY = """\
parts:
  wheels:
    type: motors
    left: {forward: 4, backward: 5}
    right: {forward: 6, backward: 7}
    speed: 40 cm/s
    obstacle: 3 m
  sonar: {type: hcsr04, trigger: 11, echo: 2, vehicle: wheels, noise: 2 cm}
"""


@long_form
def test_other_seeds_hold_every_bound(tmp_path: Path, broken: Broken) -> None:
    """A sensor with noise makes each seed another story."""
    board = find_board("sim")
    image = build_sketch(find_sketch(str(ROVER)), board)
    file = tmp_path / "noisy.yaml"
    file.write_text(NOISY)
    scenario = find_scenario(file, image.sketch, board)
    stories = set()
    for seed in range(2, 12):
        request = Request(str(ROVER), cores=1 + seed % 4, seed=seed)
        finished = run_image(image, request, scenario, show_serial=False)
        assert finished.ended.status == 0
        assert broken(finished.report) == [], f"seed {seed}"
        wheels = finished.report["parts"]["wheels"]
        assert wheels["max_update_interval_us"] <= 104_000
        assert not wheels["collided"]
        stories.add(finished.report["parts"]["sonar"]["last_distance_cm"])
    assert len(stories) >= 8
