// A picture of two colours, and its files: PBM and PNG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hocket::sim {

class Picture {
 public:
  Picture(unsigned width, unsigned height) : width_(width), height_(height), lit_(width * height) {}

  void set(unsigned x, unsigned y, bool lit) { lit_[y * width_ + x] = lit; }
  bool at(unsigned x, unsigned y) const { return lit_[y * width_ + x]; }
  unsigned width() const { return width_; }
  unsigned height() const { return height_; }
  size_t lit() const;

  /// A row as bytes, the leftmost point in the highest bit; 1 is lit.
  std::string row(unsigned y) const;
  /// Writes a file, by the extension of its name: `.pbm` (Netpbm, P4) or PNG. Lit points are white.
  /// Throws DeviceError if it cannot be written.
  void save(const std::string& file) const;

 private:
  unsigned width_, height_;
  std::vector<bool> lit_;
};

}  // namespace hocket::sim
