"""The translator between an editor and clangd, with a clangd that has much to say."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from hocket.editor.messages import write_message
from hocket.editor.server import Server

LARGE = 300_000  # bytes; more than a pipe holds
# Reads nothing before all that it says has been taken.
TALKS_FIRST = f"""
import sys
for number in range(3):
    body = b'{{"method": "told", "params": "' + b"x" * {LARGE} + b'"}}'
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
    sys.stdout.buffer.flush()
sys.exit(len(sys.stdin.buffer.read()) < {LARGE})
"""


def test_both_may_say_more_than_a_pipe_holds_at_once() -> None:
    editor, heard = io.BytesIO(), io.BytesIO()
    document = {"uri": "file:///somewhere/part.cpp", "text": "x" * LARGE}
    write_message(
        editor, {"method": "textDocument/didChange", "params": {"textDocument": document}}
    )
    editor.seek(0)
    command = [sys.executable, "-c", TALKS_FIRST]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as clangd:
        serving = threading.Thread(target=Server((editor, heard), clangd).serve, daemon=True)
        serving.start()
        try:
            assert clangd.wait(60) == 0
        finally:
            clangd.kill()
        serving.join()
    deadline = time.monotonic() + 60  # a guard: what was read last may not have been passed on yet
    while heard.getvalue().count(b'"told"') < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert heard.getvalue().count(b'"told"') == 3


# Says this, and then more than a pipe holds.
ODD = f"""
import json, sys
told = {{"method": "told", "params": "x" * {LARGE}}}
for message in (json.loads(sys.argv[1]), told, told):
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
sys.stdout.buffer.flush()
sys.stdin.buffer.read()
"""
DIAGNOSTICS = "textDocument/publishDiagnostics"


class Deaf(io.BytesIO):
    """An editor that reads no more."""

    def write(self, _: Any) -> int:
        raise BrokenPipeError


@pytest.mark.parametrize("heard", [io.BytesIO, Deaf])
@pytest.mark.parametrize(
    "odd",
    [
        {"method": DIAGNOSTICS},
        {"method": DIAGNOSTICS, "params": 7},
        {"method": "workspace/applyEdit", "id": 1, "params": {}},
        {"id": [1], "result": None},
    ],
)
def test_what_clangd_says_amiss_keeps_nothing_else_up(
    odd: dict[str, Any], heard: type[io.BytesIO], capfd: pytest.CaptureFixture[str]
) -> None:
    command = [sys.executable, "-c", ODD, json.dumps(odd)]
    editor, ear = io.BytesIO(), heard()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as clangd:
        server = Server((editor, ear), clangd)
        server._ends = True  # that it ends is no failure here
        passing = threading.Thread(target=server._pass_answers, daemon=True)
        passing.start()
        assert clangd.stdin is not None
        clangd.stdin.close()
        try:
            assert clangd.wait(60) == 0, "it waits for its answers to be taken"
        finally:
            clangd.kill()
        passing.join(60)
        assert not passing.is_alive()
    assert heard is Deaf or ear.getvalue().count(b'"told"') == 2
    assert "is not understood" in capfd.readouterr().err
