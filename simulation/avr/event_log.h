// The event log of the simulator: the events that a kernel with a log would have written, derived
// from outside.
#pragma once

#include <string_view>
#include <vector>

#include "kernel/trace/event.h"
#include "simulation/avr/mcu.h"
#include "simulation/program/log_file.h"
#include "simulation/program/options.h"

namespace hocket::avr {

class EventLog {
 public:
  static constexpr uint16_t kSetup = 0;  // a thread's number; loops follow in their order
  static constexpr uint16_t kNobody = Event::kNoThread;

  /// Without a file nothing is kept. Throws UsageError if it cannot be written.
  explicit EventLog(const std::string& file) {
    if (!file.empty() && !file_.open(file, 1)) {
      throw program::UsageError{"cannot write the event log to " + file};
    }
  }
  bool close() { return file_.close(); }
  bool is_open() const { return file_.is_open(); }
  /// Sets the listener, with or without a file; null: none. The threads are named and setup() runs
  /// before a listener can be set, so it gets those events first.
  void listen(program::EventListener* listener) {
    file_.listen(listener);
    if (listener == nullptr) return;
    for (const Event& event : begin_) listener->event(event);
  }

  /// Sets a second listener, in every run; null: none.
  void watch(program::EventListener* watch) { watch_ = watch; }

  void record(Cycles when, EventKind kind, uint16_t thread, uint32_t arg = 0, uint64_t value = 0) {
    const Event event{nanos(when), 0, kind, thread, arg, value};
    if (when == 0) begin_.push_back(event);
    if (watch_ != nullptr) watch_->event(event);
    if (file_.is_open()) file_.append(event);
  }
  /// The same, with an instant.
  void record_until(Cycles when, EventKind kind, uint16_t thread, Cycles instant) {
    record(when, kind, thread, 0, nanos(instant));
  }
  void name_interrupt(unsigned number, std::string_view name) {
    uint64_t value = 0;
    for (size_t i = 0; i < name.size() && i < sizeof value; ++i) {
      value |= uint64_t{static_cast<uint8_t>(name[i])} << 8 * i;
    }
    record(0, EventKind::InterruptNamed, kNobody, number, value);
  }

 private:
  program::LogFile file_;
  program::EventListener* watch_ = nullptr;
  std::vector<Event> begin_;  // events recorded before the first instruction
};

}  // namespace hocket::avr
