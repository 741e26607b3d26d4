"""What a root is made of: archives, the libraries of programs, the order of modules, what fits."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.tools.linux.reading import read_archive
from tests.unit.tools.linux.repository import IMAGE, module

from hocket.errors import HocketError
from hocket.linux import cpio, machine
from hocket.linux.closure import Closure
from hocket.linux.machine import MIB
from hocket.linux.modules import KernelModules
from hocket.linux.tree import Tree, merged

NAMES = st.text("abc", min_size=1, max_size=3)
FILES = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=3).map("/".join), st.binary(max_size=9)
)


@given(FILES)
def test_an_archive_holds_what_was_put_into_it(files: dict[str, bytes]) -> None:
    """Names that are folders of others are left out: they would be both."""
    plain = {n: c for n, c in files.items() if not any(o.startswith(f"{n}/") for o in files)}
    data = b"".join(cpio.archive(cpio.file(f"/{name}", content) for name, content in plain.items()))
    read = read_archive(data)
    assert {name: read[name].content for name in plain} == plain
    assert len(data) % cpio.PAGE == 0
    order = list(read)
    for name in order:
        above = name.rpartition("/")[0]
        assert not above or order.index(above) < order.index(name)
    numbers = [file.number for file in read.values()]
    assert numbers == sorted(set(numbers))
    assert {file.time for file in read.values()} <= {cpio.TIME}


def test_a_second_archive_replaces_what_the_first_brought() -> None:
    first = b"".join(cpio.archive([cpio.file("/hocket/job", b"one"), cpio.link("/bin", "usr/bin")]))
    second = b"".join(cpio.archive([cpio.file("/hocket/job", b"two", 0o755)]))
    read = read_archive(first + second)
    assert (read["hocket/job"].content, read["hocket/job"].mode & 0o777) == (b"two", 0o755)
    assert read["bin"].content == b"usr/bin"


def library(folder: Path, name: str, *needed: Path, options: tuple[str, ...] = ()) -> Path:
    """A small ELF file for AArch64 that needs these libraries."""
    source, made = folder / "x.c", folder / name
    source.write_text("int x;\n")
    words = [
        "clang-19",
        "--target=aarch64-linux-gnu",
        "-nostdlib",
        "-fuse-ld=lld",
        "-shared",
        "-fPIC",
    ]
    words += [f"-Wl,-soname,{name}", "-Wl,--no-as-needed", *options, str(source), *map(str, needed)]
    subprocess.run([*words, "-o", str(made)], check=True)
    return made


def test_a_program_comes_with_its_libraries_and_the_links_to_them(tmp_path: Path) -> None:
    deep = library(tmp_path, "libdeep.so.1")
    own = library(tmp_path, "libown.so", deep, options=("-Wl,-rpath,$ORIGIN/deep",))
    tool = library(tmp_path, "tool", own, options=("-Wl,-rpath,/usr/lib/tool",))
    tree = Tree()
    tree.add_file("/usr/bin/tool", tool.read_bytes(), 0o755)
    tree.add_file("/usr/lib/tool/libown.so", own.read_bytes())
    tree.add_link("/usr/lib/tool/deep", "../aarch64-linux-gnu/nested")
    tree.add_link("/usr/lib/aarch64-linux-gnu/nested/libdeep.so.1", "libdeep.so.1.2")
    tree.add_file("/usr/lib/aarch64-linux-gnu/nested/libdeep.so.1.2", deep.read_bytes())
    tree.add_file("/usr/lib/libother.so", deep.read_bytes())
    closure = Closure(tree)
    assert closure.add("/usr/bin/tool") and not closure.lacking
    assert closure.paths == {
        "/usr/bin/tool", "/usr/lib/tool/libown.so",
        "/usr/lib/aarch64-linux-gnu/nested/libdeep.so.1",
        "/usr/lib/aarch64-linux-gnu/nested/libdeep.so.1.2",
    }  # fmt: skip


def test_a_library_that_nobody_brings_is_named(tmp_path: Path) -> None:
    tree = Tree()
    tree.add_file(
        "/usr/bin/tool", library(tmp_path, "t", library(tmp_path, "libx.so")).read_bytes()
    )
    closure = Closure(tree)
    closure.add("/usr/bin/tool")
    assert closure.lacking == {("libx.so", "/usr/bin/tool")}
    assert not closure.add("/usr/bin/nothing")


def test_links_in_a_circle_lead_nowhere() -> None:
    tree = Tree()
    tree.add_link("/usr/a", "b")
    tree.add_link("/usr/b", "a")
    tree.add_link("/usr/c", "c/x")
    assert tree.resolve("/usr/a") is None and tree.resolve("/usr/c/y") is None


@given(st.text("/.abinlus", max_size=12))
def test_a_path_is_absolute_and_plain(name: str) -> None:
    path = merged(name)
    assert path.startswith("/") and not path.startswith("//")
    assert not {"..", "."} & set(path.split("/"))
    assert merged(path) == path


def test_modules_come_after_what_they_need() -> None:
    tree = Tree()
    folder = "/usr/lib/modules/6"
    tree.add_file(f"{folder}/modules.builtin", b"kernel/inside.ko\n")
    for name, depends, before in (
        ("top", "left,right-hand,inside", "crypto-crc32c"),
        ("left", "base", ""),
        ("right-hand", "base", ""),
        ("base", "", ""),
        ("crc32c_generic", "", ""),
    ):
        tree.add_file(f"{folder}/kernel/{name}.ko", module(name, depends, before))
    order = [name for name, _ in KernelModules(tree, "6").in_order(["top", "base", "inside"])]
    assert sorted(order) == ["base", "crc32c_generic", "left", "right_hand", "top"]
    assert order.index("base") < order.index("left") < order.index("top")
    assert order.index("crc32c_generic") < order.index("top")


def test_the_head_of_an_image() -> None:
    header = machine.image_header(IMAGE)
    assert header is not None and header.size == 1 << 20
    assert machine.image_header(b"\x7fELF" + bytes(99)) is None
    assert machine.image_header(b"short") is None


def test_what_lies_in_memory_does_not_overlap() -> None:
    ends = machine.KERNEL < machine.FIFOS < machine.FIFOS + machine.FIFOS_SIZE <= machine.TREE
    assert ends and machine.TREE + machine.TREE_MOST <= machine.ROOT
    machine.check_kernel(64 * MIB)
    with pytest.raises(HocketError, match="too big for its place"):
        machine.check_kernel(108 * MIB)


def test_how_big_a_root_may_be() -> None:
    """48 MiB start in 512 MiB and 215 in 1 GiB; both were tried (tests/beside tries the first)."""
    machine.check_root(512 * MIB, 48 * MIB, 49 * MIB, "")
    machine.check_root(1024 * MIB, 215 * MIB, 218 * MIB, "")
    with pytest.raises(HocketError, match="a root of 215 MiB is too big for 512 MiB of memory"):
        machine.check_root(512 * MIB, 215 * MIB, 218 * MIB, "")
    most = machine.most_archive(512 * MIB, 100 * MIB)
    machine.check_root(512 * MIB, most, 100 * MIB, "")
    with pytest.raises(HocketError):
        machine.check_root(512 * MIB, most + 1, 100 * MIB, "")
