#ifndef __AVR__
#include "Wire.h"

#include <string.h>

#include <new>

#include "arduino/runtime/system.h"

namespace sys = hocket::sys;

TwoWire Wire(0);

/// The buffers of one loop. Only that loop uses them.
struct TwoWire::Talk {
  Talk* next;
  unsigned loop;
  enum class State : uint8_t {
    Nothing,  // to write
    Open,     // between beginTransmission() and endTransmission()
    Waits     // for the read that follows endTransmission(false)
  } state = State::Nothing;
  uint8_t address = 0;
  bool too_long = false;
  uint16_t out_size = 0, in_size = 0, in_next = 0;
  uint8_t out[BUFFER_LENGTH], in[BUFFER_LENGTH];
};

/// The calling loop's buffers; null if there is no memory for them.
TwoWire::Talk* TwoWire::talk() {
  const unsigned loop = sys::loop_id();
  for (Talk* each = __atomic_load_n(&talks_, __ATOMIC_ACQUIRE); each != nullptr; each = each->next)
    if (each->loop == loop) return each;
  auto* const fresh = new (std::nothrow) Talk;
  if (fresh == nullptr) return nullptr;
  fresh->loop = loop;
  fresh->next = __atomic_load_n(&talks_, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&talks_, &fresh->next, fresh, /*weak=*/true, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
  return fresh;
}

/// Writes what the loop has buffered, if anything, then reads `reads` bytes.
uint8_t TwoWire::transfer(Talk& talk, uint8_t address, size_t reads) {
  sys::I2cTransfer transfer = {.out = talk.out,
                               .in = talk.in,
                               .out_size = talk.out_size,
                               .in_size = static_cast<uint16_t>(reads),
                               .hertz = hertz_,
                               .received = 0,
                               .address = static_cast<uint8_t>(address & 0x7f),
                               .writes = talk.state != Talk::State::Nothing,
                               .timeout_us = timeout_us_};
  talk.state = Talk::State::Nothing;
  const sys::I2cEnd end = sys::i2c_transfer(bus_, transfer);
  if (end == sys::I2cEnd::TimedOut) __atomic_store_n(&timed_out_, true, __ATOMIC_RELAXED);
  if (reads > 0) {
    talk.in_size = transfer.received;
    talk.in_next = 0;
  }
  return static_cast<uint8_t>(end);
}

void TwoWire::beginTransmission(uint8_t address) {
  Talk* const mine = talk();
  if (mine == nullptr) return;
  if (mine->state == Talk::State::Waits) transfer(*mine, mine->address, 0);
  mine->state = Talk::State::Open;
  mine->address = address;
  mine->out_size = 0;
  mine->too_long = false;
}

uint8_t TwoWire::endTransmission(bool stop) {
  Talk* const mine = talk();
  if (mine == nullptr || mine->state != Talk::State::Open) return 4;
  if (mine->too_long) {
    mine->state = Talk::State::Nothing;
    return 1;
  }
  if (stop) return transfer(*mine, mine->address, 0);
  mine->state = Talk::State::Waits;
  return sys::i2c_count() > bus_ ? 0 : 4;
}

size_t TwoWire::requestFrom(uint8_t address, size_t size, bool) {
  Talk* const mine = talk();
  if (mine == nullptr) return 0;
  if (mine->state == Talk::State::Waits && mine->address != address)
    transfer(*mine, mine->address, 0);
  // A read in the middle of a transmission discards what was buffered, as on the Uno.
  if (mine->state == Talk::State::Open) mine->state = Talk::State::Nothing;
  mine->in_size = mine->in_next = 0;
  if (size == 0) return 0;
  transfer(*mine, address, size < BUFFER_LENGTH ? size : BUFFER_LENGTH);
  return mine->in_size;
}

size_t TwoWire::requestFrom(uint8_t address, size_t size, uint32_t inside, uint8_t bytes,
                            bool stop) {
  if (bytes > 0) {
    beginTransmission(address);
    for (unsigned left = bytes < 4 ? bytes : 4; left > 0; --left)
      write(static_cast<uint8_t>(inside >> 8 * (left - 1)));
    endTransmission(false);
  }
  return requestFrom(address, size, stop);
}

size_t TwoWire::write(uint8_t byte) {
  return write(&byte, 1);
}

size_t TwoWire::write(const uint8_t* data, size_t size) {
  Talk* const mine = talk();
  if (mine == nullptr || mine->state != Talk::State::Open) return 0;
  const size_t room = BUFFER_LENGTH - mine->out_size;
  const size_t taken = size < room ? size : room;
  memcpy(mine->out + mine->out_size, data, taken);
  mine->out_size = static_cast<uint16_t>(mine->out_size + taken);
  if (taken < size) {
    mine->too_long = true;
    setWriteError();
  }
  return taken;
}

int TwoWire::available() {
  const Talk* const mine = talk();
  return mine == nullptr ? 0 : mine->in_size - mine->in_next;
}

int TwoWire::peek() {
  const Talk* const mine = talk();
  return mine == nullptr || mine->in_next >= mine->in_size ? -1 : mine->in[mine->in_next];
}

int TwoWire::read() {
  Talk* const mine = talk();
  return mine == nullptr || mine->in_next >= mine->in_size ? -1 : mine->in[mine->in_next++];
}
#endif
