// Records what happens on a board that is being viewed: edges, running loops, output of Serial.
// Between two looks it keeps a limited number of events and counts the rest.
//
// It is called in the middle of the board's actions, so it must not allocate.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "simulation/devices/pinout.h"
#include "simulation/devices/touch.h"
#include "simulation/program/facts.h"
#include "simulation/program/log_file.h"

namespace hocket::live {

using sim::Nanos;

class Recorder final : public sim::PinObserver, public program::EventListener {
 public:
  static constexpr size_t kMost = 4000;             // of each kind between two looks
  static constexpr size_t kMostSerial = 64 * 1024;  // bytes of each port

  Recorder(unsigned cores, const std::vector<program::LoopFacts>& loops);

  void pin_changed(Nanos when, unsigned pin, char level) override;
  void event(const Event& event) override;
  void serial_out(Nanos when, unsigned port, uint8_t byte);

  /// The number of events at which a single step may end.
  uint64_t happened() const { return happened_; }
  /// Calls this function at the next such event, once.
  void on_next(std::function<void()> function) { on_next_ = std::move(function); }

  /// The members of a frame, `"serial": […], …`, recorded since the last call; clears them.
  std::string take(Nanos now);
  /// The share of the time since the last take() during which a pin was high, in ten thousandths;
  /// -1: always or never. Call before take().
  int share(unsigned pin, Nanos now) const;

 private:
  struct Change {
    Nanos when;
    unsigned pin;
    char level;
  };
  struct Span {
    unsigned core;
    int loop;
    Nanos from, to;
    const char* why;
  };
  struct Release {
    int loop;
    Nanos at, deadline;
  };
  struct Running {
    bool anybody = false;
    uint16_t thread = 0;
    Nanos since = 0;
    const char* why = "preempted";
  };
  struct Sent {
    std::string text;
    Nanos at = 0;
  };
  struct Level {
    bool high = false;
    Nanos since = 0, high_ns = 0;
    uint32_t edges = 0;
  };

  void happens();
  void dispatch(const Event& event);
  void leave(uint16_t thread, const char* why);
  int loop_of(uint16_t thread) const { return loops_[thread]; }
  std::string serial();

  template <class Item>
  void keep(std::vector<Item>& list, const Item& item) {
    if (list.size() < kMost)
      list.push_back(item);
    else
      ++lost_;
  }

  std::vector<Change> changes_;
  std::vector<Span> spans_;
  std::vector<Release> releases_;
  std::vector<Running> running_;  // indexed by core
  std::vector<int> loops_;        // indexed by thread; -1: none
  std::map<int, Nanos> deadlines_;
  std::array<Sent, sim::pinout::kSerialPorts> sent_;
  std::array<Level, sim::pinout::kPins> levels_{};
  uint64_t lost_ = 0, happened_ = 0;
  std::function<void()> on_next_;
  Nanos taken_ = 0;
};

}  // namespace hocket::live
