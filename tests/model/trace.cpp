// Normal form, text and comparison of traces.
#include "trace.h"

#include <algorithm>
#include <sstream>
#include <tuple>

#include "stable_order.h"

namespace hocket::test {
namespace {

std::vector<Interval> join(std::vector<Interval> intervals, Ticks horizon) {
  sort_stably(intervals, [](const Interval& a, const Interval& b) { return a.from < b.from; });
  std::vector<Interval> joined;
  for (Interval next : intervals) {
    next.to = std::min(next.to, horizon);
    if (next.from >= next.to) continue;
    if (!joined.empty() && joined.back().server == next.server && joined.back().to == next.from) {
      joined.back().to = next.to;
    } else {
      joined.push_back(next);
    }
  }
  return joined;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

Trace normalize(Trace trace, Ticks horizon) {
  trace.runs = join(std::move(trace.runs), horizon);
  trace.background = join(std::move(trace.background), horizon);
  std::erase_if(trace.responses, [&](const Response& r) { return r.finish >= horizon; });
  std::sort(
      trace.responses.begin(), trace.responses.end(), [](const Response& a, const Response& b) {
        return std::tie(a.finish, a.server, a.release) < std::tie(b.finish, b.server, b.release);
      });
  return trace;
}

std::string print(const TaskSet& set, const Trace& trace) {
  std::ostringstream out;
  const auto line = [&](const char* kind, std::size_t server, Ticks from, Ticks to) {
    out << kind << " " << set.servers.at(server).name << " " << from << " " << to << "\n";
  };
  for (const Interval& i : trace.runs) line("run", i.server, i.from, i.to);
  for (const Interval& i : trace.background) line("bg", i.server, i.from, i.to);
  for (const Response& r : trace.responses) line("response", r.server, r.release, r.finish);
  return out.str();
}

std::string first_difference(const TaskSet& set, const Trace& expected, const Trace& actual) {
  if (expected == actual) return {};
  const std::vector<std::string> left = lines_of(print(set, expected));
  const std::vector<std::string> right = lines_of(print(set, actual));
  const auto line = [](const std::vector<std::string>& lines, std::size_t i) {
    return i < lines.size() ? lines[i] : std::string("(nothing more)");
  };
  std::size_t same = 0;
  while (same < left.size() && same < right.size() && left[same] == right[same]) ++same;
  std::ostringstream out;
  out << "line " << same + 1 << " of the trace differs\n";
  for (std::size_t i = same >= 3 ? same - 3 : 0; i < same; ++i)
    out << "  both:     " << left[i] << "\n";
  for (std::size_t i = same; i < same + 3; ++i) out << "  expected: " << line(left, i) << "\n";
  for (std::size_t i = same; i < same + 3; ++i) out << "  actual:   " << line(right, i) << "\n";
  return out.str();
}

}  // namespace hocket::test
