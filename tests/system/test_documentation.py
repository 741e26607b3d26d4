"""The documentation is true: what it shows is run, what it links to is there.

In README, CONTRIBUTING and docs/guide:
    ```console      lines `$ COMMAND` are run in order, the lines below each are what it prints;
                    a line … stands for any number of lines left out
    <!-- file: F --> before a fenced block: the block is written to F first
Each document has a folder of its own, with `hocket` and `examples` in it as at the root. A command must
succeed unless `$ echo $?` follows it. Progress (`hocket: compiling …`) may be shown or left out.

When output has changed for a good reason: .venv/bin/python -m tests.system.test_documentation
rewrites the lines shown, and names those that it could not find.
"""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.commands import ENTRY, PROGRESS, run_words

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "documentation"
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    *sorted(str(file.relative_to(ROOT)) for file in (ROOT / "docs" / "guide").glob("*.md")),
)

# The commands of these take longest; other documents have each kind of them.
LENGTHY = ("docs/guide/campaigns.md", "docs/guide/scenarios.md", "docs/guide/testing.md")

# Commands that take minutes or install something; the suite runs them elsewhere.
NOT_RUN = {
    "./hocket self-test",
    "./hocket bench rover",
    "pulseview -I vcd pins.vcd",
    "gtkwave pins.vcd",
}

# The exact figures depend on the compiler's basic blocks (the simulated clock counts them). With another
# compiler the words are compared, the numbers are not.
COMPILER = "clang version 19.1.7"

ELLIPSIS = "…"


@dataclass
class Command:
    """One `$ ` line and the output shown below it; `line` is its index in the document."""

    text: str
    line: int
    shown: list[str] = field(default_factory=list)


@dataclass
class Source:
    """A file that the document asks its reader to write."""

    name: str
    text: str


def read(document: Path) -> Iterator[Command | Source]:
    """The commands and files of a document, in order."""
    lines = document.read_text(encoding="utf-8").splitlines()
    name, fence, start = "", "", 0
    for index, line in enumerate(lines):
        if not fence and (found := re.fullmatch(r"<!-- file: (\S+) -->", line)):
            name = found[1]
        elif not fence and line.startswith("```"):
            fence, start = line.removeprefix("```") or "text", index + 1
        elif fence and line == "```":
            if name:
                yield Source(name, "\n".join([*lines[start:index], ""]))
            elif fence == "console":
                yield from _commands(lines, start, index)
            name, fence = "", ""


def _commands(lines: list[str], start: int, end: int) -> Iterator[Command]:
    commands: list[Command] = []
    for index in range(start, end):
        if lines[index].startswith("$ "):
            commands.append(Command(lines[index][2:], index))
        else:
            commands[-1].shown.append(lines[index])
    yield from commands


def prepare(document: str) -> Path:
    """An empty folder that looks like the project's root to the commands."""
    folder = WORK / re.sub(r"\W", "-", document)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "hocket").symlink_to(ENTRY)
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


@dataclass
class Output:
    status: int
    stdout: list[str]
    stderr: list[str]


def execute(command: str, folder: Path) -> Output:
    # As its reader: further commands are written as this one was (hocket/started.py).
    done = run_words(["bash", "-c", command], folder, {"HOCKET_STARTED_AS": ""})
    return Output(done.returncode, done.stdout.splitlines(), done.stderr.splitlines())


def run_document(document: str) -> Iterator[tuple[Command, Output]]:
    """Runs a document's commands in order. `echo $?` prints the status of the command before it."""
    folder = prepare(document)
    steps = list(read(ROOT / document))
    status = 0
    for number, step in enumerate(steps):
        if isinstance(step, Source):
            file = folder / step.name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(step.text, encoding="utf-8")
            continue
        if step.text in NOT_RUN:
            continue
        if step.text == "echo $?":
            yield step, Output(0, [str(status)], [])
            continue
        output = execute(step.text, folder)
        status = output.status
        following = steps[number + 1] if number + 1 < len(steps) else None
        asked = isinstance(following, Command) and following.text == "echo $?"
        yield step, Output(0 if asked else status, output.stdout, output.stderr)


def words(line: str) -> str:
    """A line without what another figure would change: numbers, units, the width of columns."""
    line = re.sub(r"\d[\d.]*( ?(us|ms|s)\b)?", "#", line)
    line = re.sub(r"-{3,}", "---", line)
    return re.sub(r"\s+", " ", line).strip()


@functools.cache
def exact() -> bool:
    version = subprocess.run(
        ["clang++-19", "--version"], capture_output=True, text=True, check=False
    )
    return COMPILER in version.stdout


def same(shown: str, printed: str) -> bool:
    return shown.rstrip() == printed.rstrip() if exact() else words(shown) == words(printed)


def difference(command: Command, output: Output) -> str:
    """What the document shows and the command did not print, or left out without …; empty: none."""
    if output.status != 0:
        return f"it ended with status {output.status}:\n" + "\n".join(output.stdout + output.stderr)
    shown = [line for line in command.shown if not PROGRESS.match(line)]
    streams = [list(output.stdout), list(output.stderr)]
    skipping = [False, False]  # each stream may leave lines out from … to its next line shown
    for line in shown:
        if line.strip() == ELLIPSIS:
            skipping = [True, True]
            continue
        for number, stream in enumerate(streams):
            reach = len(stream) if skipping[number] else 1
            place = next((i for i, text in enumerate(stream[:reach]) if same(line, text)), None)
            if place is not None:
                del stream[: place + 1]
                skipping[number] = False
                break
        else:
            return f"not printed (here): {line}\nwhat was left: {streams}"
    left = [stream for stream, skips in zip(streams, skipping, strict=True) if stream and not skips]
    return f"printed, but not shown (use … to leave lines out): {left}" if left else ""


