// Calls out of the machine, with somebody on the other side who answers as the specification says:
// semihosting, PSCI, the spin table.
#include "drivers/psci/calls.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "drivers/semihosting/calls.h"
#include "drivers/spin_table/spin_table.h"
#include "tests/unit/drivers/model_bus.h"

namespace {

using hocket::drivers::testing::ModelBus;

// --- Semihosting ---

/// A host with one file, that moves as many bytes a call as it likes.
struct Host {
  static inline std::string file, name, command_line, printed;
  static inline size_t position, breaks_at;
  static inline std::vector<size_t> pieces;  // the next calls move so many bytes at most; then all
  static inline uint64_t mode, exit_reason, exit_status;

  static size_t piece(size_t size) {
    if (pieces.empty()) return size;
    const size_t most = pieces.back();
    pieces.pop_back();
    return std::min(size, most);
  }

  static int64_t call(uint32_t operation, const void* parameters) {
    const auto* block = static_cast<const uint64_t*>(parameters);
    const auto text = [&](unsigned i) { return reinterpret_cast<char*>(block[i]); };
    switch (operation) {
      case 0x01:
        name = std::string(text(0), block[2]);
        mode = block[1];
        return name == "missing" ? -1 : 7;
      case 0x02:
        return block[0] == 7 ? 0 : -1;
      case 0x04:
        printed += static_cast<const char*>(parameters);
        return 0;
      case 0x05: {
        const size_t size = piece(std::min<size_t>(block[2], breaks_at - file.size()));
        file.append(text(1), size);
        return static_cast<int64_t>(block[2] - size);
      }
      case 0x06: {
        const size_t size = piece(std::min<size_t>(block[2], file.size() - position));
        std::memcpy(text(1), file.data() + position, size);
        position += size;
        return static_cast<int64_t>(block[2] - size);
      }
      case 0x09:
        return 1;
      case 0x0c:
        return static_cast<int64_t>(file.size());
      case 0x13:
        return 2;
      case 0x15:
        if (command_line.size() + 1 > block[1]) return -1;
        std::memcpy(text(0), command_line.c_str(), command_line.size() + 1);
        static_cast<uint64_t*>(const_cast<void*>(parameters))[1] = command_line.size();
        return 0;
      case 0x20:
        exit_reason = block[0];
        exit_status = block[1];
        return -1;
      default:
        throw std::logic_error("operation");
    }
  }
};
using Calls = hocket::drivers::SemihostingHost<Host>;

void start() {
  Host::file.clear();
  Host::pieces.clear();
  Host::position = 0;
  Host::breaks_at = SIZE_MAX;
}

TEST(Semihosting, PassesNamesModesAndAnswers) {
  start();
  const auto file = Calls::open("folder/name", Calls::Mode::Append);
  EXPECT_TRUE(file.ok());
  EXPECT_EQ(Host::name, "folder/name");
  EXPECT_EQ(Host::mode, 9u);
  EXPECT_TRUE(Calls::interactive(file));
  EXPECT_TRUE(Calls::close(file));
  EXPECT_FALSE(Calls::open("missing", Calls::Mode::Read).ok());
  EXPECT_EQ(Calls::error(), 2);
  Calls::print("line\n");
  EXPECT_EQ(Host::printed, "line\n");
  Calls::exit(3);
  EXPECT_EQ(Host::exit_reason, 0x20026u);
  EXPECT_EQ(Host::exit_status, 3u);
}

TEST(Semihosting, ReadsTheCommandLineOrSaysThatItDoesNotFit) {
  Host::command_line = "abc";
  char buffer[4] = {'x', 'x', 'x', 'x'};
  EXPECT_EQ(Calls::command_line(buffer, 0), -1);
  EXPECT_EQ(Calls::command_line(buffer, 3), -1);
  EXPECT_EQ(Calls::command_line(buffer, 4), 3);
  EXPECT_STREQ(buffer, "abc");
}

RC_GTEST_PROP(Semihosting, MovesEverythingWhateverThePieces, (std::string text)) {
  start();
  Host::pieces = *rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(1, 10));
  RC_ASSERT(Calls::write({7}, text.data(), text.size()) == text.size());
  RC_ASSERT(Host::file == text);
  RC_ASSERT(Calls::length({7}) == static_cast<int64_t>(text.size()));
  Host::pieces = *rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(1, 10));
  const auto more = *rc::gen::inRange<size_t>(0, 5);
  std::string back(text.size() + more, '?');
  RC_ASSERT(Calls::read({7}, back.data(), back.size()) == text.size());
  RC_ASSERT(back == text + std::string(more, '?'));
}

