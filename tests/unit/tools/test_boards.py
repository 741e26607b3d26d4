"""A board's description: the build and the command line read the same file, and refuse the same mistakes."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hocket.boards import (
    BOARDS,
    BOARDS_FOLDER,
    NAMES,
    boards_with,
    find_board,
    found_boards,
    known_keys,
    read_board,
)
from hocket.boards_page import PAGE, page_with
from hocket.builder.policies import check_policy
from hocket.errors import HocketError
from hocket.paths import ROOT

MISTAKES = {
    "coloured = true": "the key coloured is unknown",
    "most_core = 4": "the key most_core is unknown",
    "[more]": "this line is not `key = value`",
    "most_cores = -4": "this line is not `key = value`",
}


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BOARDS_FOLDER, tmp_path / "boards"))


def read_by_cmake(boards: Path, name: str) -> subprocess.CompletedProcess[str]:
    keys = " ".join(known_keys(boards))
    script = boards.parent / "read.cmake"
    script.write_text(
        f"""\
cmake_minimum_required(VERSION 3.22)
set(PROJECT_SOURCE_DIR {boards.parent})
include({boards}/read.cmake)
read_board({name})
foreach(key {keys})
  message("${{key}} [${{board_${{key}}}}]")
endforeach()
"""
    )
    return subprocess.run(["cmake", "-P", str(script)], capture_output=True, text=True, check=False)


def test_every_board_is_known() -> None:
    assert {file.parent.name for file in BOARDS_FOLDER.glob("*/board.toml")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_cmake_reads_what_toml_says(boards: Path, name: str) -> None:
    described = tomllib.loads("\n".join(lines_of(name, boards)))
    done = read_by_cmake(boards, name)
    assert done.returncode == 0, done.stderr
    read = dict(re.findall(r"^(\w+) \[(.*)\]$", done.stderr, re.MULTILINE))
    for key in known_keys(boards):
        value = described.get(key, "")
        if isinstance(value, int) and not isinstance(value, bool):
            assert int(read[key], 0) == value
        else:
            assert read[key].lower() == str(value).lower()


@pytest.mark.parametrize("line", MISTAKES)
def test_both_refuse_a_mistake_with_file_and_line(boards: Path, line: str) -> None:
    file = boards / "virt" / "board.toml"
    file.write_text(f"# A comment.\n\n{line}\n{file.read_text()}")
    with pytest.raises(HocketError, match=MISTAKES[line]) as raised:
        read_board(boards, "virt")
    assert raised.value.file == str(file)
    assert raised.value.line == 3
    done = read_by_cmake(boards, "virt")
    assert done.returncode != 0
    said = " ".join(done.stderr.split())
    assert "boards/virt/board.toml:3: " in said
    assert MISTAKES[line].removeprefix("this line ") in said


def test_a_value_of_another_kind_is_refused(boards: Path) -> None:
    file = boards / "uno" / "board.toml"
    file.write_text(f'most_cores = "1"\n{file.read_text()}')
    with pytest.raises(HocketError, match="the key most_cores is not a number"):
        read_board(boards, "uno")


def test_what_a_board_can_do_is_asked_by_key() -> None:
    assert boards_with("watched") == ("sim", "uno", "nano", "mega")
    assert boards_with("settable_budgets") == ("sim",)
    assert boards_with("debugger") == ("sim", "virt", "uno", "nano", "mega")
    assert {board.launcher for board in BOARDS} == {"itself", "qemu", "avr-simulator"}


# Files that name a board although another one may come, each with the reason.
NAMES_A_BOARD = {
    "arduino/hocket/Fifo.h": "an error of the compiler, which knows no board's description",
    "arduino/hocket/TimeBase.h": "an error of the compiler, which knows no board's description",
    "tools/hocket/linux/beside.py": "words of QEMU: its machine virt",
    "tools/hocket/linux/guest.py": "words of QEMU: its machine virt",
    "packaging/debian/build.py": "a group of packages",
    "tools/hocket/avrdude.py": "a family of processors",
}
CODE = (
    "arduino",
    "kernel",
    "packaging",
    "ports",
    "simulation",
    "tools/hocket",
    "tools/lab-page/src",
)
ALONE = ("CMakeLists.txt", "CMakePresets.json", "boards/read.cmake", "hocket")


def _names_of_boards(file: Path) -> list[str]:
    """Returns the places where the code names a board other than the default: in Python a whole word of a
    text that is no documentation, elsewhere a text that is a board's name."""
    text = file.read_text(encoding="utf-8", errors="replace")
    names = "|".join(NAMES[1:])
    if file.suffix == ".py":
        tree = ast.parse(text)
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        about = [n.body[0] for n in ast.walk(tree) if isinstance(n, documented) and n.body]
        skipped = {
            n.value for n in about if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)
        }
        texts = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and n not in skipped]
        word = re.compile(rf"(?<![\w:/-])({names})(?![\w:/-])")
        return [str(n.value) for n in texts if isinstance(n.value, str) and word.search(n.value)]
    code = re.sub(r"//.*|^\s*#.*| # .*", "", text, flags=re.M)
    if file.name in ("hocket", "CMakeLists.txt", "CMakePresets.json"):
        return re.findall(rf"(?<![\w/:.-])(?:{names})(?![\w/:.-])", code)
    return re.findall(rf"""["'](?:{names})["']|--board (?:{names})\b""", code)


