// A virtual CPU that is split into two parts: where it continues at run time.
//
// Each part is an entity of its core's policy and has its own server: (C1, T, D1) on the first core
// and (C − C1, T, D − offset) on the second (splitting.h). Each core therefore promises and
// enforces what its analysis has counted, whatever the thread does. The thread moves from one part
// to the other.
//
//   core 1   ▓▓▓▓▓▓│                         ▓▓▓▓▓▓
//   core 2         ╰╌╌▓▓▓▓▓▓▓▓▓│
//            release  offset    ╰╌╌╌╌╌╌╌╌╌╌╌╌release + T
//
// The thread wants to run from some instant on: when it has used up its budget here, when it wakes,
// or when its sleep will end. It continues in the part whose budget is usable first from that
// instant on. If both are usable at the same time, or nearly, it continues in the first part.
// "Nearly" allows for an overrun: that delays a budget a little beyond one period after its
// release, and a thread that began with the second part would then use the parts in the wrong
// order. A thread that moves from the first part to the second waits for the offset as well, so
// that the releases of the second part are as far apart as those of the first, however early C1 was
// used up.
//
// The core that owns the thread (dispatcher.h: the core of the part in which it is) owns the
// servers of both parts, and the notes in the entities. The policy of the other core knows nothing
// of the thread.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// Makes two entities the parts of one virtual CPU. Call this before their cores begin. `overrun`:
/// the most by which a part may exceed its budget (Overheads::enforcement).
template <class Entity, class Duration>
void join_parts(Entity& first, Entity& second, Duration offset, Duration overrun) {
  first.other = &second;
  second.other = &first;
  second.second = true;
  first.offset = offset;
  first.as_good = second.as_good = overrun;
}

/// From when on the part can be used by a thread that wants to run from `wanted` on.
template <class Entity, class Instant>
Instant usable_from(const Entity& part, Instant wanted) {
  return larger(wanted, part.server.time());
}

/// Whether the thread should continue in the other part.
template <class Entity, class Instant>
bool other_comes_first(const Entity& here, Instant wanted_here, Instant wanted_there) {
  const Instant at_once = usable_from(here, wanted_here);
  const Instant there = usable_from(*here.other, wanted_there);
  return here.second ? there <= at_once + here.as_good : there + here.as_good < at_once;
}

/// For a thread that has used up a head that was usable since `release`: from when on it wants to
/// run in the other part.
template <class Entity, class Instant>
Instant wanted_after(const Entity& here, Instant release, Instant now) {
  return here.second ? now : larger(now, release + here.offset);
}

}  // namespace hocket
