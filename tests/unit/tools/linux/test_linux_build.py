"""`hocket linux build` out of a repository on this computer: what it makes, what it says when it cannot."""

from __future__ import annotations

import shutil
import threading
from collections import namedtuple
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import run_entry
from tests.unit.tools.linux import repository
from tests.unit.tools.linux.reading import read_archive
from tests.unit.tools.linux.repository import RELEASE, Package, Repository

from hocket.builder import lock
from hocket.builder.lock import locked
from hocket.errors import HocketError
from hocket.linux.build import Linux, Wish, build, opened_archive
from hocket.linux.build import usual as usual_wish

Offering = Callable[[list[Package]], Repository]


def make(offered: Repository, folder: Path, *add: str, refresh: bool = False) -> Linux:
    return build(Wish(add=add, sources=offered.sources()), refresh, folder)


def test_a_kernel_and_a_root_come_out_of_packages(usual: Repository, tmp_path: Path) -> None:
    linux = make(usual, tmp_path)
    assert linux.release == RELEASE
    assert linux.kernel.read_bytes() == repository.IMAGE
    assert "busybox-static=1.0-1" in linux.packages
    files = read_archive(linux.root.read_bytes())
    assert files["usr/bin/busybox"].content == b"/bin/busybox\n"
    assert files["bin"].content == b"usr/bin"
    assert files["init"].content.startswith(b"#!/bin/busybox sh\n")
    modules = f"usr/lib/modules/{RELEASE}"
    assert files[f"{modules}/order"].content == b"crc32c_generic\njbd2\next4\n"
    assert files[f"{modules}/ext4.ko"].content.startswith(b"\0depends=jbd2")
    pages = sum(-(-len(file.content) // 4096) for file in files.values())
    assert linux.unpacked == 4096 * pages


@long_form
def test_the_same_packages_make_the_same_bytes(usual: Repository, tmp_path: Path) -> None:
    first, second = make(usual, tmp_path / "1"), make(usual, tmp_path / "2")
    assert first.root.read_bytes() == second.root.read_bytes()


@long_form
def test_what_was_made_is_kept(own: Repository, tmp_path: Path) -> None:
    first = make(own, tmp_path)
    shutil.rmtree(own.folder)
    assert make(own, tmp_path) == first
    with pytest.raises(HocketError):
        make(own, tmp_path, refresh=True)


@long_form
def test_what_was_downloaded_is_not_downloaded_again(own: Repository, tmp_path: Path) -> None:
    make(own, tmp_path / "1")
    shutil.rmtree(own.folder / "pool")
    assert make(own, tmp_path / "2").packages


def test_a_package_that_is_added_comes_whole_and_with_what_it_needs(
    offering: Offering, tmp_path: Path
) -> None:
    more = [
        Package("cowsay", {"/usr/games/cow": b"moo", "/usr/share/doc/cowsay/x": b"?"}, "fortune"),
        Package("fortune", {"/usr/share/fortune/f": b"luck"}),
        Package("other", {"/usr/bin/other": b"other"}),
    ]
    more[0].files["/usr/bin/cowsay"] = b"#!/bin/sh\n"
    offered = offering([*repository.usual(), *more])
    files = read_archive(make(offered, tmp_path, "cowsay").root.read_bytes())
    assert files["usr/bin/cowsay"].content and files["usr/share/fortune/f"].content == b"luck"
    assert "usr/share/doc/cowsay/x" not in files and "usr/bin/other" not in files


@one_in(2)
@pytest.mark.parametrize("gone", ["linux-image-arm64", "stress-ng"])
def test_a_package_that_is_gone(gone: str, offering: Offering, tmp_path: Path) -> None:
    offered = offering([p for p in repository.usual() if p.name != gone])
    with pytest.raises(HocketError) as said:
        make(offered, tmp_path)
    assert said.value.fact == f"there is no package {gone} for arm64"
    assert "--refresh" in said.value.next_step


@long_form
def test_what_was_added_stays_until_it_is_made_without(offering: Offering, tmp_path: Path) -> None:
    offered = offering([*repository.usual(), Package("more", {"/usr/bin/more": b"m"})])
    place = tmp_path / "linux"
    make(offered, place, "more")
    wish = usual_wish("linux", "512M", place)
    assert (wish.add, wish.sources) == (("more",), offered.sources())
    with pytest.raises(HocketError):
        make(offered, place, "no-such-package")
    assert usual_wish("linux", "512M", place) == wish  # that one was not made
    assert "more=1.0-1" in build(wish, folder=place).packages
    assert "more=1.0-1" not in make(offered, place).packages
    assert usual_wish("linux", "512M", place).add == ()


@long_form
def test_lists_that_are_old_are_read_anew(own: Repository, key: Path, tmp_path: Path) -> None:
    """A point release: the old package is no longer there, the lists know a newer one."""
    with opened_archive(own.sources()) as archive:
        archive.refresh_once()
    lists = own.folder / "dists/bookworm/main/binary-arm64/Packages"
    (own.folder / "pool/iperf3_1.0-1_arm64.deb").rename(own.folder / "pool/iperf3_1_arm64.deb")
    lists.write_text(lists.read_text().replace("pool/iperf3_1.0-1_", "pool/iperf3_1_"))
    repository.sign(own.folder, key)
    assert make(own, tmp_path).release == RELEASE


def test_a_list_with_another_signature(own: Repository, key: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    repository.make_key(other)
    repository.sign(own.folder, other)
    with pytest.raises(HocketError, match="not signed by a key that this machine trusts") as said:
        make(own, tmp_path)
    assert "debian-archive-keyring" in said.value.next_step


def test_a_package_that_was_changed_on_its_way(own: Repository, tmp_path: Path) -> None:
    spoilt = own.folder / "pool/stress-ng_1.0-1_arm64.deb"
    content = bytearray(spoilt.read_bytes())
    content[-5] ^= 1
    spoilt.write_bytes(content)
    with pytest.raises(HocketError) as said:
        make(own, tmp_path)
    assert "stress-ng" in str(said.value) or "changed" in said.value.fact
    assert not list(tmp_path.glob("cache/hocket/linux/*/archives/stress-ng*"))


@long_form
def test_offline(usual: Repository, tmp_path: Path) -> None:
    nobody = usual.sources("http://127.0.0.1:9/debian")
    with pytest.raises(HocketError, match="is this computer offline") as said:
        build(Wish(sources=nobody), folder=tmp_path)
    assert "127.0.0.1" in said.value.fact


def test_no_space(usual: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage(10**9, 10**9, 12_000))
    with pytest.raises(HocketError, match="there is no space for the packages") as said:
        make(usual, tmp_path)
    assert "XDG_CACHE_HOME" in said.value.next_step


@long_form
def test_a_kernel_without_what_is_needed(offering: Offering, tmp_path: Path) -> None:
    packages = repository.usual()
    configuration = f"/boot/config-{RELEASE}"
    packages[1].files[configuration] = (
        packages[1].files[configuration].replace(b"GIC_V3=y", b"GIC_V3=n")
    )
    with pytest.raises(HocketError) as said:
        make(offering(packages), tmp_path)
    assert said.value.fact == f"the kernel {RELEASE} has no interrupts on this board"
    assert "CONFIG_ARM_GIC_V3" in said.value.cause


@long_form
def test_a_kernel_in_another_form(offering: Offering, tmp_path: Path) -> None:
    packages = repository.usual()
    packages[1].files[f"/boot/vmlinuz-{RELEASE}"] = b"MZ a program that unpacks itself" * 9
    with pytest.raises(HocketError, match="not in the form that is loaded as it is"):
        make(offering(packages), tmp_path)


@long_form
def test_a_module_that_is_gone(offering: Offering, tmp_path: Path) -> None:
    packages = repository.usual()
    del packages[1].files[f"/lib/modules/{RELEASE}/kernel/fs/jbd2.ko"]
    with pytest.raises(HocketError, match="no module jbd2, which ext4 needs"):
        make(offering(packages), tmp_path)


@long_form
def test_a_root_too_big_for_the_memory(offering: Offering, tmp_path: Path) -> None:
    big = Package("big", {"/usr/share/big/x": bytes(130 * 1024 * 1024)})
    with pytest.raises(HocketError, match="is too big for 512 MiB of memory") as said:
        make(offering([*repository.usual(), big]), tmp_path, "big")
    assert "--memory 1G" in said.value.next_step


@long_form
def test_words_of_the_command() -> None:
    done = run_entry("linux", "build", "windows")
    assert (done.returncode, "there is no such Linux" in done.stderr) == (2, True)
    done = run_entry("linux", "build", "--memory", "640K")
    assert (done.returncode, "use --memory 512M or --memory 1G" in done.stderr) == (2, True)
    done = run_entry("linux", "build", "--sources", "/nowhere/at.all")
    assert (done.returncode, "cannot be read" in done.stderr) == (2, True)


def test_the_command_itself(usual: Repository, tmp_path: Path) -> None:
    """From outside: a package that is not there is an error with a way out."""
    sources = tmp_path / "debian.sources"
    sources.write_text(usual.sources())
    done = run_entry("linux", "build", "--sources", sources, "--add", "no-such-package")
    assert done.returncode == 2
    assert "there is no package no-such-package for arm64" in done.stderr
    assert "next:" in done.stderr


def test_nothing_is_written_for_apt_while_another_uses_it(
    usual: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing that is as it should be, so that it cannot be cut off."""
    waiting, wait = threading.Event(), lock._wait_for

    def told(handle: TextIOWrapper) -> None:
        waiting.set()
        wait(handle)

    monkeypatch.setattr(lock, "_wait_for", told)
    with opened_archive(usual.sources()) as archive:
        file = archive.folder / "apt.conf"
    was = file.stat()
    file.write_text("spoilt")

    def other() -> None:
        with opened_archive(usual.sources()):
            pass

    thread = threading.Thread(target=other)
    with locked(archive.folder):
        thread.start()
        assert waiting.wait(60)
        assert file.read_text() == "spoilt"
    thread.join(60)
    mended = file.stat()
    assert mended.st_size == was.st_size
    other()
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (mended.st_ino, mended.st_mtime_ns)
