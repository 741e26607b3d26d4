#include "arduino/cores/avr8/image/declared.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "arduino/api/serial_rate.h"
#include "arduino/cores/avr8/alarm_costs.h"
#include "arduino/cores/avr8/kernel_costs.h"
#include "arduino/cores/avr8/storm_costs.h"
#include "arduino/cores/avr8/tick_costs.h"
#include "policies/level_order.h"

namespace hocket::uno {
namespace {

using LoopRecord = DeclaredLoop<uint16_t, uint16_t>;
constexpr uint8_t kLevels = LevelOrder<int32_t, 1>::kLevels;

/// Iterates over the records of the section. Never reads beyond a record.
class Records {
 public:
  explicit Records(const std::vector<uint8_t>& bytes) : bytes_(bytes) {}

  bool next() {
    at_ += size_;
    if (at_ == bytes_.size()) return false;
    size_ = bytes_.size() - at_;  // until the record states a smaller size
    const auto size = begins_with<uint16_t>();
    if (size <= kNumber || size > size_) cut_short();
    size_ = size;
    return true;
  }
  /// The loop's number; 0: the kernel's record.
  uint8_t number() const { return bytes_[at_ + kNumber]; }

  template <class Record>
  Record begins_with() const {
    if (sizeof(Record) > size_) cut_short();
    Record record;
    std::memcpy(&record, bytes_.data() + at_, sizeof record);
    return record;
  }
  /// The text that fills the rest of the record from `offset` on.
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

/// Checks that the loops' states and stacks are in data memory and do not overlap.
void check_memory(const Declared& declared, const avr::ChipModel& chip) {
  std::vector<std::pair<unsigned, unsigned>> parts;
  for (const Loop& loop : declared.loops) {
    const unsigned end = loop.memory + declared.kernel.state_bytes + loop.stack_bytes;
    demand_that(loop.memory >= chip.data_begin && end <= chip.data_end, "a loop's memory");
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

void check_count(size_t loops, const avr::ChipModel& chip) {
  if (loops <= chip.most_loops) return;
  throw BadFirmware("it has " + std::to_string(loops) + " loops, and the board " +
                    std::to_string(chip.most_loops) + " at most");
}

/// The lines to which the image may attach handlers.
unsigned lines_of(const Firmware& firmware) {
  const bool any =
      firmware.address("hocket_attach_any") || firmware.address("hocket_attach_any_param");
  unsigned lines = 0;
  for (size_t i = 0; i < firmware.chip().external.size(); ++i) {
    if (any || firmware.address("hocket_attaches_" + std::to_string(i))) ++lines;
  }
  for (const avr::ChangeModel& change : firmware.chip().changes) {
    if (firmware.address(std::string("hocket_attach_change_") + change.port)) ++lines;
  }
  return std::max(lines, 1u);
}

/// Admission and enforcement must use the same account.
void check_costs(const Firmware& firmware, const Declared& declared) {
  const auto ticks = firmware.address("hocket_activation_ticks");
  const Ticks activation = activation_cost(declared.costs(), /*several_cores=*/false);
  demand_that(ticks && *ticks == static_cast<uint32_t>(activation), "what an activation costs");
}

/// The common budget of alarm handlers in the timer interrupt (board_alarms.h).
void read_alarms(const Firmware& firmware, Declared& declared) {
  if (!firmware.address("hocket_call_alarm")) return;
  const auto budget = firmware.address("hocket_alarms_budget");
  const auto period = firmware.address("hocket_alarms_period");
  demand_that(budget && period && *period < 0x8000 && is_enough_for_alarms(*budget, *period),
              "what handlers of alarms may take");
  declared.alarms = {static_cast<Ticks>(*budget), static_cast<Ticks>(*period)};
}

/// The marks of the sketch's use of a serial port (serial_marks.h).
void read_serial(const Firmware& firmware, unsigned port, Declared::Serial& serial) {
  const std::string number = std::to_string(port);
  const auto count = [&serial](const std::string& rate) {
    const bool known = rate != "any";
    const uint64_t bits = known ? std::strtoull(rate.c_str(), nullptr, 10) : kHighestAnyRate;
    if (bits > UINT32_MAX || !is_serial_rate(static_cast<uint32_t>(bits))) return;
    serial.constant = serial.constant && known;
    serial.rate = std::max(serial.rate, static_cast<uint32_t>(bits));
  };
  for (const std::string& rate : firmware.names_behind("hocket_serial_rate_" + number + "_")) {
    count(rate);
  }
  // What begins or reads a port through a reference may do so with each that is linked.
  const bool linked = firmware.chip().uarts.size() == 1 ||
                      firmware.address("hocket_serial_port_" + number).has_value();
  if (linked && firmware.address("hocket_serial_rate_any")) count("any");
  const std::string event = port == 0 ? "_Z11serialEventv" : "_Z12serialEvent" + number + "v";
  serial.reads = firmware.address("hocket_serial_reads_" + number) ||
                 (linked && firmware.address("hocket_serial_reads")) || firmware.address(event);
}

}  // namespace

Declared read_records(const std::vector<uint8_t>& section, const avr::ChipModel& chip) {
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
  check_count(result.loops.size(), chip);
  check_memory(result, chip);
  return result;
}

Declared read_declared(const Firmware& firmware) {
  Declared result = read_records(firmware.section(".hocket_declared"), firmware.chip());
  result.of_chip = firmware.chip().costs;
  result.has_spinlocks = firmware.address(kSpinLock).has_value();
  result.has_wire = firmware.address("hocket_wire_steps").has_value();
  result.has_servos = firmware.address("_ZN6hocket3sys11servo_writeEjm").has_value();
  result.has_handlers = firmware.address("hocket_has_handlers").has_value();
  result.handlers_wake = firmware.address("hocket_pay_for_wake_up").has_value();
  result.has_devices = firmware.address("hocket_has_devices").has_value();
  const auto budget = firmware.address("hocket_handlers_budget");
  const auto period = firmware.address("hocket_handlers_period");
  if (budget && period && firmware.address("hocket_look_at_handlers")) {  // storm control is linked
    result.handlers = {static_cast<Ticks>(*budget), static_cast<Ticks>(*period * kStormTicks),
                       lines_of(firmware)};
    demand_that(
        result.handlers.period > 0 && static_cast<uint64_t>(result.handlers.budget) >=
                                          result.chip_costs().storm.least_handlers_budget(
                                              static_cast<uint64_t>(result.handlers.period)),
        "what handlers may take");
  }
  read_alarms(firmware, result);
  if (const auto tick = firmware.address("hocket_tick"); tick && result.has_kernel) {
    demand_that(*tick >= kShortestTick && *tick <= kLongestTick, "its time base");
    result.tick = static_cast<Ticks>(*tick);
  }
  for (unsigned port = 0; port < firmware.chip().uarts.size(); ++port) {
    read_serial(firmware, port, result.serial[port]);
  }
  if (firmware.address("loop")) result.loops.insert(result.loops.begin(), plain());
  check_count(result.loops.size(), firmware.chip());
  if (result.has_kernel) check_costs(firmware, result);
  return result;
}

}  // namespace hocket::uno
