"""`hocket clangd`: a language server for sketches. It stands between an editor and clangd.

Of a sketch clangd gets one document, the tabs translated as a build translates them (document.py); places in
questions are carried there, those in answers back (places.py). Everything else passes as it is. Texts are
sent whole, so what the editor has and no file says yet counts.
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

_FULL = 1  # of each change the whole text
_INVALID = -32602  # JSON-RPC's «invalid params»
_PATIENCE_S = 3.0  # for clangd to end by itself


class Open:
    """A sketch that an editor shows: the texts of its tabs, and what clangd has."""

    def __init__(self, sketch: Sketch) -> None:
        self.texts: dict[Path, str] = {}
        self.version = 0
        self.found: list[dict[str, Any]] | None = None  # what clangd said last
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
        # For clangd. Written without the lock: clangd may read no more until somebody takes its answers.
        self._outgoing: list[Message] = []
        self._writing = threading.Lock()
        self._ends = False

    def serve(self) -> None:
        """Until the editor ends it."""
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

    # From the editor.

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
        """It has not the members that it needs: whoever waits for its answer is told, and all goes on."""
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
        """A tab that was none's, as no file held it, is now one of a sketch's."""
        found = next(((k, o) for k, o in self._open.items() if path in o.texts), None)
        if found is not None and _sketch(path).tabs[0] != found[0]:
            self._shown(path, found[1].texts[path])

    def _leave(self, path: Path, stays: Path | None) -> None:
        """The tab is in no sketch any more but the one of this first tab."""
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
        if same and opened.found is not None:  # clangd would say nothing
            return self._tell_all(opened, opened.found)
        opened.version += 1
        text = {"uri": opened.uri, "version": opened.version}
        if opened.version == 1:
            whole = {**text, "languageId": "cpp", "text": document.text}
            return self._notify("textDocument/didOpen", {"textDocument": whole})
        changes = {"textDocument": text, "contentChanges": [{"text": document.text}]}
        return self._notify("textDocument/didChange", changes)

    def _opened_source(self, path: Path) -> None:
        """A source or a header of a sketch is compiled as a build compiles it."""
        for folder in (path.parent, path.parent.parent):
            try:
                sketch = find_sketch(str(folder if any(folder.glob("*.ino")) else path))
                if path in (*sketch.sources, *sketch.headers):
                    return self._compile(sketch, sketch.folder / f"{sketch.name}.ino.cpp")
            except HocketError:
                continue
        return None

    def _compile(self, sketch: Sketch, translated: Path) -> None:
        """Tells clangd how, once for each sketch."""
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

    # From clangd.

    def _pass_answers(self) -> None:
        try:
            self._pass_all()
        except Exception:
            traceback.print_exc()
        if not self._ends:  # nobody is left to answer: the editor starts us anew
            print("hocket: clangd has ended by itself", file=sys.stderr, flush=True)
            os._exit(EXIT_DEFECT)

    def _pass_all(self) -> None:
        """Until clangd ends. Each message is taken, whatever is in it and whether or not the editor reads:
        clangd would wait for that, and so would we for clangd."""
        while (message := read_message(self._from_clangd)) is not None:
            with self._lock:
                try:
                    moved = self._from_clangd_s(message)
                except Exception as problem:
                    moved = self._not_carried(message, problem)
            if moved is not None:
                with suppress(OSError, ValueError):  # the editor has gone
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
        """What clangd said cannot be carried to the tabs: whoever waits for an answer gets none, else nobody
        is told of it."""
        method = message.get("method")
        told = method or "an answer"
        print(f"hocket: {told} of clangd is not understood: {problem!r}", file=sys.stderr)
        number = message.get("id")
        if not isinstance(number, (int, str)):
            return None
        if method is None:
            return {"jsonrpc": "2.0", "id": number, "result": None}
        error = {"code": _INVALID, "message": f"{method} has not what it needs: {problem!r}"}
        # It goes with what the editor says next.
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
        """What clangd found, and what a build would refuse, in the tabs where it is."""
        assert opened.document is not None
        by_tab = places.diagnostics(found, opened.document)
        for problem in opened.document.problems:
            file = Path(problem.file) if problem.file else next(iter(by_tab))
            by_tab.setdefault(file, []).insert(0, diagnostic_of(problem))
        for path, there in by_tab.items():
            if path in opened.texts or there:
                self._tell(path, there)

    # To both.

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
    """The sketch of a tab; of one that no file holds yet, this alone."""
    try:
        found = find_sketch(str(path))
    except HocketError:
        found = None
    if found is None or path not in found.tabs:
        return Sketch(path.stem, path.parent, (path,), (), ())
    return found


def _in_utf_16(parameters: dict[str, Any]) -> None:
    """Places are counted as everyone can; clangd would take another way if the editor has it."""
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
    """On standard input and output."""
    clangd = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        Server((sys.stdin.buffer, sys.stdout.buffer), clangd).serve()
        clangd.wait(timeout=_PATIENCE_S)
    except subprocess.TimeoutExpired:
        pass  # it finishes what it is at, which nobody wants any more
    finally:
        clangd.kill()
        clangd.wait()
    return 0
