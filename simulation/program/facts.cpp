// The facts of a run as one JSON object: see facts.h.
#include "simulation/program/facts.h"

#include "simulation/program/json.h"
#include "simulation/program/wiring.h"

namespace hocket::program {
namespace {

Json microseconds(Nanos ns) {
  if (ns % 1000 == 0) return ns / 1000;
  return static_cast<double>(ns) / 1000.0;
}
Json microseconds(const std::optional<Nanos>& ns) {
  return ns ? microseconds(*ns) : Json(nullptr);
}

double ratio(uint32_t ppm) {
  return ppm / 1e6;
}

template <class Number>
Json number(const std::optional<Number>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// The admission test of a policy.
const char* test_of(const std::string& policy) {
  if (policy == "vcpu") return "exact response-time analysis";
  return policy == "edf" || policy == "hybrid-edf" ? "processor demand by earliest deadline first"
                                                   : "none: this policy promises nothing";
}

Json admission(const RunFacts& facts) {
  Json per_core = Json::array();
  for (const CoreFacts& core : facts.admission) {
    per_core.push_back({{"core", per_core.size()},
                        {"utilization", ratio(core.utilization_ppm)},
                        {"liu_layland_bound", ratio(core.liu_layland_ppm)}});
  }
  return {{"accepted", facts.accepted},
          {"test", test_of(facts.policy)},
          {"cores", per_core},
          {"reasons", facts.reasons}};
}

const char* kind_of(const LoopFacts& loop) {
  if (loop.other_kind != nullptr) return loop.other_kind;
  return loop.periodic ? "periodic" : "loop";
}

Json parts_of(const LoopFacts& loop) {
  Json parts = Json::array();
  for (const PartFacts& part : loop.parts) {
    parts.push_back({{"core", part.core},
                     {"budget_us", microseconds(part.budget)},
                     {"offset_us", microseconds(part.offset)},
                     {"deadline_us", microseconds(part.deadline)}});
  }
  return parts;
}

Json late_call(const std::optional<LateCall>& call) {
  if (!call) return nullptr;
  Json others = Json::array();
  for (const LateCall::Other& other : call->others) {
    others.push_back({{"loop", other.loop}, {"time_us", microseconds(other.time)}});
  }
  return {{"response_us", microseconds(call->response)},
          {"ended", call->ended},
          {"own_us", microseconds(call->own)},
          {"waiting_us", microseconds(call->blocked)},
          {"no_budget_us", microseconds(call->no_budget)},
          {"rest_us", microseconds(call->rest)},
          {"others", others}};
}

/// What admission knows of a loop. What only a run can tell stays null.
Json loop_facts(const LoopFacts& loop) {
  const auto time = [&](Nanos ns) { return loop.scheduled ? microseconds(ns) : Json(nullptr); };
  Json facts = {{"id", loop.id},
                {"kind", kind_of(loop)},
                {"core", number(loop.core)},
                {"budget_us", time(loop.budget)},
                {"period_us", time(loop.period)},
                {"deadline_us", time(loop.deadline)}};
  for (const char* unknown : {"iterations",
                              "cpu_us",
                              "kernel_us",
                              "min_cpu_per_period_us",
                              "max_cpu_per_period_us",
                              "budget_exhausted",
                              "budget_wait_us",
                              "longest_budget_wait_us",
                              "late_call",
                              "releases",
                              "deadline_misses",
                              "overruns",
                              "skipped",
                              "max_response_us",
                              "response_bound_us",
                              "thread_switches",
                              "preemptions",
                              "sleeps",
                              "wakes",
                              "stack_size",
                              "stack_used"}) {
    facts[unknown] = nullptr;
  }
  facts["response_bound_us"] = microseconds(loop.response_bound);
  if (!loop.parts.empty()) facts["parts"] = parts_of(loop);
  if (!loop.run) return facts;
  const LoopRun& run = *loop.run;
  facts["iterations"] = run.iterations;
  facts["cpu_us"] = microseconds(run.cpu_time);
  facts["kernel_us"] = microseconds(run.kernel_time);
  facts["min_cpu_per_period_us"] = microseconds(run.least_cpu);
  facts["max_cpu_per_period_us"] = microseconds(run.most_cpu);
  facts["budget_exhausted"] = number(run.exhausted);
  facts["budget_wait_us"] = microseconds(run.budget_wait);
  facts["longest_budget_wait_us"] = microseconds(run.longest_budget_wait);
  facts["late_call"] = late_call(run.late_call);
  facts["releases"] = number(run.releases);
  facts["deadline_misses"] = number(run.deadline_misses);
  facts["overruns"] = number(run.overruns);
  facts["skipped"] = number(run.skipped);
  facts["max_response_us"] = microseconds(run.worst_response);
  facts["thread_switches"] = number(run.switches);
  facts["preemptions"] = number(run.preemptions);
  facts["sleeps"] = number(run.sleeps);
  facts["wakes"] = number(run.wakes);
  facts["stack_size"] = run.stack_size;
  facts["stack_used"] = run.stack_used;
  return facts;
}

Json interrupt_facts(const InterruptFacts& interrupt) {
  Json facts = {{"pin", number(interrupt.pin)},
                {"mode", interrupt.mode == nullptr ? Json(nullptr) : Json(interrupt.mode)},
                {"loop", number(interrupt.loop)},
                {"place", interrupt.place},
                {"budget_us", microseconds(interrupt.budget)},
                {"period_us", microseconds(interrupt.period)}};
  for (const char* unknown : {"edges", "delivered", "pending", "lost", "lost_because",
                              "may_have_merged", "max_delay_us"}) {
    facts[unknown] = nullptr;
  }
  facts["delay_bound_us"] = microseconds(interrupt.bound);
  facts["paper_bound_us"] = microseconds(interrupt.paper_bound);
  if (!interrupt.terms.empty()) {
    facts["delay_terms"] = named_json(interrupt.terms);
    facts["paper_terms"] = named_json(interrupt.paper_terms);
  }
  if (interrupt.longest) facts["longest_us"] = microseconds(interrupt.longest);
  if (!interrupt.run) return facts;
  const InterruptRun& run = *interrupt.run;
  facts["edges"] = run.edges;
  facts["delivered"] = run.delivered;
  facts["pending"] = run.pending;
  facts["lost"] = run.no_room + run.detached + run.stopped + run.too_soon;
  facts["lost_because"] = {{"no_room", run.no_room},
                           {"detached", run.detached},
                           {"stopped", run.stopped},
                           {"too_soon", run.too_soon}};
  facts["may_have_merged"] = run.may_have_merged;
  facts["max_delay_us"] = microseconds(run.longest_delay);
  return facts;
}

Json section_facts(const SectionFacts& sections) {
  return {{"sections", sections.count},
          {"longest_us", microseconds(sections.longest)},
          {"longest_wait_us", microseconds(sections.longest_wait)},
          {"edges_remembered", number(sections.remembered)},
          {"declared_us", sections.declared == 0 ? Json(nullptr) : microseconds(sections.declared)},
          {"bound_us", sections.bound ? microseconds(*sections.bound) : Json(nullptr)},
          {"revoked", sections.revoked},
          {"handlers_given_up", sections.given_up}};
}

Json serial_interrupts(const SerialFacts& serial) {
  return {{"bits_per_second", serial.rate},
          {"constant", serial.constant},
          {"character_us", microseconds(serial.each)},
          {"sent_before", serial.sent_before},
          {"received_share", serial.received_share}};
}

Json beside_facts(const BesideFacts& beside) {
  Json cores = Json::array();
  for (const SharedCore& core : beside.cores) {
    cores.push_back({{"core", cores.size()},
                     {"beside_us", microseconds(core.beside)},
                     {"loops_us", microseconds(core.loops)},
                     {"for_loops_us", microseconds(core.for_loops)},
                     {"rest_us", microseconds(core.rest)}});
  }
  return {{"state", beside.state},
          {"restarts", beside.restarts},
          {"cores_on", beside.cores_on},
          {"cores", cores}};
}

Json counters(const std::optional<CounterFacts>& facts) {
  if (!facts) return nullptr;
  return {{"thread_switches", facts->thread_switches},
          {"preemptions", number(facts->preemptions)},
          {"timer_interrupts", facts->timer_interrupts},
          {"sleeps", number(facts->sleeps)},
          {"wakes", number(facts->wakes)},
          {"ipis", facts->ipis},
          {"pin_interrupts", number(facts->pin_interrupts)}};
}

Json fault_facts(const std::vector<Fault>& faults) {
  Json list = Json::array();
  for (const Fault& fault : faults) {
    Json item = {{"loop", fault.loop < 0 ? Json(nullptr) : Json(fault.loop)},
                 {"kind", fault.kind},
                 {"address", number(fault.address)},
                 {"text", fault.text},
                 {"code", number(fault.code)}};
    if (fault.pin) item["pin"] = *fault.pin;
    list.push_back(std::move(item));
  }
  return list;
}

Json model_facts(const std::optional<ModelFacts>& model) {
  if (!model) return nullptr;
  Json facts = {{"block_ns", model->block},
                {"device_access_ns", model->device_access},
                {"ipi_latency_ns", model->ipi_latency},
                {"interrupt_entry_ns", model->interrupt_entry}};
  if (model->blocks) facts["blocks"] = *model->blocks;
  return facts;
}

/// The most budget that joining refills may cost, as a share of C: C' / (N − 2)².
double lost_to_full_list(unsigned refills) {
  if (refills <= 3) return 1;
  const double pairs = refills - 2.0;
  return 1 / (pairs * pairs);
}

Json overheads(const OverheadFacts& facts) {
  Json all = {{"interrupt_entry_us", microseconds(facts.interrupt_entry)},
              {"context_switch_us", microseconds(facts.context_switch)},
              {"timer_interrupt_us", microseconds(facts.timer_interrupt)},
              {"timer_lateness_us", microseconds(facts.timer_lateness)},
              {"longest_masked_us", microseconds(facts.longest_masked)},
              {"longest_masked_seen_us", microseconds(facts.longest_masked_seen)},
              {"longest_spinlock_seen_us", microseconds(facts.longest_spin_seen)},
              {"spinlock_blocking_us", microseconds(facts.spin_blocking)},
              {"smallest_budget_us", microseconds(facts.smallest_budget)}};
  if (facts.handler_seen) {
    all["longest_handler_us"] = microseconds(facts.handler);
    all["longest_handler_seen_us"] = microseconds(facts.handler_seen);
    all["longest_handler_seen_in"] = facts.handler_of;
  }
  if (facts.refill_seen) {
    all["handlers_refill_us"] = microseconds(facts.refill);
    all["handlers_refill_seen_us"] = microseconds(facts.refill_seen);
  }
  if (!facts.kernel_seen) return all;
  const auto& seen = *facts.kernel_seen;
  all["kernel_seen"] = {{"interrupt_entry_us", microseconds(seen.interrupt_entry)},
                        {"context_switch_us", microseconds(seen.context_switch)},
                        {"timer_interrupt_us", microseconds(seen.timer_interrupt)},
                        {"longest_masked_us", microseconds(seen.longest_section)}};
  return all;
}

Json losses(const OverheadFacts& facts) {
  return {{"each_wake_up_us", microseconds(facts.activation)},
          {"small_pieces", facts.pieces == 0 ? Json(nullptr) : Json(1.0 / facts.pieces)},
          {"full_list", lost_to_full_list(facts.refills)},
          {"full_list_from", facts.refills}};
}

Json masked_facts(const MaskedFacts& masked) {
  return {{"loop", masked.loop < 0 ? Json(nullptr) : Json(masked.loop)},
          {"codes", masked.codes},
          {"interrupt", masked.interrupt},
          {"length_us", microseconds(masked.length)}};
}

Json held_facts(const HeldFacts& held) {
  return {{"together_us", microseconds(held.together)},
          {"longest_us", microseconds(held.longest)},
          {"interrupt", held.interrupt}};
}

Json no_room_facts(const NoRoomFacts& facts) {
  return {{"asker", facts.asker},
          {"bytes", facts.bytes},
          {"codes", facts.codes},
          {"times", facts.times}};
}

}  // namespace

namespace {

/// Whether the loop never ran, and not only because the run was too short.
bool never_ran(const LoopFacts& loop) {
  return loop.run && loop.run->cpu_time == 0 && loop.run->deadline_misses.value_or(0) > 0;
}
std::string text_of_never(const LoopFacts& loop) {
  return "Loop " + std::to_string(loop.id) +
         " never ran: something kept the processor from it in " +
         std::to_string(*loop.run->deadline_misses) + " of its periods.";
}

Json call_times(const std::vector<CallTime>& calls) {
  Json list = Json::array();
  for (const CallTime& each : calls) {
    list.push_back({{"address", each.address},
                    {"calls", each.calls},
                    {"longest_cycles", each.longest_cycles},
                    {"most_waits", each.most_waits}});
  }
  return list;
}

Json text_times(const std::vector<TextTimes>& texts) {
  Json list = Json::array();
  for (const TextTimes& each : texts) {
    list.push_back({{"text", each.text},
                    {"port", each.port},
                    {"count", each.count},
                    {"times_ns", each.times}});
  }
  return list;
}

}  // namespace

std::string to_json(const RunFacts& facts) {
  Json loops = Json::array();
  for (const LoopFacts& loop : facts.loops) loops.push_back(loop_facts(loop));
  Json all = {{"sketch", nullptr},
              {"board", facts.board},
              {"cores", facts.cores},
              {"seed", facts.seed},
              {"duration_us", microseconds(facts.duration)},
              {"clock", facts.clock}};
  if (!facts.tick.empty()) all["tick"] = facts.tick;
  if (facts.anyway) all["guaranteed"] = false;
  all["policy"] = facts.policy;
  all["hocket"] = nullptr;
  all["end"] = facts.end;
  all["admission"] = admission(facts);
  if (facts.bounds) {
    all["bounds"] = bounds_json(*facts.bounds, facts.cores, facts.policy != "vcpu");
  }
  all["loops"] = loops;
  Json interrupts = Json::array();
  for (const InterruptFacts& each : facts.interrupts) interrupts.push_back(interrupt_facts(each));
  all["interrupts"] = interrupts;
  Json further = Json::array();
  for (const SerialFacts& serial : facts.serial_interrupts) {
    Json said = serial_interrupts(serial);
    if (serial.port == 0) {
      all["serial_interrupts"] = said;
      continue;
    }
    said["port"] = serial.port;
    further.push_back(said);
  }
  if (further.size() > 0) {
    all["further_serial_interrupts"] = further;
  }
  if (facts.sections) all["no_interrupts"] = section_facts(*facts.sections);
  if (facts.beside) all["beside"] = beside_facts(*facts.beside);
  all["counters"] = counters(facts.counters);
  all["faults"] = fault_facts(facts.faults);
  all["model"] = model_facts(facts.model);
  all["overheads"] = overheads(facts.overheads);
  all["losses"] = losses(facts.overheads);
  if (facts.held) {
    all["held"] = {{"context_switch_us", held_facts(facts.held->context_switch)},
                   {"longest_masked_us", held_facts(facts.held->longest_masked)}};
  }
  if (facts.masked) all["longest_masked"] = masked_facts(*facts.masked);
  if (facts.masked_outside) all["masked_outside_kernel"] = masked_facts(*facts.masked_outside);
  if (facts.clock_interrupt) all["clock_interrupt_us"] = microseconds(*facts.clock_interrupt);
  if (facts.no_room) all["no_room"] = no_room_facts(*facts.no_room);
  all["parts"] = Json::written(facts.parts);
  all["serial"] = Json::written(facts.serial);
  if (!facts.texts.empty()) all["texts"] = text_times(facts.texts);
  if (!facts.call_times.empty()) all["call_times"] = call_times(facts.call_times);
  if (facts.wiring) all["wiring"] = wiring_json(*facts.wiring);
  all["notices"] = facts.notices;
  for (const LoopFacts& loop : facts.loops) {
    if (never_ran(loop)) all["notices"].push_back(text_of_never(loop));
  }
  // A sketch that a fault stopped, or that is still in setup(), may not have used its pins yet.
  if (facts.wiring && facts.faults.empty() && facts.end != "setup") {
    for (const std::string& each : wiring_notices(*facts.wiring)) all["notices"].push_back(each);
  }
  if (facts.sections && facts.sections->given_up > 0) {
    all["notices"].push_back(
        "noInterrupts() waited for a handler that did not end, and went on: what it "
        "protects is not protected from that handler.");
  }
  return all.str() + "\n";
}

}  // namespace hocket::program
