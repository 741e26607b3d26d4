"""Selects a sketch's scheduling policy: `--policy`, else the sketch's declaration, else virtual CPUs.

The policy is fixed when the kernel is compiled. Each policy has its own library, which is built when a sketch
first needs it (CMakeLists.txt: policy_library).
"""

from __future__ import annotations

import dataclasses
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from hocket.boards import BOARDS, DEFAULT_POLICY, POLICIES, Board, listed
from hocket.builder.board import Toolchain, bring_up_to_date, prepare_board
from hocket.builder.kernel import of_policy
from hocket.errors import HocketError, near_name
from hocket.sketch.folder import Sketch, read_source
from hocket.sketch.tokens import Kind, tokens_of

MACRO = "HOCKET_POLICY"


def check_policy(
    policy: str, board: Board, file: Path | None = None, line: int | None = None
) -> str:
    """Returns the policy. Raises HocketError if there is no such policy or the board does not have it."""
    if policy not in POLICIES:
        raise HocketError(
            f"there is no policy {policy!r}",
            f"the policies are {', '.join(POLICIES)}",
            _policy_meant(policy),
        )
    if policy != DEFAULT_POLICY and not board.policies:
        raise HocketError(
            f"the board {board.name} has no policy {policy}",
            f"its kernel has {DEFAULT_POLICY} only",
            f"use --board {listed(other.name for other in BOARDS if other.policies)}",
            file,
            line,
        )
    return policy


_RATE_MONOTONIC = ("rm", "rms", "rate-monotonic", "fixed-priority", "fp")


def _policy_meant(policy: str) -> str:
    """Returns the next step for a name that is no policy's."""
    several = [name for name in policy.split(",") if name]
    if len(several) > 1:
        each = " ".join(f"--policy {name}" for name in several)
        return f"repeat --policy: hocket compare {each} (the other commands take one)"
    if policy.lower() in _RATE_MONOTONIC:
        return f"rate monotonic is {DEFAULT_POLICY}: use --policy {DEFAULT_POLICY}"
    near = near_name(policy, POLICIES)
    return f"did you mean --policy {near}?" if near else f"use --policy {listed(POLICIES)}"


def policy_of(sketch: Sketch, board: Board, asked: str | None) -> str:
    """Returns the requested policy, else the one that the sketch declares, else DEFAULT_POLICY."""
    if asked is not None:
        return check_policy(asked, board)
    found = [(path, *declared) for path in (*sketch.tabs, *sketch.sources, *sketch.headers)
             for declared in declared_in(read_source(path))]  # fmt: skip
    if not found:
        return DEFAULT_POLICY
    (path, name, line), *more = found
    if more:
        raise HocketError(
            f"{MACRO}() is written twice",
            f"{more[0][0].name}:{more[0][2]} has another one",
            "leave one of them",
            path,
            line,
        )
    if in_condition(read_source(path), line):
        raise HocketError(
            f"{MACRO}({name}) is inside a condition of the preprocessor",
            "the kernel is chosen before anything is compiled, and cannot depend on it",
            f"write it outside of #if, or remove it and use --policy {name.replace('_', '-')}",
            path,
            line,
        )
    written = [policy.replace("-", "_") for policy in POLICIES]
    if name not in written:
        near = get_close_matches(name.replace("-", "_"), written, 1)
        raise HocketError(
            unknown_in_sketch(name),
            f"the policies are {', '.join(written)}",
            f"write {MACRO}({near[0]})" if near else f"write {MACRO}(edf), or another of them",
            path,
            line,
        )
    return check_policy(name.replace("_", "-"), board, path, line)


def unknown_in_sketch(name: str) -> str:
    """Returns what is wrong with the name that a sketch declares."""
    if not name:
        return f"{MACRO}() names no policy"
    if name in POLICIES:
        return f"in a sketch the policy {name} is written {name.replace('-', '_')}"
    return f"there is no policy {name!r}"


def declared_in(text: str) -> list[tuple[str, int]]:
    """Returns the text in the parentheses of each policy declaration of a source, with its line."""
    found = []
    words = [token for token in tokens_of(text) if token.kind is not Kind.COMMENT]
    for at, token in enumerate(words[:-1]):
        if token.is_word(MACRO) and words[at + 1].is_mark("("):
            rest = words[at + 2 :]
            end = next((n for n, word in enumerate(rest) if word.is_mark(")")), None)
            if end is None:  # the compiler reports it
                continue
            line = text.count("\n", 0, token.start) + 1
            found.append(("".join(word.text for word in rest[:end]), line))
    return found


def in_condition(text: str, line: int) -> bool:
    """Returns whether a line is inside a preprocessor condition. The include guard of a header does not
    count."""
    directives = [
        (text.count("\n", 0, token.start) + 1, token.text.replace("#", " ", 1).split())
        for token in tokens_of(text)
        if token.kind is Kind.DIRECTIVE
    ]
    words = [found for _, found in directives]
    guarded = (
        len(words) > 1 and words[0][:1] == ["ifndef"] and words[1][:2] == ["define", *words[0][1:2]]
    )
    depth = -1 if guarded else 0
    for at, found in directives:
        if at >= line:
            break
        begins = bool(found) and found[0] in ("if", "ifdef", "ifndef")
        depth += begins - (found[:1] == ["endif"])
    return depth > 0


def prepare_policy(board: Board, policy: str) -> Toolchain:
    """Returns the board's toolchain with the kernel of a policy. Builds the libraries that sketches are
    linked with."""
    toolchain = prepare_board(board)
    if policy == DEFAULT_POLICY:
        return toolchain
    if toolchain.kernels:
        targets = [f"{kernel}-{policy}" for kernel in toolchain.kernels]
        bring_up_to_date(board.name, f"the policy {policy}", *targets)

    def replaced(text: str) -> str:
        for kernel in toolchain.kernels:
            text = text.replace(f"lib{kernel}.a", f"lib{kernel}-{policy}.a")
        return text

    return dataclasses.replace(
        toolchain,
        **_as_compiled(toolchain, policy),
        link=tuple(map(replaced, toolchain.link)),
        inputs=tuple(Path(replaced(str(path))) for path in toolchain.inputs),
        around={name: of_policy(kernel, policy) for name, kernel in toolchain.around.items()},
    )


def _as_compiled(toolchain: Toolchain, policy: str) -> dict[str, Any]:
    """Returns the fields of a toolchain that change with the policy, if sketches are compiled for it."""
    if policy not in toolchain.loop_states or toolchain.memory is None:
        return {}
    was, state = toolchain.memory.loop_state, toolchain.loop_states[policy]
    words = {
        f"-DHOCKET_KERNEL_POLICY={DEFAULT_POLICY}": f"-DHOCKET_KERNEL_POLICY={policy.replace('-', '_')}",
        f"-DHOCKET_LOOP_STATE_BYTES={was}": f"-DHOCKET_LOOP_STATE_BYTES={state}",
    }
    return {
        "compile": tuple(words.get(word, word) for word in toolchain.compile),
        "memory": dataclasses.replace(toolchain.memory, loop_state=state),
    }
