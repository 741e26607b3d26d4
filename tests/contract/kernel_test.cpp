// What the kernel makes of a port: order of events as letters, times against their bounds.
//
// The first thread runs the tests, best-effort, on core 0; each test creates threads on virtual
// CPUs of its own. Virtual CPUs take the core's slots in the order in which a test asks for them.

#include "kernel/base/construct.h"
#include "kernel/task/block_pool.h"
#include "kernel/task/message_queue.h"
#include "kernel/task/mutex.h"
#include "kernel/task/semaphore.h"
#include "suite.h"

// Where an image cannot hold all of them: 1 is the first half of the tests, 2 the second.
#ifndef HOCKET_KERNEL_TESTS
#define HOCKET_KERNEL_TESTS 3
#endif

namespace hocket::contract {
namespace {

using K = Board::System;
using Instant = K::Instant;
using Duration = K::Duration;
using Sem = Semaphore<K, Port>;
using PrioritySem = Semaphore<K, Port, WaitOrder::Priority>;

Tokens tokens;
Sem finished;

Duration us(Ticks value) {
  return Duration(microseconds(value));
}
void spin_for(Duration duration) {
  const Instant end = K::now() + duration;
  while (K::now() < end) pause();
}

// What a kernel without statistics lacks.
template <class Vcpu>
void set_deadline([[maybe_unused]] Vcpu& vcpu, [[maybe_unused]] Duration deadline) {
  if constexpr (K::kStatistics) vcpu.deadline = deadline;
}
template <class Thread>
void measure_nothing([[maybe_unused]] Thread& thread) {
  if constexpr (K::kStatistics) thread.meter.start(K::now(), Duration(0));
}

/// Threads and virtual CPUs of one test. Slot 0 and 1 are for ceilings.
class Bench {
 public:
  static constexpr unsigned kMost = Board::kMostThreads;
  static constexpr unsigned kFirstSlot = 2;

  /// Waits until the last test's threads are gone for good, then starts afresh.
  void reset() {
    for (unsigned i = 0; i < threads_; ++i) {
      const auto* thread = reinterpret_cast<const volatile K::Thread*>(thread_memory_[i]);
      while (thread->state != ThreadState::Stopped) K::sleep_until(K::now() + us(100));
    }
    K::sleep_until(K::now() + us(100));
    vcpus_ = threads_ = 0;
    for (unsigned& next : next_slot_) next = kFirstSlot;
    tokens.clear();
  }

  K::Vcpu& vcpu(Ticks budget_us, Ticks period_us, CoreId core = 0, bool background = false) {
    K::Vcpu& vcpu = *construct<K::Vcpu>(&vcpu_memory_[vcpus_++]);
    vcpu.core = core;
    const Port::IrqState state = Port::irq_save();
    Port::lock(K::core(core).lock);
    K::core(core).policy.add(vcpu, static_cast<uint16_t>(next_slot_[core]++), us(budget_us),
                             us(period_us), Duration(Board::kMinimumBudget), K::now());
    Port::unlock(K::core(core).lock);
    Port::irq_restore(state);
    vcpu.background = background;
    set_deadline(vcpu, us(period_us));
    return vcpu;
  }

  K::Thread& thread(K::Vcpu& vcpu, void (*entry)(void*), void* argument = nullptr) {
    const unsigned i = threads_++;
    K::Thread& thread = *construct<K::Thread>(&thread_memory_[i]);
    thread.id = static_cast<uint16_t>(i + 1);
    K::create(thread, vcpu, {stacks_[i], sizeof stacks_[i]}, entry, argument);
    measure_nothing(thread);
    return thread;
  }

 private:
  alignas(K::Vcpu) unsigned char vcpu_memory_[kMost][sizeof(K::Vcpu)];
  alignas(K::Thread) unsigned char thread_memory_[kMost][sizeof(K::Thread)];
  alignas(Port::kStackAlignment) unsigned char stacks_[kMost][Board::kTestStack];
  unsigned vcpus_ = 0;
  unsigned threads_ = 0;
  unsigned next_slot_[Port::kCores] = {};
};
Bench bench;

void* letter(char token) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(token));
}
char letter(void* argument) {
  return static_cast<char>(reinterpret_cast<uintptr_t>(argument));
}

