"""The memory card of a Raspberry Pi: its files, and how `hocket flash` writes them."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocket.card import CONFIG, FIRMWARE, KERNEL, LOAD_ADDRESS, README, card_files, flatten
from hocket.commands.flash import check_card, file_system, missing_firmware, write_card
from hocket.errors import HocketError

Segment = tuple[int, bytes]


def elf(segments: list[Segment], virtual_offset: int = 0xFFFF_FF80_0000_0000) -> bytes:
    """An executable with these segments at their physical addresses, the kernel's way."""
    head, entry = 64, 56
    offset = head + entry * (len(segments) + 1)
    table, body = b"", b""
    for address, content in segments:
        virtual = (virtual_offset + address) % 2**64
        place = offset + len(body)
        # Of what is in memory only a part is in the file, as with .bss.
        memory = len(content) + 0x1000
        table += struct.pack(
            "<IIQQQQQQ", 1, 5, place, virtual, address, len(content), memory, 0x1000
        )
        body += content
    table += struct.pack(
        "<IIQQQQQQ", 0x6474E551, 6, 0, 0, 0, 0, 0, 16
    )  # GNU_STACK: nothing to load
    start = b"\x7fELF\x02\x01\x01" + bytes(9)
    start += struct.pack("<HHIQQQIHHHHHH", 2, 183, 1, 0, head, 0, 0, head, entry, 2, 0, 0, 0)
    start = start[:56] + struct.pack("<H", len(segments) + 1) + start[58:]
    return start + table + body


def program(tmp_path: Path, data: bytes) -> Path:
    file = tmp_path / "kernel.elf"
    file.write_bytes(data)
    return file


def test_segments_lie_where_the_firmware_puts_them(tmp_path: Path) -> None:
    file = program(tmp_path, elf([(LOAD_ADDRESS + 0x20, b"data"), (LOAD_ADDRESS, b"start")]))
    assert flatten(file) == b"start" + bytes(0x20 - 5) + b"data"


@given(
    gaps=st.lists(st.tuples(st.integers(0, 5000), st.binary(min_size=1, max_size=300)), max_size=6)
)
def test_every_byte_is_at_its_address(
    tmp_path_factory: pytest.TempPathFactory, gaps: list[Segment]
) -> None:
    segments, address = [(LOAD_ADDRESS, b"\x01")], LOAD_ADDRESS + 1
    for gap, content in gaps:
        segments.append((address + gap, content))
        address += gap + len(content)
    image = flatten(program(tmp_path_factory.mktemp("elf"), elf(segments)))
    assert len(image) == address - LOAD_ADDRESS
    for place, content in segments:
        assert image[place - LOAD_ADDRESS :][: len(content)] == content


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"", "not a little-endian 64-bit ELF"),
        (b"#!/bin/sh\n" * 20, "not a little-endian 64-bit ELF"),
        (elf([(LOAD_ADDRESS, b"x")])[:70], "not a whole ELF file"),
        (elf([(LOAD_ADDRESS, b"x" * 100)])[:-1], "it is cut off"),
        (elf([]), "it begins nowhere"),
        (elf([(0x4008_0000, b"x")]), "it begins at 0x40080000, not at 0x80000"),
        (elf([(LOAD_ADDRESS, b"x"), (1 << 40, b"x")]), "it has "),
    ],
)
def test_what_cannot_be_put_onto_a_card(tmp_path: Path, data: bytes, cause: str) -> None:
    with pytest.raises(HocketError) as error:
        flatten(program(tmp_path, data))
    assert cause in error.value.cause
    assert error.value.exit_code == 70


def files(tmp_path: Path) -> dict[str, bytes]:
    return card_files(program(tmp_path, elf([(LOAD_ADDRESS, b"kernel")])), "blink")


def test_the_files_say_what_is_missing(tmp_path: Path) -> None:
    made = files(tmp_path)
    assert set(made) == {KERNEL, CONFIG, README}
    assert made[KERNEL] == b"kernel"
    assert b"arm_64bit=1\n" in made[CONFIG]
    assert f"kernel={KERNEL}\n".encode() in made[CONFIG]
    for name in (*FIRMWARE, "blink"):
        assert name in made[README].decode()


# --- Writing ---


def card(tmp_path: Path, *names: str) -> Path:
    folder = tmp_path / "card"
    folder.mkdir()
    for name in names:
        (folder / name).write_text(f"the card's own {name}")
    return folder


def test_another_systems_files_are_kept_once(tmp_path: Path) -> None:
    folder = card(tmp_path, "bootcode.bin", KERNEL, CONFIG)
    made = files(tmp_path)
    assert write_card(folder, made) == [KERNEL, CONFIG]
    assert (folder / KERNEL).read_bytes() == b"kernel"
    assert write_card(folder, made | {KERNEL: b"another"}) == []
    assert (folder / KERNEL).read_bytes() == b"another"
    kept = folder / f"{KERNEL}.before-hocket"
    assert kept.read_text() == f"the card's own {KERNEL}"


def test_missing_firmware_is_named_whatever_its_case(tmp_path: Path) -> None:
    assert missing_firmware(card(tmp_path, "BOOTCODE.BIN", "start.elf")) == ["fixup.dat"]


MOUNTS = (
    "/dev/sda1 / ext4 rw 0 0\n"
    "/dev/sdb1 {folder} ext4 rw 0 0\n"
    "/dev/sdb1 {folder} vfat rw,uid=1000 0 0\n"
    "half a line\n"
)


def test_the_file_system_is_that_of_the_folder_itself(tmp_path: Path) -> None:
    folder = tmp_path / "my card"
    folder.mkdir()
    mounts = MOUNTS.format(folder=str(folder).replace(" ", "\\040"))
    assert file_system(folder, mounts) == "vfat"
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert file_system(link, mounts) == "vfat"
    assert file_system(tmp_path, mounts) is None


def test_a_folder_that_is_no_card_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    monkeypatch.setattr("hocket.commands.flash.MOUNTS", mounts)
    folder = card(tmp_path, *FIRMWARE)

    def refusal(text: str) -> str:
        mounts.write_text(text)
        with pytest.raises(HocketError) as error:
            check_card(folder, force=False)
        return str(error.value)

    assert "nothing is mounted at this folder" in refusal("/dev/sda1 / ext4 rw 0 0\n")
    assert "its file system is ext4" in refusal(f"/dev/sdb1 {folder} ext4 rw 0 0\n")
    check_card(folder, force=True)
    fat = f"/dev/sdb1 {folder} vfat rw 0 0\n"
    mounts.write_text(fat)
    check_card(folder, force=False)
    (folder / "start.elf").unlink()
    assert "the card lacks start.elf" in refusal(fat)
    check_card(folder, force=True)
    with pytest.raises(HocketError, match="there is no folder"):
        check_card(tmp_path / "nowhere", force=True)