def test_no_other_file_names_a_board() -> None:
    """A further board is a folder: nothing is compared with a board's name, nor looked up by it."""
    files = [ROOT / name for name in ALONE]
    suffixes = (".py", ".cpp", ".h", ".cmake", ".txt", ".ts", ".sh", ".json", "")
    for folder in CODE:
        files += [f for f in (ROOT / folder).rglob("*") if f.is_file() and f.suffix in suffixes]
    kept_out = ("__pycache__", "node_modules")
    found = {
        str(file.relative_to(ROOT)): places
        for file in files
        if not any(part in kept_out for part in file.parts) and (places := _names_of_boards(file))
    }
    assert {name: found[name] for name in found.keys() - NAMES_A_BOARD.keys()} == {}
    assert found.keys() >= NAMES_A_BOARD.keys(), "a reason without a place"


def test_the_pages_table_is_that_of_the_descriptions() -> None:
    """Write it anew by `python -m hocket.boards_page`."""
    text = PAGE.read_text(encoding="utf-8")
    own = [board for board in BOARDS if board.folder.parent == BOARDS_FOLDER]
    assert page_with(text, own) == text
    assert all(f"| `{board.name}` | {board.full_name} |" in text for board in own)


def test_the_list_of_keys_explains_each() -> None:
    assert len(known_keys()) > 40
    assert [name for name, key in known_keys().items() if len(key.about) < 4] == []


# --- Any description ---


def lines_of(name: str, boards: Path = BOARDS_FOLDER) -> list[str]:
    """Returns a description with what its chip's says, as one that stands alone."""
    lines = (boards / name / "board.toml").read_text(encoding="utf-8").splitlines()
    chip = next((m[1] for line in lines if (m := re.match(r'chip = "(\w+)"', line))), None)
    if chip is None:
        return lines
    return [*lines, *(boards / "chips" / f"{chip}.toml").read_text(encoding="utf-8").splitlines()]


# Values, with blanks between them, which none of them has.
TRIED = [
    "1",
    "-1",
    "true",
    "false",
    '"x"',
    '"3,5"',
    '"host"',
    '"avr8"',
    "0x10",
    "1e3",
    "[1]",
    "{}",
    "1_000",
    "00",
    "1979-05-27",
    "'x'",
    '"\\n"',
    "1_",
    "0x",
    '"7:8"',
    "99999999999999999999",
    '"é"',
    "'''",
]
VALUES = st.sampled_from(["", '""', '"3, 5"', '"5 to 3"', '"0 to 999"', *TRIED])


@st.composite
def descriptions(draw: st.DrawFn) -> str:
    """A board's description with a few lines removed, doubled, changed or added."""
    lines = lines_of(draw(st.sampled_from(["sim", "virt", "uno", "rpi3"])))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        key = lines[at].partition(" = ")[0]
        change = draw(st.sampled_from(["remove", "double", "value", "key", "text", "bracket"]))
        lines[at : at + 1] = {
            "remove": [],
            "double": [lines[at], lines[at]],
            "value": [f"{key} = {draw(VALUES)}"],
            "key": [
                f"{draw(st.sampled_from([*known_keys(), 'colour', 'Pins', 'a-b']))} = {draw(VALUES)}"
            ],
            "text": [lines[at], draw(st.text(max_size=12))],
            "bracket": ["[table]", lines[at]],
        }[change] or [""]
    return "\n".join(lines) + "\n"


