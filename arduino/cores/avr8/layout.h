// What an image tells the host computer (simulation/avr): records in a section that is not loaded,
// written by the compiler. Each begins with its size. The next byte is 0 in the kernel's record,
// and the loop's number in a loop's record.
//
//   hocket_declared   [ KernelLayout ] [ DeclaredLoop | file's name, 0 ] [ DeclaredLoop | … ] …
//   a loop's memory   [ thread … state … wake_at … | vcpu … state … refills … ][ stack ]
//
// Both sides use the same structs. In the image addresses are pointers, which the linker fills in;
// on the host they are numbers.
#pragma once

#include <stdint.h>

namespace hocket::uno {

/// The kernel's policy (policy_keys.h).
enum class PolicyNumber : uint8_t { Vcpu, Edf, HybridEdf, Mlq, Bitmap, Lottery };
inline constexpr uint8_t kPolicies = 6;
/// Policies whose virtual CPUs have budgets and therefore refills.
constexpr bool has_budgets(PolicyNumber policy) {
  return policy <= PolicyNumber::HybridEdf;
}
/// Policies that order ready loops by deadlines, which costs more
/// (arduino/cores/avr8/kernel_costs.h).
constexpr bool compares_deadlines(PolicyNumber policy) {
  return policy == PolicyNumber::Edf || policy == PolicyNumber::HybridEdf;
}

/// Where the simulator finds the kernel's state in memory (simulation/avr/kernel_view.h).
template <class Address>
struct [[gnu::packed]] KernelLayout {
  uint16_t record_bytes;
  uint8_t zero;  // no loop has the number 0
  PolicyNumber policy;
  Address current;  // address of the running loop's memory, or of another; the next word is the
                    // next one to run
  Address idle;     // the value of `current` while no loop runs

  // Offsets in a loop's memory.
  uint8_t thread_state;   // one of the four values below, or another
  uint8_t wake_at;        // 4 bytes, ticks: the end of its sleep
  uint8_t vcpu_state;     // vcpu_ready, or another value
  uint8_t head_refill;    // time and amount, 4 bytes each, in ticks; only for policies with budgets
  uint8_t refill_amount;  // within a refill
  uint8_t refill_time;

  uint8_t thread_ready, thread_sleeping, thread_waiting, thread_suspended;
  uint8_t vcpu_ready;
  uint8_t state_bytes;   // size of a loop's state, before its stack
  uint16_t plain_stack;  // stack bytes of a plain loop() beside declared ones
  uint32_t tick_hz;
};

/// A loop as declared (arduino/runtime/loops.h). The file's name follows.
template <class Address, class Function>
struct [[gnu::packed]] DeclaredLoop {
  uint16_t record_bytes;  // including the name
  uint8_t id;
  uint8_t periodic;  // or 0
  uint8_t core;
  uint8_t background;  // or 0
  uint32_t line;
  uint64_t budget_ns, period_ns, deadline_ns;
  uint16_t stack_bytes;
  Address memory;
  Function run;      // naming it here links the kernel to the sketch
  uint8_t priority;  // LoopDescriptor::kNoPriority: none
  uint8_t tickets;   // 0 means one ticket
};

}  // namespace hocket::uno
