// One simulated board with its surroundings: processor, wires, parts, console, watchers.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "simulation/avr/call_times.h"
#include "simulation/avr/event_log.h"
#include "simulation/avr/serial_watch.h"
#include "simulation/avr/terminal.h"
#include "simulation/avr/watcher.h"
#include "simulation/avr/wiring.h"
#include "simulation/program/call_watch.h"
#include "simulation/program/console.h"

namespace hocket::avr {

/// The sketch's output on Serial: to the terminal, and to listeners on the line.
class BoardConsole : public program::Console {
 public:
  using Listener = std::function<void(Nanos when, uint8_t byte)>;

  /// `name` precedes its lines on the terminal; empty: they are shown unchanged.
  BoardConsole(const program::Options& options, Terminal& terminal, std::string name)
      : Console(options), terminal_(terminal), name_(std::move(name)) {}
  void listen(Listener listener) { listener_ = std::move(listener); }

  void serial_out(Nanos when, unsigned port, uint8_t byte) override {
    Console::serial_out(when, port, byte);
    if (port == 0 && listener_) listener_(when, byte);
  }

 private:
  void write(const std::string& text) override { terminal_.write(name_, text); }

  Terminal& terminal_;
  std::string name_;
  Listener listener_;
};

class Board {
 public:
  /// Throws BadFirmware, DeviceError, UsageError. The options and the image must outlive it.
  Board(const program::Options& options, const uno::Firmware& firmware,
        const uno::Declared& declared, BoardConsole& console);

  /// Executes one instruction, or sleeps until `end` at the latest.
  void step(Cycles end);
  Cycles cycle() const { return mcu_.cycle(); }
  /// Before this cycle it does nothing by itself that is visible from outside.
  Cycles quiet_until() const;
  /// Why it has ended; nullopt: it has not.
  const std::optional<program::StopReason>& ended() const { return ended_; }

  sim::Devices& devices() { return *devices_; }
  const Watcher& watcher() const { return watcher_; }
  Mcu& mcu() { return mcu_; }
  BoardConsole& console() { return console_; }
  EventLog& log() { return log_; }
  /// The devices have been changed from outside, now.
  void told() {
    wiring_.look_again();
    if (wiring_.update()) watcher_.parts_moved();
  }
  /// Measures calls of functions from now on.
  void time_calls(const CallTimes& times) { call_times_ = times; }
  /// Adds a sentence to the report, besides those that it finds itself.
  void notice(const std::string& text) { notices_.push_back(text); }

  /// Ends the run: completes the facts and writes files. Returns the exit status.
  int finish(program::StopReason reason, program::RunFacts& facts);

 private:
  const program::Options& options_;
  BoardConsole& console_;
  std::unique_ptr<sim::Devices> devices_;
  Mcu mcu_;
  Wiring wiring_;
  EventLog log_;
  const uno::Declared& declared_;
  Watcher watcher_;
  std::optional<program::CallWatch> calls_;  // only with a kernel
  std::deque<SerialWatch> serial_;           // by port; they must not move
  std::optional<CallTimes> call_times_;      // only when asked for
  std::optional<program::StopReason> ended_;
  std::vector<std::string> notices_;
};

}  // namespace hocket::avr
