// An interactive run of a board: see watched.h. There is one processor, and no part is ahead of it:
// a touch is made at its present cycle.
#include "simulation/avr/watched.h"

namespace hocket::avr {
namespace {

/// The first cycle that is no earlier.
Cycles at_or_after(Nanos when) {
  constexpr Nanos kLatest = INT64_MAX;
  return when >= kLatest ? UINT64_MAX : cycles_at(when);
}

}  // namespace

Watched::Watched(const live::LiveOptions& options, const program::RunFacts& facts, Nanos duration,
                 Board& board, const volatile std::sig_atomic_t& stopping)
    : board_(board), recorder_(1, facts.loops), session_(options, board.devices(), recorder_) {
  board.log().listen(&recorder_);
  board.console().listen([this](Nanos when, uint8_t byte) { recorder_.serial_out(when, 0, byte); });
  session_.begin(facts, duration,
                 {.look_soon = [this] { look_at_ = 0; },
                  .stopping = [&stopping] { return stopping != 0; },
                  .counts = [&board](Nanos) { return board.watcher().counts(); }});
}

void Watched::before_step() {
  const Nanos now = nanos(board_.cycle());
  if (board_.cycle() >= look_at_) {
    look_at_ = board_.cycle() + 1;
    board_.console().flush();  // shows the answer to input even if its line is incomplete
    const live::Session::Again again = session_.look(now, now);
    if (again.within > now) look_at_ = at_or_after(again.within);
  }
  if (session_.next_touch() > now) return;
  session_.touch(now);
  board_.told();
}

Cycles Watched::step_end() const {
  return std::min(look_at_, at_or_after(session_.next_touch()));
}

Cycles Watched::end() const {
  return at_or_after(session_.end());
}

void Watched::finish(Nanos now) {
  board_.log().listen(nullptr);
  session_.finish(now);
}

}  // namespace hocket::avr
