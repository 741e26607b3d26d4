// What occupied the core while a call was late: see call_watch.h.
#include "simulation/program/call_watch.h"

#include <algorithm>

namespace hocket::program {

CallWatch::CallWatch(const std::vector<Member>& members, unsigned cores, Board board)
    : board_(std::move(board)), cores_(cores) {
  for (const Member& member : members) {
    if (member.core >= cores) continue;
    if (of_thread_.size() <= member.thread) of_thread_.resize(member.thread + 1U, kNone);
    of_thread_[member.thread] = loops_.size();
    cores_[member.core].loops.push_back(loops_.size());
    loops_.push_back({.member = member});
  }
  for (Loop& loop : loops_) {
    if (loop.member.periodic) loop.others.resize(loops_.size());
  }
}

size_t CallWatch::index_of(uint16_t thread) const {
  return thread < of_thread_.size() ? of_thread_[thread] : kNone;
}

void CallWatch::event(const Event& event) {
  if (event.core >= cores_.size()) return;
  const size_t index = index_of(event.thread);
  Loop* const loop = index == kNone ? nullptr : &loops_[index];
  // (Those two carry the instant that they are about, which may lie ahead or in the past.)
  const bool at_its_time = event.kind != EventKind::Release && event.kind != EventKind::Replenish;
  if (at_its_time) advance(event.core, event.time);
  if (event.kind == EventKind::Dispatch) {
    Core& core = cores_[event.core];
    if (core.running != kNone) loops_[core.running].wants_since = event.time;
    core.running = index;
    if (loop != nullptr) end_wait(*loop, event.time);
  }
  if (loop == nullptr) return;
  switch (event.kind) {
    case EventKind::Sleep:
      loop->blocked_until = event.value;
      break;
    case EventKind::Block:
      loop->blocked_until = kNever;
      break;
    case EventKind::Wake:
      loop->blocked_until = std::min(loop->blocked_until, event.time);
      wait_for_budget(*loop, loop->blocked_until);
      break;
    case EventKind::BudgetExhausted:
      loop->wants_since = event.time;
      loop->usable_from = event.value;
      wait_for_budget(*loop, event.time);
      break;
    case EventKind::Release:
      loop->usable_from = event.value;
      if (loop->blocked_until != kNever) wait_for_budget(*loop, loop->blocked_until);
      break;
    case EventKind::Iteration:
      if (loop->member.periodic) end_call(*loop, event.time);
      return;  // (the next release is not known yet)
    case EventKind::Fault:
      loop->release.reset();
      loop->last_release = kNever;
      end_wait(*loop, event.time);
      return;
    default:
      break;
  }
  if (loop->member.periodic) look_for_release(*loop);
}

/// Accounts for what has happened on a core since the last call.
void CallWatch::advance(unsigned number, Nanos to) {
  Core& core = cores_[number];
  if (to <= core.time) return;
  const Nanos all = board_.interrupts(number);
  const Nanos interrupts = std::min(all - core.interrupts, to - core.time);
  core.interrupts += interrupts;
  for (const size_t index : core.loops) {
    if (loops_[index].release) count(loops_[index], core, to, interrupts);
  }
  core.time = to;
}

void CallWatch::count(Loop& loop, const Core& core, Nanos to, Nanos interrupts) {
  const Nanos from = std::max(core.time, *loop.release);
  if (from >= to) return;
  const bool runs = core.running != kNone && &loops_[core.running] == &loop;
  const Nanos woken = runs ? from : std::clamp(loop.blocked_until, from, to);
  const Nanos usable = runs ? from : std::clamp(loop.usable_from, woken, to);
  loop.blocked += woken - from;
  loop.no_budget += usable - woken;
  const Nanos served = std::min(interrupts, to - usable), left = to - usable - served;
  loop.rest += served;
  if (runs) {
    loop.own += left;
  } else if (core.running == kNone) {
    loop.rest += left;
  } else {
    loop.others[core.running] += left;
  }
}

/// The loop may have begun its next call.
void CallWatch::look_for_release(Loop& loop) {
  if (loop.last_release == kNever) return;
  const Nanos release = board_.release(loop.member.thread);
  if (release == loop.last_release) return;
  // A call may be so short that its end was not logged: then it has ended before now.
  if (loop.release) loop.last_end = cores_[loop.member.core].time;
  loop.last_release = release;
  loop.release.reset();
  if (release < loop.last_end) return;  // an earlier call has overrun into it
  loop.release = release;
  loop.own = loop.blocked = loop.no_budget = loop.rest = 0;
  std::fill(loop.others.begin(), loop.others.end(), 0);
}

void CallWatch::end_call(Loop& loop, Nanos at) {
  keep_if_worst(loop, at, /*ended=*/true);
  loop.release.reset();
  loop.last_end = at;
}

void CallWatch::keep_if_worst(Loop& loop, Nanos at, bool ended) {
  if (!loop.release || *loop.release != board_.release(loop.member.thread)) return;
  if (at <= *loop.release || at - *loop.release <= loop.member.deadline) return;
  const Nanos response = at - *loop.release;
  if (loop.worst && loop.worst->response >= response) return;
  loop.worst = {.response = response,
                .ended = ended,
                .own = loop.own,
                .blocked = loop.blocked,
                .no_budget = loop.no_budget,
                .rest = loop.rest,
                .others = {}};
  for (size_t i = 0; i < loops_.size(); ++i) {
    if (loop.others[i] > 0) {
      loop.worst->others.push_back({.loop = loops_[i].member.loop, .time = loop.others[i]});
    }
  }
}

/// The loop has wanted to run since `from` at the earliest, and must wait for usable budget.
void CallWatch::wait_for_budget(Loop& loop, Nanos from) {
  from = std::max(from, loop.wants_since);
  if (loop.usable_from <= from) return;
  if (from < loop.wait_end) {  // the same wait: less budget was left than it seemed
    loop.wait_end = std::max(loop.wait_end, loop.usable_from);
    return;
  }
  end_wait(loop, loop.wait_end);
  loop.wait_begin = from;
  loop.wait_end = loop.usable_from;
}

void CallWatch::end_wait(Loop& loop, Nanos at) {
  const Nanos end = std::min(at, loop.wait_end);
  if (end > loop.wait_begin) {
    loop.waited += end - loop.wait_begin;
    loop.longest_wait = std::max(loop.longest_wait, end - loop.wait_begin);
  }
  loop.wait_begin = loop.wait_end = 0;
}

void CallWatch::finish(Nanos now) {
  for (unsigned i = 0; i < cores_.size(); ++i) advance(i, now);
  for (Loop& loop : loops_) {
    end_wait(loop, now);
    if (loop.member.periodic) keep_if_worst(loop, now, /*ended=*/false);
  }
}

void CallWatch::tell(LoopFacts& facts) const {
  if (!facts.run) return;
  for (const Loop& loop : loops_) {
    if (loop.member.loop != facts.id) continue;
    facts.run->budget_wait = loop.waited;
    facts.run->longest_budget_wait = loop.longest_wait;
    facts.run->late_call = loop.worst;
  }
}

}  // namespace hocket::program
