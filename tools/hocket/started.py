"""How the user writes this command: `./hocket` in a checkout, `hocket` when it is on the PATH. Whatever names
a further command, for the user to type, says it in the same way.
"""

from __future__ import annotations

import os
import re
import shlex

# The command where it is one: not within a path or a longer name, and followed by a word of it.
_COMMAND = re.compile(r"(?<![\w./-])hocket(?= [a-z-])")
# Sentences about it, in which a word follows that is none of its own.
_NO_COMMAND = re.compile(r"hocket (again|once|as|finds|is|anew|and|on|at|in|was|has|here)\b")


def word() -> str:
    """As the entry of the checkout has it (`hocket`, at the root); what is installed is on the PATH."""
    return os.environ.get("HOCKET_STARTED_AS") or "hocket"


def command() -> str:
    """The same for a shell."""
    return shlex.quote(word())


def as_started(text: str) -> str:
    """The text, in which commands are written as this one was."""
    own = command()
    if own == "hocket":
        return text
    return _COMMAND.sub(
        lambda found: found[0] if _NO_COMMAND.match(text, found.start()) else own, text
    )
