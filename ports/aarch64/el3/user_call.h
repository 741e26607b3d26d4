// Preparation for a call of a sketch's function out of an interrupt: see ../el1/user_call.h.
//
// At EL3 the handler may have interrupted the other world. Its registers are saved during the call,
// and the interrupt priority mask that it has set is replaced. Or the handler may have interrupted
// a sketch on its way through the stub, whose registers a system call of the function would
// overwrite.
#pragma once

#include "exception_level.h"
#include "ports/aarch64/core_local.h"
#include "ports/aarch64/el3/worlds.h"

namespace hocket::aarch64 {

class UserCall {
 public:
  static constexpr bool kIsNothing = false;

  template <class Program>
  explicit UserCall(const Program& program) : of_normal_(worlds::normal_is_here()) {
    if (of_normal_) {
      asm volatile("mrs %0, icc_pmr_el1" : "=r"(priorities_));
      const Domain domain = program.own();
      core_local().domain = domain;
      Level::use_lower_half(domain.table);
    } else {
      asm volatile("mrs %0, esr_el1\n mrs %1, far_el1" : "=r"(esr_), "=r"(far_));
      asm volatile("mrs %0, elr_el1\n mrs %1, spsr_el1" : "=r"(elr_), "=r"(spsr_));
    }
  }
  ~UserCall() {
    if (of_normal_) {
      worlds::give_to_normal(worlds::kept());
      asm volatile("msr icc_pmr_el1, %0" ::"r"(priorities_));
    } else {
      asm volatile("msr esr_el1, %0\n msr far_el1, %1" ::"r"(esr_), "r"(far_));
      asm volatile("msr elr_el1, %0\n msr spsr_el1, %1" ::"r"(elr_), "r"(spsr_));
    }
  }
  UserCall(const UserCall&) = delete;
  UserCall& operator=(const UserCall&) = delete;

 private:
  bool of_normal_;
  uint64_t priorities_;  // ICC_PMR_EL1
  uint64_t esr_, far_, elr_, spsr_;
};

}  // namespace hocket::aarch64
