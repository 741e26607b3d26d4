// See rules.h.
#include "rules.h"

#include <algorithm>
#include <stdexcept>

#include "refills.h"

namespace hocket::test {
namespace {

struct Server {
  enum class State { Blocked, Sleeping, Ready };
  Refills refills;
  State state = State::Blocked;
  Ticks wake_at = 0;
  int rank = 0;  // its own, or that of a ceiling
  bool raised = false;
  Ticks hold_until = 0;
};

class Rules : public CoreEngine {
 public:
  Rules(const Workload& set, Broken broken) : costs_(set.costs), broken_(broken) {
    const bool any_io = std::any_of(set.servers.begin(), set.servers.end(),
                                    [](const WorkServer& s) { return s.io != 0; });
    for (std::size_t i = 0; i < set.servers.size(); ++i) {
      const Entitlement account{enforced_budget(set, i),
                                set.servers[i].period,
                                set.servers[i].io != 0,
                                static_cast<std::size_t>(set.refills),
                                set.finest,
                                any_io};
      servers_.push_back({Refills(account, costs_, broken)});
      servers_.back().rank = static_cast<int>(i);
      io_.push_back(set.servers[i].io != 0);
    }
  }

  void block(int server, Ticks now) override {
    leave(server, now);
    at(server).state = Server::State::Blocked;
  }

  void sleep(int server, Ticks now, Ticks until) override {
    leave(server, now);
    at(server).state = Server::State::Sleeping;
    at(server).wake_at = until;
  }

  Effect wake(int server, Ticks now, Waker waker) override {
    Server& woken = at(server);
    if (woken.state == Server::State::Ready) return Effect::None;
    become_ready(woken,
                 woken.state == Server::State::Sleeping ? std::min(woken.wake_at, now) : now);
    if (running_ != kIdleCore && at(running_).rank < woken.rank) return Effect::None;
    const bool unused = waker == Waker::Interrupt && !woken.refills.usable(now);
    if ((waker == Waker::OtherCore || unused) && broken_ != Broken::IpiFree) {
      woken.refills.use(costs_.interrupt);
      // CHOICE: an I/O virtual CPU has the interrupt charged to what it uses next.
      if (woken.refills.rest() <= 0 && !is_io(server)) woken.refills.use_up_head();
    }
    return woken.refills.usable(now) ? Effect::Decide : Effect::Timer;
  }

  /// Rule 10.
  Effect top_half(int server, Ticks now, Ticks length) override {
    Server& woken = at(server);
    bool alone = true;  // nobody else is due, whose wait ends unnoticed otherwise
    for (int i = 0; i < static_cast<int>(servers_.size()); ++i) {
      const Server& s = at(i);
      if (i == running_ || i == server || s.state == Server::State::Blocked) continue;
      if (s.state == Server::State::Ready && s.refills.usable(now_)) continue;
      alone = alone &&
              std::max(s.state == Server::State::Sleeping ? s.wake_at : 0, s.refills.time()) > now;
    }
    const bool first = running_ == kIdleCore || woken.rank < at(running_).rank;
    const bool waits = woken.state == Server::State::Ready;
    if (!waits) become_ready(woken, now);
    if (!waits && alone && first && woken.refills.usable(now)) {
      const Ticks begin = now - costs_.entry;
      if (running_ != kIdleCore) preempt(running_, now, begin);
      now_ = now;
      from_ = begin;
      running_ = server;
      return Effect::Takes;
    }
    if (broken_ != Broken::TopHalfFree) woken.refills.use(length);
    if (!waits && first && woken.refills.usable(now)) {
      if (running_ != kIdleCore) preempt(running_, now, now - costs_.entry);
      running_ = kIdleCore;
      return Effect::Decide;
    }
    if (running_ != kIdleCore && broken_ != Broken::TopHalfInterrupted) spare(length);
    return Effect::Timer;
  }

  void raise(int server, int ceiling, Ticks, Ticks hold_until) override {
    Server& s = at(server);
    if (ceiling >= s.rank) return;
    if (!s.raised) s.hold_until = hold_until;  // a lock within a lock ends with it
    s.raised = true;
    s.rank = ceiling;
  }

  void lower(int server, Ticks) override {
    at(server).raised = false;
    at(server).rank = server;
  }

