// An interactive run: see session.h.
#include "simulation/live/session.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "simulation/devices/facts.h"
#include "simulation/devices/waves.h"
#include "simulation/live/hello.h"

namespace hocket::live {
namespace {

constexpr Nanos kFrame = 50'000'000;         // host time
constexpr Nanos kBetween = 10'000'000;       // host time between two looks
constexpr Nanos kLongestWait = 200'000'000;  // a signal may have arrived just before
constexpr double kFastest = 1000;
constexpr unsigned kMostWaiting = 4'000;   // pending touches
constexpr Nanos kLookInStep = 10'000'000;  // board time, so that a command can stop it

/// An instant that is never reached: the end of an endless run.
bool is_never(Nanos when) {
  return when >= INT64_MAX / 4;
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

}  // namespace

Nanos LiveOptions::end() const {
  const bool ends = !touches.empty() && touches.back().what == Touch::What::End;
  return ends ? touches.back().at : Session::kNever;
}

std::vector<program::FurtherOption> live_options(LiveOptions& options) {
  const auto live = [&options](const char* value) {
    int used = 0;
    const bool read = std::sscanf(value, "%d,%d%n", &options.in, &options.out, &used) == 2;
    if (read && value[used] == '\0' && options.in >= 0 && options.out >= 0) return;
    throw program::UsageError{std::string("--live takes two descriptors, as 3,4, not \"") + value +
                              "\""};
  };
  const auto touches = [&options](const char* value) {
    options.touches = read_touches(value);
    options.touched = true;
  };
  const auto paused = [&options](const char*) { options.paused = true; };
  return {{"live", true, live}, {"touches", true, touches}, {"paused", false, paused}};
}

Session::Session(const LiveOptions& options, sim::Devices& devices, Recorder& recorder)
    : devices_(devices), recorder_(recorder), views_(devices.part_views()), end_(options.end()) {
  for (const Touch& touch : options.touches) {
    const std::string why_not = devices.why_not(touch);
    if (!why_not.empty())
      throw program::UsageError{"the touch at " + std::to_string(touch.at) +
                                " ns cannot be made: " + why_not};
    planned_.push_back(touch);
  }
  devices.observe(recorder);
  parts_.resize(views_.size());
  pins_.resize(devices.pin_count());
  if (!options.watched()) return;
  std::signal(SIGPIPE, SIG_IGN);
  pipe_.emplace(options.in, options.out);
  if (options.paused) goes_ = Goes::Not;
}

void Session::begin(const program::RunFacts& facts, Nanos duration, Board board) {
  board_ = std::move(board);
  if (!pipe_) return;
  pipe_->send(hello(facts, duration, devices_, views_, goes_ == Goes::Not ? "paused" : "running"));
  pace_.begin(0, 1);
}

Session::Again Session::look(Nanos soonest, Nanos next) {
  if (!pipe_) return {kNever, kNever};
  for (;;) {
    here_ = std::max(here_, devices_.reached());
    while (const auto line = pipe_->next()) obey(*line, soonest);
    if (pipe_->closed() && !over_) plan({}, soonest);
    if (over_ || board_.stopping()) return {kNever, kNever};
    if (!planned_.empty() && std::max(here_, planned_.front().at) <= next) {
      here_ = std::max(here_, planned_.front().at);
      return {0, 0};
    }
    if (goes_ == Goes::Not) {
      if (next < urgent_) return {urgent_, 0};
      maybe_show();
      pipe_->wait(static_cast<int>(kLongestWait / 1'000'000));
    } else if (goes_ == Goes::ToNext) {
      walk(next);
      if (goes_ == Goes::ToNext) return {next + kLookInStep, 0};
    } else if (until_ <= next) {
      stand(until_);
    } else if (const Nanos limit = until_ != kNever ? kNever : pace_.limit(here_);
               next > limit || is_never(next)) {
      wait(is_never(limit) ? here_ : std::min(limit, next));
    } else {
      here_ = std::max(here_, next);
      maybe_show();
      break;
    }
  }
  // Advance by an amount of board time that takes the host some milliseconds.
  const Nanos now = Pace::clock(), took = now - looked_;
  looked_ = now;
  if (took < kBetween / 2) quantum_ = std::min<Nanos>(quantum_ * 2, 1'000'000'000);
  if (took > kBetween * 2) quantum_ = std::max<Nanos>(quantum_ / 2, 1'000);
  const Nanos ahead = until_ != kNever ? until_ : pace_.limit(here_, kBetween);
  const Nanos again = std::max(next + 1, std::min(ahead, next + quantum_));
  return {again, again};
}

/// Advances to the next event, by the devices alone; no core acts before `next`.
void Session::walk(Nanos next) {
  while (recorder_.happened() == happened_ && !is_never(devices_.next_event()) &&
         devices_.next_event() <= next) {
    devices_.advance(devices_.next_event());
  }
  const bool happened = recorder_.happened() != happened_;
  if (happened || is_never(next)) stand(std::max(devices_.reached(), is_never(next) ? 0 : next));
}

void Session::stand(Nanos here) {
  here_ = std::max(here_, here);
  goes_ = Goes::Not;
  until_ = kNever;
  show(here_);
}

/// Waits until the board's time may reach `limit`, or input arrives.
void Session::wait(Nanos limit) {
  here_ = std::max(here_, limit);
  maybe_show();
  const Nanos now = Pace::clock();
  const Nanos frame = shown_at_ + kFrame > now ? shown_at_ + kFrame - now : 0;
  const Nanos most = pace_.times() == 0 ? kLongestWait : std::min({kLongestWait, frame, kBetween});
  pipe_->wait(static_cast<int>(most / 1'000'000 + 1));
}

void Session::touch(Nanos now) {
  if (now >= urgent_) waiting_ = 0;
  while (!planned_.empty() && planned_.front().at <= now) {
    const Touch touch = std::move(planned_.front());
    planned_.pop_front();
    if (touch.what == Touch::What::End) continue;  // the board's program ends there
    touched_at_ = touch.at;
    devices_.touch(now, touch);
    note_made(touch);
    stale_ = true;
  }
}

void Session::note_made(const Touch& touch) {
  touched_ += (touched_.empty() ? "" : ", ") + to_text(touch);
}

void Session::plan(Touch touch, Nanos soonest) {
  touch.at = std::max(soonest, here_);
  if (touch.what == Touch::What::End) {
    over_ = true;
    touch.at = std::max(touch.at, touched_at_ + 1);  // earlier touches are already part of the run
    end_ = touch.at;
    while (!planned_.empty() && planned_.back().at >= end_) planned_.pop_back();
    ended_ = std::move(touch);  // the others that are planned are made before it
    return;
  }
  urgent_ = touch.at;
  ++waiting_;
  const auto later = std::upper_bound(planned_.begin(), planned_.end(), touch.at,
                                      [](Nanos at, const Touch& t) { return at < t.at; });
  planned_.insert(later, std::move(touch));
}

void Session::obey(const std::string& line, Nanos soonest) {
  std::string wrong;
  const auto command = read_object(line, wrong);
  const auto what = command ? command->find("do") : Object::const_iterator{};
  if (command && (what == command->end() || what->second.kind != Value::Kind::Text)) {
    wrong = "it does not say what to do";
  } else if (command && obey(*command, what->second.text, soonest, wrong)) {
    stale_ = true;
    return;
  }
  pipe_->send("{\"is\": \"error\", \"text\": " + sim::json_string(wrong) + "}");
}

bool Session::obey(const Object& command, const std::string& what, Nanos soonest,
                   std::string& wrong) {
  const auto number_of = [&command](const char* name) {
    const auto found = command.find(name);
    return found == command.end() ? Value{} : found->second;
  };
  if (what == "run" || what == "step") {
    goes_ = what == "run" ? Goes::On : Goes::ToNext;
    until_ = kNever;
    happened_ = recorder_.happened();
    if (what == "step") recorder_.on_next([this] { board_.look_soon(); });
    pace_.begin(here_, pace_.times());
  } else if (what == "pause") {
    stand(here_);
  } else if (what == "until") {
    const auto at = whole(number_of("at"));
    if (!at || *at < here_) {
      wrong = "until needs at, which is not in the past";
      return false;
    }
    until_ = *at;
    goes_ = Goes::On;
  } else if (what == "speed") {
    const Value asked = number_of("times");
    const auto times = millionths(asked);
    const std::string digits = asked.text.substr(0, asked.text.find_first_of("eE"));
    // 0 means as fast as possible, so a value that is rounded to 0 is refused.
    const bool none = digits.find_first_of("123456789") == std::string::npos;
    if (!times || *times < 0 || (*times == 0 && !none) ||
        static_cast<double>(*times) > kFastest * 1e6) {
      wrong = "speed needs times: 0, or 0.000001 to 1000";
      return false;
    }
    pace_.begin(here_, static_cast<double>(*times) / 1e6);
  } else {
    auto touch = touch_of(command, wrong);
    if (touch && wrong.empty()) wrong = devices_.why_not(*touch);
    if (!touch && wrong.empty()) wrong = "there is no command " + sim::json_string(what);
    // Limits the number of pending touches, however fast commands arrive.
    if (wrong.empty() && touch->what != Touch::What::End && waiting_ >= kMostWaiting)
      wrong = std::to_string(kMostWaiting) + " touches wait for the board already";
    if (!wrong.empty()) return false;
    plan(std::move(*touch), soonest);
  }
  return true;
}

// --- Frames ---

void Session::maybe_show() {
  const bool due = goes_ != Goes::Not && Pace::clock() - shown_at_ >= kFrame;
  if (stale_ || due || !shown_) show(here_);
}

void Session::show(Nanos now) {
  here_ = std::max(here_, now);
  devices_.advance(here_);
  pipe_->send(frame());
}

void Session::finish(Nanos now) {
  over_ = true;
  if (!pipe_) return;
  goes_ = Goes::Not;
  here_ = std::max(here_, now);
  if (ended_) note_made(*ended_);
  pipe_->send(frame());
}

std::string Session::frame() {
  const Nanos clock = Pace::clock();
  const double passed = static_cast<double>(clock - shown_at_);
  const double pace =
      shown_ && passed > 0 ? static_cast<double>(here_ - shown_here_) / passed : 0.0;
  const char* const state = over_ ? "ended" : goes_ == Goes::Not ? "paused" : "running";
  std::string text = "{\"is\": \"frame\", \"now\": " + std::to_string(here_) + ", \"state\": \"" +
                     state + "\", \"speed\": " + number(pace_.times()) +
                     ", \"pace\": " + number(pace);
  const std::string changed_pins = pins(), changed_parts = parts();
  if (!changed_pins.empty()) text += ", \"pins\": [" + changed_pins + "]";
  if (!changed_parts.empty()) text += ", \"parts\": {" + changed_parts + "}";
  const std::string changed_loops = loops();
  if (!changed_loops.empty()) text += ", \"loops\": [" + changed_loops + "]";
  text += recorder_.take(here_);
  if (!touched_.empty()) text += ", \"touched\": [" + touched_ + "]";
  touched_.clear();
  shown_at_ = clock;
  shown_here_ = here_;
  shown_ = true;
  stale_ = false;
  return text + "}";
}

std::string Session::pins() {
  std::string all;
  for (unsigned pin = 0; pin < pins_.size(); ++pin) {
    const sim::PinView view = devices_.pin_view(pin);
    const bool level = view.level == '0' || view.level == '1';
    std::string text = "[" + std::to_string(pin) + ", ";
    text += level ? std::string(1, view.level) : std::string{'"', view.level, '"'};
    text += ", \"" + std::string(view.use) + '"';
    const int share = recorder_.share(pin, here_);
    if (share >= 0) text += ", " + sim::decimal(share, 4);
    text += "]";
    if (text == pins_[pin] && share < 0) continue;
    all += (all.empty() ? "" : ", ") + text;
    pins_[pin] = std::move(text);
  }
  return all;
}

std::string Session::parts() {
  std::string all;
  for (size_t i = 0; i < views_.size(); ++i) {
    std::string live = devices_.part_live(i, shown_here_);
    if (live == "{}" || live == parts_[i]) continue;
    all += (all.empty() ? "" : ", ") + sim::json_string(views_[i].name) + ": " + live;
    parts_[i] = std::move(live);
  }
  return all;
}

std::string Session::loops() {
  const std::vector<program::LoopCounts> now = board_.counts(here_);
  const auto member = [](const char* name, const auto& value) {
    return value ? ", \"" + std::string(name) + "\": " + std::to_string(*value) : std::string{};
  };
  std::string all;
  for (size_t i = 0; i < now.size(); ++i) {
    const program::LoopCounts& loop = now[i];
    if (i < counts_.size() && counts_[i] == loop) continue;
    all += (all.empty() ? "{\"id\": " : ", {\"id\": ") + std::to_string(loop.id) +
           ", \"iterations\": " + std::to_string(loop.iterations) +
           member("exhausted", loop.exhausted) + member("deadline_misses", loop.deadline_misses) +
           member("max_response_ns", loop.worst_response) + "}";
  }
  counts_ = now;
  return all;
}

}  // namespace hocket::live
