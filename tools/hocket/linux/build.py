"""Makes the Debian system that runs beside Hocket: a kernel and a root in memory, out of unpacked packages.
It is kept.

Downloads are kept in the user's cache (XDG_CACHE_HOME/hocket/linux), the results in build/linux. A package's
scripts are never run, and no administrator's rights are needed.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from hocket.builder.lock import locked
from hocket.console import progress
from hocket.errors import HocketError
from hocket.linux import contents, cpio
from hocket.linux.apt_errors import Stale
from hocket.linux.archive import Archive, Deb, check_space, tell
from hocket.linux.kernel import Kernel, check_word, find_kernel, image_of
from hocket.linux.machine import check_root, memory_size
from hocket.linux.sources import machine_sources
from hocket.linux.tree import Tree
from hocket.packages import require
from hocket.paths import BUILD
from hocket.whole_files import write_whole


@dataclass(frozen=True)
class Wish:
    """What is to be made. sources: deb822 text. Empty: this machine's."""

    word: str = "linux"
    memory: str = "512M"
    add: tuple[str, ...] = ()
    sources: str = ""

    def name(self) -> str:
        """Returns the folder's name below build/linux. There is one system for each kernel and memory
        size."""
        return f"{self.word}-{self.memory}"


@dataclass(frozen=True)
class Linux:
    """A Linux system that can be started. unpacked: the memory of its files, in bytes of whole pages."""

    folder: Path
    word: str
    release: str
    memory: int
    unpacked: int
    packages: tuple[str, ...]  # name=version
    wish: Wish = Wish()

    @property
    def kernel(self) -> Path:
        return self.folder / "Image"

    @property
    def root(self) -> Path:
        return self.folder / "root.cpio"


def build(wish: Wish, refresh: bool = False, folder: Path | None = None) -> Linux:
    """Returns the Linux system of this wish, built earlier or now. Raises HocketError: offline, no space, a
    package that no longer exists, a root too big for the memory, a kernel that cannot be used."""
    require("linux", "the Linux beside")
    check_word(wish.word)
    memory_size(wish.memory)
    place = (folder or BUILD / "linux") / wish.name()
    with locked(place):
        made = None if refresh else _made(place, wish)
        if made is not None:
            return made
        try:
            return _make(wish, refresh, place)
        except OSError as problem:
            if problem.errno != errno.ENOSPC:
                raise
            raise HocketError(
                "there is no space left for the Linux beside",
                f"while files were written to {place} or to the folder for temporary files",
                "make room; what is downloaded stays, and need not be again",
            ) from problem


def cache_folder() -> Path:
    """Returns the folder of downloads, which all copies of the project share."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "hocket" / "linux"


@contextmanager
def opened_archive(sources: str, architecture: str = "arm64") -> Iterator[Archive]:
    """Opens the archive of these sources and locks its folder. Empty: this machine's sources."""
    text = sources or machine_sources()
    short = hashlib.sha256(text.encode()).hexdigest()[:8]
    folder = cache_folder() / f"{architecture}-{short}"
    with locked(folder):
        yield Archive(folder, text, architecture)


def usual(word: str, memory: str, folder: Path | None = None) -> Wish:
    """Returns the wish of the last build for this kernel and memory, else one without added packages."""
    plain = Wish(word, memory)
    _, made = _read((folder or BUILD / "linux") / plain.name())
    return made.wish if made is not None else plain


def _made(place: Path, wish: Wish) -> Linux | None:
    """Returns the earlier build, if it has this wish and was made by the same version of these modules."""
    by, linux = _read(place)
    if linux is None or by != _maker() or linux.wish != wish:
        return None
    return linux if linux.kernel.is_file() and linux.root.is_file() else None


def _read(place: Path) -> tuple[str, Linux | None]:
    """Returns the version that made the existing build, and the build. None: there is none."""
    try:
        data = json.loads((place / "manifest.json").read_text(encoding="utf-8"))
        by, wish = str(data.pop("by")), data.pop("wish")
        wish["add"] = tuple(wish["add"])
        data["packages"] = tuple(data["packages"])
        return by, Linux(place, wish=Wish(**wish), **data)
    except (OSError, ValueError, KeyError, TypeError):
        return "", None


