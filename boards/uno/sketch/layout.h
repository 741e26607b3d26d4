// Where the simulator finds in memory what the kernel knows (boards/uno/simulator/kernel_view.h):
// a record of the section that is not loaded, written by the compiler.
//
//   a loop's memory   [ thread … state … wake_at … | vcpu … state … refills … ][ stack ]
//
// The same struct on both sides: in the image `Address` is a pointer, which the linker fills in; on
// the computer it is the number that came of it.
#pragma once

#include <stdint.h>

namespace hocket::uno {

template <class Address>
struct [[gnu::packed]] KernelLayout {
  uint16_t record_bytes;
  uint8_t zero[2];  // no loop has the id 0
  Address current;  // holds who runs: the address of a loop's memory, or another
  Address idle;     // what it holds when nobody does

  // In a loop's memory.
  uint8_t thread_state;   // one of the four below, or another
  uint8_t wake_at;        // 4 bytes, ticks: until when it sleeps
  uint8_t vcpu_state;     // vcpu_ready, or another
  uint8_t head_refill;    // time and amount, 4 bytes each, in ticks
  uint8_t refill_amount;  // in a refill
  uint8_t refill_time;

  uint8_t thread_ready, thread_sleeping, thread_waiting, thread_suspended;
  uint8_t vcpu_ready;
  uint8_t state_bytes;   // of a loop's memory, before its stack
  uint16_t plain_stack;  // bytes that the plain loop() has beside declared ones
  uint32_t tick_hz;
};

}  // namespace hocket::uno
