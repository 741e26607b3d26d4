// Records what happens on a board that is being viewed: see recorder.h.
#include "simulation/live/recorder.h"

#include <algorithm>
#include <utility>

#include "simulation/devices/facts.h"
#include "simulation/live/flat_json.h"

namespace hocket::live {
namespace {

constexpr size_t kThreads = 65'536;

/// The number of bytes at the end of a text that are an incomplete UTF-8 character.
size_t unfinished(const std::string& text) {
  for (size_t back = 1; back <= std::min<size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<uint8_t>(text[text.size() - back]);
    if ((byte & 0xc0) == 0x80) continue;
    const size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

void put(std::string& to, std::string_view separator, std::initializer_list<std::string> items) {
  to += to.empty() ? "[" : separator;
  const char* between = "";
  for (const std::string& item : items) {
    to += std::exchange(between, ", ");
    to += item;
  }
  to += "]";
}

std::string member(const char* name, const std::string& items) {
  return items.empty() ? "" : std::string(", \"") + name + "\": [" + items + "]";
}

std::string level_text(char level) {
  return level == '0' || level == '1' ? std::string(1, level) : std::string{'"', level, '"'};
}

}  // namespace

Recorder::Recorder(unsigned cores, const std::vector<program::LoopFacts>& loops)
    : running_(cores), loops_(kThreads, -1) {
  changes_.reserve(kMost);
  spans_.reserve(kMost);
  releases_.reserve(kMost);
  for (Sent& each : sent_) each.text.reserve(kMostSerial);
  for (const program::LoopFacts& loop : loops) {
    deadlines_[static_cast<int>(loop.id)] = loop.deadline != 0 ? loop.deadline : loop.period;
  }
}

void Recorder::happens() {
  ++happened_;
  if (on_next_) std::exchange(on_next_, nullptr)();
}

void Recorder::pin_changed(Nanos when, unsigned pin, char level) {
  Level& known = levels_[pin];
  const bool high = level == '1';
  const Nanos begin = std::max(known.since, taken_);
  if (known.high && !high && when > begin) known.high_ns += when - begin;
  if (known.high != high) {
    known.high = high;
    known.since = when;
    ++known.edges;
  }
  keep(changes_, {when, pin, level});
  happens();
}

int Recorder::share(unsigned pin, Nanos now) const {
  const Level& level = levels_[pin];
  if (level.edges == 0 || now <= taken_) return -1;
  const Nanos last = level.high ? now - std::max(level.since, taken_) : 0;
  const auto high = static_cast<unsigned __int128>(level.high_ns) + last;
  return static_cast<int>(std::min<unsigned __int128>(high * 10'000 / (now - taken_), 10'000));
}

void Recorder::serial_out(Nanos when, unsigned port, uint8_t byte) {
  if (port >= sent_.size()) return;
  Sent& sent = sent_[port];
  if (sent.text.size() < kMostSerial)
    sent.text += static_cast<char>(byte);
  else
    ++lost_;
  sent.at = when;
  happens();
}

void Recorder::event(const Event& event) {
  switch (event.kind) {
    case EventKind::Dispatch:
      return dispatch(event);
    case EventKind::ThreadNamed:
      // setup() and the kernel's own threads (kinds 2 and 3) have no loop.
      loops_[event.thread] =
          event.value == 2 || event.value == 3 ? -1 : static_cast<int>(event.arg);
      return;
    case EventKind::Sleep:
      return leave(event.thread, "sleep");
    case EventKind::Block:
      return leave(event.thread, "block");
    case EventKind::BudgetExhausted:
      return leave(event.thread, "exhausted");
    case EventKind::Fault:
      return leave(event.thread, "fault");
    case EventKind::Release: {
      const int loop = loop_of(event.thread);
      const auto deadline = deadlines_.find(loop);
      keep(releases_,
           {loop, event.time, event.time + (deadline == deadlines_.end() ? 0 : deadline->second)});
      return happens();
    }
    default:
      return;
  }
}

void Recorder::leave(uint16_t thread, const char* why) {
  for (Running& running : running_) {
    if (running.anybody && running.thread == thread) running.why = why;
  }
}

void Recorder::dispatch(const Event& event) {
  if (event.core >= running_.size()) return;
  Running& running = running_[event.core];
  if (running.anybody && event.time > running.since) {
    keep(spans_, {event.core, loop_of(running.thread), running.since, event.time, running.why});
  }
  running = {event.thread != Event::kNoThread, event.thread, event.time, "preempted"};
  happens();
}

std::string Recorder::serial() {
  std::string all;
  for (unsigned port = 0; port < sent_.size(); ++port) {
    Sent& sent = sent_[port];
    const size_t kept = unfinished(sent.text);
    if (sent.text.size() == kept) continue;
    const std::string_view whole(sent.text.data(), sent.text.size() - kept);
    all += (all.empty() ? "" : ", ") + std::string("{\"port\": ") + std::to_string(port) +
           ", \"text\": " + sim::json_string(whole) + ", \"at\": " + std::to_string(sent.at) + "}";
    sent.text.erase(0, whole.size());
  }
  return all;
}

std::string Recorder::take(Nanos now) {
  std::string changes, spans, releases, running;
  const auto n = [](auto value) { return std::to_string(value); };
  const auto quoted = [](const char* text) { return std::string("\"") + text + '"'; };
  for (const Change& c : changes_) put(changes, ", [", {n(c.pin), n(c.when), level_text(c.level)});
  for (const Span& s : spans_)
    put(spans, ", [", {n(s.core), n(s.loop), n(s.from), n(s.to), quoted(s.why)});
  for (const Release& r : releases_) put(releases, ", [", {n(r.loop), n(r.at), n(r.deadline)});
  for (unsigned core = 0; core < running_.size(); ++core) {
    const Running& r = running_[core];
    if (r.anybody) put(running, ", [", {n(core), n(loop_of(r.thread)), n(r.since)});
  }
  std::string members = member("serial", serial()) + member("spans", spans) +
                        member("releases", releases) + member("changes", changes) +
                        ", \"running\": [" + running + "]" + ", \"lost\": " + n(lost_);
  changes_.clear();
  spans_.clear();
  releases_.clear();
  lost_ = 0;
  taken_ = std::max(taken_, now);
  for (Level& level : levels_) {
    level.high_ns = 0;
    level.edges = 0;
  }
  return members;
}

}  // namespace hocket::live