@given(descriptions())
@settings(max_examples=int(os.environ.get("HOCKET_LONG") == "1") * 1900 + 100, deadline=None)
def test_whatever_is_in_a_description(text: str) -> None:
    """It is a board that can be used, or an error with file, line and a next step."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "mine" / "board.toml"
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8", newline="\n")
        try:
            board = read_board(Path(folder), "mine")
        except HocketError as error:
            lines = len(text.split("\n"))
            assert error.file == str(file)
            assert error.line is not None and 1 <= error.line <= lines
            assert error.next_step and "mine" in error.fact
            return
    assert 0 <= board.led_pin < board.pins + board.analog_inputs
    assert max(board.pwm_pins | board.busy_pins) < board.pins + board.analog_inputs
    assert board.processor in ("host", "aarch64", "avr8")
    tomllib.loads(text)


@pytest.mark.parametrize(
    ("name", "key", "value", "said"),
    [
        ("uno", "f_cpu", "8_000_000", "f_cpu is 16000000: "),
        ("uno", "chip", '"atmega32"', "chip is atmega328p or atmega2560: "),
        ("uno", "main_stack_bytes", "0", "main_stack_bytes is at least 176: "),
        ("mega", "least_stack_bytes", "100", "least_stack_bytes is at least "),
        ("uno", "ram_bytes", "4_096", "ram_bytes is at most 2048"),
        ("uno", "flash_bytes", "0", "flash_bytes is at most 32768, and not 0"),
        ("uno", "most_cores", "2", "most_cores is 1: "),
        ("uno", "byte_at_a_time", "false", "byte_at_a_time is true for the processor avr8"),
        ("uno", "architecture", '"samd"', 'architecture is "avr" for the processor avr8'),
        ("uno", "launcher", '"qemu"', "launcher is avr-simulator for the processor avr8"),
        ("uno", "arduino_name", '"AVR UNO"', "arduino_name is not a part of a macro's name"),
        ("uno", "boot_rates", '"0"', "boot_rates names 0: "),
        ("uno", "usb_ids", '"2341-0043"', "usb_ids is not written as "),
        ("nano", "analog_only_pins", '"13"', "analog_only_pins names a digital pin"),
        ("nano", "analog_only_pins", '"22"', "analog_only_pins names a pin that the board does not"),
        ("nano", "led_pin", "20", "led_pin is a pin of analog_only_pins"),
        ("nano", "pwm_pins", '"3, 21"', "pwm_pins names a pin of analog_only_pins"),
        ("virt", "ram_size", "1_000", "ram_size is whole MiB"),
        ("virt", "load_address", "0", "load_address is not in the RAM"),
        ("virt", "qemu", '"-M virt -m {ram}"', "qemu has {ram}: only "),
    ],
)  # fmt: skip
def test_values_that_no_board_can_have(
    tmp_path: Path, name: str, key: str, value: str, said: str
) -> None:
    lines = [f"{key} = {value}" if re.match(rf"{key} =", line) else line for line in lines_of(name)]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "board.toml").write_text("\n".join(lines))
    with pytest.raises(HocketError, match=re.escape(said)) as raised:
        read_board(tmp_path, "mine")
    assert raised.value.line == lines.index(f"{key} = {value}") + 1


def chip_of(name: str) -> str:
    """Returns the description of the board's chip."""
    return (BOARDS_FOLDER / "chips" / f"{find_board(name).chip}.toml").read_text(encoding="utf-8")


def test_a_board_of_a_known_chip_repeats_nothing() -> None:
    for name in NAMES:
        own = tomllib.loads((BOARDS_FOLDER / name / "board.toml").read_text(encoding="utf-8"))
        if find_board(name).chip:
            assert not own.keys() & tomllib.loads(chip_of(name)).keys()


def test_each_missing_key_is_named() -> None:
    for name in NAMES:
        lines = lines_of(name)
        for key, known in known_keys().items():
            if known.needed_by not in ("every", find_board(name).processor):
                continue
            if find_board(name).chip and key in tomllib.loads(chip_of(name)):
                continue
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "mine").mkdir()
                text = "\n".join(line for line in lines if not line.startswith(f"{key} = "))
                (Path(folder) / "mine" / "board.toml").write_text(text)
                if key == "processor":  # then it is not known what else is missing
                    continue
                with pytest.raises(HocketError, match=f"it lacks the key {key}(\n|$)") as raised:
                    read_board(Path(folder), "mine")
            assert raised.value.line is not None


@pytest.mark.parametrize("name", ["host", "Mine", "my-board", "1st"])
def test_names_that_no_board_can_have(tmp_path: Path, name: str) -> None:
    shutil.copytree(BOARDS_FOLDER / "uno", tmp_path / name)
    with pytest.raises(HocketError, match="a board cannot have the name"):
        read_board(tmp_path, name)


def test_two_boards_of_one_name(tmp_path: Path) -> None:
    shutil.copytree(BOARDS_FOLDER / "uno", tmp_path / "uno")
    with pytest.raises(HocketError, match="there are two boards uno") as raised:
        found_boards([BOARDS_FOLDER, tmp_path])
    assert raised.value.file == str(tmp_path / "uno" / "board.toml")


