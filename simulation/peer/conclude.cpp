// The end of a session: see conclude.h.
#include "simulation/peer/conclude.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace hocket::world {
namespace {

using program::Happened;

std::optional<Nanos> known(uint64_t value) {
  return value == kUnknown ? std::nullopt : std::optional<Nanos>(value);
}

template <size_t Size>
std::string text(const char (&bytes)[Size]) {
  return {bytes, strnlen(bytes, Size)};
}

/// The name of a kind other than loop and periodic.
const char* other_kind(uint32_t kind) {
  if (kind == static_cast<uint32_t>(Kind::Handler)) return "isr";
  return kind == static_cast<uint32_t>(Kind::BottomHalf) ? "io" : nullptr;
}

program::LoopFacts loop_facts(const LoopFacts& loop, bool accepted, bool ran) {
  program::LoopFacts facts{.id = loop.id,
                           .periodic = loop.kind == static_cast<uint32_t>(Kind::Periodic),
                           .other_kind = other_kind(loop.kind),
                           .budget = loop.budget,
                           .period = loop.period,
                           .deadline = loop.deadline,
                           .core = {},
                           .response_bound = {},
                           .run = {}};
  if (accepted) {
    facts.core = loop.core;
    facts.response_bound = known(loop.response_bound);
  }
  if (ran) {
    facts.run = {.iterations = loop.iterations,
                 .cpu_time = loop.cpu_time,
                 .kernel_time = loop.kernel_time,
                 .least_cpu = known(loop.least_cpu),
                 .most_cpu = known(loop.most_cpu),
                 .exhausted = loop.exhausted,
                 .releases = loop.releases,
                 .deadline_misses = loop.deadline_misses,
                 .overruns = known(loop.overruns),
                 .skipped = known(loop.skipped),
                 .worst_response = loop.worst_response,
                 .switches = loop.switches,
                 .preemptions = loop.preemptions,
                 .sleeps = loop.sleeps,
                 .wakes = loop.wakes,
                 .stack_size = loop.stack_size,
                 .stack_used = loop.stack_used};
  }
  return facts;
}

std::vector<program::Fault> fault_facts(const std::vector<FaultFacts>& faults) {
  std::vector<program::Fault> list;
  list.reserve(faults.size());
  for (const FaultFacts& fault : faults) {
    list.push_back(
        {std::max(fault.loop, -1), text(fault.kind), known(fault.address), known(fault.code),
         text(fault.text),
         fault.pin < 0 ? std::nullopt : std::optional(static_cast<unsigned>(fault.pin))});
  }
  return list;
}

std::optional<program::NoRoomFacts> no_room_facts(const KernelFacts& facts) {
  if (!facts.no_room) return {};
  const NoRoomFacts& said = *facts.no_room;
  return program::NoRoomFacts{.asker = program::name_of_asker(said.loop),
                              .bytes = said.bytes,
                              .codes = {said.codes, said.codes + said.code_count},
                              .times = said.times};
}

constexpr const char* kModes[] = {"LOW", "HIGH", "CHANGE", "FALLING", "RISING"};
static_assert(std::size(kModes) == sys::kEdgeModes);

/// Edges that came while the board's one bit for the pin was set; only the world has counted them.
uint64_t merged(const InterruptFacts& each, const Session& session) {
  if (each.pin < 0) return 0;
  const uint64_t seen = session.edges_seen(static_cast<unsigned>(each.pin));
  return seen > each.edges ? seen - each.edges : 0;
}

program::InterruptFacts interrupt_facts(const InterruptFacts& each, const Session& session) {
  const std::string file = text(each.file);
  program::InterruptFacts facts{
      .pin = each.pin < 0 ? std::nullopt : std::optional(static_cast<unsigned>(each.pin)),
      .mode = each.mode < 0 ? nullptr : kModes[each.mode],
      .loop = each.loop == 0 ? std::nullopt : std::optional(each.loop),
      .place = each.line == 0 ? file : file + ":" + std::to_string(each.line),
      .budget = each.budget,
      .period = each.period,
      .bound = known(each.bound),
      .paper_bound = known(each.paper_bound),
      .run = {}};
  if (each.attached != 0 && each.loop == 0) facts.longest = each.longest;
  if (each.attached != 0) {
    facts.run = {.edges = each.edges,
                 .delivered = each.delivered,
                 .pending = each.pending,
                 .no_room = each.no_room,
                 .detached = each.detached,
                 .stopped = each.stopped,
                 .too_soon = each.too_soon,
                 .may_have_merged = merged(each, session),
                 .longest_delay = each.longest_delay};
  }
  return facts;
}

std::optional<program::SectionFacts> section_facts(const RunFacts& run) {
  if (run.sections == 0) return std::nullopt;
  return program::SectionFacts{.count = run.sections,
                               .longest = run.longest_section,
                               .longest_wait = run.longest_section_wait,
                               .given_up = run.given_up,
                               .remembered = run.remembered,
                               .declared = run.section_declared,
                               .bound = known(run.section_bound),
                               .revoked = run.revoked};
}

/// How each core's time was used. The rest is the kernel's own: setup(), interrupts that are
/// charged to no loop, switches between the two systems.
std::optional<program::BesideFacts> beside_facts(const KernelFacts& facts, unsigned cores) {
  if (!facts.beside) return std::nullopt;
  const BesideFacts& beside = *facts.beside;
  constexpr const char* kStates[] = {"running", "off", "restarting"};
  program::BesideFacts all{.state = kStates[beside.state - 1],
                           .restarts = beside.restarts,
                           .cores_on = beside.cores_on,
                           .cores = {}};
  for (unsigned core = 0; core < cores && core < kMostBesideCores; ++core) {
    program::SharedCore shared{.beside = beside.time[core], .loops = 0, .for_loops = 0, .rest = 0};
    for (const LoopFacts& loop : facts.loops) {
      if (loop.core != core) continue;
      shared.loops += loop.cpu_time;
      shared.for_loops += loop.kernel_time;
    }
    const uint64_t known = shared.beside + shared.loops + shared.for_loops;
    shared.rest = facts.run->duration > known ? facts.run->duration - known : 0;
    all.cores.push_back(shared);
  }
  return all;
}

/// Adds notices about the accuracy of the figures.
void add_notices(const RunFacts& run, const BoardInfo& board, Timing timing, bool ran,
                 std::vector<std::string>& notices) {
  if (run.restarts > 0) {
    notices.push_back("the sketch was started again " + std::to_string(run.restarts) +
                      (run.restarts == 1 ? " time" : " times") + " after a fault");
  }
  if (board.costs_estimated) {
    notices.emplace_back(
        "the kernel's costs on this board are estimates with a reserve, not measurements: the "
        "bounds "
        "rest on them");
  }
  if (!ran) return;
  if (timing == Timing::Free) {
    notices.emplace_back(
        "the emulator did not count instructions: times are those of this computer, and runs do "
        "not repeat");
  } else if (run.cores > 1 || board.all_cores_run()) {
    notices.emplace_back(
        "the emulator lets its cores share one clock: a core that is busy slows the others, so "
        "times are indicative only; what is done, and in which order, is not affected");
  }
}

program::RunFacts run_facts(const Session& session, const program::Options& options,
                            const BoardInfo& board, Timing timing, bool ran) {
  const RunFacts& run = *session.facts().run;
  program::RunFacts facts{
      .board = board.name,
      .cores = options.cores,
      .seed = options.seed,
      .duration = ran ? run.duration : 0,
      .clock = "emulated",
      .tick = timing == Timing::Counted
                  ? "1 ns per instruction: a count, not a measurement of a board"
                  : "this computer's time while QEMU ran",
      .end = {},
      .accepted = run.accepted != 0,
      .admission = {},
      .reasons = session.facts().reasons,
      .loops = {},
      .counters = {},
      .faults = fault_facts(session.facts().faults),
      .model = {},
      .overheads = {.interrupt_entry = run.interrupt_entry,
                    .context_switch = run.context_switch,
                    .timer_interrupt = run.timer_interrupt,
                    .timer_lateness = run.timer_lateness,
                    .longest_masked = run.longest_masked,
                    .longest_masked_seen = ran ? known(run.longest_masked_seen) : std::nullopt,
                    .longest_spin_seen = ran ? known(run.longest_spin_seen) : std::nullopt,
                    .spin_blocking = run.spin_blocking,
                    .activation = run.activation,
                    .smallest_budget = run.smallest_budget,
                    .pieces = run.pieces,
                    .refills = run.refills},
      .masked = {},
      .notices = {},
      .policy = options.policy};
  facts.bounds = session.facts().bounds;
  for (const CoreFacts& core : session.facts().cores) {
    facts.admission.push_back({core.utilization_ppm, core.liu_layland_ppm});
  }
  for (const LoopFacts& loop : session.facts().loops) {
    facts.loops.push_back(loop_facts(loop, facts.accepted, ran));
  }
  for (const InterruptFacts& each : session.facts().interrupts) {
    facts.interrupts.push_back(interrupt_facts(each, session));
  }
  if (ran) {
    facts.no_room = no_room_facts(session.facts());
    facts.sections = section_facts(run);
    facts.beside = beside_facts(session.facts(), options.cores);
    facts.counters = {run.thread_switches, run.preemptions, run.timer_interrupts,     run.sleeps,
                      run.wakes,           run.ipis,        known(run.pin_interrupts)};
  }
  return facts;
}

}  // namespace

