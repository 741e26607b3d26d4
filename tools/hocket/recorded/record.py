"""The record of each test file: what it touched when it last passed, and whether that has changed.

There is one file in build/touched for each, with digests of what was touched. So a record never becomes
wrong: it matches the current tree, or the test runs. A test file without a record runs, too.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from hocket.paths import BUILD, ROOT
from hocket.recorded.pieces import AT_LOAD, Piece, changed, pieces_of, touched_by
from hocket.recorded.products import sources_of

# The long form has further tests in the same files.
RECORDS = BUILD / ("touched-long" if os.environ.get("HOCKET_LONG") else "touched")
SOURCES = RECORDS / "python"  # Python files as recorded, by digest

# Files on which every test depends: the installed packages, and how tests are run.
ALWAYS = (
    *("tools/packages.txt", "tools/requirements.txt", "tools/requirements-test.txt"),
    *("pyproject.toml", "tests/conftest.py"),
)
# Accessed by pytest everywhere, and by Python for each import.
_ASKED_FOR_EVERYWHERE = ("/pyvenv.cfg", "/conda-meta/history", ".so", ".pyc")
_NOT_OURS = (".git", ".venv", "build", "results")


@dataclass
class Touched:
    """What a test file touched.

    files: digests of the files that were read, "" for missing ones. asked: "there" or "". folders: digests of
    the names in listed folders (". all": all names in the project). calls: for Python files, the functions
    that ran. python: the digests of these files.
    """

    seconds: float = 0.0
    files: dict[str, str] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)
    calls: dict[str, list[str]] = field(default_factory=dict)
    python: dict[str, str] = field(default_factory=dict)


ALL_NAMES = ". all"


class Tree:
    """The project's current files."""

    def __init__(self) -> None:
        self.names = _names()
        self.folders: dict[str, set[str]] = {}
        self._digests: dict[str, str] = {}
        self._pieces: dict[str, Mapping[str, Piece]] = {}
        for name in self.names:
            inside, folder = name, name
            while folder:
                folder = folder.rpartition("/")[0]
                self.folders.setdefault(folder, set()).add(
                    inside[len(folder) :].strip("/").partition("/")[0]
                )

    def digest(self, name: str) -> str:
        """Returns the digest of a file's content, or "" if it does not exist."""
        if name not in self._digests:
            try:
                content = (ROOT / name).read_bytes()
                self._digests[name] = hashlib.sha256(content).hexdigest()[:16]
            except OSError:
                self._digests[name] = "folder" if (ROOT / name).is_dir() else ""
        return self._digests[name]

    def listing(self, folder: str) -> str:
        names = self.names if folder == ALL_NAMES else sorted(self.folders.get(folder, ()))
        return hashlib.sha256("\0".join(names).encode()).hexdigest()[:16]

    def pieces(self, name: str) -> Mapping[str, Piece]:
        if name not in self._pieces:
            there = self.digest(name) != ""
            self._pieces[name] = _pieces((ROOT / name).read_text(encoding="utf-8")) if there else {}
        return self._pieces[name]

    def python(self) -> dict[str, Mapping[str, Piece]]:
        return {name: self.pieces(name) for name in self.names if name.endswith(".py")}


def _names() -> list[str]:
    """Returns the project's files: those under version control, and new ones that are not ignored."""
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted(name for name in set(listed.split("\0")) if name and (ROOT / name).is_file())


def _pieces(source: str) -> Mapping[str, Piece]:
    try:
        return pieces_of(source)
    except SyntaxError:
        return {"=": Piece("not Python", frozenset())}


def read_log(log: Path, tree: Tree, test: str, seconds: float) -> Touched:
    """Evaluates the records of a test's processes (touched.c, tracing.py)."""
    notes = _Notes(test)
    for line in sorted(set(log.read_text(encoding="utf-8", errors="replace").splitlines())):
        notes.add(line)
    files = notes.files | sources_of(notes.products, notes.parts)
    ours = set(tree.names)
    return Touched(
        seconds,
        # Existing files that are not the project's are made by tools.
        {
            name: tree.digest(name)
            for name in sorted(files)
            if name in ours or not tree.digest(name)
        },
        {name: "there" if tree.digest(name) else "" for name in sorted(notes.asked - files)},
        {name: tree.listing(name) for name in sorted(notes.folders) if notes.looks_at_all_in(name)},
        {name: sorted(functions) for name, functions in sorted(notes.calls.items())},
        {name: tree.digest(name) for name in sorted(notes.calls)},
    )


