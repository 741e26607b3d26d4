// EdfThread: a thread with a deadline, a worst-case execution time and a period, all in
// milliseconds.
//
//   void control() { … }                          one call in each period
//   EdfThread thread(&control, {.deadline = 10, .wcet = 2, .period = 20});        suspended
//
//   void setup() {
//     if (thread.edf_prepare()) thread.resume(); else Serial.println(thread.why_not());
//   }
//
// edf_prepare() tests whether all deadlines can be met beside what is already admitted. A thread
// that it refuses never runs, and nothing changes for the others. The policy must be edf or
// hybrid-edf. A sketch with such threads has room for HOCKET_EDF_THREADS of them (8 by default).
// They are loops with the numbers from 201 on, and last as long as the sketch.
//
// ("Experimental Effectiveness Analysis of EDF-eCos", chapter 4.)
#pragma once

#ifdef __AVR__
#error "boards with an AVR have no EdfThread: write void periodic(id, C, T, D) instead"
#endif

#include "arduino/runtime/system.h"
#include "hocket/ServiceLoop.h"

#ifndef HOCKET_EDF_THREADS
#define HOCKET_EDF_THREADS 8
#endif
static_assert(HOCKET_EDF_THREADS >= 1 && HOCKET_EDF_THREADS <= 32,
              "HOCKET_EDF_THREADS is from 1 to 32");

class EdfThread;

namespace hocket::services {

inline constexpr unsigned kEdfThreads = HOCKET_EDF_THREADS;
inline constexpr unsigned kFirstEdfLoop = 201;

HOCKET_SERVICE_LOOP_(EdfLoop, "hocket/EdfThread.h", kFirstEdfLoop + k, 1000, 1000,
                     ::hocket::Suspended{})

/// The threads in the order in which they were made. The thread at an index has the loop of that
/// index.
inline EdfThread* edf_threads[kEdfThreads];
inline unsigned edf_threads_made = 0;

template <unsigned k>
struct AllEdfLoops {
  static void use() {
    EdfLoop<k - 1>::use();
    AllEdfLoops<k - 1>::use();
  }
};
template <>
struct AllEdfLoops<0> {
  static void use() {}
};

}  // namespace hocket::services

class EdfThread final {
 public:
  using Entry = void();
  /// In milliseconds.
  struct Properties {
    unsigned deadline, wcet, period;
  };

  /// Creates the thread suspended. As a global object or in setup(). It must never be destroyed.
  template <class Loops = hocket::services::AllEdfLoops<hocket::services::kEdfThreads>>
  EdfThread(Entry* entry, Properties properties) : entry_(entry), properties_(properties) {
    using namespace hocket::services;
    Loops::use();
    place_ = edf_threads_made++;
    if (place_ < kEdfThreads) edf_threads[place_] = this;
  }
  EdfThread(const EdfThread&) = delete;
  EdfThread& operator=(const EdfThread&) = delete;

  /// Sets other properties for the next edf_prepare(). Returns false if the thread is already
  /// admitted; its properties then stay.
  bool properties(Properties properties);
  Properties properties() const { return properties_; }
  /// Only in setup(). Tests whether its deadlines can be met, and admits it. On false, why_not()
  /// says why.
  bool edf_prepare();
  /// Starts the thread: with all loops at the end of setup(), or at once after that. Returns false
  /// if it was not admitted or was resumed before; why_not() says so.
  bool resume();
  /// Why the last call failed; empty: it did not.
  const char* why_not() const { return answer_.why_not; }
  /// The number of its loop in the report and in messages.
  unsigned number() const { return hocket::services::kFirstEdfLoop + place_; }

 private:
  template <unsigned k>
  friend struct hocket::services::EdfLoop;

  bool refuse(const char* text) {
    size_t length = 0;
    for (; text[length] != '\0' && length + 1 < sizeof answer_.why_not; ++length) {
      answer_.why_not[length] = text[length];
    }
    answer_.why_not[length] = '\0';
    return false;
  }

  Entry* entry_;
  Properties properties_;
  unsigned place_ = 0;
  bool admitted_ = false;
  hocket::sys::EdfContract answer_{};
};

inline bool EdfThread::properties(Properties properties) {
  if (admitted_) return refuse("it is admitted: its deadline, WCET and period stay as they are");
  properties_ = properties;
  refuse("");
  return true;
}

inline bool EdfThread::edf_prepare() {
  if (entry_ == nullptr) return refuse("it has no function to call");
  if (place_ >= hocket::services::kEdfThreads) {
    return refuse("there are more threads than HOCKET_EDF_THREADS says: define a larger number");
  }
  answer_.deadline_ms = properties_.deadline;
  answer_.wcet_ms = properties_.wcet;
  answer_.period_ms = properties_.period;
  const bool admitted = hocket::sys::edf_prepare(number(), answer_);
  admitted_ = admitted_ || admitted;
  return admitted;
}

inline bool EdfThread::resume() {
  if (!admitted_) return refuse("it has not been admitted by edf_prepare(): it never runs");
  if (!hocket::sys::edf_resume(number())) return refuse("it has been resumed before");
  refuse("");
  return true;
}

namespace hocket::services {

template <unsigned k>
void EdfLoop<k>::body() {
  edf_threads[k]->entry_();
}

}  // namespace hocket::services
