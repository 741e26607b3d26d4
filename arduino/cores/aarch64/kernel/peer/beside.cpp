// The system beside a kernel at EL3 in an emulator (see other_system.h): where it lies, and how it
// is put back.
//
// The command line has «beside=A:B…»: the addresses of its programs, which the emulator has put
// there. It begins at the first, and is told the second (its device tree) in X0. Started again, it
// gets them anew from the files program-0, program-1 and so on in the world's folder: what it has
// made of its own memory is not to be relied upon, and ours has no room for a copy. By semihosting
// that takes no time of the board. (A board without an emulator needs another source, out of the
// other world's reach: docs/porting/aarch64.md.)
#include "arduino/cores/aarch64/kernel/domain.h"
#include "arduino/cores/aarch64/kernel/neighbour.h"
#include "arduino/cores/aarch64/kernel/peer/command_line.h"
#include "arduino/cores/aarch64/kernel/peer/other_system.h"
#include "arduino/runtime/sketches.h"
#include "board_kernel.h"
#include "drivers/semihosting/semihosting.h"
#include "ports/aarch64/el3/normal_world.h"

namespace hocket::other_system {
namespace {

using drivers::Semihosting;
using Port = Board::Port;
namespace normal_world = aarch64::normal_world;
using MachineBoard = machine::Board;

static_assert(MachineBoard::kFifoWindowSize == HOCKET_FIFO_WINDOW);

constexpr unsigned kMostPrograms = 8;

[[gnu::section(".kept_zero")]] uint64_t programs[kMostPrograms];
[[gnu::section(".kept_zero")]] unsigned program_count;
[[gnu::section(".kept_zero")]] bool begun;

bool in_its_memory(uint64_t address) {
  return address >= MachineBoard::kNormalBegin && address < MachineBoard::kNormalEnd;
}

/// «0x40400000», and what stands behind it.
[[gnu::cold]] const char* read_address(const char* text, uint64_t& value) {
  value = 0;
  for (text += 2;; ++text) {
    const char c = *text;
    const bool digit = c >= '0' && c <= '9';
    if (!digit && (c < 'a' || c > 'f')) return text;
    value = value << 4 | static_cast<uint64_t>(digit ? c - '0' : c - 'a' + 10);
  }
}

[[gnu::cold]] bool read_programs(const char* text) {
  while (program_count < kMostPrograms) {
    if (text[0] != '0' || text[1] != 'x') return false;
    text = read_address(text, programs[program_count]);
    if (!in_its_memory(programs[program_count])) return false;
    ++program_count;
    if (*text != ':') return *text == '\0' || *text == ' ';
    ++text;
  }
  return false;
}

[[gnu::cold]] bool load(const char* folder, unsigned number) {
  char name[] = "/program-0";
  name[sizeof name - 2] = static_cast<char>('0' + number);
  const Semihosting::File file =
      Semihosting::open(command_line::Path(folder, name).text(), Semihosting::Mode::Read);
  if (!file.ok()) return false;
  const int64_t length = Semihosting::length(file);
  const uint64_t address = programs[number];
  bool done = length >= 0 && static_cast<uint64_t>(length) <= MachineBoard::kNormalEnd - address;
  if (done) {
    const auto size = static_cast<size_t>(length);
    auto* const memory = reinterpret_cast<void*>(machine::device(address));
    done = Semihosting::read(file, memory, size) == size;
  }
  Semihosting::close(file);
  return done;
}

/// Its FIFOs, too: whoever used them there is gone.
[[gnu::cold]] bool restore() {
  const char* const folder = command_line::after("world=");
  for (unsigned i = 0; i < program_count; ++i) {
    if (folder == nullptr || !load(folder, i)) return false;
  }
  neighbour::linux_begins();
  return true;
}

/// A sketch that begins anew would lose what its idle threads keep of the other system.
[[gnu::cold]] bool may_begin_anew() {
  const runtime::Sketches& all = runtime::sketches();
  for (unsigned i = 0; i < all.loop_count(); ++i) {
    const auto& program = static_cast<const Domain&>(all.loop(i).sketch->program());
    if (program.header().fault_policy == sketch::FaultPolicy::RestartSketch) return true;
  }
  return false;
}

/// Its interrupt for FIFOs: an edge.
void tell_of_fifos() {
  Port::Controller::set_pending(MachineBoard::kFifoInterrupt);
}

}  // namespace

[[gnu::cold]] const char* begin() {
  if (begun) return nullptr;
  const char* const word = command_line::after("beside=");
  if (word == nullptr || !read_programs(word)) {
    return "this image is for a run with another system beside it, and none is named";
  }
  if (may_begin_anew()) {
    return "a sketch that begins anew after a fault (RestartSketch) cannot run beside another "
           "system: "
           "use StopSketch, or stop the loop alone";
  }
  begun = true;
  neighbour::open_fifos(reinterpret_cast<void*>(machine::device(MachineBoard::kFifoWindow)),
                        &tell_of_fifos);
  normal_world::begin({.entry = programs[0],
                       .argument = program_count > 1 ? programs[1] : 0,
                       .memory_begin = MachineBoard::kNormalBegin,
                       .memory_end = MachineBoard::kNormalEnd,
                       .cores = Port::core_count(),
                       .restore = &restore});
  return nullptr;
}

bool tell(world::BesideFacts& facts, unsigned cores) {
  using State = normal_world::State;
  const State state = normal_world::state();
  if (state == State::Absent) return false;
  facts = {};
  facts.state = static_cast<uint32_t>(state);
  facts.restarts = normal_world::restarts();
  facts.cores_on = normal_world::cores_on();
  for (unsigned i = 0; i < cores && i < world::kMostBesideCores; ++i) {
    // All of the idle thread's time but that in which the core slept for want of it.
    const auto idle = System::idle(static_cast<CoreId>(i)).meter.total().ticks();
    const auto slept = normal_world::slept(i);
    facts.time[i] = idle > slept ? Board::nanoseconds(idle - slept) : 0;
  }
  return true;
}

static_assert(static_cast<uint32_t>(normal_world::State::Running) ==
              static_cast<uint32_t>(world::BesideState::Running));
static_assert(static_cast<uint32_t>(normal_world::State::Restarting) ==
              static_cast<uint32_t>(world::BesideState::Restarting));

}  // namespace hocket::other_system
