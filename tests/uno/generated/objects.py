"""Pieces of a random program with classes, lambdas and templates (features.py)."""

from __future__ import annotations

from tests.uno.generated.features import ARGUMENTS, NOINLINE, Maker, Piece
from tests.uno.generated.values import WORD, Kind, Values

_HALF = Kind(16, True)


def members(maker: Maker, n: int) -> Piece:
    """Pointers to members of a class with two bases, virtual or not, and to data."""
    values = Values(maker.random, [("x", _HALF), ("k", WORD), ("other", WORD)])
    count = maker.random.randrange(2, 5)
    plain = "\n".join(
        f"uint32_t p{place}(int16_t x) {{ uint32_t other = k; return {values.of(WORD, 2)}; }}"
        for place in range(count)
    )
    turned = "\n".join(
        f"{'virtual ' if place % 2 else ''}uint32_t q{place}(int16_t x) {{ uint32_t other = 1; return {values.of(WORD, 1)}; }}"
        for place in range(count)
    )
    before = (
        f"struct Left{n} {{ uint32_t left; virtual uint32_t name(int16_t x) {{ return left + x; }} }};\n"
        f"struct Right{n} {{ uint32_t k; virtual uint32_t other(int16_t x) {{ return k ^ x; }} {turned} }};\n"
        f"struct Both{n} : Left{n}, Right{n} {{\nuint8_t tail;\n"
        f"uint32_t name(int16_t x) override {{ return tail * 2 + x; }}\n"
        f"uint32_t other(int16_t x) override {{ return left - x; }}\n{plain}\n}};\n"
        f"typedef uint32_t (Both{n}::*M{n})(int16_t);\n"
        f"{NOINLINE}uint32_t call{n}(Both{n}& on, M{n} m, int16_t x) {{ return m ? (on.*m)(x) : 4; }}\n"
        f"M{n} all{n}[] = {{ {', '.join(f'&Both{n}::p{p}, &Both{n}::q{p}' for p in range(count))}, &Both{n}::name, &Both{n}::other, nullptr }};"
    )
    body = (
        f"Both{n} both;\nboth.left = a;\nboth.k = b;\nboth.tail = (uint8_t)a;\n"
        f"for (uint8_t i = 0; i < sizeof all{n} / sizeof *all{n}; ++i) h = mix(h, call{n}(both, all{n}[i], (int16_t)(b + i)));\n"
        f"uint32_t (Right{n}::*base)(int16_t) = &Right{n}::other;\nRight{n}& seen = both;\nh = mix(h, (seen.*base)(3));\n"
        f"M{n} widened = base;\nh = mix(h, (both.*widened)(4) + (widened == &Both{n}::other) + 2 * (all{n}[0] == all{n}[1]));\n"
        f"uint32_t Both{n}::*data = &Both{n}::k;\nboth.*data += 7;\ndata = a & 1 ? data : &Both{n}::left;\nh = mix(h, both.*data);\n"
        f"Left{n} alone;\nalone.left = b;\nuint32_t (Left{n}::*named)(int16_t) = &Left{n}::name;\nh = mix(h, (alone.*named)(1) + (both.*named)(2));"
    )
    return maker.item(n, body, before)