# The files of this folder that affect the bytes of a root.
_MAKERS = ["build", "closure", "contents", "cpio", "kernel", "machine", "modules", "tree"]


def _maker() -> str:
    """Returns the hash of these files: another version makes another root."""
    own = Path(__file__).parent
    files = [*(own / f"{name}.py" for name in _MAKERS), contents.INIT]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _make(wish: Wish, refresh: bool, place: Path) -> Linux:
    with opened_archive(wish.sources) as archive:
        fresh = refresh or archive.refresh_once()
        if refresh:
            archive.refresh()
        try:
            kernel, chosen = _download(archive, wish)
        except Stale:
            if fresh:
                raise
            archive.refresh()
            kernel, chosen = _download(archive, wish)
    check_space(place, 4 * sum(file.stat().st_size for file in chosen.all()), "the Linux beside")
    with progress("making the root of the Linux beside"):
        return _assemble(wish, kernel, chosen, place)


@dataclass(frozen=True)
class _Chosen:
    """Files of packages: the kernel's, those of which parts are used, and those used completely."""

    kernel: Path
    parts: tuple[Path, ...]
    whole: tuple[Path, ...]
    debs: tuple[Deb, ...]

    def all(self) -> list[Path]:
        return [self.kernel, *self.parts, *self.whole]


def _download(archive: Archive, wish: Wish) -> tuple[Kernel, _Chosen]:
    kernel = find_kernel(archive, wish.word)
    of_kernel = archive.alone([kernel.package])
    base = contents.BY_MEMORY[wish.memory].packages
    together = archive.with_dependencies([*base, *wish.add])
    added = {deb.name for deb in archive.with_dependencies(wish.add)}
    debs = [*of_kernel, *together]
    tell(debs, archive.missing(debs))
    files = archive.fetch(debs)
    by_name = dict(zip((deb.name for deb in debs), files, strict=True))
    whole = tuple(file for name, file in by_name.items() if name in added)
    parts = tuple(file for file in files[len(of_kernel) :] if file not in whole)
    return kernel, _Chosen(files[0], parts, whole, tuple(debs))


def _assemble(wish: Wish, kernel: Kernel, chosen: _Chosen, place: Path) -> Linux:
    tree = Tree()
    tree.add_deb(chosen.kernel, contents.wanted_of_kernel)
    for file in chosen.parts:
        tree.add_deb(file, contents.wanted_file)
    added = [path for file in chosen.whole for path in tree.add_deb(file, contents.wanted_file)]
    image = image_of(tree, kernel)
    modules = contents.kernel_modules(tree, kernel.release)
    paths = contents.choose(tree, contents.BY_MEMORY[wish.memory], added)
    entries = contents.entries(tree, paths, modules, kernel.release)
    unpacked = sum(cpio.whole_pages(len(entry.content)) for entry in entries)
    fresh = place / "root.new"
    _write_archive(fresh, entries)
    memory = memory_size(wish.memory)
    check_root(memory, fresh.stat().st_size, unpacked, _way_out(wish))
    identities = tuple(sorted(deb.identity() for deb in chosen.debs))
    linux = Linux(place, wish.word, kernel.release, memory, unpacked, identities, wish)
    (place / "manifest.json").unlink(missing_ok=True)  # from now on there is no complete build
    fresh.replace(linux.root)
    write_whole(linux.kernel, image)
    data = {name: value for name, value in asdict(linux).items() if name != "folder"}
    text = json.dumps(data | {"by": _maker()}, indent=1) + "\n"
    write_whole(place / "manifest.json", text)
    return linux


def _write_archive(file: Path, entries: Sequence[cpio.Entry]) -> None:
    with file.open("wb") as stream:
        for piece in cpio.archive(entries):
            stream.write(piece)


def _way_out(wish: Wish) -> str:
    larger = "" if wish.memory == "1G" else "use --memory 1G, or "
    return (
        f"{larger}add fewer packages"
        if wish.add
        else f"{larger}report this with the package sources"
    )
