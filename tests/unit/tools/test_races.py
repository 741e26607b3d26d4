"""Which globals that loops share without a lock are warned about on every board, and which are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hocket.boards import find_board
from hocket.builder.races import races
from hocket.sketch.folder import find_sketch

Maker = Callable[[str, dict[str, str | bytes]], Path]
ROOT = Path(__file__).resolve().parents[3]
TELLS = "void loop(9, 1, 100) { Serial.println(v); }\n"


def warned(sketch: Maker, text: str, board: str = "sim") -> list[str]:
    folder = sketch("s", {"s.ino": text})
    return [race.warning for race in races(find_sketch(str(folder)), find_board(board))]


def loops(one: str, two: str) -> str:
    return f"void setup() {{}}\nvoid loop(1, 5, 20) {{ {one} }}\nvoid loop(2, 5, 20) {{ {two} }}\n"


@pytest.mark.parametrize("board", ["sim", "virt", "uno", "rpi3"])
def test_a_count_of_two_loops_loses_one(sketch: Maker, board: str) -> None:
    (said,) = warned(sketch, f"volatile int v;\n{loops('v++;', 'v++;')}{TELLS}", board)
    assert "s.ino:1: warning: loop 1 and loop 2 change `v` without a lock" in said
    assert "one is lost" in said and "Hold a Spinlock" in said


@pytest.mark.parametrize(
    ("declared", "one", "two"),
    [
        ("byte v;", "v += 2;", "v = 0;"),
        ("unsigned long v;", "v = v + 1;", "--v;"),
        ("int v[3];", "v[1]++;", "v[1] = 3;"),
        ("struct State { int a, b; }; State v;", "v.a++;", "v.a = 0;"),
        ("struct State { int a, b; }; State v;", "v.a++;", "v = State{1, 2};"),
        ("namespace n {\nlong v;\n}", "v |= 4;", "v &= 3;"),
        ("int v;", "bump();", "bump();"),
    ],
)
def test_changes_that_get_lost(sketch: Maker, declared: str, one: str, two: str) -> None:
    text = f"{declared}\nvoid bump() {{ v++; }}\n{loops(one, two)}{TELLS}"
    (said,) = warned(sketch, text)
    assert "one is lost" in said


def test_a_handler_beside_a_loop(sketch: Maker) -> None:
    """A handler may come into the loop's change, but not between noInterrupts() and interrupts()."""
    text = (
        "volatile long v;\nvoid edge() {{ v++; }}\n"
        "void setup() {{ attachInterrupt(digitalPinToInterrupt(2), edge, RISING); }}\n"
        "void loop() {{ {} Serial.println(v); }}\n"
    )
    (said,) = warned(sketch, text.format("v -= 1;"))
    assert "loop() and the handler edge() change `v`" in said
    assert warned(sketch, text.format("noInterrupts(); v -= 1; interrupts();")) == []
    assert warned(sketch, text.format("")) == []


def test_a_mask_stops_other_loops_on_the_uno_alone(sketch: Maker) -> None:
    change = "noInterrupts(); v++; interrupts();"
    text = f"int v;\n{loops(change, change)}{TELLS}"
    assert warned(sketch, text, "uno") == []
    assert len(warned(sketch, text, "sim")) == 1


@pytest.mark.parametrize(
    ("declared", "one", "two"),
    [
        ("String v;", 'v = "a";', "Serial.println(v);"),
        ("String v;", "v.concat('a');", "if (v.length() > 3) delay(1);"),
        ("String v[2];", 'v[0] += "a";', "Serial.println(v[0]);"),
        ("std::vector<int> v;", "v.push_back(1);", "for (int each : v) Serial.println(each);"),
        ("std::string v;", "v.clear();", "Serial.println(v.c_str());"),
        ("std::map<int, std::string> v;", "v[3] = {};", "Serial.println(v.size());"),
    ],
)  # fmt: skip
def test_memory_that_moves_under_a_reader(sketch: Maker, declared: str, one: str, two: str) -> None:
    (said,) = warned(sketch, f"{declared}\n{loops(one, two)}")
    assert "loop 1 and loop 2 use `v` without a lock" in said and "memory may move" in said


