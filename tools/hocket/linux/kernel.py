"""The kernel that runs beside Hocket: its package, and the check of its features."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from hocket.errors import HocketError
from hocket.linux.archive import Archive
from hocket.linux.machine import check_kernel, image_header
from hocket.linux.tree import Tree

# For each word of --beside, the package that depends on the newest kernel.
PACKAGES = {"linux": "linux-image-arm64", "linux-rt": "linux-image-rt-arm64"}

# Required options of its configuration, and the features that need them.
_NEEDED = {
    "CONFIG_BLK_DEV_INITRD": "a first file system in memory",
    "CONFIG_DEVTMPFS": "device files",
    "CONFIG_TMPFS": "files in memory",
    "CONFIG_SERIAL_AMBA_PL011_CONSOLE": "a console on this board",
    "CONFIG_ARM_GIC_V3": "interrupts on this board",
    "CONFIG_ARM_PSCI_FW": "cores that are started and stopped from below",
}
_NEEDED_BY = {"linux": _NEEDED, "linux-rt": _NEEDED | {"CONFIG_PREEMPT_RT": "real-time preemption"}}


@dataclass(frozen=True)
class Kernel:
    """A kernel. release: as `uname -r` prints it."""

    word: str
    package: str
    release: str


def check_word(word: str, where: str = "") -> None:
    """Raises HocketError if there is no such Linux. where: the option that names it, followed by a space."""
    if word not in PACKAGES:
        raise HocketError(
            f"{where}{word}: there is no such Linux",
            "there is Debian's kernel (linux), and the one with real-time preemption (linux-rt)",
            f"use {where}{' or '.join(PACKAGES)}",
        )


def find_kernel(archive: Archive, word: str) -> Kernel:
    """Returns the newest kernel of the archive. Raises HocketError if there is none."""
    check_word(word)
    for package in archive.dependencies(PACKAGES[word]):
        if package.startswith("linux-image-"):
            release = package.removeprefix("linux-image-").removesuffix("-unsigned")
            return Kernel(word, package, release)
    raise HocketError(
        f"the package {PACKAGES[word]} names no kernel",
        "Debian's packages depend on the newest kernel's",
        "use Debian 12's package sources: --sources FILE",
    )


def image_of(tree: Tree, kernel: Kernel) -> bytes:
    """Returns the kernel's Image from its unpacked package. Raises HocketError if it cannot be used here."""
    path = f"/boot/vmlinuz-{kernel.release}"
    if path not in tree.nodes:
        raise HocketError(
            f"the package {kernel.package} has no {path}",
            "Debian's packages have the kernel there",
            "use Debian 12's package sources: --sources FILE",
        )
    _check_features(tree, kernel)
    image = tree.read(path)
    if image.startswith(b"\x1f\x8b"):
        image = zlib.decompress(image, wbits=31)
    header = image_header(image)
    if header is None:
        raise HocketError(
            f"the kernel {kernel.release} is not in the form that is loaded as it is",
            "the file has not the head of an arm64 Image",
            "use the kernel of Debian 12",
        )
    check_kernel(header.size)
    return image


def _check_features(tree: Tree, kernel: Kernel) -> None:
    path = f"/boot/config-{kernel.release}"
    text = tree.read(path).decode() if path in tree.nodes else ""
    there = set(re.findall(r"(?m)^(CONFIG_\w+)=y$", text))
    for option, use in _NEEDED_BY[kernel.word].items():
        if option not in there:
            raise HocketError(
                f"the kernel {kernel.release} has no {use}",
                f"its configuration lacks {option}=y",
                "use the kernel of Debian 12, or give its package sources: --sources FILE",
            )
