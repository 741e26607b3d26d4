"""Pieces of a random program: each is a function `uint32_t item<N>(uint32_t a, uint32_t b)` with what it needs.

A piece's own names end in its number, so that pieces can stand in one file or in several.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.uno.generated.values import KINDS, WORD, Kind, Values

ARGUMENTS = [("a", WORD), ("b", WORD)]
NOINLINE = "__attribute__((noinline)) "


@dataclass
class Piece:
    """declared: what stands in the header of all pieces. text: what the piece consists of. near: it is the
    sketch's, as it passes classes by value to the core's."""

    number: int
    text: str
    declared: str = ""
    near: bool = False


@dataclass
class Maker:
    """calls: functions of the header that pieces made from now on may call, as the forms of a call."""

    random: Random
    calls: list[Callable[[Values], str]] = field(default_factory=list)

    def values(self, names: list[tuple[str, Kind]] | None = None) -> Values:
        return Values(self.random, ARGUMENTS if names is None else names)

    def item(self, number: int, body: str, before: str = "", declared: str = "") -> Piece:
        """A piece whose function has this body, with a variable `h` for what it returns."""
        own = f"namespace {{\n{before}\n}}\n" if before else ""
        head = f"uint32_t item{number}(uint32_t a, uint32_t b)"
        more = ""
        if self.calls and self.random.random() < 0.5:
            call = self.random.choice(self.calls)(self.values())
            more = f"h = mix(h, (uint32_t)({call}));\n"
        text = f"{own}{head} {{\nuint32_t h = a ^ b;\n{body}\n{more}return h;\n}}\n"
        return Piece(number, text, declared)

    def linkage(self) -> str:
        return self.random.choice((NOINLINE, NOINLINE, "", "inline "))


def arithmetic(maker: Maker, n: int) -> Piece:
    values = maker.values([])
    kinds = [values.kind() for _ in range(maker.random.randrange(3, 7))]
    variables = [(f"v{place}", kind) for place, kind in enumerate(kinds)]
    lines = [
        f"{kind.name} {name} = ({kind.name})({'ab'[place % 2]} >> {place});"
        for place, (name, kind) in enumerate(variables)
    ]
    values.names = [*variables, *ARGUMENTS]
    lines += values.statements(variables, maker.random.randrange(3, 7), 2)
    lines += [f"h = mix(h, (uint32_t){name});" for name, _ in variables]
    return maker.item(n, "\n".join(lines))


def switches(maker: Maker, n: int) -> Piece:
    values = maker.values()
    kind = maker.random.choice(KINDS[:6])
    dense = maker.random.random() < 0.6
    labels = (
        range(maker.random.randrange(4, 14))
        if dense
        else sorted({maker.random.randrange(1 << min(kind.bits - 1, 31)) for _ in range(7)})
    )
    cases = []
    for label in labels:
        leave = maker.random.choice(("break;", "break;", "return h;", ""))
        mark = "UL" if kind.bits == 32 else ""
        cases.append(f"case {label}{mark}: r += {values.of(WORD, 1)}; {leave}")
    default = "default: r ^= 0x55;" if maker.random.random() < 0.7 else ""
    text = "\n".join(cases)
    chosen = f"(({kind.name})x % {len(labels) + 1})" if dense else f"({kind.name})x"
    before = (
        f"{NOINLINE}uint32_t choose{n}({kind.name} x, uint32_t a, uint32_t b) {{\n"
        f"uint32_t h = 3, r = 1;\nswitch ({chosen}) {{\n{text}\n{default}\n}}\nreturn r + h;\n}}"
    )
    picks = ", ".join(str(label) + "UL" for label in list(labels)[:6])
    body = (
        f"static const uint32_t picks[] = {{{picks}, 77}};\n"
        f"for (uint8_t i = 0; i < sizeof picks / sizeof *picks; ++i) "
        f"h = mix(h, choose{n}(({kind.name})picks[i], a, b + i));\n"
        f"h = mix(h, choose{n}(({kind.name})a, b, a));"
    )
    return maker.item(n, body, before)


def signatures(maker: Maker, n: int) -> Piece:
    """A function with many parameters of all widths, which other pieces call from elsewhere: behind the
    registers they lie on the stack."""
    values = maker.values()
    kinds = [values.kind() for _ in range(maker.random.randrange(2, 10))]
    names = [(f"p{place}", kind) for place, kind in enumerate(kinds)]
    taken: list[tuple[str, str, Callable[[Values], str]]] = [
        (f"{kind.name} {name}", f"h = mix(h, (uint32_t){name});", lambda v, k=kind: v.of(k, 1))  # type: ignore[misc]
        for name, kind in names
    ]
    others: list[tuple[str, str, Callable[[Values], str]]] = [
        ("float f", "h = mix(h, (uint32_t)(int32_t)(f * 4.0f));", lambda v: v.exact(0)),
        ("bool t", "h = mix(h, t ? 5 : 9);", lambda v: v.condition(0)),
        ("char c", "h = mix(h, (uint32_t)(int32_t)(c + 1));", lambda v: v.of(Kind(8, True), 0)),
        ("Level l", "h = mix(h, (uint32_t)l);", lambda v: f"(Level)({v.of(WORD, 0)} & 3)"),
        ("One o", "h = mix(h, (uint32_t)o.value);", lambda v: f"One{{{v.of(Kind(32, True), 0)}}}"),
        (
            "const Many& m",
            "h = mix(h, m.last + m.wide);",
            lambda v: f"Many{{1, {v.of(WORD, 0)}, 3}}",
        ),
        ("const char* s", "h = mix(h, s[0] + s[1]);", lambda v: '"xyz"'),
        (
            "Far2 call",
            "h = mix(h, call(h, 3));",
            lambda v: v.random.choice(("twice", "crossed")),
        ),
    ]
    taken += maker.random.sample(others, maker.random.randrange(5))
    maker.random.shuffle(taken)
    results: list[tuple[str, str, str]] = [
        *((kind.name, f"({kind.name})h", "{}") for kind in KINDS),
        ("bool", "(h & 1) != 0", "({} ? 11 : 12)"),
        ("float", "(float)(int16_t)h * 0.5f", "(int32_t)({} * 2.0f)"),
        ("Level", "(Level)(h & 3)", "{}"),
        ("One", "One{(int32_t)h}", "{}.value"),
        ("Two", "Two{(int16_t)h, (uint8_t)(h >> 16)}", "sum({})"),
        ("Many", "Many{(uint8_t)h, h, (int16_t)(h >> 3)}", "sum({})"),
        ("Long", "Long{{h, h + 1, h + 2}}", "sum({})"),
    ]
    result, made, shown = maker.random.choice(results)
    head = f"{result} far{n}({', '.join(each[0] for each in taken)})"
    used = "\n".join(each[1] for each in taken)

    def call(v: Values) -> str:
        return shown.format(f"far{n}({', '.join(each[2](v) for each in taken)})")

    text = f"{head} {{\nuint32_t h = {n};\n{used}\nreturn {made};\n}}\n"
    body = (
        f"{result} (*volatile pointed)({', '.join(each[0] for each in taken)}) = far{n};\n"
        f"h = mix(h, (uint32_t)({call(values).replace(f'far{n}(', 'pointed(')}));"
    )
    piece = maker.item(n, body, declared=f"{head};\n")
    piece.text = text + piece.text
    maker.calls.append(call)
    return piece


def structures(maker: Maker, n: int) -> Piece:
    values = maker.values()
    fields = [(f"f{place}", values.kind()) for place in range(maker.random.randrange(2, 7))]
    members = " ".join(f"{kind.name} {name};" for name, kind in fields)
    made = ", ".join(values.of(kind, 1) for _, kind in fields)
    one, (two, kind) = maker.random.choice(fields)[0], maker.random.choice(fields)
    inner = Values(
        maker.random, [(f"s.{name}", kind) for name, kind in fields] + [("k", Kind(16, True))]
    )
    before = (
        f"struct S{n} {{ {members} }};\nstruct Pair{n} {{ S{n} first; uint8_t tag; S{n} second; }};\n"
        f"{maker.linkage()}uint32_t take{n}(S{n} s, int16_t k) {{ s.{two} = {inner.of(kind, 2)}; "
        f"return mix((uint32_t)s.{one}, (uint32_t)s.{two}); }}\n"
        f"{maker.linkage()}S{n} give{n}(S{n} s, int16_t k) {{ s.{two} = {inner.of(kind, 1)}; return s; }}\n"
        f"{maker.linkage()}uint32_t pair{n}(Pair{n} p, const Pair{n}& q) {{ "
        f"return mix((uint32_t)p.first.{one} + p.tag, (uint32_t)q.second.{two}); }}\n"
        f"{maker.linkage()}void change{n}(S{n}* s, int16_t k) {{ S{n} t = *s; *s = give{n}(t, k); }}"
    )
    body = (
        f"S{n} s = {{{made}}};\nh = mix(h, take{n}(s, (int16_t)b));\nS{n} t = give{n}(s, (int16_t)a);\n"
        f"h = mix(h, (uint32_t)t.{one});\nPair{n} p = {{s, 9, t}};\nh = mix(h, pair{n}(p, p));\n"
        f"S{n} all[3] = {{s, t, s}};\nall[a % 3] = t;\nchange{n}(&all[b % 3], 5);\n"
        f"for (uint8_t i = 0; i < 3; ++i) h = mix(h, (uint32_t)all[i].{one} + (uint32_t)all[i].{two});\n"
        f"h = mix(h, sizeof(S{n}) * 16 + memcmp(&all[0], &all[1], sizeof s) != 0);\n"
        f"h = bytes(h, &p, sizeof p);"
    )
    return maker.item(n, body, before)


def bit_fields(maker: Maker, n: int) -> Piece:
    random, values = maker.random, maker.values()
    fields = []
    for place in range(random.randrange(3, 8)):
        bits = random.choice((8, 8, 16, 16, 32))
        kind, width = Kind(bits, random.random() < 0.4), random.randrange(1, bits + 1)
        fields.append((f"f{place}", kind, width))
    members = " ".join(f"{kind.name} {name} : {width};" for name, kind, width in fields)
    lines = []
    for _ in range(random.randrange(3, 8)):
        name, kind, _ = random.choice(fields)
        lines.append(f"s.{name} = {values.of(kind, 1)};")
        lines.append(f"h = mix(h, (uint32_t)s.{random.choice(fields)[0]});")
    for name, kind, _ in fields:
        if not kind.signed and kind.bits < 32 and random.random() < 0.5:
            lines.append(f"s.{name} {random.choice(('+=', '-=', '^=', '|='))} (uint8_t)b;")
    volatile = random.choice(("", "", "volatile "))
    body = (
        f"Bits{n} whole; memset(&whole, 0, sizeof whole);\n{volatile}Bits{n}& s = whole;\n"
        + "\n".join(lines)
        + "\nh = bytes(mix(h, sizeof whole), &whole, sizeof whole);"
    )
    return maker.item(n, body, f"struct Bits{n} {{ {members} }};")


def arrays(maker: Maker, n: int) -> Piece:
    values = maker.values()
    kind, rows, columns = values.kind(), maker.random.randrange(2, 4), maker.random.randrange(3, 7)
    values.names += [("i", Kind(8, False)), ("j", Kind(8, False))]
    size = rows * columns
    before = (
        f"{kind.name} kept{n}[{rows}][{columns}];\n"
        f"{maker.linkage()}uint32_t walk{n}(const {kind.name}* from, const {kind.name}* to, int8_t step) {{\n"
        f"uint32_t h = (uint32_t)(to - from);\nwhile (from < to) {{ h = mix(h, (uint32_t)*from); from += step; }}\n"
        f"return h;\n}}\n"
        f"{maker.linkage()}void sort{n}({kind.name}* all, uint8_t count) {{\n"
        f"for (uint8_t i = 1; i < count; ++i) {{ {kind.name} x = all[i]; uint8_t j = i;\n"
        f"while (j > 0 && all[j - 1] > x) {{ all[j] = all[j - 1]; --j; }} all[j] = x; }}\n}}"
    )
    body = (
        f"for (uint8_t i = 0; i < {rows}; ++i) for (uint8_t j = 0; j < {columns}; ++j) "
        f"kept{n}[i][j] = {values.of(kind, 2)};\n"
        f"{kind.name}* flat = &kept{n}[0][0];\nh = mix(h, walk{n}(flat, flat + {size}, 1));\n"
        f"{kind.name} copy[{size}];\nmemcpy(copy, flat, sizeof copy);\nsort{n}(copy, {size});\n"
        f"h = mix(h, walk{n}(copy, copy + {size - 1}, {maker.random.choice((1, 2, 3))}));\n"
        f"{kind.name}* middle = copy + {size // 2};\nh = mix(h, (uint32_t)middle[-1] + (uint32_t)middle[(int8_t)(a & 1)]);\n"
        f"memmove(copy + 1, copy, sizeof(copy) - sizeof *copy);\nh = bytes(h, copy, sizeof copy);"
    )
    return maker.item(n, body, before)


def lengths(maker: Maker, n: int) -> Piece:
    """Arrays whose length is computed, and calls beside them whose arguments need the stack."""
    values = maker.values()
    kind, kinds = values.kind(), [values.kind() for _ in range(maker.random.randrange(3, 7))]
    parameters = ", ".join(f"{each.name} p{place}" for place, each in enumerate(kinds))
    mixed = "".join(f"h = mix(h, (uint32_t)p{place});\n" for place in range(len(kinds)))
    before = (
        f"{NOINLINE}uint32_t taken{n}({parameters}) {{\nuint32_t h = 1;\n{mixed}return h;\n}}\n"
        f"{NOINLINE}void fill{n}({kind.name}* all, uint8_t count) {{\n"
        f"for (uint8_t i = 0; i < count; ++i) all[i] = ({kind.name})(i * 7 + count);\n}}"
    )

    def argument(each: Kind) -> str:
        chosen = maker.random.choice(("value", "either", "shifted"))
        if chosen == "either":
            return f"({each.name})(a > b ? {values.of(each, 1)} : {values.leaf(each)})"
        if chosen == "shifted":
            wide = each.wrapping
            return f"({each.name})(({wide}){values.leaf(each)} >> (b & {each.bits - 1}))"
        return values.of(each, 1)

    def call() -> str:
        return f"h = mix(h, taken{n}({', '.join(argument(each) for each in kinds)}));\n"

    of_size = maker.random.choice(
        (
            f"{kind.name} room[count]",
            f"{kind.name}* room = ({kind.name}*)__builtin_alloca(count * sizeof({kind.name}))",
        )
    )
    body = (
        f"for (uint8_t count = 1 + (a & 3); count < {maker.random.randrange(6, 12)}; count += 3) {{\n"
        f"{of_size};\nfill{n}(room, count);\n{call()}"
        f"h = bytes(h, room, count * sizeof({kind.name}));\n}}\n"
        f"uint8_t last[1 + (b & 7)];\n{call()}last[b & 7] = (uint8_t)h;\n{call()}"
        f"h = mix(h, last[b & 7]);"
    )
    return maker.item(n, body, before)


def pointed(maker: Maker, n: int) -> Piece:
    values = maker.values([("x", Kind(16, True)), ("y", WORD)])
    count = maker.random.randrange(3, 6)
    functions = "\n".join(
        f"{NOINLINE}uint32_t f{n}_{place}(int16_t x, uint32_t y) {{ return {values.of(WORD, 2)}; }}"
        for place in range(count)
    )
    listed = ", ".join(f"f{n}_{place}" for place in range(count))
    before = (
        f"{functions}\ntypedef uint32_t (*F{n})(int16_t, uint32_t);\nF{n} const far{n}[] PROGMEM = {{{listed}}};\n"
        f"F{n} near{n}[] = {{{listed}}};\nstruct Command{n} {{ char key; F{n} call; }};\n"
        f"const Command{n} commands{n}[] = {{ {', '.join(f'{{(char)({chr(39)}a{chr(39)} + {p}), f{n}_{p}}}' for p in range(count))} }};\n"
        f"{NOINLINE}uint32_t apply{n}(F{n} f, int16_t x) {{ return f ? f(x, 7) : 1; }}"
    )
    body = (
        f"for (uint8_t i = 0; i < {count}; ++i) {{\nF{n} f = (F{n})pgm_read_ptr(&far{n}[i]);\n"
        f"h = mix(h, f((int16_t)a, b));\nh = mix(h, apply{n}(near{n}[(i + b) % {count}], (int16_t)i));\n"
        f"h = mix(h, f == near{n}[i] && f == commands{n}[i].call);\n}}\n"
        f"for (const Command{n}& each : commands{n}) if (each.key == (char)('a' + a % {count})) h = mix(h, each.call(3, b));\n"
        f"h = mix(h, apply{n}(nullptr, 1));"
    )
    return maker.item(n, body, before)


def recursion(maker: Maker, n: int) -> Piece:
    values = maker.values([("x", Kind(16, False)), ("y", WORD)])
    before = (
        f"uint32_t odd{n}(uint16_t x, uint32_t y);\n"
        f"uint32_t even{n}(uint16_t x, uint32_t y) {{ if (x == 0) return y; uint32_t kept = {values.of(WORD, 1)};\n"
        f"return kept ^ odd{n}(x - 1, {values.of(WORD, 1)}); }}\n"
        f"uint32_t odd{n}(uint16_t x, uint32_t y) {{ return x == 0 ? y + 1 : even{n}(x - 1, y * 3) + x; }}\n"
        f"uint16_t ways{n}(uint8_t n, uint8_t k) {{ return k == 0 || k == n ? 1 : ways{n}(n - 1, k - 1) + ways{n}(n - 1, k); }}\n"
        f"uint64_t power{n}(uint32_t x, uint8_t k) {{ if (k == 0) return 1; uint64_t half = power{n}(x, k / 2); "
        f"return k & 1 ? half * half * x : half * half; }}"
    )
    body = (
        f"h = mix(h, even{n}((uint16_t)(a % 9), b));\nh = mix(h, ways{n}(7, (uint8_t)(b % 8)));\n"
        f"uint64_t p = power{n}(a | 3, (uint8_t)(b % 13));\nh = mix(h, (uint32_t)p ^ (uint32_t)(p >> 32));"
    )
    return maker.item(n, body, before)


def variadic(maker: Maker, n: int) -> Piece:
    values = maker.values()
    forms: list[tuple[str, str, Callable[[], str]]] = [
        ("int", "int", lambda: values.of(Kind(16, True), 1)),
        ("int", "char", lambda: f"(char)({values.of(Kind(8, True), 1)})"),
        ("unsigned", "unsigned", lambda: f"(unsigned)({values.of(Kind(16, False), 1)})"),
        ("long", "long", lambda: f"(long)({values.of(Kind(32, True), 1)})"),
        ("long long", "long long", lambda: f"(long long)({values.of(Kind(64, True), 1)})"),
        ("double", "float", lambda: values.exact(0)),
        ("const char*", "text", lambda: '"pq"'),
    ]
    chosen = [maker.random.choice(forms) for _ in range(maker.random.randrange(2, 7))]
    reads = []
    for taken, _, _ in chosen:
        read = f"va_arg(all, {taken})"
        if taken == "double":
            read = f"(int32_t)({read} * 4.0f)"
        elif taken == "const char*":
            read = f"*{read}"
        reads.append(f"h = mix(h, (uint32_t)({read}));")
    before = (
        f"uint32_t list{n}(uint8_t first, va_list all) {{\nuint32_t h = first;\n{chr(10).join(reads)}\nreturn h;\n}}\n"
        f"{NOINLINE}uint32_t many{n}(uint8_t first, ...) {{\nva_list all, again;\nva_start(all, first);\n"
        f"va_copy(again, all);\nuint32_t h = list{n}(first, all);\nh += list{n}((uint8_t)(first + 1), again);\n"
        f"va_end(again);\nva_end(all);\nreturn h;\n}}"
    )
    body = f"h = mix(h, many{n}((uint8_t)a, {', '.join(make() for _, _, make in chosen)}));"
    return maker.item(n, body, before)


def flash(maker: Maker, n: int) -> Piece:
    values = maker.values([])
    kind = maker.random.choice([each for each in KINDS if each.bits < 64])
    numbers = ", ".join(values.literal(kind) for _ in range(9))
    reader = {8: "pgm_read_byte", 16: "pgm_read_word", 32: "pgm_read_dword"}[kind.bits]
    before = (
        f"const {kind.name} table{n}[] PROGMEM = {{{numbers}}};\n"
        f"struct Row{n} {{ uint8_t key; {kind.name} value; char name[6]; }};\n"
        f'const Row{n} rows{n}[] PROGMEM = {{{{1, {values.literal(kind)}, "one"}}, {{200, {values.literal(kind)}, "three"}}}};\n'
        f'const char word{n}[] PROGMEM = "three";\nconst char* const words{n}[] PROGMEM = {{word{n}, word{n} + 1}};\n'
        f"const float half{n}[] PROGMEM = {{0.5f, -3.25f}};"
    )
    body = (
        f"for (uint8_t i = 0; i < 9; ++i) h = mix(h, (uint32_t)({kind.name}){reader}(&table{n}[(i + a) % 9]));\n"
        f"for (uint8_t i = 0; i < 2; ++i) {{\nRow{n} row;\nmemcpy_P(&row, &rows{n}[i], sizeof row);\n"
        f"h = mix(h, row.key + (uint32_t)row.value);\n"
        f"h = mix(h, strcmp_P(row.name, (const char*)pgm_read_word(&words{n}[0])) == 0);\n"
        f"h = mix(h, pgm_read_byte(&rows{n}[i].name[b & 3]));\n"
        f"h = mix(h, (uint32_t)(int32_t)(pgm_read_float(&half{n}[i]) * 8.0f));\n}}\n"
        f'h = mix(h, strlen_P(PSTR("flash {n}")) + pgm_read_byte((const char*)pgm_read_ptr(&words{n}[1])));'
    )
    return maker.item(n, body, before)


def kept(maker: Maker, n: int) -> Piece:
    """volatile, static, and what is set before main()."""
    values = maker.values()
    kind = values.kind()
    inner = Values(maker.random, [("x", kind), *ARGUMENTS])
    before = (
        f"volatile {kind.name} v{n} = {values.literal(kind)};\n{kind.name} started{n} = ({kind.name})(v{n} + 1U);\n"
        f"struct Logged{n} {{ uint32_t value; explicit Logged{n}(uint32_t x) : value(x * 3) {{ ++made; }} static uint8_t made; }};\n"
        f"uint8_t Logged{n}::made;\n"
        f"{NOINLINE}uint32_t next{n}(uint32_t a, uint32_t b) {{\nstatic {kind.name} x = {values.literal(kind)};\n"
        f"static Logged{n} logged(a);\nx = {inner.of(kind, 2)};\nlogged.value += b;\nreturn (uint32_t)x + logged.value;\n}}\n"
        f"template <typename T> T& only{n}() {{ static T one = 5; return one; }}"
    )
    body = (
        f"for (uint8_t i = 0; i < 4; ++i) h = mix(h, next{n}(a + i, b));\n"
        f"v{n} = {values.of(kind, 1)};\nv{n} = ({kind.name})(v{n} | (({kind.name})1 << {kind.bits // 2}));\n"
        f"if (v{n} & 1) v{n} = ({kind.name})(v{n} ^ 6);\n"
        f"h = mix(h, (uint32_t)v{n} + (uint32_t)started{n} + Logged{n}::made);\n"
        f"only{n}<int>() += (int)(a & 15);\nonly{n}<uint8_t>() ^= (uint8_t)b;\n"
        f"h = mix(h, (uint32_t)only{n}<int>() + only{n}<uint8_t>());"
    )
    return maker.item(n, body, before)


def unions(maker: Maker, n: int) -> Piece:
    values = maker.values()
    before = (
        f"union U{n} {{ uint32_t whole; uint16_t half[2]; uint8_t byte[4]; int32_t number; float real; "
        f"struct {{ uint8_t low : 3; uint8_t high : 5; uint16_t more; }} parts; }};\n"
        f"{maker.linkage()}uint32_t turn{n}(U{n} u) {{ uint8_t t = u.byte[0]; u.byte[0] = u.byte[3]; u.byte[3] = t; "
        f"u.parts.high += 3; return u.whole; }}"
    )
    body = (
        f"U{n} u;\nu.whole = {values.of(WORD, 2)};\nh = mix(h, u.half[a & 1] + u.byte[b & 3] + u.parts.low);\n"
        f"h = mix(h, turn{n}(u));\nu.half[1] = {values.of(Kind(16, False), 1)};\nh = mix(h, (uint32_t)u.number);\n"
        f"u.real = {values.exact()};\nif (u.real != 0.0f) h = mix(h, u.whole);"
    )
    return maker.item(n, body, before)


def floating(maker: Maker, n: int) -> Piece:
    values = maker.values()
    compared = maker.random.sample(("<", "<=", ">", ">=", "==", "!="), 4)
    before = (
        f"{maker.linkage()}float f{n}(float x, uint32_t a, uint32_t b) {{ float y = {values.exact()}; "
        f"return y < x * 0.5f ? y : -y; }}\nvolatile float zero{n} = 0.0f;"
    )
    tests = " ".join(
        f"h = h * 2 + (p {what} q); h = h * 2 + (p {what} none); h = h * 2 + !(none {what} none);"
        for what in compared
    )
    body = (
        f"float p = {maker.values().exact()}, q = f{n}(p * 0.0625f, a, b), none = zero{n} / zero{n};\n{tests}\n"
        f"h = mix(h, (uint32_t)(int32_t)(p * 16.0f));\nh = mix(h, (uint32_t)(int32_t)q);\n"
        f"h = mix(h, (uint32_t)(int64_t)(p * 256.0f));\nh = mix(h, isnan(none) + 2 * isinf(1.0f / zero{n}));\n"
        f"h = mix(h, (uint32_t)(int32_t)(floor(q) + ceil(p * 0.5f) + fabs(q)));\n"
        f"h = mix(h, (uint8_t)(p < 0 ? -p * 0.001f : p * 0.001f));\n"
        f"h = mix(h, (uint32_t)(int32_t)((float){maker.values().of(Kind(8, False), 1)} + (float)(uint16_t)b + (float)(a & 0xffff)));"
    )
    return maker.item(n, body, before)


def texts(maker: Maker, n: int) -> Piece:
    values = maker.values()
    body = (
        f"char line[48];\n"
        f'int length = snprintf(line, sizeof line, "%d %u %x|%5ld|%-6lu|%08lx|%c%s%%", {values.of(Kind(16, True), 1)}, '
        f"(unsigned){values.of(Kind(16, False), 1)}, (unsigned){values.of(Kind(16, False), 1)}, (long){values.of(Kind(32, True), 1)}, "
        f"(unsigned long){values.of(WORD, 1)}, (unsigned long){values.of(WORD, 1)}, 'x', \"end\");\n"
        f"h = mix(h, (uint32_t)length);\nfor (char* p = line; *p != 0; ++p) h = mix(h, (uint8_t)*p);\n"
        f"char* after;\nlong read = strtol(line, &after, 10);\nh = mix(h, (uint32_t)read + (uint32_t)(after - line));\n"
        f'strcpy(line, "k=12,m=-7;");\nuint8_t count = 0;\n'
        f'for (char* part = strtok(line, ",;"); part; part = strtok(nullptr, ",;")) h = mix(h, (uint32_t)atoi(part + 2) + count++);\n'
        f"ltoa((long){values.of(Kind(32, True), 1)}, line, {maker.random.choice((2, 8, 10, 16))});\n"
        f"h = mix(h, strlen(line) * 7 + line[0] + (strchr(line, '1') != nullptr));"
    )
    return maker.item(n, body)


def strings(maker: Maker, n: int) -> Piece:
    values = maker.values()
    before = (
        f"{NOINLINE}String join{n}(String left, const String& right) {{ left += ','; left += right; return left; }}\n"
        f"{NOINLINE}uint32_t sum{n}(const String& s) {{ uint32_t h = s.length(); for (unsigned i = 0; i < s.length(); ++i) "
        f"h = mix(h, (uint8_t)s[i]); return h; }}"
    )
    body = (
        f'String s = String((long){values.of(Kind(32, True), 1)}) + "-" + String({values.of(Kind(8, False), 1)} & 15, HEX);\n'
        f"h = mix(h, sum{n}(join{n}(s, String((unsigned){values.of(Kind(16, False), 1)}))));\n"
        f'String t = s;\nt.replace("1", "one");\nt.toUpperCase();\nh = mix(h, sum{n}(t) + (uint32_t)t.indexOf(\'-\'));\n'
        f"h = mix(h, (uint32_t)s.toInt() + (s == t) * 2 + (s < t) + s.startsWith(t.substring(0, 1)));\n"
        f"t = s.substring(1, 4) + F(\"flash\") + 'c' + 12;\nh = mix(h, sum{n}(t));\nString moved = static_cast<String&&>(t);\n"
        f"h = mix(h, sum{n}(moved));"
    )
    piece = maker.item(n, body, before)
    piece.near = True
    return piece
