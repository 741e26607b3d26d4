"""What linkers say, in plain words; what takes the room, from a linker's map."""

from __future__ import annotations

import pytest

from hocket.builder.linking import link_error
from hocket.builder.origins import origin_of
from hocket.builder.room import read_map


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            "/b/obj/x.ino.o: In function `setup':\n/tmp/x/x.ino:2: undefined reference to `other()'\n",
            "hocket: /tmp/x/x.ino:2: the sketch does not link: other() is used but defined nowhere",
        ),
        (
            "ld.lld: error: undefined symbol: other(int)\n>>> referenced by x.ino:7 (/tmp/x/x.ino:7)\n",
            "hocket: /tmp/x/x.ino:7: the sketch does not link: other(int) is used but defined nowhere",
        ),
        (
            "".join(f"x.o: undefined reference to `f{i}'\n" for i in range(7)),
            "hocket: the sketch does not link: f0, f1, f2, f3, f4 and 2 more are used but defined nowhere",
        ),
        (
            "/u/libhocket_uno_core.a(tone.cpp.obj): In function `__vector_7':\n"
            "/h/tone.cpp:82: multiple definition of `__vector_7'\n"
            "/b/obj/libraries/IRremote/IRremote.cpp.o:/l/IRremote.cpp:3: first defined here\n",
            "hocket: the sketch does not link: the interrupt TIMER2_COMPA is wanted twice\n"
            "  cause: it can have one handler: the library IRremote and tone() each have one",
        ),
        (
            "/b/obj/sketch/two.cpp.o: In function `f()':\n"
            "/s/two.cpp:1: multiple definition of `f()'\n"
            "/b/obj/x.ino.o:/s/x.ino:1: first defined here\n",
            "hocket: the sketch does not link: f() is defined twice\n  cause: both times by the sketch",
        ),
        (
            "ld.lld: error: duplicate symbol: f(int)\n"
            ">>> defined at one.cpp:1 (/s/one.cpp:1)\n"
            ">>>            /b/obj/x.ino.o:(f(int))\n"
            ">>> defined at Foo.cpp:1\n"
            ">>>            /b/obj/libraries/Foo/Foo.cpp.o:(.text+0x0)\n"
            "clang++: error: linker command failed with exit code 1\n",
            "hocket: the sketch does not link: f(int) is defined twice\n"
            "  cause: by the library Foo and by the sketch",
        ),
        (
            "ld.lld: error: duplicate symbol: tone\n"
            ">>> defined at /b/obj/sketch/two.cpp.o:(tone)\n"
            ">>> defined at tone.cpp.o:(.text+0x10) in archive /b/libhocket_sim_core.a\n\n"
            "ld.lld: error: undefined symbol: other(int)\n",
            "hocket: the sketch does not link: other(int) is used but defined nowhere",
        ),
        (
            "ld.lld: error: duplicate symbol: tone\n"
            ">>> defined at /b/obj/sketch/two.cpp.o:(tone)\n"
            ">>> defined at tone.cpp.o:(.text+0x10) in archive /b/libhocket_sim_core.a\n\n",
            "hocket: the sketch does not link: tone is defined twice\n"
            "  cause: by the sketch and by tone()",
        ),
        (
            "avr/bin/ld: x section `.bss' is not within region `data'\n",
            "hocket: the sketch needs far more RAM than the board has",
        ),
        (
            "ld.lld: error: hocket: too big | because | do less\n",
            "hocket: too big\n  cause: because\n  next:  do less",
        ),
        ("something new\n", "hocket: the sketch does not link"),
    ],
)
def test_plain_words(said: str, text: str) -> None:
    assert str(link_error(said)).startswith(text)


@pytest.mark.parametrize(
    ("file", "whose"),
    [
        ("/b/sketches/x-1/obj/x.ino.o", "the sketch"),
        ("/b/sketches/x-1/obj/sketch/a/b.cpp.o", "the sketch"),
        ("/b/sketches/x-1/obj/libraries/Wire/utility/twi.c.o", "the library Wire"),
        ("/b/uno/libhocket_uno_core.a(tone.cpp.obj)", "tone()"),
        ("/b/uno/libhocket_uno_core.a(clock.S.obj)", "the clock: millis(), delay()"),
        ("/b/uno/libhocket_uno_core.a(IPAddress.cpp.obj)", "Hocket's Arduino language"),
        ("/usr/lib/gcc/avr/5.4.0/avr5/libgcc.a(_mulsi3.o)", "the C library (arithmetic, text)"),
        ("/usr/lib/avr/lib/avr5/crtatmega328p.o", "start-up code"),
    ],
)
def test_origins(file: str, whose: str) -> None:
    assert origin_of(file) == whose


MAP = """
Discarded input sections

 .text.unused   0x0000000000000000      0x100 /b/obj/x.ino.o

Linker script and memory map

.text           0x0000000000000000      0x120
 .vectors       0x0000000000000000       0x68 /usr/lib/avr/lib/avr5/crtatmega328p.o
 .text.a_name_that_is_too_long_for_its_column
                0x0000000000000068       0x40 /b/obj/x.ino.o
 *fill*         0x00000000000000a8        0x8
 .text.tone     0x00000000000000b0       0x70 /b/libhocket_uno_core.a(tone.cpp.obj)

.data           0x0000000000800100        0x6 load address 0x0000000000000120
 .data.x        0x0000000000800100        0x6 /b/obj/x.ino.o

.bss            0x0000000000800106       0x0a
 .bss.y         0x0000000000800106        0xa /b/obj/libraries/Wire/Wire.cpp.o

.debug_info     0x0000000000000000     0x1000
 .debug_info    0x0000000000000000     0x1000 /b/obj/x.ino.o
"""


def test_a_map_is_read() -> None:
    taken = read_map(MAP)
    assert taken.flash == {"start-up code": 0x68, "the sketch": 0x46, "tone()": 0x70}
    assert taken.ram == {"the sketch": 6, "the library Wire": 10}
    assert taken.ram_in_all == 16
