"""Functions with known worst inputs, each with the inputs that reach it and the largest ratio of bound to the
longest call that the analysis must keep."""

from __future__ import annotations

from dataclasses import dataclass

_HEAD = """#include <stdint.h>
#include <string.h>
#include <stdlib.h>
#include <math.h>
extern "C" __attribute__((noinline)) uint16_t measured(const uint8_t *in);
"""


@dataclass(frozen=True)
class Kernel:
    name: str
    body: str
    worst: tuple[tuple[int, ...], ...]
    ratio: float
    before: str = ""

    @property
    def source(self) -> str:
        return f"{_HEAD}{self.before}uint16_t measured(const uint8_t *in) {{\n{self.body}\n}}\n"


_DOWN = tuple(range(16, 0, -1))
_FULL = (255,) * 16
KERNELS = (
    Kernel(
        "sum",
        "uint16_t s = 0; for (uint8_t i = 0; i < 16; i++) s += in[i]; return s;",
        (_FULL,),
        1.0,
    ),
    Kernel(
        "median",
        """  int16_t a[9];
  for (uint8_t i = 0; i < 9; i++) {
    int16_t v = in[i];
    int8_t j = i - 1;
    while (j >= 0 && a[j] > v) { a[j + 1] = a[j]; j--; }
    a[j + 1] = v;
  }
  return a[4];""",
        (_DOWN,),
        1.1,
    ),
    Kernel(
        "bubble",
        """  uint8_t a[12];
  memcpy(a, in, 12);
  for (uint8_t i = 0; i < 11; i++)
    for (uint8_t j = 0; j < 11 - i; j++)
      if (a[j] > a[j + 1]) { uint8_t t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
  return a[0];""",
        (_DOWN,),
        1.05,
    ),
    Kernel(
        "clamped",
        """  uint8_t n = in[0];
  if (n > 20) n = 20;
  uint16_t s = 0;
  for (uint8_t i = 0; i < n; i++) s = s * 3 + in[i & 15];
  return s;""",
        (_FULL,),
        1.1,
    ),
    Kernel(
        "crc",
        """  uint16_t crc = 0xffff;
  for (uint8_t i = 0; i < 8; i++) {
    crc ^= in[i];
    for (uint8_t k = 0; k < 8; k++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;""",
        (_FULL, (0,) * 16),
        1.3,
    ),
    Kernel(
        "division",
        """  uint32_t a, b;
  memcpy(&a, in, 4);
  memcpy(&b, in + 4, 4);
  if (b == 0) b = 1;
  return a / b + a % b;""",
        (_FULL, (255,) * 4 + (1, 0, 0, 0) + (0,) * 8),
        1.3,
    ),
    Kernel(
        "table",
        """  static const uint8_t sizes[] = {3, 9, 4, 1};
  uint16_t s = 0;
  for (uint8_t i = 0; i < 4; i++)
    for (uint8_t j = 0; j < sizes[i]; j++) s += in[j];
  return s;""",
        (_FULL,),
        1.0,
    ),
    Kernel(
        "calls",
        "  return walk(in, 4) + walk(in + 4, 7) + walk(in, 12);",
        (_FULL,),
        1.0,
        before="""__attribute__((noinline)) static uint16_t walk(const uint8_t *p, uint8_t n) {
  uint16_t s = 0;
  for (uint8_t i = 0; i < n; i++) s += p[i] * 5u;
  return s;
}
""",
    ),
    Kernel(
        "floating",
        """  float f, g;
  memcpy(&f, in, 4);
  memcpy(&g, in + 4, 4);
  float h = f / g + f * g - g;
  return (h > f) + (uint16_t)(int32_t)h + (uint16_t)(float)(int32_t)in[9];""",
        ((1, 0, 0, 0, 255, 255, 127, 63) + (0,) * 8, (3, 2, 1, 90, 9, 8, 7, 60) + (255,) * 8),
        2.5,
    ),
    Kernel(
        "sums-of-floats",
        """  float sum = 0;
  for (uint8_t i = 0; i < 8; i++) {
    uint32_t bits = (uint32_t)in[i] << 15 | in[i + 8] | (uint32_t)(126 + (in[i] & 7) * 4) << 23;
    float f, g;
    bits ^= in[7 - i] & 1 ? 0x80000000 : 0;
    memcpy(&f, &bits, 4);
    bits = (bits ^ 0x80000000) + (in[15] & 3);
    memcpy(&g, &bits, 4);
    sum += f + g;
  }
  return sum > 1;""",
        ((1, 3, 5, 7, 9, 11, 13, 15) * 2,),
        3.0,
    ),
    Kernel(
        "two-heads",  # __floatunsisf has a loop that is entered at two places
        "  volatile float f = (float)(uint32_t)(in[0] & 1 ? 1 : 2 + (in[1] & 1)); return f > 1;",
        ((1,) + (0,) * 15, (0,) * 16),
        2.5,
    ),
    Kernel(
        "strings",
        """  const char *text = in[0] & 1 ? "a text" : in[0] & 2 ? "another text" : "";
  return strlen(text) * 3;""",
        ((2,) + (0,) * 15,),
        1.0,
    ),
)
