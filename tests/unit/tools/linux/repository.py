"""A small repository of packages in a folder, signed with a key made for it: Debian, as far as apt can tell.

It offers all packages that the root's contents name, each with its programs as text files, and a kernel that
is one only by its head. Formats: deb(5); Debian's wiki, «DebianRepository/Format».
"""

from __future__ import annotations

import hashlib
import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from hocket.linux.kernel import PACKAGES

RELEASE = "6.1.0-9-arm64"
CONFIGURATION = "\n".join(
    f"CONFIG_{name}=y"
    for name in (
        *("BLK_DEV_INITRD", "DEVTMPFS", "TMPFS", "SERIAL_AMBA_PL011_CONSOLE", "ARM_GIC_V3"),
        "ARM_PSCI_FW",
    )
)
IMAGE = bytes(16) + struct.pack("<Q", 1 << 20) + bytes(32) + b"ARM\x64" + b"a kernel"


def module(name: str, depends: str = "", before: str = "") -> bytes:
    """A kernel's module, as far as its section .modinfo tells."""
    said = [f"depends={depends}", f"softdep=pre: {before}" if before else f"name={name}"]
    return b"\0" + b"".join(f"{line}\0".encode() for line in said)


@dataclass
class Package:
    name: str
    files: dict[str, bytes] = field(default_factory=dict)
    depends: str = ""
    version: str = "1.0-1"


def usual() -> list[Package]:
    """Packages that `hocket linux build` asks for when nothing else is said."""
    modules = f"/lib/modules/{RELEASE}"
    drivers = f"{modules}/kernel"
    kernel = {
        f"/boot/vmlinuz-{RELEASE}": IMAGE,
        f"/boot/config-{RELEASE}": CONFIGURATION.encode(),
        f"{drivers}/fs/ext4.ko": module("ext4", "jbd2", "crypto-crc32c"),
        f"{drivers}/fs/jbd2.ko": module("jbd2"),
        f"{drivers}/crypto/crc32c_generic.ko": module("crc32c_generic"),
        f"{modules}/modules.builtin": b"kernel/drivers/block/loop.ko\n",
    }
    programs = {
        "busybox-static": ["/bin/busybox"],
        "dash": ["/bin/dash", "/bin/sh"],
        "rt-tests": ["/usr/bin/cyclictest", "/usr/bin/hackbench"],
        "stress-ng": ["/usr/bin/stress-ng"],
        "iperf3": ["/usr/bin/iperf3"],
        "bonnie++": ["/usr/sbin/bonnie++"],
        "gpiod": ["/usr/bin/gpioget"],
        "e2fsprogs": ["/sbin/mke2fs", "/sbin/mkfs.ext4"],
        "python3": ["/usr/bin/python3", "/usr/lib/python3.11/os.py"],
        "python3-libgpiod": [],
    }
    packages = [
        Package(PACKAGES["linux"], {}, f"linux-image-{RELEASE} (= 1.0-1)"),
        Package(f"linux-image-{RELEASE}", kernel, "initramfs-tools"),
    ]
    for name, files in programs.items():
        packages.append(Package(name, {file: f"{file}\n".encode() for file in files}))
    return packages


@dataclass(frozen=True)
class Repository:
    folder: Path
    keyring: Path

    def sources(self, uri: str = "") -> str:
        """For apt, in deb822 style."""
        where = uri or f"file:{self.folder}"
        return (
            f"Types: deb\nURIs: {where}\nSuites: bookworm\nComponents: main\n"
            f"Signed-By: {self.keyring}\n"
        )

    def debs(self) -> list[Path]:
        return sorted(self.folder.glob("pool/*.deb"))


def make(folder: Path, home: Path, packages: list[Package]) -> Repository:
    """Writes the repository; `home`: where the key that signs it lies (make_key)."""
    pool, lists = folder / "pool", folder / "dists/bookworm/main/binary-arm64"
    pool.mkdir(parents=True)
    lists.mkdir(parents=True)
    paragraphs = [_add(package, pool) for package in packages]
    (lists / "Packages").write_text("\n".join(paragraphs))
    sign(folder, home)
    return Repository(folder, home / "public.gpg")


def sign(folder: Path, home: Path) -> None:
    """Writes the list of lists anew, and signs it."""
    lists = folder / "dists/bookworm/main/binary-arm64/Packages"
    content = lists.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    (folder / "dists/bookworm/Release").write_text(
        "Origin: Debian\nSuite: bookworm\nCodename: bookworm\nArchitectures: arm64\n"
        "Components: main\nDate: Sun, 01 Nov 2026 00:00:00 UTC\n"
        f"SHA256:\n {digest} {len(content)} main/binary-arm64/Packages\n"
    )
    release = folder / "dists/bookworm/Release"
    signed = folder / "dists/bookworm/InRelease"
    signed.unlink(missing_ok=True)
    _gpg(home, "--clearsign", "--output", str(signed), str(release))


def make_key(home: Path) -> Path:
    """A key without a password, for one test; its public half."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    _gpg(home, "--quick-generate-key", "a test of hocket", "ed25519", "sign", "never")
    public = home / "public.gpg"
    _gpg(home, "--output", str(public), "--export")
    return public


def _add(package: Package, pool: Path) -> str:
    """Makes the package; its paragraph in the list."""
    place = pool / f"{package.name}.folder"
    (place / "DEBIAN").mkdir(parents=True)
    architecture = "arm64"
    control = f"Package: {package.name}\nVersion: {package.version}\nArchitecture: {architecture}\n"
    control += "Maintainer: A Test <test@example.org>\n"
    control += f"Depends: {package.depends}\n" if package.depends else ""
    control += "Description: of a test\n"
    (place / "DEBIAN/control").write_text(control)
    for path, content in package.files.items():
        file = place / path[1:]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    deb = pool / f"{package.name}_{package.version}_{architecture}.deb"
    words = ["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(place), str(deb)]
    subprocess.run(words, check=True, capture_output=True)
    digest = hashlib.sha256(deb.read_bytes()).hexdigest()
    return f"{control}Filename: pool/{deb.name}\nSize: {deb.stat().st_size}\nSHA256: {digest}\n"


def _gpg(home: Path, *words: str) -> None:
    command = ["gpg", "--homedir", str(home), "--batch", "--quiet", "--pinentry-mode", "loopback"]
    subprocess.run([*command, "--passphrase", "", *words], check=True, capture_output=True)
    # The agent that it starts would outlive the test.
    subprocess.run(["gpgconf", "--homedir", str(home), "--kill", "gpg-agent"], check=True)
