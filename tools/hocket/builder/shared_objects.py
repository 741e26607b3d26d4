"""Objects of libraries that several builds of one command share, as `hocket try` builds all examples of a
library.

Such an object is compiled once, and copied with its stamp to the other builds. It is the same for all
sketches without headers: a header of a sketch may be found in the place of a library's, and a library may ask
for one (`__has_include`). `__FILE__` is relative to the folder with the sketch: a library in that folder
is shared with the sketches there, and another one only if none of its files is in that folder.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hocket.builder.compile import (
    Outcome,
    Sharing,
    Unit,
    compile_unit,
    fingerprint,
    load_stamp,
    unchanged,
)
from hocket.whole_files import write_whole

_KINDS = (".o", ".su")  # the object, and the stack sizes of its functions


def compile_unless_busy(unit: Unit) -> Outcome | None:
    """Compiles one source, or takes the object that another build has made. Returns None if another build
    compiles it at present."""
    if unit.shared is None or unit.is_current():
        return compile_unit(unit)
    return _made(unit, unit.shared, wait=False)


def compile_shared(unit: Unit) -> Outcome:
    """As compile_unless_busy(), but waits for the other build."""
    if unit.shared is not None and not unit.is_current():
        outcome = _made(unit, unit.shared, wait=True)
        assert outcome is not None
        return outcome
    return compile_unit(unit)


def _made(unit: Unit, sharing: Sharing, wait: bool) -> Outcome | None:
    place = sharing.folder / _name(unit, sharing)
    with _locked(place, wait) as ours:
        if not ours:
            return None
        if _take(unit, sharing, place):
            return compile_unit(unit)  # it is current
        outcome = compile_unit(unit)
        if not outcome.failed:
            _give(unit, sharing, place)
        return outcome


def _in_the_sketchbook(unit: Unit, sharing: Sharing) -> bool:
    return unit.source.is_relative_to(sharing.sketch.parent)


def _name(unit: Unit, sharing: Sharing) -> str:
    """Returns a name for what makes the object, without the sketch's own folder."""
    own: tuple[str, ...] = (f"-I{sharing.sketch}",)
    if not _in_the_sketchbook(unit, sharing):
        own += (f"-prefix-map={sharing.sketch.parent}/=",)
    words = [word for word in unit.made_by if not word.endswith(own)]
    made = [str(unit.source), unit.object.suffixes[-2:], words, unit.known_board]
    return hashlib.sha256(repr((made, unit.inline_assembly)).encode()).hexdigest()


def _take(unit: Unit, sharing: Sharing, place: Path) -> bool:
    stamp = load_stamp(place.with_suffix(".stamp"))
    files = stamp.get("files")
    if not isinstance(files, dict) or _has_own(files, unit, sharing) or not unchanged(files):
        return False
    for kind in _KINDS:
        if (made := place.with_suffix(kind)).is_file():
            unit.object.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(made, unit.object.with_suffix(kind))
    own = {str(unit.object): fingerprint(unit.object), **files}
    write_whole(unit.stamp_file, json.dumps({**stamp, "command": unit.made_by, "files": own}))
    return True


def _give(unit: Unit, sharing: Sharing, place: Path) -> None:
    stamp = load_stamp(unit.stamp_file)
    files = stamp.get("files")
    if not isinstance(files, dict):
        return
    inputs = {name: known for name, known in files.items() if name != str(unit.object)}
    if _has_own(inputs, unit, sharing):
        return
    for kind in _KINDS:
        if (made := unit.object.with_suffix(kind)).is_file():
            shutil.copyfile(made, place.with_suffix(kind))
    write_whole(place.with_suffix(".stamp"), json.dumps({**stamp, "files": inputs}))


def _has_own(files: dict[str, list[object]], unit: Unit, sharing: Sharing) -> bool:
    own = sharing.sketch if _in_the_sketchbook(unit, sharing) else sharing.sketch.parent
    return any(Path(name).is_relative_to(own) for name in files)


@contextmanager
def _locked(place: Path, wait: bool) -> Iterator[bool]:
    """Yields whether this build has the object for itself."""
    with place.with_suffix(".lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
