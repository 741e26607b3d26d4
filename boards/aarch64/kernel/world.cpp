// The kernel's end of the wire to the world (see world.h).
#include "boards/aarch64/kernel/world.h"

#include "board_kernel.h"
#include "boards/aarch64/kernel/run.h"
#include "drivers/semihosting/semihosting.h"
#include "ports/aarch64/boot.h"

extern "C" bool hocket_semihosting_present();

namespace hocket::world {
namespace {

using drivers::Semihosting;
using Port = Board::Port;

// The wire outlives a restart of the sketch; what is known of the world's state does not.
[[gnu::section(".kept_zero")]] bool connected;
[[gnu::section(".kept_zero")]] int64_t request_handle, reply_handle;
[[gnu::section(".kept_zero")]] Settings the_settings;

Port::Lock lock;
Semihosting::File requests;
Semihosting::File replies;
Reply last{};

class Guard {
 public:
  Guard() : state_(Port::irq_save()) { Port::lock(lock); }
  ~Guard() {
    Port::unlock(lock);
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

/// A wire that breaks is the end: the world has said why.
void must(bool done) {
  if (!done) Semihosting::exit(70);
}

/// With the lock held.
void transact(Operation operation, uint64_t a, uint64_t b, uint64_t c, const void* data,
              uint32_t size) {
  const Request request{.payload = size,
                        .operation = static_cast<uint16_t>(operation),
                        .core = Port::core_id(),
                        .time = now_ns(),
                        .a = a,
                        .b = b,
                        .c = c};
  must(Semihosting::write(requests, &request, sizeof request) == sizeof request);
  if (size > 0) must(Semihosting::write(requests, data, size) == size);
  must(Semihosting::read(replies, &last, sizeof last) == sizeof last);
}

/// The folder of the pipes: what follows «world=» in the command line. Null when there is none.
const char* find_folder(const char* line) {
  constexpr const char* kWord = "world=";
  for (; *line != '\0'; ++line) {
    unsigned i = 0;
    while (kWord[i] != '\0' && line[i] == kWord[i]) ++i;
    if (kWord[i] == '\0') return line + i;
  }
  return nullptr;
}

class Path {
 public:
  Path(const char* folder, const char* name) {
    while (*folder != '\0' && *folder != ' ') add(*folder++);
    while (*name != '\0') add(*name++);
  }
  const char* text() const { return text_; }

 private:
  void add(char c) {
    if (used_ + 1 < sizeof text_) text_[used_++] = c;
  }
  char text_[512] = {};
  unsigned used_ = 0;
};

}  // namespace

const char* open(unsigned cores_there) {
  if (connected) {  // before a restart
    requests = {request_handle};
    replies = {reply_handle};
    return nullptr;
  }
  the_settings.duration = kNever;
  if (!hocket_semihosting_present()) return nullptr;
  static char line[1024];
  if (Semihosting::command_line(line, sizeof line) < 0) return nullptr;
  const char* folder = find_folder(line);
  if (folder == nullptr) return nullptr;
  requests = Semihosting::open(Path(folder, "/request").text(), Semihosting::Mode::Write);
  replies = Semihosting::open(Path(folder, "/reply").text(), Semihosting::Mode::Read);
  if (!requests.ok() || !replies.ok()) return "the world's pipes cannot be opened";
  const Guard guard;
  transact(Operation::Hello, kVersion, cores_there, 0, nullptr, 0);
  if (last.payload != sizeof the_settings) return "the world speaks another version";
  must(Semihosting::read(replies, &the_settings, sizeof the_settings) == sizeof the_settings);
  request_handle = requests.handle;
  reply_handle = replies.handle;
  connected = true;
  return nullptr;
}

bool present() {
  return connected;
}
const Settings& settings() {
  return the_settings;
}

int64_t ask(Operation operation, uint64_t a, uint64_t b, uint64_t c, const void* data,
            uint32_t size) {
  const Guard guard;
  transact(operation, a, b, c, data, size);
  return last.value;
}

int pin_level(unsigned pin) {
  const Guard guard;
  if (pin >= kMostPins) return 0;
  if (now_ns() >= last.quiet_until) transact(Operation::PinRead, pin, 0, 0, nullptr, 0);
  return static_cast<int>(last.levels[pin / 64] >> (pin % 64) & 1);
}

uint64_t quiet_until() {
  const Guard guard;
  return last.quiet_until;
}

void after_call() {
  bool stop;
  uint64_t look_at;
  {
    const Guard guard;
    stop = last.stop != 0;
    look_at = last.look_at;
  }
  if (stop) run::finish(End::Stopped);
  if (look_at != kNever) run::look_at(look_at);
}

}  // namespace hocket::world
