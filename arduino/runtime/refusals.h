// One sentence for each refused loop: the fact with its numbers, and what would be accepted.
#pragma once

#include "admission/placement.h"
#include "arduino/runtime/defaults.h"
#include "kernel/base/text.h"

namespace hocket::runtime {

/// A duration in readable form: "70 ms", "70.5 ms", "250 us". Rounds down to microseconds.
class Readable {
 public:
  explicit Readable(uint64_t ns) {
    const uint64_t microseconds = ns / 1000;
    if (microseconds < 1000) {
      text_.put(microseconds, " us");
    } else if (microseconds % 1000 == 0) {
      text_.put(microseconds / 1000, " ms");
    } else {
      text_.put(Fixed3{microseconds}, " ms");
    }
  }
  const char* c_str() const { return text_.c_str(); }

 private:
  Text<32> text_;
};

/// "loop 2", or "loop()" for the plain one. For loops of interrupts, the source line of their
/// budget.
class LoopName {
 public:
  explicit LoopName(const LoopDescriptor& d) {
    const bool handler = d.kind == LoopKind::Handler;
    if (!handler && d.kind != LoopKind::BottomHalf) {
      text_.put(LoopName(d.id).c_str());
    } else if (d.line == 0) {
      text_.put(handler ? "the loop of attachInterrupt()" : "the I/O virtual CPU");
    } else {
      text_.put(handler ? "the handler at " : "interruptsVcpu() at ", d.file, ':', d.line);
    }
  }
  explicit LoopName(unsigned id) {
    if (id == kPlainLoop) {
      text_.put("loop()");
    } else {
      text_.put("loop ", id);
    }
  }
  const char* c_str() const { return text_.c_str(); }

 private:
  Text<96> text_;
};

/// Collects the sentences, up to kMost; further ones are dropped.
template <class Rate, class Ticks>
class Refusals {
 public:
  static constexpr unsigned kMost = 8;

  void clear() { used_ = 0; }
  unsigned count() const { return used_; }
  const char* operator[](unsigned index) const { return texts_[index]; }

  /// The loop is pinned to a core that does not exist.
  void no_such_core(const LoopDescriptor& d, unsigned cores) {
    if (used_ == kMost) return;
    TextWriter text(texts_[used_++], kSize);
    text.put(LoopName(d).c_str(), " is pinned to core ", d.core, ", but ");
    if (cores == 1) {
      text.put("there is only core 0");
    } else {
      text.put("the last one is core ", cores - 1);
    }
    text.put("; run it with --cores ", d.core + 1u, " or more.");
  }

  /// The budget is so small that one late timer could use it up. `least` (ticks) would be enough;
  /// 0: no budget would.
  void too_small(const LoopDescriptor& d, const Demand<Ticks>& demand, Ticks smallest,
                 Ticks least) {
    if (used_ == kMost) return;
    TextWriter text(texts_[used_++], kSize);
    text.put(LoopName(d).c_str(), " asks for ", Readable(d.budget_ns).c_str(), " in every ",
             Readable(d.period_ns).c_str());
    if (demand.io) {
      text.put(", which is ", of_ticks(demand.budget).c_str(), " in every ",
               of_ticks(demand.period).c_str(), ", the shortest period of its handlers");
    }
    text.put(", and the smallest budget on this board is ", enough(smallest).c_str(),
             ": a timer that is late could use up a smaller one; ");
    if (least == 0) {
      text.put("give its handlers longer periods.");
    } else {
      text.put("give it ", enough(least).c_str(), " or more.");
    }
  }

