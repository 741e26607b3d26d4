// Greedy shrinking: try a smaller set, keep it when it still fails.
#include "shrink.h"

#include <algorithm>

#include "stable_order.h"

namespace hocket::test {
namespace {

class Shrinker {
 public:
  Shrinker(TaskSet set, const std::function<bool(const TaskSet&)>& fails, int most_calls)
      : set_(std::move(set)), fails_(fails), calls_left_(most_calls) {}

  TaskSet run() {
    bool smaller = true;
    while (smaller && calls_left_ > 0) {
      smaller = remove_servers();
      smaller |= remove_works();
      smaller |= drop_options();
      smaller |= lower_numbers();
    }
    return std::move(set_);
  }

 private:
  bool keep(TaskSet candidate) {
    sort_stably(candidate.works, [](const Work& a, const Work& b) { return a.at < b.at; });
    if (calls_left_ <= 0 || candidate == set_ || !validate(candidate).empty()) return false;
    --calls_left_;
    if (!fails_(candidate)) return false;
    set_ = std::move(candidate);
    return true;
  }

  bool remove_servers() {
    bool any = false;
    for (std::size_t i = set_.servers.size(); i-- > 0;) {
      TaskSet candidate = set_;
      candidate.servers.erase(candidate.servers.begin() + static_cast<std::ptrdiff_t>(i));
      std::erase_if(candidate.works, [&](const Work& w) { return w.server == i; });
      for (Work& w : candidate.works) w.server -= w.server > i ? 1 : 0;
      any |= keep(candidate);
    }
    return any;
  }

  /// Removes runs of works, long ones first.
  bool remove_works() {
    bool any = false;
    for (std::size_t length = std::max<std::size_t>(1, set_.works.size() / 2);; length /= 2) {
      for (std::size_t from = 0; from < set_.works.size();) {
        TaskSet candidate = set_;
        const auto first = candidate.works.begin() + static_cast<std::ptrdiff_t>(from);
        const auto count = std::min(length, set_.works.size() - from);
        candidate.works.erase(first, first + static_cast<std::ptrdiff_t>(count));
        if (keep(candidate)) {
          any = true;
        } else {
          from += length;
        }
      }
      if (length == 1) return any;
    }
  }

  bool drop_options() {
    bool any = false;
    for (std::size_t i = 0; i < set_.servers.size(); ++i) {
      const auto change = [&](auto&& edit) {
        TaskSet candidate = set_;
        edit(candidate.servers[i]);
        any |= keep(candidate);
      };
      change([](ServerSpec& s) { s.background = false; });
      change([](ServerSpec& s) { s.io = false; });
      change([](ServerSpec& s) { s.max_refills = ServerSpec{}.max_refills; });
      change([](ServerSpec& s) { s.deadline = s.period; });
    }
    return any;
  }

  /// Lowers the number `field` picks out of a set: to its least, else by halves, else by one.
  template <typename Field>
  bool lower(Field field, Ticks least) {
    bool any = false;
    for (Ticks step = field(set_) - least; step > 0;) {
      TaskSet candidate = set_;
      field(candidate) -= step;
      if (field(candidate) >= least && keep(candidate)) {
        any = true;
        step = std::min(step, field(set_) - least);
      } else {
        step /= 2;
      }
    }
    return any;
  }

  bool lower_numbers() {
    bool any = lower([](TaskSet& s) -> Ticks& { return s.horizon; }, 1);
    any |= lower([](TaskSet& s) -> Ticks& { return s.late; }, 0);
    for (std::size_t i = 0; i < set_.works.size(); ++i) {
      any |= lower([i](TaskSet& s) -> Ticks& { return s.works[i].amount; }, 1);
    }
    // Instants last, and the latest first: lowering one can change its place in the order.
    for (std::size_t i = set_.works.size(); i-- > 0;) {
      any |= lower([i](TaskSet& s) -> Ticks& { return s.works[i].at; }, 0);
    }
    return any;
  }

  TaskSet set_;
  const std::function<bool(const TaskSet&)>& fails_;
  int calls_left_;
};

}  // namespace

TaskSet shrink(TaskSet set, const std::function<bool(const TaskSet&)>& fails, int most_calls) {
  return Shrinker(std::move(set), fails, most_calls).run();
}

}  // namespace hocket::test