  Choice pick(Ticks now, Cause cause) override {
    for (Server& s : servers_) {
      if (s.state == Server::State::Sleeping && s.wake_at <= now) become_ready(s, s.wake_at);
    }
    now_ = now;
    int chosen = choose(now);
    bool ended = false;
    if (running_ != kIdleCore && reached_limit(now, cause) &&
        (chosen == running_ || broken_ == Broken::EndBeforePreemption)) {
      Server& over = at(running_);
      over.raised = false;
      over.rank = running_;
      charge(stop_instant(now));
      over.refills.use_up(now);
      from_ = next_from(now);
      stopped_ = ended = true;
      chosen = choose(now);
    }
    if (chosen == running_ && !stopped_) {
      if (running_ != kIdleCore && cause != Cause::Call) spare(costs_.interrupt);  // rule 3
      return {chosen, false};
    }
    if (!stopped_) {
      const Ticks begin = cause == Cause::Call ? now : now - costs_.entry;
      if (running_ != kIdleCore)
        preempt(running_, now, broken_ == Broken::EntryToInterrupted ? now : begin);
      from_ = broken_ == Broken::WakeFree             ? now + costs_.change
              : broken_ == Broken::EntryToInterrupted ? now
                                                      : begin;
    } else if (running_ != kIdleCore && running_ != chosen && !ended) {
      throw std::logic_error("rules: who stopped still runs");
    }
    stopped_ = false;
    running_ = chosen;
    return {chosen, true};
  }

  Ticks next_event() override {
    Ticks next = running_ == kIdleCore ? kNever : limit();
    for (int i = 0; i < static_cast<int>(servers_.size()); ++i) {
      const Server& s = at(i);
      if (i == running_ || s.state == Server::State::Blocked) continue;
      if (s.state == Server::State::Ready && s.refills.usable(now_))
        continue;  // an IPI is on its way
      if (running_ != kIdleCore &&
          (s.rank > at(running_).rank || (at(running_).raised && s.rank == at(running_).rank)))
        continue;
      const Ticks ready = s.state == Server::State::Sleeping ? s.wake_at : 0;
      next = std::min(next, std::max(ready, s.refills.time()));
    }
    return next;
  }

 private:
  bool is_io(int i) const { return io_[static_cast<std::size_t>(i)]; }
  Server& at(int i) { return servers_[static_cast<std::size_t>(i)]; }

  /// The running server neither pays for the time nor holds a lock for it.
  void spare(Ticks time) {
    from_ += time;
    Server& s = at(running_);
    if (s.raised && broken_ != Broken::HoldPaysInterrupts) s.hold_until += time;
  }

  /// The timer is not early; another interrupt, read at `now`, may have begun E before.
  bool reached_limit(Ticks now, Cause cause) {
    return limit() <= (cause == Cause::Interrupt ? now - costs_.entry : now);
  }

  Ticks limit() {
    Server& s = at(running_);
    if (s.raised) return s.hold_until;
    const Ticks early = broken_ == Broken::LimitNotEarly ? 0 : costs_.end();
    return from_ + s.refills.rest() - early;
  }

  Ticks stop_instant(Ticks now) const {
    return broken_ == Broken::SwitchBackToNext ? now : now + costs_.change;
  }
  Ticks next_from(Ticks now) const { return stop_instant(now); }

  /// Charges the running server up to an instant.
  void charge(Ticks until) {
    if (until > from_) at(running_).refills.use(until - from_);
    from_ = std::max(from_, until);
  }

  void leave(int server, Ticks now) {
    if (server != running_) throw std::logic_error("rules: only the running server stops");
    charge(stop_instant(now));
    if (at(server).refills.rest() <= 0) at(server).refills.use_up_head();
    at(server).refills.stop();
    from_ = next_from(now);
    running_ = kIdleCore;
    stopped_ = true;
  }

  void preempt(int server, Ticks now, Ticks until) {
    charge(until);
    Refills& refills = at(server).refills;
    if (at(server).raised) return;
    const Ticks least = broken_ == Broken::RestNotUsedUp ? 0 : costs_.end();
    if (refills.rest() <= least) {
      refills.use_up(now);
    } else if (broken_ == Broken::SmallRestMergedWhileReady) {
      refills.stop();
    }
  }

  void become_ready(Server& s, Ticks since) {
    s.state = Server::State::Ready;
    s.refills.wake(since);
  }

  int choose(Ticks now) {
    int best = kIdleCore;
    for (int i = 0; i < static_cast<int>(servers_.size()); ++i) {
      const Server& s = at(i);
      if (s.state != Server::State::Ready || !(s.raised || s.refills.usable(now))) continue;
      if (best == kIdleCore || s.rank < at(best).rank || (s.rank == at(best).rank && s.raised))
        best = i;
    }
    return best;
  }

  Costs costs_;
  Broken broken_;
  std::vector<Server> servers_;
  std::vector<bool> io_;
  int running_ = kIdleCore;
  Ticks now_ = 0;
  Ticks from_ = 0;        // the running server is charged up to here
  bool stopped_ = false;  // the last one stopped at this reading
};

}  // namespace

std::unique_ptr<CoreEngine> make_rules(const Workload& set, Broken broken) {
  return std::make_unique<Rules>(set, broken);
}

}  // namespace hocket::test
