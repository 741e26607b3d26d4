"""What enters the kernel from a sketch without a check does not compile, and the message says so.

Each is a few lines behind the kernel's calls on virt, compiled as they are.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest
from tests.campaign import one_in

from hocket.boards import find_board
from hocket.builder.board import prepare_board
from hocket.paths import BUILD

TYPES = """
enum class Colour : uint8_t { Red, Green };
struct Pair { uint32_t one; bool two; };
"""
RIGHT = """
bool paint(Caller, unsigned pin, edge::Choice<Colour> colour) {
  Colour wanted{};
  return colour.get(wanted) && wanted == Colour::Red && pin == 0;
}
bool pair(Caller caller, StructureAt<Pair> pair) { return pair.read(caller).two; }
struct Shared { uint32_t word; };
uint32_t look(edge::SharedRecord<Shared> shared) { return shared.load(&Shared::word); }
"""
DESCRIBED = """
template <> struct edge::LastOf<Colour> { static constexpr auto kLast = Colour::Green; };
template <> struct edge::Description<Pair> {
  static constexpr const char* kName = "pair";
  static constexpr Field kFields[] = {number<uint32_t>("one", 0), flag<bool>("two", 4), gap(5, 3)};
};
"""
USES = """
static_assert(edge::Entry<&paint>::kWords == 2 && edge::Entry<&pair>::kWords == 1);
auto* const entry = &edge::Entry<&paint>::call;
auto* const other = &edge::Entry<&pair>::call;
"""
UNCHECKED = "a parameter of this type has no check between the sketch and the kernel"
HOLES = "the structure's description leaves a field out"


def entry(function: str) -> str:
    return f"{function}\nauto* const entry = &edge::Entry<&wrong>::call;"


READS = entry("bool wrong(Caller caller, StructureAt<Wrong> at) { return at.read(caller).two; }")
STRUCTURE = "struct Wrong { uint32_t one; bool two; };"
ONE, TWO, REST = 'number<uint32_t>("one", 0)', 'flag<bool>("two", 4)', "gap(5, 3)"


def described(*fields: str) -> str:
    return (
        f"{STRUCTURE}\ntemplate <> struct edge::Description<Wrong> {{"
        ' static constexpr const char* kName = "wrong";'
        f" static constexpr Field kFields[] = {{ {', '.join(fields)} }}; }};\n"
    )


# What is wrong, and what the compiler says of it.
WRONG = [
    (entry("bool wrong(sys::PinMode mode) { return mode == sys::PinMode::Input; }"), UNCHECKED),
    (entry("bool wrong(const uint8_t* data) { return data[0] != 0; }"), UNCHECKED),
    (entry("bool wrong(sys::SpiTransfer transfer) { return transfer.lowest_first; }"), UNCHECKED),
    (entry("bool wrong(const sys::SpiTransfer& asked) { return asked.lowest_first; }"), UNCHECKED),
    (entry("bool wrong(int number) { return number < 0; }"), UNCHECKED),
    (
        "enum class Tone : uint8_t { Low };\n"
        + entry("bool wrong(edge::Choice<Tone> tone) { Tone wanted{}; return tone.get(wanted); }"),
        "implicit instantiation of undefined template 'hocket::edge::LastOf<",
    ),
    (
        f"{STRUCTURE}\n{READS}",
        "implicit instantiation of undefined template 'hocket::edge::Description<",
    ),
    (described(ONE, REST) + READS, HOLES),
    (described(ONE) + READS, HOLES),
    (described(TWO, REST) + READS, HOLES),
    (described(TWO, ONE, REST) + READS, HOLES),
    (described(ONE, 'number<bool>("two", 4)', REST), "no matching function for call to 'number'"),
    (
        f"{STRUCTURE}\n"
        "bool wrong(edge::SharedRecord<Wrong> shared) { return shared.load(&Wrong::two); }",
        "no matching member function for call to 'load'",
    ),
    (
        "bool wrong(Readable data) { return *reinterpret_cast<const char*>(data.address_) == 0; }",
        "'address_' is a private member of 'hocket::edge::Bytes<const unsigned char>'",
    ),
    (
        "bool wrong(Choice<sys::PinMode> mode) { sys::PinMode wanted{}; mode.get(wanted);"
        " return wanted == sys::PinMode::Input; }",
        "ignoring return value of function declared with 'nodiscard' attribute",
    ),
]


@pytest.fixture(scope="module")
def command() -> list[str]:
    """That which compiles the kernel's calls, without its output."""
    prepare_board(find_board("virt"))
    entries = json.loads((BUILD / "virt" / "compile_commands.json").read_text(encoding="utf-8"))
    (words,) = (
        shlex.split(found["command"])
        for found in entries
        if found["file"].endswith("protected/kernel/calls.cpp")
        and "hocket_kernel_peer.dir/" in found["command"]
    )
    return [*words[: words.index("-o")], "-fsyntax-only", "-Werror"]


def compile_lines(command: list[str], lines: str, folder: Path) -> subprocess.CompletedProcess[str]:
    source = folder / "source.cpp"
    source.write_text(
        '#include "arduino/cores/protected/kernel/from_sketch.h"\n'
        "namespace hocket {\n"
        "using edge::Caller, edge::Choice, edge::Readable, edge::StructureAt;\n"
        f"{lines}\n}}\n",
        encoding="utf-8",
    )
    return subprocess.run(
        [*command, "-Wno-unused-function", "-Wno-unused-variable", "-Wno-unused-const-variable", str(source)],
        capture_output=True, text=True, timeout=120, check=False, cwd=BUILD / "virt",
    )  # fmt: skip


def test_right_use_compiles(command: list[str], tmp_path: Path) -> None:
    done = compile_lines(command, TYPES + DESCRIBED + RIGHT + USES, tmp_path)
    assert done.returncode == 0, done.stderr


@one_in(3)
@pytest.mark.parametrize(("lines", "message"), WRONG)
def test_what_is_not_checked_is_refused(
    lines: str, message: str, command: list[str], tmp_path: Path
) -> None:
    done = compile_lines(command, lines, tmp_path)
    assert done.returncode != 0
    assert message in done.stderr, done.stderr
