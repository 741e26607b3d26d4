"""Reads the objects of Arduino's builder. They are notes about the source and the libraries (each_file.py
writes them)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from hocket.builder.libraries import Library, library_in
from hocket.errors import HocketError


def noted_libraries(products: Iterable[Path]) -> list[Library]:
    """Returns the libraries that the builder chose, in its order."""
    found: dict[Path, Library] = {}
    for product in products:
        for folder in _folders(product):
            library = library_in(folder)
            if library is not None:
                found.setdefault(library.includes[0], library)
    return list(found.values())


def _folders(product: Path) -> list[Path]:
    try:
        note = json.loads(product.read_text(encoding="utf-8"))
        return [Path(folder) for folder in note["folders"]]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise HocketError(
            "this object was not made by Hocket",
            "another platform's compiler made it",
            "clean the build folder (in the IDE: choose the board again), then verify again",
            product,
        ) from problem
