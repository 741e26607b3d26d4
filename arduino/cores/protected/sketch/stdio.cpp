// printf() and similar functions: standard output is Serial, line by line.
//
// Each thread buffers its own line, so lines of different loops do not mix, and sends it with one
// system call. A partial line is kept until its end, until there are 64 characters, or until
// fflush(). Before Serial.begin() nothing is sent, as with Serial.print().
#include <stdio.h>

#include "arduino/runtime/system.h"

namespace {

struct Line {
  uint8_t text[64];
  uint8_t used;
};
thread_local Line line;

int send(FILE*) {
  if (line.used > 0) hocket::sys::serial_write(0, line.text, line.used);
  line.used = 0;
  return 0;
}

int put(char c, FILE* file) {
  line.text[line.used++] = static_cast<uint8_t>(c);
  if (c == '\n' || line.used == sizeof line.text) send(file);
  return static_cast<unsigned char>(c);
}

/// Never waits; returns -1 when nothing has arrived.
int get(FILE*) {
  const int byte = hocket::sys::serial_read(0);
  return byte < 0 ? _FDEV_EOF : byte;
}

FILE serial = {.unget = 0, .flags = _FDEV_SETUP_RW, .put = &put, .get = &get, .flush = &send};

}  // namespace

FILE* const stdin = &serial;
FILE* const stdout = &serial;
FILE* const stderr = &serial;