def hierarchy(maker: Maker, n: int) -> Piece:
    """Virtual calls through bases, of what other pieces' files define, too."""
    values = Values(maker.random, [("own", WORD), ("x", _HALF)])
    declared = (
        f"struct Shape{n} {{ uint32_t own; explicit Shape{n}(uint32_t a) : own(a) {{}} virtual ~Shape{n}() {{}}\n"
        f"virtual uint32_t area(int16_t x); virtual uint32_t edge(int16_t x, uint64_t wide, uint8_t y) = 0;\n"
        f"virtual Shape{n}* self() {{ return this; }} uint32_t twice(int16_t x) {{ return area(x) + area((int16_t)(x + 1)); }} }};\n"
        f"struct Other{n} {{ uint16_t mark = 6; virtual ~Other{n}() {{}} virtual uint32_t edge(int16_t x, uint64_t wide, uint8_t y); "
        f"virtual bool is(char c) const {{ return c == (char)mark; }} }};\n"
        f"struct Square{n} : Shape{n}, Other{n} {{ using Shape{n}::Shape{n}; uint32_t area(int16_t x) override;\n"
        f"uint32_t edge(int16_t x, uint64_t wide, uint8_t y) override; Square{n}* self() override {{ return this; }} }};\n"
        f"uint32_t look{n}(Shape{n}& at, Other{n}* beside, int16_t x);\n"
    )
    text = (
        f"uint32_t Shape{n}::area(int16_t x) {{ return {values.of(WORD, 2)}; }}\n"
        f"uint32_t Other{n}::edge(int16_t x, uint64_t wide, uint8_t y) {{ return (uint32_t)wide + x + y + mark; }}\n"
        f"uint32_t Square{n}::area(int16_t x) {{ return Shape{n}::area((int16_t)(x ^ 5)) + {values.of(WORD, 1)}; }}\n"
        f"uint32_t Square{n}::edge(int16_t x, uint64_t wide, uint8_t y) {{ return (uint32_t)(wide >> 32) ^ (own + x + y + mark); }}\n"
        f"uint32_t look{n}(Shape{n}& at, Other{n}* beside, int16_t x) {{\n"
        f"uint32_t h = at.area(x);\nh = mix(h, at.twice(x));\nh = mix(h, at.edge(x, 0x123456789abcULL, 9));\n"
        f"h = mix(h, at.self()->area(3));\nif (beside) h = mix(h, beside->edge(x, 77, 200) + beside->is(6));\nreturn h;\n}}\n"
    )
    body = (
        f"Square{n} square(a);\nh = mix(h, look{n}(square, &square, (int16_t)b));\nsquare.mark += 2;\n"
        f"Shape{n}* made = new Square{n}(b);\nh = mix(h, look{n}(*made, a & 1 ? &square : nullptr, 4));\ndelete made;"
    )
    piece = maker.item(n, body, declared=declared)
    piece.text = text + piece.text

    def call(v: Values) -> str:
        first = f"Square{n}({v.of(WORD, 1)})"
        return f"[&] {{ Square{n} s = {first}; return look{n}(s, &s, {v.of(_HALF, 1)}); }}()"

    maker.calls.append(call)
    return piece


def virtual_bases(maker: Maker, n: int) -> Piece:
    """One base in common, and the order in which parts are made and destroyed."""
    del maker
    before = (
        f"uint32_t log{n};\nstruct Top{n} {{ uint8_t id; explicit Top{n}(uint8_t i) : id(i) {{ log{n} = mix(log{n}, id); }} "
        f"virtual ~Top{n}() {{ log{n} = mix(log{n}, named()); }} virtual uint8_t named() {{ return id; }} }};\n"
        f"struct First{n} : virtual Top{n} {{ uint16_t x; explicit First{n}(uint16_t v) : Top{n}(1), x(v) {{ log{n} = mix(log{n}, named()); }} "
        f"~First{n}() {{ log{n} = mix(log{n}, x); }} uint8_t named() override {{ return (uint8_t)(x + 1); }} }};\n"
        f"struct Second{n} : virtual Top{n} {{ uint32_t y; explicit Second{n}(uint32_t v) : Top{n}(2), y(v) {{}} "
        f"~Second{n}() {{ log{n} = mix(log{n}, y); }} virtual uint32_t sum() {{ return y + id; }} }};\n"
        f"struct Third{n} : First{n}, Second{n} {{ Top{n} part; Third{n}(uint16_t v, uint32_t w) : Top{n}(3), First{n}(v), Second{n}(w), part(9) {{}} "
        f"uint32_t sum() override {{ return Second{n}::sum() + x + named(); }} }};\n"
        f"{NOINLINE}uint32_t ask{n}(Second{n}& b, Top{n}* t) {{ return b.sum() * 5 + t->named() + t->id; }}"
    )
    head = f"uint32_t item{n}(uint32_t a, uint32_t b)"
    return Piece(
        n,
        f"namespace {{\n{before}\n}}\n{head} {{\nlog{n} = a;\nuint32_t h = b;\n"
        f"{{ Third{n} c((uint16_t)a, b); h = mix(h, ask{n}(c, &c)); Second{n} alone(b); h = mix(h, ask{n}(alone, &alone)); }}\n"
        f"{{ First{n}* all[2] = {{new First{n}(4), new Third{n}(5, 6)}}; for (First{n}* each : all) {{ h = mix(h, each->named()); delete each; }} }}\n"
        f"return mix(h, log{n});\n}}\n",
    )


