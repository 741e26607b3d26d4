"""Messages of the Language Server Protocol: JSON behind a header with its length."""

from __future__ import annotations

import json
from typing import IO, Any

Message = dict[str, Any]


def read_message(stream: IO[bytes]) -> Message | None:
    """The next one; None at the end, or where what comes is no message."""
    length = -1
    while True:
        line = stream.readline()
        if not line:
            return None
        if not line.strip():
            break
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
    if length < 0:
        return None
    body = stream.read(length)
    if len(body) < length:
        return None
    try:
        message = json.loads(body)
    except ValueError:
        return None
    return message if isinstance(message, dict) else None


def write_message(stream: IO[bytes], message: Message) -> None:
    body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
    stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stream.flush()
