// A board of devices for tests: what the sketch's side does, in short words, and what it reports.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "simulation/devices/devices.h"

namespace hocket::sim::test {

using sys::PinMode;

constexpr Nanos us(uint64_t n) {
  return n * 1000;
}
constexpr Nanos ms(uint64_t n) {
  return n * 1'000'000;
}
constexpr Nanos s(uint64_t n) {
  return n * 1'000'000'000;
}

struct Sent {
  Nanos when;
  unsigned port;
  uint8_t byte;
};

class Rig : public DeviceSink {
 public:
  explicit Rig(const std::string& scenario = "", uint64_t seed = 1, const std::string& vcd = "") {
    board = Devices::create({seed, scenario.empty() ? "" : "hocket-scenario 1\n" + scenario, vcd},
                            *this);
  }
  void serial_out(Nanos when, unsigned port, uint8_t byte) override {
    sent.push_back({when, port, byte});
  }

  Devices* operator->() { return board.get(); }
  void output(unsigned pin) { ASSERT_TRUE(board->pin_mode(0, pin, PinMode::Output)); }
  std::string sent_text(unsigned port = 0) const {
    std::string text;
    for (const Sent& each : sent)
      if (each.port == port) text += static_cast<char>(each.byte);
    return text;
  }
  size_t write(Nanos now, unsigned port, const std::string& text) {
    return board->serial_write(now, port, reinterpret_cast<const uint8_t*>(text.data()),
                               text.size());
  }
  std::string received(Nanos now, unsigned port) {
    std::string text;
    for (int byte; (byte = board->serial_read(now, port)) >= 0;) text += static_cast<char>(byte);
    return text;
  }

  std::vector<Sent> sent;
  std::unique_ptr<Devices> board;
};

/// The value of `key` in the object of `part` in the facts: a reader for exactly the shape that
/// Facts writes, objects without nesting.
inline std::string fact(const std::string& facts, const std::string& part, const std::string& key) {
  const std::string head = "\"" + part + "\": {";
  const size_t begin = facts.find(head);
  if (begin == std::string::npos) return "no part " + part;
  const size_t end = facts.find('}', begin);
  const std::string name = "\"" + key + "\": ";
  const size_t found = facts.find(name, begin);
  if (found == std::string::npos || found > end) return "no fact " + key;
  const size_t value = found + name.size();
  return facts.substr(value, std::min(facts.find(", \"", value), end) - value);
}

inline double number(const std::string& facts, const std::string& part, const std::string& key) {
  return std::stod(fact(facts, part, key));
}

/// A wave file read back, independently of its writer: scope.name → (instant, value) in order.
class Vcd {
 public:
  struct Change {
    Nanos when;
    std::string value;
  };
  explicit Vcd(const std::string& file) {
    std::ifstream in(file);
    std::string word;
    std::vector<std::string> scopes;
    std::map<std::string, std::vector<std::string>> names;
    Nanos now = 0;
    bool body = false;
    while (in >> word) {
      if (word == "$scope") {
        in >> word >> word;
        scopes.push_back(word);
        skip(in);
      } else if (word == "$upscope") {
        scopes.pop_back();
        skip(in);
      } else if (word == "$var") {
        std::string type, width, id, name;
        in >> type >> width >> id >> name;
        const std::string full = scopes.back() + "." + name;
        EXPECT_FALSE(order_contains(full)) << full << " declared twice";
        order.push_back(full);
        names[id].push_back(full);
        skip(in);
      } else if (word == "$timescale") {
        std::string number, unit;
        in >> number >> unit;
        EXPECT_EQ(number + unit, "1ns");
        skip(in);
      } else if (word == "$enddefinitions") {
        skip(in);
        body = true;
      } else if (word == "$dumpvars" || word == "$end") {
        EXPECT_TRUE(body);
      } else if (word[0] == '$') {
        skip(in);
      } else if (word[0] == '#') {
        const Nanos then = std::stoull(word.substr(1));
        EXPECT_GE(then, now) << "instants must ascend";
        now = then;
      } else {
        std::string value = word.substr(0, 1), id = word.substr(1);
        if (value == "r") {
          value = id;
          in >> id;
        }
        EXPECT_TRUE(names.contains(id)) << "undeclared " << id;
        for (const std::string& name : names[id]) changes[name].push_back({now, value});
      }
    }
    end = now;
    EXPECT_TRUE(scopes.empty());
  }

  bool order_contains(const std::string& name) const {
    return std::find(order.begin(), order.end(), name) != order.end();
  }
  /// Instants at which a digital signal becomes `value`, the initial value not counted.
  std::vector<Nanos> edges(const std::string& name, const std::string& value) const {
    std::vector<Nanos> result;
    const auto& list = changes.at(name);
    for (size_t i = 1; i < list.size(); ++i)
      if (list[i].value == value) result.push_back(list[i].when);
    return result;
  }

  std::vector<std::string> order;
  std::map<std::string, std::vector<Change>> changes;
  Nanos end = 0;

 private:
  static void skip(std::istream& in) {
    for (std::string word; in >> word && word != "$end";) {
    }
  }
};

inline std::string file_text(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A name for a file of the running test; the file is removed when the program ends.
inline std::string temp_file(const std::string& name) {
  static struct Remover {
    std::vector<std::string> files;
    ~Remover() {
      for (const std::string& file : files) std::remove(file.c_str());
    }
  } remover;
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  // Several builds may run the same test at the same time.
  remover.files.push_back(testing::TempDir() + std::to_string(getpid()) + "_" +
                          test->test_suite_name() + "_" + test->name() + "_" + name);
  return remover.files.back();
}

}  // namespace hocket::sim::test
