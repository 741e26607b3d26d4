"""Reads cpio archives of the «new ASCII» format, as the kernel does: several behind one another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    number: int
    mode: int
    time: int
    content: bytes


def read_archive(data: bytes) -> dict[str, File]:
    """All entries by their names, in the order of the archives; a later one counts."""
    files: dict[str, File] = {}
    at = 0
    while at < len(data):
        if data[at] == 0:
            assert data[at : at + 4] == bytes(4), "zeros between archives are whole words"
            at += 4
            continue
        assert data[at : at + 6] == b"070701" and at % 4 == 0
        fields = [int(data[at + 6 + 8 * i : at + 14 + 8 * i], 16) for i in range(13)]
        name_size, size = fields[11], fields[6]
        name = data[at + 110 : at + 110 + name_size - 1].decode()
        begin = -(-(at + 110 + name_size) // 4) * 4
        at = -(-(begin + size) // 4) * 4
        if name != "TRAILER!!!":
            files[name] = File(fields[0], fields[1], fields[5], data[begin : begin + size])
    return files
