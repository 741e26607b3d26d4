// Pins of QEMU's `virt` by mapped registers: a Linux program's shortest way to them.
//
// The PL061 keeps eight lines; the word at DATA + 4 * mask reads and writes those of the mask
// alone. Line 3 is the power button of this machine. Linux must be started with iomem=relaxed.
// Source: PrimeCell General Purpose Input/Output (PL061) Technical Reference Manual (DDI
// 0190B), 3.3.
#pragma once

#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "threads.h"

#define PINS_ADDRESS 0x09030000
#define PINS_SIZE 0x1000
#define PINS_DIRECTION 0x400  // a bit for each line: 1 output

static volatile uint32_t* pins;

/// Maps the registers; the lines of `outputs` are outputs from now on, and low.
static inline void open_pins(uint8_t outputs) {
  const int memory = open("/dev/mem", O_RDWR | O_SYNC);
  if (memory < 0) fail("/dev/mem");
  void* mapped = mmap(NULL, PINS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, PINS_ADDRESS);
  if (mapped == MAP_FAILED) fail("the registers of the pins cannot be mapped");
  pins = (volatile uint32_t*)mapped;
  pins[outputs] = 0;
  pins[PINS_DIRECTION / 4] |= outputs;
}

static inline void write_pin(uint8_t line, bool high) {
  pins[1u << line] = high ? 0xffu : 0u;
}

static inline bool read_pin(uint8_t line) {
  return pins[1u << line] != 0;
}
