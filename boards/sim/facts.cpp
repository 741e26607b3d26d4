// The facts of a run as one JSON object (docs/reference/sim-program.md, report.md).
#include <sys/mman.h>

#include <nlohmann/json.hpp>

#include "arduino/runtime/runtime.h"
#include "boards/sim/program.h"

namespace hocket::sim {
namespace {

using Json = nlohmann::ordered_json;
using runtime::Loop;

Json microseconds(Nanos ns) {
  if (ns % 1000 == 0) return ns / 1000;
  return static_cast<double>(ns) / 1000.0;
}
Json microseconds(System::Duration duration) {
  return microseconds(static_cast<Nanos>(std::max<int64_t>(duration.ticks(), 0)));
}

double ratio(uint32_t ppm) {
  return ppm / 1e6;
}

/// Bytes of a stack that were ever used: fresh pages are zero, and untouched ones are not resident.
size_t stack_used(const port::Stack& stack) {
  constexpr size_t kPage = 4096;
  std::vector<unsigned char> resident(stack.size / kPage);
  if (mincore(stack.base, stack.size, resident.data()) != 0) return 0;
  const auto* bytes = static_cast<const unsigned char*>(stack.base);
  for (size_t page = 0; page < resident.size(); ++page) {
    if ((resident[page] & 1) == 0) continue;
    for (size_t i = page * kPage; i < (page + 1) * kPage; ++i) {
      if (bytes[i] != 0) return stack.size - i;
    }
  }
  return 0;
}

Json admission(bool accepted, unsigned cores) {
  Json per_core = Json::array();
  for (unsigned i = 0; i < cores; ++i) {
    const runtime::CoreReport& report = runtime::core_report(i);
    per_core.push_back({{"core", i},
                        {"utilization", ratio(report.utilization_ppm)},
                        {"liu_layland_bound", ratio(report.liu_layland_ppm)}});
  }
  Json reasons = Json::array();
  for (unsigned i = 0; i < runtime::reason_count(); ++i) reasons.push_back(runtime::reason(i));
  return {{"accepted", accepted},
          {"test", "exact response-time analysis"},
          {"cores", per_core},
          {"reasons", reasons}};
}

/// What admission knows of a loop; what only a run can tell stays null.
Json loop_facts(const Loop& loop, bool accepted) {
  const LoopDescriptor& d = *loop.descriptor;
  Json facts = {{"id", d.id},
                {"kind", d.kind == LoopKind::Periodic ? "periodic" : "loop"},
                {"core", nullptr},
                {"budget_us", microseconds(d.budget_ns)},
                {"period_us", microseconds(d.period_ns)},
                {"deadline_us", microseconds(d.deadline_ns)}};
  for (const char* unknown :
       {"iterations", "cpu_us", "min_cpu_per_period_us", "max_cpu_per_period_us",
        "budget_exhausted", "releases", "deadline_misses", "max_response_us", "response_bound_us",
        "stack_size", "stack_used"}) {
    facts[unknown] = nullptr;
  }
  if (accepted) {
    facts["core"] = loop.vcpu.core;
    facts["response_bound_us"] = microseconds(static_cast<Nanos>(loop.response_bound));
  }
  return facts;
}

void add_run(Json& facts, const Loop& loop) {
  const bool periodic = loop.descriptor->kind == LoopKind::Periodic;
  const auto& meter = loop.thread.meter;
  facts["iterations"] = loop.iterations;
  facts["cpu_us"] = microseconds(loop.thread.cpu_time);
  if (meter.windows() > 0) {
    facts["min_cpu_per_period_us"] = microseconds(meter.least());
    facts["max_cpu_per_period_us"] = microseconds(meter.most());
  }
  facts["budget_exhausted"] = loop.vcpu.exhausted;
  facts["releases"] = periodic ? loop.releases : loop.vcpu.releases;
  facts["deadline_misses"] = periodic ? loop.deadline_misses : loop.vcpu.deadline_misses;
  facts["max_response_us"] =
      microseconds(periodic ? loop.worst_response : loop.vcpu.worst_response);
  facts["stack_size"] = loop.stack.size;
  facts["stack_used"] = stack_used(loop.stack);
}

Json counters(unsigned cores) {
  Counters sum;
  for (unsigned i = 0; i < cores; ++i) {
    const Counters& c = System::core(static_cast<CoreId>(i)).counters;
    sum.thread_switches += c.thread_switches;
    sum.preemptions += c.preemptions;
    sum.timer_interrupts += c.timer_interrupts;
    sum.sleeps += c.sleeps;
    sum.kicks += c.kicks;
  }
  return {{"thread_switches", sum.thread_switches},
          {"preemptions", sum.preemptions},
          {"timer_interrupts", sum.timer_interrupts},
          {"sleeps", sum.sleeps},
          {"ipis", sum.kicks}};
}

Json number(const std::optional<uint64_t>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json fault_facts(const std::vector<Fault>& faults) {
  Json list = Json::array();
  for (const Fault& fault : faults) {
    list.push_back({{"loop", fault.loop < 0 ? Json(nullptr) : Json(fault.loop)},
                    {"kind", fault.kind},
                    {"address", number(fault.address)},
                    {"text", fault.text},
                    {"code", number(fault.code)}});
  }
  return list;
}

Json model_facts(const host::Model& model, const host::Machine* machine) {
  Json facts = {{"block_ns", model.block},
                {"device_access_ns", model.device_access},
                {"kick_latency_ns", model.kick_latency},
                {"interrupt_entry_ns", model.interrupt_entry}};
  if (machine != nullptr) facts["blocks"] = machine->blocks();
  return facts;
}

Json overheads(unsigned cores, const host::Machine* machine) {
  constexpr auto costs = Board::Port::costs();
  const auto us = [](Board::Port::Ticks ticks) { return microseconds(static_cast<Nanos>(ticks)); };
  return {{"context_switch_us", us(costs.context_switch)},
          {"timer_interrupt_us", us(costs.timer_interrupt)},
          {"timer_lateness_us", us(costs.timer_lateness)},
          {"longest_masked_us", us(costs.longest_masked)},
          {"longest_masked_seen_us",
           machine == nullptr ? Json(nullptr) : microseconds(machine->longest_masked())},
          {"spinlock_blocking_us", us(runtime::spin_blocking(cores))},
          {"minimum_budget_us", us(Board::kMinimumBudget)},
          {"refills", SystemConfig::kRefills}};
}

}  // namespace

std::string facts_json(const Options& options, bool accepted, const Happened& happened,
                       const host::Machine* machine, Nanos board_end) {
  const bool ran = machine != nullptr;
  const Nanos end = ran ? machine->ended_at() : 0;
  Json loops = Json::array();
  for (unsigned i = 0; i < runtime::loop_count(); ++i) {
    Json facts = loop_facts(runtime::loop(i), accepted);
    if (ran) add_run(facts, runtime::loop(i));
    loops.push_back(facts);
  }
  Json facts = {{"sketch", nullptr},
                {"board", Board::kName},
                {"cores", options.cores},
                {"seed", options.seed},
                {"duration_us", microseconds(end)},
                {"clock", "virtual"},
                {"policy", "vcpu"},
                {"hocket", nullptr},
                {"end", happened.end},
                {"admission", admission(accepted, options.cores)},
                {"loops", loops},
                {"interrupts", Json::array()},
                {"counters", ran ? counters(options.cores) : Json(nullptr)},
                {"faults", fault_facts(happened.faults)}};
  facts["model"] = model_facts(ran ? machine->model() : host::Model{}, machine);
  facts["overheads"] = overheads(options.cores, machine);
  facts["parts"] = Json::object();
  facts["serial"] = Json::array();
  if (Devices* board = devices(); ran && board != nullptr) {
    facts["parts"] = Json::parse(board->finish(board_end));
    facts["serial"] = Json::parse(board->serial_facts());
  }
  facts["notices"] = happened.notices;
  return facts.dump(1) + "\n";
}

}  // namespace hocket::sim
