// The protocol between a board in an emulator and the world around it: pins, serial ports, report.
//
// The world is a program on the host (simulation/peer) that simulates the same parts and serial
// ports as the board `sim`. The kernel sends a Request through semihosting to a named pipe and
// reads the Reply from another. Virtual time stands still meanwhile, so an access costs the board
// only its own instructions, and runs repeat to the byte. Requests are made one at a time, and
// their times never decrease.
//
// To make polling of a pin cheap, a reply contains the levels of all pins and how long they are
// valid: before the instant `quiet_until` nothing changes at a pin or arrives at a serial port
// unless the board acts. Until then reads need no request. (The first read of a pin should still be
// a request: the wave file only contains pins that were requested.)
//
// For a pin that the board watches for edges (PinWatch), each reply says at which watched pins
// there were edges since the last reply, and when the first of them came. So a board that sends a
// request at each `quiet_until` can reproduce every edge at a pin of its own at that instant. The
// world counts the edges; those that the board does not report have merged in its latch.
//
// Order: Hello, then anything, then the facts, then Goodbye. Facts of one kind may come in several
// requests. kNever (-1 as a signed number) in `value` is an instant that never comes. A request
// with its payload may be written in pieces; a reply with its payload is written at once.
//
// All fields are little-endian, without padding. The world checks everything that it reads: a
// request that breaks these rules ends the run as a defect of the kernel.
#pragma once

#include <stdint.h>

#include "admission/stated.h"

