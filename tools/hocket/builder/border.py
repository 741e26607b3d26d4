"""What functions pass between objects of avr-gcc and of clang, and what of it the two understand differently.

Both pass numbers, pointers and references in the same registers, and return structures in the same way. But
clang takes a structure of several members apart, passes a class as it lies there, and marks a pointer to a
virtual member function elsewhere (tests/uno/test_border.py has the program that shows it). So no such thing
may cross: the linker would not notice. A function's parameters are read from the debug information of the
object that defines it.
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
    """function: which passes it. what: in words. file, line: where it stands, if that is known."""

    function: str
    what: str
    file: str
    line: int


@dataclass
class _Entry:
    """One of the debug information. attributes: as they are shown."""

    offset: int
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[_Entry] = field(default_factory=list)

    def text(self, attribute: str) -> str:
        return self.attributes.get(attribute, "").rstrip(")").strip('"')


def crossings(makers: Iterable[Path], users: Sequence[Path], symbols: str) -> Iterator[Crossing]:
    """What objects of the one compiler are given, or give, by names that those of the other use, and what may
    not cross. symbols: the program that lists symbols (nm)."""
    # What is in line in both is linked once.
    listed = run([symbols, "-g", *map(str, users)]).stdout
    used = set(re.findall(r" [UwWV] (\S+)$", listed, re.M))
    for maker in makers:
        defined = run([symbols, "--defined-only", "-g", str(maker)]).stdout
        wanted = {name for name in re.findall(r" [TtWVD] (\S+)$", defined, re.M) if name in used}
        if wanted:
            yield from _of_object(maker, wanted)


def members_taken(users: Iterable[Path], symbols: str) -> Iterator[Crossing]:
    """The same of functions that classes declare in these objects and others define."""
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
    """The entries by their offsets."""
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
    """Where a definition's name and line are said."""
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
    """Without names for it and qualifiers."""
    kind = _to(entry, "type", entries)
    while kind is not None and kind.tag in _SAME:
        kind = _to(kind, "type", entries)
    return kind


def _differs(kind: _Entry, entries: dict[int, _Entry], as_result: bool) -> str:
    """What the compilers pass differently, in words; nothing: they agree."""
    parts = [child.text("name") for child in kind.children]
    if kind.tag == "ptr_to_member_type" or "__pfn" in parts:  # (gcc's form)
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
    """Has the class a destructor, or a constructor that copies, or has a part of it?"""
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
