"""Hocket's module for the Linux system: compiled with the headers of exactly the kernel that runs there.

The headers come from Debian's packages (archive.py), which are only unpacked. A kernel checks by name and
checksum that a module was made for it. The same check is made here before anything starts, with a clear
message.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hocket.builder.lock import locked
from hocket.console import progress
from hocket.errors import HocketError
from hocket.linux.archive import Archive, tell
from hocket.linux.build import Linux, opened_archive
from hocket.linux.compiling import compile_with
from hocket.packages import require
from hocket.paths import BUILD, ROOT

NAME = "hocket"
PROTOCOL = ROOT / "hybrid" / "protocol"
SOURCES = ROOT / "hybrid" / "linux"
COMPILER = "aarch64-linux-gnu-"  # Debian's kernel is compiled with gcc


def hocket_module(linux: Linux, sources: str = "") -> bytes:
    """Returns hocket.ko for this Linux system, built earlier or now. sources: of packages. Empty: this
    machine's. Raises HocketError: offline, no headers for this kernel any more, it does not compile."""
    return module(linux, SOURCES, NAME, sources)


def module(linux: Linux, folder: Path, name: str, sources: str = "") -> bytes:
    """Returns the module of this folder (Kbuild and C files). The sources may include ../protocol."""
    require("linux", "the module of the Linux beside")
    files = [*_files(folder), *_files(PROTOCOL)]
    digest = hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]
    place = BUILD / "linux" / "modules" / linux.release / f"{name}-{digest}"
    made = place / f"{name}.ko"
    with locked(place.parent):
        if not made.is_file():
            headers = _headers(linux.release, sources)
            with progress(f"compiling the module {name} for Linux {linux.release}"):
                _compile(headers, folder, place, name)
    content = made.read_bytes()
    check_release(content, linux.release, name)
    return content


def check_release(content: bytes, release: str, name: str = NAME) -> None:
    """Raises HocketError if the module is for another kernel. That kernel would reject it with a shorter
    message."""
    match = re.search(rb"\0?vermagic=(\S+)", content)
    of = match[1].decode(errors="replace") if match else ""
    if of != release:
        raise HocketError(
            f"the module {name} is built for {f'the kernel {of}' if of else 'no kernel'}",
            f"the Linux beside is {release}, and a kernel takes only modules that were built for it",
            "remove build/linux/modules and start it again: it is then rebuilt",
        )


def _files(folder: Path) -> list[Path]:
    return sorted(
        file for file in folder.iterdir() if file.suffix in (".c", ".h") or file.name == "Kbuild"
    )


def _compile(headers: Path, folder: Path, place: Path, name: str) -> None:
    """Compiles in a copy of the folder, because the kernel's makefiles write beside the sources."""
    shutil.rmtree(place, ignore_errors=True)
    work = place / "work" / folder.name
    for source, copy in ((folder, work), (PROTOCOL, place / "work" / "protocol")):
        copy.mkdir(parents=True)
        for file in _files(source):
            shutil.copy(file, copy)
    # The user's environment for other builds must not affect this one.
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    target = f"CROSS_COMPILE={COMPILER}"
    _make(["make", "-s", "-C", str(headers), f"M={work}", "ARCH=arm64", target], environment, name)
    stripped = place / f"{name}.new"
    strip = [f"{COMPILER}strip", "--strip-debug", "-o", str(stripped), str(work / f"{name}.ko")]
    _make(strip, environment, name)
    stripped.replace(place / f"{name}.ko")
    shutil.rmtree(place / "work")


def _make(command: Sequence[str], environment: dict[str, str], name: str) -> None:
    way_out = (
        "this is a defect of Hocket, or the kernel is another than Debian 12's: please report it"
    )
    compile_with(command, f"the module {name}", way_out, environment=environment)


def _headers(release: str, sources: str) -> Path:
    """Returns the folder in which modules of this kernel are built. Its packages are unpacked beside each
    other."""
    if any(character in str(BUILD) for character in " :"):
        raise HocketError(
            f"modules for Linux cannot be built in {BUILD}",
            "its makefiles do not work in a folder whose name has a space or a colon",
            "move the checkout to another folder",
        )
    place = BUILD / "linux" / f"headers-{release}"
    folder = place / "usr" / "src" / f"linux-headers-{release}"
    with locked(place):
        if not (place / "unpacked").is_file():
            for package in _packages(release, sources):
                subprocess.run(["dpkg-deb", "-x", str(package), str(place)], check=True)
            # The package refers to the installed place of its other half. Here it lies beside it. The
            # relative path also holds if the folder is moved.
            makefile = folder / "Makefile"
            text = makefile.read_text(encoding="utf-8")
            here = "$(dir $(abspath $(lastword $(MAKEFILE_LIST))))"
            makefile.write_text(text.replace("include /usr/src/", f"include {here}../"))
            (place / "unpacked").touch()
    return folder


def _packages(release: str, sources: str) -> list[Path]:
    """Returns the kernel's headers, their common files, and this machine's programs that build with them."""
    name = f"linux-headers-{release}"
    with opened_archive(sources) as target:
        target.refresh_once()
        tools = [word for word in target.dependencies(name) if word.startswith("linux-kbuild-")]
        common = [word for word in target.dependencies(name) if word.startswith("linux-headers-")]
        files = _fetch(target, [name, *common])
    with opened_archive(sources, _host()) as host:
        host.refresh_once()
        return [*files, *_fetch(host, tools)]


def _fetch(archive: Archive, names: Sequence[str]) -> list[Path]:
    debs = archive.alone(names)
    tell(debs, archive.missing(debs))
    return archive.fetch(debs)


def _host() -> str:
    """Returns this machine's architecture by Debian's name."""
    done = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
