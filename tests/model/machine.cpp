// See machine.h.
#include "machine.h"

#include <algorithm>

#include "bill.h"
#include "script.h"

namespace hocket::test {
namespace {

struct Thread {
  bool ready = false;
  bool token = false;  // an event came while it was ready
  Script steps;
  Ticks rounds = 0;
  Ticks released = 0;  // its present, or as it sleeps its next, release
  Ticks event_at = kNever;
  Random random{0};
};

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

class Machine {
 public:
  Machine(const Workload& set, CoreEngine& engine, bool log)
      : set_(set),
        costs_(set.costs),
        engine_(engine),
        wants_log_(log),
        random_(static_cast<std::uint64_t>(set.seed)) {
    const std::size_t n = set.servers.size();
    outcome_.jobs.resize(n);
    outcome_.useful.resize(n);
    outcome_.caused.resize(n);
    outcome_.holds.resize(n);
    outcome_.ready_since.assign(n, kNever);
    outcome_.spins_since.assign(n, kNever);
    threads_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      threads_[i].random = Random(static_cast<std::uint64_t>(set.seed) * 977 + i + 1);
      const Body& body = set.servers[i].body;
      threads_[i].event_at =
          body.wait == Body::Wait::Event && body.gap_least == 0 && set.servers[i].io == 0
              ? kNever
              : body.phase;
    }
  }

  Outcome run() {
    for (Ticks steps = 0; now_ < set_.horizon; ++steps) {
      if (steps > (8 + count()) * set_.horizon + 1000) {
        outcome_.stuck = true;
        break;
      }
      happen();
    }
    bill_.forget_spared(running_, running_since_);
    return std::move(outcome_);
  }

 private:
  int count() const { return static_cast<int>(threads_.size()); }
  Thread& thread(int i) { return threads_[index(i)]; }
  const Body& body(int i) const { return set_.servers[index(i)].body; }

  /// The next thing: the running thread comes to a call, an interrupt, another core's call.
  void happen() {
    if (!run_free_steps() || now_ >= set_.horizon) return;
    const Ticks done = running_ == kIdleCore ? kNever : now_ + thread(running_).steps.front().left;
    Ticks next = std::min({set_.horizon, done, std::max(timer_, now_), std::max(ipi_, now_)});
    int event = kIdleCore;
    for (int i = 0; i < count(); ++i) {
      if (std::max(now_, thread(i).event_at) < next) {
        event = i;
        next = std::max(now_, thread(i).event_at);
      }
    }
    work(next);
    if (now_ >= set_.horizon) return;
    if (event != kIdleCore) return by_interrupt(event) ? interrupt(event) : remote(event);
    if (done == now_) {
      thread(running_).steps.pop_front();
      return;
    }
    interrupt(kIdleCore);
  }

  /// The running thread's own instructions up to an instant.
  void work(Ticks to) {
    if (running_ != kIdleCore && to > now_) {
      thread(running_).steps.front().left -= to - now_;
      note(outcome_.useful, running_, now_, to);
      bill_.pay(running_, std::max(now_, paid_until_), to);
    }
    now_ = to;
  }

  Ticks draw(Ticks most) {
    switch (set_.weather) {
      case Weather::Longest:
        return most;
      case Weather::None:
        return 0;
      case Weather::Random:
        return random_.between(0, most);
      case Weather::Extremes:
        return random_.chance(0.5) ? most : 0;
    }
    return most;
  }

  // ---- threads

  /// Calls until the running thread has something to work on. False: an interrupt came in between.
  bool run_free_steps() {
    while (running_ != kIdleCore && now_ < set_.horizon) {
      const int caller = running_;
      Thread& t = thread(caller);
      const Step step = t.steps.front();
      if (step.kind == Step::Kind::Work) {
        if (step.left > 0) return true;
        t.steps.pop_front();
        continue;
      }
      // An interrupt that is pending comes before the thread masks it.
      if (step.kind != Step::Kind::Again && step.left > 0 && pending_comes_first()) return false;
      if (step.kind == Step::Kind::Masked) {
        masked_until(now_ + step.left);
        t.steps.pop_front();
        continue;
      }
      if (step.kind == Step::Kind::Tail) {
        const Ticks to = now_ + step.left;
        work(to);
        t.steps.pop_front();
        call(caller);
        continue;
      }
      t.steps.pop_front();  // Again
      begin_round(caller, now_);
    }
    return true;
  }

