#include "simulation/avr/wait_watch.h"

#include <algorithm>

namespace hocket::avr {

WaitWatch::WaitWatch(const uno::Firmware& firmware)
    : waits_{firmware.address("_ZN6hocket3uno10wait_untilEm"),
             firmware.address("_ZN6hocket3uno4waitEPFbRNS0_7WaitingEES2_"),
             firmware.address("_ZN6hocket3sys13park_until_nsEy")},
      variables_end_(firmware.chip().data_begin + firmware.data_bytes()) {}

bool WaitWatch::asks(uint32_t pc) const {
  return std::find(waits_.begin(), waits_.end(), pc) != waits_.end();
}

void WaitWatch::begin(const Mcu& mcu, unsigned handler) {
  const Mcu::Return back = mcu.return_address();
  call_ = {
      .handler = handler, .returns_to = back.to, .stack = back.stack, .variables = variables(mcu)};
}

void WaitWatch::look(const Mcu& mcu) {
  if (mcu.stack_pointer() != call_->stack) return;
  if (variables(mcu) == call_->variables) return call_.reset();
  lost_ = true;
}

std::vector<uint8_t> WaitWatch::variables(const Mcu& mcu) const {
  std::vector<uint8_t> all;
  all.reserve(variables_end_ - mcu.chip().data_begin);
  for (unsigned address = mcu.chip().data_begin; address < variables_end_; ++address) {
    all.push_back(mcu.data(static_cast<uint16_t>(address)));
  }
  return all;
}

}  // namespace hocket::avr
