// The mutex with a ceiling.
#include "kernel/task/mutex.h"

#include "kernel/base/construct.h"
#include "kernel_bench.h"

namespace hocket::contract {
namespace {

constexpr uint16_t kCeilingSlot = 1;
alignas(Mutex<K, Port>) unsigned char mutex_memory[sizeof(Mutex<K, Port>)];
Mutex<K, Port>* mutex;
Duration hold_for;

void lock_and_note(void* argument) {
  tokens.add(letter(argument));
  mutex->lock();
  tokens.add(static_cast<char>(letter(argument) - 'a' + 'A'));
  spin_for(hold_for);
  mutex->unlock();
  tokens.add(static_cast<char>(letter(argument) - 'a' + 'A'));
  finished.signal();
}
void pass_by(void*) {
  tokens.add('m');
  finished.signal();
}

/// The low one takes the mutex; then the high one, which wants it, and the middle one, which does
/// not, become ready.
void contend(Ticks low_budget_us, Duration hold) {
  hold_for = hold;
  mutex = construct<Mutex<K, Port>>(&mutex_memory, kCeilingSlot, us(2'000));
  const Instant at = K::now() + us(200);
  K::Vcpu& high = bench.vcpu(5'000, 10'000);
  K::Vcpu& middle = bench.vcpu(1'000, 20'000);
  K::Vcpu& low = bench.vcpu(low_budget_us, 30'000);
  K::start(bench.thread(low, &lock_and_note, letter('l')), at);
  K::start(bench.thread(high, &lock_and_note, letter('h')), at + us(100));
  K::start(bench.thread(middle, &pass_by), at + us(120));
  for (unsigned i = 0; i < 3; ++i) finished.wait();
}

void mutex_ceiling_holds_back_the_others() {
  contend(5'000, us(300));
  expect_order("lLhHHmL");  // high finds it free as soon as low has left it
}

void mutex_section_outlives_the_budget() {
  contend(150, us(1'000));
  expect_order("lLhHHmL");
}

void mutex_held_too_long_delays_only_its_users() {
  contend(5'000, us(4'000));
  // After 2 ms low falls back: high comes, finds the mutex taken and waits; middle passes.
  expect_order("lLhmHHL");
}

K::Instant due_at;

/// Takes the mutex just after the other one was due, before its interrupt comes.
void lock_behind_an_instant(void*) {
  while (K::now() + us(2) < due_at) {
  }
  const Port::IrqState state = Port::irq_save();
  while (K::now() < due_at) {
  }
  mutex->lock();
  tokens.add('L');
  Port::irq_restore(state);
  mutex->unlock();
  finished.signal();
}
void note(void* argument) {
  tokens.add(letter(argument));
  finished.signal();
}

void who_is_due_comes_before_a_lock_below_it() {
  // The ceiling is the slot between the two, whose virtual CPU does nothing.
  mutex = construct<Mutex<K, Port>>(&mutex_memory, uint16_t{kCeilingSlot + 2}, us(2'000));
  due_at = K::now() + us(500);
  K::Vcpu& high = bench.vcpu(5'000, 10'000);
  bench.vcpu(1'000, 20'000);
  K::Vcpu& low = bench.vcpu(5'000, 30'000);
  K::start(bench.thread(low, &lock_behind_an_instant), due_at - us(200));
  K::start(bench.thread(high, &note, letter('h')), due_at);
  for (unsigned i = 0; i < 2; ++i) finished.wait();
  expect_order("hL");
}

}  // namespace

void test_mutexes() {
  HOCKET_WITH_BENCH(mutex_ceiling_holds_back_the_others);
  HOCKET_WITH_BENCH(mutex_section_outlives_the_budget);
  HOCKET_WITH_BENCH(mutex_held_too_long_delays_only_its_users);
  HOCKET_WITH_BENCH(who_is_due_comes_before_a_lock_below_it);
}

}  // namespace hocket::contract
