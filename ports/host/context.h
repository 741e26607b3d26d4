// Execution contexts on the host: a stack and the registers that a function call must preserve.
//
// Plain stack switching in the host's calling convention, without system calls, so a switch costs a
// few nanoseconds. Under AddressSanitizer every switch is announced to it.
#pragma once

#include <cstddef>

namespace hocket::host {

struct Context {
  void* stack_pointer = nullptr;
  const void* stack_base = nullptr;  // bounds, for AddressSanitizer and for faults
  std::size_t stack_size = 0;
  void* fake_stack = nullptr;  // AddressSanitizer's
  bool in_irq = false;         // the context was left inside an interrupt handler
};

using Entry = void (*)(void*);

/// Prepares a context that calls entry(argument) on the given stack. `entry` must not return.
void context_init(Context& context, void* stack_base, std::size_t stack_size, Entry entry,
                  void* argument);

/// Saves the caller in `from` and continues in `to`.
void context_switch(Context& from, const Context& to);

/// Calls function(argument) on the given stack, which must be unused, and returns after it.
/// `function` may throw; it must not switch contexts.
void call_on_stack(void* stack_base, std::size_t stack_size, void (*function)(void*),
                   void* argument);

}  // namespace hocket::host
