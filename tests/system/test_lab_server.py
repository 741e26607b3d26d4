"""`hocket lab` without a browser: its server, who may reach it, how it ends, what a slow page gets."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form
from tests.commands import run_hocket
from tests.lab.running import Lab
from websockets.exceptions import InvalidHandshake
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

Message = dict[str, Any]

CHATTY = """void setup() { Serial.begin(2000000); pinMode(13, OUTPUT); pinMode(2, INPUT_PULLUP); }
void loop(1, 10ms, 20ms) { digitalWrite(13, digitalRead(2) == LOW); delay(1); }
void loop(2, 5ms, 20ms) { while (Serial.available() > 0) Serial.write(Serial.read()); delay(5); }
"""
PARTS = "parts:\n  start: {type: button, pin: 2}\n  lamp: {type: led, pin: 13}\n"


@pytest.fixture(scope="module")
def sketch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """In a folder with a space and an umlaut."""
    folder = tmp_path_factory.mktemp("lab") / "mit Köpfchen" / "chatty"
    folder.mkdir(parents=True)
    (folder / "chatty.ino").write_text(CHATTY, encoding="utf-8")
    (folder / "scenario.yaml").write_text(PARTS, encoding="utf-8")
    return folder


class Client:
    """A page, as far as the server knows."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.messages: list[Message] = []
        self.bytes = 0

    def send(self, **command: Any) -> None:
        self.connection.send(json.dumps(command))

    def until(self, wanted: Callable[[Message], bool]) -> Message:
        deadline = time.monotonic() + 120  # a guard, not a measurement
        while time.monotonic() < deadline:
            text = self.connection.recv(timeout=60)
            self.bytes += len(text)
            message: Message = json.loads(text)
            self.messages.append(message)
            if wanted(message):
                return message
        raise AssertionError(f"it never came: {str(self.messages[-1])[:500]}")

    def stands(self, at: int = 0) -> Message:
        return self.until(
            lambda m: m["is"] == "frame" and m["state"] == "paused" and m["now"] >= at
        )


def key_of(lab: Lab) -> str:
    return lab.address.partition("key=")[2]


@contextlib.contextmanager
def client(lab: Lab, **options: Any) -> Iterator[Client]:
    address = f"ws://127.0.0.1:{lab.port}/live?key={key_of(lab)}"
    options.setdefault("origin", f"http://127.0.0.1:{lab.port}")
    options.setdefault("ping_interval", None)  # one that reads nothing is slow, not gone
    with connect(address, max_size=None, **options) as connection:
        yield Client(connection)


def test_a_page_sees_touches_repeats_and_ends_a_run(sketch: Path, tmp_path: Path) -> None:
    touches = tmp_path / "touches.jsonl"
    with Lab(sketch, "--touches", touches) as lab:
        with client(lab) as page:
            hello = page.until(lambda m: m["is"] == "hello")
            assert (hello["sketch"], hello["board"], hello["duration"]) == ("chatty", "sim", None)
            assert [part["name"] for part in hello["parts"]] == ["lamp", "start"]
            page.send(do="again", paused=True)
            assert page.until(lambda m: m["is"] == "hello")["state"] == "paused"
            page.send(do="until", at=1_000_000_000)
            page.stands(1_000_000_000)
            page.send(do="set", part="start", name="pressed", to=True)
            page.send(do="serial", port=0, text="grüß dich")
            page.send(do="until", at=1_500_000_000)
            page.stands(1_500_000_000)
            lit = _lit(page.messages)
            assert "".join(_serial(page.messages)) == "grüß dich"

            page.send(do="again")
            page.until(lambda m: m["is"] == "hello")
            page.messages.clear()
            page.until(lambda m: m["is"] == "frame" and m["now"] >= 1_500_000_000)
            assert _lit(page.messages) == lit
            assert "".join(_serial(page.messages)) == "grüß dich"

            page.send(do="again", touched=False)
            page.until(lambda m: m["is"] == "hello")
            page.messages.clear()
            page.send(do="until", at=1_500_000_000)
            page.stands(1_500_000_000)
            assert _lit(page.messages) == []

            page.send(do="set", part="start", name="pressed", to=True)
            page.until(lambda m: bool(m.get("touched")))
            page.send(do="end")
            end = page.until(lambda m: m["is"] == "end")
            assert (end["status"], end["end"]) == (0, "closed")
            assert end["report"]["parts"]["start"]["presses"] == 1
            page.send(do="run")
            assert "over" in page.until(lambda m: m["is"] == "error")["text"]
        status, output = lab.ended()
    assert status == 0
    assert "ended by hand" in output and "chatty on sim" in output
    kept = [json.loads(line) for line in touches.read_text(encoding="utf-8").splitlines()]
    assert [each.get("do", each.get("is")) for each in kept] == ["touches", "set", "end"]
    report = tmp_path / "report.json"
    done = run_hocket("run", sketch, "--touches", touches, "--json", report)
    assert done.returncode == 0, done.stderr
    again = json.loads(report.read_text(encoding="utf-8"))
    assert again["parts"] == end["report"]["parts"]
    assert (again["end"], again["duration_us"]) == ("closed", end["report"]["duration_us"])


