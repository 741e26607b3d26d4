"""Random expressions and statements whose values the language defines, the same on all compilers for AVR.

Signed sums are made in an unsigned type or of halves, shifts are within the width, and no divisor is 0 or -1.
Floating values are such that each result is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Kind:
    """A type of integers. wrapping: an unsigned one as wide, and no narrower than int."""

    bits: int
    signed: bool

    @property
    def name(self) -> str:
        return f"{'' if self.signed else 'u'}int{self.bits}_t"

    @property
    def wrapping(self) -> str:
        return f"uint{max(self.bits, 16)}_t"

    @property
    def signed_name(self) -> str:
        return f"int{self.bits}_t"


KINDS = [Kind(bits, signed) for bits in (8, 16, 32, 64) for signed in (False, True)]
WORD = Kind(32, False)
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
Names = Sequence[tuple[str, Kind]]


class Values:
    """names: variables that may be read."""

    def __init__(self, random: Random, names: Names) -> None:
        self.random = random
        self.names = list(names)

    def kind(self) -> Kind:
        """64 bits cost most of the flash, so they are rarer."""
        return self.random.choices(KINDS, (4, 4, 5, 5, 4, 4, 1, 1))[0]

    def literal(self, kind: Kind) -> str:
        top = 1 << kind.bits
        chosen = self.random.choice(
            [
                self.random.randrange(5),
                top - 1 - self.random.randrange(3),
                (top >> 1) + self.random.randrange(-1, 2),
                1 << self.random.randrange(kind.bits),
                self.random.randrange(top),
                self.random.randrange(100),
            ]
        )
        suffix = "ULL" if kind.bits == 64 else "UL" if kind.bits == 32 else "U"
        return f"({kind.name}){chosen % top:#x}{suffix}"

    def leaf(self, kind: Kind) -> str:
        if self.names and self.random.random() < 0.75:
            name, own = self.random.choice(self.names)
            return name if own == kind else f"({kind.name}){name}"
        return self.literal(kind)

    def of(self, kind: Kind, depth: int = 2) -> str:
        """An expression of this type."""
        if depth == 0 or self.random.random() < 0.1:
            return self.leaf(kind)
        made = self.random.choices(
            (
                self._wrapping,
                self._of_halves,
                self._divided,
                self._shifted,
                self._chosen,
                self._converted,
                self._built_in,
            ),
            (5, 2, 1.5, 4, 3, 2, 0.7),
        )[0]
        return f"({kind.name})({made(kind, depth - 1)})"

    def _wrapping(self, kind: Kind, depth: int) -> str:
        operator = self.random.choice("+-*&|^+-&^")
        if self.random.random() < 0.15:
            return f"{self.random.choice('~-')}({kind.wrapping}){self.of(kind, depth)}"
        left, right = self.of(kind, depth), self.of(kind, depth)
        return f"({kind.wrapping}){left} {operator} ({kind.wrapping}){right}"

    def _of_halves(self, kind: Kind, depth: int) -> str:
        """What fits without wrapping: a sum or product of numbers half as wide."""
        wide, half = (max(kind.bits, 16), max(kind.bits, 16) // 2)
        operator = self.random.choice("+-*")
        small = Kind(half, self.random.random() < 0.7)
        other = small if not small.signed else Kind(half, True)
        sign = "" if small.signed else "u"
        cast = f"({sign}int{wide}_t)"
        return f"{cast}{self.of(small, depth)} {operator} {cast}{self.of(other, depth)}"

    def _divided(self, kind: Kind, depth: int) -> str:
        operator, what = self.random.choice("/%"), self.of(kind, depth)
        if not kind.signed:
            return f"{what} {operator} ({kind.name})({self.of(kind, depth)} | 1)"
        if self.random.random() < 0.4:
            by = self.random.choice([2, 3, 5, 7, 10, 16, 60, 100, -2, -3, -10])
            return f"{what} {operator} {by}"
        positive = f"(({self.of(kind, depth)} & ({kind.name})~(1ULL << {kind.bits - 1})) | 1)"
        if self.random.random() < 0.5:
            return f"{what} {operator} ({kind.name})({positive})"
        return f"{what} {operator} ({kind.name})(-{positive} - 1)"

    def _shifted(self, kind: Kind, depth: int) -> str:
        what = self.of(kind, depth)
        by = str(self.random.randrange(kind.bits))
        if self.random.random() < 0.35:
            by = f"({self.of(Kind(8, False), depth)} & {kind.bits - 1})"
        way = self.random.random()
        if way < 0.4:
            return f"({kind.wrapping}){what} << {by}"
        if way < 0.85:
            return f"{what} >> {by}"
        n, name = self.random.randrange(1, kind.bits), f"uint{kind.bits}_t"
        name_of = self.random.choice(self.names)[0] if self.names else self.literal(kind)
        turned = f"({name}){name_of}"
        return f"({name})(({kind.wrapping}){turned} << {n}) | ({name})({turned} >> {kind.bits - n})"

    def condition(self, depth: int) -> str:
        if depth > 0 and self.random.random() < 0.3:
            joined = self.random.choice(("&&", "||"))
            return f"({self.condition(depth - 1)} {joined} {self.condition(depth - 1)})"
        left = self.kind()
        right = left if self.random.random() < 0.6 else self.kind()
        if self.random.random() < 0.25:
            bit = self.random.randrange(left.bits)
            return f"(({self.of(left, depth)} & ({left.name})(1ULL << {bit})) != 0)"
        compared = self.random.choice(_COMPARISONS)
        return f"({self.of(left, depth)} {compared} {self.of(right, depth)})"

    def _chosen(self, kind: Kind, depth: int) -> str:
        return f"{self.condition(depth)} ? {self.of(kind, depth)} : {self.of(kind, depth)}"

    def _converted(self, kind: Kind, depth: int) -> str:
        del kind
        return self.of(self.kind(), depth)

    def _built_in(self, kind: Kind, depth: int) -> str:
        del kind
        word = self.of(WORD, depth)
        return self.random.choice(
            [
                f"__builtin_popcountl({word})",
                f"__builtin_ctzl({word} | 0x80000000UL)",
                f"__builtin_clzl({word} | 1)",
                f"__builtin_parityl({word})",
                f"__builtin_bswap32({word})",
            ]
        )

    def exact(self, depth: int = 1) -> str:
        """A float: its value and those on the way are exact, and less than 2 to the 27th."""
        whole = f"(float)(int16_t)({self.of(Kind(16, True), 1)} % 1000)"
        scaled = f"{whole} * {self.random.choice(('0.25f', '0.5f', '1.0f', '2.0f', '4.0f'))}"
        if depth == 0 or self.random.random() < 0.3:
            return f"({scaled})"
        return f"({self.exact(0)} {self.random.choice('+-*')} {self.exact(0)})"

    def statements(self, variables: Names, count: int, nested: int = 1) -> list[str]:
        """Statements that change the variables. Loops end: they count a variable of their own."""
        lines: list[str] = []
        for number in range(count):
            name, kind = self.random.choice(list(variables))
            way = self.random.random()
            if nested == 0 or way < 0.55:
                lines.append(self._assignment(name, kind))
                continue
            inner = "\n".join(self.statements(variables, self.random.randrange(1, 4), nested - 1))
            counter, turns = f"i{nested}_{number}", self.random.randrange(2, 9)
            if way < 0.7:
                lines.append(f"if {self.condition(1)} {{\n{inner}\n}}")
                if self.random.random() < 0.5:
                    lines[-1] += f" else {{\n{self._assignment(name, kind)}\n}}"
            elif way < 0.85:
                tag = self.random.choice(("uint8_t", "int8_t", "int", "long", "uint32_t"))
                leave = f"if {self.condition(0)} {self.random.choice(('break', 'continue'))};\n"
                head = f"for ({tag} {counter} = {turns}; {counter} > 0; --{counter})"
                lines.append(f"{head} {{\n{leave if self.random.random() < 0.4 else ''}{inner}\n}}")
            else:
                head = f"uint8_t {counter} = {turns};\ndo"
                lines.append(f"{{\n{head} {{\n{inner}\n}} while (--{counter} != 0);\n}}")
        return lines

    def _assignment(self, name: str, kind: Kind) -> str:
        way = self.random.random()
        if way < 0.15:
            return f"{name} {self.random.choice('&|^')}= {self.of(kind, 1)};"
        if way < 0.3 and not kind.signed:
            # (a product of two uint8_t is an int, which it may exceed)
            return f"{name} {self.random.choice('+-' if kind.bits == 8 else '+-*')}= {self.of(kind, 1)};"
        if way < 0.4 and not kind.signed:
            return f"{self.random.choice(('++', '--'))}{name};"
        if way < 0.5 and not kind.signed:
            return f"{name} {self.random.choice(('<<', '>>'))}= {self.random.randrange(kind.bits)};"
        return f"{name} = {self.of(kind, 2)};"
