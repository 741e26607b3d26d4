// The two-wire interface (I2C; data sheet, chapter 21): transfers that interrupts carry out one after
// the other, and what of it Wire uses (libraries/Wire/src/uno).
//
// Nobody holds the bus: a transfer is complete, from start to stop, when it is handed in, and the
// interrupt that ends one begins the next. So two loops' transfers never mix, and how long one waits
// depends on the bus alone: at most the transfers that were handed in before, one for each other loop,
// whatever budgets and priorities the loops have.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace hocket::uno {

inline constexpr uint8_t kWireBuffer = 32;

/// What endTransmission() answers.
enum class WireEnd : uint8_t {
  Done = 0,
  TooLong = 1,
  NoDevice = 2,    // nobody has acknowledged the address
  NotTaken = 3,    // … or a byte
  Failed = 4,      // another controller has the bus, it is disturbed, or begin() has not been called
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
  uint8_t out[kWireBuffer], in[kWireBuffer];

  // While it is handed in:
  WireTalk* behind;
  bool stop;          // false: the bus is kept, for what comes with a repeated start
  uint8_t selected;   // the address and the direction
  uint8_t reads;      // how many bytes are wanted, after those that are written
  uint8_t at;         // the next one of `out`, then of `in`
  volatile WireEnd end;
  int done;           // a semaphore, where there are loops
};

/// Another than these is the sketch's own talk: the loop's, or where a handler of onReceive() or
/// onRequest() runs that with the controller of the bus. Null: there is no memory for it.
WireTalk* wire_talk();

/// Hands the talk's bytes in, then reads, and waits for the end. `writes`: the device is addressed for
/// writing first, be it without a byte.
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

// --- As a device that others address (two_wire_slave.cpp), linked where a sketch is one: hocket_wire_listen() ---

extern void (*wire_on_receive)(int);
extern void (*wire_on_request)();

// Between the two files:

extern WireTalk wire_first_talk;   // of a sketch without loops; else of setup() and the plain loop
extern uint8_t wire_idle;          // TWCR while no transfer is under way
extern volatile bool wire_serves;  // a handler of onReceive() or onRequest() runs

}  // namespace hocket::uno

extern "C" {
/// From now on the board has this address.
void hocket_wire_listen(uint8_t address);
/// The interrupt's work where the controller of the bus is another. Masked.
void hocket_wire_slave(uint8_t status) __attribute__((weak));
/// The talk of wire_serves.
hocket::uno::WireTalk* hocket_wire_slave_talk() __attribute__((weak));
}
