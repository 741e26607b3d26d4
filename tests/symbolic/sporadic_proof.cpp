// Proves what SporadicServer promises, from any valid state, operation by operation:
// docs/decisions/proving-the-server.md.
#include <cstdlib>
#include <cstring>

#include "tests/symbolic/proof.h"

namespace hocket::symbolic {
namespace {

using These = Steps<HOCKET_PROOF_TICKS, HOCKET_PROOF_CAPACITY, HOCKET_PROOF_APART>;
struct Operation {
  const char* name;
  void (These::*run)();
};
constexpr Operation kOperations[] = {
    {"reset", &These::reset},
    {"unblock", &These::unblock},
    {"stop", &These::stop},
    {"stop late", &These::stop_late},
    {"use_up", &These::use_up},
    {"refresh", &These::refresh},
    {"join_crumbs", &These::join_crumbs},
};

bool operations(unsigned count, unsigned most, bool few) {
  for (const Operation& operation : kOperations) {
    const std::string name = std::string(operation.name) + ", " + std::to_string(count) + " of " +
                             std::to_string(most) + " refills";
    if (!holds(name, [&] { (These(count, most, few).*operation.run)(); })) return false;
  }
  return true;
}

}  // namespace
}  // namespace hocket::symbolic

/// Arguments: `few` or `all` rounds of loops on a long list; then lists, as REFILLS/MOST.
int main(int count, char** arguments) {
  using namespace hocket::symbolic;
  bool held = count > 2;
  for (int i = 2; held && i < count; ++i) {
    char* of = nullptr;
    const auto refills = static_cast<unsigned>(std::strtoul(arguments[i], &of, 10));
    const auto most = static_cast<unsigned>(std::strtoul(of + 1, nullptr, 10));
    held = operations(refills, most, std::strcmp(arguments[1], "few") == 0);
  }
  return say_whether(held);
}
