"""docs/reference/dependencies.md: what it lists is what is installed, under the licence that it names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "reference" / "dependencies.md").read_text(encoding="utf-8")
TOOLS = ROOT / "tools"
PIN = re.compile(r"^([\w.-]+)==([^\s#]+)", re.MULTILINE)
# By words of the packages' own metadata. SimSo's says «OSI Approved» and no more.
WORDS = {
    "MIT": r"\bMIT\b",
    "BSD": r"\bBSD\b",
    "BSD-2-Clause": r"BSD-2-Clause|\bBSD\b",
    "BSD-3-Clause": r"BSD-3-Clause|3-Clause BSD",
    "Apache-2.0": r"(?i)apache",
    "MPL-2.0": r"MPL|Mozilla",
    "PSF": r"Python Software|PSF",
    "CeCILL-2.1": r"OSI Approved|CeCILL",
    "public domain": r"(?i)public domain",
}
# What the command line installs on a user's computer may be used for anything.
PERMISSIVE = re.compile(r"(?i)MIT|BSD|apache|ISC|PSF|Python Software|public domain|Zlib|CC0")


def rows(section: str) -> Iterator[list[str]]:
    part = re.split(r"^## ", TEXT, flags=re.MULTILINE)
    [text] = [each for each in part if each.startswith(section)]
    for line in text.splitlines():
        if line.startswith("| ") and not line.startswith(("| package", "| licence")):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def direct(name: str) -> list[str]:
    text = (TOOLS / name).read_text(encoding="utf-8").partition("# What those need")[0]
    return [match[1] for match in PIN.finditer(text)]


def said_licence(name: str) -> str:
    about = metadata.metadata(name)
    classifiers = [each for each in about.get_all("Classifier") or [] if each.startswith("License")]
    words = [*(about.get_all("License-Expression") or []), *classifiers]
    return " ".join(words) or (about.get_all("License") or [""])[0].partition("\n")[0]


def test_python_packages_are_those_of_the_lists() -> None:
    listed = [row[0] for row in rows("Python")]
    assert listed == [*direct("requirements.txt"), *direct("requirements-test.txt")]


@pytest.mark.parametrize("name", [row[0] for row in rows("Python")])
def test_a_licence_is_what_the_package_says(name: str) -> None:
    [row] = [row for row in rows("Python") if row[0] == name]
    assert re.search(WORDS[row[1]], said_licence(name)), said_licence(name)
    assert all(row), "no cell is empty"


def test_what_users_install_is_permissive() -> None:
    for name, _ in PIN.findall((TOOLS / "requirements.txt").read_text(encoding="utf-8")):
        licence = said_licence(name)
        assert PERMISSIVE.search(licence), f"{name}: {licence}"
        assert not re.search(r"(?<!L)\bA?GPL", licence), f"{name}: {licence}"


def test_the_lock_is_of_the_lists_and_has_hashes() -> None:
    lock = (TOOLS / "requirements.lock").read_text(encoding="utf-8")
    lists = [
        (TOOLS / name).read_text(encoding="utf-8")
        for name in ("requirements.txt", "requirements-test.txt")
    ]
    assert sorted(PIN.findall(lock)) == sorted(pin for text in lists for pin in PIN.findall(text))
    for line in lock.splitlines():
        if not line.startswith("#"):
            assert re.fullmatch(r"[\w.-]+==\S+( --hash=sha256:[0-9a-f]{64})+", line), line[:60]
    small, rest, test = re.findall(r"^# (small|all|test)$", lock, re.MULTILINE)
    assert (small, rest, test) == ("small", "all", "test")
    assert PIN.findall(lock.partition("# test\n")[2]) == PIN.findall(lists[1])


def test_what_is_installed_is_what_the_lock_says() -> None:
    lock = (TOOLS / "requirements.lock").read_text(encoding="utf-8")
    for name, version in PIN.findall(lock):
        assert metadata.version(name) == version, name


def test_npm_packages_are_those_of_the_page() -> None:
    page = json.loads((TOOLS / "lab-page" / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((TOOLS / "lab-page" / "package-lock.json").read_text(encoding="utf-8"))
    table = {row[0]: row[1] for row in rows("npm")}
    assert [*table] == [*page["dependencies"], *page["devDependencies"]]
    for name, licence in table.items():
        assert lock["packages"][f"node_modules/{name}"]["license"] == licence
    for name, each in lock["packages"].items():
        assert not name or each["integrity"].startswith("sha512-"), name


def test_debian_packages_are_those_of_the_list() -> None:
    lines = (TOOLS / "packages.txt").read_text(encoding="utf-8").splitlines()
    named = [line.split()[1] for line in lines if line and not line.startswith("#")]
    wanted = [name.replace("|", " or ") for name in dict.fromkeys(named)]
    listed = [name for row in rows("Debian") for name in row[1].split(", ")]
    assert sorted(listed) == sorted(wanted)


def test_files_under_another_licence_are_in_the_table_of_licences() -> None:
    text = (ROOT / "LICENSES" / "README.md").read_text(encoding="utf-8")
    folders = re.findall(r"^\| `([\w/]+)/\*`", text, re.MULTILINE)
    for folder in ("hybrid", "simulation", "kernel", "arduino", "tools", "drivers", "ports"):
        for file in (ROOT / folder).rglob("*"):
            if file.suffix not in (".c", ".h", ".cpp", ".S", ".py", "") or not file.is_file():
                continue
            head = file.read_bytes()[:200]
            if b"SPDX-License-Identifier: GPL" in head or b"SPDX-License-Identifier: (GPL" in head:
                assert str(file.parent.relative_to(ROOT)) in folders, file
    assert "GNU GENERAL PUBLIC LICENSE" in (ROOT / "LICENSES" / "GPL-2.0.txt").read_text("utf-8")
