// The two-wire interface (I2C; data sheet, chapter 21), as far as Wire uses it
// (libraries/Wire/src/uno). Interrupts carry out transfers one after another.
//
// No loop owns the bus. A transfer is complete, from start to stop, when it is handed in, and the
// interrupt that ends one transfer begins the next. So transfers of two loops never mix. A loop
// waits at most for the transfers that were handed in before, one for each other loop, whatever
// budgets and priorities the loops have.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "arduino/cores/avr8/assembler_numbers.h"

namespace hocket {
namespace uno {

constexpr uint8_t kWireBuffer = 32;

/// The results of endTransmission().
enum class WireEnd : uint8_t {
  Done = HOCKET_WIRE_DONE,
  TooLong = 1,
  NoDevice = HOCKET_WIRE_NO_DEVICE,  // no device acknowledged the address
  NotTaken = HOCKET_WIRE_NOT_TAKEN,  // the device did not acknowledge a byte
  Failed = HOCKET_WIRE_FAILED,  // another controller has the bus, the bus is disturbed, or begin()
                                // was not called
  TimedOut = 5,
  UnderWay = 255,
};

/// The buffers of one loop, and its transfer.
struct WireTalk {
  enum class State : uint8_t {
    Nothing,  // to write
    Open,     // between beginTransmission() and endTransmission()
    Waits     // for the read that follows endTransmission(false), in sketches with loops
  };

  WireTalk* next;  // list of all loops that have used the bus
  uint8_t loop;
  State state;
  bool too_long;
  uint8_t address;
  uint8_t out_size, in_size, in_next;

  // While it is handed in:
  uint8_t reads;     // bytes to read, after those that are written
  uint8_t at;        // index of the next byte of `out`, then of `in`
  bool stop;         // false: keeps the bus for a repeated start
  uint8_t selected;  // address and direction bit
  volatile WireEnd end;
  WireTalk* behind;

  uint8_t out[kWireBuffer], in[kWireBuffer];
};
// two_wire_steps.S uses these offsets.
static_assert(offsetof(WireTalk, out_size) == HOCKET_TALK_OUT_SIZE, "");
static_assert(offsetof(WireTalk, in_size) == HOCKET_TALK_IN_SIZE, "");
static_assert(offsetof(WireTalk, reads) == HOCKET_TALK_READS, "");
static_assert(offsetof(WireTalk, at) == HOCKET_TALK_AT, "");
static_assert(offsetof(WireTalk, stop) == HOCKET_TALK_STOP, "");
static_assert(offsetof(WireTalk, selected) == HOCKET_TALK_SELECTED, "");
static_assert(offsetof(WireTalk, end) == HOCKET_TALK_END, "");
static_assert(offsetof(WireTalk, behind) == HOCKET_TALK_BEHIND, "");
static_assert(offsetof(WireTalk, out) == HOCKET_TALK_OUT, "");
static_assert(offsetof(WireTalk, in) == HOCKET_TALK_IN, "");

/// The talk of the calling loop, or of a handler of onReceive() or onRequest(). Null: no memory for
/// it.
WireTalk* wire_talk();

/// Hands in the talk's bytes, then reads, and waits for the end. `writes`: the device is first
/// addressed for writing, even without a byte.
WireEnd wire_transfer(WireTalk& talk, bool writes, uint8_t reads, bool stop);

void wire_begin();
void wire_end();
void wire_clock(uint32_t hertz);
/// Microseconds after which a transfer is aborted; 0: never.
void wire_timeout(uint32_t microseconds);
/// Whether a transfer was aborted since the flag was last cleared.
extern volatile bool wire_timed_out;

/// In sketches with loops: endTransmission(false) keeps its bytes until the read that follows.
bool wire_defers();

// --- The board as a device that others address (two_wire_slave.cpp), linked if a sketch calls
// hocket_wire_listen() ---

extern void (*wire_on_receive)(int);
extern void (*wire_on_request)();

// Between the two files:

extern WireTalk wire_first_talk;   // of a sketch without loops; otherwise of setup() and the plain
                                   // loop
extern volatile bool wire_serves;  // a handler of onReceive() or onRequest() is running

}  // namespace uno
}  // namespace hocket

extern "C" {
/// Sets the board's own address.
void hocket_wire_listen(uint8_t address);
extern uint8_t hocket_wire_idle;  // TWCR while no transfer is in progress
/// The interrupt while another controller controls the bus.
void hocket_wire_device() __attribute__((weak, signal));
/// The talk to use while wire_serves.
hocket::uno::WireTalk* hocket_wire_slave_talk() __attribute__((weak));
}
