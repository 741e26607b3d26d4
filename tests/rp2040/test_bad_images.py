"""Files that are no programs for the RP2040: each is refused in words that name it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rp2040.bare_programs import Target, compiled, run_here

UNUSABLE = 2


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "neither an ELF nor a UF2 file"),
        (b"\x7fELF", "cut short"),
        (b"UF2\n" + bytes(509), "no multiple of 512 bytes"),
        (Path("/bin/true").read_bytes(), "no linked program for an Arm processor of 32 bits"),
    ],
    ids=["empty", "short", "uneven", "of this computer"],
)
def test_a_file_is_refused_by_name(content: bytes, says: str, tmp_path: Path) -> None:
    file = tmp_path / "image.bin"
    file.write_bytes(content)
    done = run_here(file)
    assert done.returncode == UNUSABLE
    assert f"{file} cannot be run: " in done.stderr
    assert says in done.stderr


def test_a_missing_file(tmp_path: Path) -> None:
    done = run_here(tmp_path / "none.uf2")
    assert done.returncode == UNUSABLE
    assert "it cannot be read" in done.stderr


def test_a_program_for_other_addresses(tmp_path: Path) -> None:
    elsewhere = Target(0x08000000, 0x20000000)
    done = run_here(compiled("exceptions", elsewhere, tmp_path / "image.elf"))
    assert done.returncode == UNUSABLE
    assert "bytes for 0x08000000, where the chip has neither flash nor RAM" in done.stderr


def test_a_program_in_flash_without_boot_loader(tmp_path: Path) -> None:
    in_flash = Target(0x10000000, 0x20000000)
    done = run_here(compiled("exceptions", in_flash, tmp_path / "image.elf"))
    assert done.returncode == UNUSABLE
    assert "the checksum of the boot loader in its first 256 bytes" in done.stderr
