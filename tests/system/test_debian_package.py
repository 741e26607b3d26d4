"""The Debian package: built, installed into a clean system, and used there as by its user. It takes
minutes and needs root, mmdebstrap and a mirror of Debian; what is missing is said."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.commands import ROOT
from tests.every_command import COMMANDS

pytestmark = pytest.mark.long_form

# What a clean system needs of this one's to reach the same network.
CONFIGURATION = ("etc/resolv.conf", "etc/apt/sources.list.d/debian.sources")


def run(*words: str | Path, patience: int = 1800) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in words],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=patience,
        check=False,
    )


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("package")
    done = run(sys.executable, ROOT / "packaging" / "debian" / "build.py", "-o", folder)
    assert done.returncode == 0, done.stderr
    (made,) = folder.glob("*.deb")
    return made


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory, package: Path) -> Iterator[Path]:
    if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
        pytest.skip("a clean system is made by root with mmdebstrap")
    place = tmp_path_factory.mktemp("clean") / "root"
    done = run("mmdebstrap", "--variant=minbase", "--format=directory", "bookworm", place)
    if done.returncode != 0:
        pytest.skip(f"no mirror of Debian answers: {done.stderr[-300:]}")
    for name in CONFIGURATION:
        if (Path("/") / name).is_file():
            shutil.copy(Path("/") / name, place / name)
    shutil.copy(package, place / "root")
    for name in ("proc", "dev"):
        run("mount", "--bind", f"/{name}", place / name)
    try:
        yield place
    finally:
        for name in ("proc", "dev"):
            run("umount", place / name)


def inside(clean: Path, command: str) -> subprocess.CompletedProcess[str]:
    environment = ("HOME=/root", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8")
    return run("chroot", clean, "env", "-i", *environment, "sh", "-c", f"cd /root && {command}")


def test_the_package_says_what_it_needs(package: Path) -> None:
    fields = run("dpkg-deb", "--field", package).stdout
    assert "clang-19" in fields
    assert "python3 (>= 3." in fields
    names = run("dpkg-deb", "--contents", package).stdout
    for name in ("./usr/bin/hocket", "man1/hocket.1.gz", "completions/hocket", "copyright"):
        assert name in names
    assert "/.venv/" not in names
    assert "/tests/system/" not in names


def test_it_installs_and_runs_where_nothing_else_is(clean: Path, package: Path) -> None:
    install = "apt-get install -y -qq --no-install-recommends"
    done = inside(clean, f"apt-get update -qq && {install} ./{package.name}")
    assert done.returncode == 0, done.stderr[-2000:]
    made = inside(clean, "hocket new blinker")
    assert made.stdout.startswith("made blinker/blinker.ino\nmade blinker/scenario.yaml\n")
    assert "next: hocket run blinker, then hocket test blinker\n" in made.stdout
    # The next step, as it is printed.
    ran = inside(clean, "hocket run blinker")
    assert ran.returncode == 0, ran.stderr
    assert "loop 2: round 1" in ran.stdout
    assert inside(clean, "ls -A blinker").stdout.split() == ["blinker.ino", "scenario.yaml"]
    assert inside(clean, "dpkg --verify hocket").stdout == ""
    for line, status in COMMANDS:
        done = inside(clean, f"hocket {line}")
        assert done.returncode == status, (line, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr, line
    left = inside(clean, "hocket run blinker --board uno")
    assert left.returncode == 2
    assert "gcc-avr" in left.stderr
    assert inside(clean, "apt-get remove -y -qq hocket && ls /usr/lib/hocket").returncode != 0
