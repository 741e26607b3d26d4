// Which basic blocks of the program have run: a byte for each byte of its code, in a file.
//
// `hocket run --coverage` links this in, and nothing of the sketch is compiled in another way: the
// call at the start of each block (ports/host/machine.cpp) comes here first. It counts no time and
// takes no stack, so a run is the same with it. What was visited is in the file at once, however
// the run ends.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {
extern const char __executable_start[];
extern const char etext[];
void __real___sanitizer_cov_trace_pc();
}

namespace {

// Far from what the system places by itself and from the stacks of loops
// (simulation/machine/stacks.cpp): a sketch's own memory lies where it lies without this.
constexpr uintptr_t kPlace = 0x1800'0000'0000;
uint8_t* visited = nullptr;

__attribute__((constructor(101))) void open_file() {
  const char* const name = std::getenv("HOCKET_VISITS");
  if (name == nullptr) return;
  const auto size = static_cast<size_t>(etext - __executable_start);
  const int file = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (ftruncate(file, static_cast<off_t>(size)) == 0) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a chosen address
    void* const memory =
        mmap(reinterpret_cast<void*>(kPlace), size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) visited = static_cast<uint8_t*>(memory);
  }
  close(file);
}

}  // namespace

extern "C" void __wrap___sanitizer_cov_trace_pc() {
  if (visited != nullptr) {
    visited[static_cast<const char*>(__builtin_return_address(0)) - __executable_start] = 1;
  }
  __real___sanitizer_cov_trace_pc();
}
