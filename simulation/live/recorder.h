// Notes what happens on a board that is watched: edges, who runs, what Serial sends. Between two
// looks it keeps so much and no more; the rest is counted.
//
// It is called wherever the board is, in the middle of what it does: it allocates nothing then.
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
  static constexpr size_t kMostSerial = 64 * 1024;  // bytes of a port

  Recorder(unsigned cores, const std::vector<program::LoopFacts>& loops);

  void pin_changed(Nanos when, unsigned pin, char level) override;
  void event(const Event& event) override;
  void serial_out(Nanos when, unsigned port, uint8_t byte);

  /// How much has happened that a step ends at.
  uint64_t happened() const { return happened_; }
  /// Calls this at the next such thing, once.
  void on_next(std::function<void()> function) { on_next_ = std::move(function); }

  /// Members of a frame, `"serial": […], …`, of what was noted since the last time; forgets it.
  std::string take(Nanos now);
  /// The share of the time since the last take() that a pin was high, in ten thousandths; -1: all
  /// or none of it. To be asked before take().
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
  std::vector<Running> running_;  // on each core
  std::vector<int> loops_;        // of each thread; -1: none
  std::map<int, Nanos> deadlines_;
  std::array<Sent, sim::pinout::kSerialPorts> sent_;
  std::array<Level, sim::pinout::kPins> levels_{};
  uint64_t lost_ = 0, happened_ = 0;
  std::function<void()> on_next_;
  Nanos taken_ = 0;
};

}  // namespace hocket::live