def lambdas(maker: Maker, n: int) -> Piece:
    values = maker.values()
    inner = Values(maker.random, [("x", _HALF), ("k", WORD), *ARGUMENTS])
    before = (
        f"template <typename F> {NOINLINE}uint32_t each{n}(uint8_t count, F f) {{ uint32_t h = 0; "
        f"for (uint8_t i = 0; i < count; ++i) h = mix(h, f((int16_t)i)); return h; }}\n"
        f"{NOINLINE}uint32_t plain{n}(uint32_t (*f)(int16_t), int16_t x) {{ return f(x) + 1; }}"
    )
    body = (
        f"uint32_t k = {values.of(WORD, 1)}, turns = 0;\n"
        f"h = mix(h, each{n}(5, [&](int16_t x) {{ turns += k; return {inner.of(WORD, 2)}; }}) + turns);\n"
        f"auto counted = [k, a](int16_t x) mutable {{ k += a; return k ^ x; }};\n"
        f"h = mix(h, counted(3));\nh = mix(h, each{n}(4, counted) + counted(1));\n"
        f"h = mix(h, plain{n}([](int16_t x) -> uint32_t {{ return (uint32_t)x * 1000UL + 3; }}, (int16_t)a));\n"
        f"auto any = [](auto x, auto y) {{ return x + y; }};\nh = mix(h, any(k, (uint8_t)b) + any((uint8_t)200, 'a'));\n"
        f"auto outer = [&](uint8_t d) {{ auto own = [&, d] {{ return h + d; }}; return own() * 3; }};\nh = mix(h, outer((uint8_t)b));"
    )
    return maker.item(n, body, before)


def templates(maker: Maker, n: int) -> Piece:
    values = Values(maker.random, [("x", WORD), ("total", WORD)])
    size = maker.random.randrange(3, 7)
    before = (
        f"template <typename T, uint8_t N> class Ring{n} {{ T all[N]; uint8_t at = 0, used = 0; public:\n"
        f"bool push(const T& t) {{ bool full = used == N; all[at] = t; at = (uint8_t)((at + 1) % N); if (!full) ++used; return !full; }}\n"
        f"T get(uint8_t back) const {{ return all[(uint8_t)(at + N - 1 - back) % N]; }} uint8_t count() const {{ return used; }}\n"
        f"template <typename F> uint32_t fold(F f) const {{ uint32_t total = 1; for (uint8_t i = 0; i < used; ++i) total = f(total, get(i)); return total; }} }};\n"
        f"template <uint8_t K> struct Fib{n} {{ static constexpr uint32_t value = Fib{n}<K - 1>::value + Fib{n}<K - 2>::value; }};\n"
        f"template <> struct Fib{n}<1> {{ static constexpr uint32_t value = 1; }};\ntemplate <> struct Fib{n}<0> {{ static constexpr uint32_t value = 0; }};\n"
        f"inline uint32_t sum{n}() {{ return 0; }}\n"
        f"template <typename T, typename... R> {NOINLINE}uint32_t sum{n}(T first, R... rest) {{ return (uint32_t)first * 3 + sum{n}(rest...); }}\n"
        f"template <typename D> struct Base{n} {{ uint32_t twice(uint32_t x) {{ return static_cast<D*>(this)->once(x) * 2; }} }};\n"
        f"struct Own{n} : Base{n}<Own{n}> {{ uint8_t k; uint32_t once(uint32_t x) {{ return x + k; }} }};\n"
        f"template <typename T> T most{n}(T x, T y) {{ return x < y ? y : x; }}\n"
        f"struct Vec{n} {{ int16_t x, y; Vec{n} operator+(const Vec{n}& o) const {{ return {{(int16_t)((uint16_t)x + (uint16_t)o.x), (int16_t)(y ^ o.y)}}; }}\n"
        f"bool operator==(const Vec{n}& o) const {{ return x == o.x && y == o.y; }} Vec{n}& operator-=(int16_t k) {{ x &= k; return *this; }} }};"
    )
    kind = values.kind()
    plain = maker.values()
    body = (
        f"Ring{n}<{kind.name}, {size}> ring;\nfor (uint8_t i = 0; i < {size + 2}; ++i) h = mix(h, ring.push(({kind.name})(a + i * b)));\n"
        f"h = mix(h, ring.fold([](uint32_t total, {kind.name} y) {{ uint32_t x = (uint32_t)y; return {values.of(WORD, 1)}; }}));\n"
        f"Ring{n}<Vec{n}, 2> vectors;\nVec{n} v = {{(int16_t)a, (int16_t)b}};\nvectors.push(v + v);\nvectors.push(v -= 0xff);\n"
        f"h = mix(h, (uint32_t)vectors.get(0).x + (uint32_t)vectors.get(1).y + (vectors.get(0) == v));\n"
        f"h = mix(h, Fib{n}<20>::value + sum{n}({plain.of(Kind(8, True), 1)}, {plain.of(WORD, 1)}, {plain.of(Kind(64, True), 1)}, 'c', {plain.of(_HALF, 0)}));\n"
        f"Own{n} own;\nown.k = (uint8_t)b;\nh = mix(h, own.twice(a) + (uint32_t)most{n}<int16_t>((int16_t)a, (int16_t)b) + most{n}(a, b));"
    )
    return maker.item(n, body, before)


