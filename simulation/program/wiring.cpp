// What drove which pins in a run: see wiring.h.
#include "simulation/program/wiring.h"

#include <utility>

#include "simulation/devices/pinout.h"

namespace hocket::program {
namespace {

/// The name that sketches use: `9`, `A0`.
std::string name(unsigned pin) {
  namespace pinout = sim::pinout;
  return pinout::is_analog(pin) ? "A" + std::to_string(pin - pinout::kAnalogBase)
                                : std::to_string(pin);
}

Json names(const std::vector<unsigned>& pins) {
  Json all = Json::array();
  for (const unsigned pin : pins) all.push_back(name(pin));
  return all;
}

/// `pin 9`, `pins 7, 8 and 9`.
std::string listed(const std::vector<unsigned>& pins) {
  std::string text = pins.size() == 1 ? "pin " : "pins ";
  for (size_t i = 0; i < pins.size(); ++i) {
    if (i > 0) text += i + 1 == pins.size() ? " and " : ", ";
    text += name(pins[i]);
  }
  return text;
}

}  // namespace

Json wiring_json(const sim::WiringFacts& facts) {
  Json idle = std::initializer_list<Json::Member>{};
  for (const auto& each : facts.idle) idle[each.part] = names(each.pins);
  return {{"driven", names(facts.driven)}, {"undriven", names(facts.undriven)}, {"idle", idle}};
}

std::vector<std::string> wiring_notices(const sim::WiringFacts& facts) {
  std::vector<std::string> all;
  all.reserve(facts.idle.size() + facts.loose.size());
  const std::string drives = facts.driven.empty() ? "no pin" : listed(facts.driven);
  for (const auto& each : facts.idle) {
    all.push_back("nothing drove " + listed(each.pins) + ", where " + each.part +
                  " is; the sketch drives " + drives);
  }
  for (const auto& each : facts.loose) {
    std::string text = each.part;
    text.append(" is between pin ").append(name(each.pin));
    text.append(" and ground, and nothing pulls the pin up: pinMode(").append(name(each.pin));
    text.append(", INPUT_PULLUP), or resistor: true");
    all.push_back(std::move(text));
  }
  return all;
}

}  // namespace hocket::program
