"""What `hocket sweep` says of its runs, in the terminal and on its page."""

from __future__ import annotations

from pathlib import Path

from tests.unit.tools.webreport.conftest import Page

from hocket.campaign.pages import write_sweep
from hocket.campaign.performing import OK, REFUSED, Outcome
from hocket.campaign.sampling import Planned
from hocket.campaign.telling import summary
from hocket.running.request import Request

REQUEST = Request("works")
SHARE = "loop 1 response of bound"


def runs(*shares: float) -> list[Outcome]:
    ran = [Outcome(Planned(n), OK, (), {SHARE: share}) for n, share in enumerate(shares, 1)]
    return [*ran, Outcome(Planned(9), REFUSED, ("no room",), {})]


def test_one_refused_run_was_refused() -> None:
    said = summary("works", REQUEST, runs(0.5, 0.6), 3)
    assert "seed 9: was refused" in said
    assert said[0].endswith("2 ok, 1 was refused")


def test_a_share_above_the_bound_is_explained() -> None:
    above = "response of bound above 100 % (loop 1): the bound is for C of work"
    assert any(line.startswith(above) for line in summary("works", REQUEST, runs(0.5, 4.61), 3))
    assert above not in "\n".join(summary("works", REQUEST, runs(0.5, 1.0), 3))


def test_the_page_has_percent_and_the_commands_that_repeat_runs(tmp_path: Path) -> None:
    outcomes, file = runs(0.5, 4.61), tmp_path / "sweep.html"
    lines = summary("works", REQUEST, outcomes, 3)
    write_sweep("works", ["hocket"], lines, outcomes, REQUEST, file)
    page = Page(file.read_text(encoding="utf-8"))
    assert "run works --board sim --seed 9" in page.text
    assert "above 100 % (loop 1)" in page.text
    figures = next(made for kind, made in page.scripts if kind.get("type") == "application/json")
    assert '"axis_label": "%"' in figures
