"""Which package sources of a machine count."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocket.errors import HocketError
from hocket.linux.sources import machine_sources, parse_one_line, read_sources

DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\nVERSION_CODENAME=bookworm\n'
SOURCES = """\
# made by an installer
Types: deb deb-src
URIs: http://mirror.example/debian
# a comment in between
Suites: bookworm bookworm-updates
Components: main
Architectures: amd64
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://other.example/node
Suites: nodistro
Components: main

Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: bookworm
Components: main
"""


@pytest.fixture
def etc(tmp_path: Path) -> Path:
    folder = tmp_path / "apt"
    (folder / "sources.list.d").mkdir(parents=True)
    (tmp_path / "os-release").write_text(DEBIAN)
    return folder


def test_only_the_releases_own_sources_count(etc: Path) -> None:
    (etc / "sources.list.d/debian.sources").write_text(SOURCES)
    (etc / "sources.list.d/cloud.list").write_text("deb http://c.example/apt cloud-bookworm main\n")
    (etc / "sources.list").write_text(
        "deb [arch=amd64 signed-by=/a/key.gpg] http://s.example/debian bookworm-security main\n"
        "deb-src http://s.example/debian bookworm main\n"
    )
    text = machine_sources(etc, etc.parent / "os-release")
    assert "mirror.example" in text and "s.example" in text and "/a/key.gpg" in text
    for other in ("other.example", "off.example", "c.example", "amd64", "deb-src"):
        assert other not in text


def test_another_system_is_told_what_to_give(etc: Path) -> None:
    (etc.parent / "os-release").write_text('ID=ubuntu\nPRETTY_NAME="Ubuntu 24.04"\n')
    with pytest.raises(HocketError, match="sources are of another system") as said:
        machine_sources(etc, etc.parent / "os-release")
    assert "Ubuntu 24.04" in said.value.cause and "--sources FILE" in said.value.next_step


def test_a_debian_without_sources(etc: Path) -> None:
    with pytest.raises(HocketError, match="no package sources of Debian GNU/Linux 12"):
        machine_sources(etc, etc.parent / "os-release")


def test_the_one_line_style() -> None:
    (source,) = parse_one_line(
        "deb [trusted=yes] file:/r bookworm main contrib # comment\n#deb x y z"
    )
    assert source.fields == {
        "types": "deb", "uris": "file:/r", "suites": "bookworm", "components": "main contrib",
        "trusted": "yes",
    }  # fmt: skip


def test_a_file_that_names_none(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("nothing of use")
    with pytest.raises(HocketError, match="names no package source"):
        read_sources(tmp_path / "x")
