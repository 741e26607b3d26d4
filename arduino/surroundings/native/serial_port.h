// A board's own serial port on a PL011: queues in both directions, and one byte of lookahead.
//
// Invariants
// - Each section (arduino/surroundings/native/ordinary_lock.h) moves at most kPiece bytes into the
// queue and
//   kMostAtOnce through each of the UART's FIFOs, whatever the caller asks for. So it stays within
//   the longest masked section that the board declares (tests/system/test_native_boards.py).
// - No code waits inside a section. Code that waits for the line sleeps between two sections.
#pragma once

#include "arduino/surroundings/native/ordinary_lock.h"
#include "kernel/base/types.h"
#include "ports/contract/lines.h"

namespace hocket {

/// `Uart` is a drivers::Pl011 with an input clock of `kClock` Hz and interrupt `kInterrupt`, which
/// is handled on core 0.
template <class Port, class Uart, uint32_t kClock, uint32_t kInterrupt>
class SerialPort {
 public:
  static constexpr uint32_t kLowestRate = 300;  // bits per second
  static constexpr size_t kPiece = 16;

  /// `handler` must call serve().
  static void init(port::LineHandler handler = &serve) {
    const port::LineUse use{.trigger = port::Trigger::Level, .level = port::Level::Ordinary};
    if (!Port::line_attach(kInterrupt, handler, nullptr, use)) Port::halt("the UART has no line");
    Port::line_unmask(kInterrupt);
  }
  /// The line's handler.
  static void serve(void*) {
    const Guard guard(lock_);
    Uart::interrupt();
  }

  /// Sets the rate. The content of the UART's FIFO is sent first, at the old rate; queued bytes are
  /// sent at the new one. Returns false if the board cannot make this rate; the port is then off.
  /// Threads only; waits with `sleep(nanoseconds)`, at most as long as a full FIFO takes.
  template <class Sleep>
  static bool begin(uint32_t baud, Sleep sleep) {
    for (unsigned waits = 0;; ++waits) {
      {
        const Guard guard(lock_);
        Uart::pause();
        if (waits == kMostWaits || Uart::quiet()) return set(baud);
      }
      sleep(wait_ns());
    }
  }
  static bool begun() { return begun_; }

  /// Queues as many bytes as there is room for. Other threads' bytes may come between two pieces.
  static size_t write(const uint8_t* data, size_t size) { return write(data, size, false); }

  /// The same for a line of the system's own. No other bytes come in the middle of it, unless it
  /// takes longer than kLongestLine. Threads only; waits with `sleep` for at most two lines of
  /// others.
  template <class Sleep>
  static void tell(const uint8_t* data, size_t size, Sleep sleep) {
    constexpr uint64_t kLookAgainNs = 1'000'000;
    for (unsigned waits = 0; waits < 2 * kLongestLineNs / kLookAgainNs && !claim(); ++waits) {
      sleep(kLookAgainNs);
    }
    write(data, size, true);
    const Guard guard(lock_);
    claimed_ = false;
  }

  static size_t room() {
    const Guard guard(lock_);
    return claimed() ? 0 : Uart::room();
  }
  static bool idle() { return !begun_ || Uart::idle(); }

  /// Sends all that is queued. At the end, with nothing else running.
  static void flush() {
    Uart::go_on();
    while (!idle()) Uart::interrupt();
  }

  static size_t available() {
    const Guard guard(lock_);
    return Uart::available() + (ahead_ == kNothing ? 0 : 1);
  }
  static int read() {
    const Guard guard(lock_);
    const int byte = look();
    ahead_ = kNothing;
    return byte;
  }
  static int peek() {
    const Guard guard(lock_);
    return look();
  }

 private:
  using Guard = native::OrdinaryLock<Port>;
  using Ticks = typename Port::Ticks;
  static constexpr int kNothing = -1;
  static constexpr unsigned kMostWaits = 33;  // the longest FIFO, and the byte on the line
  static constexpr uint64_t kSecondNs = 1'000'000'000;
  static constexpr uint64_t kLongestLineNs = 10'000'000;
  static constexpr auto kLongestLine = static_cast<Ticks>(Port::kTickHz / 100);
  static_assert(kLongestLineNs == kSecondNs / 100);

  /// At least the time of a byte at the present rate; at first the rate is unknown, so the lowest.
  static uint64_t wait_ns() {
    constexpr uint64_t kShortestNs = 100'000;
    const uint32_t rate = rate_ == 0 ? kLowestRate : rate_;
    return larger(kShortestNs, 10 * kSecondNs / rate);
  }

  // With the lock:

  static bool set(uint32_t baud) {
    begun_ = Uart::init(baud < kLowestRate ? 0 : baud, kClock);
    rate_ = begun_ ? baud : 0;
    ahead_ = kNothing;
    return begun_;
  }
  static bool claimed() { return claimed_ && Port::now() < claimed_until_; }
  static int look() {
    uint8_t byte;
    if (ahead_ == kNothing && Uart::take_byte(byte)) {
      ahead_ = byte;
      Uart::resume();
    }
    return ahead_;
  }

  // Without the lock:

  static bool claim() {
    const Guard guard(lock_);
    if (claimed()) return false;
    claimed_ = true;
    claimed_until_ = Port::now() + kLongestLine;
    return true;
  }
  static size_t write(const uint8_t* data, size_t size, bool claimed_it) {
    size_t taken = 0;
    while (taken < size) {
      const size_t piece = smaller(size - taken, kPiece);
      const Guard guard(lock_);
      if (!begun_ || (!claimed_it && claimed())) break;
      const size_t more = Uart::queue_bytes(data + taken, piece);
      taken += more;
      if (more < piece) break;
    }
    return taken;
  }

  inline static typename Port::Lock lock_{};
  inline static bool begun_ = false;
  inline static uint32_t rate_ = 0;  // 0: not known
  inline static int ahead_ = kNothing;
  inline static bool claimed_ = false;  // by a line of the system's own
  inline static Ticks claimed_until_ = 0;
};

}  // namespace hocket
