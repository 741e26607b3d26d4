// The waiting of semaphores, on every board that has the runtime: what happens where the sketch's
// own part (arduino/hocket/Semaphore.h) has found no count, or somebody who waits.
#include "arduino/runtime/runtime.h"
#include "kernel/task/word_queues.h"

namespace hocket::runtime {
namespace {

using Port = Board::Port;

struct Who {
  System::Thread* thread;
  bool for_a_time;  // sleeps meanwhile
};
using Queues = WordQueues<Board::kMaxLoops + 1, Who>;
using Answer = Queues::Answer;

Queues queues;
Port::Lock lock;

class Locked {
 public:
  Locked() : state_(Port::irq_save()) { Port::lock(lock); }
  ~Locked() {
    Port::unlock(lock);
    Port::irq_restore(state_);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  Port::IrqState state_;
};

/// One attempt; blocks the caller when there is none.
Answer take_or_block(int& count, System::Thread& self) {
  const Port::IrqState state = Port::irq_save();
  Port::lock(lock);
  Answer answer = queues.take_or_wait(count, self.id, {&self, /*for_a_time=*/false});
  if (answer == Answer::None) {
    System::wait([](System::Thread&) { Port::unlock(lock); });
    answer = Answer::Taken;  // whoever woke it gave it one
  } else {
    Port::unlock(lock);
  }
  Port::irq_restore(state);
  return answer;
}

/// One attempt; None: it waits in the queue, and has yet to block.
Answer begin_to_wait(int& count, System::Thread& self) {
  const Locked locked;
  return queues.take_or_wait(count, self.id, {&self, /*for_a_time=*/true});
}

/// Waits in the queue until it is given one, or the time has come. A permit may be an old one.
bool wait_until(System::Thread& self, System::Instant until) {
  for (bool in_time = true;;) {
    in_time = System::suspend_self_until(until);
    const Locked locked;
    if (!queues.waits(self.id)) return true;
    if (in_time) continue;
    queues.leave(self.id);
    return false;
  }
}

Answer look(int& count) {
  const Locked locked;
  return queues.take(count);
}

}  // namespace

// Between two attempts interrupts are let in: who writes to the word all the time delays nobody but
// the callers.
bool take_semaphore(int* count, uint64_t until_ns) {
  System::Thread& self = System::self();
  Answer answer;
  if (until_ns == UINT64_MAX) {
    while (take_or_block(*count, self) == Answer::LookAgain) {
    }
    return true;
  }
  const System::Instant until = Board::instant(until_ns);
  const bool now = until <= System::now();
  while ((answer = now ? look(*count) : begin_to_wait(*count, self)) == Answer::LookAgain) {
  }
  if (answer == Answer::Taken) return true;
  return !now && wait_until(self, until);
}

bool give_semaphore(int* count) {
  for (;;) {
    const Port::IrqState state = Port::irq_save();
    Port::lock(lock);
    const Queues::Given given = queues.give(*count);
    if (given.number != Queues::kNobody) {
      const Who who = queues.who(given.number);
      Port::unlock(lock);
      if (who.for_a_time) [[unlikely]] {
        System::resume(*who.thread);
      } else {
        System::wake(*who.thread);
      }
      Port::irq_restore(state);
      return true;
    }
    Port::unlock(lock);
    Port::irq_restore(state);
    if (given.done) return false;
  }
}

}  // namespace hocket::runtime
