// The kernel's configuration on boards with memory protection: the port, the sizes, and the event
// log.
#pragma once

#include "alarms.h"
#include "arduino/cores/protected/kernel/contract.h"
#include "arduino/cores/protected/kernel/locks.h"
#include "arduino/cores/protected/sketch/ticks.h"
#include "arduino/runtime/policy_choice.h"
#include "board.h"
#include "board_pins.h"
#include "event_log.h"
#include "kernel/task/kernel.h"
#include "own_devices.h"
#include "processor.h"

namespace hocket {

namespace runtime {
struct Program;
}

struct Board : PinsOfBoard {
  using Port = Processor::Port<machine::Board>;
  static constexpr unsigned kMaxLoops = 256;
  static constexpr size_t kDefaultStack = 64 * 1024;  // of a sketch's thread
  static constexpr size_t kKernelStack = 8 * 1024;    // of each thread, for calls and interrupts
  static constexpr uint64_t kTickHz = Port::kTickHz;

  static constexpr Port::Ticks ticks(uint64_t ns) {
    return static_cast<Port::Ticks>(sketch::ticks_of<kTickHz>(ns));
  }
  static constexpr uint64_t nanoseconds(Port::Ticks ticks) {
    return sketch::nanoseconds_of<kTickHz>(static_cast<uint64_t>(ticks));
  }
  /// An instant on the sketch's clock. An instant beyond the kernel's range means never.
  static constexpr BasicInstant<Port::Ticks> instant(uint64_t ns) {
    using Instant = BasicInstant<Port::Ticks>;
    return ns > INT64_MAX ? Instant::never() : Instant(ticks(ns));
  }

  /// The longest time that a loop may hold a spinlock.
  static constexpr auto kLongestSpin = static_cast<Port::Ticks>(sketch::ticks_of<kTickHz>(50'000));

  /// The longest time that ordinary sections keep a core from switching
  /// (arduino/surroundings/native/ordinary_lock.h): its own section, and before it in line one of
  /// each other core.
  static constexpr Port::Ticks ordinary_sections(unsigned cores) {
    return kCountsOwnDevices ? machine::Board::kOrdinarySection * static_cast<Port::Ticks>(cores)
                             : 0;
  }

  /// The time on core 0 that interrupts of the board's own UART take (native/uart_line.cpp). Length
  /// 0: none.
  struct DeviceInterrupts {
    Port::Ticks length, distance;
  };
  static constexpr DeviceInterrupts device_interrupts(unsigned cores) {
    if (!kCountsOwnDevices) return {0, 0};
    // The UART's interrupt, and that of the alarm that unmasks its line.
    return {.length = ordinary_sections(cores) + 2 * Port::costs().timer_interrupt,
            .distance = kUartDistance};
  }
  /// Up to this rate the distance between interrupts loses no received bytes: at most 12 bytes
  /// arrive in it, and the UART's FIFO holds 16.
  static constexpr uint32_t kCountedRate = 115'200;
  static constexpr auto kUartDistance =
      static_cast<Port::Ticks>(kTickHz * 12 * 10 / kCountedRate + 1);

  /// Allocates a stack of a sketch, in its domain. Null when memory is exhausted.
  static port::Stack allocate_stack(runtime::Program& program, size_t bytes);
  /// The kernel stack of the thread with this sketch stack. Halts when memory is exhausted.
  static port::Stack thread_stack(const port::Stack& stack, uint16_t thread);
  /// The protection domain of the sketch's threads.
  static Port::Domain domain_of(const runtime::Program& program);
  /// Called when core 0 is about to run its first thread.
  static void started();
};

namespace runtime::interrupts {
/// Whether a direct handler runs on this core, and since when. In an interrupt.
bool direct_began(BasicInstant<Board::Port::Ticks>& when);
}  // namespace runtime::interrupts

static_assert(protection::check<Processor, Board::Port>());

struct SystemConfig {
  static constexpr unsigned kMaxSlots = Board::kMaxLoops + 2;  // spinlocks, the loops, setup()
  static constexpr unsigned kRefills = 16;
  static constexpr unsigned kMaxAlarms = kAlarmsOfSurroundings + kAlarmsOfPins;
  static constexpr KernelOptions kOptions{.lone_threads = true,  // one thread for each loop, and
                                                                 // setup()'s
                                          .counts_handlers = true,
                                          .holders_say_it = true};
  using Trace = EventLog;
  static bool handler_began(BasicInstant<Board::Port::Ticks>& when) {
    return runtime::interrupts::direct_began(when);
  }
  /// Whether the running thread holds a spinlock. Such a thread is not preempted for a limited
  /// time.
  template <class Thread>
  static bool holds_lock(const Thread& thread) {
    return locks::held_by(thread);
  }
  static Board::Port::Ticks longest_hold() {
    return Board::kLongestSpin * static_cast<Board::Port::Ticks>(Board::Port::core_count());
  }
  template <class Observer>
  using Policy = PolicyWithPins<runtime::ChosenPolicy, Board::Port::Ticks, kMaxSlots, kRefills,
                                Observer, PortCharges<Board::Port>>;
};

using System = Kernel<Board::Port, SystemConfig>;
// Instantiated in paths.cpp, for speed. Files compiled for size (CMakeLists.txt) have no own
// copies.
extern template class Dispatcher<Board::Port, SystemConfig>;
extern template class CountedHandlers<Board::Port, SystemConfig>;
extern template class Blocking<Board::Port, SystemConfig>;
extern template class Interrupts<Board::Port, SystemConfig>;
extern template class Kernel<Board::Port, SystemConfig>;

}  // namespace hocket
