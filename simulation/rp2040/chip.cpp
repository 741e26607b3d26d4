#include "simulation/rp2040/chip.h"

#include <algorithm>

#include "simulation/rp2040/core/step.h"
#include "simulation/rp2040/devices/clocks.h"
#include "simulation/rp2040/devices/fixed_registers.h"
#include "simulation/rp2040/devices/watchdog.h"

namespace hocket::rp2040 {
namespace {

// SYSINFO (datasheet, 2.20): a B2 from Raspberry Pi, not an FPGA.
constexpr uint32_t kChipId = 0x2000'2927, kAsic = 2;
constexpr uint32_t kCrystalStable = 0x8000'1000;

constexpr uint32_t kBoot2Size = 256;

}  // namespace

struct Chip::Further {
  explicit Further(Chip& chip)
      : watchdog({[&chip](bool ticks, Cycles now) { chip.timer_.set_ticking(ticks, now); },
                  [&chip](Access access) { chip.request_reset(access); }}) {}

  FixedRegisters system_info{"SYSINFO", {{0x00, kChipId}, {0x04, kAsic}}};
  Oscillator crystal{"XOSC", 0x04, kCrystalStable};
  Oscillator ring{"ROSC", 0x18, kCrystalStable};
  Pll pll_system{"PLL_SYS"}, pll_usb{"PLL_USB"};
  Clocks clocks{pll_system, pll_usb};
  Watchdog watchdog;
};

Chip::Chip(const Timing& timing)
    : timing_(timing),
      cores_{{0, memory_, *this, timing_}, {1, memory_, *this, timing_}},
      lines_(cores_[0], cores_[1]),
      rom_(memory_),
      sio_(pins_, lines_, [this](uint32_t word, Access access) { return boot_word(word, access); }),
      io_bank0_(pins_, lines_),
      pads_bank0_(pins_),
      timer_(lines_),
      uart0_("UART0", irq::kUart0, lines_),
      uart1_("UART1", irq::kUart0 + 1, lines_),
      spi0_("SPI0", irq::kSpi0, lines_),
      spi1_("SPI1", irq::kSpi0 + 1, lines_),
      i2c0_("I2C0", irq::kI2c0, lines_),
      i2c1_("I2C1", irq::kI2c0 + 1, lines_),
      adc_(lines_),
      pwm_(pins_, lines_),
      pio0_("PIO0", Pins::kPio0, irq::kPio0, pins_, lines_),
      pio1_("PIO1", Pins::kPio1, irq::kPio1, pins_, lines_),
      resets_([this](unsigned bit, Cycles now) {
        if (Device* device = map_.by_reset_bit(bit)) device->reset(now);
      }),
      further_(std::make_unique<Further>(*this)) {
  pins_.on_input([this](Cycles now) {
    io_bank0_.inputs_changed();
    pio0_.inputs_changed(now);
    pio1_.inputs_changed(now);
    next_ = std::min({next_, pio0_.next(), pio1_.next()});
  });
  map_.add(further_->system_info, 0x4000'0000, Resets::kSysInfo);
  map_.add(further_->clocks, 0x4000'8000);
  map_.add(resets_, 0x4000'c000);
  map_.add(io_bank0_, 0x4001'4000, Resets::kIoBank0);
  map_.add(pads_bank0_, 0x4001'c000, Resets::kPadsBank0);
  map_.add(further_->crystal, 0x4002'4000);
  map_.add(further_->pll_system, 0x4002'8000, Resets::kPllSys);
  map_.add(further_->pll_usb, 0x4002'c000, Resets::kPllUsb);
  map_.add(uart0_, 0x4003'4000, Resets::kUart0);
  map_.add(uart1_, 0x4003'8000, Resets::kUart1);
  map_.add(spi0_, 0x4003'c000, Resets::kSpi0);
  map_.add(spi1_, 0x4004'0000, Resets::kSpi1);
  map_.add(i2c0_, 0x4004'4000, Resets::kI2c0);
  map_.add(i2c1_, 0x4004'8000, Resets::kI2c1);
  map_.add(adc_, 0x4004'c000, Resets::kAdc);
  map_.add(pwm_, 0x4005'0000, Resets::kPwm);
  map_.add(timer_, 0x4005'4000, Resets::kTimer);
  map_.add(further_->watchdog, 0x4005'8000);
  map_.add(further_->ring, 0x4006'0000);
  map_.add(pio0_, 0x5020'0000, Resets::kPio0);
  map_.add(pio1_, 0x5030'0000, Resets::kPio1);
}

Chip::~Chip() = default;

void Chip::start_from_flash() {
  start_at(kFlashBase + kBoot2Size);
}

void Chip::start_at(uint32_t vectors) {
  cores_[0].start_at(vectors, now_);
}

/// The launch of core 1 by the boot ROM: six words, each sent back; a wrong one begins anew
/// (datasheet, 2.8.2).
bool Chip::boot_word(uint32_t word, Access access) {
  if (cores_[1].state() != Core::State::Off) return false;
  constexpr std::array<uint32_t, 3> kGreeting = {0, 0, 1};
  if (boot_words_ >= kGreeting.size() || word == kGreeting[boot_words_]) {
    boot_[boot_words_++] = word;
  } else {
    boot_words_ = word == kGreeting[0] ? 1 : 0;
  }
  sio_.send_to(0, word);
  if (boot_words_ == boot_.size()) {
    boot_words_ = 0;
    cores_[1].start(boot_[3], boot_[4], boot_[5], access.now);
  }
  return true;
}

// The bus.

/// The device at an address, brought to the instant of the access.
BusMap::Place Chip::place_of(uint32_t address, Access access) {
  accessing_ = access.core;
  if (address >> 28 == kFlashBase >> 28) {
    throw NotModelled{"the flash's interface or flash beyond 2 MB, at " + hex(address) + ","};
  }
  const BusMap::Place place = map_.find(address);
  if (Device* device = place.slot.device) {
    if (resets_.holds(place.slot.reset_bit)) {
      throw NotModelled{std::string(device->name()) + " register " + hex(place.offset) +
                        ": use of a device that RESETS holds in reset"};
    }
    device->advance(access.now);
  }
  return place;
}

bool Chip::read(uint32_t address, uint32_t& value, Access access) {
  if (address >> 28 == kPortBase >> 28) {
    accessing_ = access.core;
    value = sio_.read(address - kPortBase, access);
    return true;
  }
  const BusMap::Place place = place_of(address, access);
  Device* const device = place.slot.device;
  if (device == nullptr) return false;
  value = device->read(place.offset, access);
  next_ = std::min(next_, device->next());
  return true;
}

bool Chip::write(uint32_t address, uint32_t value, Access access) {
  if (address >> 28 == kPortBase >> 28) {
    accessing_ = access.core;
    sio_.write(address - kPortBase, {value}, access);
    return true;
  }
  const BusMap::Place place = place_of(address, access);
  Device* const device = place.slot.device;
  if (device == nullptr) return false;
  device->write(place.offset, {value, place.alias}, access);
  // Another device may have begun as well: the watchdog's divider lets TIMER run.
  update_agenda();
  return true;
}

bool Chip::call_rom(unsigned number, unsigned core) {
  accessing_ = core;
  return rom_.call(number, cores_[core]);
}

/// For both cores: the one that executes SEV has an event as well.
void Chip::send_event(Access access) {
  for (Core& core : cores_) core.send_event(access.now);
}

void Chip::request_reset(Access access) {
  accessing_ = access.core;
  end_run(Stop::Kind::Reset, "a reset of the chip is asked for");
}

void Chip::reschedule() {
  for (const Core& core : cores_) next_ = std::min(next_, core.next());
}

// Time.

void Chip::update_agenda() {
  if (stopped_) return;
  next_ = std::min(cores_[0].next(), cores_[1].next());
  for (const Device* device : map_.devices()) next_ = std::min(next_, device->next());
}

void Chip::told() {
  update_agenda();
  wake_cores(cycle());
}

void Chip::do_due(Cycles now) {
  accessing_ = kNoCore;
  now_ = std::max(now_, now);
  for (Device* device : map_.devices()) {
    if (device->next() <= now) device->advance(now);
  }
  for (Core& core : cores_) {
    if (core.next() <= now) core.advance(now);
  }
  update_agenda();
  wake_cores(now);
}

void Chip::wake_cores(Cycles now) {
  for (Core& core : cores_) {
    if (core.may_wake()) core.try_to_wake(now);
  }
}

/// The running core that is furthest behind; nullptr: none runs.
Core* Chip::behind() {
  Core& first = cores_[0];
  Core& second = cores_[1];
  if (!second.runs()) return first.runs() ? &first : nullptr;
  return first.runs() && first.cycle() <= second.cycle() ? &first : &second;
}

Cycles Chip::cycle() const {
  Cycles least = kNever;
  for (const Core& core : cores_) {
    if (core.runs()) least = std::min(least, core.cycle());
  }
  return least != kNever ? least : now_;
}

bool Chip::asleep_for_good() const {
  return next_ == kNever && !cores_[0].runs() && !cores_[1].runs();
}

/// Two call sites, so that this computer learns the ways of both programs apart.
void Chip::step_both(Cycles end) {
  Core& first = cores_[0];
  Core& second = cores_[1];
  while (first.runs() && second.runs()) {
    while (first.cycle() <= second.cycle()) {
      if (first.cycle() >= std::min(end, next_)) return;
      first.step();
      if (!first.runs()) return;
    }
    while (second.cycle() < first.cycle()) {
      if (second.cycle() >= std::min(end, next_)) return;
      second.step();
      if (!second.runs()) return;
    }
  }
}

void Chip::step_one(Core& core, Core& other, Cycles end) {
  while (core.runs() && core.cycle() < std::min(end, next_)) {
    core.step();
    if (other.runs() || other.may_wake()) return;
  }
}

/// Goes on as long as nothing is due and no core falls asleep or wakes. Returns false at the end.
bool Chip::turn(Cycles end) {
  Core* const core = behind();
  const Cycles at = core != nullptr ? core->cycle() : kNever;
  if (next_ <= std::min(at, end)) {
    do_due(next_);
  } else if (at >= end) {
    now_ = std::max(now_, end);
    return false;
  } else {
    Core& other = cores_[core->index() ^ 1];
    if (other.runs()) {
      step_both(end);
    } else {
      step_one(*core, other, end);
    }
    wake_cores(core->cycle());
    look_for_lockup();
  }
  return !stopped_;
}

void Chip::run(Cycles end) {
  if (stopped_) return;
  try {
    while (turn(end)) {
    }
  } catch (const NotModelled& missing) {
    end_run(Stop::Kind::NotModelled, missing.what + " is not modelled");
  }
}

std::optional<unsigned> Chip::step(Cycles end) {
  if (stopped_) return std::nullopt;
  try {
    for (;;) {
      Core* const core = behind();
      const Cycles at = core != nullptr ? core->cycle() : kNever;
      if (next_ <= std::min(at, end)) {
        do_due(next_);
        if (core == nullptr && behind() == nullptr) return std::nullopt;
      } else if (at >= end) {
        now_ = std::max(now_, end);
        return std::nullopt;
      } else {
        core->step();
        wake_cores(core->cycle());
        look_for_lockup();
        return core->index();
      }
    }
  } catch (const NotModelled& missing) {
    end_run(Stop::Kind::NotModelled, missing.what + " is not modelled");
  }
  return std::nullopt;
}

void Chip::look_for_lockup() {
  for (const Core& core : cores_) {
    if (core.state() != Core::State::LockedUp || stopped_) continue;
    accessing_ = core.index();
    end_run(Stop::Kind::LockedUp, std::string("the core is locked up by ") +
                                      words(core.last_fault().kind) + " at " +
                                      hex(core.last_fault().address));
  }
}

void Chip::end_run(Stop::Kind kind, const std::string& what) {
  if (stopped_) return;
  std::string text = what;
  if (accessing_ != kNoCore) {
    text += " (core " + std::to_string(accessing_) + ", pc " + hex(cores_[accessing_].pc()) + ")";
  }
  stopped_ = Stop{kind, text};
  // The running loops end at the next instruction.
  next_ = 0;
}

}  // namespace hocket::rp2040
