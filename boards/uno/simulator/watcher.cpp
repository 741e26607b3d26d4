#include "boards/uno/simulator/watcher.h"

#include <algorithm>

namespace hocket::uno {
namespace {

constexpr uint32_t kAlarmVector = 11 * 4;  // TIMER1_COMPA, in bytes
constexpr uint16_t kStackTop = 0x8ff;

/// Highest address of a loop's memory. The plain loop's is on the stack of main().
unsigned top_of(const Loop& loop) {
  return loop.memory == 0 ? kStackTop
                          : loop.memory + HOCKET_LOOP_STATE_BYTES + loop.stack_bytes - 1u;
}

}  // namespace

Watcher::Watcher(const Firmware& firmware, const Declared& declared, const Mcu& mcu)
    : mcu_(mcu),
      iteration_(firmware.address("hocket_iteration")),
      plain_iteration_(firmware.address("hocket_plain_iteration")),
      stop_(firmware.address("hocket_stop")),
      begin_(firmware.address(declared.has_kernel ? "hocket_run_loops" : "loop")),
      free_ram_(static_cast<uint16_t>(Firmware::kDataEnd - Firmware::kDataBegin -
                                      firmware.data_bytes())) {
  for (const Loop& loop : declared.loops) loops_.push_back({.loop = loop, .meter = {}});
  if (declared.has_kernel) kernel_ = declared.kernel;
}

Watcher::Watched* Watcher::find(uint16_t thread) {
  if (kernel_ && (thread == kernel_->idle || thread == 0)) return nullptr;
  for (Watched& w : loops_) {
    if (w.loop.memory == thread) return &w;
  }
  // The plain loop's memory is wherever main() found it.
  return !loops_.empty() && loops_.front().loop.id == 0 ? &loops_.front() : nullptr;
}

void Watcher::charge() {
  const Cycles now = mcu_.cycle();
  if (watched_ != nullptr) {
    watched_->cpu += now - since_;
    using Instant = BasicInstant<int64_t>;
    watched_->meter.add(Instant(static_cast<int64_t>(since_)), Instant(static_cast<int64_t>(now)));
  }
  since_ = now;
}

void Watcher::switched(uint16_t to) {
  charge();
  // Boot makes the idle thread the running one: that is no switch.
  if (current_ != 0) ++switches_;
  current_ = to;
  watched_ = find(to);
}

void Watcher::update() {
  const uint32_t pc = mcu_.pc();
  if (in_setup_ && begin_ && pc == *begin_) {
    in_setup_ = false;
    const auto now = static_cast<int64_t>(mcu_.cycle());
    for (Watched& w : loops_) {
      w.meter.start(BasicInstant<int64_t>(now),
                    BasicDuration<int64_t>(static_cast<int64_t>(w.loop.period_ns / 125 * 2)));
    }
    if (!kernel_) {
      since_ = mcu_.cycle();
      watched_ = loops_.empty() ? nullptr : &loops_.front();
    }
  }
  if (kernel_) {
    const uint16_t thread = running();
    if (thread != current_) switched(thread);
  }
  if (watched_ != nullptr) {
    // At a switch the stack pointer is still the other thread's for a while; and as its halves are
    // written one after the other, it counts only when it has stayed for some instructions.
    const uint16_t sp = mcu_.stack_pointer();
    stayed_ = sp == last_sp_ ? stayed_ + 1 : 0;
    last_sp_ = sp;
    if (stayed_ >= 2 && sp >= watched_->loop.memory && sp <= top_of(watched_->loop)) {
      watched_->deepest = std::min(watched_->deepest, sp);
    }
    if (pc == iteration_ || (!kernel_ && pc == plain_iteration_)) ++watched_->iterations;
  }
  if (pc == kAlarmVector) ++timer_interrupts_;
  if (pc == stop_) stopped_ = true;
  if (mcu_.asleep() != asleep_) {
    asleep_ = mcu_.asleep();
    masked_since_ = mcu_.cycle();
  }
  if (!mcu_.masked()) {
    if (!in_setup_) {
      longest_masked_ = std::max(longest_masked_, mcu_.cycle() - masked_since_);
    }
    masked_since_ = mcu_.cycle();
  }
}

int Watcher::culprit() const {
  return watched_ == nullptr ? -1 : static_cast<int>(watched_->loop.id);
}

/// The lowest byte of the stack is no longer as it was painted (ports/avr8/port.h).
bool Watcher::stack_overflown() const {
  if (watched_ == nullptr || watched_->loop.memory == 0) return false;
  const auto bottom = static_cast<uint16_t>(watched_->loop.memory + HOCKET_LOOP_STATE_BYTES);
  return mcu_.data(bottom) != 0xa5 || watched_->deepest < bottom;
}

std::vector<program::LoopRun> Watcher::finish() {
  charge();
  const auto now = static_cast<int64_t>(mcu_.cycle());
  std::vector<program::LoopRun> result;
  const auto ns = [](Cycles cycles) { return static_cast<program::Nanos>(cycles * 125 / 2); };
  for (Watched& w : loops_) {
    program::LoopRun run{};
    w.meter.advance(BasicInstant<int64_t>(now));
    run.iterations = w.iterations;
    run.cpu_time = ns(w.cpu);
    if (w.meter.windows() > 0) {
      run.least_cpu = ns(static_cast<Cycles>(w.meter.least().ticks()));
      run.most_cpu = ns(static_cast<Cycles>(w.meter.most().ticks()));
    }
    run.stack_size = w.loop.stack_bytes;
    if (w.loop.memory != 0) {
      run.stack_used = w.deepest == 0xffff ? 0 : top_of(w.loop) - w.deepest;
    } else {
      run.stack_size = free_ram_;
      run.stack_used = w.deepest == 0xffff ? 0 : kStackTop - w.deepest;
    }
    result.push_back(run);
  }
  return result;
}

program::CounterFacts Watcher::counters() const {
  program::CounterFacts facts;
  facts.thread_switches = switches_;
  facts.preemptions = std::nullopt;
  facts.sleeps = std::nullopt;
  facts.timer_interrupts = timer_interrupts_;
  return facts;
}

}  // namespace hocket::uno
