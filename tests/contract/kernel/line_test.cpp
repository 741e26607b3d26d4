// A line's top half wakes a thread: at once, with the line masked until the thread has done the
// work, and on the core that the line is routed to.
#include "kernel_bench.h"

namespace hocket::contract {
namespace {

constexpr Port::Line kLine = Board::kTestLines[0];
Sem to_serve;
volatile unsigned interrupts;
volatile unsigned served;
volatile CoreId seen_on;

/// The top half: masked from here until the thread has served the line.
void wake_server(void*) {
  Port::line_mask(kLine);
  interrupts = interrupts + 1;
  seen_on = Port::core_id();
  tokens.add('t');
  to_serve.signal();
}

void serve(void* argument) {
  const auto times = static_cast<unsigned>(reinterpret_cast<uintptr_t>(argument));
  for (unsigned i = 0; i < times; ++i) {
    to_serve.wait();
    tokens.add('T');
    served = served + 1;
    Port::line_unmask(kLine);
  }
  finished.signal();
}

void attach(CoreId core) {
  const Port::IrqState state = Port::irq_save();
  HOCKET_EXPECT(Port::line_attach(kLine, &wake_server, nullptr,
                                  {.trigger = port::Trigger::Edge, .core = core}));
  Port::irq_restore(state);
  interrupts = 0;
  served = 0;
  Port::line_unmask(kLine);
}
void serve_on(CoreId core, uintptr_t times) {
  K::Vcpu& vcpu = bench.vcpu(9'000, 10'000, core);
  K::start(bench.thread(vcpu, &serve, reinterpret_cast<void*>(times)), K::now());
}

/// The switch comes at the interrupt's end: before the interrupted thread's next letter.
void line_wakes_a_thread() {
  attach(0);
  serve_on(0, 2);
  K::sleep_until(K::now() + us(200));
  tokens.add('a');
  Board::raise(kLine);
  spin_for(us(20));
  tokens.add('b');
  Board::raise(kLine);
  finished.wait();
  tokens.add('c');
  expect_order("atTbtTc");
}

/// However many edges come while the thread has not served the line: one interrupt more.
void line_stays_masked_until_it_is_served() {
  attach(0);
  serve_on(0, 2);
  K::sleep_until(K::now() + us(200));
  {
    const Port::IrqState state = Port::irq_save();
    Board::raise(kLine);
    Port::irq_restore(state);  // the top half, and the thread
  }
  spin_for(us(20));
  HOCKET_EXPECT(interrupts == 1 && served == 1);
  Port::line_mask(kLine);
  for (unsigned i = 0; i < 5; ++i) {
    Board::raise(kLine);
    spin_for(us(5));
  }
  HOCKET_EXPECT(interrupts == 1);
  Port::line_unmask(kLine);
  finished.wait();
  HOCKET_EXPECT(interrupts == 2 && served == 2);
}

void line_goes_to_the_core_that_it_is_routed_to() {
  if (Port::core_count() < 2) return;
  attach(0);
  const Port::IrqState state = Port::irq_save();
  HOCKET_EXPECT(Port::line_route(kLine, port::Level::RealTime, 1));
  Port::irq_restore(state);
  serve_on(1, 2);
  K::sleep_until(K::now() + us(200));
  seen_on = 0;
  Board::raise(kLine);
  while (served < 1) pause();
  HOCKET_EXPECT(seen_on == 1);
  Board::raise(kLine);  // masked or not by then: it comes once
  finished.wait();
  HOCKET_EXPECT(interrupts == 2);
}

}  // namespace

void test_lines() {
  prepare_lines();
  HOCKET_WITH_BENCH(line_wakes_a_thread);
  HOCKET_WITH_BENCH(line_stays_masked_until_it_is_served);
  HOCKET_WITH_BENCH(line_goes_to_the_core_that_it_is_routed_to);
  Port::line_mask(kLine);
}

}  // namespace hocket::contract
