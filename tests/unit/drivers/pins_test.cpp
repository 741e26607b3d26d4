// PL061 and the Raspberry Pi's GPIO: any sequence of calls against what each pin should be.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <stdexcept>

#include "drivers/bcm2835/gpio.h"
#include "drivers/pl061/pl061.h"
#include "tests/unit/drivers/model_bus.h"

namespace {

using hocket::drivers::Edges;
using hocket::drivers::testing::ModelBus;

constexpr uintptr_t kBase = 0x4000;

// --- PL061 ---

/// Registers and edge detection of DDI 0190B; `outside` drives the inputs.
struct Pl061Model {
  uint8_t latch = 0, outside = 0, direction = 0, sense = 0, both = 0, rising = 0, enabled = 0;
  uint8_t raw = 0, alternate = 0xff, before = 0;

  uint8_t levels() const {
    return static_cast<uint8_t>((latch & direction) | (outside & ~direction));
  }
  void look() {
    const uint8_t changed = levels() ^ before;
    const uint8_t wanted = both | (levels() & rising) | static_cast<uint8_t>(~levels() & ~rising);
    raw |= changed & wanted & ~sense & ~direction;
    before = levels();
  }
  void drive(uint8_t lines) {
    outside = lines;
    look();
  }
  /// An edge is in `raw` until cleared; a level stands for itself.
  uint8_t remembered() const {
    const auto match = static_cast<uint8_t>(~(levels() ^ rising));
    return static_cast<uint8_t>((raw & ~sense) | (match & sense));
  }
  uint64_t read(uintptr_t address, size_t) {
    const uintptr_t offset = address - kBase;
    if (offset < 0x400) return levels() & offset >> 2;
    switch (offset) {
      case 0x400:
        return direction;
      case 0x404:
        return sense;
      case 0x408:
        return both;
      case 0x40c:
        return rising;
      case 0x410:
        return enabled;
      case 0x414:
        return remembered();
      case 0x418:
        return remembered() & enabled;
      default:
        throw std::logic_error("read of " + std::to_string(offset));
    }
  }
  void write(uintptr_t address, size_t, uint64_t value) {
    const auto byte = static_cast<uint8_t>(value);
    const uintptr_t offset = address - kBase;
    if (offset < 0x400) {
      const auto mask = static_cast<uint8_t>(offset >> 2);
      latch = static_cast<uint8_t>((latch & ~mask) | (byte & mask));
    } else if (offset == 0x41c) {
      raw &= static_cast<uint8_t>(~byte);
    } else {
      uint8_t* const row[] = {&direction, &sense, &both, &rising, &enabled};
      if (offset == 0x420) {
        alternate = byte;
      } else {
        *row[(offset - 0x400) / 4] = byte;
      }
    }
    look();
  }
  void published() {}
};

using LinesBus = ModelBus<Pl061Model>;
using Lines = hocket::drivers::Pl061<kBase, LinesBus>;

RC_GTEST_PROP(Pl061, InterruptsOnTheEdgesAskedForOnly, ()) {
  Pl061Model model;
  model.sense = model.enabled = model.raw = 0xff;
  LinesBus::model = &model;
  Lines::init();
  RC_ASSERT(model.alternate == 0 && Lines::pending() == 0);
  std::array<Edges, 8> wanted{};
  uint8_t pending = 0;
  const auto steps = *rc::gen::inRange(1, 60);
  for (int i = 0; i < steps; ++i) {
    const auto mask = *rc::gen::arbitrary<uint8_t>();
    switch (*rc::gen::inRange(0, 3)) {
      case 0: {
        const auto edges = static_cast<Edges>(*rc::gen::inRange(0, 4));
        Lines::set_edges(mask, edges);
        for (unsigned line = 0; line < 8; ++line) {
          if ((mask >> line & 1) != 0) wanted.at(line) = edges;
        }
        pending &= static_cast<uint8_t>(~mask);
        break;
      }
      case 1:
        for (unsigned line = 0; line < 8; ++line) {
          const bool was = (model.outside >> line & 1) != 0, is = (mask >> line & 1) != 0;
          const Edges edges = wanted.at(line);
          const bool rise = edges == Edges::Rising || edges == Edges::Both;
          const bool fall = edges == Edges::Falling || edges == Edges::Both;
          if ((rise && !was && is) || (fall && was && !is)) pending |= 1u << line;
        }
        model.drive(mask);
        break;
      default: {
        const uint8_t got = Lines::pending();
        RC_ASSERT(got == pending);
        Lines::clear(got & mask);
        pending &= static_cast<uint8_t>(~mask);
      }
    }
    RC_ASSERT(Lines::pending() == pending);
  }
}

RC_GTEST_PROP(Pl061, ALevelStandsAndWhatIsMaskedIsRemembered, ()) {
  Pl061Model model;
  LinesBus::model = &model;
  Lines::init();
  // Each line looks for a level, or for its rising edge.
  const auto levels = *rc::gen::arbitrary<uint8_t>();
  const auto high = *rc::gen::arbitrary<uint8_t>();
  const auto edges = static_cast<uint8_t>(~levels);
  Lines::set_edges(edges, Edges::Rising);
  Lines::set_level(levels & high, true);
  Lines::set_level(static_cast<uint8_t>(levels & ~high), false);
  uint8_t risen = 0, masked = 0, before = 0;
  for (int i = 0; i < 40; ++i) {
    const auto mask = *rc::gen::arbitrary<uint8_t>();
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        model.drive(mask);
        risen |= mask & ~before & edges;
        before = mask;
        break;
      case 1:
        Lines::mask(mask);
        masked |= mask;
        break;
      case 2:
        Lines::unmask(mask);
        masked &= static_cast<uint8_t>(~mask);
        break;
      default:
        Lines::clear(mask);
        risen &= static_cast<uint8_t>(~mask);
    }
    const auto standing = static_cast<uint8_t>(~(before ^ high) & levels);
    RC_ASSERT(Lines::remembered() == (risen | standing));
    RC_ASSERT(Lines::pending() == ((risen | standing) & ~masked));
  }
}

