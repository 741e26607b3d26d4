#include "simulation/avr/attach_watch.h"

#include <algorithm>
#include <utility>

#include "simulation/avr/asker.h"

namespace hocket::avr {
namespace {

constexpr int kLow = 0, kChange = 1, kRising = 3;  // arduino/api/Common.h, on an AVR
constexpr size_t kMost = 16;
constexpr uint16_t kTimer2Control = 0xB0;  // TCCR2A
constexpr uint8_t kTimer2Outputs = 0xF0;   // COM2A1 ... COM2B0
// Arguments are in pairs of registers from here down (avr-gcc's convention).
constexpr uint16_t kFirstArgument = 24;

int16_t argument(const Mcu& mcu, unsigned number) {
  return static_cast<int16_t>(mcu.data16(static_cast<uint16_t>(kFirstArgument - 2 * number)));
}

std::string on_pin(unsigned pin) {
  return pin < 14 ? "pin " + std::to_string(pin) : "pin A" + std::to_string(pin - 14);
}

}  // namespace

AttachWatch::AttachWatch(const uno::Firmware& firmware) {
  const struct {
    const char* name;
    Kind kind;
    unsigned first_pin;
  } known[] = {{"hocket_attach_external", Kind::External, 2},
               {"hocket_attach_external_param", Kind::ExternalParam, 2},
               {"hocket_attach_change_B", Kind::Change, 8},
               {"hocket_attach_change_C", Kind::Change, 14},
               {"hocket_attach_change_D", Kind::Change, 0},
               {"hocket_attach_any", Kind::Any, 0},
               {"hocket_attach_any_param", Kind::Any, 0},
               {"hocket_analog_write", Kind::Pwm, 0},
               {"hocket_tone_set", Kind::Tone, 0}};
  for (const auto& each : known) {
    const auto address = firmware.address(each.name);
    if (!address) continue;
    entries_.push_back({*address, each.kind, each.first_pin});
    places_ |= uint64_t{1} << *address % 64;
  }
  has_loops_ = firmware.address("hocket_run_loops").has_value();
  const auto taken = firmware.address("hocket_timer2_taken");
  if (taken && firmware.address("hocket_tone_set")) timer2_taken_ = static_cast<uint16_t>(*taken);
}

void AttachWatch::look(const Mcu& mcu, int who) {
  for (const Entry& entry : entries_) {
    if (entry.address == mcu.pc()) return look(mcu, entry, who);
  }
}

/// hocket_attach_…(pin, handler, [parameter,] mode). A call with a variable number calls the pin's
/// function in turn.
void AttachWatch::look(const Mcu& mcu, const Entry& entry, int who) {
  if (entry.kind == Kind::Any) {
    const int number = argument(mcu, 0);
    const bool known = number == 0 || number == 1 || (number >= 32 && number < 52);
    if (!known) {
      complain(who, "attached a handler to interrupt " + std::to_string(number) +
                        ", which belongs to no pin: that call did nothing");
    }
    return;
  }
  if (entry.kind == Kind::Pwm) return look_at_pwm(mcu, who);
  if (entry.kind == Kind::Tone) {
    if (!tone_sounds(mcu) && (mcu.data(kTimer2Control) & kTimer2Outputs) != 0) {
      complain(who,
               "began a tone while pin 3 or 11 had PWM, and this ended the PWM: tone() needs "
               "their timer. Beside tones use pins 5 and 6 for PWM");
    }
    return;
  }
  const std::string pin = on_pin(entry.first_pin + (mcu.data(kFirstArgument) & 7));
  if (argument(mcu, 1) == 0) {
    return complain(who, "attached a null pointer to " + pin +
                             ": a handler is a function; that call did nothing");
  }
  if (entry.kind == Kind::ExternalParam) return;  // it calls the other function
  const bool change = entry.kind == Kind::Change;
  const int mode = argument(mcu, change ? 3 : 2);
  if (mode == kLow && !change) return;
  if (mode >= kChange && mode <= kRising) return;
  const std::string what =
      "attached a handler to " + pin + " with the mode " + std::to_string(mode) + ", which ";
  complain(who, change ? what +
                             "this pin does not have: use RISING, FALLING or CHANGE. That "
                             "call attached nothing"
                       : what +
                             "does not exist: use RISING, FALLING, CHANGE or LOW. That call "
                             "attached it for RISING");
}

void AttachWatch::look_at_pwm(const Mcu& mcu, int who) {
  const int pin = mcu.data(kFirstArgument);
  const int value = argument(mcu, 1);
  if (value <= 0 || value >= 255) return;
  const std::string what = "wrote a value between 0 and 255 to pin " + std::to_string(pin);
  if (has_loops_ && (pin == 9 || pin == 10)) {
    complain(who, what +
                      ", which gets low or high instead: its timer is the clock of the loops. "
                      "Beside loops use pins 3, 5, 6 and 11 for PWM");
  }
  if ((pin == 3 || pin == 11) && tone_sounds(mcu)) {
    complain(who, what +
                      " while a tone sounded. The pin gets low or high instead: tone() needs its "
                      "timer. Beside tones use pins 5 and 6 for PWM");
  }
}

bool AttachWatch::tone_sounds(const Mcu& mcu) const {
  return timer2_taken_ && mcu.data(*timer2_taken_) != 0;
}

void AttachWatch::complain(int who, std::string text) {
  for (Complaint& known : complaints_) {
    if (known.who == who && known.text == text) {
      ++known.times;
      return;
    }
  }
  if (complaints_.size() < kMost) complaints_.push_back({std::move(text), who, 1});
}

std::vector<std::string> AttachWatch::notices() const {
  std::vector<std::string> result;
  for (const Complaint& each : complaints_) {
    std::string text = name_of_asker(each.who);
    text.append(" ").append(each.text);
    if (each.times > 1) text.append(" (").append(std::to_string(each.times)).append(" times)");
    result.push_back(std::move(text));
  }
  return result;
}

}  // namespace hocket::avr