  bool pending_comes_first() {
    if (timer_ <= now_ || ipi_ <= now_) {
      interrupt(kIdleCore);
      return true;
    }
    const int edge = pending_edge();
    if (edge != kIdleCore) line(edge);
    return edge != kIdleCore;
  }

  /// The running thread masks interrupts. Other cores have the kernel's lock meanwhile.
  void masked_until(Ticks to) {
    for (int i = 0; i < count(); ++i) {
      const Ticks at = std::max(now_, thread(i).event_at);
      if (at >= to || by_interrupt(i)) continue;
      work(at);
      remote(i);
      i = -1;  // it may be woken again
    }
    work(to);
  }

  /// The kernel has read the clock in a call of the running thread.
  void call(int caller) {
    Thread& t = thread(caller);
    const Step step = t.steps.front();
    t.steps.pop_front();
    const Body& b = body(caller);
    switch (step.kind) {
      case Step::Kind::Raise:
        engine_.raise(caller, static_cast<int>(b.ceiling), now_,
                      b.hold_most > 0 ? now_ + b.hold_most : kNever);
        outcome_.holds[index(caller)].push_back({caller, now_, kNever});
        say("raises", caller);
        // Were its interrupt, which is on its way, put off, who is due would be late a second time.
        return engine_.next_event() <= now_ ? decide_in_call() : go_on();
      case Step::Kind::Lower:
        engine_.lower(caller, now_);
        outcome_.holds[index(caller)].back().to = now_;
        say("lowers", caller);
        return decide_in_call();
      case Step::Kind::Wake:
        if (wake(static_cast<int>(b.wakes), now_, Waker::Call) == Effect::Decide)
          return decide_in_call();
        return go_on();
      default:
        return wait(caller);
    }
  }

  void wait(int caller) {
    Thread& t = thread(caller);
    const Body& b = body(caller);
    outcome_.jobs[index(caller)].back().finish = now_;
    say("waits", caller);
    if (b.wait == Body::Wait::Nap) t.released = now_ + t.random.between(b.nap_least, b.nap_most);
    if (b.wait == Body::Wait::Period) t.released += set_.servers[index(caller)].period;
    if (b.wait == Body::Wait::Nap && b.naps > 0 && t.rounds > b.naps) {
      outcome_.spins_since[index(caller)] = now_;
      spin(t.steps, set_.horizon);
      return go_on();
    }
    const bool goes_on = b.wait == Body::Wait::Event ? t.token : t.released <= now_;
    if (goes_on) {
      t.token = false;
      begin_round(caller, b.wait == Body::Wait::Event ? now_ : t.released);
      return go_on();
    }
    t.ready = false;
    if (is_io(caller)) t.event_at = now_ + t.random.between(b.gap_least, b.gap_most);  // unmasked
    if (b.wait == Body::Wait::Event) {
      engine_.block(caller, now_);
    } else {
      engine_.sleep(caller, now_, t.released);
    }
    go_to(engine_.pick(now_, Cause::Call).server, caller);
  }

  void begin_round(int i, Ticks release) {
    Thread& t = thread(i);
    const Body& b = body(i);
    const bool spins = b.wait == Body::Wait::Never;
    if (spins && b.hold == 0 && b.wakes < 0 && b.masks == 0) return spin(t.steps, set_.horizon);
    ++t.rounds;
    if (!spins) outcome_.jobs[index(i)].push_back({release, kNever});
    add_round(t.steps, b, t.random, [this] { return draw(costs_.masked - costs_.change); });
  }

  // ---- the kernel

  Effect wake(int i, Ticks at, Waker waker) {
    Thread& t = thread(i);
    const bool asleep = !t.ready && body(i).wait == Body::Wait::Nap && started_by_now(i);
    if (t.ready || asleep) {
      t.token = t.ready && body(i).wait == Body::Wait::Event;
      return Effect::None;  // nobody is woken from a nap
    }
    t.ready = true;
    t.released = at;
    if (!started_by_now(i) && outcome_.ready_since[index(i)] == kNever)
      outcome_.ready_since[index(i)] = at;
    const Effect effect = engine_.wake(i, at, waker);
    begin_round(i, at);
    note_woken(i);
    say(waker == Waker::Call        ? "woken by a call"
        : waker == Waker::Interrupt ? "woken by an interrupt"
                                    : "woken by another core",
        i);
    return effect;
  }