class _Notes:
    """The records of one test file by kind. files: their content matters. asked: their existence matters."""

    def __init__(self, test: str) -> None:
        self.test = test
        self.files = {test, *ALWAYS}
        self.asked: set[str] = set()
        self.folders: set[str] = set()
        self.products: set[str] = set()
        self.parts: set[str] = set()
        self.calls: dict[str, set[str]] = {}

    def add(self, line: str) -> None:
        how, _, rest = line.partition(" ")
        if how == "p":
            self.parts.add(rest)
        elif line == "x git":
            self.folders.add(ALL_NAMES)
        elif how == "f":
            path, _, function = rest.rpartition(" ")
            name = _inside(path)
            if name is not None and not _is_other(name):
                self.calls.setdefault(name, set()).add(function.partition(".<locals>")[0])
        elif (name := _inside(rest)) is not None:
            self.add_path(how, name)

    def add_path(self, how: str, name: str) -> None:
        if name.startswith("build/"):
            if how != "s":  # all are accessed at times; only run and read ones count
                self.products.add(name)
        elif _is_other(name) or name.endswith(_ASKED_FOR_EVERYWHERE):
            pass
        elif how == "l":
            self.folders.add(name)
        elif how == "s" and (name.endswith(".py") or name.startswith("tests/") or "/" not in name):
            self.asked.add(
                name
            )  # an import, of which `calls` knows more, or pytest looks for tests
        else:
            self.files.add(name)

    def looks_at_all_in(self, folder: str) -> bool:
        """Returns whether listing the folder means reading all of it. Python lists the folders of packages,
        and pytest those above a test. A test that lists a folder reads the files that it needs."""
        if folder == ALL_NAMES:
            return True
        if (
            folder.startswith("tools/hocket")
            or self.test.startswith(f"{folder}/")
            or folder in ("", "tools")
        ):
            read = [each for each in self.files if each.rpartition("/")[0] == folder]
            read = [each for each in read if each.endswith(".py")]
            return any(
                name not in (self.test, *ALWAYS) and not name.endswith("/conftest.py")
                for name in read
            )
        return True


def _inside(path: str) -> str | None:
    """Returns the path relative to the project. None: not in it. "": the project itself."""
    whole = os.path.normpath(path)
    if whole == str(ROOT):
        return ""
    return whole[len(str(ROOT)) + 1 :] if whole.startswith(f"{ROOT}/") else None


def _is_other(name: str) -> bool:
    return name.partition("/")[0] in _NOT_OURS


def _record_of(test: str) -> Path:
    return RECORDS / f"{test.replace('/', '+')}.json"


def forget(test: str) -> None:
    _record_of(test).unlink(missing_ok=True)


def keep(test: str, touched: Touched) -> None:
    keep_sources(touched)
    file = _record_of(test)
    fresh = file.with_suffix(".fresh")
    fresh.write_text(json.dumps(asdict(touched)))
    fresh.replace(file)


def keep_sources(touched: Touched) -> None:
    """Keeps the test's Python files as they are, for comparison with later changes."""
    SOURCES.mkdir(parents=True, exist_ok=True)
    for name, digest in touched.python.items():
        kept = SOURCES / digest
        if digest and not kept.is_file():
            kept.write_bytes((ROOT / name).read_bytes())


def known(test: str) -> Touched | None:
    try:
        return Touched(**json.loads(_record_of(test).read_text()))
    except (OSError, ValueError, TypeError):
        return None


def test_files(tree: Tree) -> list[str]:
    return [
        name
        for name in tree.names
        if name.startswith("tests/") and name.endswith(".py") and "/test_" in name
    ]


def chosen(tree: Tree) -> dict[str, str]:
    """Returns the test files to run, each with the reason."""
    judge = _Judge(tree)
    found = {}
    for test in test_files(tree):
        touched = known(test)
        why = "not known" if touched is None else judge.why(touched)
        if why:
            found[test] = why
    return found


def why(tree: Tree, touched: Touched) -> str:
    """Returns the first thing that has changed, or "" if nothing has."""
    return _Judge(tree).why(touched)


class _Judge:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.functions: dict[tuple[tuple[str, str], ...], set[tuple[str, str]]] = {}

    def why(self, touched: Touched) -> str:
        for name, digest in touched.files.items():
            if self.tree.digest(name) != digest:
                return name
        for name, there in touched.asked.items():
            if (ROOT / name).exists() != bool(there):
                return name
        for folder, digest in touched.folders.items():
            if self.tree.listing(folder) != digest:
                return f"names in {folder or 'the project'}"
        differing = tuple(
            (name, digest)
            for name, digest in touched.python.items()
            if self.tree.digest(name) != digest
        )
        return self._why_called(touched, differing) if differing else ""

    def _why_called(self, touched: Touched, differing: tuple[tuple[str, str], ...]) -> str:
        if differing not in self.functions:
            self.functions[differing] = self._matters(differing)
        matters = self.functions[differing]
        for name, functions in touched.calls.items():
            for function in functions:
                if (name, function) in matters:
                    loaded = "what is done when it is loaded"
                    return f"{name}: {loaded if function == AT_LOAD else function}"
        return ""

    def _matters(self, differing: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        pieces: dict[str, set[str]] = {}
        for name, digest in differing:
            try:
                before = _pieces((SOURCES / digest).read_text(encoding="utf-8"))
            except OSError:
                before = {}
            pieces[name] = changed(before, self.tree.pieces(name))
        return touched_by(self.tree.python(), pieces)
