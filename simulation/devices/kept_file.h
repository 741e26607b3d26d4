// A file that outlives the run: a memory's bytes, a card's image, a picture, waves. It is replaced
// whole or not at all, and one run at a time may do so.
//
// The new content is written beside it, as `.NAME.new`, flushed to the disk, and takes its name.
// That file is the lock, too: a second run waits for it, and gives up with a sentence.
//
// A path that a scenario names comes as a folder that the user allows and what is below it. Each
// folder on the way is opened by itself, and none may be a link: what is checked is what is used,
// whatever becomes of the names meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hocket::sim {

class KeptFile {
 public:
  static constexpr unsigned kTries = 200;  // 50 ms apart

  /// `named`: the allowed folder, a zero byte, and what is below it; or a path as it is, which may
  /// lead through links. Throws DeviceError when its folder cannot be opened.
  explicit KeptFile(const std::string& named);
  ~KeptFile();
  KeptFile(const KeptFile&) = delete;
  KeptFile& operator=(const KeptFile&) = delete;

  /// As people write it.
  const std::string& name() const { return shown_; }

  /// Its bytes, up to `most` and one more; none: there is no such file. Throws DeviceError.
  std::optional<std::string> read(size_t most) const;

  /// From now on no other run replaces it. Throws DeviceError when that cannot be.
  void reserve(unsigned tries = kTries);
  /// Throws DeviceError when it cannot be; it has its old content then.
  void replace(std::string_view content);
  void replace(std::span<const uint8_t> content) {
    replace({reinterpret_cast<const char*>(content.data()), content.size()});
  }

  /// For a content that comes in pieces, after reserve(): what is written here has the file's name
  /// after commit(). It is closed with this object.
  int descriptor() const { return beside_; }
  /// Throws DeviceError.
  void commit();

 private:
  void open_folder(const std::string& folder, const std::string& below);
  void find_odd(const std::string& path);
  bool try_reserve();
  bool has_name(int file, const std::string& name) const;
  void give_up();
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string shown_, last_, beside_name_;
  int folder_ = -1;
  int beside_ = -1;   // what will be the file
  bool odd_ = false;  // a device or a pipe: written as it is
};

}  // namespace hocket::sim
