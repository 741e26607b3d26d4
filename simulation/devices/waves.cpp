// The wave file: see waves.h.

#include "simulation/devices/waves.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hocket::sim {
namespace {

constexpr size_t kBuffer = 65536;

/// Identifier codes are strings of the printable characters ! to ~ (IEEE 1364-2005, 18.2.1).
std::string code(Waves::Signal signal) {
  constexpr unsigned kBase = '~' - '!' + 1;
  std::string result;
  do {
    result += static_cast<char>('!' + signal % kBase);
    signal /= kBase;
  } while (signal != 0);
  return result;
}

std::string signal_name(const std::string& scope, const std::string& name) {
  return scope == "board" ? name : scope + "_" + name;
}

[[noreturn]] void fail(const std::string& file) {
  throw DeviceError("the wave file " + file + " cannot be written (" + std::strerror(errno) +
                    "): name another file with --vcd, or make room");
}

/// A folder for unnamed temporary files; std::tmpfile() supports only one folder.
std::FILE* nameless_file() {
  const char* const folder = std::getenv("TMPDIR");
  const int file =
      folder == nullptr ? -1 : open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  return file < 0 ? std::tmpfile() : fdopen(file, "w+b");
}

}  // namespace

std::string decimal(int64_t value, unsigned decimals) {
  const bool negative = value < 0;
  std::string digits =
      std::to_string(negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  if (decimals > 0) {
    digits.insert(digits.size() - decimals, 1, '.');
    while (digits.back() == '0') digits.pop_back();
    if (digits.back() == '.') digits.pop_back();
  }
  return negative && digits != "0" ? "-" + digits : digits;
}

Waves::Waves(const std::string& file) : file_(file) {
  if (file.empty()) return;
  out_.reset(std::fopen(file.c_str(), "wb"));
  if (!out_) fail(file);
  body_.reset(nameless_file());
  if (!body_) fail(file);
  buffer_.resize(kBuffer);
  std::setvbuf(body_.get(), buffer_.data(), _IOFBF, buffer_.size());
}

Waves::~Waves() = default;

Waves::Signal Waves::wire(const std::string& scope, const std::string& name, unsigned order,
                          char initial) {
  if (!on()) return kNoSignal;
  const auto signal = static_cast<Signal>(states_.size());
  states_.push_back({false, 0, initial, initial});
  variables_.push_back({scope, signal_name(scope, name), order, signal});
  return signal;
}

Waves::Signal Waves::real(const std::string& scope, const std::string& name, unsigned order,
                          int64_t initial, unsigned decimals) {
  if (!on()) return kNoSignal;
  const auto signal = static_cast<Signal>(states_.size());
  states_.push_back({true, decimals, initial, initial});
  variables_.push_back({scope, signal_name(scope, name), order, signal});
  return signal;
}

void Waves::alias(const std::string& scope, const std::string& name, unsigned order,
                  Signal signal) {
  if (on()) variables_.push_back({scope, signal_name(scope, name), order, signal});
}

void Waves::stamp(Nanos when) {
  if (when <= stamped_) return;
  stamped_ = when;
  std::array<char, 24> text{'#'};
  char* end = std::to_chars(text.data() + 1, text.data() + text.size() - 1, when).ptr;
  *end++ = '\n';
  std::fwrite(text.data(), 1, static_cast<size_t>(end - text.data()), body_.get());
}

std::string Waves::text(const State& state, int64_t value, Signal signal) const {
  if (state.real) return "r" + decimal(value, state.decimals) + " " + code(signal) + "\n";
  return static_cast<char>(value) + code(signal) + "\n";
}

void Waves::set(Nanos when, Signal signal, int64_t value) {
  if (!on() || states_[signal].value == value) return;
  states_[signal].value = value;
  mark(when, signal);
}

void Waves::mark(Nanos when, Signal signal) {
  if (!on()) return;
  stamp(when);
  const State& state = states_[signal];
  std::fputs(text(state, state.value, signal).c_str(), body_.get());
}

void Waves::jump(Nanos when, Signal signal, int64_t value) {
  if (!on() || states_[signal].value == value) return;
  mark(when, signal);
  set(when, signal, value);
}

void Waves::set(Nanos when, Signal signal, char value) {
  set(when, signal, int64_t{value});
}

void Waves::header() const {
  std::vector<Variable> sorted = variables_;
  std::sort(sorted.begin(), sorted.end(), [](const Variable& a, const Variable& b) {
    // The board's own scope first, then the parts by name.
    const auto key = [](const Variable& v) {
      return std::tuple(v.scope != "board", v.scope, v.order, v.name);
    };
    return key(a) < key(b);
  });
  std::FILE* out = out_.get();
  std::fputs("$version Hocket sim $end\n$timescale 1 ns $end\n", out);
  const std::string* scope = nullptr;
  for (const Variable& variable : sorted) {
    if (scope == nullptr || *scope != variable.scope) {
      if (scope != nullptr) std::fputs("$upscope $end\n", out);
      std::fprintf(out, "$scope module %s $end\n", variable.scope.c_str());
      scope = &variable.scope;
    }
    const bool real = states_[variable.signal].real;
    std::fprintf(out, "$var %s %d %s %s $end\n", real ? "real" : "wire", real ? 64 : 1,
                 code(variable.signal).c_str(), variable.name.c_str());
  }
  if (scope != nullptr) std::fputs("$upscope $end\n", out);
  std::fputs("$enddefinitions $end\n#0\n$dumpvars\n", out);
  for (Signal signal = 0; signal < states_.size(); ++signal)
    std::fputs(text(states_[signal], states_[signal].initial, signal).c_str(), out);
  std::fputs("$end\n", out);
}

void Waves::finish(Nanos end) {
  if (!on()) return;
  stamp(end);
  header();
  if (std::fseek(body_.get(), 0, SEEK_SET) != 0) fail(file_);
  std::array<char, 65536> buffer;
  for (size_t size; (size = std::fread(buffer.data(), 1, buffer.size(), body_.get())) > 0;)
    std::fwrite(buffer.data(), 1, size, out_.get());
  const bool bad = std::ferror(body_.get()) != 0 || std::ferror(out_.get()) != 0;
  if (std::fclose(out_.release()) != 0 || bad) fail(file_);
  body_.reset();
}

}  // namespace hocket::sim
