// The two-wire interface (I2C; data sheet, chapter 21): transfers that interrupts carry out one
// after the other, and what of it Wire uses (libraries/Wire/src/uno).
//
// Nobody holds the bus: a transfer is complete, from start to stop, when it is handed in, and the
// interrupt that ends one begins the next. So two loops' transfers never mix, and how long one
// waits depends on the bus alone: at most the transfers that were handed in before, one for each
// other loop, whatever budgets and priorities the loops have.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace hocket {
namespace uno {

constexpr uint8_t kWireBuffer = 32;

/// What endTransmission() answers.
enum class WireEnd : uint8_t {
  Done = 0,
  TooLong = 1,
  NoDevice = 2,  // nobody has acknowledged the address
  NotTaken = 3,  // … or a byte
  Failed = 4,    // another controller has the bus, it is disturbed, or begin() has not been called
  TimedOut = 5,
  UnderWay = 255,
};

/// What one loop writes and reads, and its transfer.
struct WireTalk {
  enum class State : uint8_t {
    Nothing,  // is to be written
    Open,     // between beginTransmission() and endTransmission()
    Waits     // for the read that it leaves with: endTransmission(false) beside loops
  };

  WireTalk* next;  // of all loops that have used the bus
  uint8_t loop;
  State state;
  bool too_long;
  uint8_t address;
  uint8_t out_size, in_size, in_next;

  // While it is handed in:
  uint8_t reads;     // how many bytes are wanted, after those that are written
  uint8_t at;        // the next one of `out`, then of `in`
  bool stop;         // false: the bus is kept, for what comes with a repeated start
  uint8_t selected;  // the address and the direction
  volatile WireEnd end;
  WireTalk* behind;

  uint8_t out[kWireBuffer], in[kWireBuffer];
};
// two_wire_steps.S knows them.
static_assert(offsetof(WireTalk, out_size) == 6 && offsetof(WireTalk, in_size) == 7, "");
static_assert(offsetof(WireTalk, reads) == 9 && offsetof(WireTalk, at) == 10, "");
static_assert(offsetof(WireTalk, stop) == 11 && offsetof(WireTalk, selected) == 12, "");
static_assert(offsetof(WireTalk, end) == 13 && offsetof(WireTalk, behind) == 14, "");
static_assert(offsetof(WireTalk, out) == 16 && offsetof(WireTalk, in) == 16 + kWireBuffer, "");

/// The caller's: of the loop, or of a handler of onReceive() or onRequest(). Null: there is no
/// memory for it.
WireTalk* wire_talk();

/// Hands the talk's bytes in, then reads, and waits for the end. `writes`: the device is addressed
/// for writing first, be it without a byte.
WireEnd wire_transfer(WireTalk& talk, bool writes, uint8_t reads, bool stop);

void wire_begin();
void wire_end();
void wire_clock(uint32_t hertz);
/// How long a transfer may take before it is given up; 0: for ever.
void wire_timeout(uint32_t microseconds);
/// Whether one was given up, since it was last told to forget that.
extern volatile bool wire_timed_out;

/// Where there are loops: endTransmission(false) keeps its bytes until the read that follows.
bool wire_defers();

// --- As a device that others address (two_wire_slave.cpp), linked where a sketch is one:
// hocket_wire_listen() ---

extern void (*wire_on_receive)(int);
extern void (*wire_on_request)();

// Between the two files:

extern WireTalk wire_first_talk;   // of a sketch without loops; else of setup() and the plain loop
extern volatile bool wire_serves;  // a handler of onReceive() or onRequest() runs

}  // namespace uno
}  // namespace hocket

extern "C" {
/// From now on the board has this address.
void hocket_wire_listen(uint8_t address);
extern uint8_t hocket_wire_idle;  // TWCR while no transfer is under way
/// The interrupt where the controller of the bus is another.
void hocket_wire_device() __attribute__((weak, signal));
/// The talk of wire_serves.
hocket::uno::WireTalk* hocket_wire_slave_talk() __attribute__((weak));
}
