"""How the user starts this command: `./hocket` in a checkout, `hocket` if it is in PATH. Every message with a
further command for the user uses the same form."""

from __future__ import annotations

import os
import re
import shlex

# The command's name, not inside a path or a longer name, and followed by a subcommand or an option.
_COMMAND = re.compile(r"(?<![\w./-])hocket(?= [a-z-])")
# Sentences about Hocket, in which another word follows.
_NO_COMMAND = re.compile(r"hocket (again|once|as|finds|is|anew|and|on|at|in|was|has|here)\b")


def word() -> str:
    """Returns the word that the checkout's launcher has set (`hocket`, at the root). An installed command is
    in PATH."""
    return os.environ.get("HOCKET_STARTED_AS") or "hocket"


def command() -> str:
    """Returns the word, quoted for a shell."""
    return shlex.quote(word())


def as_started(text: str) -> str:
    """Returns the text with all commands in the form in which this one was started."""
    own = command()
    if own == "hocket":
        return text
    return _COMMAND.sub(
        lambda found: found[0] if _NO_COMMAND.match(text, found.start()) else own, text
    )
