// Storage for faults while the board runs (see program.h). Not instrumented.
#include "simulation/machine/program.h"

namespace hocket::sim {
namespace {

constexpr unsigned kMostThreads = 257;  // every thread stops at most once
constexpr unsigned kMostHandlers =
    16;  // of direct handlers, which may be attached again: the first ones
FaultRecord records[kMostThreads + kMostHandlers];
unsigned records_used = 0;
unsigned threads_stopped = 0;
unsigned handlers_stopped = 0;

}  // namespace

unsigned record_fault(const FaultRecord& fault) {
  unsigned& kind = fault.pin ? handlers_stopped : threads_stopped;
  if (kind < (fault.pin ? kMostHandlers : kMostThreads)) {
    ++kind;
    records[records_used++] = fault;
  }
  return threads_stopped;
}

std::vector<program::Fault> recorded_faults() {
  std::vector<program::Fault> faults;
  for (unsigned i = 0; i < records_used; ++i) {
    const FaultRecord& record = records[i];
    faults.push_back(
        {record.loop, record.kind, record.address, record.code, record.text, record.pin});
  }
  return faults;
}

}  // namespace hocket::sim
