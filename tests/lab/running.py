"""`hocket lab` as a process: where its page is, how it ends."""

from __future__ import annotations

import re
import select
import signal
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType

from tests.commands import ENTRY, PATIENCE

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\S*[^\s;]")


class Lab:
    """Started by `with`, ended by its page's closing or by Ctrl-C."""

    def __init__(self, sketch: Path, *options: str | Path) -> None:
        self.command = [str(ENTRY), "lab", str(sketch), "--no-open", *map(str, options)]
        self.address = ""
        self.port = 0

    def __enter__(self) -> Lab:
        self.output = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            self.command, stdout=self.output, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )  # fmt: skip
        assert self.process.stderr is not None
        while select.select([self.process.stderr], [], [], PATIENCE)[0]:
            line = self.process.stderr.readline()
            assert line, "it has ended without an address"
            if found := ADDRESS.search(line):
                self.address, self.port = found[0], int(found[1])
                return self
        raise AssertionError("it said no address")

    def ended(self) -> tuple[int, str]:
        """Waits until it has ended: its status, and what it wrote."""
        assert self.process.stderr is not None
        self.process.stderr.read()
        status = self.process.wait(PATIENCE)
        self.output.seek(0)
        return status, self.output.read()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        if self.process.stderr is not None:
            self.process.stderr.close()
        self.output.close()
