// The contract suite beside another world, where the image is for that and the command line ends
// with the word `neighbour`: its program runs below all tests, and some are about it.
#pragma once

namespace hocket::contract {

/// The other world runs from the next time on that core 0 is idle. Core 0, masked.
void begin_neighbour();

/// The first thread.
void run_neighbour_tests();

}  // namespace hocket::contract
