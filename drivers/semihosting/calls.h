// Semihosting: files, console, command line and exit of the host that runs the emulator.
//
// Invariants
// - Trap::call(operation, parameters) asks the host; semihosting.h has the real one.
// - A call is one instruction, on AArch64 HLT #0xF000 with the operation in W0 and the address of
//   its parameters in X1; the answer is in X0 and nothing else is changed. Without such a host,
//   HLT is an undefined instruction: the kernel finds out once, catching it, and calls nothing here
//   otherwise. Parameters are words as wide as the processor's addresses.
// - The processor stands still meanwhile: a call takes no virtual time in an emulator with an
//   instruction clock, and as long as the host likes elsewhere (a FIFO blocks until its other end
//   moves). No place for a call in anything with a deadline.
// - read() and write() go on until all is done or the host gives an error or the end of the file.
//
// Source: Arm «Semihosting for AArch32 and AArch64», release 2.0 (100863): «The semihosting
// interface», and the operations under their names (SYS_OPEN …).
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace hocket::drivers {

/// Calls of the host. Context: anywhere, on one core at a time. Each stops the core until the host
/// has answered.
template <class Trap>
class SemihostingHost {
 public:
  /// Like fopen's modes, all binary (SYS_OPEN).
  enum class Mode : uint8_t { Read = 1, ReadWrite = 3, Write = 5, Append = 9 };

  /// A file that the host has opened; a negative number means none.
  struct File {
    int64_t handle = -1;
    bool ok() const { return handle >= 0; }
  };

  /// Opens a file, a device or a FIFO of the host; ":tt" is its console (Read: standard input,
  /// Write: output, Append: error output). The result is not ok() if it cannot be opened.
  static File open(const char* path, Mode mode) {
    const Word block[] = {address(path), static_cast<Word>(mode), length(path)};
    return {call(kOpen, block)};
  }
  static bool close(File file) {
    const Word block[] = {handle(file)};
    return call(kClose, block) == 0;
  }

  /// Writes `size` bytes; returns how many were written (fewer: an error).
  static size_t write(File file, const void* data, size_t size) {
    return transfer(kWrite, file, address(data), size);
  }
  /// Reads `size` bytes; returns how many were read (fewer: the end of the file, or an error).
  static size_t read(File file, void* data, size_t size) {
    return transfer(kRead, file, address(data), size);
  }

  /// A write or read that is repeated with the same memory: its parameter block is built once.
  class Transfer {
   public:
    constexpr Transfer() = default;
    static Transfer writing(File file, const void* data, size_t size) {
      return Transfer(kWrite, file, address(data), size);
    }
    static Transfer reading(File file, void* data, size_t size) {
      return Transfer(kRead, file, address(data), size);
    }

    /// Transfers all of it. Returns false on an error or at the end of the file.
    bool operator()() const {
      const auto left = static_cast<uint64_t>(call(operation_, block_));
      return left == 0 || rest(left);
    }

   private:
    Transfer(uint32_t operation, File file, uint64_t data, size_t size)
        : operation_(operation), block_{handle(file), data, size} {}

    [[gnu::noinline]] bool rest(uint64_t left) const {
      const uint64_t done = block_[2] - left;
      if (left >= block_[2]) return false;  // no progress
      return transfer(operation_, {static_cast<int64_t>(block_[0])}, block_[1] + done, left) ==
             left;
    }

    uint32_t operation_ = 0;
    uint64_t block_[3] = {};
  };

  /// Bytes in the file, or -1 (a FIFO has no length).
  static int64_t length(File file) {
    const Word block[] = {handle(file)};
    return call(kLength, block);
  }
  /// Whether the file is a terminal.
  static bool interactive(File file) {
    const Word block[] = {handle(file)};
    return call(kIsTty, block) == 1;
  }

  /// Writes a zero-terminated text to the debug console.
  static void print(const char* text) { call(kWrite0, text); }

  /// Stores the command line, zero-terminated, in `buffer`. Returns its length, or -1 if the host
  /// has none or it does not fit.
  static int64_t command_line(char* buffer, size_t size) {
    if (size == 0) return -1;
    Word block[] = {address(buffer), size};
    if (call(kCommandLine, block) != 0 || block[1] >= size) return -1;
    buffer[block[1]] = '\0';
    return static_cast<int64_t>(block[1]);
  }

  /// The host's error number of the last call that failed.
  static int64_t error() { return call(kErrorNumber, nullptr); }

  /// Ends the program with an exit status. Returns only if the host refuses.
  static void exit(uint32_t status) {
    const Word block[] = {kApplicationExit, status};
    call(kExitExtended, block);
  }

 private:
  using Word = uintptr_t;
  static constexpr uint32_t kOpen = 0x01, kClose = 0x02, kWrite0 = 0x04, kWrite = 0x05,
                            kRead = 0x06, kIsTty = 0x09, kLength = 0x0c, kErrorNumber = 0x13,
                            kCommandLine = 0x15, kExitExtended = 0x20;
  static constexpr Word kApplicationExit = 0x20026;  // ADP_Stopped_ApplicationExit

  static int64_t call(uint32_t operation, const void* parameters) {
    return Trap::call(operation, parameters);
  }
  static Word address(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }
  static Word handle(File file) { return static_cast<Word>(file.handle); }
  static Word length(const char* text) {
    Word count = 0;
    while (text[count] != '\0') ++count;
    return count;
  }

  /// SYS_READ and SYS_WRITE return how many bytes are left.
  static size_t transfer(uint32_t operation, File file, Word data, size_t size) {
    size_t done = 0;
    while (done < size) {
      const Word block[] = {handle(file), data + done, size - done};
      const Word left = static_cast<Word>(call(operation, block));
      if (left >= size - done) break;  // no step: the end, or an error
      done = size - left;
    }
    return done;
  }
};

}  // namespace hocket::drivers
