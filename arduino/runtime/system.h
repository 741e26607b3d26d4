// All calls that a sketch makes into the system, in one flat list.
//
// The Arduino functions (`arduino/api`) use only these, so a board is complete when it supplies
// them. On `sim` they are called directly; where the sketch runs unprivileged they go through a
// table of system calls. Pins, ports and sizes come from the sketch, and the callee checks them: it
// answers a bad pin, and never trusts one.
//
// Context, unless stated otherwise: any loop, and `setup()`. A call that may wait says so; waiting
// blocks only the calling loop.
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
/// Blocks the loop until `instant_ns` on the clock of now_ns(). Returns at once if that has passed.
void sleep_until_ns(uint64_t instant_ns);
/// Spins for at least `duration_ns` on the clock of now_ns().
void spin_ns(uint64_t duration_ns);
/// Yields the processor to another thread of the same virtual CPU. Returns at once if there is
/// none.
void yield();

// --- Pins ---

enum class PinMode : uint8_t { Input, Output, InputPullup, InputPulldown, OutputOpenDrain };

/// Number of pins of the board; pins are 0 … pin_count()-1. Analog input An is pin analog_base()+n.
unsigned pin_count();
unsigned analog_base();
unsigned analog_count();
/// Returns false if the board has no such pin or the pin lacks the function; nothing has changed
/// then.
bool pin_mode(unsigned pin, PinMode mode);
bool pin_write(unsigned pin, bool high);
/// 0 or 1; 0 for a pin that does not exist.
int pin_read(unsigned pin);
/// Conversion result scaled to `bits` (1…16); 0 for a pin without a converter.
int analog_read(unsigned pin, unsigned bits);
/// PWM of duty `value`/`maximum` at the board's PWM frequency. Returns false if the pin has no PWM.
bool pwm_write(unsigned pin, uint32_t value, uint32_t maximum);
/// Starts a square wave of `hertz`, made by the board's timer without processor time, for
/// `duration_ms` (0: until tone_stop). A new tone replaces the pin's old one.
bool tone_start(unsigned pin, uint32_t hertz, uint32_t duration_ms);
bool tone_stop(unsigned pin);
/// A servo's pulse train: high for `pulse_us` every 20 ms, made by the board's timer. 0 stops it.
bool servo_write(unsigned pin, uint32_t pulse_us);

// --- Interrupts of pins (docs/decisions/interrupts-on-a-budget.md) ---

/// Which levels or edges of a pin count as events. The values are Arduino's.
enum class EdgeMode : uint8_t { Low = 0, High = 1, Change = 2, Falling = 3, Rising = 4 };
constexpr int kEdgeModes = 5;

struct PinCall {
  void (*handler)(void* parameter);
  void* parameter;
};

/// A pin's handler, and the table entry that it is for, of kind Handler or Direct. With an entry of
/// kind BottomHalf the other fields are ignored: that I/O virtual CPU has the entry's budget from
/// now on.
struct PinInterrupt {
  unsigned pin;
  int mode;  // an EdgeMode, or any other value that the sketch passed
  PinCall call;
  const LoopDescriptor* loop;
};

/// Attaches a handler: each event from now on causes one call. First detaches what was attached to
/// the pin. Returns false if the pin or the mode is impossible; then nothing has changed, and the
/// report says so.
bool attach_pin(const PinInterrupt& interrupt);
/// Detaches the pin's handler. No call begins any more. Events without a call are lost and counted.
/// Returns false if nothing was attached.
bool detach_pin(unsigned pin);
/// Only in a loop of kind Handler. The previous call has returned; waits for the next event.
void next_pin_call(PinCall& call);

// --- Serial ports ---

/// Number of serial ports: port 0 is Serial, port 1 is Serial1, and so on. Lines at pins
/// (serial_line()) have the numbers after those.
unsigned serial_count();
/// `buffer`: size in bytes for data that has arrived and was not read, on boards that can choose.
/// Returns false if the board cannot make the baud rate (300 … 2,000,000 on `sim`) or the buffer.
bool serial_begin(unsigned port, uint32_t baud, uint32_t buffer);
void serial_end(unsigned port);
/// Bytes that can be read; bytes that can be written without waiting.
size_t serial_available(unsigned port);
size_t serial_room(unsigned port);
/// The next byte, or -1.
int serial_read(unsigned port);
int serial_peek(unsigned port);
/// Queues `size` bytes; waits while the transmit buffer is full. All bytes of one call are sent
/// together: no other loop's bytes come between them. Returns the number of bytes taken (0 if the
/// port was not begun).
size_t serial_write(unsigned port, const uint8_t* data, size_t size);
/// Waits until all queued bytes have been sent.
void serial_flush(unsigned port);
/// Waits until a byte is available or until `instant_ns`; may return earlier. True: a byte is
/// available.
bool serial_wait(unsigned port, uint64_t instant_ns);

