// The simulated machine: any number of cores, each with its own virtual time, in one host thread.
//
// Code compiled with the block clock (`-fsanitize-coverage=trace-pc,no-prune`) reports every basic
// block. Each block costs a declared number of nanoseconds of its core's virtual time. Interrupts
// come at block boundaries. The core that is furthest behind runs, until another core could affect
// it:
//
//    core 0  ──────────█            runs next, until core 1's time + lookahead
//    core 1  ─────────────────█
//    core 2  ── idle ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ○ its alarm
//
// Effects of one core on another through a device or an inter-processor interrupt are exact: a
// device is accessed only when all other cores have reached the same instant, and an
// inter-processor interrupt takes as long as the lookahead. Through plain memory, cores see each
// other's stores up to one lookahead early or late, as on hardware with store buffers. The seed
// varies the interleaving.
//
// Devices raise interrupt lines (lines.h). A change that a device makes by itself reaches the
// line's core at its instant: no core passes that instant before the change is made.
//
// Actions from outside (outside.h) happen at given instants too: no core passes one before it is
// done. The machine polls for them while a core stands still, or between two of its blocks. That
// changes no order, so a run does not depend on being watched.
//
// All of this is a model: its figures say how many blocks ran, not how fast a processor is.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ports/host/context.h"
#include "ports/host/lines.h"
#include "ports/host/outside.h"

namespace hocket::host {

/// The parameters of the machine, in nanoseconds of virtual time. Printed with every result.
struct Model {
  Nanos block = 20;  // one basic block: about a 400 MHz in-order core, as the paper's Galileo
  Nanos device_access = 100;  // one access to a device's register
  Nanos ipi_latency = 1000;   // from the request to the other core's interrupt; also the lookahead
  Nanos interrupt_entry = 100;  // from an interrupt to the first block of its handler
};

enum class StopReason : std::uint8_t { Time, Asked, Fault };

struct MachineOptions {
  unsigned cores = 1;
  std::uint64_t seed = 1;
  Nanos end = kNever;  // the run stops when all cores have reached it
  Model model;
};

/// Ends the program at once, after a defect of the simulator has been reported.
[[noreturn]] void end_as_defect();

/// While an object lives, instrumented code costs no virtual time: an observer calls it, no core
/// runs it.
class BlocksAreFree {
 public:
  BlocksAreFree();
  ~BlocksAreFree();
  BlocksAreFree(const BlocksAreFree&) = delete;
  BlocksAreFree& operator=(const BlocksAreFree&) = delete;

 private:
  std::uint64_t cost_, horizon_;
};

class Machine {
 public:
  explicit Machine(const MachineOptions& options);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// Runs until the end of time, until stop(), or until nothing can ever happen again. Every core
  /// starts in `entry(core)`, masked, on its own stack, at time 0 or a little later.
  StopReason run(Entry entry);

  // --- From simulated code ---

  unsigned core_count() const { return static_cast<unsigned>(cores_.size()); }
  unsigned core_id() const { return current_; }
  Nanos now() const;
  bool masked() const { return cores_[current_].masked; }
  void set_masked(bool masked);
  bool in_irq() const { return cores_[current_].in_irq; }
  void set_alarm(Nanos at);
  void send_reschedule(unsigned core);

  /// The lines of a core, as the port contract defines them (ports/contract/lines.h). Returns false
  /// if there is no such line or core.
  bool attach_line(unsigned line, void (*handler)(void*), void* argument, bool edge, unsigned core);
  bool route_line(unsigned line, unsigned core);
  void mask_line(unsigned line, bool masked);
  void acknowledge_line(unsigned line);
  bool line_pending(unsigned line);
  /// Waits (masked) for an interrupt, takes it and returns unmasked.
  void wait_for_interrupt();
  /// One access to a device: waits for the other cores to reach this instant, then charges its
  /// cost. Returns the instant at which the access happens.
  Nanos access_device();
  /// The pause of a polling loop: lets the other cores catch up.
  void relax();
  /// The kernel's reading of the clock.
  Nanos read_clock();
  /// Keeps the core busy until `instant`. Interrupts are taken on time.
  void spin_until(Nanos instant);
  void switch_context(Context& from, const Context& to);
  /// Ends the run at this instant, which must not be in the past.
  void end_at(Nanos instant);

  // --- From devices ---

  /// Calls act() on the machine's own stack and returns its result. Devices and observers thus use
  /// nothing of the running loop's stack, and the measured use of that stack does not depend on
  /// observers. Not from instrumented code, and `act` must not wait for another core.
  template <class Act>
  auto beside(const Act& act) -> decltype(act()) {
    using Answer = decltype(act());
    if constexpr (std::is_void_v<Answer>) {
      call_beside([](void* of) { (*static_cast<const Act*>(of))(); }, &act);
    } else {
      struct Call {
        const Act& act;
        Answer answer;
      } call{act, {}};
      call_beside([](void* of) { static_cast<Call*>(of)->answer = static_cast<Call*>(of)->act(); },
                  &call);
      return std::move(call.answer);
    }
  }

  /// The device sets its line high or low from `at` on, which is the instant of the access or
  /// change in progress. The accessing core is interrupted at once, other cores after the time of a
  /// reschedule interrupt.
  void set_line(unsigned line, bool high, Nanos at);
  /// Sets the one object that changes lines by itself.
  void set_line_source(LineSource& source) { source_ = &source; }
  /// Sets the one object that acts from outside. Call this before the machine runs.
  void set_outside(Outside& outside) { outside_ = &outside; }
  /// Polls it as soon as possible.
  void look_soon();

