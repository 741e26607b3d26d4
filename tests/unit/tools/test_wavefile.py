"""Signals are read from wave files as the boards write them."""

from __future__ import annotations

from pathlib import Path

from hocket.trace.wavefile import read_signals

WAVES = """\
$version Hocket sim $end
$timescale 1 ns $end
$scope module board $end
$var wire 1 ! D2 $end
$var wire 1 " D13 $end
$var wire 1 #! A0 $end
$upscope $end
$scope module lamp $end
$var wire 1 " lamp_pin $end
$var real 64 $ lamp_volts $end
$upscope $end
$scope module pong $end
$scope module board $end
$var wire 1 % pong_D2 $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
0!
z"
x#!
r0 $
1%
$end
#5
1!
r2.5 $
#17
0!
1"
0%
#20
"""


def test_changes_of_the_signals_that_are_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "pins.vcd"
    file.write_text(WAVES)
    assert read_signals(file, {"lamp.volts", "lamp_volts", "board.D2"}) == {
        "lamp.volts": [(0, "0"), (5, "2.5")]
    }
    assert read_signals(file, {"D2", "D13", "A0", "D9"}) == {
        "D2": [(0, "0"), (5, "1"), (17, "0")],
        "D13": [(0, "z"), (17, "1")],
        "A0": [(0, "x")],
    }
    assert read_signals(file, set()) == {}
