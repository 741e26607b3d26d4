"""Every deadline that has passed is counted, whether its call has ended or not, on every board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.campaign import except_virt, one_in

Report = dict[str, Any]
Run = Callable[..., tuple[int, str, Report]]

BOARDS = pytest.mark.parametrize("board", except_virt(["sim", "virt"]))


def loop_of(report: Report, number: int) -> Report:
    (found,) = (loop for loop in report["loops"] if loop["id"] == number)
    return dict(found)


ENDLESS = """
void setup() {}
void periodic(1, 10, 100) { for (;;) {} }
void periodic(2, 10, 100) { static bool begun; if (!begun) { begun = true; for (;;) {} } }
void loop(3, 10, 100) { for (;;) {} }
"""


@one_in(2)
@pytest.mark.parametrize(("board", "deadlines"), [("sim", 50), ("virt", 10)])
def test_a_call_that_never_ends_misses_all_its_deadlines(
    run: Run, board: str, deadlines: int
) -> None:
    """Half a period more, from the first release, which is some milliseconds after reset."""
    status, _, report = run("missed-endless", 0.1 * deadlines + 0.05, ENDLESS, board=board)
    assert status == 0
    for number in (1, 2):
        loop = loop_of(report, number)
        assert (loop["iterations"], loop["releases"]) == (0, deadlines + 1)
        assert loop["deadline_misses"] == deadlines
        lasted = 100_000 * deadlines
        assert lasted <= loop["max_response_us"] <= lasted + 50_000
    assert loop_of(report, 3)["deadline_misses"] == 0  # it has had its budget each time


LATE_ONCE = """
unsigned calls;
void setup() { Serial.begin(115200); }
void periodic(1, 1, 10) {
  if (++calls == 1) delay(@);
  else if (calls == 2) { Serial.print(millis() - @); Serial.print(' '); }
}
"""


@BOARDS
def test_missed_releases_are_counted_once(run: Run, board: str) -> None:
    """A call of 1005 ms: it misses its own deadline and skips 100 releases; the others are on time."""
    status, said, report = run("missed-once", 1.995, LATE_ONCE.replace("@", "1005"), board=board)
    assert status == 0 and int(said) <= 8  # at 1010 ms from its release
    loop = loop_of(report, 1)
    assert loop["releases"] == 200
    assert loop["deadline_misses"] == 101
    assert 1_005_000 <= loop["max_response_us"] <= 1_006_000


def test_catching_up_takes_no_time(run: Run) -> None:
    """An hour of missed releases of 1 ms used to take 1.5 s of a core to count."""
    text = LATE_ONCE.replace("1, 1, 10)", "1, 100us, 1ms)").replace("@", "3600000")
    status, said, report = run("missed-hour", 3600.1, text)
    assert status == 0 and int(said) <= 4
    assert 3_599_995 <= loop_of(report, 1)["deadline_misses"] <= 3_600_005
