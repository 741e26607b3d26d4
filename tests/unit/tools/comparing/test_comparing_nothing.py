"""`hocket compare` where a board runs none of the sets, as they are refused."""

from __future__ import annotations

import pytest
from tests.unit.tools.webreport.conftest import Page, report_of

from hocket.comparing.page import make_comparison
from hocket.comparing.performing import Compared
from hocket.comparing.telling import LEGEND, print_comparison


def test_of_refused_sets_that_did_not_run_the_reasons_are_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    admission = {"accepted": False, "reasons": ["loop 1 asks for too much"], "cores": []}
    report = report_of(end="refused", board="virt", admission=admission, faults=[])
    compared = [Compared(policy, report, None, {}, []) for policy in ("vcpu", "edf")]
    print_comparison(compared)
    said = capsys.readouterr().out
    told = "refused, and this board runs no refused loops. loop 1 asks for too much"
    assert f"vcpu: {told}" in said and f"edf: {told}" in said
    assert "refused, not run !" in said and LEGEND not in said
    page = Page(make_comparison(compared, ["hocket", "compare", "x"]))
    page.check_harmless()
    assert page.text.count(told) == 2 and page.scripts == []
