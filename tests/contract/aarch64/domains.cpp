// A thread belongs to a protection domain and a switch enters it: threads of different domains see
// different memory at one address, on every core, whatever runs between them.
#include "ports/aarch64/memory_map.h"
#include "tests/contract/kernel/kernel_bench.h"

namespace hocket::contract {
namespace {

using aarch64::kPageSize;

constexpr uint64_t kAddress = 0x40'0000;  // in the lower half
constexpr unsigned kTurns = 50;
constexpr uint16_t kFirstNumber = 7;

/// What a thread in `number` finds at kAddress, and nobody else.
struct Place {
  Port::Domain domain;
  volatile uint32_t* behind;  // the same memory at the kernel's address
  uint32_t value;
  bool kept;
};
Place places[2];

/// Two domains with a page each, made once.
bool make_domains() {
  static aarch64::PageTable tables[] = {aarch64::PageTable(aarch64::Half::Low),
                                        aarch64::PageTable(aarch64::Half::Low)};
  if (places[0].domain.table != 0) return true;
  for (unsigned i = 0; i < 2; ++i) {
    const uint64_t page = memory::frames().take(1);
    if (page == aarch64::kNoAddress) return false;
    const auto done =
        tables[i].map(memory::frames(), kAddress, page, kPageSize, aarch64::Access::UserData);
    if (done != aarch64::MapResult::Done) return false;
    places[i].behind = memory::frames().at<volatile uint32_t>(page);
    places[i].domain =
        aarch64::domain_of(tables[i].root(), static_cast<uint16_t>(kFirstNumber + i));
  }
  asm volatile("dsb ish" ::: "memory");  // seen by other cores' walks
  return true;
}

/// Changes its word and looks at it again after others have run.
void count_in_place(void* argument) {
  Place& place = *static_cast<Place*>(argument);
  // SAFETY: mapped in this thread's domain, at this address only.
  auto& word = *reinterpret_cast<volatile uint32_t*>(kAddress);
  for (unsigned i = 0; i < kTurns; ++i) {
    place.value += i + 3;
    word = place.value;
    K::sleep_until(K::now() + us(11));
    place.kept = place.kept && word == place.value && *place.behind == place.value;
  }
  finished.signal();
}

/// A thread of the kernel alone: it has no domain, and needs none.
void pass_between(void*) {
  for (unsigned i = 0; i < 2 * kTurns; ++i) K::sleep_until(K::now() + us(7));
  finished.signal();
}

void see_own_memory(CoreId core) {
  HOCKET_EXPECT(make_domains());
  for (Place& place : places) {
    place.value = &place == &places[0] ? 1'000 : 2'000;
    place.kept = true;
    K::Vcpu& vcpu = bench.vcpu(9'000, 30'000, core);
    K::start(bench.thread(vcpu, &count_in_place, &place, place.domain), K::now() + us(50));
  }
  K::start(bench.thread(bench.vcpu(9'000, 30'000, core), &pass_between), K::now() + us(50));
  for (unsigned i = 0; i < 3; ++i) finished.wait();
  HOCKET_EXPECT(places[0].kept && places[1].kept);
  HOCKET_EXPECT(places[0].value != places[1].value);
}

void threads_see_the_memory_of_their_domain() {
  see_own_memory(0);
}
void domains_are_entered_on_every_core() {
  see_own_memory(static_cast<CoreId>(Port::core_count() - 1));
}

}  // namespace

void run_domain_tests() {
  with_bench("threads_see_the_memory_of_their_domain", &threads_see_the_memory_of_their_domain);
  with_bench("domains_are_entered_on_every_core", &domains_are_entered_on_every_core);
}

}  // namespace hocket::contract