  void note_woken(int i) {
    if (!outcome_.jobs[index(i)].empty()) outcome_.jobs[index(i)].back().woken = true;
  }

  bool started_by_now(int i) { return !outcome_.jobs[index(i)].empty(); }

  /// The running thread goes on, or somebody preempts it, or it has used its budget up.
  void decide_in_call() {
    const Choice choice = engine_.pick(now_, Cause::Call);
    if (!choice.changed) return go_on();
    go_to(choice.server, preempts(choice) ? choice.server : running_);
  }

  bool preempts(const Choice& choice) const {
    if (choice.server == kIdleCore || running_ == kIdleCore) return choice.server != kIdleCore;
    return set_.by_deadline ? choice.preempts : choice.server < running_;
  }
  bool would_preempt(int server) {
    if (running_ == kIdleCore) return true;
    return set_.by_deadline ? engine_.would_preempt(server, now_) : server < running_;
  }

  /// The kernel switches to whom it chose at its reading; `payer` is the one who brought it about.
  void go_to(int server, int payer) {
    const Ticks length = draw(costs_.change);
    const Ticks to = now_ + (payer == server ? length : costs_.change);
    bill_.pay(payer, std::max(now_, paid_until_), to);
    bill_.forget_spared(running_, running_since_);
    if (payer != server) paid_until_ = to;
    const Ticks charged_since = payer == server ? now_ - costs_.entry : to;
    now_ += length;
    running_ = server;
    running_since_ = charged_since;
    armed_ = -1;
    if (running_ != kIdleCore) start_of_turn(running_);
    go_on();
  }

  /// The kernel ends: it sets its timer.
  void go_on() {
    other_cores_call();
    const Ticks at = engine_.next_event();
    if (at == armed_ && timer_ != kNever) return;  // no later for being set again
    armed_ = at;
    timer_ = at >= kNever ? kNever : std::max(at, now_) + draw(costs_.lateness);
  }

  void start_of_turn(int server) {
    Thread& t = thread(server);
    if (!t.ready) {  // its sleep has ended
      t.ready = true;
      begin_round(server, t.released);
    }
    if (!outcome_.jobs[index(server)].empty()) {
      Job& job = outcome_.jobs[index(server)].back();
      job.began = std::min(job.began, now_);
    }
    say("runs", server);
  }

  /// What other cores wanted while the kernel had its lock.
  void other_cores_call() {
    for (int i = 0; i < count(); ++i) {
      if (thread(i).event_at <= now_ && !by_interrupt(i)) remote(i);
    }
  }

  int pending_edge() const {
    for (int i = 0; i < count(); ++i) {
      if (is_io(i) && threads_[index(i)].event_at <= now_) return i;
    }
    return kIdleCore;
  }
  bool is_io(int i) const { return set_.servers[index(i)].io != 0; }

  /// The interrupt of an I/O virtual CPU's line, which stays masked until its thread waits again.
  void line(int device) {
    const Ticks from = now_;
    const Ticks longest = set_.servers[index(device)].top_half;
    Thread& t = thread(device);
    const Ticks edge = t.event_at;
    t.event_at = kNever;
    now_ = from + entry_beside_others(from);
    const Ticks reading = now_;
    t.ready = true;
    t.released = edge;
    const Effect effect = engine_.top_half(device, reading, longest);
    begin_round(device, edge);
    note_woken(device);
    say("top half of", device);
    if (effect == Effect::Takes) {
      if (running_ != kIdleCore) bill_.take_back(running_, reading - costs_.entry);
      bill_.pay(device, reading - costs_.entry, reading);
      const Ticks end = now_ + draw(longest - costs_.interrupt);
      bill_.pay(device, std::max(now_, paid_until_), end);
      now_ = end;
      return go_to(device, device);
    }
    bill_.pay(device, from, from + longest);
    if (effect != Effect::Decide) {
      now_ = std::max(now_, from + draw(longest));
      if (running_ != kIdleCore) {
        bill_.interrupted({device, std::max(from, paid_until_), now_}, longest);
      }
      return go_on();
    }
    now_ += draw(longest - costs_.interrupt);
    const int before = running_;
    const Choice choice = engine_.pick(now_, Cause::Interrupt);
    const int cause = preempts(choice) ? choice.server : before;
    if (before != kIdleCore) bill_.take_back(before, reading - costs_.entry);
    bill_.pay(cause, now_ - costs_.entry, now_);
    go_to(choice.server, cause);
  }

