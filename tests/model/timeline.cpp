// Unrolls a trace and finds what cannot be true of any schedule.
#include "timeline.h"

#include <sstream>

namespace hocket::test {
namespace {

std::string describe(const TaskSet& set, const Interval& i, const char* fact) {
  std::ostringstream out;
  out << (i.server < set.servers.size() ? set.servers[i.server].name : "an unknown server") << " ["
      << i.from << ", " << i.to << "): " << fact;
  return out.str();
}

}  // namespace

Timeline::Timeline(const TaskSet& set, const Trace& trace) {
  const auto ticks = static_cast<std::size_t>(set.horizon);
  const std::size_t servers = set.servers.size();
  foreground.assign(ticks, kIdle);
  background.assign(ticks, kIdle);
  const auto place = [&](const Interval& i, std::vector<int>& line) {
    if (!broken.empty()) return;
    if (i.server >= servers || i.from < 0 || i.from >= i.to || i.to > set.horizon) {
      broken = describe(set, i, "not an interval within the horizon");
      return;
    }
    for (Ticks t = i.from; t < i.to; ++t) {
      const auto tick = static_cast<std::size_t>(t);
      if (foreground[tick] != kIdle || background[tick] != kIdle) {
        broken = describe(set, i, "two servers run at once");
      }
      line[tick] = static_cast<int>(i.server);
    }
  };
  for (const Interval& i : trace.runs) place(i, foreground);
  for (const Interval& i : trace.background) {
    place(i, background);
    if (broken.empty() && !set.servers[i.server].background) {
      broken = describe(set, i, "runs in the background without having asked");
    }
  }
  if (!broken.empty()) return;

  received.assign(servers, std::vector<Ticks>(ticks + 1, 0));
  arrived.assign(servers, std::vector<Ticks>(ticks + 1, 0));
  backlog.assign(servers, std::vector<Ticks>(ticks + 1, 0));
  for (const Work& w : set.works) {
    if (w.at < set.horizon) arrived[w.server][static_cast<std::size_t>(w.at)] += w.amount;
  }
  for (std::size_t s = 0; s < servers; ++s) {
    for (std::size_t t = 0; t <= ticks; ++t) {
      if (t > 0) {
        const bool ran = foreground[t - 1] == static_cast<int>(s);
        const bool ran_below = background[t - 1] == static_cast<int>(s);
        received[s][t] = received[s][t - 1] + ran;
        backlog[s][t] = backlog[s][t - 1] - ran - ran_below;
        if (backlog[s][t] < 0 && broken.empty()) {
          broken = set.servers[s].name + " runs at " + std::to_string(t - 1) + " without work";
        }
        backlog[s][t] += arrived[s][t];
        arrived[s][t] += arrived[s][t - 1];
      } else {
        backlog[s][0] = arrived[s][0];
      }
    }
  }
}

}  // namespace hocket::test
