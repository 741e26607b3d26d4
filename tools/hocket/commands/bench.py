"""`hocket bench`: runs experiments, prints their tables, writes their results."""

from __future__ import annotations

from hocket.bench import (
    LINUX_BOARD,
    Result,
    board_meant,
    boards_for,
    description,
    experiments,
    has_linux,
    has_quick,
    run_experiment,
    save,
)
from hocket.boards import find_board, listed
from hocket.console import say
from hocket.errors import HocketError, check_names, shorten
from hocket.running.request import check_seed
from hocket.tables import print_table


def bench_command(
    names: list[str],
    only_list: bool,
    seed: int,
    board: str | None = None,
    linux: bool = False,
    quick: bool = False,
) -> int:
    known = experiments()
    if only_list:
        for name in known:
            print(f"{name:<22}{description(name)}")
        return 0
    check_names("experiment", names, known, "hocket bench --list says what each is")
    check_seed(seed)
    if board is not None:
        find_board(board)
    if linux:
        chosen = _with_linux(names or known, board, bool(names))
        board = LINUX_BOARD
    else:
        chosen = _chosen(names or known, board, bool(names))
    if quick:
        chosen = _with_quick(chosen, board, bool(names))
    for number, name in enumerate(chosen, 1):
        say(f"experiment {name}" + (f" ({number} of {len(chosen)})" if len(chosen) > 1 else ""))
        where = board or board_meant(name)
        result = run_experiment(name, seed, where, linux, quick)
        _print(result)
        written = save(name, result, where, linux, quick)
        print(f"written: {', '.join(shorten(file) for file in written)}\n")
    return 0


def _chosen(names: list[str], board: str | None, named: bool) -> list[str]:
    """Returns the experiments that run on the board. Raises HocketError if a named one does not."""
    if board is None:
        return names
    chosen = []
    for name in names:
        boards = boards_for(name)
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


def _with_quick(names: list[str], board: str | None, named: bool) -> list[str]:
    """Returns the experiments that have a quick form. Raises HocketError if a named one has none."""
    having = [name for name in names if has_quick(name, board or board_meant(name))]
    for name in names:
        if name in having:
            continue
        if named:
            raise HocketError(
                f"{name} has no quick form",
                "it takes as long as it takes, or is quick already",
                "leave --quick out",
            )
        say(f"left out: {name} has no quick form")
    return having


def _with_linux(names: list[str], board: str | None, named: bool) -> list[str]:
    """Returns the experiments that also measure Linux. Raises HocketError if a named one does not, or if the
    board is not the one on which Linux runs."""
    if board not in (None, LINUX_BOARD):
        raise HocketError(
            f"there is no comparison with Linux on {board}",
            f"it runs in the emulator, on the clock of the board {LINUX_BOARD}",
            f"leave --board out: it is {LINUX_BOARD} then",
        )
    having = [name for name in names if has_linux(name)]
    for name in names:
        if named and name not in having:
            every = ", ".join(each for each in experiments() if has_linux(each))
            raise HocketError(
                f"{name} has no Linux side", f"these have one: {every}", "leave --linux out"
            )
    return having


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
