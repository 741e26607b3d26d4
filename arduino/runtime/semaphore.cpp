// The slow path of semaphores, on every board that has the runtime: the sketch's own part
// (arduino/hocket/Semaphore.h) has found no count, or a waiting thread.
#include "arduino/runtime/sketch.h"

namespace hocket::runtime {

using Port = Board::Port;

class Sketch::Locked {
 public:
  explicit Locked(Sketch& sketch) : lock_(sketch.queues_lock_), state_(Port::irq_save()) {
    Port::lock(lock_);
  }
  ~Locked() {
    Port::unlock(lock_);
    Port::irq_restore(state_);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  Port::Lock& lock_;
  Port::IrqState state_;
};

/// One attempt to take the semaphore. Blocks the caller if the count is 0.
Sketch::Queues::Answer Sketch::take_or_block(int& count, System::Thread& self) {
  const Port::IrqState state = Port::irq_save();
  Port::lock(queues_lock_);
  Queues::Answer answer = queues_.take_or_wait(count, number(self), {&self, /*for_a_time=*/false});
  if (answer == Queues::Answer::None) {
    System::wait([this](System::Thread&) { Port::unlock(queues_lock_); });
    answer = Queues::Answer::Taken;  // the thread that woke it gave it a count
  } else {
    Port::unlock(queues_lock_);
  }
  Port::irq_restore(state);
  return answer;
}

/// One attempt to take the semaphore. If the count is 0, blocks the caller until it is given one or
/// until `until`. The wait does not consume a permit of sys::unpark().
[[gnu::cold]] Sketch::Queues::Answer Sketch::take_or_block_until(int& count, System::Thread& self,
                                                                 System::Instant until) {
  const Port::IrqState state = Port::irq_save();
  Port::lock(queues_lock_);
  Queues::Answer answer = queues_.take_or_wait(count, number(self), {&self, /*for_a_time=*/true});
  if (answer == Queues::Answer::None) {
    bool waits = true;
    for (bool in_time = true; waits && in_time;) {
      System::wait_until(until, [this](System::Thread&) { Port::unlock(queues_lock_); });
      Port::lock(queues_lock_);
      waits = queues_.waits(number(self));
      in_time = System::now() < until;
    }
    if (waits) {
      queues_.leave(number(self));
    } else {
      answer = Queues::Answer::Taken;
    }
  }
  Port::unlock(queues_lock_);
  Port::irq_restore(state);
  return answer;
}

// Interrupts are enabled between two attempts. A sketch that changes the word all the time
// therefore delays only the callers.
bool Sketch::take_semaphore(int* count, uint64_t until_ns) {
  if (until_ns != UINT64_MAX) return take_until(*count, until_ns);
  System::Thread& self = System::self();
  while (take_or_block(*count, self) == Queues::Answer::LookAgain) {
  }
  return true;
}

[[gnu::cold]] bool Sketch::take_until(int& count, uint64_t until_ns) {
  System::Thread& self = System::self();
  Queues::Answer answer;
  const System::Instant until = Board::instant(until_ns);
  const bool now = until <= System::now();
  const auto look = [this, &count] {
    const Locked locked(*this);
    return queues_.take(count);
  };
  do {
    answer = now ? look() : take_or_block_until(count, self, until);
  } while (answer == Queues::Answer::LookAgain);
  return answer == Queues::Answer::Taken;
}

bool Sketch::give_semaphore(int* count) {
  for (;;) {
    const Port::IrqState state = Port::irq_save();
    Port::lock(queues_lock_);
    const Queues::Given given = queues_.give(*count);
    if (given.number != Queues::kNobody) {
      const Who who = queues_.who(given.number);
      Port::unlock(queues_lock_);
      if (who.for_a_time) [[unlikely]] {
        System::wake_early(*who.thread);
      } else {
        System::wake(*who.thread);
      }
      Port::irq_restore(state);
      return true;
    }
    Port::unlock(queues_lock_);
    Port::irq_restore(state);
    if (given.done) return false;
  }
}

}  // namespace hocket::runtime
