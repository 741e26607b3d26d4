"""The content of the root of the Linux system: packages, and the files used of them.

Of the listed packages only the files are used that the programs named here need (closure.py). Of a package
that the user adds, and of its dependencies, everything is used except documentation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError
from hocket.linux import cpio
from hocket.linux.closure import Closure
from hocket.linux.modules import KernelModules
from hocket.linux.tree import Tree

INIT = Path(__file__).parent / "init.sh"


@dataclass(frozen=True)
class Contents:
    """programs: paths of files and links, or patterns of them (regular expressions of a whole path)."""

    packages: tuple[str, ...]
    programs: tuple[str, ...]
    data: tuple[str, ...] = ()


SMALL = Contents(
    (
        *(
            "busybox-static",
            "dash",
            "rt-tests",
            "stress-ng",
            "iperf3",
            "bonnie++",
            "gpiod",
            "e2fsprogs",
        ),
        *("python3", "python3-libgpiod"),
    ),
    (
        *(
            "/usr/bin/busybox",
            "/usr/bin/(da)?sh",
            "/usr/bin/cyclictest",
            "/usr/bin/hackbench",
            "/usr/bin/stress-ng",
        ),
        *(
            "/usr/bin/iperf3",
            "/usr/sbin/bonnie\\+\\+",
            "/usr/bin/gpio(get|set|mon|info|detect|find)",
        ),
        *("/usr/sbin/mke2fs", "/usr/sbin/mkfs\\.ext4", "/usr/bin/python3(\\.\\d+)?"),
    ),
    ("/etc/mke2fs\\.conf", "/usr/lib/python3(\\.\\d+)?/.*"),
)
LARGE = Contents(
    (*SMALL.packages, "mplayer"),
    (*SMALL.programs, "/usr/bin/mplayer"),
    (*SMALL.data, "/etc/mplayer/.*", "/usr/share/fontconfig/.*"),
)
BY_MEMORY = {"512M": SMALL, "1G": LARGE}

# Modules that init.sh loads: a file system for disks in files, which bonnie++ needs.
MODULES = ("crc32c_generic", "ext4", "loop")

_DOCUMENTATION = re.compile(
    r"/usr/(share/(doc|doc-base|man|info|locale|lintian|bug|menu|applications|icons|bash-completion"
    r"|zsh|perl5/Debconf|debconf|python3/runtime\.d|reportbug|initramfs-tools|gdb|pixmaps)|games|include"
    r"|lib/(valgrind|debug|systemd|udev))/.*|/var/(lib|cache)/.*|/etc/(init\.d|cron\.[a-z]+|pam\.d)/.*"
)
_NOT_OF_PYTHON = re.compile(
    r".*/(test|tests|__pycache__|ensurepip|idlelib|tkinter|lib2to3|pydoc_data|distutils|turtledemo|"
    r"config-[^/]*)(/.*)?"
)
# Files of a kernel's package: the kernel, its configuration, and its modules.
_OF_KERNEL = re.compile(
    r"/boot/(vmlinuz|config)-.*|/usr/lib/modules/[^/]+/(kernel/.*|modules\.builtin)"
)


def wanted_file(path: str) -> bool:
    """Returns whether a package's file can be of use here."""
    return not _DOCUMENTATION.fullmatch(path)


def wanted_of_kernel(path: str) -> bool:
    return bool(_OF_KERNEL.fullmatch(path))


def choose(tree: Tree, contents: Contents, added: Sequence[str]) -> list[str]:
    """Returns the paths of the tree that the root contains. Raises HocketError if a program does not exist or
    lacks a library."""
    closure = Closure(tree)
    paths = [path for path in sorted(tree.nodes) if not tree.nodes[path].mode & 0o040000]
    for program in contents.programs:
        found = [closure.add(path) for path in paths if re.fullmatch(program, path)]
        if not any(found):
            raise HocketError(
                f"no package contains {program}",
                "a package of this Debian has other files than Debian 12's",
                "use Debian 12's package sources: --sources FILE",
            )
    if closure.lacking:
        library, program = sorted(closure.lacking)[0]
        raise HocketError(
            f"{program} needs {library}, which no package contains",
            "packages of different releases of Debian may have come together",
            "read the package lists again: hocket linux build --refresh",
        )
    for pattern in contents.data:
        of_data = (path for path in paths if re.fullmatch(pattern, path))
        closure.add_all(path for path in of_data if not _NOT_OF_PYTHON.fullmatch(path))
    closure.add_all(added)
    return sorted(closure.paths)


def entries(
    tree: Tree, paths: Sequence[str], modules: list[tuple[str, bytes]], release: str
) -> list[cpio.Entry]:
    """Returns the archive's entries: these files, the kernel's modules, and the files that are in no
    package."""
    found = [_entry(tree, path) for path in paths]
    folder = f"/usr/lib/modules/{release}"
    found += [cpio.file(f"{folder}/{name}.ko", content) for name, content in modules]
    found.append(cpio.file(f"{folder}/order", "".join(f"{name}\n" for name, _ in modules).encode()))
    found += [cpio.link(f"/{name}", f"usr/{name}") for name in ("bin", "sbin", "lib")]
    for name in (
        "dev",
        "hocket",
        "mnt",
        "proc",
        "root",
        "run",
        "sys",
        "tmp",
        "var/tmp",
        "usr/sbin",
    ):
        found.append(cpio.folder(f"/{name}", 0o1777 if name.endswith("tmp") else 0o755))
    found.append(cpio.Entry("/dev/console", 0o020600, device=(5, 1)))
    found.append(cpio.file("/init", INIT.read_bytes(), 0o755))
    found.append(cpio.file("/etc/passwd", b"root:x:0:0:root:/root:/bin/sh\n"))
    found.append(cpio.file("/etc/group", b"root:x:0:\n"))
    found.append(cpio.file("/etc/hosts", b"127.0.0.1 localhost hocket\n"))
    found.append(cpio.file("/etc/nsswitch.conf", b"hosts: files\n"))
    return found


def kernel_modules(tree: Tree, release: str) -> list[tuple[str, bytes]]:
    return KernelModules(tree, release).in_order(MODULES)


def _entry(tree: Tree, path: str) -> cpio.Entry:
    node = tree.nodes[path]
    if node.is_link():
        return cpio.link(path, node.link)
    if node.is_file():
        return cpio.Entry(path, node.mode, tree.read(path))
    return cpio.Entry(path, node.mode)