/// The most serial lines, each at any two pins, on which the board transfers without the processor.
constexpr unsigned kSerialLines = 8;
/// The port of the line that receives at `rx` and sends at `tx`; 8 data bits, no parity, 1 stop
/// bit. A pin that does not exist disables that direction. `inverted`: low while idle. The same
/// pins give the same port. The port is not begun. Returns -1 if the board has no such lines or all
/// are taken.
int serial_line(unsigned rx, unsigned tx, bool inverted);
/// Whether a line accepts data. Its buffer is empty when it starts to.
void serial_listen(unsigned port, bool on);
/// Whether a byte was lost to a full buffer since the last call.
bool serial_overflowed(unsigned port);

// --- Buses and EEPROM (docs/reference/buses.md) ---

/// How an I²C transfer ended. The values are those of Wire's endTransmission().
enum class I2cEnd : uint8_t {
  Done = 0,
  NoDevice = 2,  // no device acknowledged the address
  NotTaken = 3,  // the device did not acknowledge a byte
  Failed = 4,    // no such bus, a caller that must not wait, or a byte lost on the way
  TimedOut = 5,  // a device held a line for too long
};
constexpr uint32_t kSlowestI2c = 1'000, kFastestI2c = 5'000'000;  // Hz
/// The most bytes of a transfer, each way.
constexpr uint16_t kLongestI2c = 1024;

/// Writes bytes to a device, reads bytes from it, or writes and then reads with a repeated start
/// between.
struct I2cTransfer {
  const void* out;
  void* in;
  uint16_t out_size;
  uint16_t in_size;     // 0: nothing is read
  uint32_t hertz;       // clock; clamped to kSlowestI2c … kFastestI2c
  uint16_t received;    // result: bytes received
  uint8_t address;      // 7 bits
  bool writes;          // the address is sent for writing, even with no byte after it
  uint32_t timeout_us;  // aborts when devices have held the bus for longer; 0: never
};

/// Number of I²C buses: bus 0 is Wire. 0 where the board has none.
unsigned i2c_count();
/// One transfer, from start to stop. Waits until the bus is free and until the last bit has been
/// sent. Transfers of other loops do not come between.
I2cEnd i2c_transfer(unsigned bus, I2cTransfer& transfer);

constexpr uint32_t kSlowestSpi = 1'000, kFastestSpi = 100'000'000;  // Hz
constexpr uint32_t kLongestSpi = 4096;

/// One transfer; each byte sent also receives one.
struct SpiTransfer {
  const void* out;  // null: sends 0xff
  void* in;         // null: received bytes are dropped; may equal `out`
  uint32_t size;    // up to kLongestSpi
  uint32_t hertz;   // clock; clamped to kSlowestSpi … kFastestSpi
  uint8_t mode;     // 0 to 3: clock polarity in bit 1, phase in bit 0
  bool lowest_first;
};
/// How long the bits of a transfer take, in nanoseconds.
constexpr uint64_t spi_time_ns(const SpiTransfer& transfer) {
  const uint32_t hertz = transfer.hertz < kSlowestSpi   ? kSlowestSpi
                         : transfer.hertz > kFastestSpi ? kFastestSpi
                                                        : transfer.hertz;
  return uint64_t{transfer.size} * 8 * 1'000'000'000 / hertz;
}
/// The shortest wait (ns) that sleeps. For a shorter one, a sleep would cost more than it frees.
constexpr uint64_t kWorthSleeping = 50'000;

/// Number of SPI buses: bus 0 is SPI. 0 where the board has none.
unsigned spi_count();
/// One transfer. Waits until the bus is free. Waits until the last bit only if that is worth
/// sleeping for; otherwise the caller must spin for spi_time_ns(). Returns false if there is no
/// such bus, the transfer is too long, or the caller must not wait.
bool spi_transfer(unsigned bus, const SpiTransfer& transfer);

/// Bytes of the board's EEPROM; 0 where it has none.
unsigned eeprom_size();
/// The byte at this address; 255 if there is none. Waits while a write is in progress.
int eeprom_read(unsigned address);
/// Writes a byte, which takes kEepromWrite. Waits until the previous write is done.
void eeprom_write(unsigned address, uint8_t value);
constexpr uint64_t kEepromWrite = 3'400'000;  // ns

// --- FIFOs to and from programs on the Linux beside the loops (docs/reference/fifos.md) ---

