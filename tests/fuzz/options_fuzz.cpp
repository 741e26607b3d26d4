// Fuzz target: any words as the command line of a simulated sketch either are refused with a
// sentence that quotes one of them, or give options that are in range and mean the same when
// written out.
//
// The input is the words, each ended by a newline. With libFuzzer: `options_fuzz
// tests/fuzz/corpus/options`. Without (HOCKET_CORPUS_RUN): `options_corpus FOLDER` runs every file
// of the folder and a fixed number of mutations of each, the same ones every time.
#include <getopt.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ports/host/port.h"
#include "simulation/program/options.h"

namespace {

using hocket::program::Options;
using Words = std::vector<std::string>;

constexpr const char* kProgram = "the-program-itself";

[[noreturn]] void broken(const char* property, const std::string& detail) {
  std::fprintf(stderr, "options: %s: %s\n", property, detail.c_str());
  std::abort();
}

Options parse(const Words& words) {
  std::vector<std::string> kept = {kProgram};
  kept.insert(kept.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : kept) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  optind = 0;  // the library starts afresh
  return hocket::program::parse_options(static_cast<int>(kept.size()), arguments.data(),
                                        hocket::host::HostPort::kCores);
}

/// The refusal's last quotation is (part of) a word that was given.
void check_refusal(const std::string& text, const Words& words) {
  const size_t end = text.rfind('"');
  const size_t begin = text.find('"');
  if (end == std::string::npos || begin == end) broken("a refusal quotes nothing", text);
  for (const std::string& word : words) {
    if (text.find('"' + word + '"') != std::string::npos) return;
    const size_t value = word.find('=');
    if (value == std::string::npos) continue;
    if (text.find('"' + word.substr(value + 1) + '"') != std::string::npos) return;
  }
  broken("a refusal quotes what was not given", text);
}

Words written_out(const Options& o) {
  Words words = {"--cores=" + std::to_string(o.cores),
                 "--for=" + std::to_string(o.duration),
                 "--seed=" + std::to_string(o.seed),
                 "--serial-limit=" + std::to_string(o.serial_limit),
                 "--scenario=" + o.scenario_file,
                 "--facts=" + o.facts_file,
                 "--log=" + o.log_file,
                 "--vcd=" + o.vcd_file};
  for (const std::string& text : o.expect_texts) words.push_back("--expect-text=" + text);
  for (const std::string& text : o.fail_texts) words.push_back("--fail-text=" + text);
  for (const std::string& text : o.note_texts) words.push_back("--note-text=" + text);
  if (o.check_only) words.push_back("--check");
  return words;
}

void check_options(const Options& o) {
  if (o.cores < 1 || o.cores > hocket::host::HostPort::kCores) broken("cores", "out of range");
  if (o.duration < 1 || o.duration > INT64_MAX / 2) broken("for", "out of range");
  if (o.serial_limit < 1) broken("serial-limit", "out of range");
  const Words words = written_out(o);
  if (written_out(parse(words)) != words) broken("written out", "means something else");
}

/// Whether the words are options.
bool accepted(const std::string& input) {
  Words words;
  std::string word;
  for (const char c : input) {
    if (c == '\n') {
      words.push_back(word);
      word.clear();
    } else if (c != '\0') {
      word += c;  // a word cannot contain the zero that ends it
    }
  }
  if (!word.empty()) words.push_back(word);
  try {
    check_options(parse(words));
    return true;
  } catch (const hocket::program::UsageError& error) {
    check_refusal(error.text, words);
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  accepted(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

#ifdef HOCKET_CORPUS_RUN
#include "tests/fuzz/corpus.h"

namespace {

std::string mutated(std::string text, hocket::sim::Random& random) {
  static const char* const pieces[] = {"\n",       "--",      "-", "=",
                                       "--cores=", "--for\n", "+", "9999999999"};
  for (uint64_t changes = random.between(1, 4); changes > 0 && !text.empty(); --changes) {
    const size_t at = random.between(0, text.size() - 1);
    switch (random.between(0, 3)) {
      case 0:
        text[at] = static_cast<char>(random.between(0, 255));
        break;
      case 1:
        text.erase(at, random.between(1, 5));
        break;
      case 2:
        text.insert(at, text.substr(random.between(0, text.size() - 1), random.between(1, 12)));
        break;
      default:
        text.insert(at, pieces[random.between(0, std::size(pieces) - 1)]);
    }
  }
  return text;
}

}  // namespace

int main(int count, char** words) {
  return hocket::fuzz::run({.program = "options_corpus",
                            .what = "options",
                            .mutations = 2'500,
                            .accepted = &accepted,
                            .mutated = &mutated},
                           count, words);
}
#endif