# With three decimals it is a figure of some run. (experiments.md has tables of its own.)
FIGURE = re.compile(r"\b\d+\.\d{3} (?:ms|us|µs|s)\b")
WITH_TABLES = tuple(name for name in DOCUMENTS if name != "docs/guide/experiments.md")


@pytest.mark.parametrize("name", WITH_TABLES)
def test_figures_in_sentences_are_those_of_the_tables(name: str) -> None:
    """Tables are rewritten when what is printed changes; the sentences about them are not."""
    parts = re.split(r"^```.*$", (ROOT / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
    prose, shown = "\n".join(parts[0::2]), "\n".join(parts[1::2])
    missing = {figure for figure in FIGURE.findall(prose) if figure not in shown}
    assert not missing, f"{name} says {missing}, and shows no run with that"


@one_in(3)
@pytest.mark.parametrize(
    "document",
    [pytest.param(name, marks=long_form if name in LENGTHY else ()) for name in DOCUMENTS],
)
def test_commands_print_what_is_shown(document: str) -> None:
    for command, output in run_document(document):
        problem = difference(command, output)
        assert not problem, f"{document}:{command.line + 1}: $ {command.text}\n{problem}"


def test_the_check_itself_notices_differences() -> None:
    """Whoever trusts the test above may see that it can fail."""
    output = Output(0, ["one 1", "two 2", "three 3"], ["said"])
    right = (
        ["one 1", "two 2", "three 3", "said"],
        ["said", "…", "three 3"],
        ["one 1", "…", "said"],
        ["…"],
    )
    for shown in right:
        assert not difference(Command("x", 0, shown), output), shown
    for shown in (
        ["one 1"],
        ["one 1", "three 3", "…"],
        ["four", "…"],
        ["…", "two 2", "one 1", "…"],
    ):
        assert difference(Command("x", 0, shown), output), shown
    assert difference(Command("x", 0, ["…"]), Output(1, [], []))


@long_form
def test_pictures_are_up_to_date() -> None:
    if not exact():
        pytest.skip(f"the pictures were drawn with {COMPILER}")
    script = ROOT / "docs" / "pictures" / "make.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["response_linux", "two_level"])
def test_a_picture_shows_its_tables(name: str) -> None:
    script = ROOT / "docs" / "pictures" / f"{name}.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"run {script.relative_to(ROOT)}\n{done.stderr}"


def markdown_files() -> list[Path]:
    files = (file.relative_to(ROOT) for file in ROOT.rglob("*.md"))
    return sorted(
        f for f in files if not re.match(r"(build|results|node_modules|\.[^/]*)/", str(f))
    )


def broken_fences(text: str) -> list[int]:
    """The lines whose ``` neither opens nor closes a block of code: what follows it would not be checked."""
    wrong, opened = [], 0
    for number, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith("```"):
            wrong += [number] if "```" in line else []
        elif opened and line.strip() != "```":
            wrong.append(number)
        else:
            opened = 0 if opened else number
    return [*wrong, opened] if opened else wrong


@pytest.mark.parametrize("file", markdown_files(), ids=str)
def test_blocks_of_code_begin_and_end(file: Path) -> None:
    wrong = broken_fences((ROOT / file).read_text(encoding="utf-8"))
    assert not wrong, f"{file}: a block of code is cut off or not closed at lines {wrong}"


def test_a_block_that_is_cut_off_is_noticed() -> None:
    assert broken_fences("```cpp\nint a;\n```\n\n   ```sh\n   ls\n   ```\n") == []
    assert broken_fences("```cpp\nint a = ```console\n$ ls\n```\n") == [2]
    assert broken_fences("```cpp\nint a;\n```console\n$ ls\n```\n") == [3]
    assert broken_fences("text\n```cpp\nint a;\n") == [2]


def anchors(text: str) -> set[str]:
    """The names by which GitHub's headings can be linked to."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    heads = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", head) for head in heads)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in plain}


@pytest.mark.parametrize("file", markdown_files(), ids=str)
def test_links_lead_somewhere(file: Path) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)
    targets = re.findall(r"\]\(([^)\s]+)\)", prose) + re.findall(r'(?:src|href)="([^"]+)"', prose)
    for target in targets:
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (ROOT / file).parent / path if path else ROOT / file
        assert there.exists(), f"{file} links to {target}, which is not there"
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there.read_text(encoding="utf-8")), f"{file}: no {target}"


def rewrite(document: str) -> list[str]:
    """Puts what the commands print now in the place of what is shown; returns what it could not."""
    file = ROOT / document
    lines = file.read_text(encoding="utf-8").splitlines()
    lost = []
    for command, output in run_document(document):
        streams = [list(output.stdout), list(output.stderr)]
        for offset, line in enumerate(command.shown, command.line + 1):
            if line.strip() == ELLIPSIS or PROGRESS.match(line):
                continue
            for stream in streams:
                place = next((i for i, t in enumerate(stream) if words(t) == words(line)), None)
                if place is not None:
                    lines[offset] = stream[place].rstrip()
                    del stream[: place + 1]
                    break
            else:
                lost.append(f"{document}:{offset + 1}: not printed any more: {line}")
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return lost


if __name__ == "__main__":
    problems = [problem for name in DOCUMENTS for problem in rewrite(name)]
    print("\n".join(problems) or "all documents show what the commands print")
    sys.exit(1 if problems else 0)
