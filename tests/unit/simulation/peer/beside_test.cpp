// What QEMU and the kernel are told of another system beside the kernel.
#include "simulation/peer/beside.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "simulation/peer/emulator.h"
#include "simulation/program/options.h"

namespace hocket::world {
namespace {

using program::UsageError;

Beside linux_beside() {
  return {512, {{0x4040'0000, "/a/Image"}, {0x4700'0000, "/a,b/tree"}}, "/a/console"};
}

std::vector<std::string> command(const Beside& beside) {
  const BoardInfo board{"board", "-M virt,gic-version=3{more} -smp {cores} -m {memory}", 256};
  return emulator_command(board, "image", 2, Timing::Counted, "/pipes", false, beside);
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string after(const std::vector<std::string>& words, const std::string& option) {
  const auto found = std::find(words.begin(), words.end(), option);
  return found == words.end() ? "" : *std::next(found);
}

TEST(Beside, OptionsAreRead) {
  EXPECT_EQ(parse_memory("--beside", "512", 1024), 512U);
  const Program program = parse_program("0x40400000:/with:colon");
  EXPECT_EQ(program.address, 0x4040'0000U);
  EXPECT_EQ(program.file, "/with:colon");
}

TEST(Beside, OptionsThatAreNoneAreRefused) {
  for (const char* text : {"", "0", "1025", "512M", "-1", "99999999999999999999"}) {
    EXPECT_THROW(parse_memory("--beside", text, 1024), UsageError) << text;
  }
  for (const char* text : {"", ":", "0x1", "0x1:", ":file", "x:file", "0x1 :file"}) {
    EXPECT_THROW(parse_program(text), UsageError) << text;
  }
}

TEST(Beside, HalfOfItIsRefused) {
  EXPECT_NO_THROW(check({}));
  EXPECT_NO_THROW(check(linux_beside()));
  Beside silent = linux_beside(), empty = linux_beside(), nowhere = linux_beside();
  silent.console.clear();
  empty.programs.clear();
  nowhere.memory = 0;
  EXPECT_THROW(check(silent), UsageError);
  EXPECT_THROW(check(empty), UsageError);
  EXPECT_THROW(check(nowhere), UsageError);
}

TEST(Beside, TheMachineIsASecureOneAndBeginsInFlash) {
  const std::vector<std::string> words = command(linux_beside());
  EXPECT_EQ(after(words, "-M"),
            "virt,gic-version=3,virtualization=on,secure=on,acpi=off,dtb-randomness=off");
  EXPECT_EQ(after(words, "-m"), "512M");
  EXPECT_EQ(after(words, "-bios"), "image");
  EXPECT_FALSE(has(words, "-kernel"));
  EXPECT_TRUE(has(words, "loader,addr=0x40400000,force-raw=on,file=/a/Image"));
  EXPECT_TRUE(has(words, "loader,addr=0x47000000,force-raw=on,file=/a,,b/tree"));
  // The first UART is the other system's, the second one, which only the kernel reaches, nobody's.
  EXPECT_EQ(after(words, "-serial"), "chardev:beside");
  EXPECT_EQ(words.size() - 1,
            static_cast<size_t>(std::find(words.begin(), words.end(), "image") - words.begin()));
  EXPECT_NE(after(words, "-semihosting-config").find("arg=beside=0x40400000:0x47000000"),
            std::string::npos);
}

TEST(Beside, WithoutItTheMachineIsAsEver) {
  const std::vector<std::string> words = command({});
  EXPECT_EQ(after(words, "-M"), "virt,gic-version=3");
  EXPECT_EQ(after(words, "-kernel"), "image");
  EXPECT_FALSE(has(words, "-bios"));
  EXPECT_EQ(after(words, "-semihosting-config").find("beside"), std::string::npos);
}

TEST(Beside, TheKernelFindsTheProgramsAgain) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "hocket-beside-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  {
    const ProgramLinks links(linux_beside(), folder.string());
    EXPECT_EQ(std::filesystem::read_symlink(folder / "program-0"), "/a/Image");
    EXPECT_EQ(std::filesystem::read_symlink(folder / "program-1"), "/a,b/tree");
    EXPECT_THROW(ProgramLinks(linux_beside(), folder.string()), UsageError);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace hocket::world
