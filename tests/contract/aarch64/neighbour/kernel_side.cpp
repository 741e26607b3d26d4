// The tests' side of the neighbour (see kernel_side.h), and its begin and restart.
#include "neighbour/kernel_side.h"

#include "bare_image.h"
#include "neighbour/tests.h"
#include "ports/aarch64/el3/normal_world.h"

namespace hocket::contract {
namespace {

using neighbour::Command;
using MachineBoard = machine::Board;

static_assert(neighbour::kSharedAddress == MachineBoard::kFifoWindow);
static_assert(neighbour::kEntry == MachineBoard::kNormalEntry);
static_assert(sizeof(neighbour::Shared) <= MachineBoard::kFifoWindowSize);

// Its program as it was before it ran, out of its reach.
constexpr size_t kProgramWords = 96 * 1024 / 8;
uint64_t pristine[kProgramWords];

volatile uint64_t* program() {
  return reinterpret_cast<volatile uint64_t*>(neighbour::kEntry + HOCKET_KERNEL_OFFSET);
}

bool restore() {
  for (size_t i = 0; i < kProgramWords; ++i) program()[i] = pristine[i];
  return true;
}

}  // namespace

bool neighbour_is_there() {
  return bare::asked_for("neighbour");
}

void begin_neighbour() {
  if (!neighbour_is_there()) return;
  for (size_t i = 0; i < kProgramWords; ++i) pristine[i] = program()[i];
  for (size_t i = 0; i < sizeof(neighbour::Shared) / 8; ++i) {
    reinterpret_cast<volatile uint64_t*>(&shared())[i] = 0;
  }
  aarch64::normal_world::begin({.entry = neighbour::kEntry,
                                .argument = 0,
                                .memory_begin = MachineBoard::kNormalBegin,
                                .memory_end = MachineBoard::kNormalEnd,
                                .cores = Port::core_count(),
                                .restore = &restore});
}

void tell_neighbour(Command command, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  volatile neighbour::Shared& both = shared();
  both.arguments[0] = a;
  both.arguments[1] = b;
  both.arguments[2] = c;
  both.arguments[3] = d;
  both.command = static_cast<uint32_t>(command);
  thread_fence(order::release);
  both.number = both.number + 1;
}

bool command_neighbour(Command command, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  tell_neighbour(command, a, b, c, d);
  for (unsigned i = 0; i < 2'000; ++i) {
    if (shared().done == shared().number) return true;
    K::sleep_until(K::now() + us(50));
  }
  return false;
}

uint64_t wrongs_of_neighbour() {
  uint64_t sum = 0;
  for (const volatile neighbour::Core& core : shared().cores) sum += core.wrong + core.unexpected;
  return sum;
}

}  // namespace hocket::contract
