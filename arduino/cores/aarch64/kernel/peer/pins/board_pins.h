// The peer's pins with interrupts: each pin that is watched has a line of the board's pin block,
// and the generator makes that line follow the pin (generator.h). The block has one bit for each
// line.
#pragma once

#include "arduino/cores/aarch64/kernel/peer/pins/direct_call.h"
#include "arduino/runtime/pin_lines.h"
#include "arduino/runtime/system.h"
#include "kernel/base/time.h"
#include "peer_pins.h"
#include "ports/aarch64/core_local.h"
#include "ports/contract/lines.h"

namespace hocket {

namespace runtime {
class Sketch;
}

/// A line of the block, and the pin that has it.
struct alignas(32) LineOfBlock {
  static constexpr uint8_t kFree = 0xff;
  uint8_t pin = kFree;
  uint8_t group = 0;  // the runtime's line
  sys::EdgeMode mode = sys::EdgeMode::Rising;
  bool high = false;            // as it has been driven last
  BasicInstant<int64_t> first;  // of the edges since the last take, the first one
  void* known = nullptr;        // what the runtime has of a direct handler's pin
};

/// What the runtime wants of pins (docs/porting/interrupts.md); all masked.
struct PeerPins {
  static constexpr unsigned kPins = 128;
  static constexpr unsigned kNamed = 70;  // NUM_DIGITAL_PINS
  /// Of the runtime's lines: as many as the block has. It has one interrupt for all of its own, and
  /// a bit for each that masks it: a group of them is a line.
  static constexpr unsigned kLine = 0;
  static constexpr unsigned kIoLines = peer::PinBlock::kLines - peer::kFirstLine - 1;
  static constexpr unsigned kDirectLine = kLine + kIoLines;
  static constexpr bool kOneInterrupt = true;
  static constexpr const char* kWhich = peer::kWhichPins;
  static constexpr bool kCounts = false;
  static constexpr int64_t kBottomHalf = peer::kBottomHalf;
  static constexpr int64_t kTopHalf = peer::kTopHalf;
  /// Ticks that a direct handler may seem to take longer than declared. An emulator's several cores
  /// have one clock, which counts what the others do in the midst of it.
  static constexpr int64_t kOthersTime =
      machine::Board::kCores > 1 && !machine::Board::kIsHardware ? 1'000'000 : 0;

  struct Edges {
    uint64_t count;
    uint64_t merged;
    BasicInstant<int64_t> first;
  };

  /// It has a line, or may have one: there are as many as the block has.
  static bool has_interrupt(unsigned pin);
  static void watch(unsigned pin, sys::EdgeMode mode, unsigned line, void* known = nullptr);
  static Edges release(unsigned pin);
  static Edges take(unsigned pin);
  static unsigned asking(unsigned line, unsigned from);
  /// asking(), take() and whether another one asks, of one look at the block (pin_lines.h).
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

  /// On the calling core; all must be on one.
  static bool attach_line(unsigned line, port::LineHandler handler, void* argument);
  static void mask_line(unsigned line);
  static void unmask_line(unsigned line);

  static_assert(kPins < LineOfBlock::kFree);
  static inline constinit LineOfBlock lines[peer::PinBlock::kLines] = {};

  /// The one edge that the block has of the pin at a line, which asks.
  class Edge {
   public:
    /// `asking`: the line's bit.
    explicit Edge(unsigned asking)
        : bit_(static_cast<peer::PinBlock::Lines>(asking)), line_(lines[__builtin_ctz(asking)]) {}
    /// As it was given to watch().
    void* known() const { return line_.known; }
    BasicInstant<int64_t> came() const { return line_.first; }
    void take() const { peer::PinBlock::clear(bit_); }
    /// (Another core may have let the pin go meanwhile.)
    bool gone() const {
      return machine::Board::kCores > 1 && (peer::PinBlock::pending() & bit_) == 0;
    }

    /// Its handler, in line, until that instant; `storage`: storage_of_direct().
    template <class Port>
    HOCKET_IN_LINE runtime::DirectEnd call(const sys::PinCall& call, uint64_t storage,
                                           BasicInstant<int64_t> until) const {
      return direct::enter<Port>(reinterpret_cast<uint64_t>(call.handler),
                                 reinterpret_cast<uint64_t>(call.parameter), storage,
                                 until.ticks() + kOthersTime);
    }
    static bool calls_at_once() { return !aarch64::core_local().fp_live; }

   private:
    peer::PinBlock::Lines bit_;
    const LineOfBlock& line_;
  };

  /// Calls a direct handler at EL0, for so many ticks at most.
  static runtime::DirectEnd call_direct(runtime::Sketch& sketch, unsigned pin,
                                        const sys::PinCall& call, int64_t length);
  /// What a handler of the sketch has as its thread pointer. (It has registers for floating point
  /// from then on.)
  static uint64_t storage_of_direct(runtime::Sketch& sketch);
  /// Those that were ended may have left places in line behind them (locks.h).
  static bool pass_turns();

  /// At the end of a run: what the block has remembered and nobody has taken.
  static uint64_t untaken(unsigned pin);
};

/// Direct handlers: called at EL0 in the interrupt, on core 0 (direct.cpp).
namespace direct {

inline constexpr bool kThereAre = true;

/// One is in the middle on this core. (No driver of the ordinary level is in these kernels: the
/// mark is free.)
inline bool runs() {
  return aarch64::core_local().handlers.in_ordinary;
}
/// The timer's interrupt has come while one is: the end of what it declared, mostly.
void on_timer();
/// One has woken somebody, and so has set the timer for something else.
void keep_limit();
/// It has trapped there: that is how it returns; or else a fault.
void end_by_trap(uint64_t instruction);
/// It has done what it must not, and that is told.
[[noreturn]] void end_faulted();

}  // namespace direct

inline constexpr unsigned kAlarmsOfPins = 8;  // one for each direct handler

struct PinsOfBoard {
  using Pins = PeerPins;
};

inline constexpr bool kPinsHaveInterrupts = true;
inline uint64_t untaken_edges(unsigned pin) {
  return PeerPins::untaken(pin);
}

template <class Chosen, class Ticks, unsigned kSlots, unsigned kRefills, class Observer,
          class Charges>
using PolicyWithPins = typename Chosen::template WithIo<Ticks, kSlots, kRefills, Observer, Charges>;

}  // namespace hocket
