// The simulated machine: any number of cores, each with its own virtual time, in one host thread.
//
// Code compiled with the block clock (`-fsanitize-coverage=trace-pc,no-prune`) reports every basic
// block; each costs a declared number of nanoseconds of its core's virtual time. Interrupts come at
// block boundaries. The core that is furthest behind runs, up to where another one could affect it:
//
//    core 0  ──────────█            runs next, until core 1's time + lookahead
//    core 1  ─────────────────█
//    core 2  ── idle ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ○ its alarm
//
// What one core does to another through a device or an inter-processor interrupt is exact: a device
// is accessed only when all others have reached the same instant, and an inter-processor interrupt
// takes as long as the lookahead. Through plain memory cores see each other's stores up to one
// lookahead early or late, as on hardware with store buffers; the seed varies the interleaving.
//
// Devices raise interrupt lines (lines.h); a change that a device makes by itself reaches the core
// that the line is routed to at its instant: no core passes it before it has been made.
//
// Who acts from outside (outside.h) does so at given instants as well: no core passes one before it
// has been done. It is asked in between, where a core stands still or between two of its blocks;
// that changes no order, so a run is the same whoever watches it.
//
// All of it is a model: figures from it say how many blocks ran, not how fast a processor is.
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

/// What the machine is made of, in virtual time. Printed with every result.
struct Model {
  Nanos block = 20;  // one basic block: about a 400 MHz in-order core, as the paper's Galileo
  Nanos device_access = 100;    // one access to a device's register
  Nanos ipi_latency = 1000;     // from asking to the other core's interrupt; also the lookahead
  Nanos interrupt_entry = 100;  // from an interrupt to the first block of its handler
};

enum class StopReason : std::uint8_t { Time, Asked, Fault };

struct MachineOptions {
  unsigned cores = 1;
  std::uint64_t seed = 1;
  Nanos end = kNever;  // the run stops when all cores have reached it
  Model model;
};

/// Ends the program at once: a defect of the simulator has been told.
[[noreturn]] void end_as_defect();

/// While it lives, instrumented code costs no virtual time: it is called by who observes, not run
/// by a core.
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

  /// Runs until the end of time, stop(), or nothing can ever happen again. Every core starts in
  /// `entry(core)` on a stack of its own, masked, at (about) time 0.
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

  /// The lines' side of a core: what the port contract promises of them (ports/contract/lines.h).
  /// False: there is no such line or core.
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
  /// The pause of a waiting loop: lets the other cores catch up.
  void relax();
  /// The kernel's reading of the clock.
  Nanos read_clock();
  /// Occupies the core until `instant`; interrupts are taken on time.
  void spin_until(Nanos instant);
  void switch_context(Context& from, const Context& to);
  /// The run's time is over at this instant, which is not in the past.
  void end_at(Nanos instant);

  // --- From devices ---

  /// Calls act() on the machine's own stack, and answers what it does. So what devices and
  /// observers need is not on the stack of the loop that runs, and how much of it is used is the
  /// same whoever observes. Not from instrumented code, and `act` must not wait for another core.
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

  /// The device holds its line (or not) from `at` on, the instant of the access or of the change
  /// that is being made. A core that makes the access is reached at once, others a reschedule
  /// interrupt's time later.
  void set_line(unsigned line, bool high, Nanos at);
  /// Who changes lines by itself; one.
  void set_line_source(LineSource& source) { source_ = &source; }
  /// Who acts from outside; one, before the machine runs.
  void set_outside(Outside& outside) { outside_ = &outside; }
  /// It is asked as soon as may be.
  void look_soon();

  // --- From anywhere ---

  /// Ends the run at the next opportunity; the first reason counts. Nothing happens when it has
  /// ended. In signal handlers, too.
  void stop(StopReason reason);
  const Model& model() const { return options_.model; }
  std::uint64_t blocks() const;
  /// A number that depends on the seed only.
  std::uint64_t entropy() const { return mix(options_.seed); }
  /// Whether what was accessed lies below the running core's first stack, on which it starts and
  /// idles.
  bool in_guard_of_first_stack(std::uintptr_t address) const;
  /// The core whose emergency stack a fault is handled on, and that stack's top.
  void* emergency_stack_top();
  /// The longest that a core had its interrupts masked while it ran.
  Nanos longest_masked() const { return longest_masked_; }
  /// The longest of what the kernel took as its account counts it (docs/decisions/who-pays.md). S
  /// is counted from the last reading of the clock before the switch: no more than what is charged.
  struct KernelCosts {
    Nanos interrupt_entry = 0, context_switch = 0, timer_interrupt = 0;
  };
  const KernelCosts& kernel_costs() const { return kernel_costs_; }
  /// What interrupts is not the kernel's alone: its length is declared apart. Masked.
  void serves_device() { cores_[current_].for_device = true; }
  void forget_longest_masked() { longest_masked_ = 0; }
  /// For how long a core has served interrupts so far.
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
  using Stack = std::unique_ptr<char, void (*)(char*)>;  // and its guard, below

  struct Core {
    Nanos now = 0;
    Nanos alarm = kNever;
    Nanos reschedule_at = kNever;
    Nanos line_at = kNever;  // since when one of its lines interrupts
    bool masked = true;
    Nanos masked_since = kNever;  // kNever: not counted (the core boots or waits)
    bool in_irq = false;
    Nanos irq_since = 0;   // while in_irq
    Nanos interrupts = 0;  // time in interrupts that are over
    // Until interrupts are unmasked; kNever: none.
    Nanos interrupted = kNever;   // when the interrupt began
    bool for_device = false;      // a device is served, which has a length of its own
    Nanos clock_read = kNever;    // last
    Nanos switch_began = kNever;  // at a reading of the clock
    bool waiting = false;         // in wait_for_interrupt
    Context context;              // while another core runs
    Stack first_stack{nullptr, nullptr};
    std::vector<char> emergency_stack;
  };

  /// The core that is furthest behind, the instant it goes on at, and the next core's.
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
  bool asks_ = false;  // the running core has stopped for it
  Nanos shown_ = 0;    // the devices were last brought up to here
  Context main_;
  Stack own_stack_;
  bool beside_ = false;  // something runs on it
  unsigned current_ = 0;
  Nanos end_ = kNever;  // of the run
  Nanos slice_end_ = 0;
  Nanos stop_ = 0;         // the end of the slice, or when somebody outside looks before it
  Nanos others_ = kNever;  // effective time of the core next behind the running one
  Nanos ended_at_ = 0;
  std::uint64_t random_state_;
  Nanos longest_masked_ = 0;
  KernelCosts kernel_costs_;
  void (*at_unmask_)() = nullptr;
  std::uint64_t executed_ = 0;    // virtual time of all cores together, waiting apart
  std::uint64_t not_blocks_ = 0;  // the part of it that is not basic blocks
  bool running_ = false;
  std::atomic<bool> stopping_ = false;  // a signal may set it
  std::atomic<bool> over_ = false;
  StopReason reason_ = StopReason::Time;
};

}  // namespace hocket::host
