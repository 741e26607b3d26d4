"""`hocket flash --board uno`: the real avrdude against a boot loader on a pseudo terminal, and what its
failures are called."""

from __future__ import annotations

import errno
import os
import pty
import re
import threading
import tty
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.campaign import long_form, one_in
from tests.commands import Done, run_entry

from hocket import avrdude, serial_ports
from hocket.avrdude import check_baud, flash_error
from hocket.boards import Board, find_board
from hocket.errors import HocketError
from hocket.serial_ports import chosen_port, why_not

ROOT = Path(__file__).resolve().parents[3]


UNO = find_board("uno")
NANO = find_board("nano")


class BootLoader(threading.Thread):
    """Speaks STK500 version 1 (Atmel application note AVR061), as far as avrdude asks."""

    OK, IN_SYNC, END = b"\x10", b"\x14", 0x20

    def __init__(self, signature: bytes = b"\x1e\x95\x0f", answers: bool = True) -> None:
        super().__init__(daemon=True)
        self.end, self.port = pty.openpty()
        tty.setraw(self.port)
        self.signature, self.answers = signature, answers
        self.flash = bytearray(b"\xff" * 32768)
        self.address = 0

    def run(self) -> None:
        try:
            while command := self._read(1):
                answer = self._answer(command)
                if self.answers:
                    os.write(self.end, self.IN_SYNC + answer + self.OK)
        except OSError:
            return  # the test is over

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            data += os.read(self.end, size - len(data))
        return data

    def _answer(self, command: bytes) -> bytes:
        answer = b""
        if command == b"A":  # a parameter
            self._read(1)
            answer = b"\x03"
        elif command in (b"B", b"E"):  # the device's properties
            self._read(20 if command == b"B" else 5)
        elif command == b"U":  # load address, in words
            self.address = 2 * int.from_bytes(self._read(2), "little")
        elif command == b"V":  # a command for the processor itself: reading fuses and the like
            what = self._read(4)
            answer = self.signature[what[2] : what[2] + 1] if what[0] == 0x30 else b"\x00"
        elif command == b"d":  # program a page
            size = int.from_bytes(self._read(3)[:2], "big")
            self.flash[self.address : self.address + size] = self._read(size)
        elif command == b"t":  # read a page
            size = int.from_bytes(self._read(3)[:2], "big")
            answer = bytes(self.flash[self.address : self.address + size])
        elif command == b"u":
            answer = self.signature
        assert self._read(1)[0] == self.END
        return answer

    def close(self) -> None:
        os.close(self.port)
        os.close(self.end)


@pytest.fixture
def loader() -> Iterator[BootLoader]:
    loader = BootLoader()
    loader.start()
    yield loader
    loader.close()


def flash(port: str | Path | None, path: str | None = None, sketch: str = "blink") -> Done:
    where = [] if port is None else ["--port", str(port)]
    command: list[str | Path] = ["flash", ROOT / "examples" / sketch, "--board", "uno", *where]
    return run_entry(*command, environment={"PATH": path} if path else None)


def contents(hex_file: Path) -> bytes:
    """Flash as the file says, up to its last byte (Intel's specification of 1988)."""
    image = bytearray()
    for line in hex_file.read_text().splitlines():
        data = bytes.fromhex(line[1:])
        assert sum(data) % 256 == 0
        if data[3] == 0:
            address = int.from_bytes(data[1:3], "big")
            assert address == len(image)  # without gaps
            image += data[4:-1]
    return bytes(image)


def test_the_sketch_arrives_in_flash(loader: BootLoader, tmp_path: Path) -> None:
    done = flash(os.ttyname(loader.port))
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"wrote blink to the Uno on {os.ttyname(loader.port)}: it runs\n"
    assert "100%" in done.stderr  # avrdude's progress
    file = tmp_path / "blink.hex"
    built = run_entry("build", ROOT / "examples/blink", "--board", "uno", "-o", file)
    assert built.stdout.strip() == str(file)
    image = contents(file)
    assert 400 < len(image) < 1200
    assert loader.flash[: len(image)] == image


def test_what_cannot_be_guaranteed_is_not_written(loader: BootLoader) -> None:
    done = flash(os.ttyname(loader.port), sketch="too-much")
    assert done.returncode == 3
    assert "hocket: refused: loop 2 asks for" in done.stderr
    assert loader.flash == b"\xff" * len(loader.flash)


@long_form
def test_another_processor_is_named(loader: BootLoader) -> None:
    loader.signature = b"\x1e\x98\x01"  # of a Mega
    done = flash(os.ttyname(loader.port))
    assert done.returncode == 2
    assert "cause: the processor there is not an ATmega328P" in done.stderr


@long_form
def test_nobody_answers(loader: BootLoader) -> None:
    loader.answers = False
    done = flash(os.ttyname(loader.port))
    assert done.returncode == 2
    assert "cause: no boot loader of an Uno answers there" in done.stderr
    assert "next:  check that it is the Uno's port" in done.stderr


@one_in(3)
@pytest.mark.parametrize(
    ("port", "text"),
    [
        (None, "hocket: no serial port was given for the Uno"),
        ("/dev/no-such-port", "hocket: /dev/no-such-port cannot be opened"),
        (Path(__file__), f"hocket: {Path(__file__)} is not a serial port"),
    ],
)
def test_a_port_that_is_none(port: str | Path | None, text: str) -> None:
    done = flash(port)
    assert done.returncode == 2
    assert done.stderr.startswith(text)
    assert "  next:  " in done.stderr


