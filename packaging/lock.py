"""Writes tools/requirements.lock: the files of each package of tools/requirements*.txt, by their hashes.

    .venv/bin/python packaging/lock.py URL    of the index (PEP 691), if pip is set to none

Run it after a change of the lists. Exactly the packages of the lock are installed: pip checks each downloaded
file (`--require-hashes`). The lock lists the files for Linux and the supported versions of Python, or the
source of a package without such files.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.tags import Tag
from packaging.utils import canonicalize_name, parse_sdist_filename, parse_wheel_filename

TOOLS = Path(__file__).resolve().parents[1] / "tools"
LISTS = ("requirements.txt", "requirements-test.txt")
LOCK = TOOLS / "requirements.lock"
# The packages that the command line needs before anything else is installed (`./hocket --help`).
SMALL = ("typer", "rich")

PYTHONS = [f"3{minor}" for minor in (11, 12, 13, 14)]
_HEAD = """\
# Made by packaging/lock.py from requirements.txt and requirements-test.txt: which files may be installed.
"""


def main() -> int:
    """Writes the lock and returns the exit status."""
    lists = [pins(TOOLS / name) for name in LISTS]
    small = with_needs(SMALL)
    first = {
        name: version for name, version in lists[0].items() if canonicalize_name(name) in small
    }
    rest = {name: version for name, version in lists[0].items() if name not in first}
    index = index_of_pip()
    lines = [_HEAD]
    with ThreadPoolExecutor(8) as pool:
        for title, part in (("small", first), ("all", rest), ("test", lists[1])):
            entries = pool.map(lambda pin: entry(index, *pin), part.items())
            lines += [f"# {title}\n", *entries]
    LOCK.write_text("".join(lines), encoding="utf-8")
    return 0


def pins(file: Path) -> dict[str, str]:
    """Returns the name and the version of each line of a list."""
    found = re.findall(r"^([\w.-]+)==([\w.+!-]+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(found)


def with_needs(names: Iterable[str]) -> set[str]:
    """Returns the packages and all their dependencies, according to what is installed here."""
    found: set[str] = set()
    waiting = [canonicalize_name(name) for name in names]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        for text in metadata.requires(name) or []:
            need = Requirement(text)
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                waiting.append(canonicalize_name(need.name))
    return found


def index_of_pip() -> str:
    asked = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    index = done.stdout.strip() or next(iter(sys.argv[1:]), "")
    return index or sys.exit("name the index: packaging/lock.py URL")


def entry(index: str, name: str, version: str) -> str:
    """Returns the package's lines: its pin, and the hashes of the matching files."""
    request = urllib.request.Request(
        f"{index.rstrip('/')}/{canonicalize_name(name)}/",
        headers={"Accept": "application/vnd.pypi.simple.v1+json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        files = json.load(answer)["files"]
    of_version = {file["filename"]: file["hashes"]["sha256"] for file in files if file["hashes"]}
    wheels = {sum_ for file, sum_ in of_version.items() if fits(file, name, version)}
    sums = wheels or {sum_ for file, sum_ in of_version.items() if is_source(file, name, version)}
    if not sums:
        raise SystemExit(f"{name}=={version} has no file for Linux")
    return f"{name}=={version}" + "".join(f" --hash=sha256:{each}" for each in sorted(sums)) + "\n"


def fits(file: str, name: str, version: str) -> bool:
    """Returns whether the file is a wheel of this version for a supported Python on Linux with the GNU C
    library."""
    if not file.endswith(".whl"):
        return False
    try:
        of_name, of_version, _, tags = parse_wheel_filename(file)
    except ValueError:
        return False
    return (
        of_name == canonicalize_name(name) and str(of_version) == version and any(map(ours, tags))
    )


def is_source(file: str, name: str, version: str) -> bool:
    try:
        of_name, of_version = parse_sdist_filename(file)
    except ValueError:
        return False
    return of_name == canonicalize_name(name) and str(of_version) == version


def ours(tag: Tag) -> bool:
    platform = tag.platform == "any" or re.fullmatch(
        r"(manylinux\w*|linux)_(x86_64|aarch64)", tag.platform
    )
    stable = tag.abi == "abi3" and int(tag.interpreter[3:] or 0) <= int(PYTHONS[0][1:])
    own = tag.interpreter in {f"cp{python}" for python in PYTHONS} and "t" not in tag.abi
    return bool(platform) and (tag.interpreter in ("py3", "py2.py3") or stable or own)


if __name__ == "__main__":
    sys.exit(main())
