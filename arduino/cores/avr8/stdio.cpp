// Makes Serial the standard output of avr-libc's stdio, and the standard input of sketches that
// read it. (The stock core leaves both null.) avr-libc keeps the three streams in a table, __iob.
// This table replaces it in programs that use a stream and not fdevopen(), which opens whatever is
// null (tools/hocket/builder/linking.py). stdin.cpp is the version for sketches that read.
#include <stdio.h>

#include "arduino/runtime/system.h"

extern "C" struct __file* __iob[3];

namespace {

int put(char byte, FILE*) {
  const auto sent = static_cast<uint8_t>(byte);
  return hocket::sys::serial_write(0, &sent, 1) == 1 ? 0 : -1;
}

#ifdef HOCKET_STDIO_READS
asm(".global hocket_serial_reads_0\n.set hocket_serial_reads_0, 1\n"  // as in serial_marks.h
    ".global hocket_serial_receiver_0\n.reloc 0, R_AVR_NONE, hocket_serial_receiver_0");

/// Waits for a byte, because scanf() and similar functions take "nothing yet" for the end of the
/// file.
int get(FILE*) {
  for (;;) {
    const int byte = hocket::sys::serial_read(0);
    if (byte >= 0) return byte;
    hocket::sys::serial_wait(0, UINT64_MAX);
  }
}

struct __file stream = {nullptr, 0, _FDEV_SETUP_RW, 0, 0, put, get, nullptr};
struct __file* const in = &stream;
#else
struct __file stream = {nullptr, 0, _FDEV_SETUP_WRITE, 0, 0, put, nullptr, nullptr};
constexpr struct __file* in = nullptr;
#endif

}  // namespace

struct __file* __iob[3] = {in, &stream, &stream};
