"""Starts further Python processes with the same interpreter and the same packages.

The launchers (`hocket` in a checkout, /usr/bin/hocket of the Debian package) set the folder of the packages
in PYTHONPATH, which every process inherits. The interpreter of an environment (pipx) finds its packages by
itself. The current folder is the user's: a file in it must not be imported as one of Python's modules.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def python_module(module: str, *words: str) -> list[str]:
    """Returns the command that runs a module."""
    return [sys.executable, "-P", "-m", module, *words]


@contextmanager
def own_modules() -> Iterator[None]:
    """Sets PYTHONSAFEPATH for processes that multiprocessing starts. It passes -P on only if this process has
    it."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before
