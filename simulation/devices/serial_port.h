// One serial port: 64 bytes to send, 64 bytes received (or as many as asked for), ten bits a byte
// at the baud rate.
//
//   sketch → [64 bytes] → line out → listeners (the program's output, parts on the port)
//   sketch ← [64 bytes] ← line in  ← bytes that parts put on the line
//
// Invariants: byte n of an uninterrupted burst ends exactly n·10 bit times after the burst began
// (rounded down to a nanosecond, never summed up); a byte keeps its place in the transmit buffer
// until its stop bit has ended; a byte that arrives while 64 wait, or while the port is not begun,
// is lost and counted.
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

/// What a part on the port may do.
class SerialListener {
 public:
  virtual ~SerialListener() = default;
  /// The port sends this byte; its start bit begins now.
  virtual void port_sends(Nanos, uint8_t) {}
  /// The port sent this byte; now is the end of its stop bit.
  virtual void port_sent(Nanos now, uint8_t byte) = 0;
  /// True when a byte still to be sent by the port may make this part send one.
  virtual bool may_answer() const = 0;
  /// When the part will next put bytes on the line by itself; kNever when it will not.
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

  // The board's side: see Devices.
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

  // The parts' side.
  /// False when another part sends to this port already.
  bool claim_sender() { return !std::exchange(has_sender_, true); }
  /// Puts bytes on the line to the port, after those that are on it already.
  void put(Nanos now, const std::string& bytes);
  /// Bytes that are on the line to the port and have not arrived.
  size_t on_line() const { return on_line_.size(); }
  /// A byte whose stop bit ends now (from a line of its own timing).
  void receive(uint8_t byte);
  /// Whether a byte found the buffer full since it was last asked.
  bool overflowed() { return std::exchange(overflowed_, false); }
  /// Of the bytes that were read so many have not reached the sketch: for its own buffer was full,
  /// or the processor's receiver, or that was off.
  void lost(uint64_t no_room, uint64_t overrun, uint64_t unheard) {
    lost_to_room_ += no_room;
    overruns_ = overrun;
    lost_unopened_ += unheard;
    bytes_received_ -= no_room + overrun + unheard;
  }

  void facts(Facts& facts, Nanos end) const;
  /// What the user of the port, called so, should know; empty: nothing.
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
  uint64_t version_ = 0;  // of the byte being sent; end() makes its event void
  uint64_t bytes_sent_ = 0, bytes_received_ = 0, bytes_discarded_ = 0;
  uint64_t lost_to_room_ = 0, lost_unopened_ = 0, overruns_ = 0;
  uint64_t unsent_unopened_ = 0;
  bool has_sender_ = false, overflowed_ = false;
  bool full_ = false;
  Nanos full_since_ = 0, full_ns_ = 0;
};

}  // namespace hocket::sim
