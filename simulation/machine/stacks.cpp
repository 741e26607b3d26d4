// The stacks of the simulated board's threads (see stacks.h).
#include "simulation/machine/stacks.h"

#include <sys/mman.h>

#include "board.h"
#include "ports/host/faults.h"

namespace hocket {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kReserve = 64 * 1024;
constexpr size_t kGuard =
    64 * 1024;  // larger than any frame whose pages the compiler does not probe
constexpr size_t kRoomForDevices = 2 * 1024;  // for the way to a device
constexpr size_t kDepthOfMachine =
    16 * 1024;                          // the most that is used from where the sketch has stopped
constexpr size_t kRoomToReturn = 1024;  // from closing the reserve to the sketch

struct Area {
  uintptr_t base;  // lowest address of the thread's own part
  size_t size;
  bool kept = false;  // the thread must not be stopped for lack of stack
};
Area areas[Board::kMaxLoops + 1];  // the loops and setup()
unsigned areas_used = 0;
Area* opened = nullptr;  // the area whose reserve is open: one at a time

/// The stack that contains `address`, including its reserve and guard; null: none.
Area* find(uintptr_t address) {
  for (unsigned i = 0; i < areas_used; ++i) {
    Area& area = areas[i];
    if (address >= area.base - kReserve - kGuard && address < area.base + area.size) return &area;
  }
  return nullptr;
}

void protect_reserve(const Area& area, int protection) {
  mprotect(reinterpret_cast<void*>(area.base - kReserve), kReserve, protection);
}

/// Closes the open reserve once the machine's frames have left it. (If a thread waits with frames
/// in it, it is opened again when the thread continues.) A thread that is deep inside it has got
/// there by itself: its next access to the closed reserve is a stack overflow.
void close_reserve() {
  if (opened == nullptr) return;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (here >= opened->base - kDepthOfMachine && here < opened->base + kRoomToReturn) {
    host::Machine::instance().at_unmask(&close_reserve);
    return;
  }
  const Area& area = *opened;
  opened = nullptr;
  protect_reserve(area, PROT_NONE);
}

void open_reserve(Area& area) {
  if (opened == &area) return;
  if (opened != nullptr) protect_reserve(*opened, PROT_NONE);
  protect_reserve(area, PROT_READ | PROT_WRITE);
  opened = &area;
  host::Machine::instance().at_unmask(&close_reserve);
}

}  // namespace

// Stacks have the same addresses in every run, so that runs repeat even if a sketch or a fault
// report prints an address.
port::Stack Board::allocate_stack(runtime::Program&, size_t bytes) {
  static auto next_address = uintptr_t{0x2000'0000'0000};
  bytes = (bytes + kPage - 1) / kPage * kPage;
  const size_t whole = kGuard + kReserve + bytes;
  void* const wanted = reinterpret_cast<void*>(next_address);
  if (areas_used == sizeof areas / sizeof areas[0]) return {};
  void* const memory =
      mmap(wanted, whole, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, kGuard + kReserve, PROT_NONE) != 0) return {};
  next_address += whole;
  char* const base = static_cast<char*>(memory) + kGuard + kReserve;
  areas[areas_used++] = {reinterpret_cast<uintptr_t>(base), bytes};
  return {base, bytes};
}

sim::RoomOnStack::RoomOnStack() {
  Area* area = find(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  if (area != nullptr) area->kept = true;
}
sim::RoomOnStack::~RoomOnStack() {
  Area* area = find(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  if (area != nullptr) area->kept = false;
  close_reserve();
}

uintptr_t sim::end_of_stack(uintptr_t address) {
  const Area* area = find(address);
  return area == nullptr ? 0 : area->base + area->size;
}

void sim::make_room_on_stack() {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  Area* area = find(here);
  if (area != nullptr && here < area->base + kRoomForDevices) open_reserve(*area);
}

}  // namespace hocket

bool hocket_in_stack_guard(std::uintptr_t address, std::uintptr_t stack_pointer) {
  const hocket::Area* area = hocket::find(address);
  return area != nullptr && address < area->base && area == hocket::find(stack_pointer);
}

bool hocket_open_stack_reserve(std::uintptr_t address, bool masked) {
  hocket::Area* area = hocket::find(address);
  if (area == nullptr || address >= area->base || address < area->base - hocket::kReserve) {
    return false;
  }
  if (!masked && !area->kept) return false;
  hocket::open_reserve(*area);
  return true;
}
