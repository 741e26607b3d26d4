// One serial port: see serial_port.h.

#include "simulation/devices/serial_port.h"

#include <algorithm>

namespace hocket::sim {

/// A byte in progress at the change starts again at the new rate.
void SerialLine::set_baud(Nanos now, uint32_t baud) {
  baud_ = baud;
  begin_burst(now);
}

bool SerialPort::begin(Nanos now, uint32_t baud, size_t buffer) {
  if (baud < pinout::kLowestBaud || baud > pinout::kHighestBaud) return false;
  if (buffer > kLargestBuffer) return false;
  receive_buffer_ = buffer == 0 ? kBuffer : buffer;
  const bool rate_changes = !begun_ || baud != out_.baud();
  begun_ = true;
  if (!rate_changes) return true;
  out_.set_baud(now, baud);
  if (!queued_.empty()) send_next(now);
  // A byte being received was timed at its start; later ones use the new rate.
  return true;
}

void SerialPort::end(Nanos now) {
  if (!begun_) return;
  begun_ = false;
  ++version_;
  bytes_discarded_ += queued_.size();
  queued_.clear();
  received_.clear();
  note_fill(now);
}

int SerialPort::read() {
  if (received_.empty()) return -1;
  const int byte = received_.front();
  received_.pop_front();
  return byte;
}

size_t SerialPort::write(Nanos now, const uint8_t* data, size_t size) {
  if (!begun_) unsent_unopened_ += size;
  const size_t taken = std::min(size, room());
  if (taken == 0) return 0;
  const bool idle = queued_.empty();
  queued_.insert(queued_.end(), data, data + taken);
  if (idle) {
    out_.begin_burst(now);
    send_next(now);
  }
  note_fill(now);
  return taken;
}

Nanos SerialPort::room_at(size_t bytes) const {
  const size_t wanted = std::min(bytes, kBuffer);
  const size_t room = kBuffer - queued_.size();
  if (!begun_) return queued_.empty() ? events_.now() : kNever;
  return wanted <= room ? events_.now() : out_.end_after(wanted - room);
}

Nanos SerialPort::data_at() const {
  if (!received_.empty()) return events_.now();
  if (!begun_) return kNever;
  if (!on_line_.empty()) return in_.end_after(1);
  Nanos earliest = kNever;
  for (const SerialListener* listener : listeners_) {
    earliest = std::min(earliest, listener->sends_at());
    if (listener->may_answer() && !queued_.empty())
      earliest = std::min(earliest, out_.end_after(1));
  }
  return earliest;
}

void SerialPort::put(Nanos now, const std::string& bytes) {
  if (bytes.empty()) return;
  const bool idle = on_line_.empty();
  on_line_.insert(on_line_.end(), bytes.begin(), bytes.end());
  if (!idle) return;
  in_.set_baud(now, out_.baud());
  events_.schedule(in_.end_after(1), *this, kArrived);
}

void SerialPort::receive(uint8_t byte) {
  if (begun_ && received_.size() < receive_buffer_) {
    received_.push_back(byte);
    ++bytes_received_;
  } else {
    ++(begun_ ? lost_to_room_ : lost_unopened_);
    overflowed_ = begun_;
  }
}

void SerialPort::due(Nanos now, uint64_t token) {
  if ((token & 1) == kArrived) return arrived(now);
  if (token >> 1 == version_) sent(now);
}

void SerialPort::sent(Nanos now) {
  const uint8_t byte = queued_.front();
  queued_.pop_front();
  ++bytes_sent_;
  out_.byte_done();
  note_fill(now);
  sink_.serial_out(now, number_, byte);
  for (SerialListener* listener : listeners_) listener->port_sent(now, byte);
  if (!queued_.empty()) send_next(now);
}

void SerialPort::send_next(Nanos now) {
  events_.schedule(out_.end_after(1), *this, ++version_ << 1 | kSent);
  for (SerialListener* listener : listeners_) listener->port_sends(now, queued_.front());
}

void SerialPort::arrived(Nanos now) {
  receive(on_line_.front());
  on_line_.pop_front();
  if (in_.baud() == out_.baud())
    in_.byte_done();
  else
    in_.set_baud(now, out_.baud());
  if (!on_line_.empty()) events_.schedule(in_.end_after(1), *this, kArrived);
}

void SerialPort::note_fill(Nanos now) {
  const bool full = queued_.size() == kBuffer;
  if (full && !full_) full_since_ = now;
  if (!full && full_) full_ns_ += now - full_since_;
  full_ = full;
}

std::string SerialPort::notice(const std::string& name) const {
  std::string text;
  if (unsent_unopened_ > 0) {
    text = "The sketch wrote " + std::to_string(unsent_unopened_) + " bytes to " + name +
           " while it was closed, and they are lost: begin(115200) in setup() opens it.";
  }
  if (lost_to_room_ > 0) {
    const std::string lost = std::to_string(lost_to_room_);
    text += (text.empty() ? "" : " ") + name + " lost " + lost + " bytes: " + lost +
            " found its buffer of " + std::to_string(receive_buffer_) + " bytes full.";
  }
  return text;
}

void SerialPort::facts(Facts& facts, Nanos end) const {
  facts.count("port", number_);
  facts.count("bytes_sent", bytes_sent_);
  facts.count("bytes_queued", queued_.size());
  facts.count("bytes_discarded", bytes_discarded_);
  facts.count("bytes_received", bytes_received_);
  facts.count("bytes_lost", lost_to_room_ + lost_unopened_ + overruns_);
  Facts because;
  because.count("no_room", lost_to_room_);
  because.count("not_begun", lost_unopened_);
  because.count("overrun", overruns_);
  facts.json("lost_because", because.str());
  facts.micros("transmitter_full_us", full_time(end));
}

}  // namespace hocket::sim
