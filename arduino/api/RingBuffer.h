// RingBufferN: a byte queue for use inside libraries, as in ArduinoCore-API.
//
// The typedef RingBuffer is in the header RingBuffer.h, because sketches have classes of this name.
// Only one loop at a time may use it. Between loops use Ringbuf (Hocket.h), which needs no lock.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifndef SERIAL_BUFFER_SIZE
#define SERIAL_BUFFER_SIZE 64
#endif

template <int N>
class RingBufferN {
 public:
  RingBufferN() { clear(); }

  /// The byte is dropped when the buffer is full.
  void store_char(uint8_t c) {
    if (isFull()) return;
    _aucBuffer[_iHead] = c;
    _iHead = next(_iHead);
    _numElems = _numElems + 1;
  }
  void clear() {
    _iHead = 0;
    _iTail = 0;
    _numElems = 0;
  }
  /// The oldest byte, or -1.
  int read_char() {
    const int c = peek();
    if (c < 0) return c;
    _iTail = next(_iTail);
    _numElems = _numElems - 1;
    return c;
  }
  int available() { return _numElems; }
  int availableForStore() { return N - _numElems; }
  int peek() { return _numElems == 0 ? -1 : _aucBuffer[_iTail]; }
  bool isFull() { return _numElems == N; }

  uint8_t _aucBuffer[N] = {};
  volatile int _iHead;
  volatile int _iTail;
  volatile int _numElems;

 private:
  static int next(int index) { return index + 1 == N ? 0 : index + 1; }
};

namespace arduino {
using ::RingBufferN;
}  // namespace arduino
