// The report's sentences about interrupt calls that could not be carried out, each with a remedy.
#pragma once

#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/refusals.h"

namespace hocket::runtime::interrupts {

/// Reports a loop whose longest section between noInterrupts() and interrupts() exceeded its bound.
/// Returns false when none did.
inline bool put_long_section(TextWriter& text, const Loop& loop, LongestSection longest) {
  const Ticks bound = loop.section_bound;
  if (bound == 0 || longest.length.ticks() <= bound) return false;
  const auto readable = [](Ticks ticks) {
    return Readable(Rate::ns_up(static_cast<uint64_t>(ticks)));
  };
  const LoopDescriptor& d = *loop.descriptor;
  text.put(LoopName(d).c_str());
  if (d.is_a_loop() && d.line != 0) text.put(" (", d.file, ':', d.line, ')');
  text.put(" was between noInterrupts() and interrupts() for ",
           readable(longest.length.ticks()).c_str());
  if (loop.sketch->program().longest_section_ns != 0) {
    text.put(", longer than HOCKET_LONGEST_SECTION() says (", readable(bound).c_str(), ")");
  } else {
    text.put(", longer than the ", readable(bound).c_str(),
             " within which it is guaranteed its budget");
  }
  text.put(
      longest.revoked
          ? ": waiting handlers ran after that time, and the rest of the section did "
            "not hold them back"
          : ". No handler waited then, but the section would have held none back after that time");
  text.put(". Make it shorter, do not wait in it, or declare more with HOCKET_LONGEST_SECTION()");
  return true;
}

inline void put_complaint(TextWriter& text, const Complaint& complaint) {
  using Kind = Complaint::Kind;
  const auto pin = static_cast<int>(complaint.pin);
  const bool of_itself = complaint.kind == Kind::TooLong || complaint.kind == Kind::WaitsInside;
  if (of_itself) {
  } else if (complaint.loop == Complaint::kSetup) {
    text.put("setup()");
  } else if (complaint.loop == Complaint::kDirect) {
    text.put("a direct handler");
  } else {
    text.put(LoopName(complaint.loop).c_str());
  }
  switch (complaint.kind) {
    case Kind::NoInterrupt:
      text.put(" attached a handler to pin ", pin, ", which has no interrupt on this board (",
               BoardPins::kWhich, ")");
      break;
    case Kind::NoMode:
      text.put(" attached a handler to pin ", pin, " with the mode ", complaint.mode,
               ", which does not exist: use LOW, HIGH, CHANGE, RISING or FALLING");
      break;
    case Kind::NoHandler:
      text.put(" attached a null pointer to pin ", pin, ": a handler is a function");
      break;
    case Kind::NothingAttached:
      text.put(" detached pin ", pin, ", to which nothing is attached");
      break;
    case Kind::UnknownLoop:
      text.put(" attached a handler to pin ", pin, " for a loop that is not in the table");
      break;
    case Kind::NoDirect:
      text.put(" attached a direct handler to pin ", pin,
               ": this board has no direct handlers; use attachInterruptVcpu()");
      break;
    case Kind::TwoPins:
      text.put(" attached a direct handler to pin ", pin,
               ", whose attachInterruptDirect() has another pin already: write one for each pin");
      break;
    case Kind::Broken:
      text.put(" attached the direct handler of pin ", pin,
               " again, which was detached because it faulted or took longer than declared");
      break;
    case Kind::KeptSection:
      text.put(
          " called noInterrupts() and ended without interrupts(), and its end let handlers run: a "
          "section belongs to one loop. Another loop that holds handlers back needs its own call");
      return;
    case Kind::TooLong:
      text.put("the direct handler of pin ", pin, " took ",
               Readable(static_cast<uint64_t>(complaint.mode) * 1'000).c_str(),
               ", which is more than its declared length, and is detached: declare more, or do "
               "less in it");
      return;
    case Kind::WaitsInside:
      text.put("the direct handler of pin ", pin,
               " called a function that may wait, and that call did nothing: do that in a loop");
      if (complaint.times > 1) text.put(" (", complaint.times, " times)");
      return;
  }
  if (complaint.times > 1) text.put(" (", complaint.times, " times)");
  text.put("; that call did nothing");
}

}  // namespace hocket::runtime::interrupts
