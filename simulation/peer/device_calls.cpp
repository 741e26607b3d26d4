// The kernel's requests to the board's devices: see device_calls.h.
#include "simulation/peer/device_calls.h"

#include <algorithm>

namespace hocket::world {
namespace {

/// A number that has 32 bits in the sketch's or the kernel's calls.
uint32_t narrow(uint64_t value, const char* what) {
  if (value > UINT32_MAX) refuse(std::string("sent a ") + what + " beyond 32 bits");
  return static_cast<uint32_t>(value);
}

}  // namespace

int64_t DeviceCalls::pin(const Request& request) {
  const uint32_t pin = narrow(request.a, "pin");
  const uint32_t b = narrow(request.b, "parameter of a pin");
  const uint32_t c = narrow(request.c, "parameter of a pin");
  const Nanos now = request.time;
  switch (static_cast<Operation>(request.operation)) {
    case Operation::PinMode:
      return b <= UINT8_MAX && devices_.pin_mode(now, pin, static_cast<sys::PinMode>(b));
    case Operation::PinWrite:
      return devices_.pin_write(now, pin, b != 0);
    case Operation::PinRead:
      return devices_.pin_read(now, pin);
    case Operation::AnalogRead:
      return devices_.analog_read(now, pin, b);
    case Operation::PwmWrite:
      return devices_.pwm_write(now, pin, b, c);
    case Operation::ToneStart:
      return devices_.tone_start(now, pin, b, c);
    case Operation::ToneStop:
      return devices_.tone_stop(now, pin);
    case Operation::PinWatch:
      return watch(now, pin, b);
    default:  // the rules allow no other
      return devices_.servo_write(now, pin, b);
  }
}

/// Supports only the modes of edges: every reply contains all levels.
bool DeviceCalls::watch(Nanos now, uint32_t pin, uint32_t mode) {
  const auto forget = [&](unsigned number) {
    if (!watched_.test(number)) return;
    static_cast<void>(devices_.edges_release(now, number));
    watched_.reset(number);
  };
  if (pin == kMostPins) {
    for (unsigned number = 0; number < kMostPins; ++number) forget(number);
    edges_seen_.fill(0);
    return true;
  }
  if (pin >= kMostPins || !devices_.edges_possible(pin)) return false;
  forget(pin);
  const auto wanted = static_cast<sys::EdgeMode>(mode);
  if (mode < sys::kEdgeModes && wanted != sys::EdgeMode::Low && wanted != sys::EdgeMode::High) {
    static_cast<void>(devices_.edges_watch(now, pin, wanted, /*line=*/0));
    watched_.set(pin);
  }
  return true;
}

int64_t DeviceCalls::serial(const Request& request, Bytes payload) {
  const uint32_t port = narrow(request.a, "serial port");
  const Nanos now = request.time;
  const auto count = [](size_t n) { return static_cast<int64_t>(n); };
  switch (static_cast<Operation>(request.operation)) {
    case Operation::SerialBegin:
      return devices_.serial_begin(now, port, narrow(request.b, "baud rate"),
                                   narrow(request.c, "serial buffer"));
    case Operation::SerialEnd:
      devices_.serial_end(now, port);
      return 0;
    case Operation::SerialAvailable:
      return count(devices_.serial_available(now, port));
    case Operation::SerialRoom:
      return count(devices_.serial_room(now, port));
    case Operation::SerialRead:
      return devices_.serial_read(now, port);
    case Operation::SerialPeek:
      return devices_.serial_peek(now, port);
    case Operation::SerialWrite:
      return count(devices_.serial_write(now, port, payload.data(), payload.size()));
    case Operation::SerialBegun:
      return devices_.serial_begun(port);
    case Operation::SerialLine:
      return devices_.serial_line(now, port, narrow(request.b, "pin"), request.c != 0);
    case Operation::SerialListen:
      devices_.serial_listen(now, port, request.b != 0);
      return 0;
    case Operation::SerialOverflowed:
      return devices_.serial_overflowed(now, port);
    case Operation::SerialRoomAt:
      return static_cast<int64_t>(devices_.serial_room_at(port, request.b));
    default:  // the rules allow no other
      return static_cast<int64_t>(devices_.serial_data_at(port));
  }
}

int64_t DeviceCalls::bus(const Request& request, Bytes payload, std::vector<uint8_t>& answer) {
  switch (static_cast<Operation>(request.operation)) {
    case Operation::I2cTransfer:
      return i2c(request, payload, answer);
    case Operation::SpiTransfer:
      return spi(request, payload, answer);
    case Operation::EepromRead:
      return devices_.eeprom_read(request.time, narrow(request.a, "address of the EEPROM"));
    default:  // the rules allow no other
      devices_.eeprom_write(request.time, narrow(request.a, "address of the EEPROM"),
                            static_cast<uint8_t>(request.b));
      return 0;
  }
}

int64_t DeviceCalls::i2c(const Request& request, Bytes payload, std::vector<uint8_t>& answer) {
  const I2cWords words = I2cWords::from(request.b, request.c);
  if (words.reads > sys::kLongestI2c || payload.size() > sys::kLongestI2c)
    refuse("sent an I2C transfer that is too long");
  const sys::I2cTransfer asked{.out = nullptr,
                               .in = nullptr,
                               .out_size = static_cast<uint16_t>(payload.size()),
                               .in_size = static_cast<uint16_t>(words.reads),
                               .hertz = words.hertz,
                               .received = 0,
                               .address = static_cast<uint8_t>(words.address),
                               .writes = words.writes,
                               .timeout_us = words.timeout_us};
  std::vector<uint8_t> in(words.reads);
  const sim::I2cAnswer done = devices_.i2c_transfer(request.time, narrow(request.a, "bus"), asked,
                                                    payload.data(), in.data());
  append_bytes(answer, I2cAnswer{.lasts = done.lasts,
                                 .end = static_cast<uint32_t>(done.end),
                                 .received = static_cast<uint32_t>(done.received)});
  answer.insert(answer.end(), in.begin(), in.begin() + static_cast<ptrdiff_t>(done.received));
  return 0;
}

int64_t DeviceCalls::spi(const Request& request, Bytes payload, std::vector<uint8_t>& answer) {
  const SpiWords words = SpiWords::from(request.b, request.c);
  if (words.size > sys::kLongestSpi || (!payload.empty() && payload.size() != words.size))
    refuse("sent an SPI transfer that is too long, or not as long as it says");
  const sys::SpiTransfer asked{.out = nullptr,
                               .in = nullptr,
                               .size = static_cast<uint32_t>(words.size),
                               .hertz = narrow(words.hertz, "clock of a bus"),
                               .mode = static_cast<uint8_t>(words.mode),
                               .lowest_first = words.lowest_first};
  if (words.wanted) answer.resize(words.size);
  const Nanos lasts = devices_.spi_transfer(request.time, narrow(request.a, "bus"), asked,
                                            payload.empty() ? nullptr : payload.data(),
                                            words.wanted ? answer.data() : nullptr);
  return static_cast<int64_t>(lasts);
}

/// Takes the edges of watched pins into the reply.
void DeviceCalls::tell_edges(Reply& reply) {
  reply.first_edge = kNever;
  if (watched_.none()) return;
  for (unsigned pin = 0; pin < kMostPins; ++pin) {
    if (!watched_.test(pin)) continue;
    const sim::Edges edges = devices_.edges_take(devices_.reached(), pin, UINT64_MAX);
    if (edges.count == 0) continue;
    reply.edges[pin / 64] |= uint64_t{1} << pin % 64;
    edges_seen_.at(pin) += edges.count;
    reply.first_edge = std::min<uint64_t>(reply.first_edge, edges.first);
  }
}

}  // namespace hocket::world
