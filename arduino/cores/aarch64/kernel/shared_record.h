// A record of the sketch's that the kernel looks at while the sketch may write to it.
#pragma once

#include "arduino/cores/aarch64/kernel/legal_values.h"

namespace hocket::edge {

/// Each question is one load, and its answer any number: a pointer is made of it only where
/// UserMemory has said that it is the sketch's, and a count only up to a limit. A field that is no
/// unsigned integer cannot be loaded.
/// SAFETY: the record lies in pages that stay mapped (Domain::run). Volatile: the sketch may write
/// to it at any time, from another core.
template <class T>
class SharedRecord {
 public:
  explicit SharedRecord(uint64_t address) : record_(reinterpret_cast<volatile T*>(address)) {}

  template <class F>
    requires kIsUnsigned<F>
  F load(F T::* field) const {
    return record_->*field;
  }
  /// Of one of several.
  template <class One, size_t kCount, class F>
    requires kIsUnsigned<F>
  F load(One (T::*row)[kCount], size_t index, F One::* field) const {
    HOCKET_CHECK(index < kCount);
    return (record_->*row)[index].*field;
  }
  template <class F>
    requires kIsUnsigned<F>
  void store(F T::* field, F value) const {
    record_->*field = value;
  }

 private:
  volatile T* record_;
};

}  // namespace hocket::edge
