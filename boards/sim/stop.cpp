// What happens when a loop does something that it cannot go on from, on the simulated board.
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "arduino/runtime/runtime.h"
#include "boards/sim/program.h"
#include "ports/host/faults.h"

namespace hocket {
namespace {

using runtime::Loop;

constexpr uint32_t kFaultBySystem = 100;  // in the event log: a call refused by the system
constexpr size_t kPage = 4096;
// Below every stack. Sketches are compiled to touch every page of a large frame, so none jumps over
// it.
constexpr size_t kGuard = 16 * kPage;

/// Stops the running thread for good. The others keep their guarantees; the run ends when nobody is
/// left.
[[noreturn]] void stop_thread(sim::Fault fault, uint32_t code) {
  Loop* loop = runtime::current_loop();
  fault.loop = loop == nullptr ? -1 : static_cast<int>(loop->descriptor->id);
  sim::record_fault(std::move(fault));
  if (loop != nullptr) runtime::release_locks(*loop);
  if (runtime::about_to_be_last()) host::Machine::instance().stop(host::StopReason::Fault);
  System::stop_self(code);
}

}  // namespace

// Stacks lie at the same addresses in every run, so that runs repeat even where a sketch, or a
// fault's report, shows an address.
port::Stack Board::allocate_stack(size_t bytes) {
  static auto next_address = uintptr_t{0x2000'0000'0000};
  bytes = (bytes + kPage - 1) / kPage * kPage;
  void* const wanted = reinterpret_cast<void*>(next_address);
  void* const memory =
      mmap(wanted, bytes + kGuard, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, kGuard, PROT_NONE) != 0) return {};
  next_address += bytes + kGuard;
  return {static_cast<char*>(memory) + kGuard, bytes};
}

namespace sys {

void fault(const char* text) {
  stop_thread({.loop = 0, .kind = "call", .address = {}, .code = {}, .text = text}, kFaultBySystem);
}

}  // namespace sys
}  // namespace hocket

bool hocket_in_stack_guard(std::uintptr_t address) {
  const auto base = reinterpret_cast<std::uintptr_t>(hocket::runtime::current_stack().base);
  return base != 0 && address < base && address >= base - hocket::kGuard;
}

void hocket_fault(hocket::host::FaultKind kind, std::uintptr_t address, std::uintptr_t code) {
  using hocket::host::FaultKind;
  const bool access = kind == FaultKind::BadAccess || kind == FaultKind::StackOverflow;
  hocket::stop_thread({.loop = 0,
                       .kind = hocket::host::fault_name(kind),
                       .address = access ? std::optional<std::uint64_t>(address) : std::nullopt,
                       .code = code,
                       .text = ""},
                      static_cast<uint32_t>(kind));
}

/// exit() of a sketch (sketches are linked with --wrap=exit): on a board there is nothing to return
/// to.
extern "C" [[noreturn]] void __wrap_exit(int) {
  hocket::sys::fault("called exit()");
}

extern "C" void hocket_timer_interrupt() {
  hocket::System::on_timer();
}
extern "C" void hocket_kick_interrupt() {
  hocket::System::on_kick();
}
