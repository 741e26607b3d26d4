"""Messages of the Language Server Protocol: JSON after a header with its length."""

from __future__ import annotations

import json
from typing import IO, Any

Message = dict[str, Any]


_MOST = 1 << 30  # bytes of a message; a larger length is a framing error
_MOST_DIGITS = 10
_LONGEST_HEADER = 4096


def read_message(stream: IO[bytes]) -> Message | None:
    """Returns the next message. None: the end, or no header. Anything but a JSON object is skipped."""
    while True:
        body = _next_body(stream)
        if body is None:
            return None
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            continue
        if isinstance(message, dict):
            return message


def _next_body(stream: IO[bytes]) -> bytes | None:
    length = -1
    while True:
        line = stream.readline(_LONGEST_HEADER)
        if not line or len(line) == _LONGEST_HEADER:
            return None
        if not line.strip():
            break
        name, _, value = line.partition(b":")
        digits = value.strip()
        if name.strip().lower() == b"content-length" and digits.isdigit():
            length = int(digits) if len(digits) <= _MOST_DIGITS else _MOST + 1
    if not 0 <= length <= _MOST:
        return None
    body = stream.read(length)
    return body if len(body) == length else None


def write_message(stream: IO[bytes], message: Message) -> None:
    body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
    stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stream.flush()
