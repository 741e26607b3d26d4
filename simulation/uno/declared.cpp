#include "simulation/uno/declared.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "arduino/cores/avr8/serial_rate.h"
#include "arduino/cores/avr8/storm.h"
#include "arduino/runtime/admission.h"
#include "boards/uno/costs.h"
#include "kernel/sched/deadline_analysis.h"
#include "kernel/sched/level_order.h"
#include "kernel/sched/no_promise.h"

namespace hocket::uno {
namespace {

using LoopRecord = DeclaredLoop<uint16_t, uint16_t>;
constexpr uint8_t kLevels = LevelOrder<1>::kLevels;

/// The records of the section, one after the other. Nothing is read beyond one.
class Records {
 public:
  explicit Records(const std::vector<uint8_t>& bytes) : bytes_(bytes) {}

  bool next() {
    at_ += size_;
    if (at_ == bytes_.size()) return false;
    size_ = bytes_.size() - at_;  // as long as it has not said less
    const auto size = begins_with<uint16_t>();
    if (size <= kNumber || size > size_) cut_short();
    size_ = size;
    return true;
  }
  /// The loop's number; 0: it is the kernel's.
  uint8_t number() const { return bytes_[at_ + kNumber]; }

  template <class Record>
  Record begins_with() const {
    if (sizeof(Record) > size_) cut_short();
    Record record;
    std::memcpy(&record, bytes_.data() + at_, sizeof record);
    return record;
  }
  /// The text that fills the rest behind so many bytes.
  std::string text(size_t offset) const {
    const auto begin = bytes_.begin() + static_cast<ptrdiff_t>(at_ + offset);
    const auto end = bytes_.begin() + static_cast<ptrdiff_t>(at_ + size_);
    if (begin >= end || std::find(begin, end, 0) != end - 1) cut_short();
    return {begin, end - 1};
  }

 private:
  static constexpr size_t kNumber = offsetof(LoopRecord, id);
  [[noreturn]] static void cut_short() { throw BadFirmware("its loops are cut short"); }

  const std::vector<uint8_t>& bytes_;
  size_t at_ = 0;
  size_t size_ = 0;
};

void demand_that(bool possible, const char* what) {
  if (!possible) throw BadFirmware(std::string("its record of ") + what + " cannot be");
}

Layout kernel_of(const Records& records) {
  const auto k = records.begins_with<Layout>();
  demand_that(k.record_bytes == sizeof k, "the kernel");
  demand_that(static_cast<uint8_t>(k.policy) < kPolicies, "the kernel's policy");
  demand_that(k.tick_hz == kTickHz, "the kernel's clock");
  for (const unsigned place : {+k.thread_state, +k.wake_at, +k.vcpu_state, +k.head_refill}) {
    demand_that(place < k.state_bytes, "the kernel's memory");
  }
  demand_that(k.plain_stack >= kSmallestStack && k.plain_stack <= kLargestStack,
              "the plain loop's stack");
  return k;
}

Loop loop_of(const Records& records) {
  const auto r = records.begins_with<LoopRecord>();
  demand_that(r.periodic <= 1 && r.background <= 1, "a loop's kind");
  demand_that(r.core <= LoopDescriptor::kHighestCore || r.core == LoopDescriptor::kAnyCore,
              "a loop's core");
  demand_that(r.budget_ns > 0 && r.budget_ns <= r.deadline_ns && r.deadline_ns <= r.period_ns &&
                  r.period_ns <= kLongestPeriodNs,
              "a loop's budget and period");
  demand_that(r.stack_bytes >= kSmallestStack && r.stack_bytes <= kLargestStack, "a loop's stack");
  demand_that(r.priority < kLevels || r.priority == LoopDescriptor::kNoPriority,
              "a loop's priority");
  return {.id = r.id,
          .periodic = r.periodic != 0,
          .background = r.background != 0,
          .core = r.core,
          .line = r.line,
          .budget_ns = r.budget_ns,
          .period_ns = r.period_ns,
          .deadline_ns = r.deadline_ns,
          .stack_bytes = r.stack_bytes,
          .memory = r.memory,
          .priority = r.priority,
          .tickets = r.tickets,
          .file = records.text(sizeof r)};
}

Loop plain() {
  constexpr LoopDescriptor d = plain_loop(nullptr);
  return {.id = d.id,
          .periodic = false,
          .background = d.background,
          .core = d.core,
          .line = 0,
          .budget_ns = d.budget_ns,
          .period_ns = d.period_ns,
          .deadline_ns = d.deadline_ns,
          .stack_bytes = 0,
          .memory = 0,
          .priority = d.priority,
          .tickets = d.tickets,
          .file = ""};
}

LoopDescriptor descriptor_of(const Loop& loop) {
  LoopDescriptor d{};
  d.file = loop.file.c_str();
  d.budget_ns = loop.budget_ns;
  d.period_ns = loop.period_ns;
  d.deadline_ns = loop.deadline_ns;
  d.line = loop.line;
  d.id = static_cast<uint8_t>(loop.id);
  d.core = static_cast<uint8_t>(loop.core);
  d.kind = loop.periodic ? LoopKind::Periodic : LoopKind::Loop;
  d.background = loop.background;
  d.priority = loop.priority;
  d.tickets = loop.tickets;
  return d;
}

/// The loops' states and stacks lie in data memory, beside each other.
void check_memory(const Declared& declared) {
  std::vector<std::pair<unsigned, unsigned>> parts;
  for (const Loop& loop : declared.loops) {
    const unsigned end = loop.memory + declared.kernel.state_bytes + loop.stack_bytes;
    demand_that(loop.memory >= Firmware::kDataBegin && end <= Firmware::kDataEnd,
                "a loop's memory");
    parts.emplace_back(loop.memory, end);
  }
  std::sort(parts.begin(), parts.end());
  for (size_t i = 1; i < parts.size(); ++i) {
    demand_that(parts[i - 1].second <= parts[i].first, "two loops' memory");
  }
}

void sort_by_number(std::vector<Loop>& loops) {
  std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.id < b.id; });
  for (size_t i = 1; i < loops.size(); ++i) {
    const Loop &a = loops[i - 1], &b = loops[i];
    if (a.id != b.id) continue;
    throw BadFirmware("loop " + std::to_string(a.id) + " is declared twice: " + a.file + ":" +
                      std::to_string(a.line) + " and " + b.file + ":" + std::to_string(b.line));
  }
}

