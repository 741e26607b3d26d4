// The answer by the files of sysfs: poll() for the edge; the output's file is opened, written and
// closed for each change, as in the examples that are found first.
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "way.h"

static void write_file(const char* name, const char* text) {
  const int file = open(name, O_WRONLY);
  need(file >= 0, name);
  need(write(file, text, strlen(text)) >= 0, name);
  close(file);
}

/// Sets one of the files of a GPIO.
static void set(int gpio, const char* what, const char* text) {
  char name[64];
  snprintf(name, sizeof name, "/sys/class/gpio/gpio%d/%s", gpio, what);
  write_file(name, text);
}

static void export_gpio(int gpio) {
  char number[16];
  snprintf(number, sizeof number, "%d", gpio);
  write_file("/sys/class/gpio/export", number);
}

int main(int count, char** words) {
  const struct way way = begin(count, words);
  const int in = way.base + way.in, out = way.base + way.out;
  export_gpio(in);
  export_gpio(out);
  set(out, "direction", "out");
  set(in, "edge", "rising");
  char name[64], value[8];
  snprintf(name, sizeof name, "/sys/class/gpio/gpio%d/value", in);
  struct pollfd edge = {.fd = open(name, O_RDONLY), .events = POLLPRI | POLLERR};
  need(edge.fd >= 0, name);
  need(read(edge.fd, value, sizeof value) > 0, name);
  for (;;) {
    set(out, "value", "1");
    set(out, "value", "0");
    need(poll(&edge, 1, -1) == 1, "poll");
    lseek(edge.fd, 0, SEEK_SET);
    need(read(edge.fd, value, sizeof value) > 0, name);
  }
}
