"""Finds values that objects of avr-gcc and of clang exchange and that the two compilers pass differently.

Both compilers pass numbers, pointers and references in the same registers, and return structures in the same
way. They differ in three cases: clang splits a structure of several members, passes a class with a copy
constructor or a destructor as it lies in memory, and marks a pointer to a virtual member function elsewhere
(tests/uno/test_border.py has a program that shows it). The linker does not notice such a mismatch, so it is
refused here. The parameters of a function are read from the debug information of the object that defines it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hocket.builder.compile import run

DUMPS = "llvm-dwarfdump-19"
_CLASSES = ("structure_type", "class_type", "union_type")
_SAME = ("typedef", "const_type", "volatile_type", "atomic_type")
_REFERENCES = ("reference_type", "rvalue_reference_type")
_DIE = re.compile(r"^(0x[0-9a-f]{8}):( +)DW_TAG_(\w+)")
_ATTRIBUTE = re.compile(r"^ +DW_AT_(\w+)\t\((.*)")


@dataclass(frozen=True)
class Crossing:
    """A value that must not cross. function: the function that passes it. what: the value in words. file,
    line: the place of the declaration, if known."""

    function: str
    what: str
    file: str
    line: int


@dataclass
class _Entry:
    """An entry of the debug information. attributes: their values as the dump shows them."""

    offset: int
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[_Entry] = field(default_factory=list)

    def text(self, attribute: str) -> str:
        return self.attributes.get(attribute, "").rstrip(")").strip('"')


def crossings(makers: Iterable[Path], users: Sequence[Path], symbols: str) -> Iterator[Crossing]:
    """Yields what the functions of `makers` that `users` call take or return and what must not cross.
    symbols: the program that lists symbols (nm)."""
    # Weak definitions (W, V) count as used: an inline function that both sides define is linked once.
    listed = run([symbols, "-g", *map(str, users)]).stdout
    used = set(re.findall(r" [UwWV] (\S+)$", listed, re.M))
    for maker in makers:
        defined = run([symbols, "--defined-only", "-g", str(maker)]).stdout
        wanted = {name for name in re.findall(r" [TtWVD] (\S+)$", defined, re.M) if name in used}
        if wanted:
            yield from _of_object(maker, wanted)


def members_taken(users: Iterable[Path], symbols: str) -> Iterator[Crossing]:
    """As crossings(), for member functions that these objects declare and other objects define."""
    for user in users:
        listed = run([symbols, "-u", str(user)]).stdout
        yield from _of_object(user, set(re.findall(r"^ +[Uw] (\S+)$", listed, re.M)), declared=True)


def _of_object(path: Path, wanted: set[str], declared: bool = False) -> Iterator[Crossing]:
    entries = _read(path)
    for entry in list(entries.values()):
        if entry.tag != "subprogram" or ("declaration" in entry.attributes) != declared:
            continue
        said = _declared(entry, entries)
        names = {each.text("linkage_name") for each in (entry, said)} | {said.text("name")}
        if not names & wanted:
            continue
        line = said.text("decl_line")
        for what in _passed(entry, entries):
            place = (said.text("decl_file"), int(line) if line.isdigit() else 0)
            yield Crossing(said.text("name"), what, *place)


def _read(path: Path) -> dict[int, _Entry]:
    """Returns the entries by their offsets."""
    entries: dict[int, _Entry] = {}
    around: list[tuple[int, _Entry]] = []
    for line in run([DUMPS, "--debug-info", str(path)]).stdout.splitlines():
        if found := _DIE.match(line):
            depth = len(found[2])
            entry = _Entry(int(found[1], 16), found[3])
            entries[entry.offset] = entry
            while around and around[-1][0] >= depth:
                around.pop()
            if around:
                around[-1][1].children.append(entry)
            around.append((depth, entry))
        elif around and (said := _ATTRIBUTE.match(line)):
            around[-1][1].attributes[said[1]] = said[2]
    return entries


def _to(entry: _Entry, attribute: str, entries: dict[int, _Entry]) -> _Entry | None:
    found = re.match(r"0x[0-9a-f]+", entry.attributes.get(attribute, ""))
    return entries.get(int(found[0], 16)) if found else None


def _declared(entry: _Entry, entries: dict[int, _Entry]) -> _Entry:
    """Returns the entry that has a definition's name and line."""
    for _ in range(3):
        for says in ("abstract_origin", "specification"):
            further = _to(entry, says, entries)
            if further is not None:
                entry = further
                break
    return entry


def _passed(entry: _Entry, entries: dict[int, _Entry]) -> Iterator[str]:
    returned = _type_of(_declared(entry, entries), entries)
    if returned is not None and (what := _differs(returned, entries, as_result=True)):
        yield f"returns {what}"
    for taken in _parameters(entry):
        kind = _type_of(_declared(taken, entries), entries)
        if kind is not None and (what := _differs(kind, entries, as_result=False)):
            yield f"takes {what}"


def _parameters(entry: _Entry) -> list[_Entry]:
    return [
        child
        for child in entry.children
        if child.tag == "formal_parameter" and "artificial" not in child.attributes
    ]


def _type_of(entry: _Entry, entries: dict[int, _Entry]) -> _Entry | None:
    """Returns the type of an entry without typedefs and qualifiers."""
    kind = _to(entry, "type", entries)
    while kind is not None and kind.tag in _SAME:
        kind = _to(kind, "type", entries)
    return kind


def _differs(kind: _Entry, entries: dict[int, _Entry], as_result: bool) -> str:
    """Returns, in words, what the compilers pass differently in this type. Empty: they agree."""
    parts = [child.text("name") for child in kind.children]
    if kind.tag == "ptr_to_member_type" or "__pfn" in parts:  # gcc's form
        return "a pointer to a member"
    if kind.tag not in _CLASSES:
        return ""
    name = kind.text("name") or "a structure"
    if _is_managed(kind, entries):
        return f"{name} by value, which copies or destroys itself"
    several = sum(map(_is_part, kind.children)) > 1 or "declaration" in kind.attributes
    return f"{name} by value" if several and not as_result else ""


def _is_part(entry: _Entry) -> bool:
    return entry.tag in ("member", "inheritance") and "external" not in entry.attributes


def _is_managed(kind: _Entry, entries: dict[int, _Entry]) -> bool:
    """Returns whether the class, or a part of it, has a destructor or a copy constructor."""
    for child in kind.children:
        if child.tag == "subprogram":
            name = child.text("name")
            if name.startswith("~") or (
                name == kind.text("name") and _copies(child, kind, entries)
            ):
                return True
        elif _is_part(child):
            part = _type_of(child, entries)
            if part is not None and part.tag in _CLASSES and _is_managed(part, entries):
                return True
    return False


def _copies(constructor: _Entry, kind: _Entry, entries: dict[int, _Entry]) -> bool:
    taken = _parameters(constructor)
    reference = _type_of(taken[0], entries) if len(taken) == 1 else None
    if (
        reference is None
        or reference.tag not in _REFERENCES
        or "artificial" in constructor.attributes
    ):
        return False
    return _type_of(reference, entries) is kind
