// The kernel's event log: buffered, and sent to the world when the buffer is full.
#include "arduino/surroundings/peer/world.h"
#include "board_kernel.h"

namespace hocket {
namespace {

/// The layout of the file (docs/reference/event-log.md).
struct Record {
  uint64_t time;  // ns
  uint8_t core;
  uint8_t kind;
  uint16_t thread;
  uint32_t arg;
  uint64_t value;
};
static_assert(sizeof(Record) == 24);

constexpr unsigned kMost = 2048;
Record records[kMost];
unsigned used = 0;
Board::Port::Lock lock;

/// With the lock held.
void send() {
  world::ask(world::Operation::Log, 0, 0, 0, records, used * sizeof(Record));
  used = 0;
}

/// Whether the value of an event of this kind is an instant.
bool holds_instant(EventKind kind) {
  return kind == EventKind::Sleep || kind == EventKind::BudgetExhausted ||
         kind == EventKind::Replenish || kind == EventKind::Release;
}

}  // namespace

void EventLog::record(const Event& event) {
  const Board::Port::IrqState state = Board::Port::irq_save();
  Board::Port::lock(lock);
  const uint64_t value = holds_instant(event.kind)
                             ? Board::nanoseconds(static_cast<Board::Port::Ticks>(event.value))
                             : event.value;
  records[used++] = {.time = Board::nanoseconds(static_cast<Board::Port::Ticks>(event.time)),
                     .core = event.core,
                     .kind = static_cast<uint8_t>(event.kind),
                     .thread = event.thread,
                     .arg = event.arg,
                     .value = value};
  if (used == kMost) send();
  Board::Port::unlock(lock);
  Board::Port::irq_restore(state);
}

void EventLog::flush() {
  if (used > 0) send();
}

}  // namespace hocket
