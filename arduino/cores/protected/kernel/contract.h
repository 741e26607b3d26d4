// What a processor supplies so that each sketch can run in a domain of its own, checked by the
// compiler.
//
// All of it is one type, `Processor`, in processor.h of the processor's folder
// (arduino/cores/NAME), which the build puts first among the folders of headers. The concepts below
// say what it has. Three things are behind them that no concept can check:
//
// - The entry of a system call finds its function in `hocket_system_calls`, an array of kCallRoom
//   functions that take kArgumentWords words and the caller's Frame, and gives its result to the
//   caller. It runs on the thread's kernel stack, unmasked. Nothing of the kernel is left in the
//   registers that the caller sees.
// - Any other exception of the sketch ends in a function of faults.h, in the same way: stop(), or
//   stop_access() and stop_jump(), which know stacks.
// - The first code of each core calls hocket_kernel_start(core), masked.
//
// docs/porting/protection.md is the guide. What sketches do at user level in the
// processor's own instructions is in the folder sketch/include of the processor.
#pragma once

#include "kernel/base/types.h"
#include "ports/contract/port.h"

namespace hocket::protection {

/// The memory of a sketch: what its threads may access. By a translation table, or by the regions
/// of an MPU; then an address of the sketch is the address in memory. All of it is set up at boot,
/// on core 0, and never taken back.
///
/// `share`: whole pages of the kernel's image, which stay where they are; `execute`: with code.
/// `give`: new pages, zeros; returns the address at which the kernel reaches them, or null.
/// `share_device`: a page of registers, read and write. `enter`: the calling core, after the last
/// change. `domain`: what a thread's context is made with (ports/contract/port.h).
template <class S, class P>
concept UserSpace = requires(S space, const S done, uint64_t address, uint64_t size,
                             const void* image, bool execute) {
  { space.share(address, image, size, execute) } -> Same<bool>;
  { space.give(address, size) } -> Same<void*>;
  { space.share_device(address, address) } -> Same<bool>;
  done.template enter<P>();
  { done.domain() } -> Same<typename P::Domain>;
};

/// The kernel's own memory. `map_kernel`: on core 0, first of all: each part of the image with the
/// least rights that it needs, and the board's devices. Returns null, or what is wrong. `use_map`:
/// the calling core, from now on. `kernel_stack`: for a thread's calls and interrupts, with a guard
/// below it where the processor can; null base: memory is exhausted.
template <class Q>
concept MapsKernel = requires(uint64_t address, size_t bytes) {
  { Q::map_kernel(address, address) } -> Same<const char*>;
  { Q::kernel_stack(bytes) } -> Same<port::Stack>;
  Q::use_map();
};

/// The way into the sketch. `enter_user`: the calling thread continues there with `argument`, on
/// `stack`, with its thread pointer at `storage`. From now on each of its entries into the kernel
/// begins at the end of `kernel_stack`. `set_storage` does the same for a thread's context alone.
template <class Q>
concept EntersSketches = requires(uint64_t word, void* kernel_stack) {
  Q::enter_user(word, word, word, kernel_stack);
  Q::set_storage(word);
};

/// System calls. Word: a register with an argument. Frame: what the entry has saved of the caller;
/// of that `call` is the address of the instruction that entered the kernel, and `caller` lies in
/// the function of the sketch that wanted it. Both are the sketch's own values.
template <class Q>
concept AnswersCalls = requires(const typename Q::Frame* frame) {
  requires typename Q::Word(-1) > typename Q::Word(0);
  requires Q::kCallRoom > 0;
  requires Q::kArgumentWords >= 4;
  { frame->call() } -> Same<uint64_t>;
  { frame->caller() } -> Same<uint64_t>;
};

/// The life of a core. `begin_core`: first of all. `construct_globals`: next, on core 0.
/// `counter_rate` (Hz): what the clock of the port really counts. `start_interrupts`: false if the
/// controller cannot serve the port. `defer_in_section`: in a handler; whether what was interrupted
/// must be completed first, which then calls the function of `at_section_end`.
///
/// In a restart, `restart_first_core` begins anew with the values that variables have at boot;
/// `park` counts itself in `parked` and waits for `*release` before it begins anew.
/// `sleep_for_good` touches no memory that the restart changes. `wake_parked`: after a release.
/// `stop_core`: the end of a run. All masked.
template <class Q, class P>
concept RunsCores = requires(CoreId core, uint32_t* word, void (*function)()) {
  Q::begin_core(core);
  Q::construct_globals();
  { Q::counter_rate() } -> Same<uint64_t>;
  { Q::template start_interrupts<P>(core) } -> Same<bool>;
  { Q::template defer_in_section<P>() } -> Same<bool>;
  Q::template at_section_end<P>(function);
  Q::restart_first_core();
  Q::park(core, word, word);
  Q::sleep_for_good();
  Q::wake_parked();
  Q::stop_core();
  Q::halt_core();
};

/// Reports what the processor lacks. Each kernel instantiates it (board_kernel.h).
template <class Q, class P>
constexpr bool check() {
  static_assert(UserSpace<typename Q::UserSpace, P>,
                "the processor's UserSpace lacks share, give, share_device, enter or domain");
  static_assert(MapsKernel<Q>, "the processor lacks map_kernel, use_map or kernel_stack");
  static_assert(EntersSketches<Q>, "the processor lacks enter_user or set_storage");
  static_assert(AnswersCalls<Q>, "the processor lacks Word, Frame, kCallRoom or kArgumentWords");
  static_assert(RunsCores<Q, P>,
                "the processor lacks begin_core, construct_globals, counter_rate, "
                "start_interrupts, defer_in_section, at_section_end, restart_first_core, park, "
                "sleep_for_good, wake_parked, stop_core or halt_core");
  return true;
}

/// Calls of a sketch's functions out of an interrupt, for kernels with direct handlers
/// (handler_call.h of the processor). Masked, on one core.
///
/// `Around`: while an object lives, the sketch can be called whatever was interrupted
/// (kIsNothing: always). `State`: what such a function computes with. `ready`: a call needs no
/// `prepare` before it. `call` enters the function and returns what `end` was given, out of any
/// entry into the kernel meanwhile. `done`: after it. `runs`: whether one is called now.
/// `returned`: whether a fault at this instruction is how a function returns. `in_kernel`: in a
/// handler, whether it has interrupted the kernel.
template <class H>
concept CallsSketches = requires(typename H::State& state, uint64_t word, void* stack) {
  requires H::Around::kIsNothing || !H::Around::kIsNothing;
  { H::ready() } -> Same<bool>;
  { H::runs() } -> Same<bool>;
  { H::in_kernel() } -> Same<bool>;
  { H::returned(word) } -> Same<bool>;
  { H::call(word, word, word, word, &stack) } -> Same<uint64_t>;
  H::end(word, stack);
  H::use(state);
  H::prepare();
  H::begin();
  H::done(state);
};

}  // namespace hocket::protection
