// The description of a board before it runs: see hello.h.
#include "simulation/live/hello.h"

#include "simulation/devices/facts.h"
#include "simulation/devices/pins.h"

namespace hocket::live {
namespace {

using sim::Control;
using sim::Facts;
using sim::Nanos;

/// A run of at least this many nanoseconds counts as endless.
constexpr Nanos kEndless = INT64_MAX / 4;

template <class List, class Item>
std::string array(const List& list, const Item& item) {
  std::string all;
  for (const auto& each : list) all += (all.empty() ? "" : ", ") + item(each);
  return "[" + all + "]";
}

std::string control_text(const Control& control) {
  Facts facts;
  facts.text("name", control.name);
  if (control.kind == Control::Kind::Number) {
    facts.text("kind", "number");
    facts.fixed("least", control.least, 6);
    facts.fixed("most", control.most, 6);
    facts.text("unit", control.unit);
    facts.fixed("to", control.value, 6);
    return facts.str();
  }
  facts.text("kind", control.kind == Control::Kind::Key ? "key" : "bool");
  facts.flag("to", control.value != 0);
  if (control.kind == Control::Kind::Key) {
    facts.count("row", control.row);
    facts.count("column", control.column);
  }
  return facts.str();
}

std::string part_text(const sim::PartView& part) {
  Facts facts, pins;
  for (const auto& [key, pin] : part.pins) pins.count(key, pin);
  facts.text("name", part.name);
  facts.text("type", part.type);
  facts.json("pins", pins.str());
  facts.json("controls", array(part.controls, control_text));
  return facts.str();
}

std::string loop_text(const program::LoopFacts& loop) {
  Facts facts;
  facts.count("id", loop.id);
  facts.text("kind", loop.other_kind != nullptr ? loop.other_kind
                     : loop.periodic            ? "periodic"
                                                : "loop");
  if (loop.core)
    facts.count("core", *loop.core);
  else
    facts.json("core", "null");
  facts.count("budget_ns", loop.budget);
  facts.count("period_ns", loop.period);
  facts.count("deadline_ns", loop.deadline);
  if (loop.response_bound)
    facts.count("response_bound_ns", *loop.response_bound);
  else
    facts.json("response_bound_ns", "null");
  return facts.str();
}

std::string pin_text(const program::PinFacts& each) {
  Facts facts;
  facts.count("pin", each.pin);
  facts.text("name", sim::pin_name(each.pin));
  facts.flag("pwm", each.pwm);
  facts.flag("analog", sim::pinout::is_analog(each.pin));
  return facts.str();
}

std::vector<program::PinFacts> pins_of(const sim::Devices& devices) {
  std::vector<program::PinFacts> all;
  all.reserve(devices.pin_count());
  for (unsigned pin = 0; pin < devices.pin_count(); ++pin)
    all.push_back({pin, sim::pinout::has_pwm(pin)});
  return all;
}

}  // namespace

std::string hello(const program::RunFacts& facts, Nanos duration, const sim::Devices& devices,
                  const std::vector<sim::PartView>& parts, const char* state) {
  Facts all;
  all.text("is", "hello");
  all.text("board", facts.board);
  all.count("cores", facts.cores);
  all.count("seed", facts.seed);
  all.text("policy", facts.policy);
  all.text("clock", facts.clock);
  all.text("state", state);
  if (duration < kEndless)
    all.count("duration", duration);
  else
    all.json("duration", "null");
  all.json("pins", array(facts.pins.empty() ? pins_of(devices) : facts.pins, pin_text));
  all.json("parts", array(parts, part_text));
  all.json("loops", array(facts.loops, loop_text));
  return all.str();
}

}  // namespace hocket::live
