// Every call that a sketch's side of the fence makes into the system, in one flat list.
//
// The Arduino functions (`arduino/api`) are written on top of these and of nothing else, so a board
// is complete when it supplies them: directly on `sim`, through a system-call table where the
// sketch runs unprivileged. Pins, ports and sizes come from the sketch and are checked by the
// callee: a bad pin is answered, never trusted.
//
// Context: any loop, and `setup()`. Calls that may wait say so; waiting blocks only the calling
// loop.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace hocket {
struct LoopDescriptor;  // loops.h
}

namespace hocket {
namespace sys {

// --- Time ---

/// Time since the board started, in nanoseconds. Never wraps, never goes back.
uint64_t now_ns();
/// Waits (blocks the loop) until `instant_ns` on the clock of now_ns(); returns at once if it has
/// passed.
void sleep_until_ns(uint64_t instant_ns);
/// Occupies the processor for at least `duration_ns` of time on the clock of now_ns().
void spin_ns(uint64_t duration_ns);
/// Offers the processor to another thread of the same virtual CPU; returns at once if there is
/// none.
void yield();

// --- Pins ---

enum class PinMode : uint8_t { Input, Output, InputPullup, InputPulldown, OutputOpenDrain };

/// Number of pins the board has; pins are 0 … pin_count()-1. Analog input An is pin
/// analog_base()+n.
unsigned pin_count();
unsigned analog_base();
unsigned analog_count();
/// False when the board has no such pin, or the pin lacks what is asked; nothing is changed then.
bool pin_mode(unsigned pin, PinMode mode);
bool pin_write(unsigned pin, bool high);
/// 0 or 1; 0 for a pin that does not exist.
int pin_read(unsigned pin);
/// Conversion result scaled to `bits` (1…16); 0 for a pin without a converter.
int analog_read(unsigned pin, unsigned bits);
/// Duty `value` of `maximum` on a pin with PWM at the board's PWM frequency. False: no PWM on this
/// pin.
bool pwm_write(unsigned pin, uint32_t value, uint32_t maximum);
/// Square wave of `hertz`, made by the board's timer (no processor time), for `duration_ms` (0:
/// until tone_stop). A new tone replaces the pin's old one.
bool tone_start(unsigned pin, uint32_t hertz, uint32_t duration_ms);
bool tone_stop(unsigned pin);
/// A servo's pulse train: `pulse_us` high every 20 ms, made by the board's timer; 0 stops it.
bool servo_write(unsigned pin, uint32_t pulse_us);

// --- Interrupts of pins (docs/decisions/interrupts-on-a-budget.md) ---

/// What of a pin's level counts as an event. The values are Arduino's.
enum class EdgeMode : uint8_t { Low = 0, High = 1, Change = 2, Falling = 3, Rising = 4 };
constexpr int kEdgeModes = 5;

struct PinCall {
  void (*handler)(void* parameter);
  void* parameter;
};

/// A pin's handler, and the entry of the table that it is for: of kind Handler or Direct. Or one of
/// kind BottomHalf, without anything else: that I/O virtual CPU has its budget from now on.
struct PinInterrupt {
  unsigned pin;
  int mode;  // an EdgeMode, or anything else that the sketch has written
  PinCall call;
  const LoopDescriptor* loop;
};

/// Each event from now on is one call of the handler. What was attached to the pin before is
/// detached. False: the pin or the mode cannot be, nothing has changed and the report says so.
bool attach_pin(const PinInterrupt& interrupt);
/// No call begins any more; events that have had none yet are lost, and counted. False: nothing was
/// attached.
bool detach_pin(unsigned pin);
/// In a loop of kind Handler: the call before this one has returned. Waits for the next event.
void next_pin_call(PinCall& call);

// --- Serial ports ---

/// Number of serial ports: port 0 is Serial, port 1 is Serial1, and so on. Behind them are the
/// lines at pins.
unsigned serial_count();
/// `buffer`: bytes for what has arrived and is not read yet, where the board can choose. False when
/// the rate is not one the board can make (300 … 2,000,000 on `sim`), or so large a buffer.
bool serial_begin(unsigned port, uint32_t baud, uint32_t buffer);
void serial_end(unsigned port);
/// Bytes waiting to be read; room for writing without waiting.
size_t serial_available(unsigned port);
size_t serial_room(unsigned port);
/// Next byte or -1.
int serial_read(unsigned port);
int serial_peek(unsigned port);
/// Queues `size` bytes; waits while the transmit buffer is full. All bytes of one call leave
/// together: no other loop's bytes come between them. Returns the bytes taken (0 when the port was
/// not begun).
size_t serial_write(unsigned port, const uint8_t* data, size_t size);
/// Waits until everything queued has left.
void serial_flush(unsigned port);
/// Waits until a byte is there or `instant_ns` has come, or for less; true when a byte is there.
bool serial_wait(unsigned port, uint64_t instant_ns);

/// Lines at any two pins at most, at which the board sends and receives without the processor.
constexpr unsigned kSerialLines = 8;
/// The port of the line that receives at `rx` and sends at `tx` (a pin that does not exist: not at
/// all), 8 data bits, no parity, 1 stop bit, low while idle if `inverted`; the same for the same
/// pins. It is not begun. -1: the board has no such lines, or all are taken.
int serial_line(unsigned rx, unsigned tx, bool inverted);
/// Whether a line takes what arrives; its buffer is empty when it begins to.
void serial_listen(unsigned port, bool on);
/// Whether a byte found the line's buffer full since this was last asked.
bool serial_overflowed(unsigned port);

// --- Buses and EEPROM (docs/reference/buses.md) ---

/// How an I²C transfer ended. The values are what Wire's endTransmission() answers.
enum class I2cEnd : uint8_t {
  Done = 0,
  NoDevice = 2,  // nobody has acknowledged the address
  NotTaken = 3,  // the device has not acknowledged a byte
  Failed = 4,    // there is no such bus, the caller must not wait, or a byte was lost on the way
  TimedOut = 5,  // a device held a line for too long
};
constexpr uint32_t kSlowestI2c = 1'000, kFastestI2c = 5'000'000;  // Hz
/// Bytes of a transfer each way.
constexpr uint16_t kLongestI2c = 1024;

/// Bytes to a device, bytes from it, or one after the other with a repeated start between.
struct I2cTransfer {
  const void* out;
  void* in;
  uint16_t out_size;
  uint16_t in_size;     // 0: nothing is read
  uint32_t hertz;       // clock; kept between kSlowestI2c and kFastestI2c
  uint16_t received;    // the answer: bytes that came
  uint8_t address;      // 7 bits
  bool writes;          // the address is sent for writing, even with no byte after it
  uint32_t timeout_us;  // it is given up when devices have held it up for longer; 0: never
};

/// Number of I²C buses: bus 0 is Wire. 0 where the board has none.
unsigned i2c_count();
/// One transfer, from start to stop. Waits until the bus is free and until the last bit has gone;
/// no other loop's transfer comes between.
I2cEnd i2c_transfer(unsigned bus, I2cTransfer& transfer);

constexpr uint32_t kSlowestSpi = 1'000, kFastestSpi = 100'000'000;  // Hz
constexpr uint32_t kLongestSpi = 4096;

/// For each byte out one comes in.
struct SpiTransfer {
  const void* out;  // null: bytes of 0xff
  void* in;         // null: what comes is not wanted; may be `out`
  uint32_t size;    // up to kLongestSpi
  uint32_t hertz;   // clock; kept between kSlowestSpi and kFastestSpi
  uint8_t mode;     // 0 to 3: clock polarity in bit 1, phase in bit 0
  bool lowest_first;
};
/// How long its bits take.
constexpr uint64_t spi_time_ns(const SpiTransfer& transfer) {
  const uint32_t hertz = transfer.hertz < kSlowestSpi   ? kSlowestSpi
                         : transfer.hertz > kFastestSpi ? kFastestSpi
                                                        : transfer.hertz;
  return uint64_t{transfer.size} * 8 * 1'000'000'000 / hertz;
}
/// A wait as long as this sleeps; a shorter one would cost more than it gives to others.
constexpr uint64_t kWorthSleeping = 50'000;

/// Number of SPI buses: bus 0 is SPI. 0 where the board has none.
unsigned spi_count();
/// One transfer. Waits until the bus is free and, when that is worth sleeping for, until the last
/// bit has gone; else that is left to the caller to spin for (spi_time_ns). False: there is no such
/// bus, the transfer is too long, or the caller must not wait.
bool spi_transfer(unsigned bus, const SpiTransfer& transfer);

/// Bytes of the board's EEPROM; 0 where it has none.
unsigned eeprom_size();
/// The byte at this address, 255 where there is none. Waits while one is being written.
int eeprom_read(unsigned address);
/// Writes a byte, which takes kEepromWrite: waits until the one before is done.
void eeprom_write(unsigned address, uint8_t value);
constexpr uint64_t kEepromWrite = 3'400'000;  // ns

// --- FIFOs to and from programs of Linux beside (docs/reference/fifos.md) ---

/// FIFO 0, 2, 4 and 6 go to Linux, 1, 3, 5 and 7 come from it. A wrong number is a fault of the
/// loop.
constexpr unsigned kFifos = 8;
/// Bytes of the longest record.
constexpr size_t kLongestRecord = 4088;
/// What of the next record a call takes: as many bytes as fit, of as many records as it takes; it,
/// whole; it, if it has exactly that length. A record that is not taken so is thrown away.
enum class FifoTake : uint8_t { Bytes, Record, Exactly };

struct FifoState {
  bool has_linux;      // a Linux runs beside
  bool is_open;        // a program of its has the other end open
  uint32_t available;  // bytes of the next record that are still there
  uint32_t room;       // the longest record that has room for certain
  uint32_t records;    // put, or got to their ends
  uint32_t lost;       // records refused, or thrown away
  uint32_t lost_bytes;
  uint32_t corrupted;  // how often Linux wrote what could not be
};

/// One record of `size` bytes, whole or not at all. False: it was refused (no room, no such length,
/// no Linux beside) and counted. Never waits.
bool fifo_put(unsigned fifo, const void* data, size_t size);
/// Bytes taken, at most `size`; 0: there is nothing. Never waits.
size_t fifo_get(unsigned fifo, void* buffer, size_t size, FifoTake take);
void fifo_state(unsigned fifo, FifoState& state);

// --- Loops, locks and faults ---

/// Identifier of the running loop (0: the plain loop() or setup()), and the core it runs on.
unsigned loop_id();
unsigned core_id();
/// Parks the calling loop (blocks it) until it has a permit or `instant_ns` has come, which is
/// never for UINT64_MAX. True: it had a permit, and has it no longer; false: the time has come. A
/// permit may be older than what the caller waits for, so look again after true.
bool park_until_ns(uint64_t instant_ns);
/// Gives the loop with this identifier its permit: it goes on, or does not wait the next time. A
/// loop has one permit or none, so several given together are one. 0 is setup() while that runs,
/// then the plain loop(). False when there is no such loop. Never blocks.
bool unpark(unsigned loop);
/// What a loop that was declared suspended asks for, and what came of it.
struct EdfContract {
  uint32_t deadline_ms, wcet_ms, period_ms;
  char why_not[200];  // empty: it is admitted
};
/// In setup(): whether the loop can be guaranteed that by earliest deadline first beside all that
/// is admitted; false: nothing has changed, and the contract says why.
bool edf_prepare(unsigned loop, EdfContract& contract);
/// Lets a loop begin that edf_prepare() has admitted: with all others, or at once when they run.
/// False: it has not been admitted, or has been resumed before.
bool edf_resume(unsigned loop);
/// Takes one from a count that is a Semaphore's, or waits for it until `until_ns` (UINT64_MAX: for
/// ever); true: it has one. Who came first is served first. The sketch itself may change a count
/// that is not below 0 and stays so; below 0 it says who waits and is the system's to change.
bool semaphore_take(int* count, uint64_t until_ns);
/// The same without an end.
#ifdef HOCKET_SHORT_SEMAPHORES  // where 64 bits are dear
void semaphore_take(int* count);
#else
inline void semaphore_take(int* count) {
  static_cast<void>(semaphore_take(count, UINT64_MAX));
}
#endif
/// Gives one: to whoever has waited longest at this count, else to the count. Never blocks.
void semaphore_give(int* count);
/// Ticket spinlock; the word starts at 0. While it is held the loop cannot be preempted on its
/// core. Locking a lock the loop already holds, or unlocking one it does not hold, is a fault of
/// that loop.
void spin_lock(uint32_t* lock);
void spin_unlock(uint32_t* lock);
/// noInterrupts() / interrupts(): from here on no handler of a pin's interrupt begins, on any core,
/// and those in the middle have ended (may wait for that), until the same loop lets them again.
/// Edges are remembered meanwhile, and loops go on being scheduled. A handler that calls it has
/// its own end at the latest.
void hold_pin_handlers(bool held);
/// Stops the calling loop for good and reports `text` (kept by pointer) as its fault, made at the
/// instruction `where` (null: not known).
[[noreturn]] void fault(const char* text, const void* where = nullptr);
/// Seed for random() when the sketch sets none: derived from the run's seed, so that runs repeat.
uint32_t entropy();

}  // namespace sys
}  // namespace hocket