void check_count(size_t loops) {
  if (loops <= kMostLoops) return;
  throw BadFirmware("it has " + std::to_string(loops) + " loops, and the Uno " +
                    std::to_string(kMostLoops) + " at most");
}

program::Nanos ns(Ticks ticks) {
  return Rate::ns_up(static_cast<uint64_t>(ticks));
}

program::OverheadFacts overhead_facts(const Overheads<Ticks>& overheads) {
  const auto& costs = overheads.costs;
  return {.interrupt_entry = ns(costs.interrupt_entry),
          .context_switch = ns(costs.context_switch),
          .timer_interrupt = ns(costs.timer_interrupt),
          .timer_lateness = ns(costs.timer_lateness),
          .longest_masked = ns(costs.longest_masked),
          .longest_masked_seen = {},
          .longest_spin_seen = {},
          .spin_blocking = ns(overheads.blocking + overheads.once),
          .activation = ns(overheads.activation()),
          .smallest_budget = ns(smallest_budget(costs)),
          .pieces = kPiecesOnSmallProcessor,
          .refills = kRefills};
}

/// How long an edge waits for its handler at most, when no handler takes longer than
/// kLongestHandler and those before it on its line have been handled.
///
///   budget whole      used up, held back          given back   ─▶ seen at timer 0's next match
///   │▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒│───────────────────────────│····│▒     a handler in the middle
///   0        (C − over) / 2 at the earliest       n · T
///
/// Each time it is given back one line is let in by itself: of those that wait, the next in a
/// round. So all others come once before it, at most: as many times n · T.
///
/// (In idle time a handler is charged with up to twice what it takes: the way in and out is
/// shorter.)
Ticks longest_delay_in_ticks(const Declared& declared, unsigned lines) {
  constexpr Ticks kMatch = 2048, kFrames = 60;  // storm.cpp
  const Ticks budget = declared.handlers.budget, period = declared.handlers.period;
  const Ticks over = kLongestHandler + kFrames + (period / kMatch + 1) * Ticks{kLook} +
                     static_cast<Ticks>(lines) * Ticks{kLetIn};
  const Ticks periods = 1 + over / budget;
  const Ticks held =
      static_cast<Ticks>(lines) * periods * period - larger<Ticks>((budget - over) / 2, 0) + kMatch;
  return held + kLongestHandler + kFrames + larger(kLongestDeviceMasked, kLongestDevice) +
         (declared.has_spinlocks ? kLongestSpin : 0);
}

/// The paper's: T − C, and the handler on a processor of its own.
Ticks paper_delay(const Declared& declared) {
  const Ticks budget = declared.handlers.budget, period = declared.handlers.period;
  return (period - budget) + kLongestHandler / budget * period + kLongestHandler % budget;
}

/// Of all handlers of attachInterrupt() together: which pins they are for is known when they run.
program::InterruptFacts handler_facts(const Declared& declared) {
  program::InterruptFacts all{};
  all.budget = ns(declared.handlers.budget);
  all.period = ns(declared.handlers.period);
  all.bound = longest_delay(declared, declared.handlers.lines);
  all.paper_bound = longest_delay_by_paper(declared);
  return all;
}

