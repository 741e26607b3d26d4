"""The kernel's modules in the order in which they must be loaded.

Debian's packages contain no modules.dep (depmod makes it on installation), so the order comes from the
modules themselves. The section .modinfo of each names the modules that it `depends` on, and those that must
be loaded before (`softdep=pre:`).
"""

from __future__ import annotations

import lzma
import posixpath
import re
from collections.abc import Sequence

from hocket.errors import HocketError
from hocket.linux.tree import Tree

# Aliases in dependencies, and the modules that provide them.
_ALIASES = {"crypto_crc32c": "crc32c_generic", "crypto-crc32c": "crc32c_generic"}


class KernelModules:
    """The modules of one kernel in an unpacked tree."""

    def __init__(self, tree: Tree, release: str) -> None:
        self._tree = tree
        self._folder = f"/usr/lib/modules/{release}"
        self._files = {_name(path): path for path in tree.below(self._folder) if _is_module(path)}
        builtin = f"{self._folder}/modules.builtin"
        lines = tree.read(builtin).decode().split() if builtin in tree.nodes else []
        self._builtin = {_name(line) for line in lines}

    def in_order(self, wanted: Sequence[str]) -> list[tuple[str, bytes]]:
        """Returns names and contents of the modules and their dependencies, each after what it needs. Raises
        HocketError if the kernel lacks one."""
        order: dict[str, bytes] = {}
        for name in wanted:
            self._add(name, order, ())
        return list(order.items())

    def _add(self, name: str, order: dict[str, bytes], chain: tuple[str, ...]) -> None:
        name = _ALIASES.get(name, name).replace("-", "_")
        if name in self._builtin or name in order or name in chain:
            return
        if name not in self._files:
            by = f", which {chain[-1]} needs" if chain else ""
            raise HocketError(
                f"the kernel has no module {name}{by}",
                "the package of this kernel no longer contains it, or has it under another name",
                "use Debian 12's kernel, or report this with the kernel's version",
            )
        content = self._content(self._files[name])
        for other in _needs(content):
            self._add(other, order, (*chain, name))
        order[name] = content

    def _content(self, path: str) -> bytes:
        content = self._tree.read(path)
        return lzma.decompress(content) if path.endswith(".xz") else content


def _needs(content: bytes) -> list[str]:
    names: list[str] = []
    for depends in re.findall(rb"\0depends=([^\0]*)\0", content)[:1]:
        names += [name for name in depends.decode().split(",") if name]
    for before in re.findall(rb"\0softdep=pre: ([^\0]*)\0", content):
        names += [name for name in before.decode().split("post:")[0].split() if name in _ALIASES]
    return names


def _is_module(path: str) -> bool:
    return path.endswith((".ko", ".ko.xz"))


def _name(path: str) -> str:
    return posixpath.basename(path).split(".")[0].replace("-", "_")
