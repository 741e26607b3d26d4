"""`hocket compare`: runs one sketch under several scheduling policies, with text, page and JSON output."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hocket.boards import find_board
from hocket.builder.policies import check_policy
from hocket.comparing.performing import run_each
from hocket.comparing.telling import print_comparison
from hocket.console import say
from hocket.errors import EXIT_DONE, EXIT_FAULT, HocketError, shorten
from hocket.output import kept_for
from hocket.report import write_json
from hocket.running.request import Request, check_outputs, check_request, check_writable
from hocket.running.scenarios import inputs_of
from hocket.sketch.folder import find_sketch

USUAL = ("vcpu", "edf", "mlq")


def compare_command(
    request: Request, policies: Sequence[str], json: Path | None, html: Path | None
) -> int:
    policies = policies or USUAL
    board = find_board(request.board)
    for policy in policies:
        check_policy(policy, board)
    if twice := next((each for each in policies if list(policies).count(each) > 1), None):
        raise HocketError(f"--policy {twice} is written twice", next_step="write each policy once")
    check_request(request, board)
    outputs = [(option, file) for option, file in (("--json", json), ("--html", html)) if file]
    for option, file in outputs:
        check_writable(option, file)
    check_outputs(outputs, inputs_of(find_sketch(request.sketch), request.scenario))
    with kept_for(json):
        compared = run_each(request, policies)
        print_comparison(compared)
        if json is not None:
            write_json({each.policy: each.report for each in compared}, json, "the comparison")
        if html is not None:
            from hocket.comparing.page import write_comparison

            write_comparison(compared, _words(request, policies, html), html)
            say(f"wrote {shorten(html)}")
    faulted = any(each.report["faults"] for each in compared)
    return EXIT_FAULT if faulted else EXIT_DONE


def _words(request: Request, policies: Sequence[str], html: Path) -> list[str]:
    """Returns the command that makes the page again."""
    program, _, *others = replace(request, policy=None).words()
    chosen = [word for policy in policies for word in ("--policy", policy)]
    words = [program, "compare", *others, *chosen, "--html", str(html)]
    return [shlex.quote(word) for word in words]