namespace hocket::world {

inline constexpr uint32_t kVersion = 8;
inline constexpr unsigned kMostPins = 128;
inline constexpr uint32_t kMostPayload = 64 * 1024;
inline constexpr uint64_t kNever = UINT64_MAX;

enum class Operation : uint16_t {
  Hello = 1,  // a: kVersion, b: cores there are; reply payload: Settings
  Look = 2,   // only the time; also sent at `look_at`
  // a: pin; value: 1 done, 0 refused, unless stated otherwise
  PinMode = 10,     // b: mode
  PinWrite = 11,    // b: level
  PinRead = 12,     // value: level
  AnalogRead = 13,  // b: bits; value: the conversion's result
  PwmWrite = 14,    // b: value, c: maximum
  ToneStart = 15,   // b: hertz, c: milliseconds
  ToneStop = 16,
  ServoWrite = 17,  // b: microseconds
  PinWatch = 18,  // b: a sys::EdgeMode, or another value to stop watching; pin kMostPins: all pins
  // a: port
  SerialBegin = 20,  // b: baud; c: receive buffer, bytes (0: the usual); value: 1 or 0
  SerialEnd = 21,
  SerialAvailable = 22,   // value: bytes
  SerialRoom = 23,        // value: bytes
  SerialRead = 24,        // value: byte or -1
  SerialPeek = 25,        // value: byte or -1
  SerialWrite = 26,       // payload: bytes; value: how many were taken
  SerialBegun = 27,       // value: 1 or 0
  SerialRoomAt = 28,      // b: bytes; value: instant, ns
  SerialDataAt = 29,      // value: instant, ns
  SerialLine = 34,        // a: pin that receives, b: pin that sends, c: 1 for inverted; value: a
                          // port, or -1
  SerialListen = 35,      // b: 1 or 0
  SerialOverflowed = 36,  // value: 1 or 0
  // a: bus
  I2cTransfer = 30,  // b, c: see I2cWords; payload: the bytes to write; reply payload: I2cAnswer
                     // and the bytes read
  SpiTransfer = 31,  // b, c: see SpiWords; payload: the bytes out, or none; reply payload: the
                     // bytes in, when they are wanted; value: ns that it lasts
  EepromRead = 32,   // a: address; value: the byte
  EepromWrite = 33,  // a: address; b: the byte
  // For the report; these do not advance the devices
  Log = 40,             // payload: records of the event log (docs/reference/event-log.md)
  Facts = 50,           // payload: RunFacts
  CoreFacts = 51,       // payload: CoreFacts[]
  LoopFacts = 52,       // payload: LoopFacts[]
  FaultFacts = 53,      // payload: FaultFacts[]
  InterruptFacts = 56,  // payload: InterruptFacts[]
  BesideFacts = 57,     // payload: BesideFacts
  NoRoomFacts = 58,     // payload: NoRoomFacts
  // The inputs of admission, in ticks (admission/stated.h)
  BoundCosts = 70,       // payload: stated::Costs
  BoundRanks = 71,       // payload: stated::Rank[]: each core's in order, then those refused
  BoundInterrupts = 72,  // payload: stated::Interrupts[]
  BoundDelivery = 73,    // payload: stated::Delivery[]
  BoundDirect = 74,      // payload: stated::Direct[]
  Reason = 54,           // payload: text of one refusal
  Notice = 55,           // payload: text of one notice, or why the sketch cannot be used
  Goodbye = 60,          // a: End; the last request; value: exit status for the emulator
};

struct Request {
  uint32_t payload;  // bytes that follow
  uint16_t operation;
  uint16_t core;
  uint64_t time;  // ns
  uint64_t a;
  uint64_t b;
  uint64_t c;
};
static_assert(sizeof(Request) == 40);

/// The fields of an I²C transfer in b and c; the payload is the bytes to write.
struct I2cWords {
  uint32_t hertz;       // b: bits 0 to 31
  uint32_t timeout_us;  // b: from bit 32 on
  uint64_t address;     // c: bits 0 to 6
  bool writes;          // c: bit 7
  uint64_t reads;       // c: bytes, from bit 8 on
  uint64_t b() const { return hertz | uint64_t{timeout_us} << 32; }
  uint64_t c() const { return address | uint64_t{writes} << 7 | reads << 8; }
  static I2cWords from(uint64_t b, uint64_t c) {
    return {.hertz = static_cast<uint32_t>(b),
            .timeout_us = static_cast<uint32_t>(b >> 32),
            .address = c & 0x7f,
            .writes = (c & 0x80) != 0,
            .reads = c >> 8};
  }
};
struct I2cAnswer {
  uint64_t lasts;  // ns
  uint32_t end;    // a sys::I2cEnd
  uint32_t received;
};
static_assert(sizeof(I2cAnswer) == 16);

/// The fields of an SPI transfer.
struct SpiWords {
  uint64_t hertz;     // b
  uint64_t mode;      // c: bits 0 and 1
  bool lowest_first;  // c: bit 2
  bool wanted;        // c: bit 3: the received bytes
  uint64_t size;      // c: bytes, from bit 8 on
  uint64_t c() const {
    return mode | uint64_t{lowest_first} << 2 | uint64_t{wanted} << 3 | size << 8;
  }
  static SpiWords from(uint64_t b, uint64_t c) {
    return {.hertz = b,
            .mode = c & 3,
            .lowest_first = (c & 4) != 0,
            .wanted = (c & 8) != 0,
            .size = c >> 8};
  }
};

struct Reply {
  int64_t value;
  uint64_t quiet_until;             // ns
  uint64_t look_at;                 // ns: when the world wants a Look; kNever: it does not
  uint64_t levels[kMostPins / 64];  // bit p: what pin_read(p) would answer
  uint64_t edges[kMostPins / 64];   // bit p: watched, with edges since the last reply
  uint64_t first_edge;              // ns: the first of those edges; kNever: there was none
  uint32_t payload;                 // bytes that follow
  uint32_t stop;                    // 1: the run is over (text seen, limit, Ctrl-C): send Goodbye
};
static_assert(sizeof(Reply) == 72);

/// What the kernel gets at the beginning.
struct Settings {
  uint64_t duration;  // ns of board time to run; kNever: no end
  uint64_t seed;
  uint32_t cores;       // how many the run should use
  uint32_t check_only;  // 1: admission analysis, nothing runs
  uint32_t log;         // 1: the run needs events
  uint32_t pin_count;
  uint32_t analog_base;
  uint32_t analog_count;
  uint32_t serial_count;
  uint32_t i2c_count;
  uint32_t spi_count;
  uint32_t eeprom_size;  // bytes
};
static_assert(sizeof(Settings) == 56);

/// Why a run ended, as seen by the kernel.
enum class End : uint32_t {
  Time = 0,
  Stopped = 1,
  Fault = 2,
  Refused = 3,
  Check = 4,
  Unusable = 5
};

/// An unknown number; null in the report.
inline constexpr uint64_t kUnknown = UINT64_MAX;

struct RunFacts {
  uint64_t duration;  // ns
  uint32_t accepted;
  uint32_t cores;
  uint32_t in_setup;  // setup() had not returned
  uint32_t restarts;  // of the sketch, after faults
  uint64_t thread_switches, preemptions, timer_interrupts, sleeps, wakes, ipis;
  uint64_t interrupt_entry, context_switch, timer_interrupt;  // declared costs, ns
  uint64_t timer_lateness, longest_masked;
  uint64_t longest_masked_seen;                         // ns or kUnknown
  uint64_t longest_spin_seen;                           // ns
  uint64_t spin_blocking, activation, smallest_budget;  // ns
  uint32_t pieces;                                      // of a period
  uint32_t refills;
  uint64_t pin_interrupts;  // top halves
  uint64_t sections;        // number of sections between noInterrupts() and interrupts()
  uint64_t longest_section, longest_section_wait;  // ns
  uint64_t given_up;          // handlers that noInterrupts() stopped waiting for
  uint64_t remembered;        // edges that came during sections
  uint64_t section_bound;     // how long handlers may be held back, or kUnknown
  uint64_t section_declared;  // ns; 0: not declared
  uint64_t revoked;           // how often handlers went on before all sections had ended
};
static_assert(sizeof(RunFacts) == 232);

struct CoreFacts {
  uint32_t utilization_ppm;
  uint32_t liu_layland_ppm;
};
static_assert(sizeof(CoreFacts) == 8);

/// The kind of a loop, as declared.
enum class Kind : uint32_t { Loop = 0, Periodic = 1, Handler = 2, BottomHalf = 3 };

struct LoopFacts {
  uint32_t id;
  uint32_t kind;  // a Kind
  uint32_t core;
  uint32_t reserved;
  uint64_t budget, period, deadline;  // ns
  uint64_t iterations;
  uint64_t cpu_time;             // ns, its own work
  uint64_t kernel_time;          // ns of the kernel's work for it
  uint64_t least_cpu, most_cpu;  // ns in any whole period, or kUnknown
  uint64_t exhausted, releases, deadline_misses;
  uint64_t worst_response;                        // ns
  uint64_t response_bound;                        // ns
  uint64_t overruns, skipped;                     // or kUnknown
  uint32_t switches, preemptions, sleeps, wakes;  // of its thread
  uint64_t stack_size, stack_used;
};
static_assert(sizeof(LoopFacts) == 168);

/// A pin's interrupt, or a handler's loop to which nothing was attached.
struct InterruptFacts {
  int32_t pin;                  // -1: not known
  int32_t mode;                 // a sys::EdgeMode; -1: not known
  uint32_t loop;                // the loop that calls the handler; 0: a direct handler
  uint32_t line;                // the line of its declaration in `file`; 0: none
  uint64_t budget, period;      // ns
  uint64_t bound, paper_bound;  // ns, or kUnknown
  uint32_t attached;            // 0: the following fields are invalid
  uint32_t longest;             // ns: a direct handler's longest call
  uint64_t edges, delivered, pending;
  uint64_t no_room, detached, stopped, too_soon;  // lost
  uint64_t longest_delay;                         // ns
  char file[256];                                 // ends with a 0 unless all are used
};
static_assert(sizeof(InterruptFacts) == 376);

/// The state of the other system, as seen by the kernel.
enum class BesideState : uint32_t { Running = 1, Off = 2, Restarting = 3 };

inline constexpr unsigned kMostBesideCores = 8;

/// Facts of another system beside the kernel.
struct BesideFacts {
  uint32_t state;     // a BesideState
  uint32_t restarts;  // how often it was started again
  uint32_t cores_on;
  uint32_t reserved;
  uint64_t time[kMostBesideCores];  // ns that it ran on each core
};
static_assert(sizeof(BesideFacts) == 80);

/// Calls for memory that found none: the first one, and the number of all.
struct NoRoomFacts {
  int32_t loop;         // -1: setup(); -2: a direct handler
  uint32_t code_count;  // how many of `codes` are valid
  uint64_t bytes, times;
  uint64_t codes[12];  // the sketch's calls in progress, innermost first
};
static_assert(sizeof(NoRoomFacts) == 120);

struct FaultFacts {
  int32_t loop;      // -1: setup(), or a direct handler
  int32_t pin;       // the pin of the direct handler; -1: none
  uint32_t restart;  // 1: the sketch was restarted after it
  uint32_t unused;
  uint64_t address;  // or kUnknown
  uint64_t code;     // the sketch's instruction, or kUnknown
  char kind[24];     // ends with a 0 unless all are used
  char text[120];
};
static_assert(sizeof(FaultFacts) == 176);

}  // namespace hocket::world
