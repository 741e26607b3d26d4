"""The script that tells gdb of a sketch: gdb itself reads it, whatever the folders are called."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from hocket.builder import Image
from hocket.debugger import program

START = """\
import gdb
import os.path
assert os.path.isfile(__file__)
print("folder", gdb.parse_and_eval("$hocket_folder").string() == FOLDER)
print("processor", gdb.parse_and_eval("$hocket_processor").string())
"""


@dataclass(frozen=True)
class Built:
    """As an Image whose kernel is a program of its own, for QEMU."""

    folder: Path

    @property
    def sketch_elf(self) -> Path:
        return self.folder / "program"

    @property
    def sketch(self) -> SimpleNamespace:
        return SimpleNamespace(name="odd", folder=self.folder)

    @property
    def board(self) -> SimpleNamespace:
        return SimpleNamespace(name="virt", processor="aarch64", architecture="")

    def program_for(self, cores: int) -> Path:
        return self.folder / f"kernel{cores}"


@pytest.mark.parametrize("name", ['a b "c', "it's", "back\\slash", "wörds $x #1", 'c"', "\\"])
def test_gdb_finds_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    source = folder / "program.c"
    for program_name, function in (("program", "main"), ("kernel2", "kernel_main")):
        source.write_text(f"int {function}(void) {{ return 0; }}\n")
        entry = ["-nostdlib", f"-Wl,-e,{function}"]
        made = folder / program_name
        subprocess.run(["gcc", "-g", *entry, "-o", made, source], check=True, cwd=folder)
    start = folder / "start.py"
    start.write_text(f"FOLDER = {str(folder)!a}\n{START}")
    monkeypatch.setattr(program, "START", start)
    monkeypatch.setattr(program, "ROOT", folder)
    script = program.script_for(cast(Image, Built(folder)), 2)
    asked = ["info line main", "info line kernel_main", "show substitute-path"]
    asked.append("python print(os.path.basename('a/known'))")  # as its commands ask for each other
    words = [word for each in asked for word in ("-ex", each)]
    done = subprocess.run(
        ["gdb-multiarch", "-nx", "-q", "-batch", "-x", script, *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "rror" not in done.stdout + done.stderr.replace("Error disabling", "")
    for line in (
        "folder True",
        "processor aarch64",
        "known",
        "starts at address",
        f"`../..' -> `{folder}'",
    ):
        assert line in done.stdout, done
    assert done.stdout.count("starts at address") == 2
