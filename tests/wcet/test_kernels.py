"""Bounds of functions with known worst inputs: never below what simavr sees, and not far above it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.wcet.kernels import KERNELS, Kernel
from tests.wcet.programs import COMPILERS, build


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_bound_holds_and_is_close(kernel: Kernel, compiler: str, tmp_path: Path) -> None:
    built = build(kernel.source, tmp_path, compiler, kernel.worst)
    bound = built.bound()
    if compiler == "gcc" and bound.unknown:
        return  # avr-gcc ends loops by pointers, and has no scalar evolution to ask
    assert not bound.unknown
    calls, longest = built.seen()
    assert calls > 500
    print(f"{kernel.name} {compiler}: bound {bound.cycles}, seen {longest}")
    assert longest <= bound.cycles <= longest * kernel.ratio
