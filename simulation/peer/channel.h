// The two named pipes between the kernel in the emulator and the world, in a folder of their own.
//
// Invariant: both pipes are open on our side from the beginning, so the kernel's opening of them
// never waits; the folder lives as long as the object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hocket::world {

/// A file descriptor that is closed by its owner's destructor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  int get() const { return number_; }

 private:
  int number_;
};

class Channel {
 public:
  /// Creates the folder and the pipes. Throws UsageError.
  Channel();
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  const std::string& folder() const { return folder_; }
  int request() const { return request_.get(); }
  int reply() const { return reply_.get(); }

  /// Appends received bytes; returns false when there are no more now.
  bool receive(std::vector<uint8_t>& to);
  /// Sends as much as the pipe takes, in one piece if it fits. Returns the number of bytes.
  size_t send(const uint8_t* bytes, size_t size);

 private:
  void remove();

  std::string folder_;
  Descriptor request_, reply_;
};

}  // namespace hocket::world
