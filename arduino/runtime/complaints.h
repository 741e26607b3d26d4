// What is said of calls about interrupts that could not be done: a sentence each, with what to do.
#pragma once

#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/refusals.h"

namespace hocket::runtime::interrupts {

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
               ", which nobody knows: use LOW, HIGH, CHANGE, RISING or FALLING");
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
               ": this board has no line for those; use attachInterruptVcpu()");
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
          " called noInterrupts() and ended without interrupts(), so its end let handlers run: a "
          "section is its loop's own, and a loop that is to hold handlers back calls it itself");
      return;
    case Kind::TooLong:
      text.put("the direct handler of pin ", pin, " took ",
               Readable(static_cast<uint64_t>(complaint.mode) * 1'000).c_str(),
               ", which is more than its declared length, and is detached: declare more, or do "
               "less in it");
      return;
    case Kind::WaitsInside:
      text.put("the direct handler of pin ", pin,
               " called something that may wait, which did nothing: give that to a loop");
      if (complaint.times > 1) text.put(" (", complaint.times, " times)");
      return;
  }
  if (complaint.times > 1) text.put(" (", complaint.times, " times)");
  text.put("; that call did nothing");
}

}  // namespace hocket::runtime::interrupts
