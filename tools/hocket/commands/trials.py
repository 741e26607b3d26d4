"""`hocket test SKETCH|FOLDER…`: runs a user's scenarios as tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hocket.builder.board import jobs
from hocket.console import say
from hocket.errors import EXIT_DONE, EXIT_FAULT, EXIT_USAGE, HocketError
from hocket.paths import INSTALLED
from hocket.running.request import check_seed, check_writable
from hocket.started import command as started
from hocket.suite import STEPS
from hocket.trials import tell
from hocket.trials.find import Trial, find_trials
from hocket.trials.perform import ERROR, FAILED, SKIPPED, Outcome, Performer
from hocket.watch import watch

if TYPE_CHECKING:
    from hocket.coverage.asking import Coverage


@dataclass(frozen=True)
class Request:
    """The options. jobs: None: one for each processor of this computer."""

    names: Sequence[str]
    boards: Sequence[str] = ()
    jobs: int | None = None
    junit: Path | None = None
    seed: int | None = None
    watching: bool = False
    profile: str | None = None
    coverage: Coverage | None = None


def trials_command(request: Request) -> int:
    for name in request.names:
        if not INSTALLED and not Path(name).exists() and name in {step.name for step in STEPS}:
            raise HocketError(
                f"there is no file or folder {name}",
                "it is a step of Hocket's own test suite",
                f"run {started()} self-test {name}",
            )
    if request.jobs is not None and request.jobs < 1:
        raise HocketError(f"--jobs {request.jobs} is out of range", next_step="use 1 or more")
    if request.seed is not None:
        check_seed(request.seed)
    if request.junit is not None:
        check_writable("--junit", request.junit)
    if request.watching:
        return watch(lambda: [Path(name) for name in request.names], _once(request))
    return _once(request)()


def _once(request: Request) -> Callable[[], int]:
    def run() -> int:
        trials = find_trials(request.names, request.boards, request.profile)
        if request.coverage is not None:
            _check_coverage(trials)
        on_github = os.environ.get("GITHUB_ACTIONS") == "true"
        outcomes = []
        once = tell.Once()
        covering = request.coverage is not None
        performer = Performer(request.jobs or jobs(), request.seed, request.profile, covering)
        with closing(performer.outcomes(trials)) as performed:
            for outcome in performed:
                outcomes.append(outcome)
                earlier = once.earlier(outcome)
                print(*tell.lines_of(outcome, earlier), sep="\n", flush=True)
                if on_github and earlier is None:
                    for line in tell.github_lines(outcome):
                        print(line, flush=True)
        print(*tell.summary(outcomes), sep="\n", flush=True)
        if request.junit is not None:
            tell.write_junit(outcomes, request.junit)
        verdicts = {outcome.verdict for outcome in outcomes}
        status = EXIT_FAULT if FAILED in verdicts else EXIT_DONE
        status = EXIT_USAGE if ERROR in verdicts else status
        if request.coverage is None:
            return status
        return _tell_lines(outcomes, request.coverage, status)

    return run


def _check_coverage(trials: Sequence[Trial]) -> None:
    from hocket.coverage.asking import BOARD, check_boards

    left_out = check_boards([trial.board for trial in trials if not trial.skipped])
    if left_out:
        say(f"coverage counts the tests on {BOARD} only, not those on {' and '.join(left_out)}")


def _tell_lines(outcomes: Sequence[Outcome], asked: Coverage, status: int) -> int:
    """Prints the coverage. At least one test of each sketch must have reported its lines."""
    from hocket.coverage.asking import BOARD
    from hocket.coverage.merging import merge
    from hocket.coverage.telling import tell as tell_lines

    tried = [each for each in outcomes if each.trial.board == BOARD and each.verdict != SKIPPED]
    known = {each.trial.sketch for each in tried if each.lines}
    unknown = dict.fromkeys(each.trial.sketch for each in tried if each.trial.sketch not in known)
    return tell_lines(merge(each.lines for each in tried), asked, status, list(unknown))
