// Fuzz target: an image of a sketch, spoilt anyhow, is accepted exactly when a second opinion
// accepts it; a refusal is one sentence that was not cut.
//
// With libFuzzer: `image_fuzz FOLDER`, the input being changes to a good image (spoil() in
// sketch_image.h). Without (HOCKET_CORPUS_RUN): a fixed number of random changes, the same every
// time.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "arduino/cores/protected/kernel/check.h"
#include "tests/unit/arduino/cores/protected/sketch_image.h"

namespace {

[[noreturn]] void broken(const char* property, const std::string& detail) {
  std::fprintf(stderr, "image: %s: %s\n", property, detail.c_str());
  std::abort();
}

/// Whether the spoilt image is accepted.
bool accepted(const std::vector<uint8_t>& changes) {
  hocket::sketch::test::Image spoilt = hocket::sketch::test::good_image();
  hocket::sketch::test::spoil(spoilt, changes);
  // A copy has memory for what is left and no more.
  const hocket::sketch::test::Image image = spoilt;
  const char* const wrong = hocket::sketch::check(image.bytes(), image.size());
  const std::string text = wrong == nullptr ? "accepted" : wrong;
  if ((wrong == nullptr) != hocket::sketch::test::acceptable(image))
    broken("opinions differ", text);
  if (wrong != nullptr && (!text.starts_with("the sketch cannot be used: ") ||
                           !text.ends_with(" with this Hocket's own tools"))) {
    broken("not a sentence", text);
  }
  return wrong == nullptr;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  accepted(std::vector<uint8_t>(data, data + size));
  return 0;
}

#ifdef HOCKET_CORPUS_RUN
#include "simulation/devices/random.h"

int main() {
  constexpr int kImages = 50'000;
  constexpr size_t kChange = 11;  // bytes
  hocket::sim::Random random(1, "image");
  int good = 0;
  for (int i = 0; i < kImages; ++i) {
    std::vector<uint8_t> changes(kChange * random.between(1, 3));
    for (uint8_t& byte : changes) byte = static_cast<uint8_t>(random.between(0, 255));
    good += accepted(changes) ? 1 : 0;
  }
  std::printf("%d of %d spoilt images are accepted\n", good, kImages);
  return good > 0 && good < kImages ? 0 : 1;
}
#endif
