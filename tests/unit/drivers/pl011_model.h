// A model of the PL011: a UART with FIFOs of 16, whose transmit interrupt comes when the FIFO falls
// to its level, as on hardware (QEMU sends at once and never gets there).
#pragma once

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

namespace hocket::drivers::testing {

struct Pl011Model {
  static constexpr uintptr_t kBase = 0x1000;
  static constexpr size_t kFifo = 16, kTransmitLevel = 2, kReceiveLevel = 8;
  static constexpr uint32_t kReceive = 1u << 4, kTransmit = 1u << 5, kTimeout = 1u << 6,
                            kOverrun = 1u << 10;

  std::deque<uint32_t> receive;
  std::deque<uint8_t> transmit;
  std::vector<uint8_t> line;  // what was sent
  bool overrun = false;
  unsigned accesses = 0;
  uint32_t raw = 0, mask = 0, control = 0, line_control = 0, integer = 0, fraction = 0;
  uint32_t taken_integer = 0, taken_fraction = 0;  // what LCR_H took over

  uint64_t read(uintptr_t address, size_t size) {
    ++accesses;
    if (size != 4) throw std::logic_error("width");
    switch (address - kBase) {
      case 0x00:
        return take();
      case 0x18:
        return (transmit.empty() ? 0u : 1u << 3) | (receive.empty() ? 1u << 4 : 0u) |
               (transmit.size() == kFifo ? 1u << 5 : 0u);
      case 0x30:
        return control;
      default:
        throw std::logic_error("read of " + std::to_string(address));
    }
  }
  void write(uintptr_t address, size_t size, uint64_t value) {
    ++accesses;
    if (size != 4) throw std::logic_error("width");
    const auto word = static_cast<uint32_t>(value);
    switch (address - kBase) {
      case 0x00:
        if (transmit.size() == kFifo) throw std::logic_error("a byte was written to a full FIFO");
        transmit.push_back(static_cast<uint8_t>(word));
        if (transmit.size() > kTransmitLevel) raw &= ~kTransmit;
        break;
      case 0x24:
        integer = word;
        break;
      case 0x28:
        fraction = word;
        break;
      case 0x2c:
        line_control = word;
        taken_integer = integer;
        taken_fraction = fraction;
        if ((word & 0x10) == 0) {
          receive.clear();
          transmit.clear();
        }
        break;
      case 0x30:
        control = word;
        break;
      case 0x34:
        break;
      case 0x38:
        mask = word;
        break;
      case 0x44:
        raw &= ~word;
        break;
      case 0x48:
        break;
      default:
        throw std::logic_error("write of " + std::to_string(address));
    }
  }
  void published() {}

  uint32_t take() {
    const uint32_t data = receive.front();
    receive.pop_front();
    if (receive.size() < kReceiveLevel) raw &= ~kReceive;
    if (receive.empty()) raw &= ~kTimeout;
    return data;
  }

  // --- The line's side ---
  void send_one() {
    if (transmit.empty()) return;
    line.push_back(transmit.front());
    transmit.pop_front();
    if (transmit.size() == kTransmitLevel) raw |= kTransmit;
  }
  bool arrive(uint32_t data) {
    if (receive.size() == kFifo) {
      overrun = true;
      raw |= kOverrun;
      return false;
    }
    receive.push_back(data | (overrun ? 1u << 11 : 0));
    overrun = false;
    if (receive.size() >= kReceiveLevel) raw |= kReceive;
    return true;
  }
  void silence() {
    if (!receive.empty()) raw |= kTimeout;
  }
  bool asks() const { return (raw & mask) != 0; }
};

}  // namespace hocket::drivers::testing
