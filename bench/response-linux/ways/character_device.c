// The answer by the GPIO chip's character device: what libgpiod's functions come to. The edge is an
// event that is read, the output a line that is set.
#include <fcntl.h>
#include <linux/gpio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "way.h"

static int request(int chip, int line, unsigned long long flags) {
  struct gpio_v2_line_request wanted = {
      .offsets = {line}, .num_lines = 1, .consumer = "response", .config.flags = flags};
  need(ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &wanted) == 0, "GPIO_V2_GET_LINE_IOCTL");
  return wanted.fd;
}

static void set(int line, int level) {
  struct gpio_v2_line_values values = {.bits = level, .mask = 1};
  need(ioctl(line, GPIO_V2_LINE_SET_VALUES_IOCTL, &values) == 0, "GPIO_V2_LINE_SET_VALUES_IOCTL");
}

int main(int count, char** words) {
  const struct way way = begin(count, words);
  const int chip = open("/dev/gpiochip0", O_RDWR);
  need(chip >= 0, "/dev/gpiochip0");
  const int in = request(chip, way.in, GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING);
  const int out = request(chip, way.out, GPIO_V2_LINE_FLAG_OUTPUT);
  struct gpio_v2_line_event event;
  for (;;) {
    set(out, 1);
    set(out, 0);
    need(read(in, &event, sizeof event) == sizeof event, "read");
  }
}
