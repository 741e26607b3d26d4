// Arm PrimeCell UART PL011: 8 data bits, no parity, 1 stop bit; interrupt-driven with two queues.
//
//     queue_bytes() ─▶ [to send] ─▶ pump() ─▶ transmit FIFO ─▶ line
//     take_byte()   ◀─ [received] ◀─ interrupt() ◀─ receive FIFO ◀─ line
//
// Invariants
// - The queues have one writer and one reader each, so they need no lock between the interrupt and
//   the program. pump(), which moves bytes from "to send" into the FIFO, is called from both: the
//   program calls queue_bytes() with the UART's interrupt masked.
// - Received bytes for which the queue has no room stay in the FIFO, with its interrupts off until
//   resume() finds room. So a sender that can wait is held up, and one that cannot gains the FIFO's
//   capacity.
// - Every lost byte is counted: overruns() counts runs of bytes lost by the FIFO, line_errors()
//   counts bytes damaged on the line (framing, parity, break), which are not delivered.
// - The transmit interrupt is on exactly while "to send" holds bytes and sending is not paused.
// - No call waits for the line, and none moves more than kMostAtOnce bytes through a FIFO. What is
//   left raises the interrupt again.
//
// Source: PrimeCell UART (PL011) Technical Reference Manual (DDI 0183G), chapter 3; order of writes
// to the control registers: 3.3.7, 3.3.8; interrupts: 2.8.
#pragma once

#include "drivers/mmio.h"
#include "kernel/task/ring_buffer.h"

namespace hocket::drivers {

template <uintptr_t kBase, size_t kToSend = 256, size_t kReceived = 256, class Bus = MemoryBus>
class Pl011 {
 public:
  /// What interrupt() found, for threads that wait.
  struct Found {
    bool received;  // at least one byte can be taken
    bool room;      // queue_bytes() takes bytes again
  };

  /// The most bytes that one call moves through each FIFO. It exceeds the interrupt level of FIFOs
  /// of 16 and of 32 bytes (3.3.9), so that the transmit FIFO falls to its level afterwards.
  static constexpr unsigned kMostAtOnce = 16;

  /// Sets up the line, enables receiving and continues sending. Returns false, with the UART off,
  /// if no divisor gives this rate (3.3.5 allows 1 to 65535). Context: once at start, or again,
  /// with the UART's interrupt masked. Bytes in the FIFO are lost, and the byte on the line is
  /// damaged: to avoid that, wait until quiet() first.
  static bool init(uint32_t baud, uint32_t clock_hz) {
    Mask::write(0);
    Control::write(0);
    paused_ = false;
    LineControl::write(0);  // empties the FIFOs
    if (baud == 0) return false;
    // The divisor is in 64ths of clock / (16 · baud), rounded to the nearest.
    const uint64_t divisor = (uint64_t{clock_hz} * 8 / baud + 1) / 2;
    if (divisor < 64 || divisor > 65535ull * 64) return false;
    IntegerDivisor::write(static_cast<uint32_t>(divisor / 64));
    FractionalDivisor::write(static_cast<uint32_t>(divisor % 64));
    LineControl::write(kEightBits | kFifos);  // latches the divisors, so it comes after them
    FifoLevels::write(kTransmitAtEighth | kReceiveAtHalf);
    DmaControl::write(0);
    ClearInterrupt::write(kAllInterrupts);
    received_.clear();
    held_ = false;
    Control::write(kEnable | kTransmitEnable | kReceiveEnable);
    fetch();  // a byte that came before the interrupt was cleared must not wait for the next one
    pump();
    return true;
  }

  /// Stops moving bytes from the queue into the FIFO, until init() or go_on(). Context: as init().
  static void pause() {
    paused_ = true;
    Mask::write(receive_mask());
  }
  static void go_on() {
    paused_ = false;
    pump();
  }
  /// While paused: whether the FIFO's last stop bit has been sent. Context: anywhere.
  static bool quiet() { return (Control::read() & kEnable) == 0 || (Flags::read() & kBusy) == 0; }

  /// Puts as many bytes into the queue as fit, starts sending, and returns how many. Context: one
  /// caller at a time, the UART's interrupt masked. Bound: `size`, and 2 · kMostAtOnce accesses.
  static size_t queue_bytes(const uint8_t* data, size_t size) {
    size_t taken = 0;
    while (taken < size && to_send_.write(data[taken])) ++taken;
    pump();
    return taken;
  }

  /// The number of bytes that queue_bytes() is sure to take. Context: its caller.
  static size_t room() { return kToSend - to_send_.size(); }

  /// Whether the last stop bit of all queued bytes has been sent. Context: anywhere.
  static bool idle() { return to_send_.empty() && (Flags::read() & kBusy) == 0; }

  /// Moves the oldest received byte into `byte`; false if there is none. Context: one caller at a
  /// time, anywhere; no masking needed.
  static bool take_byte(uint8_t& byte) { return received_.read(byte); }

  /// Call after take_byte(): resumes receiving if the queue had no room. Context: one caller at a
  /// time, the UART's interrupt masked. Bound: as interrupt().
  static void resume() {
    if (!held_) return;
    fetch();
    pump();
  }

