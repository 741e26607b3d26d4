"""`hocket clangd`: a language server for sketches, between an editor and clangd.

For a sketch, clangd gets one document: the tabs, translated as in a build (document.py). Places in requests
are mapped to it, and those in responses back (places.py). Other messages are forwarded unchanged. Texts are
sent as a whole, so that unsaved text in the editor counts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import traceback
from contextlib import suppress
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urlsplit

from hocket.editor import places
from hocket.editor.document import Document, diagnostic_of, document_of
from hocket.editor.flags import commands
from hocket.editor.messages import Message, read_message, write_message
from hocket.errors import EXIT_DEFECT, HocketError
from hocket.sketch.folder import COMPILED, HEADERS, INO, Sketch, find_sketch, instead_of_files

_FULL = 1  # changes contain the whole text
_INVALID = -32602  # JSON-RPC's "invalid params"
_PATIENCE_S = 3.0  # seconds for clangd to end by itself


class Open:
    """A sketch that is open in the editor: the texts of its tabs, and the state of clangd."""

    def __init__(self, sketch: Sketch) -> None:
        self.texts: dict[Path, str] = {}
        self.version = 0
        self.found: list[dict[str, Any]] | None = None  # clangd's last diagnostics
        self.document: Document | None = None
        name = f"{sketch.name}.ino.cpp"
        while (sketch.folder / name).exists():
            name = f"_{name}"
        self.translated = sketch.folder / name
        self.uri = self.translated.as_uri()


class Server:
    def __init__(
        self, editor: tuple[IO[bytes], IO[bytes]], clangd: subprocess.Popen[bytes]
    ) -> None:
        assert clangd.stdin is not None
        assert clangd.stdout is not None
        self._from_editor, self._to_editor = editor
        self._to_clangd, self._from_clangd = clangd.stdin, clangd.stdout
        self._open: dict[Path, Open] = {}  # by the sketch's folder and first tab
        self._asked: dict[int | str, tuple[str, Document | None, int]] = {}
        self._lock = threading.RLock()
        # Messages for clangd. They are written without the lock, because clangd may stop reading until its
        # responses are read.
        self._outgoing: list[Message] = []
        self._writing = threading.Lock()
        self._ends = False

    def serve(self) -> None:
        """Serves until the editor ends the session."""
        answers = threading.Thread(target=self._pass_answers, daemon=True)
        answers.start()
        while (message := read_message(self._from_editor)) is not None:
            self._ends = self._ends or message.get("method") in ("shutdown", "exit")
            with self._lock:
                try:
                    self._from_the_editor(message)
                except (LookupError, TypeError, ValueError, AttributeError) as problem:
                    self._not_understood(message, problem)
                outgoing, self._outgoing = self._outgoing, []
            for each in outgoing:
                write_message(self._to_clangd, each)
            if message.get("method") == "exit":
                break
        self._ends = True
        self._to_clangd.close()

    # Messages from the editor.

    def _from_the_editor(self, message: Message) -> None:
        method, parameters = str(message.get("method", "")), message.get("params")
        if method == "initialize" and isinstance(parameters, dict):
            _in_utf_16(parameters)
            self._asked[message["id"]] = (method, None, 0)
        uri = _uri_of(parameters)
        path = _path(uri) if uri is not None else None
        if path is not None and path.suffix.lower() in INO:
            self._about_a_tab(message, method, path)
            return
        if (
            path is not None
            and method == "textDocument/didOpen"
            and path.suffix in (*COMPILED, *HEADERS)
        ):
            self._opened_source(path)
        self._outgoing.append(message)

    def _not_understood(self, message: Message, problem: Exception) -> None:
        """Handles a message without the required members: a request gets an error response, and the session
        continues."""
        method = str(message.get("method", ""))
        print(f"hocket: {method} is not understood: {problem!r}", file=sys.stderr)
        if isinstance(message.get("id"), (int, str)) and method:
            error = {"code": _INVALID, "message": f"{method} has not what it needs: {problem!r}"}
            self._answer({"jsonrpc": "2.0", "id": message["id"], "error": error})

    def _about_a_tab(self, message: Message, method: str, path: Path) -> None:
        if method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"):
            self._changed(method, path, message["params"])
            return
        if method == "textDocument/didSave":
            self._saved(path)
        opened, tab = self._of(path)
        document = opened.document if opened is not None else None
        if (
            opened is None
            or document is None
            or tab is None
            or ("id" in message and method not in places.ANSWERED)
        ):
            if "id" in message:
                self._answer({"jsonrpc": "2.0", "id": message["id"], "result": None})
            return
        parameters = {**message["params"], "textDocument": {"uri": opened.uri}}
        if "position" in parameters:
            parameters["position"] = document.inward(tab, parameters["position"])
        if "id" in message:
            self._asked[message["id"]] = (method, document, tab)
        self._outgoing.append({**message, "params": parameters})

    def _changed(self, method: str, path: Path, parameters: dict[str, Any]) -> None:
        if method == "textDocument/didOpen":
            self._shown(path, str(parameters["textDocument"]["text"]))
        elif method == "textDocument/didChange":
            for change in parameters["contentChanges"][-1:]:
                self._shown(path, str(change["text"]))
        else:
            self._tell(path, [])
            self._leave(path, None)

    def _shown(self, path: Path, text: str) -> None:
        sketch = _sketch(path)
        self._leave(path, sketch.tabs[0])
        opened = self._open.setdefault(sketch.tabs[0], Open(sketch))
        opened.texts[path] = text
        self._translate(sketch, opened)

    def _saved(self, path: Path) -> None:
        """Handles a saved tab: a tab without a file before may now belong to a sketch."""
        found = next(((k, o) for k, o in self._open.items() if path in o.texts), None)
        if found is not None and _sketch(path).tabs[0] != found[0]:
            self._shown(path, found[1].texts[path])

    def _leave(self, path: Path, stays: Path | None) -> None:
        """Removes the tab from every sketch except the one with this first tab."""
        for first, opened in list(self._open.items()):
            if first == stays or opened.texts.pop(path, None) is None:
                continue
            if opened.texts:
                self._translate(_sketch(next(iter(opened.texts))), opened)
                continue
            self._notify("textDocument/didClose", {"textDocument": {"uri": opened.uri}})
            del self._open[first]

    def _translate(self, sketch: Sketch, opened: Open) -> None:
        plain = {path: text.replace("\r\n", "\n") for path, text in opened.texts.items()}
        try:
            with instead_of_files(plain):
                document = document_of(sketch)
                if opened.document is None:
                    self._compile(sketch, opened.translated)
        except HocketError as error:
            return self._show(str(error))
        same = opened.document is not None and opened.document.text == document.text
        opened.document = document
        if same and opened.found is not None:  # clangd would send nothing
            return self._tell_all(opened, opened.found)
        opened.version += 1
        text = {"uri": opened.uri, "version": opened.version}
        if opened.version == 1:
            whole = {**text, "languageId": "cpp", "text": document.text}
            return self._notify("textDocument/didOpen", {"textDocument": whole})
        changes = {"textDocument": text, "contentChanges": [{"text": document.text}]}
        return self._notify("textDocument/didChange", changes)

    def _opened_source(self, path: Path) -> None:
        """Sends the command for a source or a header of a sketch, as in a build."""
        for folder in (path.parent, path.parent.parent):
            try:
                sketch = find_sketch(str(folder if any(folder.glob("*.ino")) else path))
                if path in (*sketch.sources, *sketch.headers):
                    return self._compile(sketch, sketch.folder / f"{sketch.name}.ino.cpp")
            except HocketError:
                continue
        return None

    def _compile(self, sketch: Sketch, translated: Path) -> None:
        """Sends the commands of a sketch to clangd, once for each sketch."""
        try:
            found = commands(sketch, translated)
        except HocketError as error:
            return self._show(str(error))
        database = {
            str(path): {"workingDirectory": str(sketch.folder), "compilationCommand": words}
            for path, words in found.items()
        }
        settings = {"settings": {"compilationDatabaseChanges": database}}
        return self._notify("workspace/didChangeConfiguration", settings)

    # Messages from clangd.

    def _pass_answers(self) -> None:
        try:
            self._pass_all()
        except Exception:
            traceback.print_exc()
        if not self._ends:  # no server is left: the editor starts a new one
            print("hocket: clangd has ended by itself", file=sys.stderr, flush=True)
            os._exit(EXIT_DEFECT)

    def _pass_all(self) -> None:
        """Forwards messages until clangd ends. Every message is read, whatever its content and whether or not
        the editor reads. Otherwise clangd and this process would block each other."""
        while (message := read_message(self._from_clangd)) is not None:
            with self._lock:
                try:
                    moved = self._from_clangd_s(message)
                except Exception as problem:
                    moved = self._not_carried(message, problem)
            if moved is not None:
                with suppress(OSError, ValueError):  # the editor is gone
                    self._answer(moved)

    def _from_clangd_s(self, message: Message) -> Message | None:
        method = message.get("method")
        if method == "textDocument/publishDiagnostics":
            return self._diagnosed(message)
        if method == "workspace/applyEdit":
            edit = places.edits(message["params"]["edit"], self._find)
            return {**message, "params": {**message["params"], "edit": edit}}
        if method is None and message.get("id") in self._asked:
            asked, document, tab = self._asked.pop(message["id"])
            if asked == "initialize" and "result" in message:
                message["result"]["capabilities"]["textDocumentSync"] = {
                    "openClose": True,
                    "change": _FULL,
                    "save": True,
                }
            if document is not None and message.get("result") is not None:
                result = places.answer(asked, message["result"], document, tab, self._find)
                return {**message, "result": result}
        return message

    def _not_carried(self, message: Message, problem: Exception) -> Message | None:
        """Handles a message of clangd that cannot be mapped to the tabs: a response becomes an empty one, and
        other messages are dropped."""
        method = message.get("method")
        told = method or "an answer"
        print(f"hocket: {told} of clangd is not understood: {problem!r}", file=sys.stderr)
        number = message.get("id")
        if not isinstance(number, (int, str)):
            return None
        if method is None:
            return {"jsonrpc": "2.0", "id": number, "result": None}
        error = {"code": _INVALID, "message": f"{method} has not what it needs: {problem!r}"}
        # It is sent with the editor's next message.
        self._outgoing.append({"jsonrpc": "2.0", "id": number, "error": error})
        return None

    def _diagnosed(self, message: Message) -> Message | None:
        parameters = message["params"]
        opened = next((o for o in self._open.values() if o.uri == parameters["uri"]), None)
        if opened is None or opened.document is None:
            return None if str(parameters["uri"]).endswith(".ino.cpp") else message
        opened.found = parameters["diagnostics"]
        self._tell_all(opened, parameters["diagnostics"])
        return None

    def _tell_all(self, opened: Open, found: list[dict[str, Any]]) -> None:
        """Sends clangd's diagnostics and the build's errors to the editor, in the tabs to which they
        belong."""
        assert opened.document is not None
        by_tab = places.diagnostics(found, opened.document)
        for problem in opened.document.problems:
            file = Path(problem.file) if problem.file else next(iter(by_tab))
            by_tab.setdefault(file, []).insert(0, diagnostic_of(problem))
        for path, there in by_tab.items():
            if path in opened.texts or there:
                self._tell(path, there)

    # Messages to both.

    def _tell(self, path: Path, found: list[dict[str, Any]]) -> None:
        told = {"uri": path.as_uri(), "diagnostics": found}
        self._answer(
            {"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": told}
        )

    def _show(self, text: str) -> None:
        shown = {"type": 1, "message": text}
        self._answer({"jsonrpc": "2.0", "method": "window/showMessage", "params": shown})

    def _notify(self, method: str, parameters: dict[str, Any]) -> None:
        self._outgoing.append({"jsonrpc": "2.0", "method": method, "params": parameters})

    def _answer(self, message: Message) -> None:
        with self._writing:
            write_message(self._to_editor, message)

    def _find(self, uri: str) -> Document | None:
        return next((o.document for o in self._open.values() if o.uri == uri), None)

    def _of(self, path: Path) -> tuple[Open | None, int | None]:
        for opened in self._open.values():
            if opened.document is not None and (tab := opened.document.tab(path)) is not None:
                return opened, tab
        return None, None


def _sketch(path: Path) -> Sketch:
    """Returns the sketch of a tab. A tab without a file is a sketch of its own."""
    try:
        found = find_sketch(str(path))
    except HocketError:
        found = None
    if found is None or path not in found.tabs:
        return Sketch(path.stem, path.parent, (path,), (), ())
    return found


def _in_utf_16(parameters: dict[str, Any]) -> None:
    """Removes the editor's other position encodings, so that clangd counts in UTF-16, which all editors
    support."""
    capabilities = parameters.get("capabilities") or {}
    capabilities.pop("offsetEncoding", None)
    (capabilities.get("general") or {}).pop("positionEncodings", None)


def _uri_of(parameters: Any) -> str | None:
    if isinstance(parameters, dict) and isinstance(parameters.get("textDocument"), dict):
        uri = parameters["textDocument"].get("uri")
        return uri if isinstance(uri, str) else None
    return None


def _path(uri: str) -> Path | None:
    parts = urlsplit(uri)
    return Path(unquote(parts.path)).resolve() if parts.scheme == "file" else None


def serve(command: list[str]) -> int:
    """Serves on standard input and output."""
    clangd = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        Server((sys.stdin.buffer, sys.stdout.buffer), clangd).serve()
        clangd.wait(timeout=_PATIENCE_S)
    except subprocess.TimeoutExpired:
        pass  # its pending work is not needed
    finally:
        clangd.kill()
        clangd.wait()
    return 0
