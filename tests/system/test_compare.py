"""`hocket compare`: one sketch under several policies, on one page and as text."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.campaign import long_form
from tests.commands import Done, run_hocket
from tests.sketches import kept
from tests.system.test_pages import drawn_by_chromium
from tests.unit.tools.webreport.conftest import Page

# 98 % of a core: by fixed priorities the third one is late, by deadlines none is, by turns the first one.
LECTURE = """\
volatile unsigned long sink;
void work(unsigned long turns) { for (unsigned long i = 0; i < turns; ++i) sink = i; }
void setup() {}
void periodic(1, 4, 15, priority(0)) { work(97000); }
void periodic(2, 15, 45, priority(0)) { work(365000); }
void periodic(3, 30, 80, priority(0)) { work(735000); }
"""


def compared(folder: Path, *words: str) -> Done:
    return run_hocket("compare", kept("lecture", LECTURE), "--for", "1s", *words, cwd=folder)


def test_the_picture_of_a_lecture(tmp_path: Path) -> None:
    done = compared(tmp_path, "--html", "page.html", "--json", "all.json")
    assert done.returncode == 0, done.stderr
    reports = json.loads((tmp_path / "all.json").read_text())
    assert list(reports) == ["vcpu", "edf", "mlq"]
    misses = {
        policy: [loop["deadline_misses"] for loop in report["loops"]]
        for policy, report in reports.items()
    }
    assert misses["vcpu"][:2] == [0, 0] and misses["vcpu"][2] > 0
    assert misses["edf"] == [0, 0, 0]
    assert misses["mlq"][0] > 0 and misses["mlq"][1:] == [0, 0]
    assert reports["vcpu"]["guaranteed"] is False and "guaranteed" not in reports["edf"]

    assert re.search(r"^vcpu +refused, ran anyway ! +\d+ ! ", done.stdout, re.MULTILINE)
    assert re.search(r"^edf +guaranteed +0 ", done.stdout, re.MULTILINE)
    assert re.search(r"^mlq +not guaranteed +\d+ ! ", done.stdout, re.MULTILINE)
    late = sum(misses["vcpu"])
    assert re.search(rf"^vcpu +3 periodic +30/80 ms .* {late} !$", done.stdout, re.MULTILINE)
    assert "vcpu: NOT GUARANTEED: admission control refuses these loops" in done.stdout

    # One above the other: a row of each loop for each policy, as wide as all others; misses are marked.
    pictures = re.findall(r"^  periodic (\d).*\|(.*)\|$", done.stdout, re.MULTILINE)
    assert [loop for loop, _ in pictures] == ["1", "2", "3"] * 3
    assert {len(text) for _, text in pictures} == {64}
    assert ["!" in text for _, text in pictures] == [
        *[False, False, True],
        *[False] * 3,
        *[True, False, False],
    ]
    assert all("#" in text for _, text in pictures)

    page = Page((tmp_path / "page.html").read_text("utf-8"))
    page.check_harmless()
    assert page.text.count("NOT GUARANTEED") == 1 and "vcpu: not guaranteed" in page.text
    plots = json.loads(next(text for kind, text in page.scripts if kind.get("id") == "plots"))
    assert sorted(plots["places"].values()) == ["policy-edf", "policy-mlq", "policy-vcpu"]
    (document,) = plots["documents"].values()
    axes = [root["attributes"]["x_range"] for root in document["roots"]]
    assert len({axis["id"] for axis in axes}) == 1, "one axis of time"
    text = json.dumps(document)
    assert text.count('"misses"') == 2, "of vcpu and of mlq, and not of edf"


@long_form
def test_a_browser_draws_the_page(tmp_path: Path) -> None:
    assert compared(tmp_path, "--html", "page.html").returncode == 0
    document, complaints = drawn_by_chromium(tmp_path / "page.html", tmp_path / "profile")
    assert complaints == "" and 'data-drawn="yes"' in document


def test_what_cannot_be_compared(tmp_path: Path) -> None:
    done = compared(tmp_path, "--policy", "vcpu", "--policy", "rr")
    assert done.returncode == 2 and done.stderr.startswith("hocket: there is no policy 'rr'")
    done = compared(tmp_path, "--policy", "edf", "--policy", "edf")
    assert done.returncode == 2 and "--policy edf is written twice" in done.stderr
    done = compared(tmp_path, "--policy", "edf", "--board", "rpi3")
    assert done.returncode == 2 and "the board rpi3 has no policy edf" in done.stderr
