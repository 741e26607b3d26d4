"""How this command starts another Python process: with the same interpreter and the same packages.

The launchers (`hocket` in a checkout, /usr/bin/hocket of the Debian package) name the folder of the packages
in PYTHONPATH, which every process inherits. The interpreter of an environment (pipx) finds them by itself.
The current folder is the user's: a file in it must not be taken for one of Python's modules.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def python_module(module: str, *words: str) -> list[str]:
    """The command that runs a module."""
    return [sys.executable, "-P", "-m", module, *words]


@contextmanager
def own_modules() -> Iterator[None]:
    """For processes that multiprocessing starts: it gives them -P only when this one has it."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before
