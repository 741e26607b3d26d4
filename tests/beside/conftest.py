"""What the tests of the Linux beside share: the Debian itself, made once (and kept in build/linux)."""

from __future__ import annotations

import pytest

from hocket.linux.build import Linux, Wish, build


@pytest.fixture(scope="session")
def linux() -> Linux:
    return build(Wish())


@pytest.fixture(scope="session")
def linux_rt() -> Linux:
    return build(Wish("linux-rt"))
