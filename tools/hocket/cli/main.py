"""The program: runs the command line. In every case it ends with a message and an exit status."""

from __future__ import annotations

import os
import re
import sys
from difflib import SequenceMatcher

import typer

from hocket import early
from hocket.cli.app import app, command
from hocket.errors import EXIT_INTERRUPTED, EXIT_NOBODY_READS, EXIT_USAGE, HocketError
from hocket.started import as_started


def main() -> None:
    """Runs the command line and exits. Errors that the user can correct are printed without a traceback."""
    from hocket import output

    output.mend_streams()
    _end_by_signals()
    try:
        early.work_begins()
        status = command()(prog_name="hocket", standalone_mode=False)
        sys.stdout.flush()
        if status == EXIT_INTERRUPTED:  # a run prints its own message; typer prints none
            print("hocket: interrupted", file=sys.stderr)
    except HocketError as error:
        _flush_output()
        print(error, file=sys.stderr)
        status = error.exit_code
    except typer.TyperException as error:
        message = error.format_message()
        if message:  # empty if `hocket` without a command has printed its help
            said, way_out = meant(plainly(message, sys.argv[1:]), sys.argv[1:])
            print(f"hocket: {said}", file=sys.stderr)
            way_out = way_out or _help_line(sys.argv[1:])
            print(f"  next:  {as_started(way_out)}", file=sys.stderr)
        status = EXIT_USAGE
    except (KeyboardInterrupt, typer.Abort):
        early.work_is_over()
        output.tell_interrupted()
        status = EXIT_INTERRUPTED
    except (BrokenPipeError, SystemExit):  # the reader of the output is gone: typer exits then
        if "_HOCKET_COMPLETE" in os.environ:  # the shell's completion was answered
            raise
        output.nobody_reads()
        status = EXIT_NOBODY_READS
    except Exception as problem:  # an exception without a message is a defect
        if output.is_interruption(problem):
            early.work_is_over()
            output.tell_interrupted()
            sys.exit(EXIT_INTERRUPTED)
        told = output.explain(problem) if isinstance(problem, OSError) else None
        status = output.defect() if told is None else told
    sys.exit(status if isinstance(status, int) else 0)


def _end_by_signals() -> None:
    """Makes SIGTERM and the loss of the terminal end a command as Ctrl-C does. A SIGHUP ignored by nohup
    stays ignored.

    Python (`python -m`) sends itself SIGINT at its very end if an interruption has passed through exec(), as
    when a dataclass is made, even if it was handled later. That signal is blocked, so that the process ends
    with the command's status.
    """
    import atexit
    import signal

    atexit.register(signal.pthread_sigmask, signal.SIG_BLOCK, {signal.SIGINT})
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


# Options that other tools have, and those of Hocket.
_OTHER_OPTIONS = {"--time": "--for", "--duration": "--for", "--fqbn": "--board"}


def meant(message: str, words: list[str]) -> tuple[str, str]:
    """Returns the option parser's message without words that only look alike, and the next step if it is
    known what was meant, else an empty string."""
    option = re.match(r"(No such option: (--[a-z-]+))\b", message)
    other = _OTHER_OPTIONS.get(option[2]) if option is not None else None
    if option is not None and other is not None and other in _options_of(words):
        return option[1], f"did you mean {other}?"
    named = re.match(r"(No such command '(.*?)'\.)(?: Did you mean '(.*?)'\?)?", message)
    if named is None:
        return message, ""
    if _is_sketch(named[2]):
        return named[1], f"hocket run {named[2]} runs that sketch"
    if named[3] is not None and SequenceMatcher(None, named[2], named[3]).ratio() < 0.7:
        return named[1], ""
    return message, ""


def _options_of(words: list[str]) -> set[str]:
    """Returns the options of the command that the words name."""
    known = command().commands
    name = next((word for word in words if word in known), None)
    return {each for param in known[name].params for each in param.opts} if name else set()


def _is_sketch(word: str) -> bool:
    from pathlib import Path

    place = Path(word)
    try:
        inside = list(place.iterdir()) if place.is_dir() else [place] if place.is_file() else []
    except OSError:
        return False
    return any(file.suffix == ".ino" for file in inside)


def plainly(message: str, words: list[str]) -> str:
    """Returns the option parser's message about a value that is not a number, in plain words."""
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
