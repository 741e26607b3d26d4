// Files that a run leaves: replaced whole or not at all, by one run at a time, and below the folder
// that is allowed.
#include "simulation/devices/kept_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "simulation/devices/devices.h"

namespace hocket::sim {
namespace {

namespace files = std::filesystem;

class KeptFiles : public testing::Test {
 protected:
  KeptFiles() {
    std::string name = testing::TempDir() + "hocket-kept-XXXXXX";
    folder = ::mkdtemp(name.data());
    files::create_directory(folder / "inside");
    files::create_directory(folder / "outside");
  }
  ~KeptFiles() override { files::remove_all(folder); }

  /// Below the folder that is allowed.
  std::string named(const std::string& below) const {
    return (folder / "inside").string() + '\0' + below;
  }
  files::path inside(const std::string& name) const { return folder / "inside" / name; }
  static std::string text(const files::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const files::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }
  size_t entries() const {
    const files::directory_iterator all(folder / "inside");
    return static_cast<size_t>(std::distance(begin(all), end(all)));
  }
  /// What the file system said, in words; empty: it was replaced.
  std::string refused(const std::string& below) const {
    try {
      KeptFile(named(below)).replace("new");
      return {};
    } catch (const DeviceError& error) {
      return error.what();
    }
  }

  files::path folder;
};

TEST_F(KeptFiles, AreReadAndReplacedAndLeaveNothingBeside) {
  KeptFile file(named("a.bin"));
  EXPECT_EQ(file.read(10), std::nullopt);
  file.replace("one");
  EXPECT_EQ(file.read(10), "one");
  EXPECT_EQ(file.read(2), "one");  // one more than is wanted says that it is too long
  ::chmod(inside("a.bin").c_str(), 0640);
  file.replace("three and more");
  EXPECT_EQ(text(inside("a.bin")), "three and more");
  EXPECT_EQ(entries(), 1u);
  struct stat found{};
  ASSERT_EQ(::stat(inside("a.bin").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0640u);
}

TEST_F(KeptFiles, WithTheLongestNameThereIs) {
  EXPECT_EQ(refused(std::string(255, 'a')), "");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(KeptFiles, ThatWereReservedAndNotReplacedStayAsTheyAre) {
  write(inside("a.bin"), "old");
  {
    KeptFile file(named("a.bin"));
    file.reserve();
    EXPECT_EQ(entries(), 2u);
  }
  EXPECT_EQ(text(inside("a.bin")), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(KeptFiles, OfAnotherRunAreRefusedInWords) {
  KeptFile first(named("a.bin"));
  first.reserve();
  try {
    KeptFile(named("a.bin")).reserve(3);
    FAIL() << "two runs have it";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("is used by another run"), std::string::npos);
  }
  EXPECT_EQ(refused("b.bin"), "");
  first.replace("first");
  EXPECT_EQ(refused("a.bin"), "");
}

TEST_F(KeptFiles, OfAKilledRunAreFree) {
  write(inside(".a.bin.new"), "left");
  EXPECT_EQ(refused("a.bin"), "");
  EXPECT_EQ(text(inside("a.bin")), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(KeptFiles, LeadNowhereElse) {
  write(folder / "outside" / "victim", "kept");
  files::create_symlink("../outside/victim", inside("link"));
  files::create_directory_symlink("../outside", inside("folder"));
  files::create_directory(inside("own"));
  for (const char* below : {"../outside/victim", "link", "folder/victim",
                            "own/../../outside/victim", "..", ".", "", "own/", "/etc/victim"}) {
    EXPECT_NE(refused(below), "") << below;
    EXPECT_THROW(static_cast<void>(KeptFile(named(below)).read(10)), DeviceError) << below;
  }
  EXPECT_EQ(text(folder / "outside" / "victim"), "kept");
  EXPECT_EQ(refused("own/mine"), "");
  EXPECT_EQ(text(inside("own") / "mine"), "new");
}

TEST_F(KeptFiles, WhoseNewNameIsALinkOrAnotherFileToo) {
  write(folder / "outside" / "victim", "kept");
  files::create_symlink("../outside/victim", inside(".a.bin.new"));
  EXPECT_EQ(refused("a.bin"), "");
  files::create_hard_link(folder / "outside" / "victim", inside(".b.bin.new"));
  EXPECT_EQ(refused("b.bin"), "");
  EXPECT_EQ(text(inside("b.bin")), "new");
  EXPECT_EQ(text(folder / "outside" / "victim"), "kept");
}

TEST_F(KeptFiles, WhoseFolderBecomesALinkMeanwhile) {
  write(folder / "outside" / "a.bin", "kept");
  files::create_directory(inside("own"));
  KeptFile file(named("own/a.bin"));
  files::rename(inside("own"), inside("moved"));
  files::create_directory_symlink("../outside", inside("own"));
  file.replace("new");
  EXPECT_EQ(text(folder / "outside" / "a.bin"), "kept");
  EXPECT_EQ(text(inside("moved") / "a.bin"), "new");
}

TEST_F(KeptFiles, OfTheCommandLineMayLeadThroughLinksAndBeDevices) {
  write(folder / "outside" / "a.vcd", "old");
  files::create_symlink("../outside/a.vcd", inside("a.vcd"));
  KeptFile(inside("a.vcd").string()).replace("new");
  EXPECT_TRUE(files::is_symlink(inside("a.vcd")));
  EXPECT_EQ(text(folder / "outside" / "a.vcd"), "new");
  KeptFile("/dev/null").replace("new");
}

TEST_F(KeptFiles, AboveTheLimitOfAFilesSizeKeepTheOldContent) {
  write(inside("a.bin"), "old");
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{.rlim_cur = 2048, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string said;
  try {
    KeptFile(named("a.bin")).replace(std::string(4096, 'x'));
  } catch (const DeviceError& error) {
    said = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(said.find("ulimit -f"), std::string::npos) << said;
  EXPECT_EQ(text(inside("a.bin")), "old");
  EXPECT_EQ(entries(), 1u);
}

}  // namespace
}  // namespace hocket::sim
