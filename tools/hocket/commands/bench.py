"""`hocket bench`: runs experiments, prints their tables, writes their results."""

from __future__ import annotations

from hocket.bench import (
    Result,
    board_meant,
    boards_of,
    description,
    experiments,
    run_experiment,
    save,
)
from hocket.boards import find_board, listed
from hocket.console import say
from hocket.errors import HocketError, check_names, shorten
from hocket.tables import print_table


def bench_command(names: list[str], only_list: bool, seed: int, board: str | None = None) -> int:
    known = experiments()
    if only_list:
        for name in known:
            print(f"{name:<22}{description(name)}")
        return 0
    check_names("experiment", names, known, "hocket bench --list says what each is")
    if board is not None:
        find_board(board)
    for name in _chosen(names or known, board, bool(names)):
        say(f"experiment {name}")
        where = board or board_meant(name)
        result = run_experiment(name, seed, where)
        _print(result)
        print(f"written: {', '.join(shorten(file) for file in save(name, result, where))}\n")
    return 0


def _chosen(names: list[str], board: str | None, named: bool) -> list[str]:
    """Those of the experiments that run on the board. HocketError for one that was named and does not."""
    if board is None:
        return names
    chosen = []
    for name in names:
        boards = boards_of(name)
        if board in boards:
            chosen.append(name)
            continue
        wrong = (
            f"{name} runs on {listed(boards)}, not on {board}"
            if boards
            else f"{name} takes no --board: it chooses by itself what it counts on"
        )
        if named:
            raise HocketError(wrong, next_step=f"leave --board out: hocket bench {name}")
        say(f"left out: {wrong}")
    return chosen


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
