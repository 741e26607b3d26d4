#include "simulation/rp2040/devices/io_bank0.h"

namespace hocket::rp2040 {
namespace {

constexpr uint32_t kPinRegisters = 8 * Pins::kCount;  // GPIOn_STATUS, GPIOn_CTRL
constexpr uint32_t kIntr = 0x0f0, kProc0 = 0x100, kProc1 = 0x130, kEnd = 0x160;
constexpr uint32_t kEnable = 0, kForce = 1;  // groups of four words; status is the third
constexpr uint32_t kEdges = 0xcccc'cccc;
constexpr uint32_t kLow = 1, kHigh = 2, kFallen = 4, kRisen = 8;

constexpr unsigned group(uint32_t offset) {
  return offset >> 4;
}
constexpr unsigned word_of(uint32_t offset) {
  return offset >> 2 & 3;
}

}  // namespace

uint32_t IoBank0::raw(unsigned word) const {
  const uint32_t levels = pins_.interrupt_inputs() >> 8 * word;
  const unsigned pins = word == 3 ? Pins::kCount % 8 : 8;
  uint32_t bits = edges_[word];
  for (unsigned i = 0; i < pins; ++i) bits |= ((levels >> i & 1) != 0 ? kHigh : kLow) << 4 * i;
  return bits;
}

void IoBank0::inputs_changed() {
  const uint32_t now = pins_.interrupt_inputs();
  for (uint32_t changed = now ^ seen_; changed != 0; changed &= changed - 1) {
    const auto pin = static_cast<unsigned>(__builtin_ctz(changed));
    edges_[pin / 8] |= ((now >> pin & 1) != 0 ? kRisen : kFallen) << pin % 8 * 4;
  }
  seen_ = now;
  update_lines();
}

void IoBank0::update_lines() {
  for (unsigned core = 0; core < cores_.size(); ++core) {
    uint32_t any = 0;
    for (unsigned word = 0; word < kWords; ++word) any |= status(cores_[core], word);
    lines_.set_of(core, irq::kIoBank0, any != 0);
  }
}

/// INTE or INTF of a core; nullptr: another register.
uint32_t* IoBank0::register_of_core(uint32_t offset) {
  if (offset < kProc0 || offset >= kEnd) return nullptr;
  OfCore& core = cores_[offset < kProc1 ? 0 : 1];
  const unsigned which = group(offset - (offset < kProc1 ? kProc0 : kProc1));
  if (which == kEnable) return &core.enabled[word_of(offset)];
  return which == kForce ? &core.forced[word_of(offset)] : nullptr;
}

uint32_t IoBank0::read(uint32_t offset, Access) {
  if (offset < kPinRegisters) {
    const unsigned pin = offset / 8;
    return offset % 8 == 0 ? pins_.status(pin) : pins_.control(pin);
  }
  if (offset >= kIntr && offset < kProc0) return raw(word_of(offset));
  if (const uint32_t* own = register_of_core(offset)) return *own;
  if (offset >= kProc0 && offset < kEnd)
    return status(cores_[offset < kProc1 ? 0 : 1], word_of(offset));
  not_modelled(offset, "waking from dormant mode");
}

void IoBank0::write(uint32_t offset, Written value, Access access) {
  if (offset < kPinRegisters) {
    const unsigned pin = offset / 8;
    if (offset % 8 == 0) return;  // read only
    pins_.set_control(pin, value.over(pins_.control(pin)), access.now);
    inputs_changed();  // INOVER and IRQOVER change what they see
  } else if (offset >= kIntr && offset < kProc0) {
    edges_[word_of(offset)] &= ~(value.bits & kEdges);
    update_lines();
  } else if (uint32_t* own = register_of_core(offset)) {
    *own = value.over(*own);
    update_lines();
  } else if (offset < kProc0 || offset >= kEnd) {
    not_modelled(offset, "waking from dormant mode");
  }
}

void IoBank0::reset(Cycles now) {
  constexpr uint32_t kNoFunction = 0x1f;
  for (unsigned pin = 0; pin < Pins::kCount; ++pin) pins_.set_control(pin, kNoFunction, now);
  edges_ = {};
  cores_ = {};
  update_lines();
}

uint32_t PadsBank0::read(uint32_t offset, Access) {
  const unsigned pin = offset / 4 - 1;
  if (offset == 0) return voltage_;
  if (pin >= Pins::kCount) not_modelled(offset, "pads of the debug port");
  return pins_.pad(pin);
}

void PadsBank0::write(uint32_t offset, Written value, Access access) {
  const unsigned pin = offset / 4 - 1;
  if (offset == 0) {
    voltage_ = value.over(voltage_) & 1;
    return;
  }
  if (pin >= Pins::kCount) not_modelled(offset, "pads of the debug port");
  pins_.set_pad(pin, value.over(pins_.pad(pin)), access.now);
}

void PadsBank0::reset(Cycles now) {
  constexpr uint32_t kAfterReset = 0x56;
  voltage_ = 0;
  for (unsigned pin = 0; pin < Pins::kCount; ++pin) pins_.set_pad(pin, kAfterReset, now);
}

}  // namespace hocket::rp2040
