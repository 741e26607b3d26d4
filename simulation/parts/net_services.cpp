#include "simulation/parts/net_services.h"

namespace hocket::sim {
namespace {

constexpr size_t kDhcpOptions = 240;  // after the magic cookie
constexpr char kDiscover = 1, kOffer = 2, kRequest = 3, kAcknowledged = 5;

void append_ip(std::string& text, const Ip& ip) {
  for (const uint8_t each : ip) text += static_cast<char>(each);
}

/// The message type (option 53); 0: none.
char kind_of(const std::string& request) {
  for (size_t at = kDhcpOptions; at + 2 < request.size();) {
    const auto code = static_cast<uint8_t>(request[at]);
    if (code == 255) return 0;
    if (code == 0) {
      ++at;
      continue;
    }
    if (code == 53) return request[at + 2];
    at += 2u + static_cast<uint8_t>(request[at + 1]);
  }
  return 0;
}

void append_option(std::string& text, uint8_t code, const Ip& ip) {
  text += static_cast<char>(code);
  text += '\4';
  append_ip(text, ip);
}

}  // namespace

std::optional<std::string> dhcp_answer(const std::string& request, const Ip& address,
                                       const Ip& server) {
  if (request.size() <= kDhcpOptions || request[0] != 1) return {};
  const char kind = kind_of(request);
  if (kind != kDiscover && kind != kRequest) return {};
  std::string answer = request.substr(0, kDhcpOptions);
  answer[0] = 2;  // a reply, with the same number and hardware address
  std::string mine, theirs;
  append_ip(theirs, address);
  append_ip(mine, server);
  answer.replace(16, 4, theirs);
  answer.replace(20, 4, mine);
  answer += std::string("\x35\x01", 2) + (kind == kDiscover ? kOffer : kAcknowledged);
  append_option(answer, 54, server);              // server
  append_option(answer, 51, {0, 1, 0x51, 0x80});  // lease: a day
  append_option(answer, 1, {255, 255, 255, 0});   // mask
  append_option(answer, 3, server);               // gateway
  append_option(answer, 6, server);               // names
  answer += '\xff';
  return answer;
}

std::optional<std::string> dns_answer(const std::string& request, const Ip& address) {
  constexpr size_t kHead = 12;
  if (request.size() < kHead + 6 || (request[2] & '\x80') != 0) return {};
  size_t end = kHead;
  while (end < request.size() && request[end] != 0) end += 1u + static_cast<uint8_t>(request[end]);
  end += 5;  // the end of the name, type and class
  if (end > request.size()) return {};
  std::string answer = request.substr(0, end);
  answer[2] = '\x81';  // an answer, with recursion desired
  answer[3] = '\x80';
  answer[5] = answer[7] = 1;  // one question, one answer
  answer[8] = answer[9] = answer[10] = answer[11] = 0;
  // The question's name; type A, class IN; an hour.
  answer += std::string("\xc0\x0c\0\1\0\1\0\0\x0e\x10\0\4", 12);
  append_ip(answer, address);
  return answer;
}

}  // namespace hocket::sim
