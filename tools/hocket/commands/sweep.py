"""`hocket sweep` and `hocket tune`: campaigns of runs."""

from __future__ import annotations

import shlex
import signal
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from hocket.boards import boards_with, find_board, first_of
from hocket.builder import Image, build_sketch
from hocket.campaign import telling
from hocket.campaign.performing import (
    OK,
    Job,
    Outcome,
    Outcomes,
    check_places,
    on_a_cluster,
    on_this_computer,
    perform,
    repeat_command,
    workers_of,
)
from hocket.campaign.sampling import MOST_RUNS, Planned, plan, read_variation
from hocket.campaign.searching import Found, smallest
from hocket.console import Progress, say
from hocket.durations import format_microseconds, parse_duration
from hocket.errors import (
    EXIT_DONE,
    EXIT_FAULT,
    EXIT_INTERRUPTED,
    EXIT_REFUSED,
    HocketError,
    shorten,
)
from hocket.expect.evidence import instant
from hocket.expect.judging import check_duration
from hocket.inside import allowed
from hocket.output import STANDARD
from hocket.running.admission import analyse
from hocket.running.kept import named_files
from hocket.running.programs import board_program
from hocket.running.request import Request, check_cores, check_outputs, cores_of, duration_of
from hocket.running.scenarios import find_scenario, inputs_of, keeping_nothing
from hocket.scenario.settings import Setting, Target, loop_options
from hocket.sketch.folder import find_sketch
from hocket.started import command

_PLAIN_LOOP = 0  # loop() without a budget


@dataclass(frozen=True)
class Campaign:
    """The options that both commands have. seeds: the number of runs, from the first seed on. vary: as
    written."""

    run: Request
    seeds: int = 100
    vary: Sequence[str] = ()
    jobs: int | None = None
    dask: str | None = None
    json: Path | None = None
    csv: Path | None = None
    html: Path | None = None
    step: str | None = None
    loops: Sequence[int] = field(default_factory=tuple)

    def outputs(self) -> list[tuple[str, Path]]:
        """Returns the requested output files, each with its option."""
        named = (("--json", self.json), ("--csv", self.csv), ("--html", self.html))
        return [(option, file) for option, file in named if file is not None]


def sweep_command(asked: Campaign) -> int:
    runs = _planned(asked)
    job = _job(asked, runs[0])
    outcomes: list[Outcome] = []
    try:
        with closing(_performed(asked, job, runs)) as performed:
            for outcome in performed:
                outcomes.append(outcome)
    except KeyboardInterrupt:
        _tell(asked, job, outcomes, len(runs))
        return EXIT_INTERRUPTED
    except Exception:  # hours of runs may have come before the error
        _tell(asked, job, outcomes, len(runs))
        raise
    _tell(asked, job, outcomes, len(runs))
    return EXIT_DONE if all(outcome.verdict == OK for outcome in outcomes) else EXIT_FAULT


def _tell(asked: Campaign, job: Job, outcomes: Sequence[Outcome], planned: int) -> None:
    """Writes the results in all requested forms. If one form fails, the others are still tried."""
    name = job.image.sketch.name
    with ExitStack() as ways:  # the callbacks run in reverse order
        if asked.csv is not None:
            ways.callback(telling.write_csv, outcomes, asked.csv)
        if asked.html is not None:
            ways.callback(_write_page, asked, name, outcomes, planned)
        if asked.json is not None:
            told = telling.as_json(name, asked.run, outcomes, planned)
            ways.callback(telling.write_json, told, asked.json)
        if asked.json != STANDARD:
            print(*telling.summary(name, asked.run, outcomes, planned), sep="\n", flush=True)


def _write_page(asked: Campaign, name: str, outcomes: Sequence[Outcome], planned: int) -> None:
    from hocket.campaign.pages import write_sweep

    assert asked.html is not None
    summary = telling.summary(name, asked.run, outcomes, planned)
    title = f"{name} on {asked.run.board}: {len(outcomes)} runs"
    write_sweep(title, _again("sweep", asked), summary, outcomes, asked.run, asked.html)
    say(f"wrote {shorten(asked.html)}")


