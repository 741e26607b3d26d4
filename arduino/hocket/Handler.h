// Handlers: what an alarm does at each event. It calls a function, gives one to a semaphore, or
// resumes a thread (Handler_Thread, in hocket/Thread.h). For your own, derive a class with
// operator()().
//
// A handler runs in the alarms' loop (hocket/Alarm.h), on that loop's budget. It may call anything
// that a loop may, including delay(); meanwhile other alarms wait for it. The handler must live as
// long as its alarm. ("Temporal Event Management in EPOS", Figure 2.)
#pragma once

#include "hocket/Semaphore.h"

class Handler {
 public:
  virtual void operator()() = 0;

 protected:
  constexpr Handler() = default;
  ~Handler() = default;
  Handler(const Handler&) = default;
  Handler& operator=(const Handler&) = default;
};

class Handler_Function final : public Handler {
 public:
  using Function = void();
  explicit constexpr Handler_Function(Function* function) : function_(function) {}
  void operator()() override { function_(); }

 private:
  Function* function_;
};

/// The loop that handles the event waits with p(). The semaphore starts at 0.
class Handler_Semaphore final : public Handler {
 public:
  explicit constexpr Handler_Semaphore(Semaphore* semaphore) : semaphore_(semaphore) {}
  void operator()() override { semaphore_->v(); }

 private:
  Semaphore* semaphore_;
};
