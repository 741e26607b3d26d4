"""A name of Hocket's that a sketch uses without its header: which one to include."""

from __future__ import annotations

import pytest

from hocket.builder.own_headers import of_own_header

UNKNOWN = [  # of clang, of avr-gcc
    "unknown type name '{}'",
    "use of undeclared identifier '{}'",
    "'{}' does not name a type",
    "'{}' was not declared in this scope",
]


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("Semaphore", "TimeServices.h"),
        ("Alarm", "TimeServices.h"),
        ("Chronometer", "TimeServices.h"),
        ("Thread", "TimeServices.h"),
        ("Channel", "hocket/Channel.h"),
    ],
)
@pytest.mark.parametrize("said", UNKNOWN)
def test_the_header_that_declares_a_name(said: str, name: str, header: str) -> None:
    told = of_own_header(said.format(name))
    assert told is not None
    assert told.cause == f"{name} is declared in <{header}>"
    assert told.next_step == f"write #include <{header}> at the top"


@pytest.mark.parametrize("said", [*UNKNOWN, "expected ';' after '{}'"])
def test_other_names_are_no_names_of_ours(said: str) -> None:
    for name in ("Semaphor", "SemaphoreHandle_t", "pulses", "T", "sizeof"):
        assert of_own_header(said.format(name)) is None
    assert of_own_header("expected ';' after 'Semaphore'") is None
