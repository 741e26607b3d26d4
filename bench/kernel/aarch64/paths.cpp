// The kernel's short paths, in instructions.
#include "bench_kernel.h"

namespace hocket::bench {
namespace {

Samples samples;
Samples more;
volatile uint64_t stamp = 0;

// --- Threads among themselves ---

void yielder(void*) {
  for (unsigned i = 0; i < kRounds; ++i) {
    stamp = clock();
    K::yield();
    samples.add(stamp, clock());
  }
}

/// Two threads of one virtual CPU: from before the call in one to after it in the other.
void yield_and_switch() {
  samples.clear();
  K::Vcpu& shared = vcpu(2);
  thread(shared, &yielder);
  thread(shared, &yielder);
  run_all();
  samples.tell("yield and switch");
}

Sem ping;
Sem pong;

void answerer(void*) {
  for (unsigned i = 0; i < kRounds; ++i) {
    take(ping);
    give(pong);
  }
}
void asker(void*) {
  for (unsigned i = 0; i < kRounds; ++i) {
    const uint64_t before = clock();
    give(ping);
    take(pong);
    samples.add(before, clock());
  }
}

/// The higher thread waits, the lower one gives and waits for the answer.
void ping_pong() {
  samples.clear();
  thread(vcpu(1), &answerer);
  thread(vcpu(2), &asker);
  run_all();
  samples.tell("semaphore ping-pong round");
}

/// The same below others that are asleep, one in each slot that is left.
void ping_pong_in_a_crowd() {
  constexpr Port::Ticks kHour = Port::kTickHz * 3600;
  constexpr uint16_t kOthers = kMeasurer - 2;
  static K::Vcpu* others[kOthers];
  const auto masked = [](auto&& act) {
    const Port::IrqState state = Port::irq_save();
    for (K::Vcpu* other : others) act(*other);
    Port::irq_restore(state);
  };
  samples.clear();
  for (uint16_t slot = 0; slot < kOthers; ++slot) others[slot] = &vcpu(slot);
  masked([](K::Vcpu& other) {
    K::LockedCore::taken_over(K::core(0))
        ->policy.sleep(other, K::now(), K::now() + K::Duration(kHour));
  });
  thread(vcpu(kOthers), &answerer);
  thread(vcpu(kOthers + 1), &asker);
  run_all();
  masked(
      [](K::Vcpu& other) { K::LockedCore::taken_over(K::core(0))->policy.block(other, K::now()); });
  samples.tell("semaphore ping-pong round, every slot taken");
}

void taker(void*) {
  for (unsigned i = 0; i < kRounds; ++i) {
    take(ping);
    samples.add(stamp, clock());
  }
}
void giver(void*) {
  for (unsigned i = 0; i < kRounds; ++i) {
    stamp = clock();
    give(ping);
  }
}
void give_to_higher() {
  samples.clear();
  thread(vcpu(1), &taker);
  thread(vcpu(2), &giver);
  run_all();
  samples.tell("semaphore give to woken thread");
}

// --- Interrupts ---

uint64_t vector_at = 0;

/// The instant of the vector: the thread's reading of the clock, and the instructions between that
/// one (label 1 in raise_and_stamp) and the interrupted one, which ELR_EL1 names.
[[gnu::always_inline]] inline void note_vector(uint64_t handler_at, uint64_t read_by_thread,
                                               uint64_t read_where) {
  const uint64_t interrupted = aarch64::Level::interrupted_at();
  vector_at = read_by_thread + (interrupted - read_where) / 4;
  samples.add(vector_at - 1, handler_at);  // the reading itself is the handler's first instruction
}

uint64_t read_at = 0;
uint64_t read_where = 0;

[[gnu::noinline]] uint64_t raise_and_stamp() {
  uint64_t at;
  uint64_t where;
  asm volatile(
      "adr %1, 1f\n"
      "str %1, [%3]\n"
      "1: mrs %0, cntvct_el0\n"
      "str %0, [%4]\n"
      "msr icc_sgi0r_el1, %2\n"
      "isb\n"
      "nop\n nop\n nop\n nop\n"
      : "=&r"(at), "=&r"(where)
      : "r"(uint64_t{kInterrupt} << 24 | 1), "r"(&read_where), "r"(&read_at)
      : "memory");
  return clock();
}

void handler_only(void*) {
  const uint64_t at = clock();
  note_vector(at, read_at, read_where);
}

void raise_often(void*) {
  for (unsigned i = 0; i < kRounds; ++i) raise_and_stamp();
}

void vector_to_handler() {
  samples.clear();
  on_interrupt(&handler_only);
  thread(vcpu(2), &raise_often);
  run_all();
  samples.tell("vector to first instruction of a handler");
}

Sem from_handler;

void handler_gives_only(void*) {
  give(from_handler);
}
/// The vector's instant, found by the same arithmetic once: it is the same in every round.
uint64_t vector_after_reading = 0;

void woken(void*) {
  for (unsigned i = 0; i < kRounds; ++i) {
    take(from_handler);
    samples.add(read_at + vector_after_reading - 1, clock());
  }
}
void interrupted(void*) {
  for (unsigned i = 0; i < kRounds; ++i) {
    const uint64_t after = raise_and_stamp();
    more.add(read_at + vector_after_reading - 1, after);
  }
}

void wake_from_handler() {
  samples.clear();
  vector_after_reading = vector_at - read_at;
  on_interrupt(&handler_gives_only);
  thread(vcpu(1), &woken);
  thread(vcpu(2), &interrupted);
  run_all();
  samples.tell("vector to a woken thread's code");
  more.tell("vector to the interrupted thread's code, through a woken one");
}

// --- Threads that come and go ---

K::Thread* sleeper = nullptr;

void sleeping(void*) {
  for (unsigned i = 0; i < kRounds + 1; ++i) suspend();
}
void waking(void*) {
  for (unsigned i = 0; i < kRounds; ++i) {
    const uint64_t before = clock();
    resume(*sleeper);
    samples.add(before, clock());
  }
}

void resume_and_back() {
  samples.clear();
  sleeper = &thread(vcpu(1), &sleeping);
  thread(vcpu(2), &waking);
  run_all();
  samples.tell("thread resumed, runs, suspends itself, back");
}

}  // namespace

void measure_paths() {
  yield_and_switch();
  ping_pong();
  ping_pong_in_a_crowd();
  give_to_higher();
  vector_to_handler();
  wake_from_handler();
  resume_and_back();
}

}  // namespace hocket::bench
