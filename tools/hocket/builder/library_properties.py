"""Reads library.properties, as far as a build depends on it.

Keys: Arduino's library specification, "library.properties file format".
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hocket.errors import HocketError
from hocket.sketch.folder import COMPILED, read_anything

FILE = "library.properties"


def properties_of(folder: Path) -> dict[str, str]:
    """Returns the keys and values of the file, or none without the file. Lines without `=` are ignored."""
    file = folder / FILE
    lines = read_anything(file).splitlines() if file.is_file() else []
    pairs = (line.partition("=") for line in lines if not line.lstrip().startswith("#"))
    return {key.strip(): value.strip() for key, equals, value in pairs if equals}


def names_in(value: str) -> list[str]:
    """Returns the names of a comma-separated list without versions in brackets: `GFX (>=1.2), BusIO`."""
    names = (name.partition("(")[0].strip() for name in value.split(","))
    return [name for name in names if name]


def check_has_sources(folder: Path) -> None:
    """Raises HocketError for a library that is only available compiled, for other processors."""
    said = properties_of(folder).get("precompiled", "").lower()
    if said not in ("true", "full"):
        return
    sources = (path for path in (folder / "src").rglob("*") if path.suffix in COMPILED)
    if said == "full" or next(sources, None) is None:
        raise HocketError(
            f"the library {folder.name} is compiled already",
            "that is the code of other processors, for another compiler",
            "use one that comes as source text",
            folder / FILE,
        )


def dependencies(folders: Iterable[Path]) -> str:
    """Returns the declared dependencies of libraries as part of a sentence. Empty: none."""
    told = []
    for folder in folders:
        names = names_in(properties_of(folder).get("depends", ""))
        if names:
            told.append(f"{folder.name} says that it depends on {', '.join(names)}")
    return "; ".join(told)


def made_for(folder: Path) -> str:
    """Returns the processors that a library names as part of a sentence. Empty: none."""
    names = properties_of(folder).get("architectures", "")
    return f"it says that it is for {', '.join(names_in(names))}" if names else ""
