"""An interruption is known as one wherever it was raised: also inside a lock of the library, whose complaint
of being half taken comes instead of it."""

from __future__ import annotations

import threading

from hocket.output import is_interruption


def complaint_of_a_lock() -> Exception:
    lock = threading.Lock()
    try:
        with lock:
            lock.release()
            raise KeyboardInterrupt
    except RuntimeError as problem:  # raised by leaving the block: the lock is not held
        return problem


def test_a_lock_complains_instead() -> None:
    assert is_interruption(complaint_of_a_lock())
    assert is_interruption(KeyboardInterrupt())


def test_other_complaints_are_none() -> None:
    assert not is_interruption(None)
    try:
        raise KeyError("a")
    except KeyError as problem:
        assert not is_interruption(problem)