def _lit(messages: list[Message]) -> list[int]:
    changes = [change for message in messages for change in message.get("changes", ())]
    return [at for pin, at, level in changes if pin == 13 and level == 1]


def _serial(messages: list[Message]) -> list[str]:
    return [piece["text"] for message in messages for piece in message.get("serial", ())]


@long_form
def test_two_pages_see_the_same_board_and_the_second_one_may_stay(sketch: Path) -> None:
    with Lab(sketch) as lab:
        with client(lab) as first:
            first.send(do="pause")
            here = first.stands()["now"]
            with client(lab) as second:
                assert second.until(lambda m: m["is"] == "hello")["sketch"] == "chatty"
                assert second.until(lambda m: m["is"] == "frame")["now"] == here
                second.send(do="set", part="start", name="pressed", to=True)
                first.until(lambda m: bool(m.get("touched")))
                second.until(lambda m: bool(m.get("touched")))
                first.connection.close()
                second.send(do="step")
                second.stands(here)
        assert lab.ended()[0] == 0


@long_form
def test_a_run_that_is_asked_for_twice_begins_once(sketch: Path) -> None:
    """The last one counts: what was asked for before has not begun, or is given up."""
    with Lab(sketch) as lab:
        with client(lab) as page:
            page.until(lambda m: m["is"] == "hello")
            page.send(do="again")
            page.send(do="again", paused=True)
            page.until(lambda m: m["is"] == "hello" and m["state"] == "paused")
            page.stands()
            page.send(do="end")
            assert page.until(lambda m: m["is"] == "end")["end"] == "closed"
            with pytest.raises(TimeoutError):
                page.connection.recv(timeout=1)
            page.send(do="again")
            page.send(do="again")
            page.until(lambda m: m["is"] == "hello")
        status, output = lab.ended()
    assert status == 0, output


@long_form
def test_a_terminal_that_goes_away_loses_no_touch(sketch: Path, tmp_path: Path) -> None:
    touches = tmp_path / "touches.jsonl"
    with Lab(sketch, "--touches", touches) as lab, client(lab) as page:
        page.until(lambda m: m["is"] == "hello")
        page.send(do="set", part="start", name="pressed", to=True)
        page.until(lambda m: bool(m.get("touched")))
        lab.process.send_signal(signal.SIGHUP)
        status, output = lab.ended()
    assert status == 130, output
    assert '"pressed", "to": true' in touches.read_text("utf-8")


def test_ctrl_c_ends_a_lab_with_its_table(sketch: Path) -> None:
    with Lab(sketch) as lab, client(lab) as page:
        page.until(lambda m: m["is"] == "frame")
        lab.process.send_signal(signal.SIGINT)
        status, output = lab.ended()
    assert status == 130
    assert "chatty on sim" in output and "interrupted" in output


@long_form
def test_ctrl_c_before_any_page_ends_it_too(sketch: Path) -> None:
    with Lab(sketch) as lab:
        lab.process.send_signal(signal.SIGINT)
        assert lab.ended()[0] == 130


@long_form
def test_a_program_that_crashes_is_told(sketch: Path) -> None:
    with Lab(sketch) as lab:
        with client(lab) as page:
            page.until(lambda m: m["is"] == "frame")
            for child in _children(lab.process.pid):
                child.send_signal(signal.SIGSEGV)
            end = page.until(lambda m: m["is"] == "end")
            assert end["status"] == 70 and end["report"] is None
            page.send(do="again")
            page.until(lambda m: m["is"] == "hello")
        assert lab.ended()[0] == 0


class _Child:
    def __init__(self, number: int) -> None:
        self.number = number

    def send_signal(self, which: signal.Signals) -> None:
        os.kill(self.number, which)


def _children(parent: int) -> list[_Child]:
    """Those that have no further ones: the board's program."""
    tasks = Path(f"/proc/{parent}/task").glob("*/children")
    direct = [int(word) for task in tasks for word in task.read_text().split()]
    return [each for child in direct for each in (_children(child) or [_Child(child)])]


@long_form
def test_two_labs_choose_other_ports_and_a_taken_one_is_told(sketch: Path) -> None:
    with Lab(sketch) as one, Lab(sketch) as other:
        assert one.port != other.port
        done = run_hocket("lab", sketch, "--no-open", "--port", str(one.port))
        assert done.returncode == 2
        assert f"port {one.port}" in done.stderr and "next:" in done.stderr


