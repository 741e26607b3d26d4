// What an image tells the computer (simulation/uno): records of a section that is not loaded,
// written by the compiler. Each begins with its size; the next byte is 0 in the kernel's, and the
// loop's number in those of loops.
//
//   hocket_declared   [ KernelLayout ] [ DeclaredLoop | file's name, 0 ] [ DeclaredLoop | … ] …
//   a loop's memory   [ thread … state … wake_at … | vcpu … state … refills … ][ stack ]
//
// The same structs on both sides: in the image addresses are pointers, which the linker fills in;
// on the computer they are the numbers that came of it.
#pragma once

#include <stdint.h>

namespace hocket::uno {

/// Which policy the kernel has (policy_keys.h).
enum class PolicyNumber : uint8_t { Vcpu, Edf, HybridEdf, Mlq, Bitmap, Lottery };
inline constexpr uint8_t kPolicies = 6;
/// Those whose virtual CPUs have budgets, and so refills.
constexpr bool has_budgets(PolicyNumber policy) {
  return policy <= PolicyNumber::HybridEdf;
}
/// Whether those that wait are compared by deadlines, which costs more (boards/uno/costs.h).
constexpr bool compares_deadlines(PolicyNumber policy) {
  return policy == PolicyNumber::Edf || policy == PolicyNumber::HybridEdf;
}

/// Where the simulator finds in memory what the kernel knows (simulation/uno/kernel_view.h).
template <class Address>
struct [[gnu::packed]] KernelLayout {
  uint16_t record_bytes;
  uint8_t zero;  // no loop has the id 0
  PolicyNumber policy;
  Address current;  // holds who runs: the address of a loop's memory, or another; then who is next
  Address idle;     // what it holds when nobody does

  // In a loop's memory.
  uint8_t thread_state;   // one of the four below, or another
  uint8_t wake_at;        // 4 bytes, ticks: until when it sleeps
  uint8_t vcpu_state;     // vcpu_ready, or another
  uint8_t head_refill;    // time and amount, 4 bytes each, in ticks; where there are budgets
  uint8_t refill_amount;  // in a refill
  uint8_t refill_time;

  uint8_t thread_ready, thread_sleeping, thread_waiting, thread_suspended;
  uint8_t vcpu_ready;
  uint8_t state_bytes;   // of a loop's memory, before its stack
  uint16_t plain_stack;  // bytes that the plain loop() has beside declared ones
  uint32_t tick_hz;
};

/// A loop as it was declared (arduino/runtime/loops.h). The file's name follows.
template <class Address, class Function>
struct [[gnu::packed]] DeclaredLoop {
  uint16_t record_bytes;  // with the name
  uint8_t id;
  uint8_t periodic;  // or 0
  uint8_t core;
  uint8_t background;  // or 0
  uint32_t line;
  uint64_t budget_ns, period_ns, deadline_ns;
  uint16_t stack_bytes;
  Address memory;
  Function run;      // that it is named here links the kernel to the sketch
  uint8_t priority;  // LoopDescriptor::kNoPriority: none
  uint8_t tickets;   // 0: one
};

}  // namespace hocket::uno