  /// Direct handlers, which run before all loops, contribute to a refusal.
  void beside_handlers(unsigned handlers, unsigned core, unsigned ppm) {
    if (used_ == kMost) return;
    TextWriter text(texts_[used_++], kSize);
    text.put("direct handlers (", handlers, ") take ", (ppm + 9'999) / 10'000, " % of core ", core,
             " before all loops: shorter ones, or a longer distance, leave more.");
  }

  /// The board's own UART contributes to a refusal.
  void beside_device(unsigned core, uint64_t ppm) {
    if (used_ == kMost) return;
    TextWriter text(texts_[used_++], kSize);
    text.put("interrupts of the board's UART take up to ", (ppm + 9'999) / 10'000, " % of core ",
             core, " before all loops.");
  }

  /// No core can guarantee the loop. `victim` is the loop that would miss its deadline.
  /// `largest_ns` is the largest budget that would be admitted instead; 0: none.
  void does_not_fit(const LoopDescriptor& d, const LoopDescriptor& victim,
                    const Refusal<Ticks>& refusal, uint64_t largest_ns, Ticks unbounded) {
    if (used_ == kMost) return;
    TextWriter text(texts_[used_++], kSize);
    text.put(LoopName(d).c_str(), " asks for ", Readable(d.budget_ns).c_str(), " in every ",
             Readable(d.period_ns).c_str(), " and core ", refusal.core, " cannot guarantee it: ");
    if (refusal.overload != 0) {
      text.put(of_ticks(refusal.demand).c_str(), " of work would be due in the first ",
               of_ticks(refusal.overload).c_str(), " after a common release");
    } else if (refusal.undecided) {
      text.put(
          "the test by deadlines was given up after too many steps, as next to nothing would be "
          "left of the core, so it is not known whether it fits; take periods with a short common "
          "multiple (5, 10 and 20 ms), or a little less");
    } else {
      put_miss(text, victim, refusal, victim.id == d.id, refusal.response == unbounded);
    }
    const bool beside_another = victim.id != d.id && refusal.overload == 0 && !refusal.undecided;
    if (beside_another) text.put("; ", LoopName(victim).c_str(), " was placed first");
    if (largest_ns > 0) {
      text.put("; the largest budget ");
      if (beside_another) text.put("of ", LoopName(d).c_str(), ' ');
      text.put("that would fit is ", Readable(largest_ns).c_str(), '.');
    } else {
      text.put("; no budget at all would fit there.");
    }
  }

  /// The loop was placed before others, which were then refused. With `enough_ns` instead, all
  /// loops fit.
  void leaves_too_little(const LoopDescriptor& d, uint64_t enough_ns) {
    if (used_ == kMost) return;
    TextWriter text(texts_[used_++], kSize);
    text.put(LoopName(d).c_str(), " asks for ", Readable(d.budget_ns).c_str(), " in every ",
             Readable(d.period_ns).c_str(),
             ", the largest share, and leaves too little to those "
             "that are placed after it; give it ",
             Readable(enough_ns).c_str(), " or less, and all fit.");
  }

 private:
  static constexpr size_t kSize = 400;

  /// Rounds up, so that the budget that is printed is accepted.
  static Readable enough(Ticks ticks) {
    constexpr uint64_t kJustBelow = 999;
    return Readable(Rate::ns_up(static_cast<uint64_t>(ticks)) + kJustBelow);
  }
  static Readable of_ticks(Ticks ticks) {
    return Readable(Rate::ns_down(static_cast<uint64_t>(ticks)));
  }

  /// "its response time would be 130 ms, later than its deadline of 100 ms"
  static void put_miss(TextWriter& text, const LoopDescriptor& victim,
                       const Refusal<Ticks>& refusal, bool itself, bool unbounded) {
    const Readable deadline(victim.deadline_ns);  // rounded to ticks it may be a little shorter
    if (itself) {
      text.put(unbounded ? "it" : "its");
    } else {
      text.put(LoopName(victim).c_str(), unbounded ? "" : "'s");
    }
    if (unbounded) {
      text.put(" and all that comes before it have ", of_ticks(refusal.demand).c_str(),
               " of work due within ", deadline.c_str(), " and never keep up");
    } else {
      text.put(" response time would be ", of_ticks(refusal.response).c_str(),
               ", later than its deadline of ", deadline.c_str());
    }
  }

  char texts_[kMost][kSize] = {};
  unsigned used_ = 0;
};

}  // namespace hocket::runtime
