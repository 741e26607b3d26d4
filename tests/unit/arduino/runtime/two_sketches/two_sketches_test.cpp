// Two sketches beside each other on one simulated machine: each has its own loops, numbers and
// semaphores; what is promised to them is promised to both together.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "arduino/runtime/sketches.h"
#include "kernel/task/doors.h"

namespace hocket {
namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
std::vector<std::unique_ptr<void, Free>> stacks;

}  // namespace

port::Stack Board::allocate_stack(runtime::Program&, size_t bytes) {
  stacks.emplace_back(std::aligned_alloc(Port::kStackAlignment, bytes));
  return {stacks.back().get(), bytes};
}

namespace runtime {
namespace {

constexpr uint64_t kMs = 1'000'000;

LoopDescriptor described(unsigned id, uint64_t budget_ms, uint64_t period_ms, void (*body)()) {
  LoopDescriptor d = plain_loop(body);
  d.id = static_cast<uint8_t>(id);
  d.budget_ns = budget_ms * kMs;
  d.period_ns = d.deadline_ns = period_ms * kMs;
  return d;
}

/// A sketch with a program that the test makes.
struct Made {
  std::vector<LoopDescriptor> descriptors;
  std::vector<const LoopDescriptor*> table;
  Program program;
  Sketch sketch;
  bool setup_ran = false;
  int semaphore = 0;

  explicit Made(std::vector<LoopDescriptor> loops) : descriptors(std::move(loops)) {
    for (const LoopDescriptor& d : descriptors) table.push_back(&d);
    program.loops_begin = table.data();
    program.loops_end = table.data() + table.size();
    program.enter_setup = [](Sketch& own) {
      made_of(own).setup_ran = true;
      own.end_setup();
    };
    program.enter_loop = [](Loop& loop) {
      for (;;) {
        loop.descriptor->body();
        end_iteration(loop);
      }
    };
    EXPECT_EQ(sketch.load(program), nullptr);
  }

