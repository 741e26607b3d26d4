// The seven tests of thread_metric: instructions for one count.
//
// Each counts a few thousand times; what it has counted divides the instructions that have passed,
// those of the loop and the count included.
#include "bench_kernel.h"

namespace hocket::bench {
namespace {

constexpr unsigned kThreads = 5;
constexpr unsigned kCounts = 5'000;

volatile uint64_t counted[kThreads];
volatile bool ending = false;
uint64_t began_at = 0;
K::Thread* threads[kThreads];

uint64_t index_of(void* argument) {
  return reinterpret_cast<uintptr_t>(argument);
}
void* as_argument(uint64_t index) {
  return reinterpret_cast<void*>(index);
}

void begin() {
  for (volatile uint64_t& count : counted) count = 0;
  ending = false;
}

/// In the thread whose count decides: at the end, what the test took.
void tell(const char* name) {
  const uint64_t took = clock() - began_at;
  uint64_t all = 0;
  for (const volatile uint64_t& count : counted) all = all + count;
  tell_total(name, took, all);
}

// --- Cooperative: five threads of one priority, each counts and yields ---

void cooperative_thread(void* argument) {
  const uint64_t i = index_of(argument);
  if (i == 0) began_at = clock();
  for (unsigned n = 0; n < kCounts; ++n) {
    K::yield();
    counted[i] = counted[i] + 1;
  }
  if (i == kThreads - 1) tell("cooperative");
}

void cooperative() {
  begin();
  K::Vcpu& shared = vcpu(2);
  for (uint64_t i = 0; i < kThreads; ++i) {
    threads[i] = &thread(shared, &cooperative_thread, as_argument(i));
  }
  run_all();
}

// --- Preemptive: each resumes the next higher one, counts, suspends itself ---

void preemptive_thread(void* argument) {
  const uint64_t i = index_of(argument);
  if (i > 0) suspend();  // until the next lower one calls
  while (!ending) {
    if (i + 1 < kThreads) resume(*threads[i + 1]);
    counted[i] = counted[i] + 1;
    suspend();
  }
}
void preemptive_lowest(void*) {
  began_at = clock();
  for (unsigned n = 0; n < kCounts; ++n) {
    resume(*threads[1]);
    counted[0] = counted[0] + 1;
  }
  tell("preemptive");
  ending = true;
}

void preemptive() {
  begin();
  for (uint64_t i = kThreads; --i > 0;) {
    threads[i] =
        &thread(vcpu(static_cast<uint16_t>(kThreads - i)), &preemptive_thread, as_argument(i));
  }
  threads[0] = &thread(vcpu(kThreads), &preemptive_lowest);
  run_all();
}

// --- Interrupt: raise one, its handler counts and gives, the thread takes ---

Sem semaphore;

void handler_gives(void*) {
  counted[1] = counted[1] + 1;
  give(semaphore);
}
void interrupt_thread(void*) {
  began_at = clock();
  for (unsigned n = 0; n < kCounts; ++n) {
    raise_interrupt();
    take(semaphore);
    counted[0] = counted[0] + 1;
  }
  counted[1] = 0;  // the test's count is the thread's
  tell("interrupt");
}

void interrupt() {
  begin();
  on_interrupt(&handler_gives);
  thread(vcpu(2), &interrupt_thread);
  run_all();
}

// --- Interrupt preemption: its handler resumes a higher thread, which counts and suspends itself
// ---

void handler_resumes(void*) {
  counted[1] = counted[1] + 1;
  resume(*threads[0]);
}
void preempting_thread(void*) {
  for (;;) {
    suspend();
    counted[2] = counted[2] + 1;
  }
}
void preempted_thread(void*) {
  began_at = clock();
  for (unsigned n = 0; n < kCounts; ++n) {
    raise_interrupt();
    counted[0] = counted[0] + 1;
  }
  counted[1] = 0;
  counted[2] = 0;
  tell("interrupt preemption");
}

void interrupt_preemption() {
  begin();
  threads[0] = &thread(vcpu(1), &preempting_thread);
  on_interrupt(&handler_resumes);
  thread(vcpu(2), &preempted_thread);
  run_all();
}

// --- Message, synchronisation, memory: one thread ---

struct Message {
  uint64_t words[2];
};
MessageQueue<K, Port, Message, 10> queue;

[[gnu::noinline]] void send(const Message& message) {
  queue.send(message);
}
[[gnu::noinline]] void receive(Message& message) {
  queue.receive(message);
}

void message_thread(void*) {
  Message message{{0x1111'2222, 0}};
  Message got{};
  began_at = clock();
  for (unsigned n = 0; n < kCounts; ++n) {
    message.words[1] = n;
    send(message);
    receive(got);
    if (got.words[1] != n) Port::halt("a message was changed");
    counted[0] = counted[0] + 1;
  }
  tell("message, 16 bytes");
}

void synchronisation_thread(void*) {
  give(semaphore);
  began_at = clock();
  for (unsigned n = 0; n < kCounts; ++n) {
    take(semaphore);
    give(semaphore);
    counted[0] = counted[0] + 1;
  }
  take(semaphore);
  tell("synchronisation");
}

BlockPool<Port, 128, 16> pool;

[[gnu::noinline]] void* allocate() {
  return pool.take();
}
[[gnu::noinline]] void release(void* block) {
  pool.give_back(block);
}

void memory_thread(void*) {
  began_at = clock();
  for (unsigned n = 0; n < kCounts; ++n) {
    void* block = allocate();
    if (block == nullptr) Port::halt("no memory");
    release(block);
    counted[0] = counted[0] + 1;
  }
  tell("memory, 128 bytes");
}

void alone(void (*entry)(void*)) {
  begin();
  thread(vcpu(2), entry);
  run_all();
}

}  // namespace

void measure_thread_metric() {
  cooperative();
  preemptive();
  interrupt();
  interrupt_preemption();
  alone(&message_thread);
  alone(&synchronisation_thread);
  alone(&memory_thread);
}

}  // namespace hocket::bench
