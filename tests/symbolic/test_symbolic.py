"""Proves the kernel's servers with Z3, and refutes each seeded fault: docs/decisions/proving-the-server.md.

The header itself is executed, with ticks that are terms of the solver. Run with `-s` to see what was proved.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import long_form
from tests.symbolic.seeded_faults import CHOICE_FAULTS, FAULTS, Fault

ROOT = Path(__file__).resolve().parents[2]
COMPILER = "clang++-19"
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Werror"]
TIME_LIMIT_S = 120
LONG_TIME_LIMIT_S = 3600

# Ticks, capacity, whether overruns are apart; and the source.
PROGRAMS = {
    "short": ("Linear", 3, "false", "sporadic_proof"),
    "circular": ("Circular", 3, "false", "sporadic_proof"),
    "apart": ("Linear", 3, "true", "sporadic_proof"),
    "long": ("Linear", 16, "false", "sporadic_proof"),
    "long-apart": ("Linear", 16, "true", "sporadic_proof"),
    "pibs": ("Linear", 3, "true", "pibs_proof"),
    "circular-pibs": ("Circular", 3, "true", "pibs_proof"),
}
ALL_OF_THREE = ("1/3", "2/3", "3/3")
# Program, rounds of its loops, lists as REFILLS/MOST, the least number of paths that a complete proof has.
PROOFS: list[tuple[str, str, tuple[str, ...], int]] = [
    ("short", "all", ALL_OF_THREE, 600),
    ("circular", "all", ALL_OF_THREE, 600),
    ("apart", "all", ALL_OF_THREE, 600),
    ("long", "few", ("16/16",), 1_000),
    ("long-apart", "all", ("3/3",), 600),
    ("pibs", "all", (), 40),
    ("circular-pibs", "all", (), 40),
]
LONG_PROOFS: list[tuple[str, str, tuple[str, ...], int]] = [
    ("long", "all", ("2/2", "3/3", "4/4", "3/5", "5/5"), 5_000),
    ("long-apart", "all", ("2/2", "4/4"), 4_000),
    ("long", "few", ("1/16", "2/16", "3/16", "7/8", "8/8", "15/16"), 1_000),
    ("long-apart", "few", ("8/8", "15/16", "16/16"), 1_000),
]

Compile = Callable[[str, Path], Path]


def _run(command: list[str], limit: float = TIME_LIMIT_S) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=limit, check=False
    )


def _compiled(command: list[str]) -> None:
    done = _run([COMPILER, *FLAGS, *command])
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def compile_proof(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    """Compiles a program, with the headers of a folder in the place of the project's own ones."""
    folder = tmp_path_factory.mktemp("symbolic")
    solver, header = str(folder / "terms.o"), str(folder / "terms.pch")
    missing = "z3++.h is missing: install Debian's package libz3-dev"
    assert Path("/usr/include/z3++.h").exists(), missing
    here = "tests/symbolic"
    _compiled(["-O1", f"-I{ROOT}", "-c", f"{here}/terms.cpp", "-o", solver])
    _compiled([f"-I{ROOT}", "-x", "c++-header", f"{here}/terms.h", "-o", header])

    def compile_program(program: str, first: Path) -> Path:
        ticks, capacity, apart, source = PROGRAMS[program]
        result = first / program
        chosen = [f"-DHOCKET_PROOF_TICKS={ticks}", f"-DHOCKET_PROOF_CAPACITY={capacity}"]
        chosen += [f"-DHOCKET_PROOF_APART={apart}", f"-I{first}", f"-I{ROOT}"]
        files = [f"{here}/{source}.cpp", solver, "-lz3", "-o", str(result)]
        _compiled(["-include-pch", header, *chosen, *files])
        return result

    return compile_program


def _proved(
    compile_proof: Compile, folder: Path, proof: tuple[str, str, tuple[str, ...], int]
) -> None:
    program, rounds, lists, least_paths = proof
    done = _run([str(compile_proof(program, folder)), rounds, *lists], LONG_TIME_LIMIT_S)
    print(f"\n{program} {rounds} {' '.join(lists)}\n{done.stdout}")
    assert done.returncode == 0, done.stdout + done.stderr
    paths = re.search(r"^proved: (\d+) paths", done.stdout, re.MULTILINE)
    assert paths, done.stdout
    assert int(paths[1]) >= least_paths


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: f"{proof[0]}-{proof[1]}")
def test_the_servers_keep_their_promise(
    compile_proof: Compile, tmp_path: Path, proof: tuple[str, str, tuple[str, ...], int]
) -> None:
    _proved(compile_proof, tmp_path, proof)


@long_form
@pytest.mark.parametrize("proof", LONG_PROOFS, ids=lambda proof: f"{proof[0]}-{proof[1]}")
def test_lists_of_other_lengths(
    compile_proof: Compile, tmp_path: Path, proof: tuple[str, str, tuple[str, ...], int]
) -> None:
    _proved(compile_proof, tmp_path, proof)


def _seed(fault: Fault, folder: Path) -> None:
    text = (ROOT / fault.file).read_text(encoding="utf-8")
    times = text.count(fault.old)
    assert times == 1, (
        f"{fault.file} has this text {times} times, write the fault anew:\n{fault.old}"
    )
    changed = folder / fault.file
    changed.parent.mkdir(parents=True)
    changed.write_text(text.replace(fault.old, fault.new), encoding="utf-8")


def _choice_of_a_pair(folder: Path) -> subprocess.CompletedProcess[str]:
    program = str(folder / "cheapest")
    _compiled(
        ["-O2", f"-I{folder}", f"-I{ROOT}", "tests/symbolic/cheapest_proof.cpp", "-o", program]
    )
    return _run([program])


def test_a_long_list_finds_its_cheapest_pair(tmp_path: Path) -> None:
    """Whatever the order of the losses is: the proofs of long lists look at one order of the others."""
    done = _choice_of_a_pair(tmp_path)
    print(f"\n{done.stdout}")
    paths = re.search(r"^proved: (\d+) paths", done.stdout)
    assert paths, done.stdout
    assert int(paths[1]) > 3**14


@pytest.mark.parametrize("fault", CHOICE_FAULTS, ids=lambda fault: fault.breaks)
def test_a_wrong_choice_of_a_pair_is_refuted(tmp_path: Path, fault: Fault) -> None:
    _seed(fault, tmp_path)
    done = _choice_of_a_pair(tmp_path)
    print(f"\n{done.stdout}")
    assert done.returncode == 1, "not refuted"
    assert done.stdout.startswith("refuted: of losses"), done.stdout


@pytest.mark.parametrize("name", FAULTS)
def test_a_seeded_fault_is_refuted(compile_proof: Compile, tmp_path: Path, name: str) -> None:
    fault = FAULTS[name]
    _seed(fault, tmp_path)
    done = _run([str(compile_proof(fault.program, tmp_path)), "few", *fault.lists])
    print(f"\n{name} ({fault.breaks})\n{done.stdout}")
    assert done.returncode == 1, f"not refuted: {done.stdout}{done.stderr}"
    # A state before, an operation, a state after it.
    assert re.search(r"^refuted: .*\n  budget.*\n  before: ", done.stdout, re.MULTILINE), (
        done.stdout
    )