  static Made& made_of(Sketch& sketch) {
    for (Made* made : all) {
      if (&made->sketch == &sketch) return *made;
    }
    std::abort();
  }
  static inline std::vector<Made*> all;
};

std::unique_ptr<Sketches> machine_sketches;

void boot(void* core) {
  machine_sketches->boot(static_cast<CoreId>(reinterpret_cast<uintptr_t>(core)));
}

host::StopReason run_for(unsigned cores, uint64_t ms) {
  host::Machine machine({.cores = cores, .seed = 1, .end = ms * kMs, .model = {}});
  return machine.run(&boot);
}

class TwoSketches : public testing::Test {
 protected:
  void SetUp() override {
    machine_sketches = std::make_unique<Sketches>();
    Made::all.clear();
    stacks.clear();
  }
  static void put_on_machine(Made& a, Made& b) {
    Made::all = {&a, &b};
    ASSERT_TRUE(machine_sketches->add(a.sketch));
    ASSERT_TRUE(machine_sketches->add(b.sketch));
  }
};

double processor_ms(const Loop& loop) {
  return static_cast<double>(loop.thread.meter.total().ticks()) / kMs;
}

void computes() {
  auto& machine = host::Machine::instance();
  machine.spin_until(machine.now() + kMs);
}
/// In both sketches loop 1 waits for a semaphore, and loop 2 gives one and parks.
void waits() {
  current_sketch().take_semaphore(&Made::made_of(current_sketch()).semaphore, UINT64_MAX);
}
void gives() {
  current_sketch().give_semaphore(&Made::made_of(current_sketch()).semaphore);
  System::suspend_self();
}
void wakes_its_loop_2() {
  EXPECT_TRUE(current_sketch().unpark(2));
  EXPECT_FALSE(current_sketch().unpark(9));
  System::sleep_until(System::now() + System::Duration(10 * kMs));
}
void does_nothing() {
  System::sleep_until(System::now() + System::Duration(10 * kMs));
}

TEST_F(TwoSketches, AreAdmittedTogether) {
  Made a({described(1, 60, 100, &computes)});
  Made b({described(1, 50, 100, &computes)});
  put_on_machine(a, b);
  EXPECT_FALSE(machine_sketches->admit(1));
  ASSERT_EQ(machine_sketches->reason_count(), 1u);
  EXPECT_NE(std::string(machine_sketches->reason(0)).find("loop 1 asks for 50 ms"),
            std::string::npos)
      << machine_sketches->reason(0);
  EXPECT_TRUE(machine_sketches->admit(2));
  EXPECT_NE(a.sketch.loop(0).vcpu.core, b.sketch.loop(0).vcpu.core);
}

TEST_F(TwoSketches, HaveOneOrderOfPriorities) {
  Made a({described(1, 5, 100, &computes), described(2, 5, 20, &computes)});
  Made b({described(1, 5, 50, &computes)});
  put_on_machine(a, b);
  ASSERT_TRUE(machine_sketches->admit(1));
  EXPECT_EQ(a.sketch.loop(1).rank, 0u);
  EXPECT_EQ(b.sketch.loop(0).rank, 1u);
  EXPECT_EQ(a.sketch.loop(0).rank, 2u);
}

TEST_F(TwoSketches, TakeNothingFromEachOther) {
  Made a({described(1, 30, 100, &computes)});
  Made b({described(1, 20, 50, &computes), described(7, 10, 100, &computes)});
  put_on_machine(a, b);
  ASSERT_TRUE(machine_sketches->admit(1));
  ASSERT_TRUE(machine_sketches->allocate_stacks());
  run_for(1, 1'101);
  System::close(0, System::Instant(1'101 * kMs));
  EXPECT_TRUE(a.setup_ran && b.setup_ran);
  EXPECT_FALSE(machine_sketches->in_setup());
  // The loops of a sketch are released when those of the other one, which may run already, have let
  // all of them be started: within less than 100 ms.
  const auto expect_periods = [](const Loop& loop, double budget, double periods, double more) {
    EXPECT_GE(processor_ms(loop), budget * periods - 1);
    EXPECT_LE(processor_ms(loop), budget * (periods + more) + 1);
  };
  expect_periods(a.sketch.loop(0), 30, 10, 1);
  expect_periods(b.sketch.loop(0), 20, 20, 2);
  expect_periods(b.sketch.loop(1), 10, 10, 1);
}

TEST_F(TwoSketches, KnowTheirOwnLoopsByNumber) {
  Made a({described(1, 10, 100, &waits), described(2, 10, 100, &gives),
          described(3, 10, 100, &wakes_its_loop_2)});
  Made b({described(1, 10, 100, &waits), described(2, 10, 100, &gives),
          described(3, 10, 100, &does_nothing)});
  put_on_machine(a, b);
  ASSERT_TRUE(machine_sketches->admit(2));
  ASSERT_TRUE(machine_sketches->allocate_stacks());
  run_for(2, 1'000);
  // In the first one loop 3 wakes loop 2 every 10 ms, which wakes loop 1; in the second nobody
  // does.
  EXPECT_NEAR(static_cast<double>(a.sketch.loop(1).iterations), 99, 3);
  EXPECT_EQ(a.sketch.loop(0).iterations, a.sketch.loop(1).iterations + 1);
  EXPECT_EQ(b.sketch.loop(1).iterations, 0u);
  EXPECT_EQ(b.sketch.loop(0).iterations, 1u);
}

TEST_F(TwoSketches, FindEachMachineAtItsBeginning) {
  Made a({described(1, 10, 100, &does_nothing)}), b({described(1, 10, 100, &does_nothing)});
  put_on_machine(a, b);
  ASSERT_TRUE(machine_sketches->admit(1));
  ASSERT_TRUE(machine_sketches->allocate_stacks());
  run_for(1, 20);
  const host::Machine another({.cores = 1, .seed = 1, .end = kMs, .model = {}});
  EXPECT_EQ(another.now(), 0u);
  EXPECT_EQ(System::now(), System::Instant(0));
}

TEST_F(TwoSketches, HaveNoMoreLoopsThanTheMachine) {
  std::vector<LoopDescriptor> five;
  for (unsigned id = 1; id <= 5; ++id) five.push_back(described(id, 1, 100, &computes));
  Made a(five), b(five);
  EXPECT_TRUE(machine_sketches->add(a.sketch));
  EXPECT_FALSE(machine_sketches->add(b.sketch));
}

}  // namespace

Sketches& sketches() {
  return *machine_sketches;
}

}  // namespace runtime
}  // namespace hocket

HOCKET_DOORS(hocket::System)

/// A failed invariant of the kernel (HOCKET_CHECKED).
void hocket_check_failed(const char* what, const char* file, unsigned line) {
  std::fprintf(stderr, "invariant: %s:%u: %s\n", file, line, what);
  std::abort();
}
