"""Mistakes of a scenario that are reported together, and words for types of parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocket.scenario.document import document_of
from hocket.scenario.structure import _SYNONYMS, check, schema


def told(text: str) -> list[tuple[int | None, str]]:
    shape = check(document_of(Path("s.yaml"), text))
    return sorted((each.line, each.fact) for each in shape.problems)


def test_a_misspelt_key_hides_no_other_mistake() -> None:
    text = "part:\n  a: {type: lde, pin: 3}\n  b: {type: led, pni: 3}\ncors: 2\nfro: 1 s\n"
    assert told(text) == [
        (1, "the scenario has no key part: did you mean parts?"),
        (2, "there is no part type lde: did you mean led?"),
        (3, "b has no key pni: did you mean pin?"),
        (4, "the scenario has no key cors: did you mean cores?"),
        (5, "the scenario has no key fro: did you mean for?"),
    ]
    assert told("part:\n  a: {type: led, pin: 3}\n") == [
        (1, "the scenario has no key part: did you mean parts?")
    ]


@pytest.mark.parametrize(
    ("word", "type_"),
    [("lamp", "led"), ("Switch", "button"), ("ultrasonic", "hcsr04"), ("pot", "potentiometer")],
)
def test_a_usual_word_for_a_part_leads_to_its_type(word: str, type_: str) -> None:
    (mistake,) = told(f"parts:\n  a: {{type: {word}, pin: 3}}\n")
    assert mistake[1] == f"there is no part type {word}: did you mean {type_}?"


def test_the_words_lead_to_types_that_there_are() -> None:
    text = str(schema())
    assert all(f"'{each}'" in text for each in _SYNONYMS.values())
    assert not any(f"'const': '{word}'" in text for word in _SYNONYMS)
