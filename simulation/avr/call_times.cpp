#include "simulation/avr/call_times.h"

#include <algorithm>

namespace hocket::avr {

CallTimes::CallTimes(const std::vector<uint32_t>& functions, std::vector<uint32_t> waits)
    : waits_(std::move(waits)) {
  for (const uint32_t function : functions) found_.push_back({.address = function});
}

void CallTimes::update(const Mcu& mcu) {
  const Cycles cycles = mcu.cycle() - last_;
  last_ = mcu.cycle();
  const uint32_t pc = mcu.pc();
  const uint16_t sp = mcu.stack_pointer();
  if (mcu.entered() != 0) {
    const auto [to, outer] = mcu.return_address();
    const Cycles response = mcu.chip().response;
    if (runs_) count(cycles - std::min(cycles, response), outer);
    if (runs_) leave(to, outer);
    begin(pc, sp);
    return;
  }
  if (runs_) {
    count(cycles, sp);
  } else if (resume(pc, sp)) {
    count(0, sp);
  }
  if (runs_ && waits_at(pc)) {
    for (Call& call : runs_->calls) ++call.waits;
    const auto [to, outer] = mcu.return_address();
    leave(to, outer);
    return;
  }
  begin(pc, sp);
}

/// Adds the cycles of the last instruction, and ends the calls from which it has returned.
void CallTimes::count(Cycles cycles, uint16_t sp) {
  std::vector<Call>& calls = runs_->calls;
  for (Call& call : calls) call.cycles += cycles;
  while (!calls.empty() && sp > calls.back().sp) {
    const Call& ended = calls.back();
    program::CallTime& of = found_[ended.function];
    ++of.calls;
    if (ended.cycles > of.longest_cycles) of.longest_cycles = ended.cycles;
    of.most_waits = std::max(of.most_waits, ended.waits);
    calls.pop_back();
  }
  if (calls.empty()) runs_.reset();
}

void CallTimes::begin(uint32_t pc, uint16_t sp) {
  for (size_t i = 0; i < found_.size(); ++i) {
    if (found_[i].address != pc) continue;
    if (!runs_) runs_ = Context{};
    // A jump back to a function's first instruction is no call.
    if (runs_->calls.empty() || runs_->calls.back().sp != sp) {
      runs_->calls.push_back(Call{.function = i, .sp = sp});
    }
  }
}

void CallTimes::leave(uint32_t pc, uint16_t sp) {
  runs_->pc = pc;
  runs_->sp = sp;
  left_.push_back(std::move(*runs_));
  runs_.reset();
}

bool CallTimes::resume(uint32_t pc, uint16_t sp) {
  for (size_t i = left_.size(); i-- > 0;) {
    if (left_[i].pc != pc || left_[i].sp != sp) continue;
    runs_ = std::move(left_[i]);
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

bool CallTimes::waits_at(uint32_t pc) const {
  return std::find(waits_.begin(), waits_.end(), pc) != waits_.end();
}

}  // namespace hocket::avr