  // --- From anywhere ---

  /// Ends the run at the next opportunity. The first reason counts; does nothing after the end.
  /// Also from signal handlers.
  void stop(StopReason reason);
  const Model& model() const { return options_.model; }
  std::uint64_t blocks() const;
  /// A number that depends on the seed only.
  std::uint64_t entropy() const { return mix(options_.seed); }
  /// Whether the address lies below the running core's first stack, on which the core starts and
  /// idles.
  bool in_guard_of_first_stack(std::uintptr_t address) const;
  /// The top of the running core's emergency stack, on which faults are handled.
  void* emergency_stack_top();
  /// The longest time for which a running core had its interrupts masked.
  Nanos longest_masked() const { return longest_masked_; }
  /// The longest costs of the kernel, as its account counts them (docs/decisions/who-pays.md). S is
  /// measured from the last reading of the clock before the switch, so it is at most what is
  /// charged.
  struct KernelCosts {
    Nanos interrupt_entry = 0, context_switch = 0, timer_interrupt = 0;
  };
  const KernelCosts& kernel_costs() const { return kernel_costs_; }
  /// The present interrupt includes a device's work, whose length is declared separately. Masked.
  void serves_device() { cores_[current_].for_device = true; }
  void forget_longest_masked() { longest_masked_ = 0; }
  /// The time for which a core has served interrupts so far.
  Nanos time_in_interrupts(unsigned core) const;
  /// The instant at which the run ended.
  Nanos ended_at() const { return ended_at_; }

  /// Calls `function` once, when the running core next unmasks its interrupts.
  void at_unmask(void (*function)()) { at_unmask_ = function; }

  /// Whether simulated code is running (rather than the simulator itself).
  bool running() const { return running_; }
  bool stopping() const { return stopping_; }
  /// Whether a device or an observer is at work for a core, on the machine's own stack.
  bool is_beside() const { return beside_; }
  /// The one machine of this process.
  static Machine& instance();
  static bool exists();

  /// The block clock's slow path.
  void on_horizon();

 private:
  using Stack = std::unique_ptr<char, void (*)(char*)>;  // includes the guard below it

  struct Core {
    Nanos now = 0;
    Nanos alarm = kNever;
    Nanos reschedule_at = kNever;
    Nanos line_at = kNever;  // since when one of its lines interrupts
    bool masked = true;
    Nanos masked_since = kNever;  // kNever: not counted (the core boots or waits)
    bool in_irq = false;
    Nanos irq_since = 0;   // while in_irq
    Nanos interrupts = 0;  // time in interrupts that have ended
    // Valid until interrupts are unmasked; kNever: none.
    Nanos interrupted = kNever;   // when the interrupt began
    bool for_device = false;      // a device is served; its length is declared separately
    Nanos clock_read = kNever;    // last
    Nanos switch_began = kNever;  // the last reading of the clock before the switch
    bool waiting = false;         // in wait_for_interrupt
    Context context;              // while another core runs
    Stack first_stack{nullptr, nullptr};
    std::vector<char> emergency_stack;
  };

  /// The core that is furthest behind, the instant at which it continues, and that of the next
  /// core.
  struct Order {
    unsigned first;
    Nanos at;
    Nanos others;
  };

  Nanos effective_time(const Core& core) const;
  Nanos next_interrupt(const Core& core) const;
  Order order() const;
  Nanos others_behind(unsigned core) const;
  Nanos next_change() const;
  Nanos latest() const;
  void look_between();
  void look_within();
  void show_devices(Nanos now);
  void run_slice(const Order& order, Nanos change);
  void leave_slice();
  void take_interrupts();
  void run_line();
  void access_line(unsigned line);
  void lines_changed();
  void mask();
  void unmask();
  void set_in_irq(bool in_irq);
  void count_kernel_costs();
  void set_horizon();
  void shorten_slice(Nanos at);
  void call_beside(void (*function)(void*), const void* argument);
  static std::uint64_t mix(std::uint64_t value);
  std::uint64_t random() { return mix(random_state_ += 0x9e3779b97f4a7c15u); }

  MachineOptions options_;
  std::vector<Core> cores_;
  Lines lines_;
  LineSource* source_ = nullptr;
  Outside* outside_ = nullptr;
  Outside::Again again_{kNever, kNever};
  bool asks_ = false;  // the running core has stopped to poll it
  Nanos shown_ = 0;    // devices were last advanced to here
  Context main_;
  Stack own_stack_;
  bool beside_ = false;  // something runs on the machine's own stack
  unsigned current_ = 0;
  Nanos end_ = kNever;  // the end of the run
  Nanos slice_end_ = 0;
  Nanos stop_ = 0;         // the end of the slice, or an earlier poll of the outside
  Nanos others_ = kNever;  // effective time of the next core behind the running one
  Nanos ended_at_ = 0;
  std::uint64_t random_state_;
  Nanos longest_masked_ = 0;
  KernelCosts kernel_costs_;
  void (*at_unmask_)() = nullptr;
  std::uint64_t executed_ = 0;    // virtual time of all cores together, without waiting
  std::uint64_t not_blocks_ = 0;  // the part of executed_ that is not basic blocks
  bool running_ = false;
  std::atomic<bool> stopping_ = false;  // may be set by a signal
  std::atomic<bool> over_ = false;
  StopReason reason_ = StopReason::Time;
};

}  // namespace hocket::host
