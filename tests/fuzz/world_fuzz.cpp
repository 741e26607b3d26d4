// Fuzz target: whatever bytes come from a kernel, the world either refuses them with a sentence or
// answers every request as the protocol says, and what it concludes is a report.
//
// The input is the stream of bytes. One that begins with "script" is text instead, each line a
// request: OPERATION CORE TIME A B C, then "text PAYLOAD", "words SIZE N N …" (numbers of 32 bits,
// the rest of the payload is zero) or nothing. With libFuzzer: `world_fuzz
// tests/fuzz/corpus/world`. Without (HOCKET_CORPUS_RUN): `world_corpus FOLDER` runs every file of
// the folder and a fixed number of mutations of each, the same ones every time.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "simulation/peer/conclude.h"

namespace {

using namespace hocket;
using world::Request;

constexpr const char* kScenario =
    "hocket-scenario 1\npart button b\npin 22\npressed at=100000 for=50000\n"
    "part serial gps\nport 1\nsend at=200000 text=68656c6c6f\nsend after=6f wait=1000 text=6f6b\n"
    "part loopback l\nport 0\n";

[[noreturn]] void broken(const char* property, const std::string& detail) {
  std::fprintf(stderr, "world: %s: %s\n", property, detail.c_str());
  std::abort();
}

std::string compiled(const std::string& script) {
  std::istringstream lines(script);
  std::string line, stream;
  std::getline(lines, line);  // "script"
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    Request request{};
    std::string kind, payload;
    words >> request.operation >> request.core >> request.time >> request.a >> request.b >>
        request.c >> kind;
    size_t size = 0;
    if (kind == "text") std::getline(words.ignore(), payload);
    if (kind == "words" && words >> size) payload.assign(std::min<size_t>(size, 70'000), '\0');
    uint32_t number = 0;
    for (size_t at = 0; at + sizeof number <= payload.size() && kind == "words";
         at += sizeof number) {
      if (!(words >> number)) break;
      std::memcpy(&payload[at], &number, sizeof number);
    }
    request.payload = static_cast<uint32_t>(payload.size());
    stream.append(reinterpret_cast<const char*>(&request), sizeof request);
    stream += payload;
  }
  return stream;
}

void check_answer(const Request& request, const world::Answer& answer, bool stop_expected) {
  const bool hello = request.operation == static_cast<uint16_t>(world::Operation::Hello);
  if (hello && answer.payload.size() != sizeof(world::Settings)) broken("settings", "size");
  if (answer.reply.payload != answer.payload.size()) broken("payload", "size");
  const auto operation = static_cast<world::Operation>(request.operation);
  const bool of_bus =
      operation == world::Operation::I2cTransfer || operation == world::Operation::SpiTransfer;
  if (!hello && !of_bus && answer.reply.payload != 0) broken("payload", "with a reply of none");
  if (stop_expected && answer.reply.stop == 0) broken("stop", "forgotten");
  if (answer.reply.look_at <= request.time) broken("look_at", "in the past");
  if (answer.reply.levels[1] >> (70 - 64) != 0) broken("levels", "of pins that are not there");
}

/// Whether the stream is a whole run.
bool accepted(const std::string& input) {
  const std::string stream = input.starts_with("script\n") ? compiled(input) : input;
  program::Options options;
  options.cores = 2;
  options.duration = 1'000'000;
  options.expect_texts = {"ready"};
  world::WorldConsole console(options);
  const auto devices =
      sim::Devices::create({.seed = 1, .scenario = kScenario, .vcd_file = ""}, console);
  program::LogFile log;
  world::Session session(options, *devices, console, log);
  world::RequestReader reader;
  const auto* bytes = reinterpret_cast<const uint8_t*>(stream.data());
  Request request{};
  std::vector<uint8_t> payload;
  try {
    bool stop = false;
    for (size_t at = 0; at < stream.size() && !session.over();) {  // in pieces of many sizes
      const size_t piece = std::min<size_t>(stream.size() - at, 1 + at * 7 % 97);
      reader.add({bytes + at, piece});
      at += piece;
      while (!session.over() && reader.next(request, payload)) {
        const world::Answer answer = session.handle(request, payload);
        stop = stop || console.wants_stop();
        check_answer(request, answer, stop);
      }
    }
  } catch (const world::ProtocolError& error) {
    if (error.text.size() < 10) broken("a refusal says little", error.text);
    return false;
  }
  if (!session.over()) return false;
  const world::Conclusion end =
      world::conclude(session, options, {"virt", "-M virt{more} -smp {cores} -m {memory}"},
                      world::Timing::Counted, *devices, console);
  const int status = end.status;
  if (status != 0 && status != 1 && status != 2 && status != 3 && status != 42)
    broken("status", std::to_string(status));
  if (!end.facts) return true;
  const auto facts = nlohmann::json::parse(program::to_json(*end.facts));
  if (facts.at("end") == "" || !facts.at("serial").is_array()) broken("facts", facts.dump());
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::freopen("/dev/null", "w", stdout);
  accepted(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

#ifdef HOCKET_CORPUS_RUN
#include "tests/fuzz/corpus.h"

namespace {

/// Changes bytes, and leaves out, doubles and moves pieces.
std::string mutated(std::string stream, sim::Random& random) {
  for (uint64_t changes = random.between(1, 3); changes > 0 && !stream.empty(); --changes) {
    const size_t at = random.between(0, stream.size() - 1);
    const size_t request = at / sizeof(Request) * sizeof(Request);
    switch (random.between(0, 4)) {
      case 0:
        stream[at] = static_cast<char>(random.between(0, 255));
        break;
      case 1:
        stream[at] = static_cast<char>(stream[at] ^ 1 << random.between(0, 7));
        break;
      case 2:
        stream.erase(at, random.between(1, 2 * sizeof(Request)));
        break;
      case 3:
        stream.insert(at, stream.substr(random.between(0, stream.size() - 1), sizeof(Request)));
        break;
      default:  // an operation near by
        if (request + 4 < stream.size())
          stream[request + 4] = static_cast<char>(random.between(0, 80));
    }
  }
  return stream;
}

}  // namespace

int main(int count, char** words) {
  std::freopen("/dev/null", "w", stdout);  // the bytes of Serial
  return fuzz::run({.program = "world_corpus",
                    .what = "runs",
                    .mutations = 350,
                    .accepted = &accepted,
                    .mutated = &mutated,
                    .compiled = &compiled},
                   count, words);
}
#endif
