"""The program: runs the command line, and ends with a sentence and a status whatever happens."""

from __future__ import annotations

import os
import re
import sys

import typer

from hocket import early
from hocket.cli.app import app, command
from hocket.errors import EXIT_INTERRUPTED, EXIT_NOBODY_READS, EXIT_USAGE, HocketError
from hocket.started import as_started


def main() -> None:
    """Runs the command line and exits; what the user can mend is printed without a traceback."""
    from hocket import output

    output.mend_streams()
    _end_by_signals()
    try:
        early.work_begins()
        status = command()(prog_name="hocket", standalone_mode=False)
        sys.stdout.flush()
        if (
            status == EXIT_INTERRUPTED
        ):  # a run told what came before; typer, of a step, says nothing
            print("hocket: interrupted", file=sys.stderr)
    except HocketError as error:
        _flush_output()
        print(error, file=sys.stderr)
        status = error.exit_code
    except typer.TyperException as error:
        message = error.format_message()
        if message:  # none when `hocket` alone has printed its help
            print(f"hocket: {plainly(message, sys.argv[1:])}", file=sys.stderr)
            print(f"  next:  {as_started(_help_line(sys.argv[1:]))}", file=sys.stderr)
        status = EXIT_USAGE
    except (KeyboardInterrupt, typer.Abort):
        early.work_is_over()
        output.tell_interrupted()
        status = EXIT_INTERRUPTED
    except (BrokenPipeError, SystemExit):  # whoever read our output has gone: typer exits then
        if "_HOCKET_COMPLETE" in os.environ:  # it has answered a shell
            raise
        output.nobody_reads()
        status = EXIT_NOBODY_READS
    except Exception as problem:  # what has no sentence is a defect
        if output.is_interruption(problem):
            early.work_is_over()
            output.tell_interrupted()
            sys.exit(EXIT_INTERRUPTED)
        told = output.explain(problem) if isinstance(problem, OSError) else None
        status = output.defect() if told is None else told
    sys.exit(status if isinstance(status, int) else 0)


def _end_by_signals() -> None:
    """SIGTERM and a terminal that goes away end a command as Ctrl-C does; nohup's SIGHUP stays ignored.

    Python itself, of `python -m`, sends itself SIGINT at its very end when an interruption has come through
    exec(), as in the making of a dataclass, whoever has dealt with it since. It does not get that one, and
    ends with the command's status.
    """
    import atexit
    import signal

    atexit.register(signal.pthread_sigmask, signal.SIG_BLOCK, {signal.SIGINT})
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def plainly(message: str, words: list[str]) -> str:
    """What the option parser says of a value that is no number, as a person would say it."""
    found = re.match(r"Invalid value for '(--[a-z-]+)'.* valid (integer|number|float)", message)
    if found is None:
        return message
    option, kind = found[1], "a whole number" if found[2] == "integer" else "a number"
    after = [words[i + 1] for i, word in enumerate(words[:-1]) if word == option]
    joined = [word.partition("=")[2] for word in words if word.startswith(f"{option}=")]
    given = next(iter(after + joined), None)
    return f"{option} takes {kind}" + (f", not {given!r}" if given is not None else "")


def _flush_output() -> None:
    import contextlib

    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()


def _help_line(arguments: list[str]) -> str:
    known = {c.name or getattr(c.callback, "__name__", "") for c in app.registered_commands}
    word = next((argument for argument in arguments if argument in known), "")
    return f"hocket {word} --help lists the options" if word else "hocket --help lists the commands"
