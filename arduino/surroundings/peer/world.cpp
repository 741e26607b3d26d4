// The kernel's end of the wire to the world (see world.h).
#include "arduino/surroundings/peer/world.h"

#include "arduino/surroundings/peer/command_line.h"
#include "board_kernel.h"
#include "drivers/semihosting/semihosting.h"
#include "generator.h"
#include "surroundings.h"

namespace hocket::world {
namespace {

using drivers::Semihosting;
using Port = Board::Port;

// The wire survives a restart of the sketch; the known state of the world does not.
[[gnu::section(".kept_zero")]] int64_t request_handle, reply_handle;
[[gnu::section(".kept_zero")]] bool connected;
[[gnu::section(".kept_zero")]] Settings the_settings;

// In one struct, because each request needs all of it.
struct Wire {
  Semihosting::Transfer send_next;
  Semihosting::Transfer receive_last;
  Request next;
  Reply last;
  Semihosting::File requests;
  Semihosting::File replies;
  Port::Lock lock;
} wire;

class Guard {
 public:
  Guard() : state_(Port::irq_save()) { Port::lock(wire.lock); }
  ~Guard() {
    Port::unlock(wire.lock);
    Port::irq_restore(state_);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  Port::IrqState state_;
};

uint64_t now_ns() {
  return Board::nanoseconds(Port::now());
}

/// A broken wire ends the run; the world has printed the reason.
[[gnu::noinline, gnu::cold]] void give_up() {
  Semihosting::exit(70);
}
void must(bool done) {
  if (!done) [[unlikely]]
    give_up();
}

/// With the lock held. Returns the reply.
const Reply& transact(Operation operation, uint64_t a, uint64_t b, uint64_t c, const void* data,
                      uint32_t size, uint64_t time) {
  Wire* all = &wire;
  asm("" : "+r"(all));  // otherwise the compiler would recompute the address after each trap
  all->next = {.payload = size,
               .operation = static_cast<uint16_t>(operation),
               .core = Port::core_id(),
               .time = time,
               .a = a,
               .b = b,
               .c = c};
  must(all->send_next());
  if (size > 0) must(Semihosting::write(all->requests, data, size) == size);
  must(all->receive_last());
  if (generator::is_on()) generator::follow(all->last, time);
  return all->last;
}

const Reply& transact(Operation operation, uint64_t a, uint64_t b, uint64_t c, const void* data,
                      uint32_t size) {
  return transact(operation, a, b, c, data, size, now_ns());
}

void use_wire() {
  wire.send_next = Semihosting::Transfer::writing(wire.requests, &wire.next, sizeof wire.next);
  wire.receive_last = Semihosting::Transfer::reading(wire.replies, &wire.last, sizeof wire.last);
}

/// Acts on the world's further requests, with no lock held.
void act_on(bool stop, uint64_t look_at) {
  if (stop) [[unlikely]]
    run::finish(run::End::Stopped);
  if (look_at != kNever) surroundings::look_at(look_at);
}

}  // namespace

[[gnu::cold]] const char* open(unsigned cores_there) {
  if (connected) {  // before a restart
    wire.requests = {request_handle};
    wire.replies = {reply_handle};
    use_wire();
    generator::begin_again();
    return nullptr;
  }
  const char* folder = command_line::read() ? command_line::after("world=") : nullptr;
  if (folder == nullptr) return "this image is for `hocket run`: no peer is beside it";
  wire.requests =
      Semihosting::open(command_line::Path(folder, "/request").text(), Semihosting::Mode::Write);
  wire.replies =
      Semihosting::open(command_line::Path(folder, "/reply").text(), Semihosting::Mode::Read);
  if (!wire.requests.ok() || !wire.replies.ok()) return "the world's pipes cannot be opened";
  use_wire();
  const Guard guard;
  transact(Operation::Hello, kVersion, cores_there, 0, nullptr, 0);
  if (wire.last.payload != sizeof the_settings) return "the world speaks another version";
  must(Semihosting::read(wire.replies, &the_settings, sizeof the_settings) == sizeof the_settings);
  request_handle = wire.requests.handle;
  reply_handle = wire.replies.handle;
  connected = true;
  return nullptr;
}

const Settings& settings() {
  return the_settings;
}

int64_t serve(Operation operation, uint64_t a, uint64_t b, uint64_t c) {
  bool stop;
  uint64_t look_at;
  int64_t value;
  {
    const Guard guard;
    const Reply& reply = transact(operation, a, b, c, nullptr, 0);
    value = reply.value;
    stop = reply.stop != 0;
    look_at = reply.look_at;
  }
  act_on(stop, look_at);
  return value;
}

int64_t ask(Operation operation, uint64_t a, uint64_t b, uint64_t c, const void* data,
            uint32_t size) {
  const Guard guard;
  transact(operation, a, b, c, data, size);
  return wire.last.value;
}

[[gnu::noinline]] int64_t ask_for(Operation operation, uint64_t a, uint64_t b, uint64_t c,
                                  const void* data, uint32_t size, void* head, uint32_t head_size,
                                  void* rest, uint32_t rest_size) {
  const Guard guard;
  transact(operation, a, b, c, data, size);
  const uint32_t first = smaller(wire.last.payload, head_size);
  const uint32_t second = wire.last.payload - first;
  must(second <= rest_size);
  if (first > 0) must(Semihosting::read(wire.replies, head, first) == first);
  if (second > 0) must(Semihosting::read(wire.replies, rest, second) == second);
  return wire.last.value;
}

void look(uint64_t instant) {
  const Guard guard;
  // (The generator's own time is known to two instructions, but requests must not go back in time.)
  transact(Operation::Look, 0, 0, 0, nullptr, 0, larger(instant, wire.next.time));
}

int pin_level(unsigned pin) {
  const Guard guard;
  if (pin >= kMostPins) return 0;
  if (now_ns() >= wire.last.quiet_until) transact(Operation::PinRead, pin, 0, 0, nullptr, 0);
  return static_cast<int>(wire.last.levels[pin / 64] >> (pin % 64) & 1);
}

uint64_t quiet_until() {
  const Guard guard;
  return wire.last.quiet_until;
}

void after_call() {
  bool stop;
  uint64_t look_at;
  {
    const Guard guard;
    stop = wire.last.stop != 0;
    look_at = wire.last.look_at;
  }
  act_on(stop, look_at);
}

void after_edges() {
  bool stop;
  {
    const Guard guard;
    stop = wire.last.stop != 0;
  }
  act_on(stop, kNever);
}

}  // namespace hocket::world
