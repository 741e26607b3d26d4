// What an application chooses of its kernel, beside policy, trace and numbers of things (kernel.h):
// `static constexpr KernelOptions kOptions{.lone_threads = true};` in its Config.
#pragma once

namespace hocket {

struct KernelOptions {
  /// What threads and virtual CPUs take is measured (cpu_time, meter, counters).
  bool statistics = true;
  /// Each virtual CPU has one thread only.
  bool lone_threads = false;
  /// A thread and its virtual CPU are one object, in no queue of the kernel's synchronisation
  /// objects. For lone threads of one core on a circular clock, without statistics.
  bool one_object = false;
  /// Some handlers that others may interrupt take time that the analysis counts
  /// (Interrupts::begin_counted).
  bool counts_handlers = false;
  /// The analysis counts alarms' handlers, too, and so many ticks for the way into an interrupt in
  /// which some are called and out of it. Config::alarms_took(core, duration) says what it was
  /// together, and may start an alarm. 0: all of that is the interrupted thread's time.
  unsigned alarm_frame = 0;
  /// Config::woken_behind(vcpu) is called when an interrupt has woken a thread and another one
  /// runs: the one that was interrupted, or one that has come before the woken one.
  bool tells_woken_behind = false;
  /// Threads take spinlocks by themselves and only say so: Config::holds_lock(thread), and
  /// Config::longest_hold().
  bool holders_say_it = false;
};

}  // namespace hocket
