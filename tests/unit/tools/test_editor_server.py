"""The translator between an editor and clangd, with a clangd that has much to say."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
import time

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
