"""More words for the emulator: for as long as they are asked for, and before its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hocket.emulator import EMULATOR, with_words
from hocket.errors import HocketError


def test_the_emulator_begins_with_these_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, between = tmp_path / "real", tmp_path / "between"
    for folder in (real, between):
        folder.mkdir()
    (real / EMULATOR).write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    (real / EMULATOR).chmod(0o755)
    monkeypatch.setenv("PATH", f"{real}:/usr/bin:/bin")

    def said() -> str:
        return subprocess.run([EMULATOR, "own"], capture_output=True, text=True, check=True).stdout

    with pytest.raises(ZeroDivisionError), with_words(between, ["-D", tmp_path / "a b"]):
        assert said() == f"-D|{tmp_path}/a b|own|"
        raise ZeroDivisionError
    assert said() == "own|"
    monkeypatch.setenv("PATH", "/nothing")
    with pytest.raises(HocketError, match="is not installed"), with_words(between, []):
        pass
