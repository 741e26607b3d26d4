"""`--beside`: what cannot be is said before anything is built; what the world's program is told."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run_hocket
from tests.sketches import kept

from hocket.cli.options import board_meant
from hocket.errors import HocketError
from hocket.linux import beside, device_tree
from hocket.linux.beside import Neighbour
from hocket.linux.build import Linux
from hocket.linux.console import console_of, read_console
from hocket.linux.machine import FIFOS, MIB, ROOT
from hocket.linux.overlay import from_folder
from hocket.timing import beside_line

UP = "hocket-linux: up 6.1.0-9-arm64 cores 1 uptime 1.11\r\n"
ENDED = "hocket-linux: job ended with status 3 uptime 2.5\r\n"
KNOWN = {
    "state": "running", "restarts": 0, "cores_on": 1,
    "cores": [{"core": 0, "beside_us": 750, "loops_us": 200, "for_loops_us": 30, "rest_us": 20}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "fact", "way_out"),
    [
        (
            "--beside linux --board sim",
            "nothing can be beside the loops on the board sim",
            "--board virt",
        ),
        ("--beside bsd --board virt", "--beside bsd: there is no such Linux", "linux or linux-rt"),
        (
            "--beside linux --board virt --cores 5",
            "--cores 5 is too many",
            "--cores 1 to --cores 4",
        ),
        ("--beside linux --board virt --memory 2G", "--memory 2G cannot be had", "512M or"),
        ("--console x", "--memory and --console are of a Linux beside", "add --beside linux"),
        ("--beside linux --board virt --console /no/x", "cannot be written", "a folder of yours"),
    ],
)
def test_what_cannot_be_is_said_at_once(words: str, fact: str, way_out: str) -> None:
    sketch = kept("beside-nothing", "void loop(1, 1, 10) {}\n")
    done = run_hocket("run", sketch, *words.split())
    assert done.returncode == 2 and done.stdout == ""
    assert fact in done.stderr and way_out in done.stderr


def test_check_takes_it_too() -> None:
    sketch = kept("beside-nothing", "void loop(1, 1, 10) {}\n")
    done = run_hocket("check", sketch, "--beside", "linux", "--board", "sim")
    assert (done.returncode, "use --board virt" in done.stderr) == (2, True)


def test_the_board_is_the_one_that_can() -> None:
    assert (board_meant(None, None), board_meant(None, "linux")) == ("sim", "virt")
    assert board_meant("uno", "linux") == "uno"


def test_the_sketchs_files_for_linux(tmp_path: Path) -> None:
    assert not from_folder(tmp_path / "nothing").files
    folder = tmp_path / "linux"
    (folder / "more").mkdir(parents=True)
    (folder / "job").write_text("echo hello\n")
    (folder / "job").chmod(0o755)
    (folder / "more/notes.txt").write_text("x")
    (folder / ".hidden").write_text("x")
    overlay = from_folder(folder)
    assert overlay.has_job()
    assert overlay.files == {"job": (b"echo hello\n", True), "more/notes.txt": (b"x", False)}
    assert overlay.unpacked() == 2 * 4096
    (folder / "stray").symlink_to("/etc/passwd")
    with pytest.raises(HocketError, match="a link that leads out of its folder"):
        from_folder(folder)


def test_files_that_are_too_big_for_it(tmp_path: Path) -> None:
    (tmp_path / "big").touch()
    os.truncate(tmp_path / "big", 65 * MIB)  # a hole: it takes no space
    with pytest.raises(HocketError, match="too big") as said:
        from_folder(tmp_path)
    assert "hocket linux build --add" in said.value.next_step


def test_the_device_tree_tells_what_there_is() -> None:
    machine = ["-M", "virt,virtualization=on,secure=on,gic-version=3,acpi=off,dtb-randomness=off"]
    machine += ["-cpu", "cortex-a53", "-smp", "2", "-m", "512"]
    tree = device_tree.Tree('console="x\\y"', 512 * MIB, 5 * MIB, 2)
    made = device_tree.make(machine, tree)
    assert device_tree.make(machine, tree) == made
    text = device_tree.decompiled(made)
    for line in (
        'bootargs = "console=\\"x\\\\y\\""',
        'method = "smc"',
        'compatible = "hocket,fifos"',
        f"reg = <0x00 {FIFOS:#x} 0x00 0x10000>",
        "interrupts = <0x00 0x64 0x01>",
        f"linux,initrd-start = <0x00 {ROOT:#x}>",
        f"linux,initrd-end = <0x00 {ROOT + 5 * MIB:#x}>",
        "reg = <0x00 0x40000000 0x00 0x20000000>",
        "no-map",
    ):
        assert line in text, line
    assert text.count('enable-method = "psci"') == 2
    assert "\tpmu {" not in text


def neighbour(tmp_path: Path, console: str, has_job: bool = False) -> Neighbour:
    file = tmp_path / "console"
    file.write_bytes(console.encode())
    linux = Linux(tmp_path, "linux", "6.1.0-9-arm64", 512 * MIB, 0, ())
    return Neighbour(linux, [], file, has_job)


def told(there: Neighbour) -> tuple[dict[str, Any], list[str]]:
    facts: dict[str, Any] = {"beside": KNOWN, "notices": ["before"]}
    there.add_to(facts)
    assert facts["notices"][0] == "before"
    return facts["beside"], facts["notices"][1:]


def test_a_linux_that_did_all_is_told_in_a_line(tmp_path: Path) -> None:
    field, notices = told(neighbour(tmp_path, f"boot\r\n{UP}work\r\n{ENDED}", has_job=True))
    assert notices == ["Linux's job ended with status 3: what it wrote is on its console."]
    assert (field["started"], field["job_status"], field["panic"]) == (True, 3, None)
    assert beside_line(field) == (
        "linux 6.1.0-9-arm64: running, its job ended with status 3; it had 75.0 % of core 0"
    )


@pytest.mark.parametrize(
    ("console", "sentence"),
    [
        (
            "",
            "Linux was not up when the run ended: it needs a second or two (--for). It wrote nothing.",
        ),
        (UP, "Linux's job had not ended when the run did."),
        (
            "[ 0.9] Kernel panic - not syncing: VFS: no root\r\n[ 0.9] CPU: 0\r\n",
            "Linux stopped while it started: VFS: no root. The end of its console:\n"
            "    [ 0.9] Kernel panic - not syncing: VFS: no root",
        ),
        (
            f"{UP}oh\r\nKernel panic - not syncing: sysrq\r\n",
            "Linux stopped while it ran: sysrq. The end of its console:"
            "\n    hocket-linux: up 6.1.0-9-arm64 cores 1 uptime 1.11\n    oh"
            "\n    Kernel panic - not syncing: sysrq",
        ),
    ],
)
def test_what_went_wrong_is_a_notice(tmp_path: Path, console: str, sentence: str) -> None:
    _, notices = told(neighbour(tmp_path, console, has_job=True))
    assert notices == [sentence]


def test_a_linux_that_switched_itself_off_is_no_news(tmp_path: Path) -> None:
    there = neighbour(tmp_path, f"{UP}reboot: Power down\r\n", has_job=True)
    facts: dict[str, Any] = {"beside": KNOWN | {"state": "off"}}
    there.add_to(facts)
    assert facts["notices"] == []


def test_a_run_that_was_refused_tells_nothing_of_it(tmp_path: Path) -> None:
    facts: dict[str, object] = {"notices": []}
    neighbour(tmp_path, "").add_to(facts)
    assert facts == {"notices": []}


def test_the_last_start_counts(tmp_path: Path) -> None:
    again = "Kernel panic - not syncing: first\r\n" + UP + "work\r\n"
    seen = read_console((UP + ENDED + again).encode())
    assert (seen.up, seen.ended, seen.panic) == (1.11, None, "")


def test_a_stand_in_needs_no_linux(tmp_path: Path) -> None:
    words = [str(word) for word in beside.stand_in(tmp_path)]
    assert words[:2] == ["--beside", "512"] and (tmp_path / "nothing").stat().st_size == 4096


def test_two_runs_of_a_sketch_have_a_console_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reads its own; the one that ends last leaves it where it was said to be."""

    def prepared(_word: Any, _overlay: Any, _cores: int, _folder: Path, console: Path) -> Neighbour:
        assert not console.exists()
        return replace(neighbour(tmp_path, ""), console=console)

    monkeypatch.setattr(beside, "prepare_with", prepared)
    usual = tmp_path / "linux-console.txt"
    usual.write_text("of yesterday")
    wished = beside.Beside("linux")
    one, other = (
        beside.prepare(wished, tmp_path, 1, tmp_path / name, usual) for name in ("one", "other")
    )
    one.console.write_text(UP + ENDED)
    other.console.write_text("boot\n")
    assert told(one)[0]["job_status"] == 3
    assert told(other)[0]["started"] is False
    other.keep_console()
    assert told(one)[0]["job_status"] == 3
    one.keep_console()
    assert usual.read_bytes() == (UP + ENDED).encode()
    third = beside.prepare(wished, tmp_path, 1, tmp_path / "third", usual)
    third.keep_console()  # it was refused
    assert not usual.exists()


