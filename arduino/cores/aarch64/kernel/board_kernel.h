// The kernel as the AArch64 boards have it: which port, how many of everything, where events go.
#pragma once

#include "alarms.h"
#include "arduino/cores/aarch64/kernel/locks.h"
#include "arduino/cores/aarch64/sketch/ticks.h"
#include "arduino/runtime/policy_choice.h"
#include "board.h"
#include "board_pins.h"
#include "event_log.h"
#include "kernel/task/kernel.h"
#include "own_devices.h"
#include "ports/aarch64/port.h"

namespace hocket {

namespace runtime {
struct Program;
}

struct Board : PinsOfBoard {
  using Port = aarch64::Aarch64Port<machine::Board>;
  static constexpr unsigned kMaxLoops = 256;
  static constexpr size_t kDefaultStack = 64 * 1024;  // of the sketch
  static constexpr size_t kKernelStack = 8 * 1024;    // of each thread, for calls and interrupts
  static constexpr const char* kName = machine::Board::kName;
  static constexpr uint64_t kTickHz = Port::kTickHz;

  static constexpr Port::Ticks ticks(uint64_t ns) {
    return static_cast<Port::Ticks>(sketch::ticks_of<kTickHz>(ns));
  }
  static constexpr uint64_t nanoseconds(Port::Ticks ticks) {
    return sketch::nanoseconds_of<kTickHz>(static_cast<uint64_t>(ticks));
  }
  /// An instant on the sketch's clock; beyond what the kernel can count it never comes.
  static constexpr BasicInstant<Port::Ticks> instant(uint64_t ns) {
    using Instant = BasicInstant<Port::Ticks>;
    return ns > INT64_MAX ? Instant::never() : Instant(ticks(ns));
  }

  /// Longest that a loop may hold a spinlock.
  static constexpr auto kLongestSpin = static_cast<Port::Ticks>(sketch::ticks_of<kTickHz>(50'000));

  /// Longest that ordinary sections keep a core from switching (ports/aarch64/ordinary_lock.h):
  /// its own, and before it, in line, one of each other core.
  static constexpr Port::Ticks ordinary_sections(unsigned cores) {
    return kCountsOwnDevices ? machine::Board::kOrdinarySection * static_cast<Port::Ticks>(cores)
                             : 0;
  }

  /// What interrupts of the board's own UART take of core 0 (native/uart_line.cpp). Length 0:
  /// nothing.
  struct DeviceInterrupts {
    Port::Ticks length, distance;
  };
  static constexpr DeviceInterrupts device_interrupts(unsigned cores) {
    if (!kCountsOwnDevices) return {0, 0};
    // The UART's and the alarm's that lets it ask again.
    return {.length = ordinary_sections(cores) + 2 * Port::costs().timer_interrupt,
            .distance = kUartDistance};
  }
  /// Up to this rate nothing that the UART receives is lost by that: of the 16 bytes of its FIFO 12
  /// have come meanwhile.
  static constexpr uint32_t kCountedRate = 115'200;
  static constexpr auto kUartDistance =
      static_cast<Port::Ticks>(kTickHz * 12 * 10 / kCountedRate + 1);

  /// Memory for a stack of a sketch, in its domain. Null when there is none.
  static port::Stack allocate_stack(runtime::Program& program, size_t bytes);
  /// The kernel's stack of the thread whose sketch stack this is. Halts when there is no memory.
  static port::Stack thread_stack(const port::Stack& stack, uint16_t thread);
  /// The protection domain of the sketch's threads.
  static Port::Domain domain_of(const runtime::Program& program);
  /// Core 0 is about to run its first thread.
  static void started();
};

struct SystemConfig {
  static constexpr unsigned kMaxSlots = Board::kMaxLoops + 2;  // spinlocks, the loops, setup()
  static constexpr unsigned kRefills = 16;
  static constexpr unsigned kMaxAlarms = kAlarmsOfSurroundings + kAlarmsOfPins;
  static constexpr KernelOptions kOptions{.lone_threads = true,  // a loop's, or setup()
                                          .counts_handlers = kOwnDevices,
                                          .holders_say_it = true};
  using Trace = EventLog;
  /// The running thread holds a spinlock and goes on for so long, whoever wants to preempt it.
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
// Made in paths.cpp, for speed; files for size (CMakeLists.txt) have no copies of their own.
extern template class Dispatcher<Board::Port, SystemConfig>;
extern template class Blocking<Board::Port, SystemConfig>;
extern template class Interrupts<Board::Port, SystemConfig>;
extern template class Kernel<Board::Port, SystemConfig>;

}  // namespace hocket
