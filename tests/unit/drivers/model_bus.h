// The bus of the drivers' unit tests: every access goes to a model of the device.
//
// A model has read(address, size) and write(address, size, value); a test sets `model` first.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hocket::drivers::testing {

template <class Model>
struct ModelBus {
  static inline Model* model = nullptr;

  template <class Word>
  static Word read(uintptr_t address) {
    return static_cast<Word>(model->read(address, sizeof(Word)));
  }
  template <class Word>
  static void write(uintptr_t address, Word value) {
    model->write(address, sizeof(Word), value);
  }
  static void publish() { model->published(); }
};

}  // namespace hocket::drivers::testing
