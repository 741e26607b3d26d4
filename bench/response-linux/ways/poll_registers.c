// Waits for the edge by poll() on the input's file of sysfs, and answers by the registers of the
// GPIO chip, mapped out of /dev/mem: what remains of sysfs.c when its output's file is left out.
//
// Source: PrimeCell General Purpose Input/Output (PL061) Technical Reference Manual (DDI
// 0190B), 3.3.
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "way.h"

enum { kChip = 0x9030000, kPage = 0x1000, kDirection = 0x400 / 4 };

static void write_file(const char* name, const char* text) {
  const int file = open(name, O_WRONLY);
  need(file >= 0, name);
  need(write(file, text, strlen(text)) >= 0, name);
  close(file);
}

static int open_input(int gpio) {
  char name[64];
  snprintf(name, sizeof name, "%d", gpio);
  write_file("/sys/class/gpio/export", name);
  snprintf(name, sizeof name, "/sys/class/gpio/gpio%d/edge", gpio);
  write_file(name, "rising");
  snprintf(name, sizeof name, "/sys/class/gpio/gpio%d/value", gpio);
  const int file = open(name, O_RDONLY);
  need(file >= 0, name);
  return file;
}

int main(int count, char** words) {
  const struct way way = begin(count, words);
  const uint32_t out = 1u << way.out;
  const int memory = open("/dev/mem", O_RDWR | O_SYNC);
  need(memory >= 0, "/dev/mem");
  volatile uint32_t* chip = mmap(0, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, memory, kChip);
  need(chip != MAP_FAILED, "mmap of /dev/mem (the kernel needs iomem=relaxed for it)");
  chip[kDirection] |= out;
  char value[8];
  struct pollfd edge = {.fd = open_input(way.base + way.in), .events = POLLPRI | POLLERR};
  need(read(edge.fd, value, sizeof value) > 0, "the input");
  for (;;) {
    chip[out] = out;
    chip[out] = 0;
    need(poll(&edge, 1, -1) == 1, "poll");
    lseek(edge.fd, 0, SEEK_SET);
    need(read(edge.fd, value, sizeof value) > 0, "the input");
  }
}
