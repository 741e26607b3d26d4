"""Turns apt's messages into a fact, its cause and the next step."""

from __future__ import annotations

import re

from hocket.errors import HocketError

# apt's messages, in the order of the search. (Without network, packages cannot be found either.)
_NETWORK = (
    r"Temporary failure resolving '([^']*)'|Could not resolve '([^']*)'|Could not connect to (\S+)"
    r"|Cannot initiate the connection to (\S+)|Connection timed out|Network is unreachable"
    r"|Connection failed|Unable to connect to (\S+)"
)
_SIGNATURE = (
    r"is not signed|NO_PUBKEY|EXPKEYSIG|BADSIG|couldn't be verified|signatures were invalid"
    r"|no longer signed|not available and trusted|does not have a Release file"
)
_SPACE = r"No space left on device|enough free space"
_GONE = (
    r"Unable to locate package (\S+)|Package '?([^' ]+)'? has no installation candidate"
    r"|Version '[^']*' for '([^']*)' was not found|No packages found|Can't find a source to download "
    r"version '[^']*' of '([^':]*)"
)
_STALE = r"404 +Not Found|Hash Sum mismatch|File not found|No such file or directory"


class Stale(HocketError):
    """The lists name packages that the sources no longer have. Reading the lists again solves it."""


def explain(said: str, architecture: str, asked: str) -> HocketError:
    """Returns the error for apt's standard error. asked: the requested package, if apt does not name one."""
    words = "; ".join(
        line[2:].strip() for line in said.splitlines() if line.startswith(("E:", "W:"))
    )
    words = words or said.strip() or "it printed nothing"
    if re.search(_SPACE, said):
        return HocketError(
            "there is no space for Debian's packages",
            words,
            "make room; XDG_CACHE_HOME can name another place for what is downloaded",
        )
    network = re.search(_NETWORK, said)
    if network:
        host = next((name for name in network.groups() if name), "a package source").rstrip(":")
        return HocketError(
            f"{host} does not answer: is this computer offline?",
            "Debian's packages are downloaded once, and kept",
            "go online and try again (a proxy stands in /etc/apt/apt.conf)",
        )
    if re.search(_SIGNATURE, said):
        return HocketError(
            "a package source is not signed by a key that this machine trusts",
            words,
            "install or renew the package debian-archive-keyring, or name the keyring by Signed-By",
        )
    gone = re.search(_GONE, said)
    if gone:
        name = next((name for name in gone.groups() if name), asked)
        return HocketError(
            f"there is no package {name} for {architecture}",
            "this machine's package sources do not offer it",
            "check its name (Debian's package search lists all), or read the lists again: "
            "hocket linux build --refresh",
        )
    if re.search(_STALE, said):
        return Stale(
            "the package sources have changed since their lists were read",
            words,
            "read the lists again: hocket linux build --refresh",
        )
    return HocketError("apt-get failed", words, "fix what it names")
