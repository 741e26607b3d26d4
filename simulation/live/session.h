// An interactive run: commands arrive, frames are sent, and the board's time keeps pace with the
// host's (docs/reference/lab-protocol.md). The same for every board that has Devices.
//
// The program that runs the board calls look() whenever it was told to, and makes touches at their
// instants:
//
//   cores and devices ── look(soonest, next) ──▶ waits, answers commands, plans touches
//                     ── touch(now)          ──▶ the devices are touched
//
// A planned touch is made in the same way as one from a file, so a run with the touches of another
// run repeats that run. Invariants: no touch is planned before `soonest`, because some core has
// already been there; nothing else in this class changes the devices or the machine.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulation/live/line_pipe.h"
#include "simulation/live/pace.h"
#include "simulation/live/recorder.h"
#include "simulation/live/touches.h"
#include "simulation/program/facts.h"

namespace hocket::live {

/// The options of an interactive run.
struct LiveOptions {
  int in = -1, out = -1;  // -1: no viewer, only touches from the file
  bool paused = false;
  std::vector<Touch> touches{};  // from the file
  bool watched() const { return out >= 0; }
  /// Whether the run has a viewer or touches.
  bool any() const { return watched() || touched; }
  bool touched = false;
  /// The instant at which the file ends the run; kNever: it does not.
  Nanos end() const;
};

/// `--live IN,OUT`, `--touches FILE` and `--paused`.
std::vector<program::FurtherOption> live_options(LiveOptions& options);

class Session {
 public:
  static constexpr Nanos kNever = UINT64_MAX;

  /// When to look again: while a core runs; before the board continues with a core or a device.
  struct Again {
    Nanos within, between;
  };

  /// Throws UsageError if a touch of the file is impossible.
  Session(const LiveOptions& options, sim::Devices& devices, Recorder& recorder);

  /// The session's callbacks to the program that runs the board.
  struct Board {
    /// It is to look soon.
    std::function<void()> look_soon;
    /// Whether the run was ended by something else.
    std::function<bool()> stopping;
    /// The loops' accounts at this instant, in their order. Must not change anything.
    std::function<std::vector<program::LoopCounts>(Nanos)> counts;
  };
  /// Sends the hello line. `facts`: what is known before the run.
  void begin(const program::RunFacts& facts, Nanos duration, Board board);

  /// No core has been beyond `soonest` (exclusive), and nothing happens before `next`.
  Again look(Nanos soonest, Nanos next);

  /// The instant of the next touch.
  Nanos next_touch() const { return planned_.empty() ? kNever : planned_.front().at; }
  /// Makes the touches that are due.
  void touch(Nanos now);
  /// The instant at which a user ended the run.
  Nanos end() const { return end_; }

  /// The run is over: sends the last frame.
  void finish(Nanos now);

 private:
  enum class Goes : uint8_t { On, ToNext, Not };

  void obey(const std::string& line, Nanos soonest);
  bool obey(const Object& command, const std::string& what, Nanos soonest, std::string& wrong);
  void plan(Touch touch, Nanos soonest);
  void note_made(const Touch& touch);
  void stand(Nanos here);
  void wait(Nanos limit);
  void walk(Nanos next);
  void show(Nanos now);
  void maybe_show();
  std::string frame();
  std::string pins();
  std::string parts();
  std::string loops();

  sim::Devices& devices_;
  Recorder& recorder_;
  std::optional<LinePipe> pipe_;
  std::vector<sim::PartView> views_;
  Board board_;

  std::deque<Touch> planned_;
  Nanos end_ = kNever;
  std::optional<Touch> ended_;  // by the user
  Goes goes_ = Goes::On;
  bool over_ = false;
  Nanos touched_at_ = 0;  // instant of the last touch that was made
  unsigned waiting_ = 0;  // touches by commands that are pending
  Nanos urgent_ = 0;  // the board must reach this instant for a touch, even if time stands still
  Nanos here_ = 0;    // the instant that is displayed
  Nanos until_ = kNever;   // where time stands still
  uint64_t happened_ = 0;  // count at the beginning of a step
  Pace pace_;
  Nanos quantum_ = 1'000'000;  // board time between two looks
  Nanos looked_ = 0;           // host time

  // The content of the last frame.
  std::vector<program::LoopCounts> counts_;
  Nanos shown_at_ = 0, shown_here_ = 0;
  bool shown_ = false, stale_ = true;
  std::vector<std::string> pins_, parts_;
  std::string touched_;
};

}  // namespace hocket::live
