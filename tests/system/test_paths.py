"""What a sketch, its scenario and its hocket.toml name lies in the sketch's folder, or is allowed on the
command line: files elsewhere are neither read nor written, on any board."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.campaign import one_in
from tests.commands import run_hocket

SKETCH = """
#include <EEPROM.h>
void setup() { EEPROM.write(5, EEPROM.read(5) + 1); }
void loop(1, 10, 100) { delay(100); }
"""
SECRET = b"what nobody may read or write " * 40


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A user's home: a downloaded sketch, and what is the user's own."""
    (tmp_path / "sketch").mkdir()
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "secret.png").write_bytes(SECRET)
    (tmp_path / "sketch" / "sketch.ino").write_text(SKETCH)
    before = os.umask(0o022)
    yield tmp_path
    os.umask(before)


def unchanged(home: Path) -> bool:
    own = home / "own"
    return [path.name for path in own.iterdir()] == ["secret.png"] and (
        own / "secret.png"
    ).read_bytes() == SECRET


# A name in the scenario, and what stands in the sketch's folder for it.
WAYS = {
    "up": "../own/secret.png",
    "up and down": "sub/../../own/secret.png",
    "absolute": "{home}/own/secret.png",
    "link": "link.png",
    "link to a folder": "folder/secret.png",
    "link to a link": "again.png",
    "new": "../own/new.png",
    "new through a link": "folder/new.png",
    "link to nothing": "lost.png",
}
PARTS = {
    "picture": "d: {type: ssd1306, picture: '@'}",
    "eeprom": "k: {type: eeprom, file: '@'}",
    "eeprom_24c": "k: {type: eeprom_24c, file: '@'}",
    "saves": "m: {type: sd_card, select: 10, image: card.img, saves: '@'}",
    "image": "m: {type: sd_card, select: 10, image: '@'}",
}


def links(home: Path) -> None:
    sketch = home / "sketch"
    (sketch / "sub").mkdir()
    (sketch / "link.png").symlink_to("../own/secret.png")
    (sketch / "folder").symlink_to("../own")
    (sketch / "again.png").symlink_to("link.png")
    (sketch / "lost.png").symlink_to("../own/new.png")
    (sketch / "card.img").write_bytes(bytes(512 * 1024))