def _again(name: str, asked: Campaign) -> list[str]:
    """Returns the command that makes the page again."""
    program, _, *others = asked.run.words()
    words = [program, name, *others, "--seeds", str(asked.seeds)]
    words += [word for text in asked.vary for word in ("--vary", text)]
    words += [word for loop in asked.loops for word in ("--loop", str(loop))]
    words += ["--step", asked.step] if asked.step else []
    words += ["--html", str(asked.html)]
    if name == "tune":  # tune runs on one board only
        place = words.index("--board")
        del words[place : place + 2]
    return [shlex.quote(word) for word in words]


def tune_command(asked: Campaign) -> int:
    runs = _planned(asked)
    job = _job(asked, runs[0])
    board = job.image.board.name
    if board not in boards_with("settable_budgets"):
        raise HocketError(
            f"budgets are tuned on the board sim, not on {board}", next_step="leave --board out"
        )
    declared = _declared(job, runs[0], asked.loops)
    step = parse_duration(asked.step, "--step") if asked.step else None
    tried = 0

    def attempt(budgets: Mapping[int, int]) -> Outcome | None:
        nonlocal tried
        settings = tuple(
            Setting(Target(loop, "C"), instant(budget)) for loop, budget in budgets.items()
        )
        changed = [Planned(run.seed, (*run.settings, *settings)) for run in runs]
        alone = perform(job, changed[0])  # most insufficient budgets fail in the first run
        tried += 1
        if alone.verdict != OK:
            return alone
        with closing(_performed(asked, job, changed[1:], quiet=True)) as performed:
            for outcome in performed:
                tried += 1
                if outcome.verdict != OK:
                    return outcome
        return None

    if (outcome := attempt(declared)) is not None:
        print(f"{job.image.sketch.name} is not ok with the budgets that it declares:")
        print(*_bad(asked, outcome), sep="\n", flush=True)
        print(*(f"  next:  {way}" for way in _ways_out(outcome)), sep="\n", flush=True)
        return EXIT_REFUSED if outcome.verdict == "refused" else EXIT_FAULT
    found: list[Found] = []
    tries: list[tuple[int, int, bool]] = []
    budgets = dict(declared)

    def attempt_with(changed: Mapping[int, int]) -> Outcome | None:
        outcome = attempt({**budgets, **changed})
        tries.extend((loop, budget, outcome is None) for loop, budget in changed.items())
        return outcome

    for loop in sorted(declared):
        say(f"looking for the smallest budget of loop {loop}")
        least = step or max(declared[loop] // 1000, 1)
        (one,) = smallest({loop: budgets[loop]}, least, attempt_with)
        budgets[loop] = one.budget
        found.append(one)
    lines = _told(asked, found, len(runs), tried)
    print(*lines, sep="\n", flush=True)
    if asked.html is not None:
        from hocket.campaign.pages import Tried, write_tune

        title = f"{job.image.sketch.name} on {board}: the smallest budgets"
        tried_ones = [Tried(*each) for each in tries]
        write_tune(title, _again("tune", asked), lines, found, tried_ones, asked.html)
        say(f"wrote {shorten(asked.html)}")
    return EXIT_DONE


def _planned(asked: Campaign) -> list[Planned]:
    if not 1 <= asked.seeds <= MOST_RUNS:
        raise HocketError(
            f"--seeds {asked.seeds} is out of range", next_step=f"use 1 to {MOST_RUNS}"
        )
    if not 0 <= asked.run.seed <= 2**64 - asked.seeds:
        raise HocketError(f"--seed {asked.run.seed} is out of range", next_step="use 1")
    check_places(asked.outputs())
    workers_of(asked.jobs)
    return plan(asked.run.seed, asked.seeds, [read_variation(text) for text in asked.vary])


def _job(asked: Campaign, first: Planned) -> Job:
    """Builds the sketch and checks everything that would fail in all runs."""
    request = asked.run
    board = find_board(request.board)
    if request.cores is not None:
        check_cores(request.cores, board)
    if request.duration is not None:
        parse_duration(request.duration, "--for")
    sketch = find_sketch(request.sketch)
    scenario = find_scenario(request.scenario, sketch, board, first.settings)
    inputs = [*inputs_of(sketch, request.scenario), *named_files(scenario)]
    check_outputs(asked.outputs(), inputs)
    cores = cores_of(request.cores, scenario, board)
    longer = "--for {}" if request.duration is not None else "for: {}"
    check_duration(scenario.expectations, duration_of(request, scenario), scenario.file, longer)
    loop_options(first.settings, board.name, boards_with("settable_budgets"))
    image = build_sketch(sketch, board, policy=request.policy)
    _check_loops(first.settings, image, cores)
    board_program(image, cores)  # builds the program that runs the board
    return Job(image, request, allowed())


def _check_loops(settings: Sequence[Setting], image: Image, cores: int) -> None:
    """Raises HocketError if a loop is to be set that the sketch does not have."""
    chosen = [each.target for each in settings if each.target.loop is not None]
    if not chosen:
        return
    report, _ = analyse(image, cores)
    there = [loop["id"] for loop in report["loops"]]
    for target in chosen:
        if target.loop not in there:
            raise HocketError(
                f"--vary '{target} = …': the sketch has no loop {target.loop}",
                f"it has: {', '.join(map(str, there)) or 'none'}",
                "name one of them",
            )


def _performed(asked: Campaign, job: Job, runs: Sequence[Planned], quiet: bool = False) -> Outcomes:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # handled like Ctrl-C
    made = (
        on_a_cluster(job, runs, asked.dask)
        if asked.dask is not None
        else on_this_computer(job, runs, workers_of(asked.jobs))
    )
    if quiet:
        yield from made
        return
    shown = Progress(f"running {len(runs)} simulations of {job.image.sketch.name}")
    try:
        with closing(made):
            for number, outcome in enumerate(made, start=1):
                shown.update(f"{number} of {len(runs)}")
                yield outcome
    finally:
        shown.stop()


def _declared(job: Job, run: Planned, chosen: Sequence[int]) -> dict[int, int]:
    """Returns the declared budgets of the loops to be tuned, in nanoseconds."""
    from hocket.running.performing import run_image

    scenario = find_scenario(job.request.scenario, job.image.sketch, job.image.board, run.settings)
    scenario = replace(scenario, expectations=())
    report = run_image(
        job.image,
        replace(job.request, seed=run.seed),
        keeping_nothing(scenario),
        show_serial=False,
    ).report
    kinds = ("loop", "periodic")
    found = {
        loop["id"]: round(loop["budget_us"] * 1000)
        for loop in report["loops"]
        if loop["kind"] in kinds and loop["id"] != _PLAIN_LOOP and loop["budget_us"]
    }
    if missing := [loop for loop in chosen if loop not in found]:
        raise HocketError(
            f"--loop {missing[0]}: the sketch has no such loop with a budget",
            f"it has: {', '.join(map(str, sorted(found))) or 'none'}",
            "name one of them",
        )
    if not found:
        raise HocketError(
            "this sketch has no loop with a budget: there is nothing to tune",
            next_step="declare loops: void loop(1, 20, 100) { … }",
        )
    return {loop: budget for loop, budget in found.items() if not chosen or loop in chosen}


def _ways_out(outcome: Outcome) -> Sequence[str]:
    """Returns what to do if the declared budgets are not enough."""
    return outcome.ways_out or ("give the loops larger budgets, or mend what the run shows",)


def _bad(asked: Campaign, outcome: Outcome) -> list[str]:
    lines = [f"  {reason}" for reason in outcome.why[:3]]
    return [
        *lines,
        f"  again: {repeat_command(asked.run, outcome.run)}",
    ]


def _told(asked: Campaign, found: Sequence[Found], seeds: int, tried: int) -> list[str]:
    lines = [
        f"the smallest budgets with which {f'all {seeds} runs are' if seeds > 1 else '1 run is'} ok "
        f"({tried} simulations):"
    ]
    for each in found:
        now, before = (format_microseconds(ns / 1000) for ns in (each.budget, each.before))
        lines.append(f"loop {each.loop}: C = {now} (declared {before})")
        if each.below is not None:
            lines.append("  a step less:")
            lines += [f"  {line}" for line in _bad(asked, each.below)]
    lines.append("budgets between were halved, not all tried; other seeds and inputs may need more")
    lines.append(
        "they are for sim and its model of time; for another board look at what its own run uses: "
        f"{command()} run {shlex.quote(str(asked.run.sketch))} --board {first_of('avr8')}"
    )
    return lines
