"""Compiles a source through LLVM's text, in which something is changed before optimisation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import CompletedProcess

# Options of a command that apply to C++ sources only.
_TEXT_ONLY = ("-include-pch", "-x", "-MF")
# Options with which a compiler writes the text.
TO_TEXT = ("-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes")

Run = Callable[[list[str]], CompletedProcess[str]]


def through_text(
    command: Sequence[str], source: Path, made: Path, run: Run, change: Callable[[str], str]
) -> tuple[CompletedProcess[str], list[str]]:
    """Compiles a source with a change of its LLVM text. Returns the compiler's result and the command,
    without its output. made: the object."""
    text = text_of(made)
    words = [word for word in command if word not in ("-c", "-MD")]
    done = run([*words, *TO_TEXT, "-o", str(text)])
    if done.returncode != 0:
        return done, list(command)
    return from_text(command, source, made, run, change)


def text_of(made: Path) -> Path:
    """Returns the file for the text of an object."""
    return made.with_suffix(".ll")


def from_text(
    command: Sequence[str], source: Path, made: Path, run: Run, change: Callable[[str], str]
) -> tuple[CompletedProcess[str], list[str]]:
    """As through_text(), if the text has been written."""
    text = text_of(made)
    text.write_text(change(text.read_text(encoding="utf-8")), encoding="utf-8")
    kept: list[str] = []
    words = [word for word in command if word not in ("-c", "-MD")]
    for before, word in zip(("", *words), words, strict=False):
        if (
            before in _TEXT_ONLY
            or word in _TEXT_ONLY
            or word == str(source)
            or word.startswith("-include")
        ):
            continue
        kept.append(word)
    kept += ["-Wno-unused-command-line-argument", "-c", str(text)]
    return run([*kept, "-o", str(made)]), kept
