// A run that people watch and touch: commands come, frames go, and the board's time keeps pace with
// this computer's (docs/reference/lab-protocol.md). The same for every board that has Devices.
//
// Who runs the board asks look() wherever it was told to, and makes touches at their instants:
//
//   cores and devices ── look(soonest, next) ──▶ waits, answers commands, plans touches
//                     ── touch(now)          ──▶ the devices are touched
//
// A touch that was planned is made in the same way as one that comes from a file, so a run with the
// touches of another is that run again. Invariants: no touch is planned before `soonest`, before
// which some core has been already; nothing else that is done here changes the devices or the
// machine.
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

/// The options of such a run.
struct LiveOptions {
  int in = -1, out = -1;  // nobody watches: only touches of the file
  bool paused = false;
  std::vector<Touch> touches{};  // of the file
  bool watched() const { return out >= 0; }
  /// There is anything of this in the run.
  bool any() const { return watched() || touched; }
  bool touched = false;
  /// When the file ends the run; kNever: it does not.
  Nanos end() const;
};

/// `--live IN,OUT`, `--touches FILE` and `--paused`.
std::vector<program::FurtherOption> live_options(LiveOptions& options);

class Session {
 public:
  static constexpr Nanos kNever = UINT64_MAX;

  /// When to look again: while a core runs; before the board goes on with a core or a device.
  struct Again {
    Nanos within, between;
  };

  /// Throws UsageError when a touch of the file cannot be made.
  Session(const LiveOptions& options, sim::Devices& devices, Recorder& recorder);

  /// What the session asks of who runs the board.
  struct Board {
    /// It is to look soon.
    std::function<void()> look_soon;
    /// Whether the run has been ended by something else.
    std::function<bool()> stopping;
    /// The loops' accounts at this instant, in their order. Changes nothing.
    std::function<std::vector<program::LoopCounts>(Nanos)> counts;
  };
  /// Says hello. `facts`: what is known before the run.
  void begin(const program::RunFacts& facts, Nanos duration, Board board);

  /// Nobody has been beyond `soonest` (excluded); nothing happens before `next`, at the earliest.
  Again look(Nanos soonest, Nanos next);

  /// When the next touch is to be made.
  Nanos next_touch() const { return planned_.empty() ? kNever : planned_.front().at; }
  /// Makes those that are due.
  void touch(Nanos now);
  /// When the run ends because somebody wants it to.
  Nanos end() const { return end_; }

  /// The run is over: the last frame.
  void finish(Nanos now);

 private:
  enum class Goes : uint8_t { On, ToNext, Not };

  void obey(const std::string& line, Nanos soonest);
  bool obey(const Object& command, const std::string& what, Nanos soonest, std::string& wrong);
  void plan(Touch touch, Nanos soonest);
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
  Goes goes_ = Goes::On;
  bool over_ = false;
  Nanos touched_at_ = 0;   // the last touch that was made
  unsigned waiting_ = 0;   // touches by commands that are not made yet
  Nanos urgent_ = 0;       // a touch waits for the board to come there, standing or not
  Nanos here_ = 0;         // the instant that is shown
  Nanos until_ = kNever;   // it stands there
  uint64_t happened_ = 0;  // before a step
  Pace pace_;
  Nanos quantum_ = 1'000'000;  // of the board's time, between two looks
  Nanos looked_ = 0;           // by this computer's clock

  // What the last frame said.
  std::vector<program::LoopCounts> counts_;
  Nanos shown_at_ = 0, shown_here_ = 0;
  bool shown_ = false, stale_ = true;
  std::vector<std::string> pins_, parts_;
  std::string touched_;
};

}  // namespace hocket::live
