"""Finds functions that read arguments from their caller's stack, in code that clang generated for AVR.

They lie behind the frame, the saved registers and the return address. Y is the frame pointer then. What is
further than the 63 bytes of a displacement is read with Y moved and moved back, or through a copy of Y.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_Y = 28
_IN_Y, _OUT_Y = 0xB7CD, 0xBFCD  # the lower half of the stack pointer, to Y and back
_PROLOGUE = 9  # the most instructions that lower the stack pointer by the size of the frame
_RETURN = 2  # bytes of a return address, as clang has it on every AVR


def reads_callers(words: Sequence[int]) -> bool:
    """Returns whether a function reads beyond its frame and its return address, as clang has their sizes."""
    if _IN_Y not in words:
        return False
    begin = words.index(_IN_Y)
    size = sum(word & 0xFE0F == 0x920F for word in words[:begin])  # pushes
    body = begin
    for at in range(begin, min(begin + _PROLOGUE, len(words))):
        if words[at] == _OUT_Y:
            size -= _moves(words[begin:at], _Y)
            body = at + 1
            break
    first = size + _RETURN + 1
    return any(place >= first for place in _places(words[body:]))


def _places(words: Sequence[int]) -> Iterator[int]:
    """Yields the places that are read through Y or whose address is taken, as distances from Y."""
    moved = 0
    for at, word in enumerate(words):
        if word == _OUT_Y:  # the function ends
            moved = 0
        elif word & 0xFF0F == 0x010E:  # movw of Y
            yield moved + _moves(words[at + 1 : at + 4], word >> 3 & 0x1E)
        elif word & 0xD208 == 0x8008:  # ldd of Y with a displacement
            yield moved + ((word >> 8 & 0x20) | (word >> 7 & 0x18) | (word & 7))
        else:
            moved += _moves([word], _Y)


def _moves(words: Sequence[int], pair: int) -> int:
    """Returns by how much these instructions raise a pair of registers."""
    total = 0
    for word in words:
        small = (word >> 2 & 0x30) | (word & 0xF)
        constant = (word >> 4 & 0xF0) | (word & 0xF)
        of_pair = 24 + (word >> 3 & 6) == pair
        register = 16 + (word >> 4 & 0xF)
        if word & 0xFF00 == 0x9600 and of_pair:  # adiw
            total += small
        elif word & 0xFF00 == 0x9700 and of_pair:  # sbiw
            total -= small
        elif word & 0xF000 == 0x5000 and register == pair:  # subi
            total -= constant
        elif word & 0xF000 == 0x4000 and register == pair + 1:  # sbci
            total -= (constant ^ 0x80) - 0x80 << 8
    return total