RC_GTEST_PROP(Pl061, WritesAndReadsTheLinesAskedForOnly, (uint8_t outputs, uint8_t outside)) {
  Pl061Model model;
  LinesBus::model = &model;
  Lines::init();
  Lines::set_output(outputs);
  model.drive(outside);
  uint8_t expected = 0;
  for (int i = 0; i < 5; ++i) {
    const auto mask = *rc::gen::arbitrary<uint8_t>();
    const auto high = *rc::gen::arbitrary<uint8_t>();
    Lines::write(mask, high);
    expected = static_cast<uint8_t>((expected & ~mask) | (high & mask));
    const auto levels = static_cast<uint8_t>((expected & outputs) | (outside & ~outputs));
    RC_ASSERT(Lines::read(0xff) == levels);
    RC_ASSERT(Lines::read(mask) == (levels & mask));
  }
}

// --- The Raspberry Pi ---

/// Words as written; set and clear registers act on the latch, and pulls are clocked in.
struct GpioModel {
  std::array<uint32_t, 64> words{};
  uint64_t latch = 0;
  std::array<uint8_t, 54> function{}, pull{};
  unsigned waited = 0;

  uint64_t read(uintptr_t address, size_t) {
    const uintptr_t index = (address - kBase) / 4;
    ++waited;
    if (index == 13 || index == 14) return static_cast<uint32_t>(latch >> 32 * (index - 13));
    return words.at(index);
  }
  void write(uintptr_t address, size_t, uint64_t value) {
    const uintptr_t index = (address - kBase) / 4;
    switch (index) {
      case 7:
      case 8:
        latch |= value << 32 * (index - 7);
        return;
      case 10:
      case 11:
        latch &= ~(value << 32 * (index - 10));
        return;
      case 16:
      case 17:
        words.at(index) &= static_cast<uint32_t>(~value);
        return;
      case 37:
        waited = 0;
        break;  // GPPUD
      case 38:
      case 39:
        for (unsigned pin = (index - 38) * 32; value != 0; ++pin, value >>= 1) {
          if ((value & 1) == 0) continue;
          if (waited < 150) throw std::logic_error("the control signal was not set up");
          pull.at(pin) = static_cast<uint8_t>(words.at(37));
          waited = 0;
        }
        return;
      default:
        break;
    }
    words.at(index) = static_cast<uint32_t>(value);
    if (index < 6) {
      for (unsigned i = 0; i < 10 && index * 10 + i < 54; ++i) {
        function.at(index * 10 + i) = value >> 3 * i & 7;
      }
    }
  }
  void published() {}
};

