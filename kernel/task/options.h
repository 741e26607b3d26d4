// Compile-time options of a kernel, besides policy, trace and capacities (kernel.h). In a Config:
// `static constexpr KernelOptions kOptions{.lone_threads = true};`.
#pragma once

namespace hocket {

struct KernelOptions {
  /// Measure the time of threads and virtual CPUs (cpu_time, meter, counters).
  bool statistics = true;
  /// Each virtual CPU has exactly one thread.
  bool lone_threads = false;
  /// A thread and its virtual CPU are one object, which can be in no queue of the kernel's
  /// synchronisation objects. For lone threads of one core on a circular clock, without statistics.
  bool one_object = false;
  /// Some handlers that can be interrupted by others, or that wake threads, take time that the
  /// analysis counts (counted_handlers.h). Config::handler_began(instant), if there is one, says
  /// whether such a handler runs on this core, which ends with pass_over(), and since when.
  bool counts_handlers = false;
  /// If not 0, the analysis also counts the handlers of alarms, and this many ticks for the way
  /// into and out of an interrupt that calls some. Config::alarms_took(core, duration) receives the
  /// sum, and may start an alarm. If 0, the interrupted thread pays for all of that.
  unsigned alarm_frame = 0;
  /// Call Config::woken_behind(vcpu) if an interrupt has woken a thread and another one runs: the
  /// interrupted one, or one that precedes the woken one.
  bool tells_woken_behind = false;
  /// Threads take spinlocks without the kernel, and only report it: Config::holds_lock(thread) and
  /// Config::longest_hold().
  bool holders_say_it = false;
};

}  // namespace hocket