RC_GTEST_PROP(Semihosting, MakesATransferAgainAndAgain, (std::string text)) {
  RC_PRE(!text.empty());
  start();
  const auto sending = Calls::Transfer::writing({7}, text.data(), text.size());
  for (int i = 0; i < 2; ++i) {
    Host::pieces = *rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(1, 9));
    RC_ASSERT(sending());
  }
  RC_ASSERT(Host::file == text + text);
  std::string back(2 * text.size(), ' ');
  const auto receiving = Calls::Transfer::reading({7}, back.data(), back.size());
  Host::pieces = *rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(1, 9));
  RC_ASSERT(receiving());
  RC_ASSERT(back == Host::file);
  RC_ASSERT(!receiving());  // the end of the file
  Host::pieces.clear();
  Host::breaks_at = Host::file.size() + text.size() / 2;
  RC_ASSERT(!sending());
}

RC_GTEST_PROP(Semihosting, SaysHowMuchWasWrittenBeforeAnError, (std::string text)) {
  start();
  Host::breaks_at = *rc::gen::inRange<size_t>(0, text.size() + 1);
  RC_ASSERT(Calls::write({7}, text.data(), text.size()) == Host::breaks_at);
}

// --- PSCI ---

struct Firmware {
  static inline std::vector<uint64_t> asked;
  static inline int64_t answer;
  static int64_t call(uint32_t function, uint64_t first, uint64_t second, uint64_t third) {
    asked = {function, first, second, third};
    return answer;
  }
};
using Psci = hocket::drivers::Psci<Firmware>;

TEST(Psci, PassesItsArgumentsAndErrors) {
  Firmware::answer = 0x1'0002;
  EXPECT_EQ(Psci::version().major, 1);
  EXPECT_EQ(Psci::version().minor, 2);
  Firmware::answer = 0;
  EXPECT_EQ(Psci::cpu_on(0x101, 0x4008'0000, 9), Psci::Result::Success);
  EXPECT_EQ(Firmware::asked, (std::vector<uint64_t>{0xc400'0003, 0x101, 0x4008'0000, 9}));
  Firmware::answer = 0xffff'fffc;  // firmware that answers in W0 only
  EXPECT_EQ(Psci::cpu_on(1, 0, 0), Psci::Result::AlreadyOn);
  Firmware::answer = -1;
  EXPECT_EQ(Psci::system_off(), Psci::Result::NotSupported);
  EXPECT_EQ(Firmware::asked[0], 0x8400'0008u);
  EXPECT_EQ(Psci::system_reset(), Psci::Result::NotSupported);
  EXPECT_EQ(Firmware::asked[0], 0x8400'0009u);
}

// --- Spin table ---

struct Table {
  uint64_t words[4] = {};
  uint64_t read(uintptr_t address, size_t) { return words[(address - 0xd8) / 8]; }
  void write(uintptr_t address, size_t size, uint64_t value) {
    if (size != 8) throw std::logic_error("width");
    words[(address - 0xd8) / 8] = value;
  }
  void published() {}
};
struct Wake {
  static inline std::vector<uintptr_t> woken;
  static void wake(uintptr_t word) { woken.push_back(word); }
};
using Cores = hocket::drivers::SpinTable<0xd8, ModelBus<Table>, Wake>;

TEST(SpinTable, SendsEachCoreOnce) {
  static Table table;
  ModelBus<Table>::model = &table;
  EXPECT_FALSE(Cores::start(0, 0x80000));
  EXPECT_FALSE(Cores::start(2, 0));
  EXPECT_TRUE(Cores::start(2, 0x80000));
  EXPECT_FALSE(Cores::start(2, 0x80000));
  EXPECT_EQ(table.words[2], 0x80000u);
  EXPECT_EQ(Wake::woken, std::vector<uintptr_t>{0xe8});
}

}  // namespace
