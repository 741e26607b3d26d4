// A failed invariant of the kernel becomes an exception that a test can expect.
#pragma once

#include <stdexcept>
#include <string>

struct CheckFailed : std::logic_error {
  using std::logic_error::logic_error;
};