/// The lines that the image may attach handlers to.
unsigned lines_of(const Firmware& firmware) {
  const bool any =
      firmware.address("hocket_attach_any") || firmware.address("hocket_attach_any_param");
  unsigned lines = 0;
  for (const char* name : {"hocket_attaches_0", "hocket_attaches_1"}) {
    if (any || firmware.address(name)) ++lines;
  }
  for (const char* name :
       {"hocket_attach_change_B", "hocket_attach_change_C", "hocket_attach_change_D"}) {
    if (firmware.address(name)) ++lines;
  }
  return std::max(lines, 1u);
}

/// What the sketch has left of its use of Serial (serial_marks.h).
void read_serial(const Firmware& firmware, Declared& declared) {
  auto& serial = declared.serial;
  for (const std::string& rate : firmware.names_behind("hocket_serial_rate_")) {
    const bool known = rate != "any";
    const uint64_t number = known ? std::strtoull(rate.c_str(), nullptr, 10) : kHighestAnyRate;
    if (number > UINT32_MAX || !is_serial_rate(static_cast<uint32_t>(number))) continue;
    serial.constant = serial.constant && known;
    serial.rate = std::max(serial.rate, static_cast<uint32_t>(number));
  }
  serial.reads = firmware.address("hocket_serial_reads") || firmware.address("_Z11serialEventv");
}

}  // namespace

program::Nanos longest_delay(const Declared& declared, unsigned lines) {
  return ns(longest_delay_in_ticks(declared, lines));
}
program::Nanos longest_delay_by_paper(const Declared& declared) {
  return ns(paper_delay(declared));
}

Declared read_records(const std::vector<uint8_t>& section) {
  Declared result;
  Records records(section);
  while (records.next()) {
    if (records.number() != 0) {
      result.loops.push_back(loop_of(records));
      continue;
    }
    demand_that(!result.has_kernel, "a second kernel");
    result.has_kernel = true;
    result.kernel = kernel_of(records);
  }
  demand_that(result.has_kernel || result.loops.empty(), "loops without a kernel");
  sort_by_number(result.loops);
  check_count(result.loops.size());
  check_memory(result);
  return result;
}

Declared read_declared(const Firmware& firmware) {
  Declared result = read_records(firmware.section(".hocket_declared"));
  result.has_spinlocks = firmware.address(kSpinLock).has_value();
  const auto budget = firmware.address("hocket_handlers_budget");
  const auto period = firmware.address("hocket_handlers_period");
  if (budget && period && firmware.address("hocket_look_at_handlers")) {  // it is linked
    result.handlers = {static_cast<Ticks>(*budget), static_cast<Ticks>(*period * kStormTicks),
                       lines_of(firmware)};
  }
  read_serial(firmware, result);
  if (firmware.address("loop")) result.loops.insert(result.loops.begin(), plain());
  check_count(result.loops.size());
  return result;
}

const char* name_of(PolicyNumber policy) {
  static constexpr std::array kNames{"vcpu", "edf", "hybrid-edf", "mlq", "bitmap", "lottery"};
  static_assert(kNames.size() == kPolicies);
  return kNames[static_cast<size_t>(policy)];
}

