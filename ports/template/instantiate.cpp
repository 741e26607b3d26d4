// Instantiates the whole kernel on the template port, so that a compiler for any processor checks
// all of it: templates in headers alone are not compiled. tests/unit/kernel/test_kernel_targets.py
// compiles this for AVR and AArch64 and checks the result. It is also the shortest list of what a
// board defines.
#include "admission/placement.h"
#include "admission/policy_analysis.h"
#include "kernel/base/construct.h"
#include "kernel/base/text.h"
#include "kernel/base/tick_rate.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/doors.h"
#include "kernel/task/kernel.h"
#include "kernel/task/semaphore.h"
#include "kernel/time/chronometer.h"
#include "kernel/time/event_queue.h"
#include "kernel/time/periodic_tick.h"
#include "ports/template/port.h"

namespace hocket {
namespace {

using Port = template_port::Port;

/// A small system: eight priorities, four refills for each virtual CPU.
struct Config {
  static constexpr unsigned kSlots = 8;
  static constexpr unsigned kRefills = 4;
  static constexpr unsigned kMaxAlarms = 4;
  static constexpr KernelOptions kOptions;
  using Trace = NoTrace;
  template <class Observer>
  using Policy = VcpuPolicy<Port::Ticks, kSlots, kRefills, Observer, PortCharges<Port>>;
};
using System = Kernel<Port, Config>;
using Ticks = Port::Ticks;

constexpr unsigned kLoops = 4;

System::Vcpu vcpus[kLoops];
System::Thread threads[kLoops];
alignas(Port::kStackAlignment) uint8_t stacks[kLoops][Port::kSmallestStack];
Semaphore<System, Port> by_arrival;
Semaphore<System, Port, WaitOrder::Priority> by_priority(1);
System::Alarm alarm;
struct Event : TimedEvent<Event> {};
EventQueue<Event> events;
Event event;
struct WideClock {
  static constexpr uint32_t kTicksPerMicrosecond = 2;
  static uint64_t now() { return static_cast<uint64_t>(Port::now()); }
};
BasicChronometer<WideClock> watch;
static_assert(port::check<PeriodicTick<Port, TickOf<1'000>>>());

void ring(void* semaphore) {
  static_cast<Semaphore<System, Port>*>(semaphore)->signal();
}

volatile Ticks shown;

/// Every call that a thread can make.
void work(void*) {
  alarm.handler = &ring;
  alarm.argument = &by_arrival;
  alarm.due = System::now() + System::Duration(1'000);
  if (!System::start_alarm(alarm)) System::stop_self(1);
  by_arrival.wait();
  System::cancel_alarm(alarm);
  if (by_priority.try_wait()) by_priority.signal();
  by_priority.wait();
  by_priority.signal();
  watch.start();
  events.start(event, WideClock::now(), 1'500, Event::kForever);
  if (events.take(WideClock::now()) == nullptr) shown = static_cast<Ticks>(events.next_instant());
  events.remove(event);
  shown = static_cast<Ticks>(watch.read());
  System::resume(System::self());
  System::suspend_self();
  if (!System::suspend_self_until(System::now() + System::Duration(10'000))) System::yield();
  System::note(EventKind::Iteration, 1);
  System::yield();
  System::sleep_until(System::now() + System::Duration(10'000));
  System::raise_self(0, System::Duration(20));
  System::lower_self(System::self().vcpu->rank);
}

constinit Request<Ticks> requests[kLoops] = {};
Text<64> explanation;

void show(const Refusal<Ticks>& refusal) {
  shown = refusal.largest_budget;
  explanation.put("loop ", refusal.victim, " could have ", refusal.largest_budget, " ticks, ",
                  Fixed3{TickRate<Port::kTickHz>::ns_down(shown)}, " us\n");
}

}  // namespace
}  // namespace hocket

HOCKET_DOORS(hocket::System)

extern "C" {
/// What a board's start-up code calls on its first core.
[[noreturn]] void hocket_template_main() {
  using namespace hocket;
  using Analysis = AnalysisOf<System::Policy, kLoops>::Type;
  static constinit Analysis analysis;
  const Overheads<Ticks> overheads{
      .costs = Port::costs(), .blocking = 50, .overrun = 50, .several_cores = Port::kCores > 1};
  analysis.reset(overheads);
  Placement<Analysis, kLoops> placement(&analysis, Port::kCores);
  for (unsigned i = 0; i < kLoops; ++i) {
    requests[i] = {
        {.budget = 1'000, .period = 10'000, .deadline = 10'000, .id = 1}, kAnyCore, kAnyCore};
  }
  if (!placement.place_all(requests, kLoops, &show)) Port::halt(explanation.c_str());
  shown = analysis.utilization_ppm() + liu_layland_ppm(analysis.size());

  System::init_core(0, Config::kSlots);
  for (unsigned i = 0; i < kLoops; ++i) {
    System::add(vcpus[i], static_cast<uint16_t>(i + 1),
                System::Duration(enforced_budget<Ticks>(1'000, overheads.activation())),
                System::Duration(10'000), System::now());
    threads[i].meter.start(System::now(), System::Duration(10'000));
    System::create(threads[i], vcpus[i], {stacks[i], sizeof stacks[i]}, &work, nullptr);
    System::start(threads[i], System::now());
  }
  System::run_core();
}
}
