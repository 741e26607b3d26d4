// Two services that libraries ask for before anything else: an address (DHCP, RFC 2131) and the
// addresses of names (DNS, RFC 1035). Packets in, packets out.
#pragma once

#include <optional>
#include <string>

#include "simulation/parts/net_peer.h"

namespace hocket::sim {

inline constexpr uint16_t kDhcpPort = 67, kDnsPort = 53;

/// The answer of a server that gives `address` to every client; nullopt: not a request.
std::optional<std::string> dhcp_answer(const std::string& request, const Ip& address,
                                       const Ip& server);
/// The answer of a server that resolves every name to `address`.
std::optional<std::string> dns_answer(const std::string& request, const Ip& address);

}  // namespace hocket::sim