void expect_order(const char* expected) {
  if (tokens.are(expected)) return;
  print("order was ");
  print(tokens.text());
  print("\n");
  HOCKET_EXPECT(!"the order of events");
}

// --- Threads ---

void three_turns(void* argument) {
  for (unsigned i = 0; i < 3; ++i) {
    tokens.add(letter(argument));
    K::yield();
  }
  finished.signal();
}

void threads_of_a_vcpu_take_turns() {
  K::Vcpu& vcpu = bench.vcpu(10'000, 20'000);
  const Instant at = K::now() + us(200);
  constexpr char abc[] = {'a', 'b', 'c'};
  for (const char token : abc) {
    K::start(bench.thread(vcpu, &three_turns, letter(token)), at);
  }
  for (unsigned i = 0; i < 3; ++i) finished.wait();
  expect_order("abcabcabc");
}

void one_letter(void* argument) {
  tokens.add(letter(argument));
  spin_for(us(50));
  tokens.add(letter(argument));
  finished.signal();
}

void higher_priority_runs_first() {
  const Instant at = K::now() + us(200);
  K::Vcpu& high = bench.vcpu(1'000, 10'000);
  K::Vcpu& low = bench.vcpu(1'000, 20'000);
  K::start(bench.thread(low, &one_letter, letter('l')), at);
  K::start(bench.thread(high, &one_letter, letter('h')), at + us(20));
  finished.wait();
  finished.wait();
  expect_order("lhhl");
}

Instant woke_at[3];
void sleep_and_note(void* argument) {
  const auto which = reinterpret_cast<uintptr_t>(argument);
  const Instant until = K::self().wake_at + us(static_cast<Ticks>(700 - 200 * which));
  K::sleep_until(until);
  woke_at[which] = Instant((K::now() - until).ticks());
  tokens.add(static_cast<char>('0' + which));
  finished.signal();
}

void sleepers_wake_in_time_and_order() {
  const Instant at = K::now() + us(200);
  for (uintptr_t i = 0; i < 3; ++i) {
    K::Vcpu& vcpu = bench.vcpu(1'000, 10'000);
    K::start(bench.thread(vcpu, &sleep_and_note, reinterpret_cast<void*>(i)), at);
  }
  for (unsigned i = 0; i < 3; ++i) finished.wait();
  expect_order("210");
  const Ticks latest = Port::costs().timer_lateness + Port::costs().timer_interrupt +
                       Port::costs().context_switch + Port::costs().longest_masked;
  for (const Instant late : woke_at)
    HOCKET_EXPECT_IN_TIME(late.ticks() >= 0 && late.ticks() <= latest);
}

void sleep_into_the_past_returns_at_once() {
  const Instant before = K::now();
  K::sleep_until(before - us(100));
  HOCKET_EXPECT_IN_TIME(K::now() - before < us(100));
}

// --- Semaphores ---

Sem by_arrival;
PrioritySem by_priority;

void wait_by_arrival(void* argument) {
  by_arrival.wait();
  tokens.add(letter(argument));
  finished.signal();
}
void wait_by_priority(void* argument) {
  by_priority.wait();
  tokens.add(letter(argument));
  finished.signal();
}

/// Three waiters arrive in the order low, high, middle.
template <class Semaphore>
void three_waiters(void (*entry)(void*), Semaphore& semaphore) {
  const Instant at = K::now() + us(200);
  K::Vcpu& high = bench.vcpu(1'000, 10'000);
  K::Vcpu& middle = bench.vcpu(1'000, 20'000);
  K::Vcpu& low = bench.vcpu(1'000, 30'000);
  K::start(bench.thread(low, entry, letter('l')), at);
  K::start(bench.thread(high, entry, letter('h')), at + us(100));
  K::start(bench.thread(middle, entry, letter('m')), at + us(200));
  K::sleep_until(at + us(500));
  for (unsigned i = 0; i < 3; ++i) {
    semaphore.signal();
    finished.wait();
  }
}

void semaphore_serves_by_arrival() {
  three_waiters(&wait_by_arrival, by_arrival);
  expect_order("lhm");
}
void semaphore_serves_by_priority() {
  three_waiters(&wait_by_priority, by_priority);
  expect_order("hml");
}

