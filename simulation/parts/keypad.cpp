// A keypad: switches in a matrix, each between the wire of a row and the wire of a column.
//
//              col 0  col 1  col 2
//     row 0 ─────┼──/──┼──/──┼──/──     A pressed key joins its two wires. What is joined, over any
//     row 1 ─────┼──/──┼──/──┼──/──     number of keys, has one level: three corners of a rectangle
//                                       pressed look as if the fourth were, too (no diodes).
//
// Each wire is driven as everything outside of the keypad drives the wires that it is joined with.
// So a sketch may scan either side, with any pull resistors. A pressed key that bounces opens and
// closes at random instants within the bounce time, like a button.

#include <algorithm>

#include "simulation/parts/contact.h"
#include "simulation/parts/part.h"
#include "simulation/parts/pin_list.h"

namespace hocket::sim {
namespace {

constexpr size_t kMostLines = 8;  // rows, and columns

class Keypad final : public Part {
 public:
  Keypad(Workbench& bench, Section& section)
      : Part(bench, section),
        bounce_(static_cast<Nanos>(section.number_or("bounce", 0, 0, 100'000'000))),
        random_(bench.seed, section.name()) {
    const std::vector<unsigned> rows = pin_list(bench, section, "rows", 1, kMostLines);
    const std::vector<unsigned> columns = pin_list(bench, section, "columns", 1, kMostLines, rows);
    rows_ = rows.size();
    columns_ = columns.size();
    for (const unsigned pin : rows) add_line("row", pin);
    for (const unsigned pin : columns) add_line("column", pin);
    outside_.resize(lines_.size());
    keys_.resize(rows_ * columns_);
    read_labels(section);
    read_presses(section);
  }

  void start() override {
    for (size_t press = 0; press < presses_.size(); ++press) {
      bench_.events.schedule(presses_[press].at, *this, token(press, kPress));
      bench_.events.schedule(presses_[press].until, *this, token(press, kRelease));
    }
  }

  void due(Nanos now, uint64_t what) override {
    const auto number = static_cast<size_t>(what / kActions);
    switch (static_cast<Action>(what % kActions)) {
      case kPress: {
        const Press& press = presses_[number];
        ++pressed_;
        keys_[press.key].seen = false;
        bounce(now, press.key, true, std::min(bounce_, press.until - press.at));
        return set(now, press.key, true);
      }
      case kRelease: {
        const Press& press = presses_[number];
        bounce(now, press.key, false, std::min(bounce_, press.next - press.until));
        return set(now, press.key, false);
      }
      case kClose:
      case kOpen:
        return bounced(now, number, what % kActions == kClose);
    }
  }

  void redriven(Nanos now, unsigned) override {
    if (!connecting_ && closed_ > 0) connect(now);
  }

  void facts(Facts& facts, Nanos) const override {
    facts.count("presses", pressed_);
    facts.count("edges", edges_);
    facts.count("scanned", scanned_);
    std::string held;
    for (const Key& key : keys_)
      if (key.closed) held += key.label;
    facts.text("held_at_end", held);
  }
  void live(Facts& facts, Nanos, Nanos) const override {
    std::string held;
    for (const Key& key : keys_)
      if (key.closed) held += key.label;
    facts.text("held", held);
  }

 private:
  enum Action : uint64_t { kPress, kRelease, kClose, kOpen };
  static constexpr uint64_t kActions = 4;

  std::vector<Control> controls() const override {
    std::vector<Control> all;
    for (size_t key = 0; key < keys_.size(); ++key) {
      Control control = switched(keys_[key].closed, std::string(1, keys_[key].label));
      control.kind = Control::Kind::Key;
      control.row = static_cast<unsigned>(key / columns_);
      control.column = static_cast<unsigned>(key % columns_);
      all.push_back(std::move(control));
    }
    return all;
  }
  void turned(Nanos now, size_t key, int64_t value) override {
    if (value != 0) {
      ++pressed_;
      keys_[key].seen = false;
    }
    bounce(now, key, value != 0, bounce_);
    set(now, key, value != 0);
  }

  struct Key {
    char label = 0;
    bool closed = false;
    uint32_t version = 0;          // invalidates bounces of earlier changes
    bool seen = false;             // a scan has detected it since it was pressed
    std::optional<size_t> last{};  // its last known press
  };
  struct Press {
    size_t key;
    Nanos at, until, next;  // the key's next one
  };

  /// `number`: of a press; or of a key that bounces, and above it which of its changes that is of.
  static uint64_t token(size_t number, Action action) { return number * kActions + action; }

  void add_line(const char* side, unsigned pin) {
    listen(pin, static_cast<unsigned>(lines_.size()),
           side + std::to_string(lines_.size() - (side[0] == 'c' ? rows_ : 0)));
    lines_.push_back(bench_.pins.add_driver(pin, /*main=*/false));
  }

  void read_labels(Section& section) {
    constexpr std::string_view kUsual[] = {"123A", "456B", "789C", "*0#D"};
    std::vector<std::string> rows;
    for (const Item& item : section.list("keys")) rows.push_back(item.text(""));
    if (rows.empty()) {
      if (rows_ > 4 || columns_ > 4) section.fail("needs keys: it has more than four in a row");
      for (size_t row = 0; row < rows_; ++row) rows.emplace_back(kUsual[row].substr(0, columns_));
    }
    if (rows.size() != rows_) section.fail("needs one text of keys for each of its rows");
    for (size_t row = 0; row < rows_; ++row) {
      if (rows[row].size() != columns_) section.fail("needs a key for each column in every row");
      for (size_t column = 0; column < columns_; ++column) {
        const char label = rows[row][column];
        if (find(label) != keys_.size()) section.fail("has two keys of one name");
        keys_[row * columns_ + column].label = label;
      }
    }
  }