Conclusion conclude(const Session& session, const program::Options& options, const BoardInfo& board,
                    Timing timing, sim::Devices& devices, WorldConsole& console) {
  if (session.end() == End::Unusable) return {program::kUsage, std::nullopt};
  const bool ran = session.end() != End::Refused && session.end() != End::Check;
  program::RunFacts facts = run_facts(session, options, board, timing, ran);
  Happened happened;
  happened.faults = facts.faults;
  if (ran) {
    const Nanos run_end = std::max(session.facts().run->duration, session.reached());
    const Nanos board_end = program::end_of_board(devices, session.reason(), run_end);
    devices.advance(board_end);
    console.flush();
    happened.notices = devices.notices();
    program::judge(options, console, session.reason(), session.facts().run->in_setup != 0,
                   happened);
    facts.parts = devices.finish(board_end);
    facts.serial = devices.serial_facts();
    facts.wiring = devices.wiring_facts();
    facts.texts = console.notes().all();
  } else {
    const bool check = session.end() == End::Check;
    happened.end = check ? "check" : "refused";
    happened.status = check ? program::kDone : program::kRefused;
  }
  for (const std::string& notice : session.facts().notices) happened.notices.push_back(notice);
  add_notices(*session.facts().run, board, timing, ran, happened.notices);
  facts.end = happened.end;
  facts.notices = happened.notices;
  return {happened.status, std::move(facts)};
}

}  // namespace hocket::world
