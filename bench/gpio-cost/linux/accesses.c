// E1 on Linux: accesses WAY
//
// 4,000 writes of a pin and 4,000 reads, by WAY: mapped (registers), device (the character device),
// sysfs (the file `value`, which the paper's Linux uses). The line TIMING is high as long as the
// writes last, and once more as long as the reads do.
#include <dirent.h>
#include <gpio_device.h>
#include <pins.h>

enum { ACCESSES = 4000, TIMING = 0, OUT = 4, IN = 5 };

static volatile bool seen;

// --- By mapped registers ---

static void write_mapped(int unused, bool high) {
  (void)unused;
  write_pin(OUT, high);
}

static bool read_mapped(int unused) {
  (void)unused;
  return read_pin(IN);
}

// --- By files ---

static void write_file(int file, bool high) {
  if (pwrite(file, high ? "1" : "0", 1, 0) != 1) fail("value cannot be written");
}

static bool read_file(int file) {
  char value;
  if (pread(file, &value, 1, 0) != 1) fail("value cannot be read");
  return value == '1';
}

static void write_text(const char* name, const char* text) {
  const int file = open(name, O_WRONLY);
  const ssize_t length = (ssize_t)strlen(text);
  if (file < 0 || write(file, text, (size_t)length) != length) fail(name);
  close(file);
}

/// The number of the chip's first line among all lines: its folder is gpiochipN.
static int first_line(void) {
  DIR* folder = opendir("/sys/class/gpio");
  if (folder == NULL) fail("/sys/class/gpio");
  int first = -1;
  for (struct dirent* entry; (entry = readdir(folder)) != NULL;) {
    if (strncmp(entry->d_name, "gpiochip", 8) == 0) first = atoi(entry->d_name + 8);
  }
  closedir(folder);
  if (first < 0) fail("no chip in /sys/class/gpio");
  return first;
}

static int open_file(int line, const char* direction) {
  char number[16], name[64];
  snprintf(number, sizeof number, "%d", first_line() + line);
  write_text("/sys/class/gpio/export", number);
  snprintf(name, sizeof name, "/sys/class/gpio/gpio%s/direction", number);
  write_text(name, direction);
  snprintf(name, sizeof name, "/sys/class/gpio/gpio%s/value", number);
  const int file = open(name, O_RDWR);
  if (file < 0) fail(name);
  return file;
}

// --- All of them ---

typedef struct {
  int out, in;  // files
  void (*write)(int out, bool high);
  bool (*read)(int in);
} Way;

static void access_all(const Way* way) {
  write_pin(TIMING, true);
  for (unsigned i = 0; i < ACCESSES / 2; i++) {
    way->write(way->out, true);
    way->write(way->out, false);
  }
  write_pin(TIMING, false);
  write_pin(TIMING, true);
  for (unsigned i = 0; i < ACCESSES; i++) {
    seen = way->read(way->in);
  }
  write_pin(TIMING, false);
}

int main(int count, char** words) {
  const char* chosen = count > 1 ? words[1] : "";
  const bool mapped = strcmp(chosen, "mapped") == 0;
  open_pins(1u << TIMING | (mapped ? 1u << OUT : 0u));
  if (mapped) {
    access_all(&(Way){-1, -1, write_mapped, read_mapped});
  } else if (strcmp(chosen, "device") == 0) {
    access_all(&(Way){request_output(OUT), request_input(IN), set_line, get_line});
  } else if (strcmp(chosen, "sysfs") == 0) {
    access_all(&(Way){open_file(OUT, "out"), open_file(IN, "in"), write_file, read_file});
  } else {
    errno = EINVAL;
    fail("WAY");
  }
  return 0;
}
