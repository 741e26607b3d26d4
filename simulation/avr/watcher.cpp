#include "simulation/avr/watcher.h"

#include <algorithm>

#include "arduino/runtime/loops.h"
#include "simulation/avr/asker.h"

namespace hocket::avr {
namespace {

/// The longest hold of a spinlock, with the instructions before and behind what the kernel counts.
constexpr Cycles kLongestHold = Cycles{8} * (uno::kLongestSpin + 20);

}  // namespace

Watcher::Watcher(const uno::Firmware& firmware, const uno::Declared& declared, const Mcu& mcu,
                 EventLog& log)
    : mcu_(mcu),
      log_(log),
      iteration_(firmware.address("hocket_iteration")),
      plain_iteration_(firmware.address("hocket_plain_iteration")),
      stop_(firmware.address("hocket_stop")),
      begin_(firmware.address(declared.has_kernel ? "hocket_run_loops" : "loop")),
      variant_(firmware.address("initVariant")),
      variant_ended_(firmware.address("hocket_variant_ended")),
      ends_{{{firmware.address("hocket_held_too_long"), Wrong::HeldLong},
             {firmware.address("hocket_no_memory"), Wrong::NoMemory},
             {firmware.address("__cxa_pure_virtual"), Wrong::PureVirtual},
             {firmware.address("hocket_needs_itself"), Wrong::NeedsItself}}},
      unhandled_(firmware.address("__bad_interrupt")),
      program_end_(static_cast<uint32_t>(firmware.flash().size())),
      variables_end_(firmware.chip().data_begin + firmware.data_bytes()),
      interrupts_(firmware.chip(), log),
      masks_(firmware.address(uno::kSpinLock)),
      outside_(firmware.address(uno::kSpinLock), kLongestHold),
      pins_(firmware.chip(), firmware.address("hocket_storm"),
            firmware.address("hocket_waiting_sections"), firmware.address("hocket_spi_closed")),
      attached_(firmware),
      heap_(firmware),
      account_(firmware),
      waits_(firmware),
      alarms_(firmware) {
  const uno::PolicyNumber policy = declared.kernel.policy;
  for (const uno::Loop& loop : declared.loops) {
    const bool takes_turns =
        policy == uno::PolicyNumber::HybridEdf && loop.priority != LoopDescriptor::kNoPriority;
    const auto number = static_cast<uint16_t>(loops_.size() + 1);
    loops_.emplace_back(loop, number, has_budgets(policy) && !takes_turns);
    log.record(0, EventKind::ThreadNamed, number, loop.id, loop.periodic ? 1 : 0);
  }
  if (declared.has_kernel) kernel_.emplace(declared.kernel, mcu);
  in_setup_ = begin_.has_value();  // a sketch may have a main() of its own, and neither of the two
  interrupts_.name_them();
  log.record(0, EventKind::ThreadNamed, EventLog::kSetup, 0, 2);
  log.record(0, EventKind::Dispatch, EventLog::kSetup);
  main_stack_.run(variables_end_, mcu_.chip().data_end - 1, false);
  use_stack();
}

uint16_t Watcher::thread() const {
  if (running_ != nullptr) return running_->number();
  return in_setup_ ? EventLog::kSetup : EventLog::kNobody;
}

void Watcher::update() {
  code_ = next_;
  next_ = mcu_.pc();
  const unsigned before = handler();
  interrupts_.update(mcu_, thread());
  if (kernel_) watch_handlers();
  masks_.update(mcu_, loop_id(), code_);
  pins_.update(mcu_);
  attached_.update(mcu_, asker());
  heap_.update(mcu_, asker());
  const bool section_ended = sections_.update(mcu_);
  alarms_.update(mcu_, sections_);
  if (kernel_) {
    const uint16_t current = kernel_->current();
    const auto head = [&] { return current != 0 ? kernel_->loop(current).head_end : 0; };
    const auto decided = [&] { return kernel_->has_decided(); };
    const unsigned of_its_own = handler_of_its_own();
    if (!in_setup_ && attached_handler_runs()) interrupts_.attached_runs(mcu_.cycle());
    account_.update(mcu_, code_, next_, current, head, decided, outside_kernel(), of_its_own,
                    alarms_.serves());
    outside_.update(mcu_, loop_id(), code_, of_its_own, account_.masked_by_loop());
  }
  if (in_setup_) watch_setup(next_);
  if (kernel_) watch_kernel(section_ended, before);
  if (running_ != nullptr && (next_ == iteration_ || (!kernel_ && next_ == plain_iteration_))) {
    running_->iterated(mcu_.cycle(), log_);
  }
  if (kernel_ && !in_setup_) {
    waits_.update(mcu_, running_ == nullptr ? handler() : 0);
  }
  if (wrong_ != Wrong::Nothing) return;
  wrong_ = look_for_wrong();
  if (wrong_ != Wrong::Nothing && waited() != 0) wrong_ = Wrong::Waited;
}

/// Whether the processor runs a device's or an alarm's handler, which is not the kernel's work.
bool Watcher::outside_kernel() const {
  return (interrupts_.runs_sketch() && !interrupts_.kernel_works_at_end(mcu_)) || alarms_.calls();
}

/// The handler that runs, if its time is not given back to the loop that it interrupts: an ISR() of
/// the sketch or of a library. 0: none does.
unsigned Watcher::handler_of_its_own() const {
  const unsigned number = interrupts_.running();
  if (!interrupts_.runs_sketch() || interrupts_.kernel_works_at_end(mcu_)) return 0;
  return attached_handler_runs() || interrupts_.given_back(number) ? 0 : number;
}

bool Watcher::attached_handler_runs() const {
  const unsigned number = interrupts_.running();
  const unsigned line = mcu_.chip().line_of(number);
  return line < mcu_.chip().lines() && pins_.attached(line) &&
         !interrupts_.kernel_works_at_end(mcu_);
}

int Watcher::asker() const {
  if (interrupts_.runs_sketch()) return kHandlerAsks;
  return in_setup_ ? kSetupAsks : loop_id();
}

/// The sketch's handler that runs: the number of its interrupt; 0: none does.
unsigned Watcher::handler() const {
  if (interrupts_.runs_sketch()) return interrupts_.running();
  return alarms_.serves() ? mcu_.chip().alarm : 0u;
}

Watcher::Wrong Watcher::look_for_wrong() {
  if (overflows()) return Wrong::Overflow;
  for (const End& end : ends_) {
    if (next_ == end.address) return end.wrong;
  }
  if (next_ == stop_) return Wrong::GaveUp;
  if (next_ == 0) return why_restarted();  // a reset has changed the clock, too
  if (clock_changed()) return Wrong::ClockChanged;
  if (next_ >= program_end_) return Wrong::NoProgram;
  if (next_ != code_ || !mcu_.masked() || mcu_.sleeping()) return Wrong::Nothing;
  return Wrong::Ended;
}

/// The timer of the clock counts freely, an eighth of the processor's frequency, with its overflow
/// interrupt on (ports/avr8/clock.h), and is never set.
bool Watcher::clock_changed() const {
  constexpr uint16_t kTimsk0 = 0x6e;  // those of the other timers follow
  constexpr uint8_t kToie = 1 << 0, kCs1 = 1 << 1;
  if (!kernel_ || !clock_runs_) return false;
  const unsigned number = mcu_.chip().clock_timer;
  const TimerModel& timer = mcu_.chip().timers[number];
  const uint16_t written = mcu_.written();
  if (written != 0 && (written == timer.counter || written == timer.counter + 1)) return true;
  return mcu_.data(timer.control_a) != 0 || mcu_.data(timer.control_b) != kCs1 ||
         (mcu_.data(static_cast<uint16_t>(kTimsk0 + number)) & kToie) == 0;
}

Watcher::Wrong Watcher::why_restarted() const {
  constexpr uint16_t kMcusr = 0x54;  // data sheet, section 11.9.1
  constexpr uint8_t kWdrf = 1 << 3;
  if ((mcu_.data(kMcusr) & kWdrf) != 0) return Wrong::Watchdog;
  return code_ == unhandled_ ? Wrong::Unhandled : Wrong::Restart;
}

/// Of the stack that is used at present.
bool Watcher::overflows() {
  const bool on_main = kernel_ && SectionWatch::flag(mcu_, avr8::kInIrq);
  if (on_main != on_main_) (on_main ? main_stack_ : stack_).go_on();
  on_main_ = on_main;
  return on_main ? main_stack_.update(mcu_) : stack_.update(mcu_);
}

void Watcher::watch_setup(uint32_t pc) {
  if (variant_ && variant_ended_ && (pc == *variant_ || pc == *variant_ended_)) {
    in_variant_ = pc == *variant_;
  }
  if (!begin_ || pc != *begin_) return;
  in_setup_ = false;
  masks_.forget();
  if (kernel_ || loops_.empty()) return log_.record(mcu_.cycle(), EventKind::Dispatch, thread());
  since_ = mcu_.cycle();
  running_ = &loops_.front();
  running_->start(since_);
  use_stack();
  log_.record(since_, EventKind::Dispatch, thread());
}

void Watcher::watch_kernel(bool section_ended, unsigned handler) {
  if (!clock_runs_) clock_runs_ = kernel_->clock_started();
  if (in_setup_ || !clock_runs_) return;
  if (section_ended) kernel_->section_ended();
  if (kernel_->current_is_whole()) {
    const uint16_t to = kernel_->current();
    if (to != current_) return switched(to, handler);
  }
  if (section_ended) look_at_loops();
}

void Watcher::look_at_loops() {
  for (LoopWatch& loop : loops_) {
    if (loop.memory() == 0) continue;
    const LoopNow now = kernel_->loop(loop.memory());
    if (!started_ && now.waits == Waits::ForTime) {  // all loops begin at the same instant
      started_ = true;
      masks_.forget();
      outside_.forget();
      sections_.forget();
      account_.forget();
      for (LoopWatch& each : loops_) each.start(now.wake_at);
    }
    loop.look(now, sections_.entered(), log_);
  }
}

/// `handler`: that was running meanwhile; 0: none.
void Watcher::switched(uint16_t to, unsigned handler) {
  LoopWatch* next = find(to);
  look_at_loops();
  ++switches_;
  if (running_ != nullptr && !running_->waits() && running_->competes(sections_.entered())) {
    ++preemptions_;
    running_->preempted();
  }
  charge();
  // (At the end of a handler a loop that it has woken runs; the interrupted loop does not wait
  // then.)
  if (handler != 0 && running_ != nullptr && running_->waits()) {
    waited_for_ = handler;
    wrong_ = Wrong::Waited;
  }
  interrupts_.switched(mcu_, thread());
  current_ = to;
  running_ = next;
  if (running_ != nullptr) running_->switched_to();
  use_stack();
  log_.record(mcu_.cycle(), EventKind::Dispatch, thread());
}

/// The loop with this memory. Memory of no other loop belongs to the plain loop.
LoopWatch* Watcher::find(uint16_t memory) {
  if (memory == 0) return nullptr;
  for (LoopWatch& loop : loops_) {
    if (loop.memory() == memory) return &loop;
  }
  if (loops_.empty() || loops_.front().id() != 0 || loops_.front().memory() != 0) return nullptr;
  loops_.front().found(memory);
  return &loops_.front();
}

/// A handler is no loop's own work, whichever budget pays for it: one of a pin has a budget of its
/// own (storm.h), a device's is paid for (device_time.h), tone()'s and a sketch's ISR() take what
/// they take. What the kernel does is: the refill of the handlers' budget, too. An interrupt of the
/// timer in which alarms' handlers are called has a budget of its own, from its beginning on.
void Watcher::watch_handlers() {
  const bool refill = interrupts_.running() == mcu_.chip().refill && pins_.any();
  const bool in_handler = (interrupts_.runs_sketch() && !refill) || alarms_.serves();
  if (in_handler == in_handler_) return;
  if (in_handler && alarms_.serves() && !interrupts_.runs_sketch()) {
    charge_until(alarms_.began());
  } else {
    charge();
  }
  in_handler_ = in_handler;
}

void Watcher::charge() {
  charge_until(mcu_.cycle());
}
void Watcher::charge_until(Cycles end) {
  end = std::max(end, since_);
  if (running_ != nullptr) {
    if (!in_handler_) running_->ran(since_, end);
    running_->stack(stack_.used(), stack_.size());
  }
  since_ = end;
}

void Watcher::use_stack() {
  if (running_ == nullptr || !kernel_)
    return stack_.run(variables_end_, mcu_.chip().data_end - 1, false);
  const unsigned bottom = running_->memory() + kernel_->state_bytes();
  const unsigned size = running_->id() == 0 ? kernel_->plain_stack() : running_->stack_bytes();
  stack_.run(bottom, bottom + size - 1, true);
}

std::vector<program::LoopRun> Watcher::finish() {
  charge();
  pins_.update(mcu_);  // what has come in the last step
  if (!in_setup_) {
    masks_.finish(mcu_.cycle());
    outside_.finish();
  }
  std::vector<program::LoopRun> result;
  result.reserve(loops_.size());
  for (LoopWatch& loop : loops_) result.push_back(loop.facts(mcu_.cycle(), kernel_.has_value()));
  return result;
}

std::vector<program::LoopCounts> Watcher::counts() const {
  std::vector<program::LoopCounts> all;
  all.reserve(loops_.size());
  for (const LoopWatch& loop : loops_) {
    all.push_back(loop.counts(mcu_.cycle(), kernel_.has_value()));
  }
  return all;
}

program::CounterFacts Watcher::counters() const {
  program::CounterFacts facts;
  facts.thread_switches = switches_;
  facts.preemptions = preemptions_;
  facts.timer_interrupts = interrupts_.count(mcu_.chip().alarm);
  facts.ipis = interrupts_.count(mcu_.chip().reschedule);
  facts.sleeps = 0;
  facts.wakes = 0;
  for (const LoopWatch& loop : loops_) {
    *facts.sleeps += loop.sleeps();
    *facts.wakes += loop.wakes();
  }
  return facts;
}

}  // namespace hocket::avr
