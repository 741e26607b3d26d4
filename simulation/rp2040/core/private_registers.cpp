// The core's own registers: SysTick, NVIC, system control, MPU (Armv6-M ARM, B3; datasheet, 2.4.8).
#include "simulation/rp2040/core/core.h"

namespace hocket::rp2040 {
namespace {

// Offsets from kPrivateBase.
enum : uint32_t {
  kSystCsr = 0x010,
  kSystRvr = 0x014,
  kSystCvr = 0x018,
  kSystCalib = 0x01c,
  kIser = 0x100,
  kIcer = 0x180,
  kIspr = 0x200,
  kIcpr = 0x280,
  kIpr = 0x400,
  kIprEnd = 0x420,
  kCpuid = 0xd00,
  kIcsr = 0xd04,
  kVtor = 0xd08,
  kAircr = 0xd0c,
  kScr = 0xd10,
  kCcr = 0xd14,
  kShpr2 = 0xd1c,
  kShpr3 = 0xd20,
  kShcsr = 0xd24,
  kMpuType = 0xd90,
  kMpuCtrl = 0xd94,
  kMpuRnr = 0xd98,
  kMpuRbar = 0xd9c,
  kMpuRasr = 0xda0,
  kDhcsr = 0xdf0,
};

constexpr uint32_t kCortexM0PlusR0P1 = 0x410c'c601;
constexpr uint32_t kStackAlignedUnalignedTraps = 0x208;  // CCR: STKALIGN, UNALIGN_TRP
constexpr uint32_t kNoReference = 1u << 31;              // SYST_CALIB: nothing is said
constexpr uint32_t kAircrKey = 0x05fa, kAircrReads = 0xfa05;

}  // namespace

uint32_t Core::interrupt_control() const {
  const auto bit = [&](uint32_t number, unsigned at) {
    return nvic_.pending(number) ? 1u << at : 0;
  };
  const uint32_t any = nvic_.pending_interrupts() != 0 ? 1u << 22 : 0;
  return registers_.exception | nvic_.next().number << 12 | any | bit(exception::kSysTick, 26) |
         bit(exception::kPendSv, 28) | bit(exception::kNmi, 31);
}

void Core::set_interrupt_control(uint32_t value) {
  if ((value >> 31 & 1) != 0) set_pending(exception::kNmi);
  if ((value >> 28 & 1) != 0) set_pending(exception::kPendSv);
  if ((value >> 27 & 1) != 0) nvic_.unpend(exception::kPendSv);
  if ((value >> 26 & 1) != 0) set_pending(exception::kSysTick);
  if ((value >> 25 & 1) != 0) nvic_.unpend(exception::kSysTick);
}

bool Core::read_private(uint32_t offset, uint32_t& value, Cycles now) {
  advance(now);
  if (offset >= kIpr && offset < kIprEnd) {
    value = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const uint32_t number = exception::kFirstInterrupt + (offset - kIpr) + i;
      value |= static_cast<uint32_t>(nvic_.priority(number)) << 8 * i;
    }
    return true;
  }
  const auto priority = [&](uint32_t number, unsigned shift) {
    return static_cast<uint32_t>(nvic_.priority(number)) << shift;
  };
  switch (offset) {
    case kSystCsr:
      value = sys_tick_.control(now);
      break;
    case kSystRvr:
      value = sys_tick_.reload();
      break;
    case kSystCvr:
      value = sys_tick_.count(now);
      break;
    case kSystCalib:
      value = kNoReference;
      break;
    case kIser:
    case kIcer:
      value = nvic_.enabled();
      break;
    case kIspr:
    case kIcpr:
      value = nvic_.pending_interrupts();
      break;
    case kCpuid:
      value = kCortexM0PlusR0P1;
      break;
    case kIcsr:
      value = interrupt_control();
      break;
    case kVtor:
      value = vectors_;
      break;
    case kAircr:
      value = kAircrReads << 16;
      break;
    case kScr:
      value = system_control_;
      break;
    case kCcr:
      value = kStackAlignedUnalignedTraps;
      break;
    case kShpr2:
      value = priority(exception::kSvCall, 24);
      break;
    case kShpr3:
      value = priority(exception::kSysTick, 24) | priority(exception::kPendSv, 16);
      break;
    case kShcsr:
      value = 0;
      break;  // an SVCall is never pending: it is taken or a fault
    case kMpuType:
      value = Mpu::type();
      break;
    case kMpuCtrl:
      value = mpu_.control();
      break;
    case kMpuRnr:
      value = mpu_.number();
      break;
    case kMpuRbar:
      value = mpu_.base();
      break;
    case kMpuRasr:
      value = mpu_.attributes();
      break;
    case kDhcsr:
      value = 0;
      break;  // no debugger is attached
    default:
      return false;
  }
  return true;
}

bool Core::write_private(uint32_t offset, uint32_t value, Cycles now) {
  advance(now);
  attention_ = true;  // most of them change what is pending or how urgent it is
  bus_.reschedule();
  if (offset >= kIpr && offset < kIprEnd) {
    for (unsigned i = 0; i < 4; ++i) {
      nvic_.set_priority(exception::kFirstInterrupt + (offset - kIpr) + i, value >> 8 * i & 0xff);
    }
    permissions_changed();
    return true;
  }
  switch (offset) {
    case kSystCsr:
      sys_tick_.set_control(value, now);
      break;
    case kSystRvr:
      sys_tick_.set_reload(value, now);
      break;
    case kSystCvr:
      sys_tick_.clear(now);
      break;
    case kIser:
      nvic_.enable(value);
      break;
    case kIcer:
      nvic_.disable(value);
      break;
    case kIspr:
      for (unsigned i = 0; i < 32; ++i) {
        if ((value >> i & 1) != 0) set_pending(exception::kFirstInterrupt + i);
      }
      break;
    case kIcpr:
      nvic_.unpend_interrupts(value);
      break;
    case kIcsr:
      set_interrupt_control(value);
      break;
    case kVtor:
      vectors_ = value & ~0xffu;
      break;
    case kAircr:
      if (value >> 16 == kAircrKey && (value & 4) != 0) bus_.request_reset({now, index_});
      break;
    case kScr:
      system_control_ = value & 0x16;
      break;
    case kShpr2:
      nvic_.set_priority(exception::kSvCall, value >> 24);
      break;
    case kShpr3:
      nvic_.set_priority(exception::kSysTick, value >> 24);
      nvic_.set_priority(exception::kPendSv, value >> 16 & 0xff);
      break;
    case kMpuCtrl:
      mpu_.set_control(value);
      break;
    case kMpuRnr:
      mpu_.set_number(value);
      break;
    case kMpuRbar:
      mpu_.set_base(value);
      break;
    case kMpuRasr:
      mpu_.set_attributes(value);
      break;
    case kSystCalib:
    case kCpuid:
    case kCcr:
    case kShcsr:
    case kMpuType:
    case kDhcsr:
      break;  // read only here
    default:
      return false;
  }
  permissions_changed();
  return true;
}

}  // namespace hocket::rp2040
