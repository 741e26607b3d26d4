"""Images of SD cards with a FAT16 file system and a few files, made without any tool."""

from __future__ import annotations

import struct
from collections.abc import Mapping

SECTOR = 512
_FAT_SECTORS = 64  # 16,384 clusters of one sector each
_ROOT_ENTRIES = 512
_DATA = 1 + 2 * _FAT_SECTORS + _ROOT_ENTRIES * 32 // SECTOR
SIZE = 8 * 1024 * 1024


def fat16(files: Mapping[str, bytes]) -> bytes:
    """8 MiB without a partition table. Names as on the card: `NOTES.TXT`."""
    sectors = SIZE // SECTOR
    boot = struct.pack(
        "<3s8sHBHBHHBHHHII",
        b"\xeb\x3c\x90",
        b"HOCKET  ",
        SECTOR,
        1,  # sector a cluster
        1,  # reserved sector: this one
        2,  # tables
        _ROOT_ENTRIES,
        sectors,
        0xF8,
        _FAT_SECTORS,
        32,
        2,
        0,
        0,
    )
    boot += struct.pack("<BBBI11s8s", 0x80, 0, 0x29, 1, b"CARD       ", b"FAT16   ")
    image = bytearray(SIZE)
    image[: len(boot)] = boot
    image[510:512] = b"\x55\xaa"
    table = [0xFFF8, 0xFFFF]
    for index, (name, content) in enumerate(files.items()):
        stem, _, suffix = name.partition(".")
        first = len(table) if content else 0
        clusters = -(-len(content) // SECTOR)
        table += [first + each + 1 for each in range(clusters)]
        if clusters:
            table[-1] = 0xFFFF
            begin = (_DATA + first - 2) * SECTOR
            image[begin : begin + len(content)] = content
        entry = struct.pack(
            "<11sB10xHHHI",
            f"{stem:<8}{suffix:<3}".encode(),
            0x20,
            0,
            (46 << 9) | (11 << 5) | 23,  # 2026-11-23
            first,
            len(content),
        )
        place = (1 + 2 * _FAT_SECTORS) * SECTOR + 32 * index
        image[place : place + 32] = entry
    packed = struct.pack(f"<{len(table)}H", *table)
    for copy in range(2):
        begin = (1 + copy * _FAT_SECTORS) * SECTOR
        image[begin : begin + len(packed)] = packed
    return bytes(image)


def files_of(image: bytes) -> dict[str, bytes]:
    """What is in the root of such an image, however it was changed meanwhile."""
    found = {}
    begin = (1 + 2 * _FAT_SECTORS) * SECTOR
    for place in range(begin, begin + 32 * _ROOT_ENTRIES, 32):
        entry = image[place : place + 32]
        if entry[0] in (0, 0xE5) or entry[11] & 0x18:
            continue
        stem, suffix = entry[:8].decode().rstrip(), entry[8:11].decode().rstrip()
        cluster, size = struct.unpack("<HI", entry[26:32])
        content = b""
        while len(content) < size:
            at = (_DATA + cluster - 2) * SECTOR
            content += image[at : at + SECTOR]
            (cluster,) = struct.unpack_from("<H", image, SECTOR + 2 * cluster)
        found[f"{stem}.{suffix}" if suffix else stem] = content[:size]
    return found
