"""Maps clangd's responses about a sketch's translation back to its tabs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hocket.editor.document import Document

# The severity of errors. Diagnostics of generated lines are shown only if they are errors.
_ERROR = 1

Find = Callable[[str], Document | None]  # by the URI under which clangd knows it


def location(value: dict[str, Any], find: Find) -> dict[str, Any]:
    """Maps a Location or a LocationLink, wherever it points."""
    moved = dict(value)
    for uri, ranges in (
        ("uri", ("range",)),
        ("targetUri", ("targetRange", "targetSelectionRange")),
    ):
        document = find(str(value.get(uri, "")))
        if document is None:
            continue
        for name in ranges:
            tab, within, _ = document.outward_range(value[name])
            moved[name] = within
            moved[uri] = document.joined.tabs[tab][0].as_uri()
    return moved


def edits(value: dict[str, Any], find: Find) -> dict[str, Any]:
    """Maps a WorkspaceEdit of a translation to its tabs."""
    moved: dict[str, list[Any]] = {}
    for uri, changes in (value.get("changes") or {}).items():
        document = find(uri)
        for change in changes:
            place, within = uri, change["range"]
            if document is not None:
                tab, within, own = document.outward_range(change["range"])
                if not own:
                    continue  # a generated prototype follows its function
                place = document.joined.tabs[tab][0].as_uri()
            moved.setdefault(place, []).append({**change, "range": within})
    return {"changes": moved}


def answer(method: str, value: Any, document: Document, tab: int, find: Find) -> Any:
    """Maps the response to a request about a place in the tab. None: it has nothing in the tab."""
    if method in _LOCATIONS:
        if isinstance(value, list):
            return [_own_origin(location(each, find), document) for each in value]
        return location(value, find) if isinstance(value, dict) else value
    if method == "textDocument/rename":
        return edits(value, find) if isinstance(value, dict) else value
    if method == "textDocument/completion":
        items = value.get("items", []) if isinstance(value, dict) else value or []
        for item in items:
            item.pop("additionalTextEdits", None)
    moved = _ranges(value, document, tab)
    return None if moved is _ELSEWHERE else moved


_LOCATIONS = {
    f"textDocument/{what}"
    for what in ("definition", "declaration", "typeDefinition", "implementation", "references")
}
# The requests that are supported. All others about a sketch get no result.
ANSWERED = _LOCATIONS | {
    f"textDocument/{what}"
    for what in (
        *("hover", "completion", "signatureHelp", "documentHighlight", "documentSymbol"),
        *("rename", "prepareRename"),
    )
}


def _own_origin(value: dict[str, Any], document: Document) -> dict[str, Any]:
    if "originSelectionRange" in value:
        _, within, _ = document.outward_range(value["originSelectionRange"])
        return {**value, "originSelectionRange": within}
    return value


def _ranges(value: Any, document: Document, tab: int) -> Any:
    """Returns the value with its ranges in the tab. In a list, entries outside of the tab are left out."""
    if isinstance(value, list):
        moved = [_ranges(each, document, tab) for each in value]
        return [each for each in moved if each is not _ELSEWHERE]
    if not isinstance(value, dict):
        return value
    if set(value) == {"start", "end"}:
        where, within, own = document.outward_range(value)
        return within if where == tab and own else _ELSEWHERE
    moved_fields = {name: _ranges(each, document, tab) for name, each in value.items()}
    if _ELSEWHERE in moved_fields.values():
        return _ELSEWHERE
    return moved_fields


class _Elsewhere:
    """Stands for a value that has no place in the tab."""


_ELSEWHERE = _Elsewhere()


def diagnostics(
    found: list[dict[str, Any]], document: Document
) -> dict[Path, list[dict[str, Any]]]:
    """Returns the diagnostics by tab, with an entry for every tab."""
    by_tab: dict[Path, list[dict[str, Any]]] = {path: [] for path, _ in document.joined.tabs}
    for one in found:
        tab, within, own = document.outward_range(one["range"])
        if not own and one.get("severity", _ERROR) != _ERROR:
            continue
        told = {k: v for k, v in one.items() if k not in ("relatedInformation", "codeActions")}
        by_tab[document.joined.tabs[tab][0]].append({**told, "range": within})
    return by_tab
