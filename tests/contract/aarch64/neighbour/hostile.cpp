// A hostile system of the other world: whatever EL1 of the non-secure state can do, it does, at
// random. What it is must be seen from above (tests/beside/test_hostile_neighbour.py): the loops
// keep their budgets, the report stays true.
//
// It calls with any numbers and arguments (PSCI, SMCCC), writes to every register of the interrupt
// controller and of the processor that it reaches, to memory and devices that are not its own, lets
// a device write for it, throws caches and translations away, stops its cores and starts them,
// breaks its own exceptions, and begins anew. Each thousandth deed is a character of its console.
#include "neighbour/processor.h"
#include "neighbour/shared.h"

using namespace hocket::neighbour;

namespace {

constexpr uint64_t kDistributor = 0x0800'0000, kRedistributors = 0x080a'0000;
constexpr uint64_t kFramePair = 0x2'0000;
constexpr uint64_t kConsole = 0x0900'0000, kDeviceDma = 0x0902'0010;  // PL011; fw_cfg
constexpr uint64_t kSecureMemory = 0x0e00'0000, kSecureBytes = 0x100'0000;
constexpr uint64_t kSeedAddress = 0x4050'0000;
constexpr uint32_t kDeedsShown = 1000;

struct PerCore {
  uint64_t random;
  uint32_t deeds;
} cores[kMostCores];

uint64_t random() {  // xorshift64
  uint64_t& state = cores[this_core()].random;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}
uint64_t below(uint64_t limit) {
  return random() % limit;
}

extern "C" void neighbour_start();

/// Any number; or one of a call, with arguments that mean something now and then.
void call() {
  constexpr uint64_t kBases[] = {0x8400'0000, 0xc400'0000, 0x8000'0000, 0xc000'0000, 0xbf00'0000};
  const uint64_t function = below(8) == 0 ? random() : kBases[below(5)] + below(32);
  const auto low = static_cast<uint32_t>(function);
  if (low == 0x8400'0008) return;                      // SYSTEM_OFF: it would be quiet for ever
  if (low == 0x8400'0009 && below(16) != 0) return;    // begins anew
  if (low == 0x8400'0002 && this_core() == 0) return;  // CPU_OFF: others start it again
  const uint64_t targets[] = {random(), below(8), below(8) << 8, ~uint64_t{0}};
  const uint64_t entries[] = {random(), reinterpret_cast<uint64_t>(&neighbour_start), kSecureMemory,
                              0x3};
  smc(function, targets[below(4)], entries[below(4)], below(2) == 0 ? random() : below(8));
}

void write_controller() {
  const bool frame = below(2) == 0;
  uint64_t address = kDistributor + below(0x1'0000);
  if (frame) address = kRedistributors + below(kMostCores) * kFramePair + below(kFramePair);
  const uint64_t values[] = {random(), 0, ~uint64_t{0}, uint64_t{1} << below(64)};
  const uint64_t value = values[below(4)];
  switch (below(3)) {
    case 0:
      at<uint8_t>(address) = static_cast<uint8_t>(value);
      break;
    case 1:
      at(address & ~uint64_t{3}) = static_cast<uint32_t>(value);
      break;
    default:
      at<uint64_t>(address & ~uint64_t{7}) = value;
      break;
  }
}

void write_processor() {
  const uint64_t value = below(2) == 0 ? random() : uint64_t{1} << below(64);
  switch (below(22)) {
#define WRITE(number, name)                        \
  case number:                                     \
    asm volatile("msr " name ", %0" ::"r"(value)); \
    break;
    WRITE(0, "icc_pmr_el1")
    WRITE(1, "icc_igrpen0_el1")
    WRITE(2, "icc_igrpen1_el1")
    case 3:  // (of some values of these two QEMU 7.2 itself dies, by an assertion)
      asm volatile("msr icc_bpr1_el1, %0" ::"r"(value % 5 + 3));
      break;
    case 4:
      asm volatile("msr icc_ctlr_el1, %0" ::"r"(value & ~uint64_t{1}));
      break;
    case 5:
      asm volatile("msr icc_bpr0_el1, %0" ::"r"(value % 5 + 3));
      break;
      WRITE(6, "icc_sgi0r_el1")
      WRITE(7, "icc_sgi1r_el1")
      WRITE(8, "icc_asgi1r_el1")
      WRITE(9, "icc_eoir0_el1")
      WRITE(10, "icc_eoir1_el1")
      WRITE(11, "icc_dir_el1")
      WRITE(12, "icc_ap0r0_el1")
      WRITE(13, "icc_ap1r0_el1")
      WRITE(14, "cntv_cval_el0")
      WRITE(15, "cntp_cval_el0")
      WRITE(16, "cntv_ctl_el0")
      WRITE(17, "cntp_ctl_el0")
      WRITE(18, "cntps_cval_el1")
      WRITE(19, "cntps_ctl_el1")
      WRITE(20, "cntkctl_el1")
      WRITE(21, "mdscr_el1")
#undef WRITE
  }
  asm volatile("msr icc_sre_el1, %0\n isb" ::"r"(7ul));
}

/// Memory of the loops and of the kernel, devices of theirs, addresses where nothing is.
void trespass() {
  const uint64_t places[] = {kSecureMemory + below(kSecureBytes), below(0x0800'0000),
                             0x0904'0000 + below(0x1000), 0x090b'0000 + below(0x1000), random()};
  const uint64_t place = places[below(5)] & ~uint64_t{7};
  if (below(2) == 0) {
    at<uint64_t>(place) = random();
  } else {
    uint64_t value;
    asm volatile("ldr %0, [%1]" : "=r"(value) : "r"(place));
  }
}

/// A device that writes memory by itself is told to write the kernel's (fw_cfg, 16 bytes of the
/// signature: docs/specs of QEMU, «fw_cfg DMA»; big-endian).
void let_a_device_write() {
  static struct {
    uint32_t control, length;
    uint64_t address;
  } orders[kMostCores];
  auto& order = orders[this_core()];
  order.control = __builtin_bswap32(0x0000'000a);  // select entry 0, read it
  order.length = __builtin_bswap32(16);
  order.address = __builtin_bswap64(kSecureMemory + below(kSecureBytes));
  const auto where = reinterpret_cast<uint64_t>(&order);
  asm volatile("dsb sy");
  at(kDeviceDma) = __builtin_bswap32(static_cast<uint32_t>(where >> 32));
  at(kDeviceDma + 4) = __builtin_bswap32(static_cast<uint32_t>(where));
}

void maintain() {
  asm volatile(
      "dsb ish\n tlbi vmalle1is\n tlbi alle1is\n ic ialluis\n dc cisw, %0\n dsb ish\n isb" ::"r"(
          random()));
}

/// Nothing works any more where it is: exceptions lead to nowhere. Another core may begin anew.
void break_itself() {
  if (this_core() == 0 || below(64) != 0) return;
  asm volatile("msr vbar_el1, %0\n isb\n brk #0" ::"r"(random() & ~uint64_t{0x7ff}));
}

void rest() {
  switch (below(4)) {
    case 0:
      asm volatile("sev\n wfe");
      break;
    case 1:
      asm volatile("hvc #0");
      break;
    case 2:
      asm volatile("yield");
      break;
    default:
      if (this_core() == 0) return;  // nothing need ever wake it: the controller is as it left it
      asm volatile("msr cntv_ctl_el0, %0\n msr cntv_tval_el0, %1\n isb\n wfi" ::"r"(uint64_t{1}),
                   "r"(below(10'000)));
      break;
  }
}

void start_others() {
  constexpr uint64_t kCpuOn = 0xc400'0003;
  const uint64_t core = below(kMostCores);
  smc(kCpuOn, core, reinterpret_cast<uint64_t>(&neighbour_start), core);
}

void deed() {
  switch (below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return call();
    case 4:
    case 5:
    case 6:
      return write_controller();
    case 7:
    case 8:
      return write_processor();
    case 9:
    case 10:
      return trespass();
    case 11:
      return let_a_device_write();
    case 12:
      return maintain();
    case 13:
      return break_itself();
    case 14:
      return start_others();
    default:
      return rest();
  }
}

}  // namespace

extern "C" {

void neighbour_interrupt() {
  uint64_t id;
  asm volatile("mrs %0, icc_iar1_el1" : "=r"(id));
  asm volatile("msr cntv_ctl_el0, xzr\n msr cntp_ctl_el0, xzr");
  asm volatile("msr icc_eoir1_el1, %0" ::"r"(id));
}

/// The instruction is left out.
void neighbour_fault() {
  uint64_t instruction;
  asm volatile("mrs %0, elr_el1" : "=r"(instruction));
  asm volatile("msr elr_el1, %0" ::"r"(instruction + 4));
}

void neighbour_unexpected() {
  neighbour_fault();
}

[[noreturn]] void neighbour_main(uint64_t core, uint64_t) {
  PerCore& mine = cores[core % kMostCores];
  uint64_t now;
  asm volatile("mrs %0, cntvct_el0" : "=r"(now));
  mine.random = (at<uint64_t>(kSeedAddress) * 0x9e37'79b9'7f4a'7c15 ^ now ^ core << 56) | 1;
  asm volatile("msr daifclr, #7");
  at(kConsole) = 'R';
  for (;;) {
    deed();
    if (++mine.deeds % kDeedsShown == 0) at(kConsole) = '.';
  }
}

void* memset(void* to, int value, unsigned long size) {
  auto* next = static_cast<volatile unsigned char*>(to);
  while (size-- > 0) *next++ = static_cast<unsigned char>(value);
  return to;
}
}
