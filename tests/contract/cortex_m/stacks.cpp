// What the kernel and the port take of stacks: of a thread's, and of the one that handlers share.
#include "kernel/task/semaphore.h"
#include "ports/cortex_m/vectors.h"
#include "suite.h"

namespace hocket::contract {
namespace {

using K = Board::System;

Semaphore<K, Port> small_bell, small_done;
K::Vcpu small_vcpu;
K::Thread small_thread;
alignas(Port::kStackAlignment) unsigned char small_stack[Port::kSmallestStack];

void ring_small(void*) {
  small_bell.signal();
}
void wait_in_every_way(void*) {
  for (unsigned i = 0; i < 20; ++i) {
    K::sleep_until(K::now() + K::Duration(microseconds(20)));
    small_bell.wait();
    if (!K::suspend_self_until(K::now() + K::Duration(microseconds(20)))) K::yield();
  }
  small_done.signal();
}

/// A body that does nothing but wait, with interrupts all the time.
void the_smallest_stack_is_enough() {
  K::add(small_vcpu, 2, K::Duration(microseconds(500)) + K::Charges::activation(),
         K::Duration(microseconds(1'000)), K::now());
  K::create(small_thread, small_vcpu, {small_stack, sizeof small_stack}, &wait_in_every_way,
            nullptr);
  K::Alarm alarm;
  alarm.handler = &ring_small;
  alarm.due = K::now();
  alarm.period = K::Duration(microseconds(33));
  alarm.times = 200;
  HOCKET_EXPECT(K::start_alarm(alarm));
  K::start(small_thread, K::now());
  small_done.wait();
  const size_t used = sizeof small_stack - Port::stack_unused({small_stack, sizeof small_stack});
  tell("bytes of the smallest stack", used, sizeof small_stack);
  HOCKET_EXPECT(used + 16 <= sizeof small_stack);
  while (alarm.active()) pause();
}

void handlers_have_enough_stack() {
  const size_t size =
      sizeof(uint32_t) * static_cast<size_t>(hocket_handler_stack_end - hocket_handler_stack);
  const size_t used = size - Port::stack_unused({hocket_handler_stack, size});
  tell("bytes of the handlers' stack", used, size);
  HOCKET_EXPECT(used + 64 <= size);
}

}  // namespace

void run_stack_tests() {
  run("the_smallest_stack_is_enough", &the_smallest_stack_is_enough);
  run("handlers_have_enough_stack", &handlers_have_enough_stack);
}

}  // namespace hocket::contract
