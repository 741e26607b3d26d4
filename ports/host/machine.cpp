// The simulated machine (see machine.h). This file is hardware: it is compiled without the block
// clock.
#include "ports/host/machine.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <new>

#include "ports/host/port.h"

// The block clock: virtual time of the running core, and when on_horizon() must be called.
extern "C" {
std::uint64_t hocket_block_now = 0;
std::uint64_t hocket_block_horizon = UINT64_MAX;
std::uint64_t hocket_block_cost = 0;

/// Called by the compiler's instrumentation at the start of every basic block.
void __sanitizer_cov_trace_pc() {
  if (__builtin_expect((hocket_block_now += hocket_block_cost) >= hocket_block_horizon, 0)) {
    hocket::host::Machine::instance().on_horizon();
  }
}
}

namespace hocket::host {
namespace {

Machine* the_machine = nullptr;
// Stacks of the machine, and of each core. Boot, idle and their interrupts run on a core's stack; a
// sketch's direct handlers are among these.
constexpr std::size_t kStackBytes = 256 * 1024;
constexpr std::size_t kGuardBytes = 64 * 1024;
constexpr std::size_t kEmergencyStackBytes = 128 * 1024;

void free_stack(char* memory) {
  munmap(memory, kGuardBytes + kStackBytes);
}
/// A stack with inaccessible pages below it.
std::unique_ptr<char, void (*)(char*)> guarded_stack() {
  void* const memory = mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, kGuardBytes, PROT_NONE) != 0) {
    throw std::bad_alloc();
  }
  return {static_cast<char*>(memory), &free_stack};
}

}  // namespace

BlocksAreFree::BlocksAreFree() : cost_(hocket_block_cost), horizon_(hocket_block_horizon) {
  hocket_block_cost = 0;
  hocket_block_horizon = UINT64_MAX;
}
BlocksAreFree::~BlocksAreFree() {
  hocket_block_cost = cost_;
  hocket_block_horizon = horizon_;
}

Machine& Machine::instance() {
  return *the_machine;
}
bool Machine::exists() {
  return the_machine != nullptr;
}

Machine::Machine(const MachineOptions& options)
    : options_(options),
      cores_(options.cores),
      own_stack_(guarded_stack()),
      end_(options.end),
      random_state_(options.seed) {
  the_machine = this;
  hocket_block_now = 0;  // (a former machine may have run before)
}

Machine::~Machine() {
  the_machine = nullptr;
  hocket_block_cost = 0;
  hocket_block_horizon = UINT64_MAX;
}

StopReason Machine::run(Entry entry) {
  for (unsigned i = 0; i < core_count(); ++i) {
    Core& core = cores_[i];
    core.first_stack = guarded_stack();
    core.emergency_stack.resize(kEmergencyStackBytes);
    core.now = core_count() == 1
                   ? 0
                   : random() % options_.model.ipi_latency;  // cores boot at different times
    context_init(core.context, core.first_stack.get() + kGuardBytes, kStackBytes, entry,
                 reinterpret_cast<void*>(static_cast<std::uintptr_t>(i)));
  }
  hocket_block_cost = options_.model.block;
  ended_at_ = 0;
  shown_ = 0;
  if (outside_ != nullptr) again_ = {};
  while (!stopping_) {
    if (outside_ != nullptr) look_between();
    if (stopping_) break;
    const Order next = order();
    const Nanos change = next_change();
    if (change <= next.at && change < end_) {
      if (source_ != nullptr) source_->advance(change);
      if (outside_ != nullptr) outside_->touch(change);
      continue;
    }
    if (next.at >= end_) break;  // also when nothing can ever happen again
    show_devices(next.at);
    run_slice(next, change);
  }
  over_ = true;
  hocket_block_cost = 0;
  hocket_block_horizon = UINT64_MAX;
  if (stopping_) {
    ended_at_ = cores_[current_].now;
  } else if (end_ != kNever) {
    ended_at_ = end_;
  }
  return reason_;
}

// --- Choosing and running cores ---

Nanos Machine::next_interrupt(const Core& core) const {
  return std::min({core.alarm, core.reschedule_at, core.line_at});
}

/// The next change of a line by a device (devices are not asked while no line is attached), or
/// action from outside.
Nanos Machine::next_change() const {
  const Nanos lines = source_ != nullptr && lines_.attached() ? source_->next_change() : kNever;
  return outside_ == nullptr ? lines : std::min(lines, outside_->next_touch());
}

// --- From outside ---

/// The latest instant that any core has reached.
Nanos Machine::latest() const {
  Nanos latest = running_ || asks_ ? hocket_block_now : 0;
  for (const Core& core : cores_) latest = std::max(latest, core.now);
  return latest;
}

void Machine::look_between() {
  const Nanos next = std::min({order().at, next_change(), end_});
  if (next >= again_.between) again_ = outside_->look(latest() + 1, next);
}

/// The running core has stopped between two blocks. It continues as if nothing had happened, except
/// for actions from outside before the end of its slice.
void Machine::look_within() {
  const Nanos soonest = latest() + 1;
  const Nanos next = std::min({hocket_block_now, others_, next_change() - 1});
  asks_ = false;
  again_ = outside_->look(soonest, next);
  again_.within = std::max(again_.within, hocket_block_now + 1);
  slice_end_ = std::min({slice_end_, end_, next_change()});
  stop_ = std::min(slice_end_, again_.within);
  set_horizon();
}

void Machine::look_soon() {
  again_ = {};
  stop_ = 0;
  if (running_) set_horizon();
}

/// Devices catch up when a core accesses them. A program that accesses none for long would hide
/// what they do from an observer, so they are advanced here. Nothing acts before `now`, so this
/// changes nothing.
void Machine::show_devices(Nanos now) {
  constexpr Nanos kEvery = 10'000'000;
  if (now - shown_ < kEvery || source_ == nullptr) return;
  source_->advance(now);
  shown_ = now;
}

