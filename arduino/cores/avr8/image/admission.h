// Decides whether the loops of an AVR's image can be guaranteed, from the image's file alone.
//
// Such a board runs no admission itself. So the host computer runs it: before the simulator starts
// an image, and before an image is handed out or written to a real board. Nothing of the sketch
// runs for it. All declarations are constants of the image (declared.h). Where a sketch decides as
// it runs, admission assumes the most: the highest rate of Serial, each pin that may get a handler.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "admission/stated.h"
#include "arduino/cores/avr8/image/declared.h"
#include "arduino/runtime/admission.h"

namespace hocket::uno {

/// The processor time for the characters of a serial port.
struct SerialShare {
  unsigned port;
  uint32_t rate;          // bits per second
  bool constant;          // otherwise it is the highest rate that is assumed
  Ticks character;        // for each one sent, charged to the writing loop
  double received_share;  // of the core, before all loops; 0: nothing reads
};

/// The inputs of the analysis, from which its bounds can be recomputed.
struct StatedInputs {
  stated::Costs costs;
  std::vector<stated::Rank> ranks = {};
  std::vector<stated::Interrupts> interrupts = {};
};

struct AdmittedLoop {
  bool placed = false;
  std::optional<Ticks> response_bound = {};
};

struct Admitted {
  const char* policy = "";
  bool promises = false;  // the policy guarantees budgets
  bool accepted = false;
  bool anyway = false;  // refused, and can run all the same
  std::vector<std::string> reasons = {}, notices = {};
  runtime::CoreReport core = {};
  std::vector<AdmittedLoop> loops = {};  // as declared.loops
  Overheads<Ticks> overheads = {};
  std::vector<SerialShare> serial = {};  // by port
  std::optional<StatedInputs> inputs = {};
};

/// Admits the loops, or states why not. `anyway`: loops that are refused are to run all the same.
Admitted admit(const Declared& declared, bool anyway);

}  // namespace hocket::uno
