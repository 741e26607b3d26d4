#include "simulation/avr/wait_watch.h"

#include <algorithm>

namespace hocket::avr {

WaitWatch::WaitWatch(const uno::Firmware& firmware)
    : waits_{firmware.address("_ZN6hocket3uno10wait_untilEm"),
             firmware.address("_ZN6hocket3uno4waitEPFbRNS0_7WaitingEES2_"),
             firmware.address("_ZN6hocket3sys13park_until_nsEy")},
      variables_end_(uno::Firmware::kDataBegin + firmware.data_bytes()) {}

bool WaitWatch::asks(uint32_t pc) const {
  return std::find(waits_.begin(), waits_.end(), pc) != waits_.end();
}

/// The function's first instruction is next: the return address is above the stack pointer, in
/// words, high byte first.
void WaitWatch::begin(const Mcu& mcu, unsigned handler) {
  const uint16_t stack = mcu.stack_pointer();
  const auto at = [&](unsigned offset) {
    return uint32_t{mcu.data(static_cast<uint16_t>(stack + offset))};
  };
  call_ = {.handler = handler,
           .returns_to = 2 * (at(1) << 8 | at(2)),
           .stack = static_cast<uint16_t>(stack + 2),
           .variables = variables(mcu)};
}

void WaitWatch::look(const Mcu& mcu) {
  if (mcu.stack_pointer() != call_->stack) return;
  if (variables(mcu) == call_->variables) return call_.reset();
  lost_ = true;
}

std::vector<uint8_t> WaitWatch::variables(const Mcu& mcu) const {
  std::vector<uint8_t> all;
  all.reserve(variables_end_ - uno::Firmware::kDataBegin);
  for (unsigned address = uno::Firmware::kDataBegin; address < variables_end_; ++address) {
    all.push_back(mcu.data(static_cast<uint16_t>(address)));
  }
  return all;
}

}  // namespace hocket::avr
