"""Records each function of the project that this process calls, for a recorded test (see touched.c).

A line in site-packages starts it in each Python process: install(). It is imported before everything else,
and imports almost nothing.
"""

import os
import sys
import threading

WITH = "HOCKET_TOUCHED_WITH"  # the folder of this file
_START = "hocket_recorded.pth"


def start() -> None:
    log, root = os.environ.get("HOCKET_TOUCHED"), os.environ.get("HOCKET_TOUCHED_ROOT")
    if not log or not root:
        return
    root += "/"
    seen: dict[int, object] = {}  # kept, so that an id is not reused

    def trace(frame, event, argument):  # type: ignore[no-untyped-def]
        code = frame.f_code
        if id(code) not in seen:
            seen[id(code)] = code
            name = code.co_filename
            if not name.startswith("/"):
                name = f"{os.getcwd()}/{name}"  # noqa: PTH109 (pathlib is large)
            if name.startswith(root) and not name.startswith(root + "."):
                line = f"f {name} {code.co_qualname}\n".encode()
                file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
                os.write(file, line)
                os.close(file)

    sys.settrace(trace)
    threading.settrace(trace)


def install(site_packages: str) -> None:
    """Makes each Python process of this environment record its calls if it belongs to a recorded test."""
    from pathlib import Path

    line = (
        "import os, sys; os.environ.get('HOCKET_TOUCHED') and "
        f"(sys.path.insert(0, os.environ['{WITH}']), __import__('tracing').start(), sys.path.pop(0))\n"
    )
    start = Path(site_packages) / _START
    if not start.is_file() or start.read_text(encoding="utf-8") != line:
        start.write_text(line, encoding="utf-8")
