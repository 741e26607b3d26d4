// A step of a core, in line in the loops that make nothing else.
#pragma once

#include "simulation/rp2040/core/access.h"
#include "simulation/rp2040/core/instructions.h"

namespace hocket::rp2040 {

inline void Core::step() {
  if (attention_) [[unlikely]] {
    if (attend()) return;
  }
  const uint32_t at = pc();
  spent_ = cost::kInstruction;
  uint32_t code;
  if (fetch(at, code)) [[likely]] {
    next_pc_ = at + 2;
    Instructions::execute(*this, code);
  }
  if (fault_.kind != Fault::Kind::None) [[unlikely]] {
    raise(fault_);
    return;
  }
  jumped_ = next_pc_ != at + 2;
  registers_.r[Registers::kPc] = next_pc_;
  cycle_ += spent_;
  ++instructions_;
}

}  // namespace hocket::rp2040
