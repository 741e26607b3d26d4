"""Random functions for the analysis of execution times: nested loops of every kind, branches, arithmetic of
all widths, arrays, calls. Every loop ends, and the compiler can see that it does."""

from __future__ import annotations

import random

_TYPES = ("uint8_t", "int8_t", "uint16_t", "int16_t", "uint32_t", "int32_t")
_OPERATORS = ("+", "-", "*", "&", "|", "^")


class _Maker:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = 0
        self.variables: list[str] = []
        self.counters: list[str] = []

    def name(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def value(self, depth: int = 0) -> str:
        pick = self.random.randrange(8)
        if pick == 0:
            return str(self.random.choice((0, 1, 3, 7, 100, 255, 1000)))
        if pick == 1:
            return f"in[{self.random.randrange(16)}]"
        if pick == 2 and self.counters:
            return f"in[{self.random.choice(self.counters)} & 15]"
        if pick == 3 and self.counters:
            return self.random.choice(self.counters)
        if pick < 6 and depth < 3:
            operator = self.random.choice(_OPERATORS)
            return f"({self.value(depth + 1)} {operator} {self.value(depth + 1)})"
        if pick == 6 and depth < 2:
            return f"({self.value(depth + 1)} / ({self.value(2)} | 1))"
        return self.random.choice(self.variables)

    def condition(self) -> str:
        return f"{self.value(1)} {self.random.choice(('<', '>', '==', '!=', '<='))} {self.value(1)}"

    def statements(self, depth: int) -> str:
        return "".join(self.statement(depth) for _ in range(self.random.randint(1, 3)))

    def statement(self, depth: int) -> str:
        pick = self.random.randrange(10)
        if pick < 4 or depth >= 3:
            return f"{self.random.choice(self.variables)} = {self.value()};\n"
        if pick < 6:
            rest = f" else {{ {self.statements(depth + 1)} }}" if self.random.random() < 0.5 else ""
            return f"if ({self.condition()}) {{ {self.statements(depth + 1)} }}{rest}\n"
        if pick == 6:
            return f"a[{self.value(2)} & 7] = {self.value(1)};\n"
        return self.loop(depth)

    def loop(self, depth: int) -> str:
        counter, most = self.name(), self.random.choice((1, 2, 3, 5, 8, 13))
        limit = str(most)
        if self.counters and self.random.random() < 0.3:
            limit = f"{most} - {self.random.choice(self.counters)}"  # a triangle, or nothing
        elif self.random.random() < 0.25:
            limit = f"({self.value(2)} & 7)"
        self.counters.append(counter)
        body = self.statements(depth + 1)
        leave = f"if ({self.condition()}) break;\n" if self.random.random() < 0.25 else ""
        self.counters.pop()
        kind = self.random.choice(("uint8_t", "int", "int8_t"))
        head = f"for ({kind} {counter} = 0; (int)({counter}) < (int)({limit}); {counter}++)"
        return f"{head} {{\n{body}{leave}}}\n"

    def source(self) -> str:
        text = "#include <stdint.h>\n"
        self.variables = ["x", "y"]
        helper = self.statements(1)
        text += (
            "__attribute__((noinline)) static uint16_t helper(uint8_t x, uint16_t y, const uint8_t *in) {\n"
            f"  uint8_t a[8] = {{0}};\n{helper}  return x + y + a[3];\n}}\n"
        )
        self.variables = []
        declared = ""
        for _ in range(self.random.randint(2, 4)):
            name = self.name()
            declared += (
                f"  {self.random.choice(_TYPES)} {name} = in[{self.random.randrange(16)}];\n"
            )
            self.variables.append(name)
        body = self.statements(0) + self.statements(0)
        first = self.variables[0]
        body += f"  {first} += helper({self.value(2)}, {self.value(2)}, in);\n"
        total = " + ".join(self.variables)
        return (
            f'{text}extern "C" __attribute__((noinline)) uint16_t measured(const uint8_t *in) {{\n'
            f"  uint8_t a[8] = {{1}};\n{declared}{body}  return {total} + a[2];\n}}\n"
        )


def program(seed: int) -> str:
    """Returns the source of a random program."""
    return _Maker(seed).source()
