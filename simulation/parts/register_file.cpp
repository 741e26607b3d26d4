#include "simulation/parts/register_file.h"

namespace hocket::sim {

int64_t RegisterFile::Register::at(Nanos now) const {
  if (!to) return value;
  if (now >= over) return *to;
  return value + static_cast<int64_t>(static_cast<__int128>(*to - value) * now / over);
}

RegisterFile::RegisterFile(Section& section)
    : bytes_(static_cast<unsigned>(section.number_or("bytes", 1, 1, 2))),
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

uint8_t RegisterFile::read(Nanos now) {
  change(now);
  ++bytes_read_;
  Register& each = registers_[number_];
  if (place_ == 0) latched_ = raw(each.at(now));
  const auto byte = static_cast<uint8_t>(latched_ >> shift_of(place_));
  if (place_ + 1 == bytes_ && each.step != 0)
    each.value = static_cast<int64_t>(raw(each.value + each.step));
  next();
  return byte;
}

void RegisterFile::write(Nanos now, uint8_t byte) {
  change(now);
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
}

/// Advances to the next byte: in the same register, or in the next one.
void RegisterFile::next() {
  if (++place_ < bytes_) return;
  place_ = 0;
  if (increments_) ++number_;
}

void RegisterFile::change(Nanos now) {
  for (; changed_ < changes_.size() && changes_[changed_].at <= now; ++changed_) {
    Register& each = registers_[changes_[changed_].number];
    each.value = changes_[changed_].value;
    each.to.reset();
  }
}

void RegisterFile::facts(Facts& facts, Nanos now) const {
  RegisterFile then = *this;  // with the changes that were not read yet
  then.change(now);
  facts.count("bytes_read", bytes_read_);
  facts.count("bytes_written", bytes_written_);
  facts.count("writes_refused", refused_);
  Facts values;
  for (const auto& [number, each] : then.registers_)
    values.count(std::to_string(number), raw(each.at(now)));
  facts.json("registers", values.str());
}

}  // namespace hocket::sim
