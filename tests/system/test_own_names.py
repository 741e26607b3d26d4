"""A sketch gives names of the C library to things of its own, as it may on an Arduino, and runs as with
any others, on every board."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.campaign import long_form, one_in

Run = Callable[..., tuple[int, str, dict[str, object]]]

# Which the headers that every sketch sees do not declare to it (arduino/api/c_library.h).
HIDDEN = (
    "index y1 y0 j0 j1 jn yn select remove rename gamma tmpfile tmpnam basename rindex getline dprintf "
    "significand signgam drem finite scalb setkey mktemp gcvt ecvt"
)
# Which only the linker knows.
LINKED = (
    "read write open close time link pipe signal sleep clock poll send bind stat mmap munmap ioctl dup kill "
    "alarm access sync nice fork raise getpid sigaction nanosleep clock_gettime sched_yield lseek isatty"
)
NAMES = f"{HIDDEN} {LINKED}".split()
SKETCH = (
    "".join(f"long {name} = {number};\n" for number, name in enumerate(NAMES))
    + 'void setup() {\n  Serial.begin(115200);\n  char text[20];\n  String letters("abc");\n'
    + '  letters.remove(1);\n  snprintf(text, sizeof text, "%d", 7);\n  long sum = 0;\n'
    + "".join(f"  {name} += 1;\n  sum += {name};\n" for name in NAMES)
    + "  Serial.println(sum);\n  Serial.println(text);\n  Serial.println(letters);\n}\n"
    + "void loop() { delay(10); }\n"
)
SAID = f"{sum(range(len(NAMES))) + len(NAMES)}\r\n7\r\na\r\n"


@one_in(4)
@pytest.mark.parametrize("board", ["sim", "virt", "uno"])
def test_names_of_the_c_library_are_free(run: Run, board: str) -> None:
    status, said, _ = run("own-names", 0.1, SKETCH, board=board)
    assert status == 0
    assert said.replace("\r", "") == SAID.replace("\r", "")


def test_functions_with_names_of_c_are_the_sketchs(run: Run) -> None:
    text = (
        'extern "C" int read() { return 41; }\nint write = 1;\n'
        "void setup() { Serial.begin(115200); Serial.println(read() + write); }\nvoid loop() {}\n"
    )
    assert run("own-functions", 0.1, text)[:2] == (0, "42\r\n")


CPP = "#include <string>\n#include <vector>\n#include <algorithm>\n#include <cstdio>\n"


@long_form
def test_the_c_plus_plus_library_is_there_as_ever(run: Run) -> None:
    text = CPP + (
        "void setup() {\n  Serial.begin(115200);\n  std::vector<int> all{1, 2, 3};\n"
        "  all.erase(std::remove(all.begin(), all.end(), 2), all.end());\n  char text[20];\n"
        '  std::snprintf(text, sizeof text, "%d", int(all.size()));\n'
        "  Serial.println((std::to_string(5) + text).c_str());\n}\nvoid loop() {}\n"
    )
    assert run("own-library", 0.1, text)[:2] == (0, "52\r\n")


# The stock core's Arduino.h has none of these; the last line is of a class that it has.
OWN_CLASSES = (
    "".join(
        f"class {name} {{ public: int number() {{ return {number}; }} }};\n{name} own{name};\n"
        for number, name in enumerate(
            ("Client", "Server", "UDP", "IPAddress", "RingBuffer", "RingBufferN"), 1
        )
    )
    + "void setup() {\n  Serial.begin(115200);\n"
    + "  Serial.println(ownClient.number() + ownServer.number() + ownUDP.number() + ownIPAddress.number()\n"
    + "                 + ownRingBuffer.number() + ownRingBufferN.number());\n}\nvoid loop() { delay(10); }\n"
)


@pytest.mark.parametrize("board", ["sim", "virt", "uno"])
def test_names_of_classes_that_arduino_h_does_not_include_are_free(run: Run, board: str) -> None:
    status, said, _ = run("own-classes", 0.1, OWN_CLASSES, board=board)
    assert (status, said.replace("\r", "")) == (0, "21\n")


def test_they_are_free_where_nothing_is_run(image: Callable[..., object]) -> None:
    assert image("own-classes", OWN_CLASSES, "rpi3")
