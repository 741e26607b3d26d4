"""The memory layout of the board `virt` when a Linux system runs beside Hocket, and the checks of it.

``` 0x40000000  memory of Linux begins 0x40400000  KERNEL   the kernel's Image, from its package 0x46f00000
FIFOS    64 KiB shared by both systems: the FIFOs, reserved in Linux 0x47000000  TREE     the device tree
0x48000000  ROOT     the first file system: the archive of the packages, then that of the run
            … the end of the memory
```

The kernel at the higher level has its own memory (secure flash at 0, secure RAM at 0x0e000000). All sizes and
addresses are bytes. Linux, Documentation/arm64/booting.rst: the Image lies at a multiple of 2 MiB, the device
tree (2 MiB at most) and the archives anywhere.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from hocket.errors import HocketError

MIB = 1024 * 1024

RAM_BEGIN = 0x4000_0000
KERNEL = 0x4040_0000
FIFOS = 0x46F0_0000
FIFOS_SIZE = 0x1_0000
TREE = 0x4700_0000
TREE_MOST = 2 * MIB
ROOT = 0x4800_0000

FIFO_SPI = 100  # shared peripheral interrupt of the FIFOs, edge-triggered
MOST_CORES = 4

# The memory sizes for --memory.
MEMORIES = {"512M": 512 * MIB, "1G": 1024 * MIB}

# The memory that the kernel takes before the first file system is unpacked: its code and data, the page
# descriptions (64 bytes for each of 4 KiB), and memory for devices.
_KERNELS_OWN = 112 * MIB
# Memory that is reserved for programs.
_LEFT_FOR_PROGRAMS = 32 * MIB


def memory_size(word: str) -> int:
    """Returns the size that --memory names. Raises HocketError for any other word."""
    if word not in MEMORIES:
        raise HocketError(
            f"--memory {word} cannot be had",
            "the Linux beside is made for two sizes of memory",
            f"use --memory {' or --memory '.join(MEMORIES)}",
        )
    return MEMORIES[word]


@dataclass(frozen=True)
class ImageHeader:
    """The header of an arm64 Image. size: the memory from its load address on."""

    size: int


def image_header(image: bytes) -> ImageHeader | None:
    """Reads the header of an Image (Linux, Documentation/arm64/booting.rst, "Call the kernel image"). None:
    not an Image."""
    if len(image) < 64 or image[56:60] != b"ARM\x64":
        return None
    (size,) = struct.unpack_from("<Q", image, 16)
    return ImageHeader(max(size, len(image)))


def check_kernel(size: int) -> None:
    """Raises HocketError if the kernel would overlap the FIFOs."""
    if KERNEL + size > FIFOS:
        raise HocketError(
            "the kernel is too big for its place in the memory",
            f"it takes {size // MIB} MiB, and there are {(FIFOS - KERNEL) // MIB} MiB",
            "use the kernel of Debian 12",
        )


def most_archive(memory: int, unpacked: int) -> int:
    """Returns the most bytes of archives whose files take this much memory. The first file system gets half
    of the memory that remains beside the kernel and the archives (tmpfs(5), `size`)."""
    return memory - _KERNELS_OWN - 2 * (unpacked + _LEFT_FOR_PROGRAMS // 2)


def check_root(memory: int, archive: int, unpacked: int, way_out: str) -> None:
    """Raises HocketError if the kernel could not unpack all of the archives.

    archive   bytes of all archives together
    unpacked  bytes that their files take in memory: whole pages
    """
    needed = archive + memory - most_archive(memory, unpacked)
    if needed > memory:
        raise HocketError(
            f"a root of {archive // MIB} MiB is too big for {memory // MIB} MiB of memory",
            f"while it starts, Linux needs {needed // MIB} MiB: for the archive, and twice for its files",
            way_out,
        )
