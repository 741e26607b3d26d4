// Serves the kernel until it says goodbye, the emulator ends, or somebody has had enough.
#pragma once

#include <algorithm>
#include <functional>
#include <string>

#include "simulation/peer/channel.h"
#include "simulation/peer/child.h"
#include "simulation/peer/session.h"

namespace hocket::world {

/// How long the kernel may keep us waiting, in milliseconds of the computer's time.
struct Patience {
  int hello = 60'000;  // for its first word: a kernel that does not start
  int stop = 2'000;    // for its next word after an interrupt
  int leave = 2'000;   // for the emulator's end after goodbye
};

/// A run that did not come to its end: the exit status and a sentence.
struct Broken {
  int status;
  std::string why;
};

/// Makes SIGINT, SIGTERM and SIGHUP something to wait for (signalfd(2)): one asks the kernel to end
/// the run, a second one ends the emulator. To be made before the child is started.
Descriptor interrupts();

/// Serves the session until it is over; `conclusion` is asked then for the exit status that the
/// kernel gives to the emulator. Throws Broken.
void serve(Session& session, Channel& channel, Child& child, int interrupts,
           const std::function<int()>& conclusion, const Patience& patience = {});

}  // namespace hocket::world