def lifetimes(maker: Maker, n: int) -> Piece:
    """Copies, moves and destructions of what is passed by value and returned."""
    values = maker.values()
    before = (
        f"uint32_t log{n};\nstruct Kept{n} {{ uint16_t id; uint8_t more[3]; explicit Kept{n}(uint16_t i) : id(i), more{{1, 2, (uint8_t)i}} {{ log{n} += 1; }}\n"
        f"Kept{n}(const Kept{n}& o) : id((uint16_t)(o.id + 1)), more{{o.more[2], 4, 5}} {{ log{n} += 0x10; }}\n"
        f"Kept{n}(Kept{n}&& o) : id(o.id), more{{o.more[0], o.more[1], 7}} {{ o.id = 0; log{n} += 0x1000000; }}\n"
        f"Kept{n}& operator=(const Kept{n}& o) {{ id = o.id; log{n} += 0x400; return *this; }} ~Kept{n}() {{ log{n} += 0x10000; }} }};\n"
        f"{NOINLINE}Kept{n} pass{n}(Kept{n} one, uint8_t by) {{ one.id = (uint16_t)(one.id + by); return one; }}\n"
        f"{NOINLINE}uint32_t two{n}(Kept{n} one, uint32_t k, Kept{n} other) {{ return one.id * k + other.more[2] + other.id; }}\n"
        f"struct Holder{n} {{ Kept{n} a, b; Holder{n}() : a(3), b(a) {{}} }};"
    )
    body = (
        f"log{n} = 0;\n{{\nKept{n} first((uint16_t)a), second((uint16_t)b);\nsecond = pass{n}(first, (uint8_t)a);\n"
        f"h = mix(h, two{n}(second, {values.of(WORD, 1)}, first));\nh = mix(h, two{n}(Kept{n}(9), 3, static_cast<Kept{n}&&>(first)));\n"
        f"Holder{n} holder, copied = holder;\nh = mix(h, copied.b.id + first.id);\nKept{n}* many = new Kept{n}(8);\nh = mix(h, many->more[2]);\ndelete many;\n"
        f"if (a & 1) {{ Kept{n} inner(second); h = mix(h, inner.id); }}\n}}\nh = mix(h, log{n});"
    )
    return maker.item(n, body, before)
