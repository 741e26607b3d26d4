"""A command whose standard input was closed before it began (`<&-`), and keys that cannot be read singly."""

from __future__ import annotations

import sys
import termios
from pathlib import Path

import pytest

from hocket import keys
from hocket.commands import monitor
from hocket.errors import HocketError
from hocket.running import input as live


def test_keys_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert keys.standard_input() is None
    with keys.unbuffered_keys():
        pass
    with live.keys_to_serial() as found:
        assert found.options[0] == "--live"


def test_a_monitor_shows_what_comes_until_its_board_has_gone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    file = tmp_path / "line"
    file.write_bytes(b"hello")
    with file.open("rb") as line, pytest.raises(HocketError, match="is gone"):
        monitor._connect(file, line.fileno())
    assert capfdbinary.readouterr().out == b"hello"


def test_what_is_wrong_with_the_terminal_is_what_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not that threads were never started."""

    def fails() -> None:
        raise termios.error(5, "Input/output error")

    monkeypatch.setattr(live, "unbuffered_keys", fails)
    with pytest.raises(termios.error, match="Input/output error"), live.keys_to_serial():
        pass
