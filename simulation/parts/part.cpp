// The common handling of touches: see part.h.

#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

size_t find(const std::vector<Control>& controls, const std::string& name) {
  size_t i = 0;
  while (i < controls.size() && controls[i].name != name) ++i;
  return i;
}

}  // namespace

void Part::hinder_i2c(Section& section, const I2cTarget& target) {
  if (const Nanos each = section.time_or("stretch", 0); each != 0)
    bench_.i2c[0].stretch(target, each);
  for (const Item& item : section.list("holds")) {
    item.only({"line", "at", "for"});
    const std::string& line = item.word("line");
    if (line != "sda" && line != "scl") item.fail("needs the line sda or scl, not " + line);
    const auto from = static_cast<Nanos>(item.number("at", 0, kLongestTime));
    const auto lasts = item.optional("for", 1, kLongestTime);
    bench_.i2c[0].hold(line == "sda" ? I2cBus::Line::Data : I2cBus::Line::Clock, from,
                       lasts ? from + static_cast<Nanos>(*lasts) : kNever);
  }
}

std::string Part::why_not(const Touch& touch) const {
  const std::vector<Control> all = controls();
  const size_t found = find(all, touch.name);
  if (found == all.size()) {
    return "part " + name_ +
           (all.empty() ? " has nothing to touch" : " has no control " + json_string(touch.name));
  }
  const Control& control = all[found];
  const std::string who = name_ + "." + control.name;
  const bool number = control.kind == Control::Kind::Number;
  if (number != touch.is_number) return who + (number ? " is a number" : " is true or false");
  if (touch.value >= control.least && touch.value <= control.most) return {};
  return who + " is from " + decimal(control.least, 6) + " to " + decimal(control.most, 6) +
         (*control.unit != '\0' ? " " : "") + control.unit;
}

void Part::touch(Nanos now, const Touch& touch) {
  const std::vector<Control> all = controls();
  const size_t found = find(all, touch.name);
  if (found < all.size()) turned(now, found, touch.value);
}

}  // namespace hocket::sim
