#ifdef __AVR__
#include "TwoWire.h"

using hocket::uno::wire_talk;
using hocket::uno::wire_transfer;
using hocket::uno::WireEnd;
using hocket::uno::WireTalk;
using State = hocket::uno::WireTalk::State;

TwoWire Wire;

namespace {

/// Writes what is buffered, then reads `reads` bytes.
uint8_t transfer(WireTalk& talk, uint8_t reads, bool stop) {
  const bool writes = talk.state != State::Nothing;
  talk.state = State::Nothing;
  return static_cast<uint8_t>(wire_transfer(talk, writes, reads, stop));
}

}  // namespace

void TwoWire::beginTransmission(uint8_t address) {
  WireTalk* const mine = wire_talk();
  if (mine == nullptr) return;
  if (mine->state == State::Waits) transfer(*mine, 0, true);
  mine->state = State::Open;
  mine->address = address;
  mine->out_size = 0;
  mine->too_long = false;
}

uint8_t TwoWire::endTransmission(uint8_t stop) {
  WireTalk* const mine = wire_talk();
  if (mine == nullptr || mine->state != State::Open) return static_cast<uint8_t>(WireEnd::Failed);
  if (mine->too_long) {
    mine->state = State::Nothing;
    return static_cast<uint8_t>(WireEnd::TooLong);
  }
  if (stop == 0 && hocket::uno::wire_defers()) {
    mine->state = State::Waits;
    return static_cast<uint8_t>(WireEnd::Done);
  }
  return transfer(*mine, 0, stop != 0);
}

uint8_t TwoWire::request(uint8_t address, uint8_t size, bool stop) {
  WireTalk* const mine = wire_talk();
  if (mine == nullptr) return 0;
  if (mine->state == State::Waits && mine->address != address) transfer(*mine, 0, true);
  // A read in the middle of a transmission discards what was buffered.
  if (mine->state == State::Open) mine->state = State::Nothing;
  mine->in_size = mine->in_next = 0;
  if (size == 0) return 0;
  mine->address = address;
  transfer(*mine, size < BUFFER_LENGTH ? size : BUFFER_LENGTH, stop || hocket::uno::wire_defers());
  return mine->in_size;
}

uint8_t TwoWire::requestFrom(uint8_t address, uint8_t size, uint32_t inside, uint8_t bytes,
                             uint8_t stop) {
  if (bytes > 0) {
    beginTransmission(address);
    for (uint8_t left = bytes < 4 ? bytes : 4; left > 0; --left) {
      write(static_cast<uint8_t>(inside >> (8 * (left - 1))));
    }
    endTransmission(uint8_t{false});
  }
  return request(address, size, stop != 0);
}

size_t TwoWire::write(uint8_t byte) {
  return write(&byte, 1);
}

size_t TwoWire::write(const uint8_t* data, size_t size) {
  WireTalk* const mine = wire_talk();
  if (mine == nullptr || mine->state != State::Open) return 0;
  size_t taken = 0;
  for (; taken != size; ++taken) {
    if (mine->out_size == BUFFER_LENGTH) {
      mine->too_long = true;
      setWriteError();
      break;
    }
    mine->out[mine->out_size++] = data[taken];
  }
  return taken;
}

int TwoWire::available() {
  const WireTalk* const mine = wire_talk();
  return mine == nullptr ? 0 : mine->in_size - mine->in_next;
}

int TwoWire::peek() {
  const WireTalk* const mine = wire_talk();
  return mine == nullptr || mine->in_next >= mine->in_size ? -1 : mine->in[mine->in_next];
}

int TwoWire::read() {
  const int byte = peek();
  if (byte >= 0) ++wire_talk()->in_next;
  return byte;
}
#endif
