"""The real `./hocket`: transcripts of small commands, and how it behaves wherever it is started."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import ENTRY, Done, run_entry, run_hocket, run_words

from hocket.boards import find_board
from hocket.errors import HocketError
from hocket.packages import install_command

ROOT = Path(__file__).resolve().parents[3]
Hocket = Callable[..., Done]


def test_version(hocket: Hocket) -> None:
    done = hocket("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"hocket \d+\.\d+\.\d+\n", done.stdout)


def test_help_names_every_command(hocket: Hocket) -> None:
    done = hocket("--help")
    assert done.returncode == 0
    words = {line.split()[1] for line in done.stdout.splitlines() if re.match(r"│ \w", line)}
    assert words >= {
        *("run", "check", "build", "test", "new", "boards", "doctor", "trace", "bench"),
        *("flash", "monitor", "report"),
    }


@pytest.mark.parametrize("command", [[], ["run"], ["flash"], ["linux", "build"]])
def test_help_of_a_narrow_terminal_breaks_lines_between_words(
    hocket: Hocket, command: list[str]
) -> None:
    """At 40 columns nothing is cut, and everything is there that a wide terminal shows."""
    pages = []
    for columns in ("40", "120"):
        done = run_hocket(*command, "--help", environment={"COLUMNS": columns})
        assert done.returncode == 0
        pages.append(done.stdout)
    narrow, wide = pages
    assert "…" not in narrow and max(map(len, narrow.splitlines())) <= 40
    words = re.findall(r"--[a-z-]+\b", wide) + re.findall(r"^│ ([a-z-]+)  ", wide, re.MULTILINE)
    said = " ".join(narrow.split())
    assert words and all(word in said for word in words)
    first = re.search(r"Usage:.*\n +\n +(\S.*?)(?:\.|$)", wide)
    assert first is not None and first[1] in said


@one_in(4)
@pytest.mark.parametrize(
    ("arguments", "transcript"),
    [
        (
            ["run"],
            "hocket: . holds no sketch\n  cause: there is no .ino file in this folder\n"
            "  next:  name a sketch, or make one: hocket new NAME\n",
        ),
        (
            ["flash", "x"],
            "hocket: no board was given\n"
            "  cause: flash writes to a real board: uno (Arduino Uno), by its cable; "
            "nano (Arduino Nano), by its cable; mega (Arduino Mega 2560), by its cable; "
            "rpi3 (Raspberry Pi 3, Zero 2 W), by a memory card\n"
            "  next:  add --board uno or --board nano or --board mega or --board rpi3; "
            "hocket run SKETCH runs it on a simulated one\n",
        ),
        (
            ["flash", "x", "--board", "sim"],
            "hocket: flash does not serve the board sim\n"
            "  cause: it serves uno (Arduino Uno), by its cable; "
            "nano (Arduino Nano), by its cable; mega (Arduino Mega 2560), by its cable; "
            "rpi3 (Raspberry Pi 3, Zero 2 W), by a memory card\n"
            "  next:  add --board uno or --board nano or --board mega or --board rpi3; "
            "hocket run SKETCH runs it on a simulated one\n",
        ),
        (
            ["flash", "x", "--board", "rpi3"],
            "hocket: no folder of a card was given\n"
            "  cause: flash copies files to a memory card that is mounted\n"
            "  next:  add --card FOLDER, for example --card /media/you/bootfs\n",
        ),
        (
            ["flash", "x", "--board", "rpi3", "--card", "nowhere"],
            "hocket: there is no folder nowhere\n"
            "  cause: the card is not mounted there\n"
            "  next:  mount it first\n",
        ),
        (
            ["run", "x", "--board", "zx81"],
            "hocket: there is no board 'zx81'\n"
            "  cause: the boards are sim, virt, uno, nano, mega, rpi3\n"
            "  next:  use --board sim, virt, uno, nano, mega or rpi3\n",
        ),
        (
            ["check", "nothere"],
            "hocket: there is no sketch nothere\n"
            "  cause: no such file or folder\n"
            "  next:  name a folder that holds an .ino, or an .ino or .cpp file\n",
        ),
        (
            ["trace", "nothere.hklog"],
            "hocket: nothere.hklog: the event log cannot be read\n"
            "  cause: No such file or directory\n  next:  name one that exists\n",
        ),
        (
            ["report", "nothere.json"],
            "hocket: nothere.json: the report cannot be read\n"
            "  cause: No such file or directory\n  next:  name one that exists\n",
        ),
        (
            ["bench", "nothing-like-it"],
            None,
        ),
        (
            ["test", "pyhton"],
            None,
        ),
    ],
)
def test_mistakes(hocket: Hocket, arguments: list[str], transcript: str | None) -> None:
    done = hocket(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("hocket: ")
    assert "Traceback" not in done.stderr
    if transcript is not None:
        assert done.stderr == transcript


def test_unknown_options_name_the_next_step(hocket: Hocket) -> None:
    done = hocket("run", "--quickly", "x")
    assert done.returncode == 2
    assert done.stderr.startswith("hocket: No such option: --quickly")
    assert done.stderr.endswith("  next:  hocket run --help lists the options\n")


def test_boards(hocket: Hocket) -> None:
    lines = hocket("boards").stdout.splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["sim", "virt", "uno", "nano", "mega", "rpi3"]


def test_doctor_names_every_package(hocket: Hocket) -> None:
    done = hocket("doctor")
    assert done.returncode == 0
    for line in (ROOT / "tools/packages.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            assert f" {line.split()[1].partition('|')[0]} " in done.stdout


def test_doctor_says_how_to_mend(tmp_path: Path) -> None:
    """With a PATH that holds nothing but the shell's own tools, the compiler is missing."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "dirname", "readlink", "cat", "cksum"):
        found = shutil.which(name)
        assert found is not None
        (tools / name).symlink_to(found)
    done = run_entry("doctor", environment={"PATH": str(tools)})
    assert done.returncode == 2
    assert re.search(r"MISSING +clang-19 ", done.stdout)
    assert re.search(r"for commands that build, run: .*install .*\bclang-19\b", done.stdout)


