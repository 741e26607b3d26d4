// Serves the kernel until it sends Goodbye, the emulator ends, or a user ends the run.
#pragma once

#include <algorithm>
#include <functional>
#include <string>

#include "simulation/peer/channel.h"
#include "simulation/peer/child.h"
#include "simulation/peer/session.h"

namespace hocket::world {

/// How long to wait for the kernel, in milliseconds of host time.
struct Patience {
  int hello = 60'000;  // for its first request, in case the kernel does not start
  int stop = 2'000;    // for its next request after an interrupt
  int leave = 2'000;   // for the emulator's end after Goodbye
};

/// A run that did not end regularly: the exit status and a sentence.
struct Broken {
  int status;
  std::string why;
};

/// Makes SIGINT, SIGTERM and SIGHUP readable (signalfd(2)): the first asks the kernel to end the
/// run, the second ends the emulator. Call before the child is started.
Descriptor interrupts();

/// Serves the session until it is over. `conclusion` then supplies the exit status that the kernel
/// passes to the emulator. Throws Broken.
void serve(Session& session, Channel& channel, Child& child, int interrupts,
           const std::function<int()>& conclusion, const Patience& patience = {});

}  // namespace hocket::world
