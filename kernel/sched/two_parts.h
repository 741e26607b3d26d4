// A virtual CPU in two parts at run time: which of them it goes on in.
//
// Each part is an entity of its core's policy, with a server of its own: (C1, T, D1) here and
// (C − C1, T, D − offset) there (splitting.h). So each core promises and enforces what its analysis
// has counted, whatever the thread does; it is the thread that goes from one to the other.
//
//   core 1   ▓▓▓▓▓▓│                         ▓▓▓▓▓▓
//   core 2         ╰╌╌▓▓▓▓▓▓▓▓▓│
//            release  offset    ╰╌╌╌╌╌╌╌╌╌╌╌╌release + T
//
// It is wanted from some instant on: when it has used up what it has here, when it wakes, when its
// sleep will end. It goes on in the part whose budget can be used first from then on; in the first
// part, if that is the same, or as good as that: an overrun makes a budget come back a little later
// than a period after its release, and who begins with the second part then has it all in the wrong
// order. From the first part to the second there is the offset besides, so that the second part is
// released as far apart as the first one, however early C1 was used up.
//
// Whoever owns the thread (dispatcher.h: the core of the part that it is in) owns the servers of
// both parts, and what is noted here. The policy of the other core knows nothing of it.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// They are one virtual CPU from now on. Before it begins. `overrun`: by how much a part may be
/// ahead of its budget (Overheads::enforcement).
template <class Entity, class Duration>
void join_parts(Entity& first, Entity& second, Duration offset, Duration overrun) {
  first.other = &second;
  second.other = &first;
  second.second = true;
  first.offset = offset;
  first.as_good = second.as_good = overrun;
}

/// Since when a part can be used by whom it is wanted by since `wanted`.
template <class Entity, class Instant>
Instant usable_from(const Entity& part, Instant wanted) {
  return larger(wanted, part.server.time());
}

/// Whether the other part can be used before this one.
template <class Entity, class Instant>
bool other_comes_first(const Entity& here, Instant wanted_here, Instant wanted_there) {
  const Instant at_once = usable_from(here, wanted_here);
  const Instant there = usable_from(*here.other, wanted_there);
  return here.second ? there <= at_once + here.as_good : there + here.as_good < at_once;
}

/// Of who has used up a head that it could use since `release`: since when it is wanted there.
template <class Entity, class Instant>
Instant wanted_after(const Entity& here, Instant release, Instant now) {
  return here.second ? now : larger(now, release + here.offset);
}

}  // namespace hocket
