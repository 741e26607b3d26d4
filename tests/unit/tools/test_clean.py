"""`hocket clean`: what was built goes, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocket.commands import clean


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "build"
    for file in ("sketches/blink-1/blink", "sketches/blink-1/deep/unit.o", "sim/libhocket.a"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(b"x" * 1_000_000)
    monkeypatch.setattr(clean, "BUILD", folder)
    monkeypatch.setattr(clean, "SKETCHES", folder / "sketches")
    return folder


def test_sketches_programs_go(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert clean.clean_command(everything=False) == 0
    assert "removed 2 MB" in capsys.readouterr().out
    left = sorted(str(f.relative_to(built)) for f in built.rglob("*") if f.is_file())
    assert left == ["sim/libhocket.a", "sketches/blink-1/.lock"]


def test_all_of_it_goes(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert clean.clean_command(everything=True) == 0
    assert not built.exists()
    assert clean.clean_command(everything=True) == 0
    assert "nothing was built" in capsys.readouterr().out
