"""The longest calls that a simulated run of a sketch has."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.builder import Image as Built
from hocket.confinement import confined
from hocket.report import has_facts, read_facts
from hocket.running.kept import copies_of
from hocket.running.programs import command_of
from hocket.running.request import Request
from hocket.running.scenarios import find_scenario
from hocket.running.telling import unusable
from hocket.simulator import simulate


@dataclass(frozen=True)
class Seen:
    calls: int
    longest: int  # cycles, without waits
    waits: int


def run_and_see(
    built: Built, request: Request, functions: Iterable[int], waits: Sequence[int]
) -> dict[int, Seen]:
    """Runs the sketch with its scenario, and returns what was seen of each function, by its address. waits:
    the functions in which the sketch waits."""
    scenario = find_scenario(request.scenario, built.sketch, built.board, request.settings)
    with (
        tempfile.TemporaryDirectory(prefix="hocket-") as name,
        copies_of(scenario, Path(name)) as copies,
    ):
        folder = Path(name)
        command = command_of(built, request, copies.scenario, folder, None)
        for address in functions:
            command += ["--time-call", str(address)]
        for address in waits:
            command += ["--wait-call", str(address)]
        ended = simulate(confined(command, built.board, folder), lambda: None, show_serial=False)
        facts_file = folder / "facts.json"
        if not has_facts(facts_file):
            raise unusable(ended)
        rows = read_facts(facts_file).get("call_times") or []
    return {
        int(row["address"]): Seen(row["calls"], row["longest_cycles"], row["most_waits"])
        for row in rows
    }