@one_in(5)
@pytest.mark.parametrize("board", ["sim", "uno", "virt"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("part", PARTS)
def test_no_part_leads_out(home: Path, part: str, way: str, board: str) -> None:
    links(home)
    named = WAYS[way].format(home=home)
    scenario = home / "sketch" / "scenario.yaml"
    scenario.write_text(f"parts:\n  {PARTS[part].replace('@', named)}\n")
    done = run_hocket("run", home / "sketch", "--board", board, "--for", "10ms")
    assert done.returncode == 2, done.stdout
    assert f"{scenario}:2: " in done.stderr
    assert "leads out of the sketch's folder" in done.stdout + done.stderr
    assert f"--allow-path {home / 'own'}" in done.stderr
    assert unchanged(home)


def test_what_is_allowed_is_written_and_read(home: Path) -> None:
    links(home)
    (home / "sketch" / "inner").symlink_to("sub")
    parts = "  d: {type: ssd1306, picture: ../own/d.png}\n  k: {type: eeprom, file: inner/k.png}\n"
    (home / "sketch" / "scenario.yaml").write_text(f"parts:\n{parts}")
    command = ("run", home / "sketch", "--for", "10ms")
    assert run_hocket(*command).returncode == 2
    assert run_hocket(*command, "--allow-path", home / "sketch").returncode == 2
    done = run_hocket(*command, "--allow-path", home / "own")
    assert done.returncode == 0, done.stderr
    assert (home / "own" / "d.png").read_bytes().startswith(b"\x89PNG")
    assert (home / "sketch" / "sub" / "k.png").read_bytes()[5] == 0
    wrong = run_hocket(*command, "--allow-path", home / "nothing")
    assert "there is no such folder" in wrong.stderr


def test_a_scenario_that_is_named_has_its_own_folder_and_the_sketchs(home: Path) -> None:
    scenario = home / "bench" / "one.yaml"
    scenario.parent.mkdir()
    parts = "  d: {type: ssd1306, picture: d.png}\n  k: {type: eeprom, file: ../sketch/k.png}\n"
    scenario.write_text(f"parts:\n{parts}")
    done = run_hocket("run", home / "sketch", "--for", "10ms", "--scenario", scenario)
    assert done.returncode == 0, done.stderr
    assert (home / "bench" / "d.png").is_file() and (home / "sketch" / "k.png").is_file()


def test_two_parts_do_not_write_one_file(home: Path) -> None:
    (home / "sketch" / "scenario.yaml").write_text(
        "parts:\n  a: {type: eeprom, file: k.png}\n  b: {type: ssd1306, picture: ./k.png}\n"
    )
    done = run_hocket("run", home / "sketch", "--for", "10ms")
    assert done.returncode == 2
    assert "scenario.yaml:3: picture of b and file of a are both kept in ./k.png" in done.stderr


@pytest.mark.parametrize(
    ("setting", "what"),
    [
        ('scenario = "../own/secret.png"', "scenario leads out"),
        ('scenario = "link.png"', "scenario leads out"),
        ('libraries = ["../own"]', "libraries leads out"),
        ('libraries = ["folder"]', "libraries leads out"),
        ('libraries = ["/usr"]', "libraries leads out"),
        ('port = "link.png"', "is not a serial port"),
    ],
)
def test_settings_lead_nowhere_else(home: Path, setting: str, what: str) -> None:
    links(home)
    (home / "sketch" / "hocket.toml").write_text(f"seed = 1\n{setting}\n")
    if setting.startswith("port"):
        (home / "sketch" / "hocket.toml").write_text(f'port = "{home}/sketch/link.png"\n')
    done = run_hocket("check", home / "sketch")
    assert done.returncode == 2
    assert what in done.stderr and "hocket.toml:" in done.stderr
    assert b"nobody may" not in done.stderr.encode()
    assert unchanged(home)


@pytest.mark.parametrize(
    "name", ["scenario.yaml", "hocket.toml", "tab.ino", "a.cpp", "a.h", "a.test.yaml"]
)
def test_no_file_of_a_sketch_is_a_link_to_elsewhere(home: Path, name: str) -> None:
    (home / "sketch" / name).symlink_to("../own/secret.png")
    command = ("test",) if name == "a.test.yaml" else ("run", "--for", "10ms")
    done = run_hocket(*command, home / "sketch")
    assert done.returncode == 2
    assert "leads out of the sketch's folder" in done.stdout + done.stderr
    assert "nobody may" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "include",
    [
        '#include "../own/mine.h"',
        '#include "folder/mine.h"',
        '#include "{home}/own/mine.h"',
        '#define NAME "../own/mine.h"\n#include NAME',
        '#include "inner.h"',
    ],
)
def test_no_header_is_included_from_elsewhere(home: Path, include: str) -> None:
    sketch = home / "sketch"
    (home / "own" / "mine.h").write_text("#define MINE 1\n")
    (sketch / "folder").symlink_to("../own")
    (sketch / "inner.h").write_text('#include "../own/mine.h"\n')
    text = f"{include.format(home=home)}\n{SKETCH}\nstatic_assert(MINE == 1);\n"
    (sketch / "sketch.ino").write_text(text)
    for _ in range(2):  # also when nothing is compiled any more
        done = run_hocket("build", sketch)
        assert done.returncode == 2
        assert "a file that is included leads out of the sketch's folder" in done.stderr
    assert run_hocket("build", sketch, "--allow-path", home / "own").returncode == 0
    assert run_hocket("build", sketch).returncode == 2


@pytest.mark.parametrize("board", ["sim", "uno", "virt"])
def test_no_assembly_embeds_a_file_from_elsewhere(home: Path, board: str) -> None:
    """By a directive that the assembler makes of two parts: no text has its name."""
    sketch, secret = home / "sketch", home / "own" / "secret.txt"
    secret.write_text("mine")
    text = '.macro embed a, b\\n .\\\\a\\\\b \\"FILE\\"\\n .endm\\n embed inc, bin\\n'
    for file, status in ((secret, 2), (sketch / "own.txt", 0)):
        (sketch / "own.txt").write_text("ours")
        (sketch / "sketch.ino").write_text(f'asm("{text.replace("FILE", str(file))}");\n{SKETCH}\n')
        done = run_hocket("build", sketch, "--board", board)
        assert done.returncode == status, done.stderr
        assert status == 0 or "Could not find incbin file" in done.stderr
    (sketch / "sketch.ino").write_text(f'asm("{text.replace("FILE", str(secret))}");\n{SKETCH}\n')
    allowed = run_hocket("build", sketch, "--board", board, "--allow-path", home / "own")
    assert allowed.returncode == 0, allowed.stderr


def test_a_second_sketch_lies_in_the_folder(home: Path) -> None:
    other = home / "own" / "other"
    other.mkdir()
    (other / "other.ino").write_text("void setup() {}\nvoid loop() {}\n")
    (home / "sketch" / "scenario.yaml").write_text(
        "parts: {}\nboards: {o: {sketch: ../own/other}}\nwires: [{here: 3, o: 2}]\n"
    )
    done = run_hocket("check", home / "sketch", "--board", "uno")
    assert done.returncode == 0 or "leads out" in done.stderr
    done = run_hocket("run", home / "sketch", "--board", "uno", "--for", "10ms")
    assert done.returncode == 2
    assert "scenario.yaml:2: sketch of o leads out of the sketch's folder" in done.stderr


@pytest.mark.parametrize("name", [".git/config", ".envrc", "sub/.hidden/x", "link"])
def test_hidden_files_are_not_kept(home: Path, name: str) -> None:
    """A card's image may have any content, and git follows its settings: core.fsmonitor starts programs."""
    sketch = home / "sketch"
    for folder in (".git", "sub/.hidden"):
        (sketch / folder).mkdir(parents=True)
    (sketch / ".git" / "config").write_text("mine")
    (sketch / "link").symlink_to(".git/config")
    (sketch / "card.img").write_bytes(b"\n" * 512 * 1024)
    (sketch / "scenario.yaml").write_text(
        f"parts:\n  m: {{type: sd_card, select: 10, image: card.img, saves: {name}}}\n"
    )
    done = run_hocket("run", sketch, "--for", "10ms")
    assert done.returncode == 2
    assert "scenario.yaml:2: saves of m is a hidden file or lies in a hidden folder" in done.stderr
    assert (sketch / ".git" / "config").read_text() == "mine"


def test_a_device_is_not_read_to_its_end(home: Path) -> None:
    """One that has none fills no memory, whoever asks what it has included."""
    sketch = home / "sketch"
    (sketch / "zero.h").symlink_to("/dev/zero")
    (sketch / "sketch.ino").write_text(f'#include "zero.h"\n{SKETCH}')
    done = run_hocket("build", sketch)
    assert done.returncode == 2
    assert "a file that is included leads out of the sketch's folder" in done.stderr
    for _ in range(2):
        assert run_hocket("build", sketch, "--allow-path", "/dev").returncode == 0


def test_runs_of_a_campaign_write_nothing(home: Path) -> None:
    sketch = home / "sketch"
    (sketch / "card.img").write_bytes(bytes(512 * 1024))
    (sketch / "k.png").write_bytes(bytes(4096))
    (sketch / "scenario.yaml").write_text(
        "parts:\n  d: {type: ssd1306, picture: d.png}\n  k: {type: eeprom, file: k.png}\n"
        "  m: {type: sd_card, select: 10, image: card.img, saves: saved.img}\n"
    )
    done = run_hocket("sweep", sketch, "--seeds", "4", "--for", "10ms")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (sketch / "k.png").read_bytes() == bytes(4096)
    assert not (sketch / "d.png").exists() and not (sketch / "saved.img").exists()