@pytest.mark.parametrize(
    ("administrator", "with_sudo", "wanted"),
    [
        (True, True, "apt-get update && {}"),
        (False, True, "sudo sh -c 'apt-get update && {}'"),
        (False, False, "su -l -c 'apt-get update && {}'"),
    ],
)
def test_the_command_that_installs_can_be_typed_on_this_system(
    monkeypatch: pytest.MonkeyPatch, administrator: bool, with_sudo: bool, wanted: str
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0 if administrator else 1000)
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/sudo" if with_sudo else None)
    install = "apt-get install --yes --no-install-recommends make"
    assert install_command(["make", "make"]) == wanted.format(install)


def test_new_makes_a_sketch(hocket: Hocket, tmp_path: Path) -> None:
    done = hocket("new", "blinker", "--loops", "3")
    assert (done.returncode, done.stdout) == (
        0,
        "made blinker/blinker.ino\nmade blinker/scenario.yaml\n"
        "next: hocket run blinker, then hocket test blinker\n",
    )
    text = (tmp_path / "blinker" / "blinker.ino").read_text()
    assert re.findall(r"^void loop\((\d+), (\d+), (\d+)\)", text, re.MULTILINE) == [
        *(("1", "16", "100"), ("2", "16", "100"), ("3", "16", "100")),
    ]
    again = hocket("new", "blinker")
    assert (again.returncode, again.stderr.splitlines()[0]) == (
        2,
        "hocket: blinker is there already",
    )