def test_without_rights_the_group_is_named() -> None:
    cause, next_step = why_not(PermissionError())
    assert (cause, "dialout" in next_step) == ("permission denied", True)
    error = flash_error(
        Path("/dev/x"), "avrdude OS error: cannot open port /dev/x: Permission denied\n", UNO
    )
    assert (error.cause, error.next_step) == (cause, next_step)


def test_the_only_port_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And of several none is: a sketch must not end up on another board."""
    devices = serial_ports.serial_ports
    monkeypatch.setattr(serial_ports, "serial_ports", lambda: devices(tmp_path))
    with pytest.raises(HocketError, match="which one") as raised:
        chosen_port(None, "which one")
    assert raised.value.cause == "this computer has no serial adapter now"
    (tmp_path / "ttyACM0").touch()
    assert chosen_port(None, "which one") == tmp_path / "ttyACM0"
    assert f"the serial port is {tmp_path}/ttyACM0, the only one" in capsys.readouterr().err
    (tmp_path / "ttyUSB0").touch()
    with pytest.raises(HocketError, match="which one") as raised:
        chosen_port(None, "which one")
    assert raised.value.cause == f"there are {tmp_path}/ttyUSB0, {tmp_path}/ttyACM0"
    assert chosen_port(Path("/dev/x"), "which one") == Path("/dev/x")


def test_the_rate_of_another_boot_loader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """avrdude is played by a program that notes its words."""
    noted = tmp_path / "words"
    program = tmp_path / "avrdude"
    program.write_text(f'#!/bin/sh\necho "$@" > {noted}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    avrdude._write(Path("/dev/x"), Path("x.hex"), UNO, 57600)
    assert " -b 57600 -P /dev/x " in noted.read_text()
    with pytest.raises(HocketError, match="--baud 7 is no rate"):
        check_baud(7, UNO)


def _image(board: Board) -> Any:
    return SimpleNamespace(board=board, flash_file="x.hex", sketch=SimpleNamespace(name="blink"))


def test_each_rate_of_the_boot_loaders_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """avrdude is played by a program that only 57600 baud finds, and that has another fault at 300."""
    program = tmp_path / "avrdude"
    program.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/words\n'
        'case "$*" in *" -b 57600 "*) exit 0 ;; *" -b 300 "*) echo "signature" >&2; exit 1 ;; esac\n'
        'echo "programmer is not responding" >&2\nexit 1\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(avrdude, "check_port", lambda port, board: Path("/dev/x"))

    def write(*rates: int, baud: int | None = None) -> list[str]:
        (tmp_path / "words").write_text("")
        board = replace(NANO, boot_rates=rates or NANO.boot_rates)
        assert avrdude.write_image(_image(board), None, baud) == 0
        return re.findall(r"-b (\d+)", (tmp_path / "words").read_text())

    assert write() == ["115200", "57600"]
    told = capsys.readouterr()
    assert "no boot loader answers at 115200 baud: trying the next rate" in told.err
    assert told.out == "wrote blink to the Nano on /dev/x: it runs\n"
    assert write(115200, baud=57600) == ["57600"]
    with pytest.raises(HocketError, match="the Nano on /dev/x was not programmed") as raised:
        write(115200, 9600)
    assert raised.value.cause == "no boot loader of a Nano answers there"
    assert "--baud 57600" in raised.value.next_step
    with pytest.raises(HocketError) as raised:
        avrdude.write_image(_image(NANO), None, 9600)
    assert "--baud" not in raised.value.next_step  # both were tried, or another was meant
    with pytest.raises(HocketError) as raised:
        write(300, 57600)  # a loader that answers is the one
    assert raised.value.cause == "the processor there is not an ATmega328P"


def test_whatever_is_wrong_with_a_port_there_is_a_way_out() -> None:
    assert why_not(IsADirectoryError(errno.EISDIR, "Is a directory"))[1].startswith(
        ("connect", "add")
    )
    assert "close" in why_not(OSError(errno.EBUSY, "busy"))[1]


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        (
            "avrdude OS error: cannot open port /dev/x: Device or resource busy\n",
            "another program has",
        ),
        (
            "avrdude verification error: first mismatch at byte 0x0010\n",
            "what was read back is not",
        ),
        ("avrdude: something new\n", "avrdude said: avrdude: something new"),
        (
            "avrdude: cannot go on\n\navrdude done.  Thank you.\n",
            "avrdude said: avrdude: cannot go",
        ),
        ("", "avrdude failed without a message"),
    ],
)
def test_what_its_words_mean(said: str, cause: str) -> None:
    error = flash_error(Path("/dev/x"), said, UNO)
    assert error.fact == "the Uno on /dev/x was not programmed"
    assert error.cause.startswith(cause)
    assert error.next_step


def test_how_avrdude_is_called(loader: BootLoader, tmp_path: Path) -> None:
    fake = tmp_path / "avrdude"
    fake.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/words\nprintf "half a line" >&2\nexit 3\n')
    fake.chmod(0o755)
    port = os.ttyname(loader.port)
    done = flash(port, f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 2
    assert "cause: avrdude said: half a line" in done.stderr
    words = (tmp_path / "words").read_text().split()
    assert words[:-1] == f"-p atmega328p -c arduino -x attempts=3 -b 115200 -P {port} -D -U".split()
    assert words[-1].startswith("flash:w:/") and words[-1].endswith("/blink.hex:i")
