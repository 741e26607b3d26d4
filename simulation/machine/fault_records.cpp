// Faults as they are kept while the board runs (see program.h). Not instrumented.
#include "simulation/machine/program.h"

namespace hocket::sim {
namespace {

constexpr unsigned kMostThreads = 257;  // every thread stops once at most
FaultRecord records[kMostThreads];
unsigned records_used = 0;

}  // namespace

unsigned record_fault(const FaultRecord& fault) {
  if (records_used < kMostThreads) records[records_used++] = fault;
  return records_used;
}

std::vector<program::Fault> recorded_faults() {
  std::vector<program::Fault> faults;
  for (unsigned i = 0; i < records_used; ++i) {
    const FaultRecord& record = records[i];
    faults.push_back({record.loop, record.kind, record.address, record.code, record.text});
  }
  return faults;
}

}  // namespace hocket::sim
