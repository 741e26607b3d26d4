"""Sketches for the AArch64 boards: every stock sketch and every example becomes an image that keeps what
arduino/cores/protected/sketch/image.h promises the kernel."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import every_so_often, long_form, one_in

from hocket.errors import HocketError

ROOT = Path(__file__).resolve().parents[5]
BASE, PAGE = 0x10000000, 4096
HEAP, MEMORY = 8 << 20, 32 << 20
STOCK = [
    path
    for chapter in ("01.Basics", "02.Digital", "03.Analog", "05.Control", "08.Strings")
    for path in sorted(Path("/usr/share/arduino/examples").glob(f"{chapter}/*/*.ino"))
]
EXAMPLES = [  # handlers of pins are not on these boards yet
    path
    for path in sorted((ROOT / "examples").glob("*/*.ino"))
    if "attachInterrupt" not in path.read_text()
]
OTHERS = [
    ROOT / "examples" / "cpp-rover" / "cpp-rover.cpp",
    *sorted((ROOT / "tests" / "system" / "sketches").glob("*/*.ino")),
    *sorted(
        (ROOT / "arduino" / "libraries" / "Servo").glob("examples/*/*.ino")
    ),  # EEPROM: the Uno's
]

Build = Callable[..., Any]
Reader = Callable[[Path], tuple[list[str], bytes, int]]


def rounded(address: int) -> int:
    return (address + PAGE - 1) // PAGE * PAGE


def check_image(built: Any) -> None:
    """All that the kernel relies on, and that the ELF file says the same as the flat image."""
    header = built.header
    assert (header["right_magic"], header["right_abi"], header["other_flags"]) == (1, 1, 0)
    assert header["longest_section"] == 0
    assert built.undefined == []

    # Parts in order, each on a page of its own, and the heap behind them.
    assert BASE + header["size"] <= header["text_end"]
    assert header["rodata_begin"] == rounded(header["text_end"])
    assert header["rodata_begin"] <= header["rodata_end"]
    assert header["data_begin"] == rounded(header["rodata_end"])
    assert header["data_begin"] <= header["data_end"] <= header["bss_end"]
    assert header["heap_begin"] == rounded(header["bss_end"])
    assert header["heap_end"] == header["heap_begin"] + HEAP <= BASE + MEMORY

    # The segments are these parts, with the rights that they should have.
    loads = {segment.flags: segment for segment in built.segments if segment.kind == "PT_LOAD"}
    parts = {
        "rx": (BASE, header["text_end"], header["text_end"]),
        "r": (header["rodata_begin"], header["rodata_end"], header["rodata_end"]),
        "rw": (header["data_begin"], header["data_end"], header["bss_end"]),
    }
    assert list(loads) == [rights for rights, (begin, _, end) in parts.items() if end > begin]
    for rights, segment in loads.items():
        assert (segment.begin, segment.end) == (parts[rights][0], parts[rights][2])

    # The flat image ends with what has contents.
    filled = [(begin, end) for begin, end, _ in parts.values() if end > begin]
    assert len(built.flat) == filled[-1][1] - BASE
    check_entries(built)


def check_entries(built: Any) -> None:
    header, symbols = built.header, built.symbols
    for name in ("enter_setup", "enter_loop"):
        assert header[name] == symbols[f"hocket_{name}"]
        assert BASE + header["size"] <= header[name] < header["text_end"]
        assert header[name] % 4 == 0
    assert header["plain_loop"] == symbols.get("loop", 0)
    assert header["rodata_begin"] <= header["loops_begin"] <= header["loops_end"]
    assert header["loops_end"] <= header["rodata_end"]
    for loop in built.loops():
        assert BASE + header["size"] <= loop["body"] < header["text_end"]
        assert 0 < loop["budget"] <= loop["deadline"] <= loop["period"]
        assert loop["file"].endswith((".ino", ".cpp"))
    storage = [segment for segment in built.segments if segment.kind == "PT_TLS"]
    assert header["tls_size"] % 16 == 0
    assert header["tls_size"] >= 16 + sum(segment.end - segment.begin for segment in storage)


def test_all_stock_sketches_are_there() -> None:
    assert len(STOCK) >= 41, "install the Debian package arduino"


@one_in(5)
@pytest.mark.parametrize(
    "sketch", every_so_often(STOCK, 4), ids=lambda path: f"{path.parts[-3]}/{path.stem}"
)
def test_stock_sketch(sketch: Path, build: Build, capfd: pytest.CaptureFixture[str]) -> None:
    built = build(sketch.parent)
    assert "warning:" not in capfd.readouterr().err
    check_image(built)
    assert built.header["plain_loop"] != 0
    assert built.loops() == []


@one_in(5)
@pytest.mark.parametrize("sketch", [*EXAMPLES, *OTHERS], ids=lambda path: path.stem)
def test_example(sketch: Path, build: Build, capfd: pytest.CaptureFixture[str]) -> None:
    built = build(sketch if sketch.suffix == ".cpp" else sketch.parent)
    assert "warning:" not in capfd.readouterr().err
    check_image(built)
    assert built.header["plain_loop"] != 0 or built.loops() != []


@pytest.mark.parametrize("board", ["virt", "rpi3"])
def test_blink_is_small(build: Build, board: str) -> None:
    """Nothing comes into an image that the sketch does not use."""
    built = build(ROOT / "examples" / "blink", board=board)
    check_image(built)
    assert built.header["text_end"] - BASE < 1024
    assert len(built.flat) <= 2 * PAGE + 256


@pytest.mark.parametrize("board", ["virt", "rpi3"])
def test_the_kernel_carries_the_sketch(build: Build, board: str, read_program: Reader) -> None:
    """Page by page as it was linked, and zeros behind it."""
    built = build(ROOT / "examples" / "three-loops", board=board)
    missing, carried, begin = read_program(built.program)
    assert missing == []
    assert begin % PAGE == 0
    assert len(carried) == rounded(len(built.flat))
    assert carried == built.flat.ljust(len(carried), b"\0")


def test_loop_table_says_what_the_sketch_does(build: Build) -> None:
    text = "void setup() {}\nvoid loop(7, 500us, 20ms) {}\nvoid periodic(3, 1, 10, 4) {}\n"
    built = build(text=text, name="table")
    check_image(built)
    loops = {loop["id"]: loop for loop in built.loops()}
    assert sorted(loops) == [3, 7]
    assert (loops[7]["budget"], loops[7]["period"], loops[7]["periodic"]) == (
        500_000,
        20_000_000,
        0,
    )
    assert (loops[3]["budget"], loops[3]["deadline"]) == (1_000_000, 4_000_000)
    assert (loops[3]["period"], loops[3]["periodic"]) == (10_000_000, 1)
    assert loops[7]["file"] == "table/table.ino"
    assert loops[7]["body"] == built.symbols["_Z13hocket_loop_7v"]


def test_what_the_chrono_of_later_libraries_includes(build: Build) -> None:
    """From GCC 13 on it includes <iomanip>, and that <locale>; Debian 12's library is GCC 12's."""
    text = "#include <iomanip>\n#include <chrono>\nvoid setup() {}\nvoid loop() {}\n"
    check_image(build(text=text, name="later"))


LOCKS = {
    "none": ("void loop() { delay(1); }", 0),
    "a Spinlock": ("Spinlock l;\nvoid loop() { SpinlockGuard guard(l); }", 1),
    "malloc": ("void *volatile p;\nvoid loop() { p = malloc(3); free(p); }", 1),
    "new": ("int *p;\nvoid loop() { p = new int; }", 1),
    "String": ('String s;\nvoid loop() { s += "x"; }', 1),
    "a function that is not used": (
        "void f() { static Spinlock l; spinlockLock(l); }\nvoid loop() {}",
        0,
    ),
    "printf": ('void loop() { printf("%d %f", 1, 2.0); }', 0),
}


@one_in(4)
@pytest.mark.parametrize("case", LOCKS)
def test_spinlocks_are_counted_when_they_are_used(case: str, build: Build) -> None:
    text, expected = LOCKS[case]
    built = build(text=f"#include <Hocket.h>\nvoid setup() {{}}\n{text}\n", name="locks")
    check_image(built)
    assert built.header["uses_spinlocks"] == expected


@one_in(4)
@pytest.mark.parametrize(
    ("line", "policy", "trusted"),
    [
        ("", 0, 0),
        ("HOCKET_ON_FAULT(StopLoop)", 0, 0),
        ("HOCKET_ON_FAULT(StopSketch)", 1, 0),
        ("HOCKET_ON_FAULT(RestartSketch);", 2, 0),
        ("HOCKET_TRUSTED_PINS()", 0, 1),
        ("HOCKET_TRUSTED_PINS();\nHOCKET_ON_FAULT(RestartSketch)", 2, 1),
    ],
)
def test_wishes_are_in_the_header(build: Build, line: str, policy: int, trusted: int) -> None:
    built = build(
        text=f"#include <Hocket.h>\n{line}\nvoid setup() {{}}\nvoid loop() {{}}\n", name="wishes"
    )
    check_image(built)
    assert (built.header["fault_policy"], built.header["trusted_pins"]) == (policy, trusted)


@long_form
def test_thread_local_storage_has_room(build: Build) -> None:
    for alignment in (1, 8, 16, 32, 64):
        text = f"struct alignas({alignment}) Wide {{ char c[3]; }};\n"
        text += (
            "thread_local int first = 5;\nthread_local Wide wide;\nthread_local char large[1000];\n"
        )
        text += "void setup() { wide.c[first] = large[first]; }\nvoid loop() {}\n"
        built = build(text=text, name=f"local-{alignment}")
        check_image(built)
        assert built.header["tls_size"] % max(16, alignment) == 0
        assert built.header["tls_size"] >= max(16, alignment) + 1000 + 3 + 4


HEADERS = re.findall(
    r"\w+",
    """
    algorithm any array atomic bit bitset charconv chrono cmath compare complex concepts cstdint cstdio
    cstdlib cstring deque expected forward_list functional initializer_list iterator limits list map
    memory new numbers numeric optional queue random ranges ratio set span stack string string_view
    tuple type_traits unordered_map unordered_set utility variant vector
    """,
)


@long_form
def test_standard_headers_compile(build: Build) -> None:
    """Each of them, in one sketch: the compiler names the one that does not."""
    lines = "".join(f"#include <{header}>\n" for header in HEADERS)
    check_image(build(text=f"{lines}void setup() {{}}\nvoid loop() {{}}\n", name="headers"))


REFUSED = {
    "too large": (
        "char a[300u << 20];\nvoid setup() { a[millis()] = 1; }",
        "the sketch is too large",
    ),
    "far too large": (
        "char a[9ull << 30];\nvoid setup() { a[millis()] = 1; }",
        "the sketch is too large",
    ),
    "data too large": (
        "char a[24u << 20] = {1};\nvoid setup() { a[millis()] = 1; }",
        "the sketch is too large",
    ),
    "too strictly aligned": (
        "alignas(128) thread_local char c;\nvoid setup() { c = 1; }",
        "a thread_local variable is aligned to more than 64 bytes",
    ),
    "too much of its own for each loop": (
        "thread_local char c[64u << 10];\nvoid setup() { c[millis()] = 1; }",
        "the thread_local variables are too large",
    ),
    "no file system": ('#include <stdio.h>\nvoid setup() { fopen("x", "r"); }', "does not link"),
    "two policies": (
        "#include <Hocket.h>\nHOCKET_ON_FAULT(StopLoop)\nHOCKET_ON_FAULT(StopSketch)\nvoid setup() {}",
        "does not compile",
    ),
}


@one_in(3)
@pytest.mark.parametrize("case", REFUSED)
def test_refused(build: Build, case: str, capfd: pytest.CaptureFixture[str]) -> None:
    text, said = REFUSED[case]
    with pytest.raises(HocketError, match=said) as caught:
        build(text=f"{text}\nvoid loop() {{}}\n", name="refused")
    assert caught.value.exit_code == 2
    capfd.readouterr()
