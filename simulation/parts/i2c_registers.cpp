// A device of registers on the I²C bus, as most sensors are: a write names a register and may go on
// with values for it, a read begins at the register that was named last.
//
//   [address W] register value…             [address W] register [address R] value…
//
// A register has one byte or two. With auto-increment the next value is the next register's (its
// number is higher by one, in devices of both kinds). A register that is not described takes
// values and reads 0, like one that is.

#include <map>

#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

/// What a register reads: a value that may go to another with time, and step with each read.
struct Register {
  int64_t value = 0;
  std::optional<int64_t> to;  // reached in equal steps of time
  Nanos over = 0;
  int64_t step = 0;
  bool read_only = false;

  int64_t at(Nanos now) const {
    if (!to) return value;
    if (now >= over) return *to;
    return value + static_cast<int64_t>(static_cast<__int128>(*to - value) * now / over);
  }
};

class I2cRegisters final : public Part, private I2cTarget {
 public:
  I2cRegisters(Workbench& bench, Section& section)
      : Part(bench, section),
        address_(connect_i2c(section, *this)),
        bytes_(static_cast<unsigned>(section.number_or("bytes", 1, 1, 2))),
        low_first_(section.choice_or("order", 0, {"high_first", "low_first"}) == 1),
        increments_(section.choice_or("auto_increment", 0, {"true", "false"}) == 0) {
    const int64_t most = bytes_ == 1 ? 0xff : 0xffff;
    for (const Item& item : section.list("registers")) {
      item.only({"register", "is", "to", "over", "step", "access"});
      const auto number = static_cast<uint8_t>(item.number("register", 0, 0xff));
      if (registers_.contains(number)) item.fail("describes a register twice");
      Register& each = registers_[number];
      each.value = item.optional("is", -(most + 1) / 2, most).value_or(0);
      each.to = item.optional("to", -(most + 1) / 2, most);
      each.over = static_cast<Nanos>(item.optional("over", 1, kLongestTime).value_or(1));
      each.step = item.optional("step", -most, most).value_or(0);
      if (item.has("access")) each.read_only = item.word("access") == "read";
    }
    for (const Item& item : section.list("changes")) {
      item.only({"at", "register", "is"});
      const auto at = static_cast<Nanos>(item.number("at", 0, kLongestTime));
      if (!changes_.empty() && at < changes_.back().at) item.fail("must have ascending times");
      changes_.push_back({at, static_cast<uint8_t>(item.number("register", 0, 0xff)),
                          item.number("is", -(most + 1) / 2, most)});
    }
  }

  void facts(Facts& facts, Nanos end) override {
    change(end);
    facts.count("address", address_);
    facts.count("transfers", transfers_);
    facts.count("bytes_read", bytes_read_);
    facts.count("bytes_written", bytes_written_);
    facts.count("writes_refused", refused_);
    Facts values;
    for (const auto& [number, each] : registers_)
      values.count(std::to_string(number), raw(each.at(end)));
    facts.json("registers", values.str());
  }

 private:
  struct Change {
    Nanos at;
    uint8_t number;
    int64_t value;
  };

  bool addressed(Nanos now, bool reads) override {
    change(now);
    place_ = 0;
    named_ = reads;
    return true;
  }

  bool takes(Nanos now, uint8_t byte) override {
    if (!named_) {
      named_ = true;
      number_ = byte;
      return true;
    }
    ++bytes_written_;
    const unsigned shift = shift_of(place_);
    Register& each = registers_[number_];
    if (each.read_only) {
      ++refused_;
    } else {
      const auto kept = raw(each.at(now)) & ~(uint64_t{0xff} << shift);
      each = {.value = static_cast<int64_t>(kept | uint64_t{byte} << shift),
              .to = std::nullopt,
              .over = 0,
              .step = each.step,
              .read_only = false};
    }
    next();
    return true;
  }

  uint8_t gives(Nanos now) override {
    ++bytes_read_;
    Register& each = registers_[number_];
    if (place_ == 0) latched_ = raw(each.at(now));
    const auto byte = static_cast<uint8_t>(latched_ >> shift_of(place_));
    if (place_ + 1 == bytes_ && each.step != 0) each.value = wrapped(each.value + each.step);
    next();
    return byte;
  }

  void stopped(Nanos) override { ++transfers_; }

  /// The next byte's place: in the same register, or the next one.
  void next() {
    if (++place_ < bytes_) return;
    place_ = 0;
    if (increments_) ++number_;
  }
  unsigned shift_of(unsigned place) const { return 8 * (low_first_ ? place : bytes_ - 1 - place); }
  /// Negative values are two's complement.
  uint64_t raw(int64_t value) const {
    return static_cast<uint64_t>(value) & (bytes_ == 1 ? 0xff : 0xffff);
  }
  int64_t wrapped(int64_t value) const { return static_cast<int64_t>(raw(value)); }

  void change(Nanos now) {
    for (; changed_ < changes_.size() && changes_[changed_].at <= now; ++changed_) {
      Register& each = registers_[changes_[changed_].number];
      each.value = changes_[changed_].value;
      each.to.reset();
    }
  }

  uint8_t address_;
  unsigned bytes_;
  bool low_first_, increments_;
  std::map<uint8_t, Register> registers_;
  std::vector<Change> changes_;
  size_t changed_ = 0;
  uint8_t number_ = 0;  // of the register that is next
  unsigned place_ = 0;  // of the byte within it
  bool named_ = false;  // in this write
  uint64_t latched_ = 0;
  uint64_t transfers_ = 0, bytes_read_ = 0, bytes_written_ = 0, refused_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_i2c_registers(Workbench& bench, Section& section) {
  return std::make_unique<I2cRegisters>(bench, section);
}

}  // namespace hocket::sim
