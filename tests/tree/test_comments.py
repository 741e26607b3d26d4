"""Comments of C++ files name only what exists: files, members of classes, functions.

A path means a file of the tree by its end (`task/kernel.h`), a `Class::member` a word in the code of a folder
that has a file which declares the class, `function()` a word in any code.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from hocket.paths import ROOT

STRING = r'"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])'"
COMMENT = re.compile(rf"{STRING}|//([^\n]*)|/\*([\s\S]*?)\*/")
PATH = re.compile(
    r"(?<![\w/.<+-])((?:[\w+-]+/)*[\w+-]+\.(?:h|cpp|S|ld|inc|py|md|cmake|toml|pml|ino))\b(?!>)"
)
MEMBER = re.compile(r"(?<![\w:])([A-Z]\w+)::(~?\w+)")
CALL = re.compile(r"(?<![\w:.~>])([a-z]\w*_\w*|[a-z]+[A-Z]\w*)\(\)")
DECLARED = re.compile(
    r"\b(?:enum class|class|struct|enum|using|concept|namespace)\s+(?:\[\[.*?\]\]\s*)?(\w+)"
)
CODE = (".h", ".cpp", ".S", ".inc", ".ino", ".c")


def comments(text: str) -> Iterator[tuple[int, str]]:
    """Line and text of each comment; a row of `//` lines is several."""
    for found in COMMENT.finditer(text):
        if found[1] is None and found[2] is None:
            continue  # a string
        yield text.count("\n", 0, found.start()) + 1, found[1] or found[2] or ""


class Tree:
    """What there is to be named."""

    def __init__(self, files: Iterable[Path], root: Path) -> None:
        self.root = root
        self.files = {str(file.relative_to(root)) for file in files}
        self.ends = {"/".join(Path(name).parts[-n:]) for name in self.files for n in range(1, 9)}
        self.code: dict[str, set[str]] = {}  # a folder → the words of its code
        self.words: set[str] = set()
        self.declaring: dict[str, set[str]] = {}  # a class → folders with a file that declares it
        for name in sorted(self.files):
            if name.endswith(CODE):
                code = COMMENT.sub("", (root / name).read_text(errors="replace"))
                words = set(re.findall(r"\w+", code))
                self.code.setdefault(str(Path(name).parent), set()).update(words)
                self.words |= words
                for declared in DECLARED.findall(code):
                    self.declaring.setdefault(declared, set()).add(str(Path(name).parent))

    def wrong_in(self, name: str) -> list[str]:
        found = []
        for line, comment in comments((self.root / name).read_text()):
            found += [f"{name}:{line}: {what}" for what in self._wrong(comment)]
        return found

    def _wrong(self, comment: str) -> Iterator[str]:
        for path in PATH.findall(comment):
            if path not in self.ends:
                yield path
        for owner, member in MEMBER.findall(comment):
            places = self.declaring.get(owner, set())
            if not any(member.lstrip("~") in self.code[place] for place in places):
                yield f"{owner}::{member}"
        for function in CALL.findall(comment):
            if function not in self.words:
                yield f"{function}()"


@cache
def tree() -> Tree:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    return Tree((ROOT / name for name in listed if (ROOT / name).is_file()), ROOT)


def test_comments_name_what_exists() -> None:
    files = [name for name in sorted(tree().files) if name.endswith((".h", ".cpp"))]
    assert [wrong for name in files for wrong in tree().wrong_in(name)] == []


@pytest.mark.parametrize(
    ("comment", "wrong"),
    [
        ("see part.h, base/part.h and kernel/base/part.h", []),
        ("see base/other.h", ["base/other.h"]),
        ("<util/delay.h> is another's", []),
        ("Part::member and Part::gone", ["Part::gone"]),
        ("Nobody::member", ["Nobody::member"]),
        ("asks set_level(), then clear_level()", ["clear_level()"]),
    ],
)
def test_what_does_not_exist_is_found(comment: str, wrong: list[str], tmp_path: Path) -> None:
    part, user = tmp_path / "kernel/base/part.h", tmp_path / "user.cpp"
    part.parent.mkdir(parents=True)
    part.write_text(
        "struct Part {\n  int member;  // Part::gone is no member\n  void set_level();\n};\n"
    )
    user.write_text(f"int x;\n// {comment}\n")
    found = Tree([part, user], tmp_path).wrong_in("user.cpp")
    assert found == [f"user.cpp:2: {name}" for name in wrong]
