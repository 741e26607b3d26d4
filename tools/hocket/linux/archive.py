"""Gets packages of another architecture from this machine's sources, by apt with a root of its own.

Nothing is installed, and no package's script is run. Packages are chosen, downloaded and checked against the
sources' signatures, with folders and a state that are separate from the machine's. Recommended packages are
left out. Manual: apt.conf(5), "The Dir Group"; apt-get(8).
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.console import progress, say
from hocket.errors import HocketError
from hocket.linux.apt_errors import explain
from hocket.whole_files import keep_current, write_whole

_LINE = re.compile(r"'(?P<uri>[^']*)' (?P<file>\S+) (?P<size>\d+) (?P<sum>\S*)")
_FOLDERS = (
    "etc/sources.list.d",
    "etc/preferences.d",
    "state/lists/partial",
    "archives/partial",
    "cache",
)


@dataclass(frozen=True)
class Deb:
    """A package that can be downloaded. size: in bytes. checksum: as `KIND:hexadecimal`."""

    name: str
    version: str
    architecture: str
    size: int
    checksum: str
    file: str  # its name in the folder of archives

    def identity(self) -> str:
        return f"{self.name}={self.version}"

    def whole(self, file: Path) -> bool:
        """Returns whether the file is complete, by size and checksum."""
        if not file.is_file() or file.stat().st_size != self.size:
            return False
        kind, _, digits = self.checksum.partition(":")
        known = {"SHA256": "sha256", "SHA512": "sha512", "SHA1": "sha1", "MD5Sum": "md5"}
        if kind not in known:
            return False
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, known[kind]).hexdigest() == digits


class Archive:
    """apt with these sources (deb822 text), for packages of one architecture. All its files are in `folder`.
    The caller must hold the folder's lock."""

    def __init__(self, folder: Path, sources: str, architecture: str = "arm64") -> None:
        self.folder = folder
        self.architecture = architecture
        self._sources = sources
        self._prepare()

    @property
    def archives(self) -> Path:
        return self.folder / "archives"

    def refresh(self) -> None:
        """Reads the sources' lists again, and checks their signatures. Raises HocketError: offline, unsigned
        …"""
        with progress("reading the lists of Debian's packages"):
            self._apt("apt-get", "update", "--error-on=any")
        write_whole(self.folder / "read", self._sources)

    def refresh_once(self) -> bool:
        """Reads the lists if these sources were never read. Returns whether that was necessary."""
        read = self.folder / "read"
        if read.is_file() and read.read_text(encoding="utf-8") == self._sources:
            return False
        self.refresh()
        return True

    def with_dependencies(self, names: Sequence[str]) -> list[Deb]:
        """Returns the packages and all their dependencies, by name. Raises HocketError if one does not exist
        or they conflict."""
        if not names:
            return []
        nowhere = f"Dir::Cache::archives={self.folder / 'nothing'}"  # all, not only missing ones
        words = ("install", "--print-uris", "--yes", "-o", nowhere, "--", *names)
        chosen = self._listed(self._apt("apt-get", *words))  # some without checksums
        return self.alone([deb.identity() for deb in chosen])

    def alone(self, names: Sequence[str]) -> list[Deb]:
        """Returns these packages without their dependencies."""
        nothing = self.folder / "nothing"  # an empty folder, so that all are listed
        return self._listed(self._apt("apt-get", "download", "--print-uris", *names, cwd=nothing))

    def dependencies(self, name: str) -> list[str]:
        """Returns the names of the dependencies of the package's newest version."""
        shown = self._apt("apt-cache", "show", "--no-all-versions", "--", name)
        line = re.search(r"(?m)^Depends: (.*)$", shown)
        return re.findall(r"(?:^|, )([^ ,(]+)", line.group(1)) if line else []

    def missing(self, debs: Sequence[Deb]) -> list[Deb]:
        """Returns the packages that are missing or incomplete."""
        return [deb for deb in debs if not deb.whole(self.archives / deb.file)]

    def fetch(self, debs: Sequence[Deb]) -> list[Path]:
        """Downloads what is missing and returns the files, in the order of `debs`. Raises HocketError: no
        network, no space, a wrong checksum."""
        wanted = self.missing(debs)
        if wanted:
            size = sum(deb.size for deb in wanted)
            check_space(self.archives, size, "the packages")
            count = f"{len(wanted)} package{'' if len(wanted) == 1 else 's'}"
            with progress(f"downloading {count} of Debian, {megabytes(size)} MB"):
                self._download(wanted)
        return [self.archives / deb.file for deb in debs]

    def _download(self, debs: Sequence[Deb]) -> None:
        """Downloads into a temporary folder, so that a file in the archives is always complete."""
        aside = self.archives / f"partial-{os.getpid()}"
        aside.mkdir(exist_ok=True)
        try:
            self._apt("apt-get", "download", "-q", *(deb.identity() for deb in debs), cwd=aside)
            for deb in debs:
                if not deb.whole(aside / deb.file):
                    raise HocketError(
                        f"the package {deb.file} was not downloaded completely",
                        "its checksum is not the one in the signed list",
                        "try again; if that does not help: hocket linux build --refresh",
                    )
                (aside / deb.file).replace(self.archives / deb.file)
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def _listed(self, text: str) -> list[Deb]:
        debs = []
        for match in _LINE.finditer(text):
            file = match["file"]
            name, version, architecture = file.removesuffix(".deb").split("_")
            version = version.replace("%3a", ":")
            debs.append(Deb(name, version, architecture, int(match["size"]), match["sum"], file))
        return sorted(debs, key=lambda deb: deb.file)

    def _prepare(self) -> None:
        if shutil.which("apt-get") is None:
            raise HocketError(
                "apt-get is not there",
                "the Linux beside is made of Debian's packages, which apt downloads and checks",
                "use Debian 12 or later for it",
            )
        for name in (*_FOLDERS, "nothing/partial"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        (self.folder / "state" / "status").touch()
        keep_current(self.folder / "etc" / "sources.list.d" / "hocket.sources", self._sources)
        keep_current(self.folder / "apt.conf", self._configuration())

    def _configuration(self) -> str:
        """Returns the whole configuration, except how the machine reaches its sources (proxies,
        time-outs)."""
        settings = {
            "Dir": f"{self.folder.absolute()}/",
            "Dir::Etc": "etc/",
            "Dir::Etc::sourcelist": "/dev/null",
            "Dir::Etc::sourceparts": "sources.list.d/",
            "Dir::Etc::preferences": "/dev/null",
            "Dir::Etc::preferencesparts": "preferences.d/",
            "Dir::Etc::main": "/dev/null",
            "Dir::Etc::parts": "/dev/null",
            "Dir::State": "state/",
            "Dir::State::status": "status",
            "Dir::Cache": "cache/",
            "Dir::Cache::archives": f"{self.archives.absolute()}/",
            "APT::Architecture": self.architecture,
            "APT::Install-Recommends": "false",
            "APT::Sandbox::User": "root",  # apt's own user need not have access to the folder
            "Acquire::Languages": "none",
            "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
            "Acquire::Retries": "1",
            "Acquire::http::Timeout": "20",
            "Acquire::https::Timeout": "20",
        }
        own = [f'{name} "{value}";' for name, value in settings.items()]
        own += [f'APT::Architectures {{ "{self.architecture}"; }};']
        return "\n".join([*_machine_access(), *own]) + "\n"

    def _apt(self, *words: str, cwd: Path | None = None) -> str:
        """Runs a program of apt and returns its output. Raises HocketError for its errors."""
        environment = os.environ | {
            "APT_CONFIG": str(self.folder / "apt.conf"),
            "LC_ALL": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive",
        }
        done = subprocess.run(
            words,
            cwd=cwd or self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode != 0:
            raise explain(done.stderr, self.architecture, words[-1])
        return done.stdout


def _machine_access() -> list[str]:
    """Returns the machine's own settings for access to sources. Its other settings (hooks, for example) are
    left out."""
    done = subprocess.run(
        ["apt-config", "dump"], capture_output=True, text=True, errors="replace", check=False
    )
    lines = (re.match(r"Acquire::[^ ]* \".*\";$", line) for line in done.stdout.splitlines())
    kept = [match.group() for match in lines if match]
    return [
        line for line in kept if not line.startswith(("Acquire::IndexTargets", "Acquire::Lang"))
    ]


def check_space(folder: Path, needed: int, what: str) -> None:
    """Raises HocketError if the folder's file system has less free space than this number of bytes plus a
    reserve."""
    spare = 64 * 1024 * 1024
    free = shutil.disk_usage(folder).free
    if free < needed + spare:
        raise HocketError(
            f"there is no space for {what}",
            f"{folder} has {megabytes(free)} MB left; {megabytes(needed + spare)} MB are needed",
            "make room there; XDG_CACHE_HOME can name another place for what is downloaded",
        )


def megabytes(size: int) -> str:
    """Returns a size in millions of bytes, as package tools do, with one decimal below ten."""
    value = size / 1e6
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def tell(debs: Sequence[Deb], missing: Sequence[Deb]) -> None:
    """Prints what will be downloaded."""
    if missing:
        say(
            f"the Linux beside needs {len(debs)} packages of Debian; {len(missing)} of them, "
            f"{megabytes(sum(deb.size for deb in missing))} MB, are to be downloaded"
        )
