"""Weakens one check of the FIFOs' protocol after the other: the tests must notice each."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in

ROOT = Path(__file__).resolve().parents[4]
TESTS = "tests/unit/hybrid/protocol"
FLAGS = ["-std=c++20", "-Wno-everything", "-O0", "-lgtest", "-lgtest_main", "-lrapidcheck"]

# test program, what stands in hybrid/protocol/fifo.h, what stands there instead
MUTATIONS = [
    ("hostile_test", "head - writer->seen <= writer->index - writer->seen &&", ""),
    ("hostile_test", "tail - reader->index > HOCKET_FIFO_RING ||", ""),
    ("hostile_test", "length > HOCKET_FIFO_MOST ||", ""),
    ("fifo_test", "&& head % 8 == 0", ""),
    ("fifo_test", "|| tail % 8 != 0", ""),
    ("hostile_test", "hocket_fifo_whole(length) > reader->end - reader->index", "false"),
    ("fifo_test", "bytes > HOCKET_FIFO_MOST ||", ""),
    ("hostile_test", "return length;", "return hocket_fifo_look((uint32_t*)(reader->ring + "
     "reader->index % HOCKET_FIFO_RING));"),
    ("hostile_test", "__atomic_store_n(&writer->own->index, writer->index, __ATOMIC_RELEASE);\n"
     "  return HOCKET_FIFO_RING", "return HOCKET_FIFO_RING"),
    ("fifo_test", "++writer->counts.done", "++writer->counts.lost"),
    ("fifo_test", "if (first < bytes)", "if (false)"),
    ("fifo_test", "length > size", "false"),
    ("fifo_test", "if (reader->taken != 0) hocket_fifo_drop(reader);", ""),
    ("fifo_test", "(length + 7u) & ~7u", "length"),
]  # fmt: skip


def built(folder: Path, program: str, was: str, now: str) -> Path:
    """The program of tests over a copy of the protocol that says something else in one place."""
    copy = folder / "hybrid/protocol"
    copy.mkdir(parents=True)
    found = 0
    for header in ("fifo.h", "window.h"):
        text = (ROOT / "hybrid/protocol" / header).read_text()
        found += text.count(was) if was else 0
        (copy / header).write_text(text.replace(was, now) if was else text)
    assert found or not was, f"there is no «{was}» any more"
    source = str(ROOT / TESTS / f"{program}.cpp")
    command = ["clang++-19", f"-I{folder}", f"-I{ROOT}", source, "-o", str(folder / program)]
    done = subprocess.run([*command, *FLAGS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / program


def passes(program: Path) -> bool:
    return (
        subprocess.run(
            [program], capture_output=True, timeout=120, check=False, env={"RC_PARAMS": "seed=1"}
        ).returncode
        == 0
    )


@long_form
@pytest.mark.parametrize("program", ["fifo_test", "hostile_test"])
def test_passes_as_it_is(program: str, tmp_path: Path) -> None:
    assert passes(built(tmp_path, program, "", ""))


# Each is a compilation with the tests' libraries; the first few are enough for every day.
SHORT = 3
ALL = [
    pytest.param(*mutation, marks=pytest.mark.long_form if i >= SHORT else ())
    for i, mutation in enumerate(MUTATIONS)
]


@one_in(3)
@pytest.mark.parametrize(("program", "was", "now"), ALL)
def test_a_weaker_check_is_noticed(program: str, was: str, now: str, tmp_path: Path) -> None:
    assert not passes(built(tmp_path, program, was, now))
