#include "boards/uno/simulator/declared.h"

#include <algorithm>
#include <cstring>
#include <deque>

#include "arduino/runtime/runtime.h"

namespace hocket::uno {
namespace {

constexpr uint64_t kMs = 1'000'000;

/// The records of the section, one after the other.
class Records {
 public:
  explicit Records(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {}

  bool next() {
    at_ += size_;
    if (at_ == bytes_.size()) return false;
    size_ = 2;
    size_ = get<uint16_t>(0);
    if (size_ < 3 || size_ > bytes_.size() - at_) throw BadFirmware("its loops are cut short");
    return true;
  }
  template <class Value>
  Value get(size_t offset) const {
    if (offset + sizeof(Value) > size_ || at_ + offset + sizeof(Value) > bytes_.size()) {
      throw BadFirmware("its loops are cut short");
    }
    Value value;
    std::memcpy(&value, bytes_.data() + at_ + offset, sizeof value);
    return value;
  }
  std::string text(size_t offset) const {
    std::string result;
    for (; get<char>(offset) != '\0'; ++offset) result += get<char>(offset);
    return result;
  }

 private:
  std::vector<uint8_t> bytes_;
  size_t at_ = 0;
  size_t size_ = 0;
};

/// As DeclaredLoop in board_loops.h; AVR aligns nothing.
Loop loop_of(const Records& r) {
  return {.id = r.get<uint8_t>(2),
          .periodic = r.get<uint8_t>(3) != 0,
          .background = r.get<uint8_t>(5) != 0,
          .core = r.get<uint8_t>(4),
          .line = r.get<uint32_t>(6),
          .budget_ns = r.get<uint64_t>(10),
          .period_ns = r.get<uint64_t>(18),
          .deadline_ns = r.get<uint64_t>(26),
          .stack_bytes = r.get<uint16_t>(34),
          .memory = r.get<uint16_t>(36),
          .file = r.text(40)};
}

Loop plain_loop() {
  return {.id = 0,
          .periodic = false,
          .background = false,
          .core = LoopDescriptor::kAnyCore,
          .line = 0,
          .budget_ns = 80 * kMs,
          .period_ns = 100 * kMs,
          .deadline_ns = 100 * kMs,
          .stack_bytes = 0,
          .memory = 0,
          .file = ""};
}

void refuse_duplicates(const std::vector<Loop>& loops) {
  for (size_t i = 1; i < loops.size(); ++i) {
    const Loop &a = loops[i - 1], &b = loops[i];
    if (a.id != b.id) continue;
    throw BadFirmware("loop " + std::to_string(a.id) + " is declared twice: " + a.file + ":" +
                      std::to_string(a.line) + " and " + b.file + ":" + std::to_string(b.line));
  }
}

// What admission works on; runtime.h declares the functions that lead to it.
std::deque<runtime::Loop> admitted;
std::deque<LoopDescriptor> descriptors;

void load(const Declared& declared) {
  admitted.clear();
  descriptors.clear();
  for (const Loop& loop : declared.loops) {
    LoopDescriptor& d = descriptors.emplace_back();
    d.file = loop.file.c_str();
    d.budget_ns = loop.budget_ns;
    d.period_ns = loop.period_ns;
    d.deadline_ns = loop.deadline_ns;
    d.line = loop.line;
    d.id = static_cast<uint8_t>(loop.id);
    d.core = static_cast<uint8_t>(loop.core);
    d.kind = loop.periodic ? LoopKind::Periodic : LoopKind::Loop;
    admitted.emplace_back().descriptor = &d;
  }
}

program::Nanos ns(int64_t ticks) {
  return runtime::Rate::ns_up(static_cast<uint64_t>(ticks));
}

}  // namespace

Declared read_declared(const Firmware& firmware) {
  Declared result;
  Records records(firmware.section(".hocket_declared"));
  while (records.next()) {
    if (records.get<uint8_t>(2) == 0) {
      result.has_kernel = true;
      result.kernel = records.get<Layout>(0);
    } else {
      result.loops.push_back(loop_of(records));
    }
  }
  if (firmware.address("loop")) result.loops.push_back(plain_loop());
  std::sort(result.loops.begin(), result.loops.end(),
            [](const Loop& a, const Loop& b) { return a.id < b.id; });
  refuse_duplicates(result.loops);
  if (result.loops.size() > kMostLoops) {
    throw BadFirmware("it has " + std::to_string(result.loops.size()) + " loops, and the Uno " +
                      std::to_string(kMostLoops) + " at most");
  }
  return result;
}

void admit(const Declared& declared, program::RunFacts& facts) {
  load(declared);
  facts.accepted = runtime::admit(1);
  const runtime::CoreReport& core = runtime::core_report(0);
  facts.admission.push_back({core.utilization_ppm, core.liu_layland_ppm});
  for (unsigned i = 0; i < runtime::reason_count(); ++i) {
    facts.reasons.emplace_back(runtime::reason(i));
  }
  for (const runtime::Loop& loop : admitted) {
    const LoopDescriptor& d = *loop.descriptor;
    program::LoopFacts& of = facts.loops.emplace_back();
    of.id = d.id;
    of.periodic = d.kind == LoopKind::Periodic;
    of.budget = d.budget_ns;
    of.period = d.period_ns;
    of.deadline = d.deadline_ns;
    if (!facts.accepted) continue;
    of.core = 0;
    of.response_bound = ns(loop.response_bound);
  }
  facts.overheads = {.context_switch = ns(kCosts.context_switch),
                     .timer_interrupt = ns(kCosts.timer_interrupt),
                     .timer_lateness = ns(kCosts.timer_lateness),
                     .longest_masked = ns(kCosts.longest_masked),
                     .longest_masked_seen = {},
                     .spin_blocking = 0,
                     .minimum_budget = ns(kMinimumBudget),
                     .refills = kRefills};
}

}  // namespace hocket::uno

namespace hocket::runtime {

unsigned loop_count() {
  return static_cast<unsigned>(uno::admitted.size());
}
Loop& loop(unsigned index) {
  return uno::admitted[index];
}
/// Spinlocks mask interrupts here, for microseconds.
Ticks spin_blocking(unsigned) {
  return 0;
}

}  // namespace hocket::runtime
