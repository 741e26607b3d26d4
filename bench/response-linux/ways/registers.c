// The answer by the registers of the GPIO chip, mapped out of /dev/mem: looks at the input without
// a pause. A rise of line 0 ends it: where it comes before everything else, nothing else could.
//
// Source: PrimeCell General Purpose Input/Output (PL061) Technical Reference Manual (DDI
// 0190B), 3.3: the address of an access to the data has the mask of the lines in it.
#include <fcntl.h>
#include <stdint.h>

#include "way.h"

enum { kChip = 0x9030000, kPage = 0x1000, kDirection = 0x400 / 4, kEnd = 1 };

int main(int count, char** words) {
  const struct way way = begin(count, words);
  const uint32_t in = 1u << way.in, out = 1u << way.out;
  const int memory = open("/dev/mem", O_RDWR | O_SYNC);
  need(memory >= 0, "/dev/mem");
  volatile uint32_t* chip = mmap(0, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, memory, kChip);
  need(chip != MAP_FAILED, "mmap of /dev/mem (the kernel needs iomem=relaxed for it)");
  chip[kDirection] |= out;
  chip[out] = out;
  chip[out] = 0;
  for (uint32_t before = chip[in];;) {
    const uint32_t now = chip[in | kEnd];
    if ((now & ~before & in) != 0) {
      chip[out] = out;
      chip[out] = 0;
    }
    if ((now & kEnd) != 0) return 0;
    before = now;
  }
}