using GpioBus = ModelBus<GpioModel>;
using Gpio = hocket::drivers::Bcm2835Gpio<kBase, GpioBus>;

RC_GTEST_PROP(Bcm2835Gpio, EachCallChangesItsPinOnly, ()) {
  GpioModel model, expected;
  GpioBus::model = &model;
  std::array<bool, 54> rising{}, falling{};
  const auto steps = *rc::gen::inRange(1, 60);
  for (int i = 0; i < steps; ++i) {
    const auto pin = *rc::gen::inRange(0u, 58u);
    const bool exists = pin < Gpio::kPins;
    const bool high = *rc::gen::arbitrary<bool>(), low = *rc::gen::arbitrary<bool>();
    switch (*rc::gen::inRange(0, 4)) {
      case 0: {
        const auto function = *rc::gen::inRange<uint8_t>(0, 8);
        RC_ASSERT(Gpio::set_function(pin, static_cast<Gpio::Function>(function)) == exists);
        if (exists) expected.function.at(pin) = function;
        break;
      }
      case 1:
        RC_ASSERT(Gpio::write(pin, high) == exists);
        if (exists) {
          expected.latch = (expected.latch & ~(1ull << pin)) | uint64_t{high} << pin;
          RC_ASSERT(Gpio::read(pin) == high);
        }
        break;
      case 2: {
        const auto pull = *rc::gen::inRange<uint8_t>(0, 3);
        RC_ASSERT(Gpio::set_pull(pin, static_cast<Gpio::Pull>(pull)) == exists);
        if (exists) expected.pull.at(pin) = pull;
        break;
      }
      default:
        RC_ASSERT(Gpio::set_edges(pin, high, low) == exists);
        if (exists) {
          rising.at(pin) = high;
          falling.at(pin) = low;
        }
    }
  }
  RC_ASSERT(model.latch == expected.latch);
  RC_ASSERT(model.function == expected.function);
  RC_ASSERT(model.pull == expected.pull);
  for (unsigned pin = 0; pin < 54; ++pin) {
    RC_ASSERT((model.words.at(19 + pin / 32) >> pin % 32 & 1) == rising.at(pin));
    RC_ASSERT((model.words.at(22 + pin / 32) >> pin % 32 & 1) == falling.at(pin));
  }
}

TEST(Bcm2835Gpio, ForgetsOnlyTheEdgesItIsTold) {
  GpioModel model;
  GpioBus::model = &model;
  model.words[16] = 0b1110;
  EXPECT_EQ(Gpio::pending(0), 0b1110u);
  Gpio::clear(0, 0b0110);
  EXPECT_EQ(Gpio::pending(0), 0b1000u);
}

TEST(Bcm2835Gpio, PutsTheUartOnTheHeader) {
  GpioModel model;
  GpioBus::model = &model;
  hocket::drivers::connect_pl011_to_header<Gpio>();
  EXPECT_EQ(model.words[1], 4u << 12 | 4u << 15);
  EXPECT_EQ(model.pull[15], 2);
}

}  // namespace
