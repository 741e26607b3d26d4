"""When an object is current (hocket.builder.compile)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hocket.builder import avr_code
from hocket.builder import compile as compiling
from hocket.builder.compile import Unit, compile_unit


def test_one_whose_header_changed_meanwhile_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, header = tmp_path / "part.cpp", tmp_path / "part.h"
    source.write_text('#include "part.h"\nint value = VALUE;\n')
    header.write_text("#define VALUE 1\n")
    unit = Unit(source, tmp_path / "o" / "part.o", ("clang++-19",))
    really_run = compiling.run

    def and_edit(command: list[str]) -> subprocess.CompletedProcess[str]:
        done = really_run(command)
        header.write_text("#define VALUE 2\n")
        return done

    monkeypatch.setattr(compiling, "run", and_edit)
    compile_unit(unit)
    monkeypatch.setattr(compiling, "run", really_run)
    assert [compile_unit(unit).built for _ in range(2)] == [True, False]


def test_one_of_another_version_of_the_builder_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, mends = tmp_path / "part.cpp", tmp_path / "mends.py"
    source.write_text("int value;\n")
    mends.write_text("# mends nothing\n")
    monkeypatch.setattr(avr_code, "__file__", str(mends))
    unit = Unit(source, tmp_path / "o" / "part.o", ("clang++-19",))
    built = []
    for text in ("# mends nothing\n", "# mends something\n"):
        mends.write_text(text)
        compiling._mends.cache_clear()
        built += [compile_unit(unit).built for _ in range(2)]
    compiling._mends.cache_clear()
    assert built == [True, False, True, False]
