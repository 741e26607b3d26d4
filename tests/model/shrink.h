// Makes a failing task set small enough to read.
#pragma once

#include <functional>

#include "task_set.h"

namespace hocket::test {

/// The smallest set found that still fails: servers and works removed, numbers lowered, options
/// dropped, one after the other until nothing helps. `fails` is called at most `most_calls` times,
/// and only with valid sets; `set` itself must fail.
TaskSet shrink(TaskSet set, const std::function<bool(const TaskSet&)>& fails,
               int most_calls = 4000);

}  // namespace hocket::test
