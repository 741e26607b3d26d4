#include "simulation/avr/attach_watch.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "simulation/avr/asker.h"

namespace hocket::avr {
namespace {

constexpr int kLow = 0, kChange = 1, kRising = 3;  // arduino/api/Common.h, on an AVR
constexpr size_t kMost = 16;
constexpr unsigned kToneTimer = 2;
constexpr uint16_t kTimer2Control = 0xB0;  // TCCR2A
constexpr uint8_t kTimer2Outputs = 0xF0;   // COM2A1 ... COM2B0
// Arguments are in pairs of registers from here down (avr-gcc's convention).
constexpr uint16_t kFirstArgument = 24;

int16_t argument(const Mcu& mcu, unsigned number) {
  return static_cast<int16_t>(mcu.data16(static_cast<uint16_t>(kFirstArgument - 2 * number)));
}

}  // namespace

AttachWatch::AttachWatch(const uno::Firmware& firmware) : chip_(firmware.chip()) {
  const struct {
    const char* name;
    Kind kind;
    char port;
  } known[] = {{"hocket_attach_external", Kind::External, 0},
               {"hocket_attach_external_param", Kind::ExternalParam, 0},
               {"hocket_attach_change_B", Kind::Change, 'B'},
               {"hocket_attach_change_C", Kind::Change, 'C'},
               {"hocket_attach_change_D", Kind::Change, 'D'},
               {"hocket_attach_change_J", Kind::Change, 'J'},
               {"hocket_attach_change_K", Kind::Change, 'K'},
               {"hocket_attach_any", Kind::Any, 0},
               {"hocket_attach_any_param", Kind::Any, 0},
               {"hocket_analog_write", Kind::Pwm, 0},
               {"hocket_tone_set", Kind::Tone, 0}};
  for (const auto& each : known) {
    const auto address = firmware.address(each.name);
    if (!address) continue;
    entries_.push_back({*address, each.kind, each.port});
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
    if (!has_interrupt(number)) {
      complain(who, "attached a handler to interrupt " + std::to_string(number) +
                        ", which belongs to no pin: that call did nothing");
    }
    return;
  }
  if (entry.kind == Kind::Pwm) return look_at_pwm(mcu, who);
  if (entry.kind == Kind::Tone) {
    if (!tone_sounds(mcu) && (mcu.data(kTimer2Control) & kTimer2Outputs) != 0) {
      complain(who, "began a tone while pin " + std::to_string(chip_.tone_pins[0]) + " or " +
                        std::to_string(chip_.tone_pins[1]) +
                        " had PWM, and this ended the PWM: tone() needs "
                        "their timer. Beside tones use pins " +
                        pwm_pins_without(kToneTimer, chip_.clock_timer) + " for PWM");
    }
    return;
  }
  const std::string pin = chip_.pin_name(pin_of(entry, mcu.data(kFirstArgument)));
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

/// The pin that a function attaches to: its argument is Arduino's number of the interrupt, or the
/// bit in its port's mask.
unsigned AttachWatch::pin_of(const Entry& entry, uint8_t argument) const {
  const auto lines = static_cast<uint8_t>(chip_.external.size());
  if (entry.kind != Kind::Change) {
    // Of a Mega, 0 and 1 are the last two lines, pins 2 and 3.
    const uint8_t line = lines == 2 ? argument : static_cast<uint8_t>((argument + 4) % 6);
    return line < lines ? chip_.external[line].pin : 0;
  }
  unsigned shift = 0;
  for (const ChangeModel& change : chip_.changes) {
    if (change.port == entry.port) shift = change.shift;
  }
  const unsigned place = chip_.port_index(entry.port) << 4 | ((argument - shift) & 7u);
  for (unsigned pin = 0; pin < chip_.pins; ++pin) {
    if (chip_.places[pin] == place) return pin;
  }
  return 0;
}

/// Whether a pin has the interrupt of this number (arduino/variants/*/pin_interrupts.h).
bool AttachWatch::has_interrupt(int number) const {
  constexpr int kChanges = 32;
  if (number >= 0 && number < static_cast<int>(chip_.external.size())) return true;
  const auto pin = static_cast<unsigned>(number - kChanges);
  if (number < kChanges || pin >= chip_.pins) return false;
  const char port = chip_.ports[chip_.places[pin] >> 4].name;
  return std::any_of(chip_.changes.begin(), chip_.changes.end(),
                     [port](const ChangeModel& change) { return change.port == port; });
}

/// Whether a timer makes the pin's PWM.
bool AttachWatch::is_of_timer(int pin, unsigned timer) const {
  return std::any_of(chip_.pwm.begin(), chip_.pwm.end(), [=](const PwmModel& pwm) {
    return static_cast<int>(pwm.pin) == pin && pwm.timer == timer;
  });
}
/// "3, 5 and 6": pins with PWM, without those of one or two timers.
std::string AttachWatch::pwm_pins_without(unsigned timer, unsigned other) const {
  std::vector<unsigned> pins;
  for (const PwmModel& pwm : chip_.pwm) {
    if (pwm.timer != timer && pwm.timer != other) pins.push_back(pwm.pin);
  }
  std::string text;
  for (size_t i = 0; i < pins.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == pins.size() ? " and " : ", ") + std::to_string(pins[i]);
  }
  return text;
}

void AttachWatch::look_at_pwm(const Mcu& mcu, int who) {
  const int pin = mcu.data(kFirstArgument);
  const int value = argument(mcu, 1);
  if (value <= 0 || value >= 255) return;
  const std::string what = "wrote a value between 0 and 255 to pin " + std::to_string(pin);
  if (has_loops_ && is_of_timer(pin, chip_.clock_timer)) {
    complain(who, what +
                      ", which gets low or high instead: its timer is the clock of the loops. "
                      "Beside loops use pins " +
                      pwm_pins_without(chip_.clock_timer, chip_.clock_timer) + " for PWM");
  }
  if (is_of_timer(pin, kToneTimer) && tone_sounds(mcu)) {
    complain(who, what +
                      " while a tone sounded. The pin gets low or high instead: tone() needs its "
                      "timer. Beside tones use pins " +
                      pwm_pins_without(kToneTimer, chip_.clock_timer) + " for PWM");
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