namespace {

Ticks ticks_of(uint32_t cycles) {
  return static_cast<Ticks>(cycles / 8);
}

/// Serial's interrupts. Who writes pays for those of its characters, when it writes: of others'
/// what their buffer holds may still come, no faster than the port sends. What comes in is nobody's
/// choice but the line's.
///
/// They are counted in fours, as limits are moved. Once besides: what came while interrupts were
/// masked (three characters at the most, by the receiver, and one has gone), and a limit that is
/// moved when fewer have come within the window.
template <class Admission>
void add_serial(const Declared& declared, Admission& admission, Overheads<Ticks>& overheads,
                program::RunFacts& facts) {
  const auto& serial = declared.serial;
  if (serial.rate == 0 || !declared.has_kernel) return;
  constexpr Ticks kMaskedAway = 4 * kCharacterTicks;
  constexpr uint32_t kFours = kSerialBuffer / kDevicesTogether;
  const SerialRate rate = serial_rate(serial.rate);
  const Ticks sent = ticks_of(kDevicesTogether * rate.sent_cycles());
  const Ticks received = ticks_of(kDevicesTogether * rate.received_cycles());
  overheads.once += kMaskedAway + kMoveTicks;
  if constexpr (Admission::kHasBacklogs) {
    admission.add_backlog(kTogetherTicks, sent, kFours);
  } else {
    overheads.once += static_cast<Ticks>(kFours) * kTogetherTicks;
  }
  if (serial.reads) admission.add_handler(kTogetherTicks, received);
  facts.serial_interrupts = {
      .rate = serial.rate,
      .constant = serial.constant,
      .each = ns(kCharacterTicks),
      .sent_before = kSerialBuffer - 1,
      .received_share =
          serial.reads ? static_cast<double>(kTogetherTicks) / static_cast<double>(received) : 0};
  if (serial.constant) return;
  facts.notices.push_back(
      "Serial.begin() has a rate that is not a constant: its interrupts are counted for " +
      std::to_string(serial.rate) +
      " bits per second, and a higher rate is refused as the sketch runs.");
}

/// Where a loop does not fit.
void explain_serial(program::RunFacts& facts) {
  if (!facts.serial_interrupts || facts.serial_interrupts->received_share == 0) return;
  const bool no_room = std::any_of(
      facts.reasons.begin(), facts.reasons.end(),
      [](const std::string& reason) { return reason.find("guarantee") != std::string::npos; });
  if (!no_room) return;
  char text[160];
  std::snprintf(
      text, sizeof text,
      "what comes in at Serial takes up to %.1f %% of core 0 before all loops, at %u bits "
      "per second: a lower rate leaves more.",
      100 * facts.serial_interrupts->received_share, facts.serial_interrupts->rate);
  facts.reasons.emplace_back(text);
}

/// By the analysis of a policy.
template <class Analysis>
void admit_by(const Declared& declared, program::RunFacts& facts) {
  std::vector<LoopDescriptor> descriptors;
  descriptors.reserve(declared.loops.size());
  for (const Loop& loop : declared.loops) descriptors.push_back(descriptor_of(loop));
  std::vector<const LoopDescriptor*> loops;
  loops.reserve(descriptors.size());
  for (const LoopDescriptor& d : descriptors) loops.push_back(&d);

  const Ticks spin = declared.has_spinlocks ? kLongestSpin : 0;
  // Two budgets may be used one after the other, and a handler may go beyond.
  const auto& handlers = declared.handlers;
  const Ticks ahead = handlers.budget > 0 ? handlers.budget + kLongestHandler : 0;
  Overheads<Ticks> overheads{.costs = kCosts,
                             .blocking = spin,
                             .overrun = spin,
                             .several_cores = false,
                             .by_deadline = kByDeadline<Analysis>,
                             .once = ahead};
  runtime::Admission<Rate, Analysis, 1, kMostLoops> admission;
  if (handlers.period > 0) admission.add_handler(handlers.budget, handlers.period);
  if constexpr (kPromises<Analysis>) add_serial(declared, admission, overheads, facts);
  facts.accepted = admission.admit(loops.data(), static_cast<unsigned>(loops.size()), 1, overheads);
  const runtime::CoreReport core = admission.core(0);
  facts.admission.push_back({core.utilization_ppm, core.liu_layland_ppm});
  for (unsigned i = 0; i < admission.reason_count(); ++i) {
    facts.reasons.emplace_back(admission.reason(i));
  }
  if (!facts.accepted) explain_serial(facts);
  for (unsigned i = 0; i < loops.size(); ++i) {
    program::LoopFacts& of = facts.loops.emplace_back();
    of.id = descriptors[i].id;
    of.periodic = descriptors[i].kind == LoopKind::Periodic;
    of.budget = descriptors[i].budget_ns;
    of.period = descriptors[i].period_ns;
    of.deadline = descriptors[i].deadline_ns;
    if (!facts.accepted) continue;
    of.core = 0;
    const Ticks bound = admission.place(i).response_bound;
    if (bound < Analysis::kUnbounded) of.response_bound = ns(bound);
  }
  facts.overheads = overhead_facts(overheads);
  facts.handlers = {ns(handlers.budget), ns(handlers.period)};
  if (handlers.period > 0 && facts.accepted) facts.interrupts.push_back(handler_facts(declared));
}

}  // namespace

void admit(const Declared& declared, program::RunFacts& facts) {
  facts.policy = name_of(declared.kernel.policy);
  switch (declared.kernel.policy) {
    case PolicyNumber::Vcpu:
      return admit_by<FixedPriorityAnalysis<Ticks, kMostLoops, /*kBacklogs=*/true>>(declared,
                                                                                    facts);
    case PolicyNumber::Edf:
      return admit_by<DeadlineAnalysis<Ticks, kMostLoops>>(declared, facts);
    case PolicyNumber::HybridEdf:
      return admit_by<DeadlineAnalysis<Ticks, kMostLoops, /*kHybrid=*/true>>(declared, facts);
    default:
      return admit_by<NoPromise<Ticks, kMostLoops>>(declared, facts);
  }
}

}  // namespace hocket::uno
