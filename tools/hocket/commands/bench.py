"""`hocket bench`: runs experiments, prints their tables, writes their results."""

from __future__ import annotations

from hocket.bench import (
    BOARD,
    Result,
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


def bench_command(names: list[str], only_list: bool, seed: int, board: str = BOARD) -> int:
    known = experiments()
    if only_list:
        for name in known:
            print(f"{name:<22}{description(name)}")
        return 0
    check_names("experiment", names, known, "hocket bench --list says what each is")
    chosen = names or known
    if board != BOARD:
        find_board(board)
    elsewhere = {name: text for name in chosen if (text := _not_on(name, board))}
    for name, text in elsewhere.items():
        if names:
            boards = boards_of(name)
            instead = f"use --board {boards[0]}" if boards else "leave --board"
            raise HocketError(
                text,
                next_step=f"{instead}, or leave the experiment out"
                if boards
                else f"{instead} or the experiment out",
            )
        say(f"left out: {text}")
    chosen = [name for name in chosen if name not in elsewhere]
    for name in chosen:
        say(f"experiment {name}")
        result = run_experiment(name, seed, board)
        _print(result)
        print(f"written: {', '.join(shorten(file) for file in save(name, result, board))}\n")
    return 0


def _not_on(name: str, board: str) -> str:
    """Why the experiment does not run on this board; empty: it does."""
    boards = boards_of(name)
    if board in boards or (not boards and board == BOARD):
        return ""
    if not boards:
        return f"{name} takes no --board: it chooses by itself what it counts on"
    return f"{name} runs on {listed(boards)}, not on {board}"


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
