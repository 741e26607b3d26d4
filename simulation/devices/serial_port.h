// One serial port: a transmit buffer of 64 bytes, a receive buffer of 64 bytes (or the size asked
// for), ten bits for each byte at the baud rate.
//
//   sketch → [64 bytes] → line out → listeners (the program's output, parts on the port)
//   sketch ← [64 bytes] ← line in  ← bytes that parts put on the line
//
// Invariants: byte n of an uninterrupted burst ends exactly n·10 bit times after the burst began
// (rounded down to a nanosecond, never accumulated); a byte keeps its place in the transmit buffer
// until its stop bit has ended; a byte that arrives while the receive buffer is full, or while the
// port is not begun, is lost and counted.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "simulation/devices/event_queue.h"
#include "simulation/devices/facts.h"
#include "simulation/devices/pinout.h"

namespace hocket::sim {

/// The interface of a part on the port.
class SerialListener {
 public:
  virtual ~SerialListener() = default;
  /// The port sends this byte; its start bit begins now.
  virtual void port_sends(Nanos, uint8_t) {}
  /// The port has sent this byte; its stop bit ends now.
  virtual void port_sent(Nanos now, uint8_t byte) = 0;
  /// Whether a byte that the port has yet to send may make this part send one.
  virtual bool may_answer() const = 0;
  /// When the part will next send bytes by itself; kNever: it will not.
  virtual Nanos sends_at() const = 0;
};

/// The instants at which the bytes of one direction end.
class SerialLine {
 public:
  void set_baud(Nanos now, uint32_t baud);
  uint32_t baud() const { return baud_; }
  /// A burst begins now: the line was idle.
  void begin_burst(Nanos now) {
    anchor_ = now;
    sent_ = 0;
  }
  /// The end of the stop bit of the byte that comes `bytes` after those done.
  Nanos end_after(uint64_t bytes) const {
    return anchor_ + static_cast<Nanos>(static_cast<unsigned __int128>(sent_ + bytes) *
                                        10'000'000'000u / baud_);
  }
  void byte_done() { ++sent_; }

 private:
  uint32_t baud_ = 9600;
  Nanos anchor_ = 0;
  uint64_t sent_ = 0;
};

class SerialPort : private EventTarget {
 public:
  static constexpr size_t kBuffer = 64, kLargestBuffer = 65'536;

  SerialPort(EventQueue& events, DeviceSink& sink, unsigned number)
      : events_(events), sink_(sink), number_(number) {}

  void connect(SerialListener& listener) { listeners_.push_back(&listener); }

  // For the board: see Devices.
  bool begin(Nanos now, uint32_t baud, size_t buffer);
  void end(Nanos now);
  bool begun() const { return begun_; }
  uint32_t baud() const { return begun_ ? out_.baud() : 0; }
  size_t available() const { return received_.size(); }
  size_t room() const { return begun_ ? kBuffer - queued_.size() : 0; }
  int read();
  int peek() const { return received_.empty() ? -1 : received_.front(); }
  size_t write(Nanos now, const uint8_t* data, size_t size);
  Nanos room_at(size_t bytes) const;
  std::vector<uint8_t> waiting() const { return {queued_.begin(), queued_.end()}; }
  Nanos data_at() const;

  // For parts.
  /// Returns false if another part already sends to this port.
  bool claim_sender() { return !std::exchange(has_sender_, true); }
  /// Sends bytes to the port, after those that are already on the line.
  void put(Nanos now, const std::string& bytes);
  /// Bytes on the line to the port that have not arrived.
  size_t on_line() const { return on_line_.size(); }
  /// A byte whose stop bit ends now (from a line with its own timing).
  void receive(uint8_t byte);
  /// Whether a byte was lost to a full buffer since the last call.
  bool overflowed() { return std::exchange(overflowed_, false); }
  /// How many of the bytes that were read have not reached the sketch: because its own buffer was
  /// full, the processor's receiver was full, or the receiver was off.
  void lost(uint64_t no_room, uint64_t overrun, uint64_t unheard) {
    lost_to_room_ += no_room;
    overruns_ = overrun;
    lost_unopened_ += unheard;
    bytes_received_ -= no_room + overrun + unheard;
  }

  void facts(Facts& facts, Nanos end) const;
  /// A notice for the user of the port with this name; empty: none.
  std::string notice(const std::string& name) const;
  std::string notice() const {
    return notice("Serial" + (number_ == 0 ? "" : std::to_string(number_)));
  }

 private:
  enum Token : uint64_t { kSent = 0, kArrived = 1 };

  void due(Nanos now, uint64_t token) override;
  void send_next(Nanos now);
  void sent(Nanos now);
  void arrived(Nanos now);
  Nanos full_time(Nanos now) const { return full_ns_ + (full_ ? now - full_since_ : 0); }
  void note_fill(Nanos now);

  EventQueue& events_;
  DeviceSink& sink_;
  unsigned number_;
  std::vector<SerialListener*> listeners_;
  bool begun_ = false;
  size_t receive_buffer_ = kBuffer;
  SerialLine out_, in_;
  std::deque<uint8_t> queued_, on_line_, received_;
  uint64_t version_ = 0;  // of the byte being sent; end() invalidates its event
  uint64_t bytes_sent_ = 0, bytes_received_ = 0, bytes_discarded_ = 0;
  uint64_t lost_to_room_ = 0, lost_unopened_ = 0, overruns_ = 0;
  uint64_t unsent_unopened_ = 0;
  bool has_sender_ = false, overflowed_ = false;
  bool full_ = false;
  Nanos full_since_ = 0, full_ns_ = 0;
};

}  // namespace hocket::sim
