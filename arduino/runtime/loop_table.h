// The declared loops of a sketch as they are run: each with a number of its own, and with what
// interrupts need besides.
//
// Handlers' loops may have no number, and get one from 253 down. Where there are some, there is the
// bottom half's as well: what interruptsVcpu() says, or a default. Pure.
#pragma once

#include "arduino/runtime/defaults.h"
#include "kernel/base/text.h"
#include "kernel/base/types.h"

namespace hocket::runtime {

struct TableEntry {
  const LoopDescriptor* descriptor;  // with its number
  const LoopDescriptor* declared;    // as the sketch has it
};

template <unsigned kMost>
class LoopTable {
 public:
  void clear() { count_ = numbered_ = 0; }
  unsigned count() const { return count_; }
  const TableEntry& operator[](unsigned i) const { return entries_[i]; }

  void add(const LoopDescriptor& declared) {
    if (count_ < kMost) entries_[count_] = {&declared, &declared};
    ++count_;
  }

  /// When all that are declared have been added. `least` is the least budget that makes sense for a
  /// bottom half. Null, or what is wrong.
  const char* complete(uint64_t least) {
    if (count_ > kMost) return too_many();
    const LoopDescriptor* bottom_half = nullptr;
    uint64_t shortest = UINT64_MAX;
    for (unsigned i = 0; i < count_; ++i) {
      const LoopDescriptor& d = *entries_[i].declared;
      if (const char* error = check(i, bottom_half)) return error;
      if (d.kind == LoopKind::BottomHalf) bottom_half = &d;
      if (d.kind == LoopKind::Handler) shortest = smaller(shortest, d.period_ns);
    }
    if (bottom_half == nullptr && shortest != UINT64_MAX) {
      if (count_ == kMost) return too_many();
      default_ = default_bottom_half(shortest, least);
      add(default_);
    }
    for (unsigned i = 0; i < count_; ++i) {
      const LoopDescriptor& d = *entries_[i].declared;
      if (!without_number(d)) continue;
      if (numbered_ == kMostNumbered) return too_many();
      LoopDescriptor& numbered = numbered_descriptors_[numbered_++];
      numbered = d;
      numbered.id = free_number();
      if (numbered.id == 0) return too_many();
      entries_[i].descriptor = &numbered;
    }
    return nullptr;
  }

 private:
  static constexpr unsigned kMostNumbered = kMost < 64 ? kMost : 64;
  static constexpr unsigned kHighestGiven = defaults::kHandlersId - 1;

  static bool without_number(const LoopDescriptor& d) {
    return d.id == 0 && (d.kind == LoopKind::Handler || d.kind == LoopKind::BottomHalf);
  }

  static LoopDescriptor default_bottom_half(uint64_t shortest, uint64_t least) {
    LoopDescriptor d{};
    d.file = "";
    d.period_ns = d.deadline_ns = shortest;
    const uint64_t share = shortest / defaults::kBottomHalfShare;
    d.budget_ns = smaller(larger(share, least), shortest);
    d.core = LoopDescriptor::kAnyCore;
    d.kind = LoopKind::BottomHalf;
    return d;
  }

  /// Against those before it.
  const char* check(unsigned index, const LoopDescriptor* bottom_half) {
    const LoopDescriptor& d = *entries_[index].declared;
    if (d.kind == LoopKind::BottomHalf && bottom_half != nullptr) {
      return twice("interruptsVcpu() is written", *bottom_half, d);
    }
    for (unsigned i = 0; i < index && !without_number(d); ++i) {
      const LoopDescriptor& other = *entries_[i].declared;
      if (other.id != d.id || without_number(other)) continue;
      char what[40];
      TextWriter(what, sizeof what).put("loop ", d.id, " is declared");
      return twice(what, other, d);
    }
    return nullptr;
  }

  const char* twice(const char* what, const LoopDescriptor& a, const LoopDescriptor& b) {
    TextWriter(message_, sizeof message_)
        .put(what, " twice: ", a.file, ':', a.line, " and ", b.file, ':', b.line);
    return message_;
  }
  const char* too_many() {
    TextWriter(message_, sizeof message_)
        .put("the sketch has more than ", kMost,
             " loops, those of its interrupts included, or more "
             "than ",
             kMostNumbered, " of these");
    return message_;
  }

  /// 0: there is none.
  uint8_t free_number() const {
    for (unsigned id = kHighestGiven; id > 0; --id) {
      bool taken = false;
      for (unsigned i = 0; i < count_; ++i) {
        const LoopDescriptor& d = *entries_[i].descriptor;
        taken = taken || (d.id == id && !without_number(d));
      }
      if (!taken) return static_cast<uint8_t>(id);
    }
    return 0;
  }

  TableEntry entries_[kMost] = {};
  LoopDescriptor numbered_descriptors_[kMostNumbered] = {};
  LoopDescriptor default_{};
  unsigned count_ = 0;
  unsigned numbered_ = 0;
  char message_[160] = {};
};

}  // namespace hocket::runtime
