// A wire: pins that are one and the same point.

#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class WirePart final : public Part {
 public:
  WirePart(Workbench& bench, Section& section) : Part(bench, section) {
    const std::vector<Item> items = section.list("pins");
    if (items.size() < 2) section.fail("needs at least two pins");
    const unsigned first = checked_pin(items[0], "", PinUse::Digital);
    for (size_t i = 1; i < items.size(); ++i) {
      const unsigned other = checked_pin(items[i], "", PinUse::Digital);
      if (bench.pins.joined(first, other))
        items[i].fail("names a pin that is on this wire already");
      bench.pins.join(first, other);
    }
    listen(first, 0, "level");
  }

  void level_changed(Nanos, unsigned, bool) override { ++edges_; }
  void facts(Facts& facts, Nanos) const override { facts.count("edges", edges_); }

 private:
  uint64_t edges_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_wire(Workbench& bench, Section& section) {
  return std::make_unique<WirePart>(bench, section);
}

}  // namespace hocket::sim