  void read_presses(Section& section) {
    for (const Item& item : section.list("pressed")) {
      item.only({"at", "for", "key"});
      const std::string label = item.text("key");
      const size_t key = label.size() == 1 ? find(label[0]) : keys_.size();
      if (key == keys_.size()) item.fail("names no key of this keypad");
      const auto at = static_cast<Nanos>(item.number("at", 0, kLongestTime));
      const Nanos until = at + static_cast<Nanos>(item.number("for", 1, kLongestTime));
      if (const auto last = keys_[key].last) {
        if (at <= presses_[*last].until)
          item.fail("must begin after the key's press before it has ended");
        presses_[*last].next = at;
      }
      keys_[key].last = presses_.size();
      presses_.push_back({key, at, until, kNever});
    }
  }

  size_t find(char label) const {
    const auto found = std::find_if(keys_.begin(), keys_.end(),
                                    [=](const Key& key) { return key.label == label; });
    return static_cast<size_t>(found - keys_.begin());
  }

  void bounce(Nanos now, size_t key, bool closed, Nanos window) {
    bool state = closed;
    const uint64_t bouncing = uint64_t{++keys_[key].version} << 32 | key;
    for (const Nanos instant : bounces(random_, now, window)) {
      state = !state;
      bench_.events.schedule(instant, *this, token(bouncing, state ? kClose : kOpen));
    }
  }
  void bounced(Nanos now, uint64_t bouncing, bool closed) {
    const auto key = static_cast<size_t>(bouncing & UINT32_MAX);
    if (keys_[key].version == bouncing >> 32) set(now, key, closed);
  }

  void set(Nanos now, size_t number, bool closed) {
    Key& key = keys_[number];
    if (key.closed == closed) return;
    ++edges_;
    key.closed = closed;
    closed_ += closed ? 1 : -1u;
    connect(now);
  }

  /// Drives each wire like those that it is joined with.
  void connect(Nanos now) {
    connecting_ = true;
    // Outside drivers may react to a level that this makes, so repeat until nothing changes.
    for (unsigned turn = 0; turn < kMostTurns && look_outside(turn == 0); ++turn) {
      for (size_t line = 0; line < lines_.size(); ++line) {
        const LineState state = joined_with(line);
        bench_.pins.drive(now, lines_[line], state.drive, state.microvolts);
      }
    }
    connecting_ = false;
    see();
  }

  /// Whether any outside driver has changed since the last look.
  bool look_outside(bool first) {
    bool changed = first;
    for (size_t line = 0; line < lines_.size(); ++line) {
      const LineState now = bench_.pins.others(lines_[line]);
      changed = changed || !(now == outside_[line]);
      outside_[line] = now;
    }
    return changed;
  }

  /// The state that all lines joined with this one by closed keys give it.
  LineState joined_with(size_t line) const {
    uint32_t reached = uint32_t{1} << line;
    for (uint32_t before = 0; before != reached;) {
      before = reached;
      for (size_t key = 0; key < keys_.size(); ++key) {
        const uint32_t ends = ends_of(key);
        if (keys_[key].closed && (reached & ends) != 0) reached |= ends;
      }
    }
    LineState strongest;
    bool low = false;
    for (size_t other = 0; other < lines_.size(); ++other) {
      if (other == line || (reached >> other & 1) == 0) continue;
      low = low || outside_[other].drive == Drive::Low;
      if (outside_[other].drive > strongest.drive) strongest = outside_[other];
    }
    return low ? LineState{Drive::Low} : strongest;
  }

  uint32_t ends_of(size_t key) const {
    return uint32_t{1} << key / columns_ | uint32_t{1} << (rows_ + key % columns_);
  }

  /// Detects a scan of a closed key: one side is an output of the sketch, and the other is held by
  /// a resistor.
  void see() {
    for (size_t number = 0; number < keys_.size(); ++number) {
      Key& key = keys_[number];
      if (!key.closed || key.seen) continue;
      const Drive row = outside_[number / columns_].drive;
      const Drive column = outside_[rows_ + number % columns_].drive;
      const auto is_output = [](Drive drive) {
        return drive == Drive::Low || drive == Drive::High;
      };
      if (is_output(row) == is_output(column)) continue;
      const Drive held = is_output(row) ? column : row, scans = is_output(row) ? row : column;
      if (held != (scans == Drive::Low ? Drive::WeakHigh : Drive::WeakLow)) continue;
      key.seen = true;
      ++scanned_;
    }
  }

  static constexpr unsigned kMostTurns = 8;

  size_t rows_ = 0, columns_ = 0;
  Nanos bounce_;
  Random random_;
  std::vector<Pins::Driver> lines_;  // rows, then columns
  std::vector<LineState> outside_;   // their state from outside
  std::vector<Key> keys_;            // row by row
  std::vector<Press> presses_;
  unsigned closed_ = 0;  // number of closed keys
  bool connecting_ = false;
  uint64_t pressed_ = 0, edges_ = 0, scanned_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_keypad(Workbench& bench, Section& section) {
  return std::make_unique<Keypad>(bench, section);
}

}  // namespace hocket::sim