def test_the_console_that_was_asked_for_is_written_as_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = neighbour(tmp_path, UP)
    monkeypatch.setattr(beside, "prepare_with", lambda *words: replace(there, console=words[-1]))
    wished = beside.Beside("linux", console=there.console)
    asked = beside.prepare(wished, tmp_path, 1, tmp_path, tmp_path / "usual")
    asked.keep_console()
    assert (asked.console, asked.console.read_bytes()) == (there.console, UP.encode())


def test_of_a_console_without_end_both_ends_are_read(tmp_path: Path) -> None:
    file = tmp_path / "console"
    assert console_of(file).text == ""
    file.write_text(UP)
    assert console_of(file).up == 1.11
    with file.open("ab") as opened:
        opened.truncate(3 << 30)  # a hole
        opened.seek(0, os.SEEK_END)
        opened.write(f"\n{ENDED}".encode())
    seen = console_of(file)
    assert (seen.up, seen.ended, len(seen.text) < 6 << 20) == (1.11, 3, True)
    assert "[...]" in seen.text


@pytest.mark.parametrize("size", [0, 1, 1 << 20, 5 << 20, (5 << 20) + 1])
def test_a_console_of_any_length(tmp_path: Path, size: int) -> None:
    file = tmp_path / "console"
    file.write_bytes(b"x" * (size - 1) + b"\n" * (size > 0))
    text = console_of(file).text
    assert text == file.read_text() if size <= 5 << 20 else text.startswith("x" * (1 << 20))