def ask(lab: Lab, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", lab.port, timeout=30)
    connection.putrequest("GET", path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    got = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    connection.close()
    return got


def test_only_its_own_page_reaches_a_lab(sketch: Path) -> None:
    with Lab(sketch) as lab:
        own = f"127.0.0.1:{lab.port}"
        live = f"/live?key={key_of(lab)}"
        status, headers, body = ask(lab, "/")
        assert status == 200 and body.startswith(b"<!")
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store"
        assert ask(lab, "/", Host="evil.example")[0] == 403
        assert ask(lab, "/", Host=f"evil.example:{lab.port}")[0] == 403
        assert ask(lab, "/", Origin="http://evil.example")[0] == 403
        for path in (
            "/../../../../etc/passwd",
            "/%2e%2e/%2e%2e/etc/passwd",
            "//etc/passwd",
            "/%00",
            "/nix",
        ):
            assert ask(lab, path)[0] == 404, path
        for options in (
            {"origin": "http://evil.example"},
            {"origin": "null"},
            {"additional_headers": {"Host": "evil.example"}},
        ):
            with pytest.raises((InvalidHandshake, ConnectionError)), client(lab, **options):
                pass
        for path in ("/live", "/live?key=", "/live?key=x", live[:-1]):
            with (
                pytest.raises(InvalidHandshake),
                connect(f"ws://{own}{path}", origin=Origin(f"http://{own}")),
            ):
                pass
        with client(lab) as page:  # and nothing of this has hurt it
            page.until(lambda m: m["is"] == "hello")


@long_form
def test_it_listens_at_this_machine_only(sketch: Path) -> None:
    with Lab(sketch) as lab:
        table = Path("/proc/net/tcp").read_text().splitlines()[1:]
        listening = [
            row.split()[1] for row in table if row.split()[3] == "0A"
            and int(row.split()[1].split(":")[1], 16) == lab.port
        ]  # fmt: skip
        assert listening == [f"0100007F:{lab.port:04X}"]


@long_form
def test_what_a_page_sends_that_is_no_command_hurts_nobody(sketch: Path) -> None:
    with Lab(sketch) as lab:
        with client(lab) as page:
            page.until(lambda m: m["is"] == "frame")
            for text in (
                "",
                "{",
                "[]",
                "1",
                '{"do": 5}',
                "[" * 5000,
                '{"do": "\\ud800"}',
                '{"at": NaN}',
                '{"do": "speed", "times": 1e-9}',
            ):
                page.connection.send(text)
                page.until(lambda m: m["is"] == "error")
            long = {"do": "serial", "port": 0, "text": "ä" * 4096}
            page.connection.send(json.dumps(long, ensure_ascii=False))
            assert "1 to 4096 bytes" in page.until(lambda m: m["is"] == "error")["text"]
            page.connection.send(b"\x00\xff")
            page.until(lambda m: m["is"] == "error")
            page.send(do="pause")
            page.stands()
        with client(lab) as page, contextlib.suppress(Exception):
            page.connection.send("x" * 100_000)  # more than a command may be: it is hung up on
            page.until(lambda m: False)
        with client(lab) as page:
            page.until(lambda m: m["is"] == "hello")
        assert lab.ended()[0] == 0


@long_form
def test_a_slow_page_loses_what_passes_and_keeps_what_lasts(sketch: Path) -> None:
    with Lab(sketch, "--speed", "0") as lab:
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
        narrow.connect(("127.0.0.1", lab.port))
        with client(lab, sock=narrow) as slow, client(lab) as quick:
            before = _memory(lab.process.pid)
            # The slow one reads nothing; the system's buffers between the two hold some 5 MB.
            quick.until(lambda m: quick.bytes > 24_000_000)
            quick.send(do="set", part="start", name="pressed", to=True)
            quick.until(lambda m: "touched" in m)
            quick.send(do="pause")
            here = quick.stands()["now"]
            assert _memory(lab.process.pid) - before < 200_000
            last = slow.until(lambda m: m["is"] == "frame" and m["now"] == here)
            state: dict[str, Any] = {}
            for message in slow.messages:
                state.update(message.get("parts", {}) if message["is"] == "frame" else {})
            assert state["start"] == {"pressed": True}
            assert last["state"] == "paused"
            assert len(slow.messages) < len(quick.messages)
            assert sum(m.get("lost", 0) for m in slow.messages) > 0
        assert lab.ended()[0] == 0


def _memory(process: int) -> int:
    """Resident, in kB, of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def test_a_sketch_that_is_refused_has_no_page(tmp_path: Path) -> None:
    done = run_hocket("lab", "examples/too-much", "--no-open")
    assert done.returncode == 3
    assert "refused: loop 2" in done.stderr and "http://" not in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--board", "virt"], "has no lab"),
        (["--board", "nix"], "nix"),
        (["--port", "70000"], "--port 70000"),
        (["--speed", "-1"], "--speed -1"),
        (["--speed", "nan"], "--speed nan"),
        (["--speed", "1e-9"], "--speed 1e-09"),
        (["--touches", "/"], "--touches /"),
    ],
)
def test_what_cannot_be_a_lab_is_refused_before_anything_is_built(
    words: list[str], said: str
) -> None:
    done = run_hocket("lab", "examples/blink", "--no-open", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert not any("building" in line for line in done.progress)