  /// The number of bytes that can be taken. Context: the caller of take_byte().
  static size_t available() { return received_.size(); }

  /// Handles the UART's interrupt, all causes. Context: its handler, on one core.
  /// Bound: 4 · kMostAtOnce accesses.
  static Found interrupt() {
    const bool full = to_send_.size() == kToSend;
    // Cleared before the FIFOs are served, so that later events interrupt again. The receive
    // interrupts clear themselves when the FIFO is read (2.8.2, 2.8.4).
    ClearInterrupt::write(kTransmit | kOverrunInterrupt);
    const bool received = fetch();
    pump();
    return {.received = received, .room = full && to_send_.size() < kToSend};
  }

  /// Writes bytes past the queues and polls for room each time: for fatal messages, whatever state
  /// the UART is in. Context: anywhere, masked. Waits 10 bit times for each byte.
  static void write_polled(const char* data, size_t size) {
    for (size_t i = 0; i < size; ++i) {
      while ((Flags::read() & kTransmitFull) != 0) {
      }
      Data::write(static_cast<uint8_t>(data[i]));
    }
  }

  static uint32_t overruns() { return overruns_; }
  static uint32_t line_errors() { return line_errors_; }

 private:
  using Data = Register<Bus, uint32_t, kBase + 0x00>;               // 3.3.1
  using Flags = Register<Bus, uint32_t, kBase + 0x18>;              // 3.3.3
  using IntegerDivisor = Register<Bus, uint32_t, kBase + 0x24>;     // 3.3.5
  using FractionalDivisor = Register<Bus, uint32_t, kBase + 0x28>;  // 3.3.6
  using LineControl = Register<Bus, uint32_t, kBase + 0x2c>;        // 3.3.7
  using Control = Register<Bus, uint32_t, kBase + 0x30>;            // 3.3.8
  using FifoLevels = Register<Bus, uint32_t, kBase + 0x34>;         // 3.3.9
  using Mask = Register<Bus, uint32_t, kBase + 0x38>;               // 3.3.10
  using ClearInterrupt = Register<Bus, uint32_t, kBase + 0x44>;     // 3.3.13
  using DmaControl = Register<Bus, uint32_t, kBase + 0x48>;         // 3.3.14

  static constexpr uint32_t kBusy = 1u << 3, kReceiveEmpty = 1u << 4, kTransmitFull = 1u << 5;
  static constexpr uint32_t kOverrun = 1u << 11, kSpoiled = 7u << 8;  // break, parity, framing
  static constexpr uint32_t kFifos = 1u << 4, kEightBits = 3u << 5;
  static constexpr uint32_t kEnable = 1u << 0, kTransmitEnable = 1u << 8, kReceiveEnable = 1u << 9;
  static constexpr uint32_t kTransmitAtEighth = 0, kReceiveAtHalf = 2u << 3;
  static constexpr uint32_t kReceive = 1u << 4, kTransmit = 1u << 5, kReceiveTimeout = 1u << 6,
                            kOverrunInterrupt = 1u << 10, kAllInterrupts = 0x7ff;
  static constexpr uint32_t kReceiveInterrupts = kReceive | kReceiveTimeout | kOverrunInterrupt;

  static uint32_t receive_mask() { return held_ ? 0 : kReceiveInterrupts; }

  static uint32_t transmit_mask() { return paused_ || to_send_.empty() ? 0 : kTransmit; }

  /// Moves bytes from the receive FIFO into the queue, as far as there is room.
  static bool fetch() {
    bool received = false;
    held_ = false;
    for (unsigned moved = 0; moved < kMostAtOnce && (Flags::read() & kReceiveEmpty) == 0; ++moved) {
      if (received_.size() == kReceived) {
        held_ = true;
        Mask::write(transmit_mask());
        return received;
      }
      const uint32_t data = Data::read();
      if ((data & kOverrun) != 0) ++overruns_;  // bytes were lost after the one before this
      if ((data & kSpoiled) != 0) {
        ++line_errors_;
      } else {
        received_.write(static_cast<uint8_t>(data));
        received = true;
      }
    }
    return received;
  }

  /// Fills the transmit FIFO from the queue, and enables the interrupt if bytes are left. The
  /// hardware interrupts when the FIFO *falls* to its level (2.8.3), so software must fill it
  /// first.
  static void pump() {
    uint8_t byte;
    for (unsigned moved = 0; moved < kMostAtOnce && !paused_; ++moved) {
      if ((Flags::read() & kTransmitFull) != 0 || !to_send_.read(byte)) break;
      Data::write(byte);
    }
    Mask::write(receive_mask() | transmit_mask());
  }

  static inline RingBuffer<uint8_t, kToSend> to_send_;
  static inline RingBuffer<uint8_t, kReceived> received_;
  static inline uint32_t overruns_ = 0, line_errors_ = 0;
  static inline bool held_ = false;    // the FIFO holds what the queue has no room for
  static inline bool paused_ = false;  // no bytes move from the queue into the FIFO
};

}  // namespace hocket::drivers