/// FIFOs 0, 2, 4 and 6 go to Linux; 1, 3, 5 and 7 come from it. A wrong number is a fault of the
/// loop.
constexpr unsigned kFifos = 8;
/// Bytes of the longest record.
constexpr size_t kLongestRecord = 4088;
/// What fifo_get() takes. Bytes: as many bytes as fit, from as many records as needed; the rest of
/// a record stays. Record: the next record, if it fits whole. Exactly: the next record, if it has
/// exactly that length. A record that Record or Exactly cannot take is discarded.
enum class FifoTake : uint8_t { Bytes, Record, Exactly };

struct FifoState {
  bool has_linux;      // a Linux runs beside the loops
  bool is_open;        // a Linux program has opened the other end
  uint32_t available;  // bytes of the next record that are not read yet
  uint32_t room;       // the longest record that is certain to fit
  uint32_t records;    // records put, or read to their ends
  uint32_t lost;       // records refused or discarded
  uint32_t lost_bytes;
  uint32_t corrupted;  // how often Linux wrote impossible values
};

/// Puts one record of `size` bytes, whole or not at all. Returns false if it was refused (no room,
/// an illegal length, no Linux) and counts it. Never waits.
bool fifo_put(unsigned fifo, const void* data, size_t size);
/// Returns the number of bytes taken, at most `size`; 0: nothing is available. Never waits.
size_t fifo_get(unsigned fifo, void* buffer, size_t size, FifoTake take);
void fifo_state(unsigned fifo, FifoState& state);

// --- Loops, locks and faults ---

/// The running loop's number (0: the plain loop() or setup()), and the core that it runs on.
unsigned loop_id();
unsigned core_id();
/// Blocks the calling loop until it has a permit or until `instant_ns` (UINT64_MAX: never). Returns
/// true if it had a permit, which is consumed; false if the time has come. A permit may be older
/// than the condition that the caller waits for, so check the condition after true.
bool park_until_ns(uint64_t instant_ns);
/// Gives the loop with this number its permit: it continues, or does not block at its next park. A
/// loop has at most one permit, so several that are given together count as one. 0 is setup() while
/// that runs, then the plain loop(). Returns false if there is no such loop. Never blocks.
bool unpark(unsigned loop);
/// The contract that a suspended loop asks for, and the answer.
struct EdfContract {
  uint32_t deadline_ms, wcet_ms, period_ms;
  char why_not[200];  // empty: it was admitted
};
/// Only in setup(). Tests whether EDF can guarantee the contract beside all that is admitted, and
/// admits the loop. On false nothing has changed, and `why_not` says why.
bool edf_prepare(unsigned loop, EdfContract& contract);
/// Starts a loop that edf_prepare() has admitted: with all others, or at once if they already run.
/// Returns false if it was not admitted or was resumed before.
bool edf_resume(unsigned loop);
/// Takes one from a Semaphore's count, or blocks until `until_ns` (UINT64_MAX: for ever). Returns
/// true if it got one. Waiting threads are served in FIFO order. The sketch may change a count
/// itself as long as it was not negative and stays so. A negative count encodes the waiting
/// threads, and only the system changes it.
bool semaphore_take(int* count, uint64_t until_ns);
/// The same without a time limit.
#ifdef HOCKET_SHORT_SEMAPHORES  // for processors on which 64-bit numbers are costly
void semaphore_take(int* count);
#else
inline void semaphore_take(int* count) {
  static_cast<void>(semaphore_take(count, UINT64_MAX));
}
#endif
/// Gives one to the thread that has waited longest at this count, or else to the count. Never
/// blocks.
void semaphore_give(int* count);
/// A ticket spinlock; the word starts at 0. May wait. No other loop can preempt the holder on its
/// core. Locking a lock that the loop already holds, or unlocking one that it does not hold, is a
/// fault of that loop.
void spin_lock(uint32_t* lock);
void spin_unlock(uint32_t* lock);
/// noInterrupts() and interrupts(). After hold_pin_handlers(true) returns, no handler of a pin
/// interrupt begins on any core, and all that were running have ended (this may wait), until the
/// same loop calls hold_pin_handlers(false). Edges are remembered meanwhile, and loops are
/// scheduled as usual. A handler's section ends with the handler at the latest.
void hold_pin_handlers(bool held);
/// Stops the calling loop for good and reports `text` as its fault, at the instruction `where`
/// (null: not known). `text` is kept by pointer.
[[noreturn]] void fault(const char* text, const void* where = nullptr);
/// A seed for random(), if the sketch sets none. Derived from the run's seed, so that runs repeat.
uint32_t entropy();

}  // namespace sys
}  // namespace hocket