@one_in(2)
@pytest.mark.parametrize(
    "arguments", [["-x"], ["a b"], ["ok", "--loops", "0"], ["ok", "--loops", "51"]]
)
def test_new_refuses(hocket: Hocket, arguments: list[str]) -> None:
    done = hocket("new", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("hocket: ")


@long_form
def test_lists(hocket: Hocket) -> None:
    steps = hocket("self-test", "--list").stdout.splitlines()
    assert {line.split()[0] for line in steps} >= {"format-cpp", "cpp", "threads", "python"}
    assert hocket("bench", "--list").returncode == 0


@long_form
def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    command = f"'{ROOT}/hocket' boards | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


# --- Where it is started from -----------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the entry in a path with spaces, with the environment of this one."""
    root = tmp_path / "a copy of it"
    root.mkdir()
    shutil.copy2(ENTRY, root / "hocket")
    shutil.copytree(ROOT / "tools", root / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "boards", root / "boards")
    (root / ".venv").symlink_to(ROOT / ".venv")
    return root


def start(command: list[str], **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)  # type: ignore[call-overload, no-any-return]


@long_form
def test_started_from_elsewhere_and_by_a_link(copy: Path, tmp_path: Path) -> None:
    link = tmp_path / "bin" / "hk"
    link.parent.mkdir()
    link.symlink_to(copy / "hocket")
    for command in ([str(copy / "hocket")], [str(link)], ["../a copy of it/hocket"]):
        done = run_words([*command, "--version"], cwd=link.parent)
        assert (done.returncode, done.stderr) == (0, "")


@long_form
def test_a_home_that_cannot_be_written(copy: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    done = run_words([str(copy / "hocket"), "boards"], environment={"HOME": str(home)})
    assert done.returncode == 0
    assert list(home.iterdir()) == []


def fake_tools(folder: Path, **scripts: str) -> Path:
    """A PATH of the shell's tools and these scripts, and nothing else."""
    tools = folder / "tools of the test"
    tools.mkdir()
    names = [
        "sh",
        "dirname",
        "readlink",
        "cat",
        "cksum",
        "mkdir",
        "tail",
        "flock",
        "env",
        "python3",
    ]
    for name in names:
        found = shutil.which(name)
        if found is not None:
            (tools / name).symlink_to(found)
    for name, text in scripts.items():
        (tools / name.replace("_", "-")).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name.replace("_", "-")).chmod(0o755)
    return tools


def fresh(copy: Path) -> Path:
    """The copy as on a machine where nothing was set up."""
    (copy / ".venv").unlink()
    return copy


def test_without_rights_it_prints_the_command(copy: Path, tmp_path: Path) -> None:
    tools = fake_tools(tmp_path, id="echo 1000", apt_get="exit 1", sudo="exit 1")
    done = start([str(fresh(copy) / "hocket"), "run", "x"], env={"PATH": str(tools), "HOME": "/"})
    assert done.returncode == 2
    assert "clang-19: compiles the kernel and the sketches" in done.stderr
    last = done.stderr.splitlines()[-1]
    assert re.fullmatch(
        r"  next:  run: sudo sh -c 'apt-get update && apt-get install --yes "
        r"--no-install-recommends .*\bclang-19\b.*\bninja-build\b.*'",
        last,
    )
    assert "clang-tidy" not in done.stderr, "only what the command needs"


def test_as_root_it_installs_what_is_missing(copy: Path, tmp_path: Path) -> None:
    """apt-get is a script that writes down its arguments and fails: the error shows its words."""
    asked = tmp_path / "asked"
    tools = fake_tools(
        tmp_path,
        id="echo 0",
        apt_get=f'echo "$@" >> "{asked}"; echo no such mirror; [ $1 = update ]',
    )
    done = start([str(fresh(copy) / "hocket"), "run", "x"], env={"PATH": str(tools), "HOME": "/"})
    assert done.returncode == 2
    lines = asked.read_text().splitlines()
    assert lines[0].startswith("update ")
    assert lines[1].startswith("install --yes --no-install-recommends")
    assert " clang-19 " in lines[1]
    assert "no such mirror" in done.stderr
    assert "hocket: apt-get could not install" in done.stderr


@one_in(5)
@pytest.mark.parametrize(
    "words",
    [
        ["run", "x", "--board", "virt"],
        ["check", "x", "--board=rpi3"],
        ["self-test"],
    ],
)
def test_a_boards_packages_are_asked_for_with_it(
    copy: Path, tmp_path: Path, words: list[str]
) -> None:
    done = where_packages_are_missing(copy, tmp_path, words)
    assert "qemu-system-arm: runs the boards virt and rpi3" in done.stderr


@one_in(3)
@pytest.mark.parametrize(
    "words", [["run", "x", "--board", "sim", "virt"], ["run", "virt"], ["check", "virt"]]
)
def test_nobody_else_is_asked_for_a_boards_packages(
    copy: Path, tmp_path: Path, words: list[str]
) -> None:
    done = where_packages_are_missing(copy, tmp_path, words)
    assert done.returncode == 2
    assert "qemu" not in done.stderr


def where_packages_are_missing(
    copy: Path, tmp_path: Path, words: list[str]
) -> subprocess.CompletedProcess[str]:
    tools = fake_tools(tmp_path, id="echo 1000", apt_get="exit 1", sudo="exit 1")
    entry = str(fresh(copy) / "hocket")
    return start([entry, *words], env={"PATH": str(tools), "HOME": "/"})


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["run", "x", "--board", "uno"], ["gcc-avr", "libsimavr-dev"]),
        (["flash", "x", "--board=uno"], ["gcc-avr", "libsimavr-dev", "avrdude"]),
        (["flash", "x", "--board", "rpi3"], ["qemu-system-arm"]),
        (["debug", "x"], ["gdb-multiarch", "gdb-avr"]),
        (["debug", "x", "--board", "virt"], ["gdb-multiarch", "gdb-avr", "qemu-system-arm"]),
        (["lab", "x"], ["nodejs", "npm"]),
        (["lab", "x", "--board", "uno"], ["nodejs", "npm", "gcc-avr", "libsimavr-dev"]),
        (
            ["self-test"],
            [
                "nodejs",
                "npm",
                "gcc-avr",
                "avrdude",
                "qemu-system-arm",
                "spin",
                "gdb-multiarch",
                "gdb-avr",
            ],
        ),
    ],
)
def test_only_what_the_command_needs_is_asked_for(
    copy: Path, tmp_path: Path, words: list[str], asked: list[str]
) -> None:
    tools = fake_tools(tmp_path, id="echo 1000", apt_get="exit 1", sudo="exit 1")
    done = start([str(fresh(copy) / "hocket"), *words], env={"PATH": str(tools), "HOME": "/"})
    reasons = re.findall(r"^  (\S+): ", done.stderr, re.MULTILINE)
    special = {
        "gcc-avr",
        "libsimavr-dev",
        "avrdude",
        "qemu-system-arm",
        "spin",
        "gdb-multiarch",
        "gdb-avr",
        "nodejs",
        "npm",
    }
    assert special & set(reasons) <= set(asked)
    # What is found by a file, not by a command, may be there already.
    assert set(asked) - {"libsimavr-dev"} <= set(reasons)


def test_a_missing_package_of_a_board_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """However the tool is started: the entry looks at the words of the command line only."""
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(HocketError) as error:
        find_board("virt")
    assert error.value.fact == "the board virt needs packages that are not installed"
    assert "qemu-system-arm runs the boards" in error.value.cause
    assert re.search(r"apt-get install .*\bqemu-system-arm\b", error.value.next_step)
    assert find_board("sim").name == "sim"


def test_without_apt_it_says_so(copy: Path, tmp_path: Path) -> None:
    tools = fake_tools(tmp_path, id="echo 0")
    done = start([str(fresh(copy) / "hocket"), "run", "x"], env={"PATH": str(tools), "HOME": "/"})
    assert done.returncode == 2
    assert "there is no apt-get" in done.stderr


@one_in(2)
@pytest.mark.parametrize("command", ["run", "check", "build", "debug"])
def test_a_scenario_with_more_cores_than_the_board(command: str) -> None:
    done = run_hocket(command, "examples/rover", "--board", "uno")
    assert done.returncode == 2
    assert done.stderr.splitlines()[:2] == [
        "hocket: examples/rover/scenario.yaml: the scenario has 4 cores, and the board uno has one core",
        "  next:  add --cores 1",
    ]
