// Reading, printing and checking task sets.
#include "task_set.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>

#include "stable_order.h"

namespace hocket::test {
namespace {

std::vector<std::string> split_words(std::string_view line) {
  std::istringstream stream{std::string(line.substr(0, line.find('#')))};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

class Parser {
 public:
  explicit Parser(std::string source) : source_(std::move(source)) {}

  void statement(std::string_view text) {
    ++line_;
    const std::vector<std::string> words = split_words(text);
    if (words.empty()) return;
    if (words[0] == "horizon") {
      set_.horizon = once(words, seen_horizon_, 1);
    } else if (words[0] == "late") {
      set_.late = once(words, seen_late_, 0);
    } else if (words[0] == "server") {
      server(words);
    } else if (words[0] == "work") {
      work(words);
    } else {
      fail("unknown statement '" + words[0] + "'",
           "a line starts with horizon, server, work or late");
    }
  }

  TaskSet finish() {
    if (!seen_horizon_) fail("no horizon", "add a line such as 'horizon 1000'");
    sort_stably(set_.works, [](const Work& a, const Work& b) { return a.at < b.at; });
    if (const std::string broken = validate(set_); !broken.empty()) {
      throw ParseError(source_ + ": " + broken);
    }
    return std::move(set_);
  }

 private:
  [[noreturn]] void fail(const std::string& fact, const std::string& next_step) const {
    throw ParseError(source_ + ":" + std::to_string(line_) + ": " + fact + "; " + next_step);
  }

  Ticks number(const std::string& word, const std::string& what, Ticks least) const {
    Ticks value = 0;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc{} || stop != end) {
      fail(what + " '" + word + "' is not a whole number", "write it in ticks, such as 25");
    }
    if (value < least || value > kLargestNumber) {
      fail(what + " " + word + " is out of range",
           "choose " + std::to_string(least) + " to " + std::to_string(kLargestNumber));
    }
    return value;
  }

  Ticks once(const std::vector<std::string>& words, bool& seen, Ticks least) const {
    if (words.size() != 2)
      fail("'" + words[0] + "' takes one number", "write '" + words[0] + " 5'");
    if (seen) fail("'" + words[0] + "' stands twice", "keep one");
    seen = true;
    return number(words[1], words[0], least);
  }

  std::optional<std::size_t> find(const std::string& name) const {
    for (std::size_t i = 0; i < set_.servers.size(); ++i) {
      if (set_.servers[i].name == name) return i;
    }
    return std::nullopt;
  }

  void server(const std::vector<std::string>& words) {
    if (words.size() < 4) fail("a server needs name, budget and period", "write 'server a 2 10'");
    if (find(words[1])) fail("server '" + words[1] + "' stands twice", "give it another name");
    ServerSpec spec;
    spec.name = words[1];
    spec.budget = number(words[2], "budget", 1);
    spec.period = spec.deadline = number(words[3], "period", 1);
    std::set<std::string> seen;
    for (std::size_t i = 4; i < words.size(); ++i) {
      const std::size_t equals = words[i].find('=');
      if (!seen.insert(words[i].substr(0, equals)).second) {
        fail("option '" + words[i] + "' stands twice", "keep one");
      }
      option(spec, words[i], equals);
    }
    if (const std::string broken = check(spec); !broken.empty()) fail(broken, "change the numbers");
    set_.servers.push_back(spec);
  }

  void option(ServerSpec& spec, const std::string& word, std::size_t equals) const {
    if (word == "background" || word == "io") {
      (word == "io" ? spec.io : spec.background) = true;
      return;
    }
    const std::string key = word.substr(0, equals);
    Ticks* field = key == "deadline"  ? &spec.deadline
                   : key == "refills" ? &spec.max_refills
                                      : nullptr;
    if (field == nullptr || equals == std::string::npos) {
      fail("unknown option '" + word + "'", "a server knows deadline=D refills=N background io");
    }
    *field = number(word.substr(equals + 1), key, field == &spec.max_refills ? 2 : 1);
  }

  void work(const std::vector<std::string>& words) {
    if (words.size() != 4) fail("a work needs server, instant and amount", "write 'work a 0 2'");
    const std::optional<std::size_t> owner = find(words[1]);
    if (!owner) fail("no server '" + words[1] + "' so far", "declare it on a line above");
    set_.works.push_back({*owner, number(words[2], "instant", 0), number(words[3], "amount", 1)});
  }

 public:
  static std::string check(const ServerSpec& s) {
    const auto numbers = [&] {
      return " (budget " + std::to_string(s.budget) + ", deadline " + std::to_string(s.deadline) +
             ", period " + std::to_string(s.period) + ")";
    };
    const std::string who = "server '" + s.name + "': ";
    if (s.budget < 1) return who + "its budget is not positive" + numbers();
    if (s.budget > s.deadline) return who + "its budget is above its deadline" + numbers();
    if (s.deadline > s.period) return who + "its deadline is above its period" + numbers();
    if (s.max_refills < 2) return who + "it needs room for two refills at least";
    return {};
  }

 private:
  std::string source_;
  int line_ = 0;
  bool seen_horizon_ = false;
  bool seen_late_ = false;
  TaskSet set_;
};

}  // namespace

TaskSet parse(std::string_view text, const std::string& source) {
  Parser parser(source);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    parser.statement(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return parser.finish();
}

std::string print(const TaskSet& set) {
  std::ostringstream out;
  out << "horizon " << set.horizon << "\n";
  if (set.late != 0) out << "late " << set.late << "\n";
  const ServerSpec plain;
  for (const ServerSpec& s : set.servers) {
    out << "server " << s.name << " " << s.budget << " " << s.period;
    if (s.deadline != s.period) out << " deadline=" << s.deadline;
    if (s.max_refills != plain.max_refills) out << " refills=" << s.max_refills;
    if (s.background) out << " background";
    if (s.io) out << " io";
    out << "\n";
  }
  for (const Work& w : set.works) {
    out << "work " << set.servers[w.server].name << " " << w.at << " " << w.amount << "\n";
  }
  return out.str();
}

std::string validate(const TaskSet& set) {
  if (set.horizon < 1) return "the horizon is not positive";
  if (set.late < 0) return "late is negative";
  std::set<std::string> names;
  for (const ServerSpec& s : set.servers) {
    if (s.name.empty() || !names.insert(s.name).second) {
      return "server name '" + s.name + "' is empty or stands twice";
    }
    if (const std::string broken = Parser::check(s); !broken.empty()) return broken;
  }
  Ticks last = 0;
  for (const Work& w : set.works) {
    if (w.server >= set.servers.size()) return "a work names no server";
    if (w.at < last || w.amount < 1) return "a work is out of order or not positive";
    last = w.at;
  }
  return {};
}

std::vector<std::size_t> by_rank(const TaskSet& set) {
  std::vector<std::size_t> order(set.servers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort_stably(order, [&](std::size_t a, std::size_t b) {
    return set.servers[a].deadline < set.servers[b].deadline;
  });
  return order;
}

std::vector<std::size_t> higher_ranked(const TaskSet& set, std::size_t server) {
  std::vector<std::size_t> order = by_rank(set);
  order.erase(std::find(order.begin(), order.end(), server), order.end());
  return order;
}

}  // namespace hocket::test
