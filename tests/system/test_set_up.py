"""The first start of `./hocket` in a copy of the tree where nothing is installed: what it asks for, and what
it says where there is no network. apt-get is played by a script that notes how it was called."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from tests.commands import ENTRY, ROOT

SHELL_TOOLS = (
    *(
        "sh",
        "dirname",
        "readlink",
        "cat",
        "cksum",
        "sed",
        "grep",
        "tail",
        "mkdir",
        "id",
        "env",
        "tr",
    ),
    *("rm", "head", "flock"),
)
NO_NETWORK = """\
echo 'Err:1 http://mirror.example stable InRelease'
echo "  Temporary failure resolving 'mirror.example'"
exit 100
"""


class Copy:
    def __init__(self, folder: Path) -> None:
        self.folder = folder / "hocket copy"
        (self.folder / "tools").mkdir(parents=True)
        shutil.copy(ENTRY, self.folder)
        for name in ("set-up.sh", "packages.txt", "requirements.txt", "requirements-test.txt"):
            shutil.copy(ROOT / "tools" / name, self.folder / "tools")
        shutil.copytree(ROOT / "boards", self.folder / "boards")
        # No probe of the list may find this computer's own packages.
        listed = (self.folder / "tools" / "packages.txt").read_text()
        (self.folder / "tools" / "packages.txt").write_text(
            listed.replace(" /usr/", " /nowhere/usr/")
        )
        set_up = self.folder / "tools" / "set-up.sh"
        set_up.write_text(set_up.read_text().replace("/usr/bin/python3", "/nowhere/python3"))
        self.bin = folder / "bin"
        self.bin.mkdir()
        for name in SHELL_TOOLS:
            found = shutil.which(name)
            assert found is not None, name
            (self.bin / name).symlink_to(found)

    def program(self, name: str, text: str) -> None:
        file = self.bin / name
        file.write_text(f"#!/bin/sh\n{text}")
        file.chmod(0o755)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.bin), "HOME": str(self.folder)}
        return subprocess.run(
            [self.folder / "hocket", *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    made = Copy(tmp_path)
    made.program("apt-get", NO_NETWORK)
    made.program("sudo", 'shift\nexec "$@"\n')
    return made


def listed(said: str) -> list[str]:
    """The packages that are said to be missing."""
    return [line.split(":")[0].strip() for line in said.splitlines() if line.startswith("  ") and ": " in line
            and not line.startswith(("  cause:", "  next:"))]  # fmt: skip


def is_python(name: str) -> bool:
    return name == "python3-venv"


@pytest.mark.parametrize(
    "words",
    [
        *(["--help"], [], ["new", "x"], ["boards"], ["--version"], ["doctor"], ["run", "--help"]),
        *(["self-test", "--list"], ["flash", "x", "--board", "uno", "-h"], ["clean"]),
    ],
)
def test_small_commands_need_no_compiler(copy: Copy, words: list[str]) -> None:
    shutil.rmtree(copy.folder / "build", ignore_errors=True)
    said = copy.run(*words).stderr
    assert [name for name in listed(said) if not is_python(name)] == []


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["run", "x"], {"clang-19", "cmake"}),
        (["run", "x", "--board", "virt"], {"clang-19", "qemu-system-arm"}),
        (["flash", "x", "--board=uno"], {"clang-19", "gcc-avr", "avrdude"}),
        (["clangd"], {"clang-19", "clangd-19"}),
        (["test"], {"clang-19", "cmake"}),
        (["self-test"], {"clang-19", "qemu-system-arm", "gcc-avr", "spin"}),
    ],
)
def test_each_thing_is_listed_once_and_only_what_is_needed(
    copy: Copy, words: list[str], wanted: set[str]
) -> None:
    names = listed(copy.run(*words).stderr)
    assert wanted <= set(names)
    assert [name for name, count in Counter(names).items() if count > 1] == []
    if "self-test" not in words:
        assert "spin" not in names


def test_the_board_of_a_sketchs_own_file_counts(copy: Copy) -> None:
    (copy.folder / "x").mkdir()
    (copy.folder / "x" / "hocket.toml").write_text('board = "uno"\n')
    assert "gcc-avr" in listed(copy.run("run", "x").stderr)


@pytest.mark.skipif(os.geteuid() != 0, reason="apt-get is asked by root only")
def test_without_a_network_it_is_said_with_what_to_do(copy: Copy) -> None:
    done = copy.run("run", "x")
    assert done.returncode == 2
    assert "hocket: there is no network" in done.stderr
    assert "Temporary failure resolving 'mirror.example'" in done.stderr
    assert "by hand: apt-get update && apt-get install" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="apt-get is asked by root only")
def test_a_source_that_is_away_is_no_missing_network(copy: Copy) -> None:
    """One of several answers: the packages may come from it."""
    copy.program(
        "apt-get",
        '[ "$1" = update ] || exit 7\necho Hit:1 http://a\necho Err:2 http://b\nexit 100\n',
    )
    said = copy.run("run", "x").stderr
    assert "there is no network" not in said
    assert "the package lists could not be refreshed" in said
    assert "apt-get could not install" in said


@pytest.mark.skipif(os.geteuid() != 0, reason="apt-get is asked by root only")
def test_of_several_names_the_first_that_there_is(copy: Copy) -> None:
    copy.program(
        "apt-cache", "for word; do :; done\ncase $word in *-13-*) exit 0 ;; esac\nexit 100\n"
    )
    names = listed(copy.run("run", "x", "--board", "virt").stderr)
    assert "libgcc-13-dev-arm64-cross" in names
    assert "libgcc-12-dev-arm64-cross" not in names


def test_doctor_needs_nothing_but_a_shell(copy: Copy) -> None:
    """Every package of the list and why it is needed, and for each group the command that installs it."""
    done = copy.run("doctor")
    assert done.returncode == 2
    rows = [line for line in done.stdout.splitlines() if line.startswith("MISSING ")]
    lines = (copy.folder / "tools" / "packages.txt").read_text().splitlines()
    packages = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    here = {
        "apt-get",
        "dpkg-deb",
        "git",
    }  # apt-get is played here; the probes of files find nothing
    wanted = [words for words in packages if words[2] not in here]
    assert [row.split()[1] for row in rows if row.split()[1] not in ("dpkg", "git")] == [
        words[1].partition("|")[0] for words in wanted
    ]
    assert all(" ".join(words[3:]) in done.stdout for words in packages)
    update = "apt-get update && apt-get install --yes --no-install-recommends "
    to_build = next(x for x in done.stdout.splitlines() if x.startswith("for commands that build"))
    assert update + "clang-19 lld-19 llvm-19 cmake ninja-build" in to_build
    assert "hocket: no usable Python was found" in done.stderr
    assert update + "python3-venv" in done.stderr
    assert "Debian 12" not in done.stderr


def test_a_python_that_is_too_old_is_named(copy: Copy) -> None:
    old = """case $2 in *ensurepip*) exit 1 ;; *) echo 3.9.2 ;; esac\n"""
    copy.program("python3", old)
    done = copy.run("doctor")
    assert "hocket: the Python of this system is too old: 3.9.2" in done.stderr
    assert "next:  use Debian 12 or later, or Ubuntu 24.04 or later" in done.stderr


@pytest.mark.parametrize(
    ("with_sudo", "begins"), [(True, "sudo sh -c 'apt-get"), (False, "su -l -c 'apt-get")]
)
def test_without_rights_the_command_can_be_typed_on_this_system(
    copy: Copy, with_sudo: bool, begins: str
) -> None:
    (copy.bin / "id").unlink()
    copy.program("id", "echo 1000\n")
    (copy.bin / "sudo").unlink()
    if with_sudo:
        copy.program("sudo", "exit 1\n")
    done = copy.run("run", "x")
    assert done.returncode == 2
    assert f"next:  run: {begins} update && apt-get install" in done.stderr