void semaphore_counts() {
  Sem semaphore(2);
  HOCKET_EXPECT(semaphore.try_wait());
  HOCKET_EXPECT(semaphore.try_wait());
  HOCKET_EXPECT(!semaphore.try_wait());
  semaphore.signal();
  semaphore.wait();
  HOCKET_EXPECT(!semaphore.try_wait());
}

// --- Suspending ---

K::Thread* suspended;

void suspend_three_times(void*) {
  for (unsigned i = 0; i < 3; ++i) {
    tokens.add('s');
    K::suspend_self();
  }
  finished.signal();
}

void resume_lets_a_thread_go_on() {
  suspended = &bench.thread(bench.vcpu(5'000, 10'000), &suspend_three_times);
  const Instant at = K::now() + us(200);
  K::start(*suspended, at);
  K::sleep_until(at + us(200));
  constexpr char ab[] = {'a', 'b'};
  for (const char token : ab) {
    tokens.add(token);
    K::resume(*suspended);
  }
  expect_order("sasbs");
  K::resume(*suspended);
  finished.wait();
}

/// What comes before it suspends itself is kept, once.
void resume_before_suspending_is_kept() {
  suspended = &bench.thread(bench.vcpu(5'000, 10'000), &suspend_three_times);
  K::resume(*suspended);
  K::resume(*suspended);
  const Instant at = K::now() + us(200);
  K::start(*suspended, at);
  K::sleep_until(at + us(200));
  expect_order("ss");
  K::resume(*suspended);
  K::resume(*suspended);
  finished.wait();
  expect_order("sss");
}

void resume_suspended(void*) {
  tokens.add('i');
  K::resume(*suspended);
  tokens.add('I');
}

void handlers_resume_threads() {
  suspended = &bench.thread(bench.vcpu(5'000, 10'000), &suspend_three_times);
  const Instant at = K::now() + us(200);
  K::start(*suspended, at);
  K::Alarm alarm;
  alarm.handler = &resume_suspended;
  alarm.due = at + us(500);
  alarm.period = us(300);
  alarm.times = 3;
  HOCKET_EXPECT(K::start_alarm(alarm));
  finished.wait();
  expect_order("siIsiIsiI");
}

// --- Suspending for a time ---

