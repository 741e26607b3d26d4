// A list of pins of a part, in the order in which it counts them: columns, data lines.
#pragma once

#include <vector>

#include "simulation/parts/part.h"

namespace hocket::sim {

/// `least` to `most` pins of a key. Throws ScenarioError for another number, or if two of the list,
/// or one of them and one of `others`, are on one wire.
inline std::vector<unsigned> pin_list(Workbench& bench, Section& section, const std::string& key,
                                      size_t least, size_t most,
                                      const std::vector<unsigned>& others = {}) {
  const std::vector<Item> items = section.list(key);
  if (items.size() < least || items.size() > most)
    section.fail("needs " + std::to_string(least) +
                 (least == most ? "" : " to " + std::to_string(most)) + " pins for its " + key);
  std::vector<unsigned> pins, used = others;
  for (const Item& item : items) {
    const unsigned pin = checked_pin(item, "", PinUse::Digital);
    for (const unsigned other : used)
      if (bench.pins.joined(pin, other))
        item.fail("names pin " + pin_name(pin) + ", on whose wire another pin of this part is");
    section.wire(key + "." + std::to_string(pins.size()), pin);
    pins.push_back(pin);
    used.push_back(pin);
  }
  return pins;
}

}  // namespace hocket::sim
