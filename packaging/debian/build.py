#!/usr/bin/env python3
"""Builds the Debian package of Hocket, for the release of Debian or Ubuntu on which it runs:

    packaging/debian/build.py [-o FOLDER]

The command line and its Python packages, pinned as in tools/requirements.txt, are in /usr/lib/hocket. Other
programs do not find them there, because the distribution has other versions of some. The packages include
compiled modules, so the Debian package is for one architecture and one version of Python. Its dependencies
are read from tools/packages.txt. Its manual page and its completions are generated from the command itself.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from hocket import __version__  # noqa: E402
from hocket.errors import HocketError  # noqa: E402
from hocket.packages import Package, install_command, packages  # noqa: E402

LIBRARY = Path("usr/lib/hocket")
# Groups of tools/packages.txt.
RECOMMENDED = ("aarch64", "uno", "flash", "debug", "edit")
SUGGESTED = ("linux",)
COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/hocket",
    "zsh": "usr/share/zsh/vendor-completions/_hocket",
    "fish": "usr/share/fish/vendor_completions.d/hocket.fish",
}
LAUNCHER = """\
#!/bin/sh
# Starts Hocket. Every Python process that it starts inherits the folder of its packages (hocket.own_python).
# Ctrl-C is blocked until Python can answer it (hocket.early).
unset PYTHONHOME
export PYTHONPATH=/usr/lib/hocket PYTHONNOUSERSITE=1
exec /usr/bin/env --block-signal=INT /usr/bin/python3 -P -m hocket "$@"
"""


def main() -> None:
    options = argparse.ArgumentParser(description="Builds the Debian package of Hocket.")
    options.add_argument("-o", "--output", type=Path, default=ROOT / "build", metavar="FOLDER")
    folder = options.parse_args().output
    try:
        check_tools()
        build(folder)
    except HocketError as error:
        sys.exit(str(error))


def check_tools() -> None:
    missing = [] if importlib.util.find_spec("pip") else ["python3-pip"]
    missing += [] if shutil.which("dpkg-deb") else ["dpkg"]
    if missing:
        raise HocketError(
            "the Debian package cannot be built",
            f"not installed: {', '.join(missing)}",
            f"run: {install_command(missing)}",
        )


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    os.umask(0o022)
    with tempfile.TemporaryDirectory(prefix="hocket-deb-") as name:
        place = Path(name)
        place.chmod(0o755)
        install_python(place)
        install_launcher(place)
        install_documents(place)
        (place / "DEBIAN").mkdir()
        (place / "DEBIAN" / "control").write_text(control(place), encoding="utf-8")
        target = folder / f"hocket_{__version__}_{architecture()}.deb"
        said(["dpkg-deb", "--root-owner-group", "-Zxz", "-z1", "--build", str(place), str(target)])
    print(target)


def said(command: list[str], **more: str) -> str:
    """Returns the output of a command. Its standard error goes to this program's."""
    done = subprocess.run(
        command, env={**os.environ, **more}, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        raise HocketError(
            "the Debian package cannot be built",
            f"`{' '.join(command[:4])} …` ended with status {done.returncode}",
            "see its messages above; pip needs a network",
        )
    return done.stdout


def architecture() -> str:
    return said(["dpkg", "--print-architecture"]).strip()


def install_python(place: Path) -> None:
    """Installs the command line's own package and its dependencies, compiled for this Python."""
    library = place / LIBRARY
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--target",
        str(library),
        "--no-compile",
    ]
    source = place / "source"  # pip builds inside the sources, and must not change the checkout
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns("build", "results", ".*", "__pycache__")
    )
    lock = (ROOT / "tools" / "requirements.lock").read_text(encoding="utf-8")
    needed = place / "requirements.lock"
    needed.write_text(lock.partition("# test\n")[0], encoding="utf-8")
    said([*pip, "--require-hashes", "-r", str(needed)])
    needed.unlink()
    shutil.rmtree(library / "bin", ignore_errors=True)  # pip warns about an existing one
    said([*pip, "--no-deps", str(source)])
    shutil.rmtree(source)
    shutil.rmtree(
        library / "bin", ignore_errors=True
    )  # the packages' own commands are not installed
    for folder in library.rglob("tests"):
        if "hocket" not in folder.relative_to(library).parts[:1]:
            shutil.rmtree(folder, ignore_errors=True)
    # Files below /usr change only with the package, so Python need not compare them with their sources.
    compiling = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
    places = ["-s", str(library), "-p", f"/{LIBRARY}", "-x", "/project/", str(library)]
    said([*compiling, *places])


def install_launcher(place: Path) -> None:
    program = place / "usr" / "bin" / "hocket"
    program.parent.mkdir(parents=True)
    program.write_text(LAUNCHER)
    program.chmod(0o755)
    library = str(place / LIBRARY)
    for shell, name in COMPLETIONS.items():
        file = place / name
        file.parent.mkdir(parents=True)
        own = {"_HOCKET_COMPLETE": f"source_{shell}", "PYTHONPATH": library}
        file.write_text(said([sys.executable, "-m", "hocket"], **own), encoding="utf-8")


def install_documents(place: Path) -> None:
    manual = place / "usr" / "share" / "man" / "man1" / "hocket.1.gz"
    manual.parent.mkdir(parents=True)
    page = said(
        [sys.executable, str(ROOT / "packaging" / "debian" / "manual.py")],
        PYTHONPATH=str(place / LIBRARY),
    )
    manual.write_bytes(gzip.compress(page.encode(), mtime=0))
    documents = place / "usr" / "share" / "doc" / "hocket"
    documents.mkdir(parents=True)
    shutil.copy(ROOT / "packaging" / "debian" / "copyright", documents)
    shutil.copytree(ROOT / "LICENSES", documents / "LICENSES")
    shutil.copy(ROOT / "README.md", documents)
    shutil.copytree(ROOT / "docs", documents / "docs")


def control(place: Path) -> str:
    listed = packages()

    def of(*groups: str) -> str:
        return ", ".join(dict.fromkeys(alternatives(p) for p in listed if p.group in groups))

    major, minor = sys.version_info[:2]
    python = f"python3 (>= {major}.{minor}), python3 (<< {major}.{minor + 1})"
    page = (place / LIBRARY / "hocket" / "project" / "lab-page").is_dir()
    recommended = (
        RECOMMENDED if page else (*RECOMMENDED, "lab")
    )  # without the page, `hocket lab` builds it
    size = sum(f.stat().st_size for f in place.rglob("*") if f.is_file()) // 1024
    return "\n".join(
        (
            "Package: hocket",
            f"Version: {__version__}",
            f"Architecture: {architecture()}",
            "Section: devel",
            "Priority: optional",
            "Maintainer: Hocket's authors <hocket@localhost>",
            f"Installed-Size: {size}",
            f"Depends: {python}, libc6, libstdc++6, {of('run')}",
            f"Recommends: {of(*recommended)}",
            f"Suggests: {of(*SUGGESTED)}",
            "Description: Arduino sketches with many loops, each with a guaranteed share of a core",
            " Hocket runs Arduino sketches with many loops on small multicore computers. Each loop",
            " has a budget of processor time in every period; a sketch whose loops cannot all be",
            " guaranteed is refused before it runs. Boards are simulated, emulated or real.",
            "",
        )
    )


def alternatives(package: Package) -> str:
    return re.sub(r"\|", " | ", "|".join(package.names))


if __name__ == "__main__":
    main()
