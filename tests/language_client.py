"""An editor, as far as a language server can tell: opens documents, asks, and hears what is said."""

from __future__ import annotations

import itertools
import os
import queue
import subprocess
import threading
from pathlib import Path
from typing import Any

from tests.commands import ENTRY, ROOT

from hocket.editor.messages import Message, read_message, write_message

_PATIENCE_S = 120.0


class Client:
    """Use it as a context. latest: what was published last before what was waited for, by URI."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        command = [str(ENTRY), "clangd", *words]
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT / "tools")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._ids = itertools.count(1)
        self._answers: queue.Queue[Message] = queue.Queue()
        self._published: queue.Queue[Message] = queue.Queue()
        self.shown: list[str] = []
        self.latest: dict[str, list[dict[str, Any]]] = {}
        self._versions: dict[Path, int] = {}
        threading.Thread(target=self._hear, daemon=True).start()

    def __enter__(self) -> Client:
        utf_8 = {"general": {"positionEncodings": ["utf-8"]}, "offsetEncoding": ["utf-8"]}
        hierarchical = {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}
        capabilities = {**utf_8, "textDocument": hierarchical}
        self.initialized = self.ask(
            "initialize",
            {"processId": None, "rootUri": self.folder.as_uri(), "capabilities": capabilities},
        )
        self.say("initialized", {})
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.ask("shutdown", None)
            self.say("exit", None)
        assert self._process.stdin is not None
        self._process.stdin.close()
        self.status = self._process.wait(_PATIENCE_S)

    def children(self) -> list[int]:
        """Its processes."""
        threads = Path(f"/proc/{self._process.pid}/task").iterdir()
        return [int(one) for thread in threads for one in (thread / "children").read_text().split()]

    def ended(self) -> int:
        """Its status, when it ends by itself."""
        return self._process.wait(_PATIENCE_S)

    def _hear(self) -> None:
        assert self._process.stdout is not None
        while (message := read_message(self._process.stdout)) is not None:
            if message.get("method") == "textDocument/publishDiagnostics":
                self._published.put(message["params"])
            elif message.get("method") == "window/showMessage":
                self.shown.append(message["params"]["message"])
            elif "method" not in message:
                self._answers.put(message)

    def say(self, method: str, parameters: Any) -> None:
        assert self._process.stdin is not None
        message = {"jsonrpc": "2.0", "method": method, "params": parameters}
        write_message(self._process.stdin, message)

    def ask(self, method: str, parameters: Any) -> Any:
        assert self._process.stdin is not None
        number = next(self._ids)
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
        write_message(self._process.stdin, message)
        answer = self._answers.get(timeout=_PATIENCE_S)
        assert answer["id"] == number
        assert "error" not in answer, answer
        return answer["result"]

    def open(self, file: Path, text: str | None = None) -> list[dict[str, Any]]:
        """Shows a file, with another text than it holds if that is given; what is wrong with it."""
        self._versions[file] = 1
        whole = {"uri": file.as_uri(), "languageId": "cpp", "version": 1}
        whole["text"] = file.read_text(encoding="utf-8") if text is None else text
        self.say("textDocument/didOpen", {"textDocument": whole})
        return self.published(file)

    def change(self, file: Path, text: str) -> list[dict[str, Any]]:
        self._versions[file] += 1
        document = {"uri": file.as_uri(), "version": self._versions[file]}
        changed = {"textDocument": document, "contentChanges": [{"text": text}]}
        self.say("textDocument/didChange", changed)
        return self.published(file)

    def close(self, file: Path) -> None:
        self.say("textDocument/didClose", {"textDocument": {"uri": file.as_uri()}})

    def published(self, file: Path) -> list[dict[str, Any]]:
        """What is published next about the file."""
        while True:
            told = self._published.get(timeout=_PATIENCE_S)
            self.latest[told["uri"]] = told["diagnostics"]
            if told["uri"] == file.as_uri():
                found: list[dict[str, Any]] = told["diagnostics"]
                return found

    def at(self, method: str, file: Path, line: int, character: int, **more: Any) -> Any:
        """Asks about a place; line counts from 1."""
        place = {"line": line - 1, "character": character}
        document = {"uri": file.as_uri()}
        return self.ask(
            f"textDocument/{method}", {"textDocument": document, "position": place, **more}
        )
