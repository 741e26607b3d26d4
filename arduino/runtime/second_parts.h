// Loops that are split over two cores (admission/splitting.h): the virtual CPUs of their second
// parts. Empty where threads do not migrate.
#pragma once

#include "admission/splitting.h"
#include "arduino/runtime/policy_choice.h"

namespace hocket::runtime {

template <class System, bool kThere = System::kMigrates>
class SecondParts {
 public:
  using Vcpu = typename System::Vcpu;
  using Duration = typename System::Duration;
  using Ticks = typename System::Ticks;

  /// Prepares second part `number`, of the loop with this virtual CPU and thread. Before cores
  /// start.
  void split(unsigned number, Vcpu& first, typename System::Thread& thread,
             const Part<Ticks>& second, Duration overrun) {
    vcpu_[number].core = second.core;
    System::split(first, vcpu_[number], thread, Duration(second.offset), overrun);
  }
  /// Adds second part `number` to its core. On that core, at boot.
  void create(unsigned number, const Demand<Ticks>& demand, unsigned rank, Duration enforced,
              Duration deadline) {
    Vcpu& vcpu = vcpu_[number];
    vcpu.deadline = deadline;
    const auto slot = static_cast<typename System::Policy::Slot>(kFirstSlot + rank);
    join<System>(vcpu, {demand, rank, enforced, {}},
                 [&](auto... contract) { System::add(vcpu, slot, contract...); });
    System::add_part(vcpu);
  }

  /// The second part of a loop's virtual CPU; null: the loop is not split.
  static const Vcpu* of(const Vcpu& first) { return static_cast<const Vcpu*>(first.other); }
  /// Must be called on the core of the first part, once that has joined it.
  static void created(Vcpu& first) {
    if (first.other != nullptr) System::add_part(first);
  }
  /// Whether `part` has pending work, if its thread can run; `since` says since when.
  static bool pending(const Vcpu& part, const typename System::Thread& thread,
                      typename System::Instant& since) {
    if (part.is_ready()) {
      since = part.release - part.before;
    } else if (thread.state == ThreadState::Ready) {  // still migrating, or early
      since = usable_from(part, part.wanted) - part.before;
    } else {
      return false;
    }
    return true;
  }

 private:
  Vcpu vcpu_[System::Processor::kCores];  // a core holds at most one first part
};

template <class System>
class SecondParts<System, false> {
 public:
  using Vcpu = typename System::Vcpu;
  using Duration = typename System::Duration;
  using Ticks = typename System::Ticks;
  static void split(unsigned, Vcpu&, typename System::Thread&, const Part<Ticks>&, Duration) {}
  static void create(unsigned, const Demand<Ticks>&, unsigned, Duration, Duration) {}
  static const Vcpu* of(const Vcpu&) { return nullptr; }
  static void created(Vcpu&) {}
  static bool pending(const Vcpu&, const typename System::Thread&, typename System::Instant&) {
    return false;
  }
};

}  // namespace hocket::runtime