/// The earliest instant at which the core can do anything.
Nanos Machine::effective_time(const Core& core) const {
  return core.waiting ? std::max(core.now, next_interrupt(core)) : core.now;
}

/// One pass, because every change of cores does this, about every 50 blocks.
Machine::Order Machine::order() const {
  Order order{0, effective_time(cores_.front()), kNever};
  for (unsigned i = 1; i < core_count(); ++i) {
    const Nanos at = effective_time(cores_[i]);
    if (at < order.at) {
      order = {i, at, order.at};
    } else {
      order.others = std::min(order.others, at);
    }
  }
  return order;
}

Nanos Machine::others_behind(unsigned core) const {
  Nanos result = kNever;
  for (unsigned i = 0; i < core_count(); ++i) {
    if (i != core) result = std::min(result, effective_time(cores_[i]));
  }
  return result;
}

/// Nothing changes by itself before `change`.
void Machine::run_slice(const Order& order, Nanos change) {
  Core& core = cores_[order.first];
  core.now = order.at;
  current_ = order.first;
  others_ = order.others;
  slice_end_ = std::min(end_, change);
  if (others_ != kNever) {
    slice_end_ = std::min(slice_end_, others_ + 1 + random() % options_.model.ipi_latency);
  }
  stop_ = std::min(slice_end_, again_.within);
  hocket_block_now = core.now;
  set_horizon();
  const Nanos began = hocket_block_now;
  for (;;) {
    running_ = true;
    context_switch(main_, core.context);
    running_ = false;
    if (!asks_) break;
    look_within();
  }
  executed_ += hocket_block_now - began;
  core.now = hocket_block_now;
}

void Machine::leave_slice() {
  context_switch(cores_[current_].context, main_);
}

/// The slice ends at `at` at the latest.
void Machine::shorten_slice(Nanos at) {
  slice_end_ = std::min(slice_end_, at);
  stop_ = std::min(stop_, at);
}

/// A signal may end the run in the middle of this: what stop() has written must stay.
void Machine::set_horizon() {
  const Core& core = cores_[current_];
  hocket_block_horizon = core.masked ? stop_ : std::min(stop_, next_interrupt(core));
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (stopping_) hocket_block_horizon = 0;
}

void Machine::on_horizon() {
  while (hocket_block_now >= stop_ || stopping_) {
    if (hocket_block_now < slice_end_ && !stopping_) asks_ = true;
    leave_slice();
  }
  if (!cores_[current_].masked) take_interrupts();
  set_horizon();
}

// --- Time ---

Nanos Machine::now() const {
  return hocket_block_now;
}

Nanos Machine::access_device() {
  hocket_block_now += options_.model.device_access;
  not_blocks_ += options_.model.device_access;
  while (hocket_block_now > others_ || hocket_block_now >= std::min(end_, next_change()) ||
         stopping_) {
    leave_slice();
  }
  if (source_ != nullptr && lines_.attached()) {
    // The access may make the device change a line earlier.
    shorten_slice(hocket_block_now);
    set_horizon();
  }
  return hocket_block_now;
}

void Machine::relax() {
  hocket_block_now += options_.model.block;
  while (hocket_block_now > others_ || stopping_) leave_slice();
}

void Machine::spin_until(Nanos instant) {
  while (hocket_block_now < instant) {
    const Nanos stop = std::min(instant, std::max(hocket_block_now, hocket_block_horizon));
    not_blocks_ += stop - hocket_block_now;
    hocket_block_now = stop;
    if (hocket_block_now >= hocket_block_horizon) on_horizon();
  }
}

void Machine::switch_context(Context& from, const Context& to) {
  Core& core = cores_[current_];
  from.in_irq = core.in_irq;
  set_in_irq(to.in_irq);
  core.switch_began = core.clock_read;
  context_switch(from, to);
  // Back in `from`. The switch to it has restored in_irq to the value that `from` had.
}

void Machine::call_beside(void (*function)(void*), const void* argument) {
  void* const of = const_cast<void*>(argument);
  if (!running_ || beside_) {  // the simulator has its own stack; or already there
    function(of);
    return;
  }
  struct There {
    bool& beside;
    explicit There(bool& flag) : beside(flag) { beside = true; }
    ~There() { beside = false; }
    There(const There&) = delete;
    There& operator=(const There&) = delete;
  } const there(beside_);
  call_on_stack(own_stack_.get() + kGuardBytes, kStackBytes, function, of);
}

void Machine::end_at(Nanos instant) {
  end_ = instant;
  shorten_slice(instant);
  set_horizon();
}

void Machine::stop(StopReason reason) {
  if (stopping_ || over_) return;
  reason_ = reason;
  stopping_ = true;
  hocket_block_horizon = 0;
}

std::uint64_t Machine::blocks() const {
  return options_.model.block == 0 ? 0 : (executed_ - not_blocks_) / options_.model.block;
}

bool Machine::in_guard_of_first_stack(std::uintptr_t address) const {
  return address - reinterpret_cast<std::uintptr_t>(cores_[current_].first_stack.get()) <
         kGuardBytes;
}

void* Machine::emergency_stack_top() {
  std::vector<char>& stack = cores_[current_].emergency_stack;
  return stack.data() + stack.size();
}

/// The output function of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t Machine::mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void end_as_defect() {
  syscall(SYS_exit_group, 70);  // not _exit(): in a sketch that is a fault
  __builtin_unreachable();
}

void HostPort::halt(const char* reason) {
  std::fprintf(stderr, "hocket: stopped: %s\n", reason);
  end_as_defect();
}

}  // namespace hocket::host