/// Its time passes twice, then it is resumed, then it was resumed before.
void suspend_for_a_time(void*) {
  const Instant first = K::now() + us(300);
  tokens.add(K::suspend_self_until(first) ? 'r' : 't');
  HOCKET_EXPECT(K::now() >= first);
  tokens.add(K::suspend_self_until(first) ? 'r' : 't');  // it has passed
  const Instant far = K::now() + us(60'000);
  tokens.add(K::suspend_self_until(far) ? 'R' : 'T');
  K::resume(K::self());
  K::resume(K::self());
  tokens.add(K::suspend_self_until(far) ? 'K' : 'k');  // kept, once
  tokens.add(K::suspend_self_until(K::now()) ? 'K' : 'k');
  HOCKET_EXPECT_IN_TIME(K::now() < far);
  finished.signal();
}

void suspending_ends_with_its_time_or_a_resume() {
  suspended = &bench.thread(bench.vcpu(5'000, 10'000), &suspend_for_a_time);
  const Instant at = K::now() + us(200);
  K::start(*suspended, at);
  K::sleep_until(at + us(1'000));
  expect_order("tt");
  K::resume(*suspended);
  finished.wait();
  expect_order("ttRKk");
}

Instant suspend_limit;
void suspend_until_the_limit(void*) {
  tokens.add(K::suspend_self_until(suspend_limit) ? 'r' : 't');
  tokens.add(K::suspend_self_until(suspend_limit + us(400)) ? 'r' : 't');
  finished.signal();
}

void resume_silently(void*) {
  K::resume(*suspended);
}

/// A handler of the instant at which the time ends comes first; after it, the next one is ended.
void a_resume_at_the_same_instant_counts() {
  constexpr const char* kExpected[] = {"rt", "tr"};
  for (unsigned later = 0; later < 2; ++later) {
    bench.reset();
    suspended = &bench.thread(bench.vcpu(5'000, 10'000), &suspend_until_the_limit);
    const Instant at = K::now() + us(200);
    suspend_limit = at + us(500);
    K::start(*suspended, at);
    K::Alarm alarm;
    alarm.handler = &resume_silently;
    alarm.due = suspend_limit + us(static_cast<Ticks>(200 * later));
    HOCKET_EXPECT(K::start_alarm(alarm));
    finished.wait();
    HOCKET_EXPECT(!alarm.active());
    expect_order(kExpected[later]);
  }
}

constexpr unsigned kRaces = 64;
Sem race;
Sem raced;
unsigned in_time;
unsigned too_late;

void suspend_in_a_race(void*) {
  for (unsigned i = 0; i < kRaces; ++i) {
    suspend_limit = K::now() + us(400);
    race.signal();
    if (K::suspend_self_until(suspend_limit)) {
      ++in_time;
    } else {
      ++too_late;
      K::suspend_self();  // the resume is not lost
    }
    raced.wait();
  }
  HOCKET_EXPECT(!K::suspend_self_until(K::now()));  // and there is no other one
  finished.signal();
}

/// Resumes at about the limit, from 8 steps before to 7 after it: of 1 us at first, then wider.
void resume_in_a_race(void*) {
  for (unsigned i = 0; i < kRaces; ++i) {
    race.wait();
    const auto step = static_cast<Ticks>(1 + i / 16 * 10);
    K::sleep_until(suspend_limit + us(step * static_cast<Ticks>(i % 16)) - us(step * 8));
    K::resume(*suspended);
    raced.signal();
  }
  finished.signal();
}

void no_resume_is_lost_in_a_race_with_the_time() {
  in_time = too_late = 0;
  const auto other = static_cast<CoreId>(Port::core_count() - 1);
  suspended = &bench.thread(bench.vcpu(9'000, 10'000), &suspend_in_a_race);
  K::Thread& resumer = bench.thread(bench.vcpu(9'000, 10'000, other), &resume_in_a_race);
  const Instant at = K::now() + us(200);
  K::start(*suspended, at);
  K::start(resumer, at);
  finished.wait();
  finished.wait();
  HOCKET_EXPECT(in_time + too_late == kRaces);
  HOCKET_EXPECT_IN_TIME(in_time > 0 && too_late > 0);
}

// --- Messages ---

struct Message {
  uint32_t number;
  uint32_t complement;
};
using Queue = MessageQueue<K, Port, Message, 3>;
Queue* queue;
alignas(Queue) unsigned char queue_memory[sizeof(Queue)];
unsigned wrong_messages;

Message message_of(uint32_t number) {
  return {number, ~number};
}
void expect_message(uint32_t number) {
  Message message{};
  queue->receive(message);
  if (message.number != number || message.complement != ~number) ++wrong_messages;
}

void messages_keep_their_order() {
  queue = construct<Queue>(&queue_memory);
  wrong_messages = 0;
  for (uint32_t round = 0; round < 5; ++round) {
    for (uint32_t i = 0; i < 3; ++i) HOCKET_EXPECT(queue->try_send(message_of(round + i)));
    HOCKET_EXPECT(!queue->try_send(message_of(99)));
    for (uint32_t i = 0; i < 3; ++i) expect_message(round + i);
    Message unchanged = message_of(7);
    HOCKET_EXPECT(!queue->try_receive(unchanged));
    HOCKET_EXPECT(unchanged.number == 7);
  }
  HOCKET_EXPECT(wrong_messages == 0);
}

constexpr uint32_t kMessages = 20;

void send_many(void*) {
  for (uint32_t i = 0; i < kMessages; ++i) {
    queue->send(message_of(i));
    tokens.add('s');
  }
  finished.signal();
}

/// The sender has the higher priority: it is always ahead by as much as fits, and the one it waits
/// with.
void full_queues_hold_senders_back() {
  queue = construct<Queue>(&queue_memory);
  wrong_messages = 0;
  const Instant at = K::now() + us(200);
  K::start(bench.thread(bench.vcpu(8'000, 10'000), &send_many), at);
  K::sleep_until(at + us(300));
  expect_order("sss");
  for (uint32_t i = 0; i < kMessages; ++i) {
    if (i == 1) expect_order("ssss");
    expect_message(i);
  }
  finished.wait();
  HOCKET_EXPECT(wrong_messages == 0);
}

void receive_and_note(void* argument) {
  Message message{};
  queue->receive(message);
  tokens.add(letter(argument));
  tokens.add(static_cast<char>('0' + message.number));
  finished.signal();
}

void receivers_are_served_by_arrival() {
  queue = construct<Queue>(&queue_memory);
  const Instant at = K::now() + us(200);
  K::Vcpu& high = bench.vcpu(1'000, 10'000);
  K::Vcpu& low = bench.vcpu(1'000, 20'000);
  K::start(bench.thread(low, &receive_and_note, letter('l')), at);
  K::start(bench.thread(high, &receive_and_note, letter('h')), at + us(100));
  K::sleep_until(at + us(300));
  for (uint32_t i = 1; i <= 2; ++i) {
    queue->send(message_of(i));
    finished.wait();
  }
  expect_order("l1h2");
}

void cores_exchange_messages() {
  if (Port::core_count() < 2) return;
  queue = construct<Queue>(&queue_memory);
  wrong_messages = 0;
  K::start(bench.thread(bench.vcpu(9'000, 10'000, 1), &send_many), K::now());
  for (uint32_t i = 0; i < kMessages; ++i) expect_message(i);
  finished.wait();
  HOCKET_EXPECT(wrong_messages == 0);
}

// --- Blocks of memory ---

void blocks_are_given_once() {
  static constinit BlockPool<Port, 24, 4> pool;
  void* blocks[4];
  for (void*& block : blocks) {
    block = pool.take();
    HOCKET_EXPECT(block != nullptr && pool.owns(block));
    __builtin_memset(block, 0x5a, 24);
  }
  HOCKET_EXPECT(pool.take() == nullptr);
  for (unsigned i = 0; i < 4; ++i) {
    for (unsigned j = 0; j < i; ++j) {
      const auto a = reinterpret_cast<uintptr_t>(blocks[i]);
      const auto b = reinterpret_cast<uintptr_t>(blocks[j]);
      HOCKET_EXPECT(a >= b + 24 || b >= a + 24);
    }
  }
  pool.give_back(blocks[2]);
  pool.give_back(blocks[0]);
  HOCKET_EXPECT(pool.take() == blocks[0]);
  HOCKET_EXPECT(pool.take() == blocks[2]);
  HOCKET_EXPECT(pool.take() == nullptr);
  HOCKET_EXPECT(!pool.owns(static_cast<char*>(blocks[1]) + 8) && !pool.owns(&pool + 1));
  for (void* block : blocks) pool.give_back(block);
}

// --- Mutex ---

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

// --- Budgets ---

volatile bool spinning = false;
[[maybe_unused]] void spin(void*) {
  while (spinning) pause();
  finished.signal();
}

/// Two that spin get exactly their budgets; one without budget gets the rest. `Kernel` is K: what a
/// kernel without statistics lacks is looked up only in one that has it.
template <class Kernel>
void budgets_are_measured() {
  spinning = true;
  const Instant at = K::now() + us(1'000);
  typename Kernel::Thread* threads[3];
  threads[0] = &bench.thread(bench.vcpu(400, 1'000), &spin);
  threads[1] = &bench.thread(bench.vcpu(200, 1'000), &spin);
  threads[2] = &bench.thread(bench.vcpu(100, 1'000, 0, /*background=*/true), &spin);
  for (auto* thread : threads) {
    thread->meter.start(at, us(1'000));
    K::start(*thread, at);
  }
  K::sleep_until(at + us(50'000));
  spinning = false;
  for (unsigned i = 0; i < 3; ++i) finished.wait();
  const Ticks late = Port::costs().timer_lateness + Port::costs().longest_masked;
  const Ticks wanted[] = {microseconds(400), microseconds(200)};
  for (unsigned i = 0; i < 2; ++i) {
    HOCKET_EXPECT_IN_TIME(threads[i]->meter.windows() >= 49);
    HOCKET_EXPECT_IN_TIME(threads[i]->meter.least().ticks() >= wanted[i] - late);
    HOCKET_EXPECT_IN_TIME(threads[i]->meter.most().ticks() <= wanted[i] + late);
  }
  HOCKET_EXPECT_IN_TIME(threads[2]->meter.least() > us(300));
}
void budgets_are_kept() {
  if constexpr (K::kStatistics) budgets_are_measured<K>();
}

// --- Alarms ---

unsigned rings = 0;
Instant last_ring;
void ring(void*) {
  ++rings;
  last_ring = K::now();
}
void signal_finished(void*) {
  finished.signal();
}

void alarms_fire_as_often_as_asked() {
  rings = 0;
  K::Alarm alarm;
  alarm.handler = &ring;
  alarm.due = K::now() + us(300);
  const Instant first = alarm.due;
  alarm.period = us(250);
  alarm.times = 5;
  HOCKET_EXPECT(K::start_alarm(alarm));
  K::sleep_until(alarm.due + us(5'000));
  HOCKET_EXPECT(rings == 5);
  HOCKET_EXPECT(!alarm.active());
  const Ticks late = (last_ring - (first + us(4 * 250))).ticks();
  HOCKET_EXPECT_IN_TIME(late >= 0 &&
                        late <= Port::costs().timer_lateness + Port::costs().longest_masked);
}

void alarms_are_cancelled() {
  rings = 0;
  K::Alarm alarm;
  alarm.handler = &ring;
  alarm.due = K::now() + us(300);
  HOCKET_EXPECT(K::start_alarm(alarm));
  K::cancel_alarm(alarm);
  K::sleep_until(K::now() + us(1'000));
  HOCKET_EXPECT(rings == 0);
}

void alarm_handlers_wake_threads() {
  K::Alarm alarm;
  alarm.handler = &signal_finished;
  alarm.due = K::now() + us(300);
  HOCKET_EXPECT(K::start_alarm(alarm));
  finished.wait();
  HOCKET_EXPECT(K::now() >= Instant(alarm.due.ticks()));
}

// --- Several cores ---

Sem ping;
Sem pong;
constexpr unsigned kRounds = 300;

void answer(void*) {
  for (unsigned i = 0; i < kRounds; ++i) {
    ping.wait();
    pong.signal();
  }
  finished.signal();
}

void cores_wake_each_other() {
  if (Port::core_count() < 2) return;
  K::Vcpu& there = bench.vcpu(9'000, 10'000, 1);
  K::start(bench.thread(there, &answer), K::now());
  for (unsigned i = 0; i < kRounds; ++i) {
    ping.signal();
    pong.wait();
  }
  finished.wait();
  HOCKET_EXPECT(!ping.try_wait() && !pong.try_wait());
}

Port::Lock shared_lock;
volatile uint32_t shared_count = 0;

void count_up(void*) {
  for (unsigned i = 0; i < 1'000; ++i) {
    const Port::IrqState state = Port::irq_save();
    Port::lock(shared_lock);
    const uint32_t seen = shared_count;
    Port::relax();
    shared_count = seen + 1;
    Port::unlock(shared_lock);
    Port::irq_restore(state);
  }
  finished.signal();
}

void locks_exclude_other_cores() {
  shared_count = 0;
  const unsigned cores = smaller<unsigned>(Port::core_count(), Bench::kMost);
  for (unsigned core = 0; core < cores; ++core) {
    K::Vcpu& vcpu = bench.vcpu(9'000, 10'000, static_cast<CoreId>(core));
    K::start(bench.thread(vcpu, &count_up), K::now() + us(100));
  }
  for (unsigned core = 0; core < cores; ++core) finished.wait();
  HOCKET_EXPECT(shared_count == 1'000 * cores);
}

// --- Costs ---

Instant yielded_at;
Duration worst_switch;
void yield_and_measure(void*) {
  constexpr unsigned kTurns = 100;
  for (unsigned i = 0; i < kTurns; ++i) {
    yielded_at = K::now();
    K::yield();
    // Before the last turn comes the end of the other thread.
    if (i + 1 < kTurns) worst_switch = larger(worst_switch, K::now() - yielded_at);
  }
  finished.signal();
}

void a_switch_costs_no_more_than_declared() {
  worst_switch = Duration(0);
  K::Vcpu& vcpu = bench.vcpu(50'000, 60'000);
  const Instant at = K::now() + us(100);
  K::start(bench.thread(vcpu, &yield_and_measure), at);
  K::start(bench.thread(vcpu, &yield_and_measure), at);
  finished.wait();
  finished.wait();
  tell("yield", worst_switch.ticks(), Port::costs().context_switch);
  HOCKET_EXPECT_IN_TIME(worst_switch.ticks() <= Port::costs().context_switch);
}

void nothing(void*) {}

/// The largest gap that a spinning thread sees in time is what an interrupt takes.
void a_timer_interrupt_costs_no_more_than_declared() {
  K::Alarm alarm;
  alarm.handler = &nothing;
  alarm.due = K::now() + us(100);
  alarm.period = us(100);
  alarm.times = 50;
  HOCKET_EXPECT(K::start_alarm(alarm));
  Duration worst;
  Instant last = K::now();
  while (alarm.active()) {
    const Instant now = K::now();
    worst = larger(worst, now - last);
    last = now;
  }
  tell("timer interrupt that switches nothing", worst.ticks(), Port::costs().timer_interrupt);
  HOCKET_EXPECT_IN_TIME(worst.ticks() <= Port::costs().timer_interrupt);
}

#define HOCKET_WITH_BENCH(test) with_bench(HOCKET_CONSTANT_TEXT(#test), &test)

void with_bench(const char* name, void (*test)()) {
  bench.reset();
  run(name, test);
}

}  // namespace

void run_kernel_tests() {
  if constexpr ((HOCKET_KERNEL_TESTS & 1) != 0) {
    HOCKET_WITH_BENCH(threads_of_a_vcpu_take_turns);
    HOCKET_WITH_BENCH(higher_priority_runs_first);
    HOCKET_WITH_BENCH(sleepers_wake_in_time_and_order);
    HOCKET_WITH_BENCH(sleep_into_the_past_returns_at_once);
    HOCKET_WITH_BENCH(semaphore_serves_by_arrival);
    HOCKET_WITH_BENCH(semaphore_serves_by_priority);
    HOCKET_WITH_BENCH(semaphore_counts);
    HOCKET_WITH_BENCH(resume_lets_a_thread_go_on);
    HOCKET_WITH_BENCH(resume_before_suspending_is_kept);
    HOCKET_WITH_BENCH(handlers_resume_threads);
    HOCKET_WITH_BENCH(suspending_ends_with_its_time_or_a_resume);
    HOCKET_WITH_BENCH(a_resume_at_the_same_instant_counts);
    HOCKET_WITH_BENCH(no_resume_is_lost_in_a_race_with_the_time);
    HOCKET_WITH_BENCH(messages_keep_their_order);
    HOCKET_WITH_BENCH(full_queues_hold_senders_back);
    HOCKET_WITH_BENCH(receivers_are_served_by_arrival);
    HOCKET_WITH_BENCH(blocks_are_given_once);
  }
  if constexpr ((HOCKET_KERNEL_TESTS & 2) != 0) {
    HOCKET_WITH_BENCH(mutex_ceiling_holds_back_the_others);
    HOCKET_WITH_BENCH(mutex_section_outlives_the_budget);
    HOCKET_WITH_BENCH(mutex_held_too_long_delays_only_its_users);
    HOCKET_WITH_BENCH(budgets_are_kept);
    HOCKET_WITH_BENCH(alarms_fire_as_often_as_asked);
    HOCKET_WITH_BENCH(alarms_are_cancelled);
    HOCKET_WITH_BENCH(alarm_handlers_wake_threads);
    HOCKET_WITH_BENCH(cores_wake_each_other);
    HOCKET_WITH_BENCH(cores_exchange_messages);
    HOCKET_WITH_BENCH(locks_exclude_other_cores);
    HOCKET_WITH_BENCH(a_switch_costs_no_more_than_declared);
    HOCKET_WITH_BENCH(a_timer_interrupt_costs_no_more_than_declared);
  }
}

}  // namespace hocket::contract
