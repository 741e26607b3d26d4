#include "SoftwareSerial.h"

#include "arduino/runtime/system.h"

namespace sys = hocket::sys;

namespace {

// Loops may begin lines and change the listening object at the same time.
const SoftwareSerial* listening = nullptr;

const SoftwareSerial* now_listens(const SoftwareSerial* one) {
  return __atomic_exchange_n(&listening, one, __ATOMIC_ACQ_REL);
}

}  // namespace

void SoftwareSerial::begin(long speed) {
  end();
  const int port = sys::serial_line(receive_, transmit_, inverted_);
  if (port < 0) return;
  // The pin is idle before it becomes an output, so no edge looks like a start bit.
  sys::pin_write(transmit_, !inverted_);
  sys::pin_mode(transmit_, sys::PinMode::Output);
  sys::pin_mode(receive_, inverted_ ? sys::PinMode::Input : sys::PinMode::InputPullup);
  if (speed < 0 || !sys::serial_begin(static_cast<unsigned>(port), static_cast<uint32_t>(speed),
                                      _SS_MAX_RX_BUFF))
    return;
  port_ = static_cast<unsigned>(port);
  listen();
}

void SoftwareSerial::end() {
  if (port_ == kNone) return;
  stopListening();
  sys::serial_end(port_);
  port_ = kNone;
}

bool SoftwareSerial::listen() {
  if (port_ == kNone) return false;
  const SoftwareSerial* const before = now_listens(this);
  if (before == this) return false;
  if (before != nullptr && before->port_ != kNone) sys::serial_listen(before->port_, false);
  sys::serial_listen(port_, true);
  return true;
}

bool SoftwareSerial::isListening() const {
  return __atomic_load_n(&listening, __ATOMIC_ACQUIRE) == this;
}

bool SoftwareSerial::stopListening() {
  const SoftwareSerial* self = this;
  if (!__atomic_compare_exchange_n(&listening, &self, nullptr, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return false;
  sys::serial_listen(port_, false);
  return true;
}

bool SoftwareSerial::overflow() {
  return port_ != kNone && sys::serial_overflowed(port_);
}

int SoftwareSerial::available() {
  return isListening() ? static_cast<int>(sys::serial_available(port_)) : 0;
}
int SoftwareSerial::read() {
  return isListening() ? sys::serial_read(port_) : -1;
}
int SoftwareSerial::peek() {
  return isListening() ? sys::serial_peek(port_) : -1;
}

size_t SoftwareSerial::write(const uint8_t* data, size_t size) {
  if (port_ == kNone) return 0;
  const size_t taken = sys::serial_write(port_, data, size);
  sys::serial_flush(port_);
  return taken;
}

void SoftwareSerial::waitForByte(uint64_t instant_ns) {
  if (isListening())
    sys::serial_wait(port_, instant_ns);
  else
    sys::sleep_until_ns(instant_ns);
}
