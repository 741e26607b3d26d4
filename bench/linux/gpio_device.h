// Pins of a Linux by its character device: lines for output, and edges as events (<linux/gpio.h>).
#pragma once

#include <fcntl.h>
#include <linux/gpio.h>
#include <stdbool.h>
#include <sys/ioctl.h>

#include "threads.h"

#define GPIO_DEVICE "/dev/gpiochip0"
#define GPIO_MOST_EVENTS 1024  // that may wait for their reader: the most that Linux keeps

static inline int request_line(uint8_t line, uint64_t flags, uint32_t events) {
  const int chip = open(GPIO_DEVICE, O_RDONLY);
  if (chip < 0) fail(GPIO_DEVICE);
  struct gpio_v2_line_request wish = {
      .offsets = {line},
      .consumer = "bench",
      .config = {.flags = flags},
      .num_lines = 1,
      .event_buffer_size = events,
  };
  if (ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &wish) != 0) fail("a line of " GPIO_DEVICE);
  close(chip);
  return wish.fd;
}

/// A file for set_line() and get_line().
static inline int request_output(uint8_t line) {
  return request_line(line, GPIO_V2_LINE_FLAG_OUTPUT, 0);
}

static inline int request_input(uint8_t line) {
  return request_line(line, GPIO_V2_LINE_FLAG_INPUT, 0);
}

/// A file for next_edge(). both: falling edges, too.
static inline int request_edges(uint8_t line, bool both) {
  const uint64_t edges = both ? GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING
                              : GPIO_V2_LINE_FLAG_EDGE_RISING;
  return request_line(line, GPIO_V2_LINE_FLAG_INPUT | edges, GPIO_MOST_EVENTS);
}

static inline void set_line(int file, bool high) {
  struct gpio_v2_line_values values = {.bits = high, .mask = 1};
  if (ioctl(file, GPIO_V2_LINE_SET_VALUES_IOCTL, &values) != 0) fail("a line cannot be written");
}

static inline bool get_line(int file) {
  struct gpio_v2_line_values values = {.mask = 1};
  if (ioctl(file, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) != 0) fail("a line cannot be read");
  return values.bits != 0;
}

/// Waits for the next edge and takes it.
static inline void next_edge(int file) {
  struct gpio_v2_line_event event;
  while (read(file, &event, sizeof event) != sizeof event) {
    if (errno != EINTR) fail("an edge cannot be read");
  }
}
