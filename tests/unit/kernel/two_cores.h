// A kernel on a processor that a test turns by hand (turned_port.h), with a thread on each core.
#pragma once

#include "check_failed.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "turned_port.h"

namespace hocket::two_cores {

struct NoContext {};
using Port = test::TurnedPort<int32_t, NoContext>;

struct NoEvents {
  static constexpr bool kAsksFirst = false;
  static void record(const Event&) {}
};

struct Config {
  static constexpr unsigned kMaxAlarms = 2;
  static constexpr KernelOptions kOptions;
  using Trace = NoEvents;
  template <class Observer>
  using Policy = VcpuWithIoPolicy<Port::Ticks, 4, 3, Observer, PortCharges<Port>>;
};
using System = Kernel<Port, Config>;

/// One virtual CPU with a thread on each core; both threads run.
struct Machine {
  Machine() {
    Port::clock = 0x7fffff00;  // it wraps soon
    Port::handler = Port::masked = false;
    for (CoreId core : {0, 1}) {
      Port::on = core;
      System::init_core(core, 4);
      vcpu[core].core = core;
      System::add(vcpu[core], uint8_t{1}, System::Duration(500), System::Duration(2000),
                  System::now());
      System::create(thread[core], vcpu[core], {}, nullptr, nullptr);
      System::start(thread[core], System::now());
      interrupt();
    }
    go_to(0);
  }

  void go_to(CoreId core) {
    Port::on = core;
    Port::asked.clear();
    Port::switches = 0;
  }
  static void interrupt() { Port::reschedule_interrupt<System>(); }
  System::Thread* current(CoreId core) const { return System::core(core).current; }
  System::Thread* idle(CoreId core) const { return &System::idle(core); }
  /// Nothing is left behind by a call.
  bool all_unlocked() const {
    return !Port::masked && System::core(0).lock.holder == -1 && System::core(1).lock.holder == -1;
  }

  System::Vcpu vcpu[2];
  System::Thread thread[2];
};

}  // namespace hocket::two_cores
