"""The segments of a linked program that are to be loaded, from its program headers. A list of sections could
be incomplete."""

from __future__ import annotations

from pathlib import Path

LITTLE_64 = b"\x7fELF\x02\x01"  # the beginning of an ELF file of 64 bits, and of one of 32
LITTLE_32 = b"\x7fELF\x01\x01"


def load_segments(program: Path, kind: bytes) -> list[tuple[int, bytes]]:
    """Returns the physical address and the bytes of each segment. Raises ValueError if the file is not of
    this kind, or is truncated."""
    from elftools.common.exceptions import ELFError  # few commands need it
    from elftools.elf.elffile import ELFFile

    size = program.stat().st_size
    with program.open("rb") as stream:
        if stream.read(len(kind)) != kind:
            bits = 64 if kind == LITTLE_64 else 32
            raise ValueError(f"it is not a little-endian {bits}-bit ELF file")
        segments = []
        total = 0
        try:
            for segment in ELFFile(stream).iter_segments("PT_LOAD"):
                if segment["p_offset"] + segment["p_filesz"] > size:
                    raise ValueError("it is cut off")
                total += segment["p_filesz"]
                if total > size:
                    raise ValueError("its segments share bytes")
                if segment["p_filesz"] > 0:
                    segments.append((segment["p_paddr"], segment.data()))
        except (ELFError, OverflowError) as problem:
            raise ValueError(f"it is not a whole ELF file: {problem}") from problem
    return segments
