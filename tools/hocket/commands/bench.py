"""`hocket bench`: runs experiments, prints their tables, writes their results."""

from __future__ import annotations

from difflib import get_close_matches

from hocket.bench import Result, description, experiments, run_experiment, save
from hocket.console import say
from hocket.errors import HocketError, shorten
from hocket.tables import print_table


def bench_command(names: list[str], only_list: bool, seed: int) -> int:
    known = experiments()
    if only_list:
        for name in known:
            print(f"{name:<22}{description(name)}")
        return 0
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1)
            raise HocketError(
                f"there is no experiment {name!r}",
                f"there are: {', '.join(known) or 'none'}",
                f"did you mean {near[0]}?" if near else "hocket bench --list says what each is",
            )
    for name in names or known:
        say(f"experiment {name}")
        result = run_experiment(name, seed)
        _print(result)
        print(f"written: {', '.join(shorten(file) for file in save(name, result))}\n")
    return 0


def _print(result: Result) -> None:
    print(result.title)
    rows = [[_cell(cell) for cell in row] for row in result.rows]
    print_table([str(column) for column in result.columns], rows)
    for note in result.notes:
        print(f"- {note}")
    for table in result.more:
        print()
        _print(table)


def _cell(value: str | int | float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
