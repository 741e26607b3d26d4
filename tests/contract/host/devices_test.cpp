// Devices of the simulated machine raise lines at their own instants (ports/host/lines.h): on the
// core that the line is routed to, however the others are ahead or asleep.
#include "devices_test.h"

#include "tests/contract/kernel/kernel_bench.h"

// Hardware: it runs beside the cores, without the block clock.
#define HOCKET_HARDWARE clang::no_sanitize("coverage")

namespace hocket::contract {
namespace {

using host::Machine;
using host::Nanos;

constexpr Port::Line kPulseLine = 7;
constexpr unsigned kEdges = 200;
/// From an edge to its handler: the end of a masked section, and the entry.
constexpr Nanos kEntry = Port::costs().longest_masked + Port::costs().interrupt_entry;

/// Holds its line for as long as `kWidth` says, at instants that nothing else happens at.
class Pulses : public host::LineSource {
 public:
  void start(Nanos first) {
    next_ = first;
    high_ = false;
    count_ = 0;
  }
  void served() {  // an access of the handler: the device lets its line go
    Machine::instance().set_line(kPulseLine, false, Machine::instance().access_device());
  }
  [[HOCKET_HARDWARE]] Nanos next_change() const override {
    return count_ == kEdges ? host::kNever : next_;
  }
  [[HOCKET_HARDWARE]] void advance(Nanos now) override {
    while (next_change() <= now) {
      high_ = !high_;
      const Nanos at = next_;
      if (high_) {
        rose_[count_] = at;
        next_ += kWidth;
      } else {
        next_ += 61'000 + (++count_ * 7'919) % 43'000;
      }
      Machine::instance().set_line(kPulseLine, high_, at);
    }
  }
  Nanos rose(unsigned edge) const { return rose_[edge]; }
  bool over() const { return count_ == kEdges; }

 private:
  static constexpr Nanos kWidth = 5'000;
  Nanos next_ = host::kNever;
  bool high_ = false;
  unsigned count_ = kEdges;
  Nanos rose_[kEdges] = {};
};
Pulses pulses;

volatile unsigned edges_seen;
volatile Nanos worst;
volatile bool on_time;
volatile CoreId expected_core;

void note_edge(void* level) {
  const Nanos now = Machine::instance().now();
  const unsigned edge = edges_seen;
  if (edge < kEdges) {
    const Nanos rose = pulses.rose(edge);
    on_time = on_time && now >= rose && now <= rose + kEntry && Port::core_id() == expected_core;
    worst = larger<Nanos>(worst, now - rose);
  }
  edges_seen = edge + 1;
  if (level != nullptr) pulses.served();
}

void see_all_edges(port::Trigger trigger, CoreId core, bool busy) {
  edges_seen = 0;
  worst = 0;
  on_time = true;
  expected_core = core;
  pulses.start(Machine::instance().now() + 50'000);
  const Port::IrqState state = Port::irq_save();
  void* level = trigger == port::Trigger::Level ? &pulses : nullptr;
  HOCKET_EXPECT(
      Port::line_attach(kPulseLine, &note_edge, level, {.trigger = trigger, .core = core}));
  Port::irq_restore(state);
  Port::line_unmask(kPulseLine);
  while (!pulses.over()) {
    if (busy) {
      spin_for(us(100));
    } else {
      K::sleep_until(K::now() + us(1'000));
    }
  }
  Port::line_mask(kPulseLine);
  HOCKET_EXPECT(edges_seen == kEdges);
  HOCKET_EXPECT(on_time);
  tell("latest edge", static_cast<Ticks>(worst), static_cast<Ticks>(kEntry));
}

void edges_come_at_their_instants() {
  for (const bool busy : {false, true}) see_all_edges(port::Trigger::Edge, 0, busy);
}

void levels_come_at_their_instants() {
  for (const bool busy : {false, true}) see_all_edges(port::Trigger::Level, 0, busy);
}

void edges_reach_the_core_they_are_routed_to() {
  if (Port::core_count() < 2) return;
  const auto last = static_cast<CoreId>(Port::core_count() - 1);
  for (const bool busy : {false, true}) see_all_edges(port::Trigger::Edge, last, busy);
}

}  // namespace

void run_device_tests() {
  Machine::instance().set_line_source(pulses);
  run("edges_come_at_their_instants", &edges_come_at_their_instants);
  run("levels_come_at_their_instants", &levels_come_at_their_instants);
  run("edges_reach_the_core_they_are_routed_to", &edges_reach_the_core_they_are_routed_to);
}

}  // namespace hocket::contract