def test_a_struct_that_is_read_half_written(sketch: Maker) -> None:
    text = f"struct Pose {{ float x, y; }};\nPose v;\n{loops('v = Pose{1, 2};', 'show(v.x, v.y);')}"
    (said,) = warned(sketch, text)
    assert "s.ino:2: warning: loop 1 writes `v` while loop 2 may read it" in said
    assert "Give it a Channel" in said


@pytest.mark.parametrize(
    ("declared", "one", "two"),
    [
        # Types that are made for it.
        ("std::atomic<int> v;", "v++;", "v++;"),
        ("atomic_int v;", "v++;", "v++;"),
        ("Channel<int> v;", "channelWrite(v, 1);", "channelRead(v);"),
        ("Ringbuf<int, 16> v;", "ringbufWrite(v, 1);", "int x; ringbufRead(v, x);"),
        ("FourSlot<int> v;", "v.write(1);", "v.read();"),
        ("Semaphore v(0);", "v.v();", "v.p();"),
        # A lock around each change.
        ("Spinlock l;\nint v;", "spinlockLock(l); v++; spinlockUnlock(l);", "SpinlockGuard g(l); v++;"),
        ("Spinlock l;\nString v;", "SpinlockGuard g(l); v += 1;", "SpinlockGuard g(l); use(v);"),
        ("Semaphore turn(1);\nint v;", "turn.p(); v++; turn.v();", "turn.p(); v++; turn.v();"),
        # One writer, whatever the others read; flags that are stored and never counted.
        ("int v;", "v++;", "Serial.println(v);"),
        ("volatile bool v;", "v = true;", "if (v) v = false;"),
        # Elements of their own; a member of another object; a local of this name; a constant.
        ("int v[3];", "v[1]++;", "v[2]++;"),
        ("int v[3];", "int i = 1; v[i]++;", "int j = 2; v[j]++;"),
        ("int v;", "v++;", "int v = 3; v++; Serial.println(v);"),
        ("int v;", "v++;", "other.v++; Serial.println(other.v);"),
        ("int v;", "v++;", "for (auto& v : list) v++;"),
        ("const String v = \"a\";", "use(v);", "use(v);"),
        ("struct State { int a, b; }; State v;", "v.a++;", "v.b++;"),
        ("String v[2];", 'v[0] = "a";', 'v[1] = "b";'),
    ],
)  # fmt: skip
@pytest.mark.parametrize("board", ["sim", "uno"])
def test_no_race(sketch: Maker, declared: str, one: str, two: str, board: str) -> None:
    tells = "" if "other" in two or "l;\n" in declared else "void tell() { use(v); }\n"
    assert warned(sketch, f"{declared}\n{tells}{loops(one, two)}", board) == []


def test_what_is_only_kept_busy_is_no_value(sketch: Maker) -> None:
    """Nothing reads it, so nothing is lost."""
    assert warned(sketch, f"volatile long v;\n{loops('v++;', 'v = v * 3 + 1;')}") == []


def test_only_setup_and_one_loop(sketch: Maker) -> None:
    text = (
        "String v;\nint n;\nvoid setup() { v = 1; n++; }\n"
        "void loop() { v += 1; n++; Serial.println(n); }\n"
    )
    assert warned(sketch, text) == []


@pytest.mark.parametrize("board", ["sim", "uno"])
def test_no_example_is_warned_about(board: str) -> None:
    for folder in sorted((ROOT / "examples").iterdir()):
        if not folder.is_dir() or not any(folder.glob("*.ino")):
            continue
        found = races(find_sketch(str(folder)), find_board(board))
        assert [race.warning for race in found] == []
