// What users do to a running board: press, turn, type. Each touch has its instant, so that a run
// with touches can be repeated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulation/devices/devices.h"

namespace hocket::sim {

/// A control of a part that a user can touch. Numbers are in millionths of its unit.
struct Control {
  enum class Kind : uint8_t { Switch, Number, Key };

  std::string name;
  Kind kind = Kind::Switch;
  int64_t value = 0;  // the initial value
  int64_t least = 0, most = 1;
  const char* unit = "";
  unsigned row = 0, column = 0;  // of a key
};

struct Touch {
  enum class What : uint8_t { Set, Pin, Serial, End };

  What what = What::End;
  Nanos at = 0;
  std::string part{}, name{};  // Set: the control …
  bool is_number = false;      // whether it is a number in millionths, or a boolean
  int64_t value = 0;
  unsigned number = 0;          // Pin: which; Serial: the port
  std::optional<bool> level{};  // Pin: nullopt releases it
  std::string text{};           // Serial
};

/// A part as a user sees it.
struct PartView {
  std::string name, type;
  std::vector<std::pair<std::string, unsigned>> pins;
  std::vector<Control> controls;
};

/// A pin as a user sees it.
struct PinView {
  char level = 'z';  // as in the wave file: 0 1 x z
  const char* use = "in";
};

/// Is notified of every change of a pin's level (0 1 x z) at its instant.
class PinObserver {
 public:
  virtual ~PinObserver() = default;
  virtual void pin_changed(Nanos when, unsigned pin, char level) = 0;
};

}  // namespace hocket::sim