@pytest.mark.parametrize(
    ("key", "value"),
    [("chip", '"atmega4809"'), ("processor", '"pdp11"'), ("packages", '"none"'), ("led_pin", "77")],
)
def test_a_command_tells_what_is_wrong_with_an_own_board(
    tmp_path: Path, key: str, value: str
) -> None:
    """Boards are read while the program starts: a message can need only what is there by then."""
    shutil.copytree(BOARDS_FOLDER / "uno", tmp_path / "mine")
    lines = [
        f"{key} = {value}" if re.match(rf"{key} =", line) else line for line in lines_of("uno")
    ]
    (tmp_path / "mine" / "board.toml").write_text("\n".join(lines))
    done = subprocess.run(
        [sys.executable, "-m", "hocket", "boards"],
        env=os.environ | {"HOCKET_BOARDS": str(tmp_path), "PYTHONPATH": str(ROOT / "tools")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    line = lines.index(f"{key} = {value}") + 1
    assert f"board.toml:{line}: " in done.stderr
    assert key in done.stderr
    assert "  next:  " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_copy_comes_behind_its_original(tmp_path: Path) -> None:
    """The first board is the default, and the first with an AVR is the one that `hocket wcet` takes."""
    for board in BOARDS:
        copy = tmp_path / f"a_{board.name}"
        shutil.copytree(board.folder, copy)
    names = [board.name for board in found_boards([BOARDS_FOLDER, tmp_path])]
    for board in BOARDS:
        assert names.index(board.name) < names.index(f"a_{board.name}")
    assert [name for name in names if not name.startswith("a_")] == [each.name for each in BOARDS]


def test_pins_are_those_of_the_header() -> None:
    """What board.toml says of pins, sketches see: the header agrees."""
    for board in BOARDS:
        chip = f"-I{ROOT}/arduino/variants/{board.chip}" if board.chip else ""
        words = [
            "-E",
            "-x",
            "c++",
            "-",
            "-dM",
            f"-I{board.folder}/variant",
            f"-I{ROOT}",
            f"-I{ROOT}/arduino",
        ]
        target = (
            ["--target=avr", f"-mmcu={board.chip}", "-isystem/usr/lib/avr/include"] if chip else []
        )
        common = f"-I{ROOT}/arduino/variants/{board.processor}"
        flags = [f"-DHOCKET_LED_PIN={board.led_pin}", *([chip, common] if chip else [])]
        uses = "".join(f"pwm{pin} digitalPinHasPWM({pin})\n" for pin in range(board.pins))
        source = (
            f'#include "pins_arduino.h"\nvalues\nled LED_BUILTIN\nanalog NUM_ANALOG_INPUTS\n{uses}'
        )
        done = subprocess.run(
            ["clang++-19", *target, *flags, *[w for w in words if w != "-dM"]],
            input=source, capture_output=True, text=True, check=False,
        )  # fmt: skip
        told = dict(
            line.split(" ", 1)
            for line in done.stdout.partition("\nvalues\n")[2].splitlines()
            if " " in line
        )
        assert told["led"] == str(board.led_pin), done.stderr
        assert told["analog"] == str(board.analog_inputs)
        has = {pin for pin in range(board.pins) if _true(told[f"pwm{pin}"])}
        assert has == board.pwm_pins | board.clock_pwm_pins


def _true(condition: str) -> bool:
    """The value of a condition of C that compares numbers."""
    python = condition.replace("||", " or ").replace("&&", " and ")
    assert re.fullmatch(r"[\d\s()=<>&|andor]+", python)
    return bool(eval(python))


@pytest.mark.parametrize(
    ("policy", "next_step"),
    [
        ("EDF", "did you mean --policy edf?"),
        ("rm", "rate monotonic is vcpu: use --policy vcpu"),
        ("RMS", "rate monotonic is vcpu: use --policy vcpu"),
        ("vcpu,edf", "repeat --policy: hocket compare --policy vcpu --policy edf"),
        ("fastest", "use --policy vcpu, "),
    ],
)
def test_a_policy_that_was_meant(policy: str, next_step: str) -> None:
    with pytest.raises(HocketError) as raised:
        check_policy(policy, find_board("sim"))
    assert raised.value.next_step.startswith(next_step)


def test_a_board_that_was_meant() -> None:
    for name, next_step in (
        ("Uno", "did you mean --board uno?"),
        ("dos", "use --board sim"),
    ):
        with pytest.raises(HocketError) as raised:
            find_board(name)
        assert raised.value.next_step.startswith(next_step)