  /// An interrupt's entry. The kernel's lock is free until it reads the clock.
  Ticks entry_beside_others(Ticks from) {
    const Ticks entry = draw(costs_.entry);
    for (int i = 0; i < count(); ++i) {
      const Ticks at = std::max(thread(i).event_at, from);
      if (at >= from + entry || by_interrupt(i)) continue;
      now_ = std::max(now_, at);
      remote(i);
    }
    return entry;
  }

  bool by_interrupt(int i) const {
    return body(i).wait != Body::Wait::Event || body(i).other_core == 0;
  }

  void interrupt(int device) {
    if (device != kIdleCore && is_io(device)) return line(device);
    if (device != kIdleCore && !costly_interrupts_ &&
        (thread(device).ready || !would_preempt(device))) {
      thread(device).event_at = kNever;
      if (wake(device, now_, Waker::Interrupt) != Effect::None) go_on();
      return next_event_of(device, now_);
    }
    const Ticks from = now_;
    const bool ipi =
        device == kIdleCore && ipi_ <= now_ && !(timer_ <= now_ && random_.chance(0.5));
    now_ = from + entry_beside_others(from);
    int payer = ipi ? ipi_for_ : kIdleCore;
    if (ipi) ipi_ = kNever;
    const bool timer = !ipi && device == kIdleCore;
    if (timer) timer_ = kNever;
    if (device != kIdleCore) {
      thread(device).event_at = kNever;
      if (!thread(device).ready) payer = device;
      wake(device, now_, Waker::Interrupt);
      if (body(device).wait == Body::Wait::Event) next_event_of(device, now_);
    }
    const int before = running_;
    const Choice choice = engine_.pick(now_, timer ? Cause::Timer : Cause::Interrupt);
    if (!choice.changed) {
      const Ticks end = std::max(now_, from + draw(costs_.interrupt));
      if (payer != kIdleCore) bill_.pay(payer, from, from + costs_.interrupt);
      paid_until_ = std::max(paid_until_, from) + costs_.interrupt;
      say("an interrupt that changes nothing, of", payer);
      now_ = end;
      ++outcome_.fruitless;
      return go_on();
    }
    const bool preempted = preempts(choice);
    const int cause = preempted ? choice.server : before;
    if (preempted && before != kIdleCore) bill_.take_back(before, now_ - costs_.entry);
    bill_.pay(cause, preempted ? now_ - costs_.entry : from, now_);
    say(preempted ? "preempts:" : "ends its budget:", cause);
    go_to(choice.server, cause);
  }

  /// A thread of another core wakes a server of this one.
  void remote(int i) {
    const Ticks due = thread(i).event_at;
    thread(i).event_at = kNever;
    const Effect effect = wake(i, now_, Waker::OtherCore);
    next_event_of(i, std::max(due, now_));
    if (effect == Effect::None || ipi_ != kNever) return;
    ipi_ = now_ + draw(costs_.lateness);
    ipi_for_ = i;
  }

  void next_event_of(int i, Ticks last) {
    const Body& b = body(i);
    if (b.wait != Body::Wait::Event || b.gap_least == 0) return;
    thread(i).event_at = last + thread(i).random.between(b.gap_least, b.gap_most);
  }

  void say(const char* what, int server) {
    if (!wants_log_) return;
    outcome_.log.push_back(std::to_string(now_) + " " + what + " " + std::to_string(server));
  }

  const Workload& set_;
  const Costs& costs_;
  CoreEngine& engine_;
  bool wants_log_;
  Random random_;
  std::vector<Thread> threads_;
  Outcome outcome_;
  Bill bill_{outcome_.caused};
  Ticks now_ = 0;
  Ticks paid_until_ = 0;     // who stopped last pays up to here
  Ticks running_since_ = 0;  // its activation's entry included
  int running_ = kIdleCore;
  Ticks timer_ = kNever;
  Ticks armed_ = kNever;
  Ticks ipi_ = kNever;
  int ipi_for_ = kIdleCore;
  bool costly_interrupts_ = false;
};

}  // namespace

Outcome run_machine(const Workload& set, CoreEngine& engine, bool log) {
  return Machine(set, engine, log).run();
}

}  // namespace hocket::test
