// The peer's pins with interrupts. Each watched pin has a line of the board's pin block, and the
// generator makes that line follow the pin (generator.h). The block has one bit for each line.
#pragma once

#include "arduino/cores/protected/kernel/direct_call.h"
#include "arduino/runtime/pin_lines.h"
#include "arduino/runtime/system.h"
#include "kernel/base/time.h"
#include "peer_pins.h"
#include "ports/contract/lines.h"

namespace hocket {

namespace runtime {
class Sketch;
}

/// A line of the block, and the pin that it follows.
struct alignas(32) LineOfBlock {
  static constexpr uint8_t kFree = 0xff;
  uint8_t pin = kFree;
  uint8_t group = 0;  // the runtime's line
  sys::EdgeMode mode = sys::EdgeMode::Rising;
  bool high = false;            // the level to which it was last driven
  BasicInstant<int64_t> first;  // the first of the edges since the last take()
  void* known = nullptr;        // the runtime's data of a direct handler's pin
};

/// The pins as the runtime needs them (docs/porting/interrupts.md). All functions: masked.
struct PeerPins {
  static constexpr unsigned kPins = 128;
  static constexpr unsigned kNamed = 70;  // NUM_DIGITAL_PINS
  /// The runtime's lines: as many as the block has. The block has a single interrupt, and a mask
  /// bit for each of its own lines; a group of those forms one of the runtime's lines.
  static constexpr unsigned kLine = 0;
  static constexpr unsigned kIoLines = peer::PinBlock::kLines - peer::kFirstLine - 1;
  static constexpr unsigned kDirectLine = kLine + kIoLines;
  static constexpr bool kOneInterrupt = true;
  static constexpr const char* kWhich = peer::kWhichPins;
  static constexpr bool kCounts = false;
  static constexpr int64_t kBottomHalf = peer::kBottomHalf;
  static constexpr int64_t kTopHalf = peer::kTopHalf;
  /// Ticks by which a direct handler may seem to exceed its declared length. The cores of an
  /// emulator share one clock, which also advances while other cores run.
  static constexpr int64_t kOthersTime =
      machine::Board::kCores > 1 && !machine::Board::kIsHardware ? 1'000'000 : 0;

  struct Edges {
    uint64_t count;
    uint64_t merged;
    BasicInstant<int64_t> first;
  };

  /// Whether the pin has a line or can get one: there are only as many as the block has.
  static bool has_interrupt(unsigned pin);
  static void watch(unsigned pin, sys::EdgeMode mode, unsigned line, void* known = nullptr);
  static Edges release(unsigned pin);
  static Edges take(unsigned pin);
  static unsigned asking(unsigned line, unsigned from);
  /// The results of asking() and take(), and whether another pin asks, from one read of the block
  /// (pin_lines.h).
  struct Taken {
    unsigned pin;
    bool more;
    BasicInstant<int64_t> first;
  };
  static Taken take_asking(unsigned line, unsigned from);
  template <class Turn>
  static Turn take_turn(unsigned line, unsigned from) {
    const Taken taken = take_asking(line, from);
    return {.pin = taken.pin, .more = taken.more, .edges = {1, 0, taken.first}};
  }
  static void mask(unsigned pin);
  static void unmask(unsigned pin);

  /// On the calling core. All lines must be attached on the same core.
  static bool attach_line(unsigned line, port::LineHandler handler, void* argument);
  static void mask_line(unsigned line);
  static void unmask_line(unsigned line);

  static_assert(kPins < LineOfBlock::kFree);
  static inline constinit LineOfBlock lines[peer::PinBlock::kLines] = {};

  /// The single edge that the block stores for the pin at a line that asks.
  class Edge {
   public:
    /// `asking`: the line's bit.
    explicit Edge(unsigned asking)
        : bit_(static_cast<peer::PinBlock::Lines>(asking)), line_(lines[__builtin_ctz(asking)]) {}
    /// As passed to watch().
    void* known() const { return line_.known; }
    BasicInstant<int64_t> came() const { return line_.first; }
    void take() const { peer::PinBlock::clear(bit_); }
    /// (Another core may have detached the pin meanwhile.)
    bool gone() const {
      return machine::Board::kCores > 1 && (peer::PinBlock::pending() & bit_) == 0;
    }

    /// Calls its handler inline, until that instant; `storage`: storage_of_direct().
    template <class Port>
    HOCKET_IN_LINE runtime::DirectEnd call(const sys::PinCall& call, uint64_t storage,
                                           BasicInstant<int64_t> until) const {
      return direct::enter<Port>(reinterpret_cast<uint64_t>(call.handler),
                                 reinterpret_cast<uint64_t>(call.parameter), storage,
                                 until.ticks() + kOthersTime);
    }
    static bool calls_at_once() { return HandlerCall::ready(); }

   private:
    peer::PinBlock::Lines bit_;
    const LineOfBlock& line_;
  };

  /// Calls a direct handler in the sketch, for at most `length` ticks.
  static runtime::DirectEnd call_direct(runtime::Sketch& sketch, unsigned pin,
                                        const sys::PinCall& call, int64_t length);
  /// The thread pointer of the sketch's handlers. (Enables floating-point registers for them from
  /// then on.)
  static uint64_t storage_of_direct(runtime::Sketch& sketch);
  /// Aborted handlers may have left tickets behind (locks.h).
  static bool pass_turns();

  /// At the end of a run: edges that the block has stored and that were not taken.
  static Edges waiting(unsigned pin);
};

/// Direct handlers: called in the sketch, in the interrupt, on core 0 (direct.cpp).
namespace direct {

inline constexpr bool kThereAre = true;

/// Whether a direct handler is running on this core.
inline bool runs() {
  return HandlerCall::runs();
}
/// The timer interrupt fired while a direct handler runs, usually at the end of its declared
/// length.
void on_timer();
/// A handler's wake-up has changed the timer: sets it for the handler's limit again.
void keep_limit();
/// The handler has trapped. At the return address that is how it returns; elsewhere it is a fault.
void end_by_trap(uint64_t instruction);
/// The handler did something illegal, which was recorded.
[[noreturn]] void end_faulted();

}  // namespace direct

inline constexpr unsigned kAlarmsOfPins = 8;  // one for each direct handler

struct PinsOfBoard {
  using Pins = PeerPins;
};

inline constexpr bool kPinsHaveInterrupts = true;

template <class Chosen, class Ticks, unsigned kSlots, unsigned kRefills, class Observer,
          class Charges>
using PolicyWithPins = typename Chosen::template WithIo<Ticks, kSlots, kRefills, Observer, Charges>;

}  // namespace hocket
