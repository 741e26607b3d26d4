// A record in the sketch's memory that the kernel reads while the sketch may write it.
#pragma once

#include "arduino/cores/protected/kernel/legal_values.h"

namespace hocket::edge {

/// Each question is one load, and its answer is any number. It becomes a pointer only after
/// UserMemory has confirmed that it is the sketch's, and a count only up to a limit. Only unsigned
/// integer fields can be loaded. SAFETY: the record lies in pages that stay mapped (Domain::run).
/// The accesses are volatile, because the sketch may write at any time from another core.
template <class T>
class SharedRecord {
 public:
  explicit SharedRecord(uint64_t address) : record_(reinterpret_cast<volatile T*>(address)) {}

  template <class F>
    requires kIsUnsigned<F>
  F load(F T::* field) const {
    return record_->*field;
  }
  /// Loads one element of an array field.
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
