// Another system beside the kernel: see beside.h.
//
// Source: QEMU 7.2's manual, «Invocation» (-rtc, -chardev) and «Generic Loader».
#include "simulation/peer/beside.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "simulation/program/options.h"

namespace hocket::world {
namespace {

using program::UsageError;

std::string hexadecimal(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

unsigned parse_memory(const std::string& option, const std::string& text, unsigned long most) {
  char* end = nullptr;
  const unsigned long memory = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || memory == 0 || memory > most) {
    throw UsageError{option + " takes 1 to " + std::to_string(most) +
                     ", the MiB of its memory, not \"" + text + "\""};
  }
  return static_cast<unsigned>(memory);
}

Program parse_program(const std::string& text) {
  const size_t colon = text.find(':');
  const std::string address = text.substr(0, colon);
  char* end = nullptr;
  const uint64_t value = std::strtoull(address.c_str(), &end, 16);
  if (address.empty() || *end != '\0' || colon == std::string::npos || colon + 1 == text.size()) {
    throw UsageError{"--load takes ADDRESS:FILE, not \"" + text + "\""};
  }
  return {value, text.substr(colon + 1)};
}

void check(const Beside& beside) {
  const bool programs = !beside.programs.empty(), console = !beside.console.empty();
  if (!beside.there() && (programs || console)) {
    throw UsageError{"--load and --console are for --beside"};
  }
  if (beside.there() && !(programs && console)) {
    throw UsageError{"--beside needs --load and --console"};
  }
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == ',' ? std::string(",,") : std::string(1, c);
  return result;
}

std::vector<std::string> emulator_words(const Beside& beside) {
  std::vector<std::string> words = {"-rtc", "base=2026-01-01T00:00:00,clock=vm", "-nic", "none"};
  for (const Program& program : beside.programs) {
    words.emplace_back("-device");
    words.push_back("loader,addr=" + hexadecimal(program.address) +
                    ",force-raw=on,file=" + escaped(program.file));
  }
  const std::string console = "file,id=beside,path=" + escaped(beside.console);
  for (const std::string& word :
       {std::string("-chardev"), console, std::string("-serial"), std::string("chardev:beside")}) {
    words.push_back(word);
  }
  return words;
}

std::string kernel_word(const Beside& beside) {
  std::string word = "beside=";
  for (const Program& program : beside.programs) {
    if (word.back() != '=') word += ':';
    word += hexadecimal(program.address);
  }
  return word;
}

ProgramLinks::ProgramLinks(const Beside& beside, const std::string& folder) {
  for (const Program& program : beside.programs) {
    std::error_code error;
    const std::string link = folder + "/program-" + std::to_string(links_.size());
    std::filesystem::create_symlink(std::filesystem::absolute(program.file), link, error);
    if (error) {
      remove_links();
      throw UsageError{"cannot make the link " + link + ": " + error.message()};
    }
    links_.push_back(link);
  }
}

ProgramLinks::~ProgramLinks() {
  remove_links();
}

void ProgramLinks::remove_links() {
  std::error_code ignored;
  for (const std::string& link : links_) std::filesystem::remove(link, ignored);
}

}  // namespace hocket::world
