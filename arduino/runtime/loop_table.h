// The table of a sketch's loops as they run: each has a number of its own, and the loops that
// interrupts need are added.
//
// A handler's loop without a number gets a free one, from 253 down. If there are handlers, there is
// also a bottom half: the one that interruptsVcpu() declares, or a default. If several
// interruptsVcpu() name the same pins, the one with the largest share is admitted; the others are
// budgets that it can be changed to at run time. Direct handlers are not loops and are listed
// separately. Pure.
#pragma once

#include "arduino/runtime/defaults.h"
#include "kernel/base/text.h"
#include "kernel/base/types.h"

namespace hocket::runtime {

struct TableEntry {
  const LoopDescriptor* descriptor;  // its own copy if the table has given it a number
  const LoopDescriptor* declared;    // the entry in the sketch's program
};

template <unsigned kMost>
class LoopTable {
 public:
  static constexpr unsigned kMostDirect = 8;
  static constexpr unsigned kAnyPins = UINT16_MAX;  // where pins have no interrupts

  void clear() { count_ = numbered_ = directs_ = 0; }
  unsigned count() const { return count_; }
  const TableEntry& operator[](unsigned i) const { return entries_[i]; }
  unsigned direct_count() const { return directs_; }
  const LoopDescriptor& direct(unsigned i) const { return *direct_[i]; }

  void add(const LoopDescriptor& declared) {
    if (declared.kind == LoopKind::Direct) {
      if (directs_ < kMostDirect) direct_[directs_] = &declared;
      if (directs_ == kMostDirect) one_too_many_ = &declared;
      ++directs_;
      return;
    }
    if (declared.kind == LoopKind::BottomHalf && joins(declared)) return;
    if (count_ < kMost) entries_[count_] = {&declared, &declared};
    ++count_;
  }

  /// Call after the last add(). `least`: the least budget (ns) of a bottom half.
  /// `most_bottom_halves`: how many the board supports. Returns null, or a sentence that says what
  /// is wrong.
  template <unsigned kPins = kAnyPins>
  const char* complete(uint64_t least, unsigned most_bottom_halves = 1) {
    if (count_ > kMost) return too_many();
    if (directs_ > kMostDirect) {
      return say("attachInterruptDirect() at ", one_too_many_->file, ':', one_too_many_->line,
                 " is one too many: a sketch can have ", kMostDirect, " direct handlers");
    }
    for (unsigned i = 0; i < directs_; ++i) {
      if (is_beyond<kPins>(*direct_[i])) return no_such_pin(*direct_[i]);
    }
    unsigned bottom_halves = 0;
    bool for_all = false;
    uint64_t shortest = UINT64_MAX;  // of handlers that no declared bottom half serves
    for (unsigned i = 0; i < count_; ++i) {
      const LoopDescriptor& d = *entries_[i].declared;
      if (const char* error = check(i)) return error;
      if (is_beyond<kPins>(d)) return no_such_pin(d);
      if (d.kind == LoopKind::BottomHalf) {
        ++bottom_halves;
        for_all = for_all || d.is_for_all();
      }
      if (d.kind == LoopKind::Handler && !has_own(d)) shortest = smaller(shortest, d.period_ns);
    }
    if (!for_all && shortest != UINT64_MAX) {
      if (count_ == kMost) return too_many();
      default_ = default_bottom_half(shortest, least);
      add(default_);
      ++bottom_halves;
    }
    if (bottom_halves > most_bottom_halves) {
      return say("the sketch has more I/O virtual CPUs than this board supports: it can have ",
                 most_bottom_halves, ", including the one for all other pins");
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

  /// Whether a bottom half is declared for the handler's pin, which must be a constant.
  bool has_own(const LoopDescriptor& handler) const {
    if (handler.pin < 0) return false;
    for (unsigned i = 0; i < count_; ++i) {
      const LoopDescriptor& d = *entries_[i].declared;
      if (d.kind == LoopKind::BottomHalf && d.is_for(static_cast<unsigned>(handler.pin))) {
        return true;
      }
    }
    return false;
  }

  /// If a bottom half for the same pins exists, keeps the one with the larger share and returns
  /// true.
  bool joins(const LoopDescriptor& declared) {
    for (unsigned i = 0; i < count_ && i < kMost; ++i) {
      const LoopDescriptor& other = *entries_[i].declared;
      if (other.kind != LoopKind::BottomHalf) continue;
      if (other.pin != declared.pin || other.mode != declared.mode) continue;
      // (In microseconds the products fit into 64 bits while periods are below hours.)
      const uint64_t more = declared.budget_ns / 1'000 * (other.period_ns / 1'000);
      if (more > other.budget_ns / 1'000 * (declared.period_ns / 1'000)) {
        entries_[i] = {&declared, &declared};
      }
      return true;
    }
    return false;
  }

  /// Checks the entry against those before it. Returns null, or what is wrong.
  const char* check(unsigned index) {
    const LoopDescriptor& d = *entries_[index].declared;
    if (d.kind == LoopKind::BottomHalf && d.budget_ns == 0) {
      return say(
          "interruptsVcpu(0, T) is the only I/O virtual CPU: without a budget no handler "
          "would ever be called");
    }
    for (unsigned i = 0; i < index && d.kind == LoopKind::BottomHalf; ++i) {
      const LoopDescriptor& other = *entries_[i].declared;
      if (other.kind != LoopKind::BottomHalf || d.is_for_all() || other.is_for_all()) continue;
      if (d.pin > other.mode || other.pin > d.mode) continue;
      return twice("one pin's interruptsVcpu() is written", other, d);
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

  /// The highest pin that the declaration names: the pin of a handler, or the last pin of an I/O
  /// virtual CPU. (For a handler `mode` is an edge mode, which is lower than any board's number of
  /// pins.)
  static int highest_pin(const LoopDescriptor& d) { return larger(d.pin, d.mode); }
  template <unsigned kPins>
  static bool is_beyond(const LoopDescriptor& d) {
    return kPins < kAnyPins && highest_pin(d) >= static_cast<int>(kPins);
  }
  const char* no_such_pin(const LoopDescriptor& d) {
    const char* const call = d.kind == LoopKind::Handler  ? "attachInterruptVcpu"
                             : d.kind == LoopKind::Direct ? "attachInterruptDirect"
                                                          : "interruptsVcpu";
    return say(call, "() at ", d.file, ':', d.line, " is for pin ", highest_pin(d),
               ", which this board does not have");
  }

  const char* twice(const char* what, const LoopDescriptor& a, const LoopDescriptor& b) {
    TextWriter(message_, sizeof message_)
        .put(what, " twice: ", a.file, ':', a.line, " and ", b.file, ':', b.line);
    return message_;
  }
  template <class... Parts>
  const char* say(Parts... parts) {
    TextWriter(message_, sizeof message_).put(parts...);
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

  /// The highest loop number that is free; 0: none.
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
  const LoopDescriptor* direct_[kMostDirect] = {};
  const LoopDescriptor* one_too_many_ = nullptr;
  unsigned directs_ = 0;
  unsigned count_ = 0;
  unsigned numbered_ = 0;
  char message_[160] = {};
};

}  // namespace hocket::runtime
