"""The fact atMost() in LLVM's code: it bounds the loop in whose body it is, if each round passes it."""

from __future__ import annotations

from pathlib import Path

from tests.wcet.programs import build

_HEAD = """#include <stdint.h>
#include "/{root}/arduino/api/at_most.h"
extern "C" __attribute__((noinline)) uint16_t measured(const uint8_t *in) {{
  uint16_t rest = in[0] | in[1] << 8;
  uint16_t n = 0;
"""


def _source(body: str) -> str:
    root = str(Path(__file__).parents[2]).lstrip("/")
    return f"{_HEAD.format(root=root)}{body}\n  return n;\n}}\n"


def test_a_loop_has_the_bound_that_is_said(tmp_path: Path) -> None:
    body = "for (; rest; rest /= 10) { AT_MOST n += rest % 10; }"
    without = build(_source(body.replace("AT_MOST", "")), tmp_path).bound()
    assert {unknown.kind for unknown in without.unknown} == {"loop"}
    built = build(_source(body.replace("AT_MOST", "atMost(5);")), tmp_path, chosen=((255,) * 16,))
    bound = built.bound()
    assert not bound.unknown
    _, longest = built.seen()
    assert longest <= bound.cycles <= 1.1 * longest


def test_it_is_no_instruction(tmp_path: Path) -> None:
    body = "for (; rest; rest /= 10) { AT_MOST n += rest % 10; }"
    code = []
    for said in ("", "atMost(5);"):
        built = build(_source(body.replace("AT_MOST", said)), tmp_path)
        longest, entry = built.longest()
        code.append([i.name for b in longest.function(entry).blocks.values() for i in b.code])
    assert sorted(code[0]) == sorted(code[1])


def test_a_round_less_than_there_are_is_noticed(tmp_path: Path) -> None:
    body = "for (; rest; rest /= 10) { atMost(4); n += rest % 10; }"
    built = build(_source(body), tmp_path, chosen=((255,) * 16,))
    _, longest = built.seen()
    assert built.bound().cycles < longest


def test_one_that_is_not_passed_in_each_round_bounds_nothing(tmp_path: Path) -> None:
    body = (
        "for (; rest; rest /= 10) { if (rest & 1) { atMost(2); n += rest % 10; } else n ^= rest; }"
    )
    bound = build(_source(body), tmp_path).bound()
    assert {unknown.kind for unknown in bound.unknown} == {"loop"}
