"""Reads the package sources of this machine for its own release of Debian, as apt does.

Only sources of the release itself count (its name, or `NAME-updates` and the like). Other sources in /etc/apt
rarely have packages for arm64. Formats: sources.list(5), "One-line-style" and "deb822-style".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError

APT = Path("/etc/apt")
OS_RELEASE = Path("/etc/os-release")

_ALWAYS = ("stable", "oldstable", "testing", "unstable", "sid")


@dataclass(frozen=True)
class Source:
    """One entry: its fields by their names in lower case."""

    fields: dict[str, str]

    def text(self) -> str:
        """Returns the entry in deb822 style."""
        return "".join(f"{name.title()}: {value}\n" for name, value in self.fields.items())

    def of_release(self, release: str) -> bool:
        """Returns whether the entry is enabled, has binary packages, and is for this release."""
        if self.fields.get("enabled", "yes").lower() in ("no", "false", "off", "0"):
            return False
        names = (release, *_ALWAYS)
        suites = self.fields.get("suites", "").split()
        ours = any(re.split("[-/]", suite)[0] in names for suite in suites)
        return ours and "deb" in self.fields.get("types", "").split()


def machine_sources(etc: Path = APT, os_release: Path = OS_RELEASE) -> str:
    """Returns the sources of this machine's release, in deb822 style. Raises HocketError if it is not Debian
    or has none."""
    facts = _facts(os_release)
    name = facts.get("PRETTY_NAME") or "this system"
    release = facts.get("VERSION_CODENAME", "")
    if facts.get("ID") != "debian":
        raise HocketError(
            "the Linux beside is made of Debian's packages, and this machine's sources are of another system",
            f"it runs {name}",
            "give Debian's sources: --sources FILE (in apt's format, with Signed-By: a keyring of "
            "the package debian-archive-keyring)",
        )
    chosen = [source for source in _all(etc) if source.of_release(release)]
    if not chosen:
        raise HocketError(
            f"this machine has no package sources of {name}",
            f"neither {etc}/sources.list nor {etc}/sources.list.d names the release {release}",
            "name one there, or give a file in apt's format: --sources FILE",
        )
    return join(chosen)


def read_sources(file: Path) -> str:
    """Returns all entries of a file in either format, in deb822 style."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise HocketError(
            f"--sources {file} cannot be read", str(problem), "name a file in apt's format"
        ) from problem
    sources = parse_deb822(text) if re.search(r"(?im)^types:", text) else parse_one_line(text)
    if not sources:
        raise HocketError(
            f"--sources {file} names no package source",
            "an entry has Types, URIs and Suites, or begins with the word deb",
            "see: man sources.list",
        )
    return join(sources)


def join(sources: list[Source]) -> str:
    """Returns the text of a file `*.sources`. The architecture is configured elsewhere."""
    kept = [
        Source({k: v for k, v in source.fields.items() if k not in ("architectures", "types")})
        for source in sources
    ]
    return "\n".join("Types: deb\n" + source.text() for source in kept)


def parse_one_line(text: str) -> list[Source]:
    """Parses entries such as `deb [signed-by=/a/keyring] http://host/debian bookworm main`."""
    found = []
    for line in text.splitlines():
        match = re.match(r"\s*(deb(?:-src)?)\s+(?:\[([^]]*)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)", line)
        if match is None:
            continue
        kind, options, uri, suite, components = match.groups()
        fields = {"types": kind, "uris": uri, "suites": suite}
        if components.strip():
            fields["components"] = components.strip()
        for option in (options or "").split():
            name, _, value = option.partition("=")
            fields[{"arch": "architectures"}.get(name, name)] = value.replace(",", " ")
        found.append(Source(fields))
    return found


def parse_deb822(text: str) -> list[Source]:
    """Parses entries of lines `Name: value`, separated by empty lines."""
    found = []
    for paragraph in re.split(r"\n[ \t]*\n", text):
        fields: dict[str, str] = {}
        last = ""
        for line in paragraph.splitlines():
            if line.startswith("#"):
                continue
            if line[:1] in (" ", "\t") and last:  # a continuation line
                fields[last] += "\n" + line
                continue
            name, colon, value = line.partition(":")
            if colon:
                last = name.strip().lower()
                fields[last] = value.strip()
        if "uris" in fields:
            found.append(Source(fields))
    return found


def _all(etc: Path) -> list[Source]:
    parts = sorted((etc / "sources.list.d").glob("*"))
    found: list[Source] = []
    for file in [etc / "sources.list", *parts]:
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue  # missing or unreadable: apt ignores it as well
        if file.suffix == ".list":
            found += parse_one_line(text)
        elif file.suffix == ".sources":
            found += parse_deb822(text)
    return found


def _facts(os_release: Path) -> dict[str, str]:
    """Reads os-release(5)."""
    try:
        lines = os_release.read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    pairs = (line.partition("=") for line in lines)
    return {name: value.strip('"') for name, _, value in pairs}
